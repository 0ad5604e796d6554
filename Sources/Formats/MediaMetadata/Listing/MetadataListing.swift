package import MediaContainers
package import MediaModel

/// Collects the entries of one file, or only counts by kind those that `strip` removes.
package struct MetadataListing {
  /// The maximum number of entries: a hostile file has millions of tags, a normal one a few
  /// thousand.
  package static let maximumEntries = 10_000
  private static let maximumValueCharacters = 200

  /// The options that `strip` would get.
  package private(set) var options: StripOptions
  private let showsValues: Bool
  /// The entries in the order of the file; none in a listing that counts.
  package private(set) var entries: [InspectedEntry] = []
  /// The number of entries, of both kinds of listing.
  package private(set) var count = 0
  /// The number of blocks that may still be inflated or joined: a hostile file has thousands, a normal
  /// one few.
  private var blocksLeft = 16
  /// The number of removed values of each tag by its index, of a listing that counts.
  private var counts: [Int]?

  /// Creates an empty listing.
  package init(options: StripOptions, showsValues: Bool) {
    self.options = options
    self.showsValues = showsValues
  }

  /// Creates an empty listing that counts what is removed under `options`, for a receipt.
  package init(counting options: StripOptions) {
    self.init(options: options, showsValues: false)
    counts = []
  }

  /// The kinds of what is removed with their numbers, in the order of the table.
  package var removed: [RemovedTag] {
    (counts ?? []).enumerated().compactMap { index, count in
      count > 0 ? MetadataTag(index: index).map { RemovedTag($0, count: count) } : nil
    }
  }

  /// Counts removed values in a listing that counts.
  package mutating func count(_ tag: MetadataTag, _ number: Int = 1) {
    guard counts != nil else { return }
    if counts?.isEmpty == true { counts = [Int](repeating: 0, count: MetadataTag.count) }
    counts?[tag.index] += number
  }

  /// Adds the counts of another listing.
  package mutating func add(_ removed: [RemovedTag]) {
    for part in removed { count(part.tag, part.count) }
  }

  /// Returns whether one more block may be inflated or joined from parts, and counts it.
  package mutating func takesBlock() -> Bool {
    blocksLeft -= 1
    return blocksLeft >= 0
  }

  /// Notes that the file has no gain map, so that nothing is kept for one.
  package mutating func noteNoGainMap() { options.except.remove(.hdrGainMap) }

  /// Returns an empty listing for a file within this one, with options of its own.
  package func nested(options: StripOptions) -> MetadataListing {
    var listing = MetadataListing(options: options, showsValues: showsValues)
    if counts != nil { listing.counts = [] }
    return listing
  }

  /// Adds the entries of a file within this one.
  ///
  /// - Parameters:
  ///   - listing: The entries; their offsets count from the start of the inner file.
  ///   - path: The path of the inner file.
  ///   - start: The offset at which it starts.
  package mutating func add(_ listing: MetadataListing, path: String, at start: Int) {
    add(listing.removed)
    count += listing.counts == nil ? 0 : listing.count
    for var entry in listing.entries where entries.count < Self.maximumEntries {
      count += 1
      entry.path = "\(path)/\(entry.path)"
      entry.offset += UInt64(clamping: start)
      entries.append(entry)
    }
  }

  /// Adds one entry; `value` is evaluated only when values are shown, and `path` not when entries are
  /// counted and `tag` is known.
  ///
  /// A place that is kept coarse is shown as it is written, if `exception` says that it is a place.
  package mutating func add(
    _ path: @autoclosure () -> String,
    at range: Range<Int>,
    isRemoved: Bool,
    exception: MetadataException? = nil,
    tag: MetadataTag? = nil,
    value: () -> String? = { nil }
  ) {
    guard count < Self.maximumEntries else { return }
    count += 1
    guard counts == nil else {
      if isRemoved { count(tag ?? .of(path: path())) }
      return
    }
    var text = showsValues ? value() : nil
    if !isRemoved, exception == .location, options.isLocationCoarse {
      text = text.map { text in
        MoviePlace.read(Array(text.utf8)).flatMap(\.coarse).map(MoviePlace.text)
          ?? "written rounded to 0.1 degrees"
      }
    }
    entries.append(
      InspectedEntry(
        path: path(),
        offset: UInt64(clamping: range.lowerBound),
        byteCount: UInt64(clamping: range.count),
        isRemoved: isRemoved,
        value: text.map { EscapedText.printable($0, limit: Self.maximumValueCharacters) }
      )
    )
  }

  /// Returns whether strip removes what `exception` would keep; nil means that no exception keeps
  /// it.
  package func removes(_ exception: MetadataException?) -> Bool {
    exception.map { !options.except.contains($0) } ?? true
  }

  /// Returns the start of `range` as text for a value.
  package static func text(in range: Range<Int>, of source: ByteSource) -> String? {
    source.bytes(in: range.prefix(1024), limit: 1024).flatMap(text)
  }

  /// Returns `bytes` as text for a value.
  package static func text(_ bytes: [UInt8]) -> String? {
    MetadataText.checked(bytes, limit: 4 * maximumValueCharacters)
  }
}
