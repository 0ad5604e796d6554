package import MediaMetadata

/// The parts that a listing shows in the order of the file, in whatever order they were found.
package struct ListedParts {
  private var parts: [(start: Int, list: (inout MetadataListing) -> Void)] = []

  /// Whether there are as many as a listing has entries at most.
  package var isFull: Bool { parts.count >= MetadataListing.maximumEntries }

  /// Creates an empty collection.
  package init() {}

  /// Adds a part whose entries `list` adds to the listing.
  package mutating func add(at start: Int, _ list: @escaping (inout MetadataListing) -> Void) {
    parts.append((start, list))
  }

  /// Adds a part that is removed, as one entry.
  package mutating func add(_ path: String, at range: Range<Int>) {
    add(at: range.lowerBound) { $0.add(path, at: range, isRemoved: true) }
  }

  /// Adds the entries of all parts.
  package func list(into listing: inout MetadataListing) {
    for part in parts.sorted(by: { $0.start < $1.start }) { part.list(&listing) }
  }
}
