package import MediaFileSystem
package import MediaModel

/// An item of a plan.
package struct AssignedItem: Sendable, Hashable {
  /// Within the source.
  package var path: ItemPath
  /// In bytes; nil where the plan does not have it.
  package var size: Int64?
  /// In nanoseconds since 1970; nil where the plan does not have it.
  package var modified: Int64?
  /// The item's number in the run that the plan divides, from 1.
  package var number: Int
  package var digest: ExpectedDigest?
  /// Whether the limit of the source's fetch options has left it out.
  package var isLeftOut: Bool

  package init(
    path: ItemPath,
    size: Int64?,
    modified: Int64?,
    number: Int,
    digest: ExpectedDigest? = nil,
    isLeftOut: Bool = false
  ) {
    self.path = path
    self.size = size
    self.modified = modified
    self.number = number
    self.digest = digest
    self.isLeftOut = isLeftOut
  }
}

/// The items of one source that a plan gives to a run, in the order of the paths' bytes, in some 30 bytes each
/// with the path.
package struct AssignedItems: Sendable {
  private var items = ListedItems()
  private var numbers: [UInt32] = []
  private var digests: [UInt32: ExpectedDigest] = [:]
  /// The indexes of the items that a limit has left out.
  private var leftOut: Set<UInt32> = []

  /// The size or the time of an item of which the plan does not have it.
  private static let unknown = Int64.min

  package init() {}

  package var count: Int { items.count }

  /// Adds an item whose path is behind those that are there.
  package mutating func append(_ item: AssignedItem) {
    if let digest = item.digest { digests[UInt32(items.count)] = digest }
    if item.isLeftOut { leftOut.insert(UInt32(items.count)) }
    items.append(
      ListedItem(
        path: item.path,
        status: FileStatus(
          kind: .regular,
          size: item.size ?? Self.unknown,
          modified: item.modified ?? Self.unknown
        )
      )
    )
    numbers.append(UInt32(clamping: item.number))
  }

  package func path(at index: Int) -> ItemPath { items.path(at: index) }

  /// The number of an item in the run that the plan divides.
  package func number(at index: Int) -> Int { Int(numbers[index]) }

  /// Whether a file has the size and the time that the plan has.
  package func isAsPlanned(_ status: FileStatus, at index: Int) -> Bool {
    let planned = items.status(at: index)
    return (planned.size == Self.unknown || planned.size == status.size)
      && (planned.modified == Self.unknown || planned.modified == status.modified)
  }

  /// Whether a limit has left out items.
  package var hasLeftOut: Bool { !leftOut.isEmpty }

  /// Whether a limit has left out the item of a path.
  package func isLeftOut(_ path: ItemPath) -> Bool {
    items.index(of: path).map { leftOut.contains(UInt32($0)) } ?? false
  }

  /// The digest that the content of a path has to have; nil without one.
  package func digest(of path: ItemPath) -> ExpectedDigest? {
    if digests.isEmpty { return nil }
    return items.index(of: path).flatMap { digests[UInt32($0)] }
  }
}
