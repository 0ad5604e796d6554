internal import MediaFileSystem
package import MediaListing
package import MediaModel
package import MediaSources

/// The items of a source that an import would process, in groups whose items belong together.
///
/// Files of one folder whose names differ only in their extension are a group, as are the files that have
/// been joined by what is in them.
package struct GroupedItems {
  package let source: SourceID
  private let pending: PendingItems
  /// For each item the first one of its group.
  private var firsts: [UInt32]

  package init(of source: SourceID, _ pending: PendingItems) {
    self.source = source
    self.pending = pending
    firsts = Array(repeating: 0, count: pending.count)
    var groups = ItemGroups(of: pending, limit: .max)
    while !groups.isAtEnd {
      let group = groups.first
      for position in group { firsts[Int(position)] = group.first ?? position }
      groups.dropFirst()
    }
  }

  /// Joins the groups of files that have one content identifier.
  package mutating func join(_ identifiers: [(path: ItemPath, identifier: String)]) {
    let positions = Dictionary(
      pending.indices.map { (pending.path(at: $0), UInt32($0)) },
      uniquingKeysWith: { first, _ in first }
    )
    var joined: [String: UInt32] = [:]
    for (path, identifier) in identifiers {
      guard let position = positions[path] else { continue }
      let first = first(of: position)
      guard let other = joined[identifier].map({ self.first(of: $0) }) else {
        joined[identifier] = first
        continue
      }
      firsts[Int(max(first, other))] = min(first, other)
    }
    for position in firsts.indices { firsts[position] = first(of: UInt32(position)) }
  }

  private func first(of position: UInt32) -> UInt32 {
    var position = position
    while firsts[Int(position)] != position { position = firsts[Int(position)] }
    return position
  }

  package var count: Int { pending.count }

  /// The positions of all items, one group after the other in the order of their first items.
  package var order: [UInt32] {
    firsts.indices.map { UInt64(firsts[$0]) << 32 | UInt64($0) }.sorted()
      .map { UInt32(truncatingIfNeeded: $0) }
  }

  /// The position of the first item of an item's group.
  package func group(of position: Int) -> UInt32 { firsts[position] }

  /// The size of an item's file in bytes.
  package func size(at position: Int) -> Int64 { pending.size(at: position) }

  /// An item as a plan has it, without a digest.
  package func item(at position: Int) -> AssignedItem {
    let item = pending[position]
    return AssignedItem(
      path: item.listed.path,
      size: item.listed.status.size,
      modified: item.listed.status.modified,
      number: item.number,
      isLeftOut: item.listed.reason == .notFetched
    )
  }
}
