internal import MediaListing
internal import MediaModel
package import MediaSources

/// Pending items that have to be in one batch, as positions, in five bytes each.
///
/// Files of one folder whose names differ only in their extension (ASCII case aside) are a group, in
/// their order; of more than `limit` of them every `limit` are one. Groups are in the order of their first
/// items.
package struct ItemGroups {
  /// All positions, one group after the other.
  private var order: [UInt32] = []
  /// Whether the position is its group's last.
  private var isLast: [Bool] = []
  private var next = 0

  package init(of pending: PendingItems, limit: Int) {
    /// An item by its key's hash. Two keys of one hash would only be in one batch.
    struct Key {
      var hash: Int
      var position: UInt32
    }
    var keys: [Key] = []
    keys.reserveCapacity(pending.count)
    for position in pending.indices {
      keys.append(
        Key(hash: pending.groupHash(at: position), position: UInt32(position))
      )
    }
    keys.sort { ($0.hash, $0.position) < ($1.hash, $1.position) }
    // For each item the next one of its group; itself when there is none.
    var following = pending.indices.map { UInt32($0) }
    var isFirst = [Bool](repeating: true, count: pending.count)
    var size = 1
    for (key, previous) in zip(keys.dropFirst(), keys) {
      guard key.hash == previous.hash, size < limit else {
        size = 1
        continue
      }
      size += 1
      following[Int(previous.position)] = key.position
      isFirst[Int(key.position)] = false
    }
    keys = []
    order.reserveCapacity(pending.count)
    isLast.reserveCapacity(pending.count)
    for position in pending.indices where isFirst[position] {
      var current = UInt32(position)
      while true {
        order.append(current)
        let after = following[Int(current)]
        isLast.append(after == current)
        if after == current { break }
        current = after
      }
    }
  }

  package var isAtEnd: Bool { next == order.count }

  /// The positions of the next group; empty at the end.
  package var first: ArraySlice<UInt32> {
    var end = next
    while end < order.count {
      end += 1
      if isLast[end - 1] { break }
    }
    return order[next..<end]
  }

  /// Goes on behind the next group.
  package mutating func dropFirst() { next = first.endIndex }

  /// Leaves out the items of the groups to come that are not to be kept.
  ///
  /// - Returns: Their number.
  package mutating func keep(where isKept: (_ position: Int) -> Bool) -> Int {
    var rest: [UInt32] = []
    var ends: [Bool] = []
    let count = order.count - next
    while !isAtEnd {
      let kept = first.filter { isKept(Int($0)) }
      rest += kept
      if let end = kept.indices.last { ends += kept.indices.map { $0 == end } }
      dropFirst()
    }
    (order, isLast, next) = (rest, ends, 0)
    return count - rest.count
  }
}
