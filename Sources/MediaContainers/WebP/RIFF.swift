/// A chunk of a RIFF file.
package struct RIFFChunk {
  /// The chunk type.
  package var type: FourCharacterCode
  /// The range of the data that exist: a recorder that lost power leaves a last chunk that is
  /// declared too long.
  package var data: Range<Int>
  /// The length that the chunk declares, in bytes.
  package var declaredLength: Int

  /// Returns the eight header bytes of a chunk of `length` bytes.
  package static func header(_ type: FourCharacterCode, length: Int) -> [UInt8] {
    type.bytes + PNG.uint32(length).reversed()
  }
}

/// The chunks of a RIFF file, in order.
///
/// Source: Microsoft, Multimedia Programming Interface and Data Specifications 1.0.
package struct RIFFChunks: Sequence, IteratorProtocol {
  /// The maximum number of chunks; a file has a handful, an animation one per frame.
  private static var maximumCount: Int { 65_536 }

  private let source: ByteSource
  private var position = 12
  private var count = 0

  /// Creates a sequence that starts after the RIFF header.
  package init(_ source: ByteSource) {
    self.source = source
  }

  /// Returns the next chunk, or nil at the end.
  package mutating func next() -> RIFFChunk? {
    guard count < Self.maximumCount, let type = source.code(at: position),
      let length = source.uint32(at: position + 4, order: .little)
    else { return nil }
    count += 1
    let start = position + 8
    let end = start + Swift.min(length, source.length - start)
    position = start + length + length % 2
    return RIFFChunk(type: type, data: start..<end, declaredLength: length)
  }
}
