package import MediaContainers
package import MediaMetadata
package import MediaModel

/// Builds an edit list within the limits that the coordinator accepts, or lists for `inspect` what a
/// stripper would not copy.
///
/// One that lists builds no edit list: it ignores bytes and names.
package struct EditListBuilder {
  /// The most names that are counted separately. No container has this many kinds of metadata;
  /// further names come from the file's own text.
  private static let maximumNames = 32

  private let sourceLength: Int
  private var operations: [EditOperation] = []
  private var literalLength = 0
  private var copied = 0
  private var removed: [RemovedMetadata] = []
  private var indexes: [String: Int] = [:]
  /// The index in `removed` of the name that was counted last.
  private var last: Int?
  private var lastTag = MetadataTag.of(path: "")
  /// Whether an edit list is built; otherwise parts are listed.
  package let edits: Bool
  /// The parts that are not copied: their number by kind, or what `inspect` shows of each.
  package var listing: MetadataListing

  /// Creates a builder for a source of that many bytes, whose metadata is removed under `options`.
  package init(sourceLength: Int, options: StripOptions = StripOptions()) {
    (self.sourceLength, edits) = (sourceLength, true)
    listing = MetadataListing(counting: options)
  }

  /// Creates a builder that adds parts to a listing and builds no edit list.
  package init(listing: MetadataListing) {
    (sourceLength, edits, self.listing) = (0, false, listing)
  }

  /// The options under which metadata is removed.
  package var options: StripOptions { listing.options }

  /// Appends bytes of the source; a range that directly follows the one before is merged with it.
  ///
  /// - Throws: `overLimit` for more operations than a file of this length may need; `damaged` for a
  ///   range that does not come after all others.
  package mutating func copy(_ range: Range<Int>) throws(MetadataError) {
    guard edits, !range.isEmpty else { return }
    try advance(over: range)
    let length = UInt64(range.count)
    if case .copy(let offset, let before) = operations.last,
      offset + before == UInt64(range.lowerBound)
    {
      operations[operations.count - 1] = .copy(offset: offset, length: before + length)
    } else {
      try append(.copy(offset: UInt64(range.lowerBound), length: length))
    }
  }

  /// Appends whole frames of DV with the bytes of a mask set to ones; neighbors of one mask are merged.
  ///
  /// - Throws: As ``copy(_:)``.
  package mutating func mask(_ range: Range<Int>, with mask: DIFMask) throws(MetadataError) {
    guard edits, !range.isEmpty else { return }
    try advance(over: range)
    let length = UInt64(range.count)
    if case .masked(let offset, let before, mask) = operations.last,
      offset + before == UInt64(range.lowerBound)
    {
      operations[operations.count - 1] = .masked(offset: offset, length: before + length, mask: mask)
    } else {
      try append(.masked(offset: UInt64(range.lowerBound), length: length, mask: mask))
    }
  }

  private mutating func advance(over range: Range<Int>) throws(MetadataError) {
    guard range.lowerBound >= copied, range.upperBound <= sourceLength else {
      throw MetadataError(.damaged, "parts that overlap")
    }
    copied = range.upperBound
  }

  /// Appends bytes that the source does not have in this form.
  ///
  /// - Throws: `overLimit` for more operations or more literal bytes than a file of this length may
  ///   need.
  package mutating func literal(_ bytes: [UInt8]) throws(MetadataError) {
    guard edits, !bytes.isEmpty else { return }
    literalLength += bytes.count
    // Design section 3: 1 MiB and a quarter of the file, never more than 256 MiB.
    guard literalLength <= min(1 << 20 + sourceLength / 4, 1 << 28) else {
      throw MetadataError(.overLimit, "too many bytes to write anew")
    }
    if case .literal(let before) = operations.last {
      operations[operations.count - 1] = .literal(before + bytes)
    } else {
      try append(.literal(bytes))
    }
  }

  /// Counts parts by name: tracks first, since the number of names is limited and tracks matter most.
  package mutating func remove(_ counts: [String: Int]) {
    for (name, count) in Self.sorted(counts) { remove(name, count: count) }
  }

  /// Notes the names of parts that ``listing`` counts in another way, tracks first.
  package mutating func note(_ counts: [String: Int]) {
    for (name, count) in Self.sorted(counts) { note(name, count: count) }
  }

  private static func sorted(_ counts: [String: Int]) -> [(key: String, value: Int)] {
    func rank(_ name: String) -> (Int, String) { (name.hasSuffix(" track") ? 0 : 1, name) }
    return counts.sorted { rank($0.key) < rank($1.key) }
  }

  /// Counts metadata that the output will not have, as one kind by its name; `inspect` does not show
  /// it.
  package mutating func remove(_ name: String, count: Int = 1) {
    note(name, count: count)
    listing.count(lastTag, count)
  }

  /// Counts a part as one kind by its name; `inspect` shows it as one entry.
  ///
  /// - Parameters:
  ///   - name: The name of the part.
  ///   - range: Its range in the source.
  ///   - path: Its path in the listing; nil for its name.
  ///   - value: Returns the text in it, if it has one.
  package mutating func remove(
    _ name: String,
    at range: Range<Int>,
    path: String? = nil,
    value: () -> String? = { nil }
  ) {
    remove(name)
    show { $0.add(path ?? name, at: range, isRemoved: true, value: value) }
  }

  /// Counts what follows `end`, where the parts of the container end.
  package mutating func removeTrailer(from end: Int, of source: ByteSource) {
    if end < source.length { remove("trailer", at: end..<source.length) }
  }

  /// Counts a part that has metadata of several kinds, by the listing that `inspect` shows of it.
  package mutating func remove(_ name: String, as list: (inout MetadataListing) -> Void) {
    note(name)
    list(&listing)
  }

  /// Lists for `inspect` what an edit list keeps, or counts in another way.
  package mutating func show(_ list: (inout MetadataListing) -> Void) {
    if !edits { list(&listing) }
  }

  /// Notes the name of a part that ``listing`` counts in another way.
  package mutating func note(_ name: String, count: Int = 1) {
    guard edits else { return }
    // A hostile file may repeat one kind a million times: compare with the last name first.
    if let last, removed[last].name == name {
      removed[last].count += count
      return
    }
    var name = name
    if indexes[name] == nil, indexes.count >= Self.maximumNames { name = "others" }
    if let index = indexes[name] {
      last = index
      lastTag = .of(path: name)
      removed[index].count += count
    } else {
      last = removed.count
      lastTag = .of(path: name)
      indexes[name] = removed.count
      removed.append(RemovedMetadata(name: name, count: count))
    }
  }

  /// The number of output bytes so far.
  package var outputLength: Int {
    operations.reduce(0) { $0 + Int(clamping: $1.outputLength) }
  }

  /// Replaces bytes of the literal that the output starts with by the same number of others.
  package mutating func replaceStart(at offset: Int, with bytes: [UInt8]) {
    guard case .literal(var literal) = operations.first, offset + bytes.count <= literal.count
    else { return }
    literal.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    operations[0] = .literal(literal)
  }

  /// Appends the edit list of the part of the source that starts at `offset`, and counts what it
  /// removes.
  ///
  /// - Throws: As ``copy(_:)`` and ``literal(_:)``.
  package mutating func append(_ list: EditList, movedBy offset: Int) throws(MetadataError) {
    for operation in list.operations {
      switch operation {
      case .copy(let start, let length):
        let start = Int(start) + offset
        try copy(start..<(start + Int(length)))
      case .literal(let bytes): try literal(bytes)
      case .masked(let start, let length, let frameMask):
        let start = Int(start) + offset
        try mask(start..<(start + Int(length)), with: frameMask)
      }
    }
    for removed in list.removed { note(removed.name, count: removed.count) }
    listing.add(list.removedTags)
  }

  /// Returns the edit list.
  package consuming func finish() -> EditList {
    EditList(operations: operations, removed: removed, removedTags: listing.removed)
  }

  private mutating func append(_ operation: EditOperation) throws(MetadataError) {
    // Design section 3: the number of operations that the coordinator accepts from a worker.
    guard operations.count < 1000 + sourceLength / 64 else {
      throw MetadataError(.overLimit, "more parts than a file of this length has")
    }
    operations.append(operation)
  }
}
