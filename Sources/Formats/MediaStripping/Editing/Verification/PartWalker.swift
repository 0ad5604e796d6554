package import MediaContainers

/// Compares the parts of an output with its allow-list, front to back.
///
/// The parts come from the container's parser. They must follow one another without a gap, in the
/// order of the list and of an allowed length, and a part that is not copied must have exactly the
/// bytes that its format and the kept values give it.
package struct PartWalker<Key: PartKey> {
  private var cursor: PartCursor<Key>
  private let output: ByteSource
  private let expected: [Key: [UInt8]]
  private var position: Int

  /// Starts at `offset` of `output`; `expected` are the contents of parts that are not copied, as
  /// far as they are known before the walk.
  package init(
    _ list: AllowList<Key>,
    _ output: ByteSource,
    from offset: Int = 0,
    expected: [Key: [UInt8]] = [:]
  ) {
    (cursor, self.output, self.expected, position) = (PartCursor(list), output, expected, offset)
  }

  /// Checks the next part.
  ///
  /// - Parameters:
  ///   - key: The type of the part.
  ///   - range: Its range with what surrounds the content.
  ///   - content: The range of its content.
  ///   - kind: The kind of picture, for parts whose length depends on it.
  ///   - isOwn: Whether a part has the bytes that it must have; nil compares it.
  /// - Throws: `residue` naming the part.
  package mutating func pass(
    _ key: Key,
    at range: Range<Int>,
    content: Range<Int>,
    kind: Int = 0,
    isOwn: Bool? = nil
  ) throws(MetadataError) {
    if let refusal = cursor.refusal(of: key, length: content.count, kind: kind) {
      throw MetadataError(.residue, refusal)
    }
    guard range.lowerBound == position else {
      throw MetadataError(.residue, "bytes before \(key.name)")
    }
    let isCopied = cursor.list[key]?.rule == .copied
    guard isOwn ?? (isCopied || isExpected(key, content)) else {
      throw MetadataError(.residue, "content of \(key.name)")
    }
    position = range.upperBound
  }

  /// Checks a part that is all content.
  ///
  /// - Throws: `residue` naming the part.
  package mutating func pass(
    _ key: Key,
    at range: Range<Int>,
    isOwn: Bool? = nil
  ) throws(MetadataError) {
    try pass(key, at: range, content: range, isOwn: isOwn)
  }

  /// Checks that the parts end at `end`, or with the output.
  ///
  /// - Throws: `residue` otherwise.
  package func finish(at end: Int? = nil) throws(MetadataError) {
    guard position == end ?? output.length else { throw MetadataError(.residue, "trailer") }
  }

  private func isExpected(_ key: Key, _ content: Range<Int>) -> Bool {
    guard let bytes = expected[key] else { return false }
    return output.bytes(in: content, limit: bytes.count) == bytes
  }
}

extension PartWalker<FourCharacterCode> {
  /// Checks a chunk with eight bytes of header, padded to an even length.
  ///
  /// - Throws: `residue` naming the chunk.
  package mutating func pass(
    _ type: FourCharacterCode,
    _ data: Range<Int>,
    isOwn: Bool? = nil
  ) throws(MetadataError) {
    let range = (data.lowerBound - 8)..<(data.upperBound + data.count % 2)
    try pass(type, at: range, content: data, isOwn: isOwn)
    guard output.isZero(data.upperBound..<range.upperBound) else {
      throw MetadataError(.residue, "padding of \(type.name)")
    }
  }
}
