package import MediaContainers
package import MediaModel

/// Builds an edit list within the limits that the coordinator accepts.
package struct EditListBuilder {
  /// The most names that are counted separately. No container has this many kinds of metadata;
  /// further names come from the file's own text.
  private static let maximumNames = 32

  private let sourceLength: Int
  private var operations: [EditOperation] = []
  private var literalLength = 0
  private var copied = 0
  private var removed: [RemovedMetadata] = []
  private var places: [String: Int] = [:]
  /// The index in `removed` of the name that was counted last.
  private var last: Int?

  /// Creates a builder for a source of that many bytes.
  package init(sourceLength: Int) {
    self.sourceLength = sourceLength
  }

  /// Appends bytes of the source; a range that directly follows the one before is merged with it.
  ///
  /// - Throws: `overLimit` for more operations than a file of this length may need; `damaged` for a
  ///   range that does not come after all others.
  package mutating func copy(_ range: Range<Int>) throws(MetadataError) {
    guard !range.isEmpty else { return }
    guard range.lowerBound >= copied, range.upperBound <= sourceLength else {
      throw MetadataError(.damaged, "parts that overlap")
    }
    copied = range.upperBound
    let length = UInt64(range.count)
    if case .copy(let offset, let before) = operations.last,
      offset + before == UInt64(range.lowerBound)
    {
      operations[operations.count - 1] = .copy(offset: offset, length: before + length)
    } else {
      try append(.copy(offset: UInt64(range.lowerBound), length: length))
    }
  }

  /// Appends bytes that the source does not have in this form.
  ///
  /// - Throws: `overLimit` for more operations or more literal bytes than a file of this length may
  ///   need.
  package mutating func literal(_ bytes: [UInt8]) throws(MetadataError) {
    guard !bytes.isEmpty else { return }
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
    func rank(_ name: String) -> (Int, String) { (name.hasSuffix(" track") ? 0 : 1, name) }
    for (name, count) in counts.sorted(by: { rank($0.key) < rank($1.key) }) {
      remove(name, count: count)
    }
  }

  /// Counts metadata that the output will not have.
  package mutating func remove(_ name: String, count: Int = 1) {
    // A hostile file may repeat one kind a million times: compare with the last name first.
    if let last, removed[last].name == name {
      removed[last].count += count
      return
    }
    var name = name
    if places[name] == nil, places.count >= Self.maximumNames { name = "others" }
    if let place = places[name] {
      last = place
      removed[place].count += count
    } else {
      last = removed.count
      places[name] = removed.count
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
      }
    }
    for removed in list.removed { remove(removed.name, count: removed.count) }
  }

  /// Returns the edit list.
  package consuming func finish() -> EditList {
    EditList(operations: operations, removed: removed)
  }

  private mutating func append(_ operation: EditOperation) throws(MetadataError) {
    // Design section 3: the number of operations that the coordinator accepts from a worker.
    guard operations.count < 1000 + sourceLength / 64 else {
      throw MetadataError(.overLimit, "more parts than a file of this length has")
    }
    operations.append(operation)
  }
}
