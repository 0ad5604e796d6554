/// One chunk of a PNG.
package struct PNGChunk {
  package var type: FourCharacterCode
  /// From the length to the checksum.
  package var range: Range<Int>
  package var data: Range<Int>
  /// The checksum that the file gives.
  package var checksum: UInt32

  /// Whether a decoder that does not know the type must not go on.
  package var isCritical: Bool { type.value & 0x2000_0000 == 0 }
}

/// Takes a PNG apart, front to back, from its signature to its IEND.
///
/// Source: PNG (3rd edition) section 5.
package struct PNGParser {
  private let source: ByteSource
  private var position: Int
  private var isAtEnd = false

  /// Where the parser stands; after the IEND, the length of the picture.
  package var offset: Int { position }

  /// - Throws: `damaged` when the bytes do not start with the signature.
  package init(_ source: ByteSource) throws(MetadataError) {
    guard source.holds(PNG.signature, at: 0) else { throw MetadataError(.damaged, "no signature") }
    self.source = source
    position = PNG.signature.count
  }

  /// The next chunk, or nil after the IEND. Its checksum is not looked at.
  ///
  /// - Throws: `damaged` when the bytes end before the IEND, or a chunk has no type.
  package mutating func next() throws(MetadataError) -> PNGChunk? {
    if isAtEnd { return nil }
    let start = position
    guard let length = source.uint32(at: start), let type = source.code(at: start + 4) else {
      throw MetadataError(.damaged, "no IEND")
    }
    guard type.isLetters else { throw MetadataError(.damaged, "a chunk without a type") }
    guard length < 1 << 31, source.length - start >= 12 + length,
      let checksum = source.unsigned(at: start + 8 + length, count: 4)
    else { throw MetadataError(.damaged, "\(PNG.name(type)) that ends early") }
    position = start + 12 + length
    isAtEnd = type == "IEND"
    return PNGChunk(
      type: type,
      range: start..<position,
      data: (start + 8)..<(start + 8 + length),
      checksum: UInt32(truncatingIfNeeded: checksum)
    )
  }

  /// - Throws: `damaged` when the chunk's checksum is not that of its type and data.
  package func check(_ chunk: PNGChunk) throws(MetadataError) {
    var sum = CRC32()
    sum.add((chunk.range.lowerBound + 4)..<chunk.data.upperBound, of: source)
    guard sum.value == chunk.checksum else {
      throw MetadataError(.damaged, "\(PNG.name(chunk.type)) with a wrong checksum")
    }
  }
}

package enum PNG {
  package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  package static func name(_ type: FourCharacterCode) -> String {
    type.letters ?? "chunk"
  }

  /// A whole chunk around `data`.
  package static func chunk(_ type: FourCharacterCode, _ data: [UInt8]) -> [UInt8] {
    var sum = CRC32()
    sum.add(type.bytes + data)
    return uint32(data.count) + type.bytes + data + uint32(Int(sum.value))
  }

  package static func uint32(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
