/// A chunk of a PNG.
package struct PNGChunk {
  /// The chunk type.
  package var type: FourCharacterCode
  /// The range from the length field to the checksum.
  package var range: Range<Int>
  /// The range of the chunk data.
  package var data: Range<Int>
  /// The checksum stored in the file; nil when the file ends within the chunk.
  package var checksum: UInt32?

  /// Whether a decoder must stop when it does not know the chunk type.
  package var isCritical: Bool { type.value & 0x2000_0000 == 0 }
}

/// Parses a PNG front to back, from its signature to its IEND.
///
/// Source: PNG (3rd edition) section 5.
package struct PNGParser {
  private let source: ByteSource
  private var position: Int
  private var isAtEnd = false
  /// Whether the bytes end before the IEND does, as far as the chunks were read.
  package private(set) var isCutShort = false

  /// The current offset; after the IEND, the length of the picture.
  package var offset: Int { position }

  /// Creates a parser that starts after the signature.
  ///
  /// - Throws: `damaged` when the bytes do not start with the signature.
  package init(_ source: ByteSource) throws(MetadataError) {
    guard source.holds(PNG.signature, at: 0) else { throw MetadataError(.damaged, "no signature") }
    self.source = source
    position = PNG.signature.count
  }

  /// Returns the next chunk, or nil after the IEND. Its checksum is not verified.
  ///
  /// - Throws: `damaged` when the bytes end before the IEND, or a chunk has no type.
  package mutating func next() throws(MetadataError) -> PNGChunk? {
    if isAtEnd { return nil }
    guard let chunk = nextLenient() else { throw MetadataError(.damaged, "no IEND") }
    guard chunk.type.isLetters else { throw MetadataError(.damaged, "a chunk without a type") }
    guard chunk.checksum != nil, chunk.data.count < 1 << 31 else {
      let detail = "\(PNG.name(chunk.type)) that ends early"
      let start = chunk.range.lowerBound
      throw MetadataError(.damaged, detail, length: source.uint32(at: start), at: start)
    }
    return chunk
  }

  /// Returns the next chunk as far as it is there, of any type; nil after the IEND, and where the
  /// bytes end: ``isCutShort`` tells which.
  package mutating func nextLenient() -> PNGChunk? {
    if isAtEnd { return nil }
    let start = position
    guard let length = source.uint32(at: start), let type = source.code(at: start + 4) else {
      (isAtEnd, isCutShort) = (true, true)
      return nil
    }
    let end = start + 8 + length
    let checksum = source.uint32(at: end).map { UInt32($0) }
    isCutShort = checksum == nil
    isAtEnd = isCutShort || type == "IEND"
    position = min(end + 4, source.length)
    return PNGChunk(
      type: type,
      range: start..<position,
      data: (start + 8)..<min(end, source.length),
      checksum: checksum
    )
  }

  /// Returns whether a chunk is complete and its checksum matches its type and data.
  package func isIntact(_ chunk: PNGChunk) -> Bool {
    let summed = (chunk.range.lowerBound + 4)..<chunk.data.upperBound
    return chunk.checksum.map { $0 == Zlib.crc32(summed, of: source) } ?? false
  }

  /// Verifies the checksum of a chunk.
  ///
  /// - Throws: `damaged` when the checksum does not match the chunk's type and data.
  package func check(_ chunk: PNGChunk) throws(MetadataError) {
    guard isIntact(chunk) else {
      let detail = "\(PNG.name(chunk.type)) with a wrong checksum"
      throw MetadataError(.damaged, detail, length: chunk.data.count, at: chunk.range.lowerBound)
    }
  }
}

/// The signature of PNG, and helpers that name and write chunks.
package enum PNG {
  /// The eight bytes at the start of every PNG.
  package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Returns the chunk type as text, or `chunk` when it is not four letters.
  package static func name(_ type: FourCharacterCode) -> String {
    type.letters ?? "chunk"
  }

  /// Returns a complete chunk that holds `data`.
  package static func chunk(_ type: FourCharacterCode, _ data: [UInt8]) -> [UInt8] {
    let content = type.bytes + data
    return data.count.bytes(4) + content + Zlib.crc32(content).bytes(4)
  }
}
