/// One chunk of a RIFF file.
package struct RIFFChunk {
  package var type: FourCharacterCode
  /// As far as it is there: a recorder that lost power leaves a last chunk that is too long.
  package var data: Range<Int>
  /// What the chunk says of its own length, in bytes.
  var declaredLength: Int

  /// The eight bytes ahead of a chunk of `length` bytes.
  package static func header(_ type: FourCharacterCode, length: Int) -> [UInt8] {
    type.bytes + PNG.uint32(length).reversed()
  }
}

/// The chunks of a RIFF file, front to back.
///
/// Source: Microsoft, Multimedia Programming Interface and Data Specifications 1.0.
package struct RIFFChunks: Sequence, IteratorProtocol {
  /// A file has a handful, an animation one for each frame.
  private static var maximumCount: Int { 65_536 }

  private let source: ByteSource
  private var position = 12
  private var count = 0

  package init(_ source: ByteSource) {
    self.source = source
  }

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
