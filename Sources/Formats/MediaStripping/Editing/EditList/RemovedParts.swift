/// The parts of a file that its output does not have: how many of each name, and where the first lie.
package struct RemovedParts {
  /// The ranges that are noted at most; a hostile file may have millions of parts.
  private static let maximumEntries = 1000

  /// The number of parts of each name.
  package private(set) var counts: [String: Int] = [:]
  /// The ranges of the first parts in the source, for a listing.
  package private(set) var entries: [(name: String, range: Range<Int>)] = []

  package init() {}

  /// Adds a part.
  package mutating func add(_ name: String, at range: Range<Int>) {
    counts[name, default: 0] += 1
    if entries.count < Self.maximumEntries { entries.append((name, range)) }
  }

  /// Adds the parts that another reader of the same file has found.
  package mutating func add(_ others: RemovedParts) {
    counts.merge(others.counts, uniquingKeysWith: +)
    entries += others.entries
  }
}
