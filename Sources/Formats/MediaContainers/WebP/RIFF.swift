/// A chunk of a RIFF file, of a WebP, or of one of its frames.
package struct RIFFChunk {
  /// The chunk type.
  package var type: FourCharacterCode
  /// The range of the data that exist: a recorder that lost power leaves a last chunk that is
  /// declared too long.
  package var data: Range<Int>
  /// The length that the chunk declares, in bytes.
  package var declaredLength: Int

  /// Whether data are missing.
  package var isCut: Bool { data.count < declaredLength }
  /// The range of the chunk with its header.
  package var range: Range<Int> { (data.lowerBound - 8)..<data.upperBound }

  /// The chunk type as printable text.
  package var name: String { type.name }

  /// Returns the eight header bytes of a chunk of `length` bytes.
  package static func header(_ type: FourCharacterCode, length: Int) -> [UInt8] {
    type.bytes + length.bytes(4, .little)
  }

  /// Returns a chunk with its padding.
  package static func bytes(_ type: FourCharacterCode, _ data: [UInt8]) -> [UInt8] {
    header(type, length: data.count) + data + (data.count % 2 == 1 ? [0] : [])
  }
}

/// The chunks of a RIFF file, or within a range of it, in order.
///
/// Source: Microsoft, Multimedia Programming Interface and Data Specifications 1.0; RFC 9649
/// section 2.3.
package struct RIFFChunks: Sequence, IteratorProtocol {
  private let source: ByteSource
  private let end: Int
  /// The offset of the next chunk.
  private var position: Int

  /// Creates a sequence of the chunks in `range`; by default, of those after the RIFF header.
  package init(_ source: ByteSource, in range: Range<Int>? = nil) {
    self.source = source
    position = range?.lowerBound ?? 12
    end = range?.upperBound ?? source.length
  }

  /// Whether no bytes are left; the last padding byte may be missing.
  package var isAtEnd: Bool { position >= end }

  /// Returns the next chunk, which may be cut, or nil when no header of one is left.
  package mutating func next() -> RIFFChunk? {
    guard end - position >= 8, let type = source.code(at: position),
      let length = source.uint32(at: position + 4, order: .little)
    else { return nil }
    let start = position + 8
    position = start + length + length % 2
    return RIFFChunk(
      type: type,
      data: start..<(start + Swift.min(length, end - start)),
      declaredLength: length
    )
  }

  /// Returns the next chunk, or nil at the end.
  ///
  /// - Throws: `damaged` for a chunk that ends early.
  package mutating func nextWhole() throws(MetadataError) -> RIFFChunk? {
    let detail = "a chunk that ends early"
    guard let chunk = next() else {
      if isAtEnd { return nil }
      throw MetadataError(.damaged, detail)
    }
    if chunk.isCut {
      let start = chunk.data.lowerBound - 8
      throw MetadataError(.damaged, detail, length: chunk.declaredLength, at: start)
    }
    return chunk
  }
}
