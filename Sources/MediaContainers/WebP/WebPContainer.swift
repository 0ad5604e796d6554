/// A chunk of a WebP whose data are complete.
package struct WebPChunk {
  /// The chunk type.
  package var type: FourCharacterCode
  /// The range of the chunk data.
  package var data: Range<Int>

  /// The range of the chunk with its header.
  package var range: Range<Int> { (data.lowerBound - 8)..<data.upperBound }

  /// The chunk type as printable text.
  package var name: String {
    String(
      decoding: type.bytes.filter { $0 != 0x20 }.map { 0x21...0x7E ~= $0 ? $0 : 0x3F },
      as: UTF8.self
    )
  }
}

/// The chunks of a WebP, or of one of its frames, in order.
///
/// Source: RFC 9649 section 2.3.
package struct WebPChunks {
  private let source: ByteSource
  private var position: Int
  private let end: Int

  /// The offset of the next chunk.
  package var offset: Int { position }

  /// Creates a sequence of the chunks in `range`.
  package init(_ source: ByteSource, in range: Range<Int>) {
    self.source = source
    position = range.lowerBound
    end = range.upperBound
  }

  /// Returns the next chunk, or nil at the end.
  ///
  /// - Throws: `damaged` for a chunk that ends after its parent. The last padding byte may be
  ///   missing.
  package mutating func next() throws(MetadataError) -> WebPChunk? {
    guard position < end else { return nil }
    guard end - position >= 8, let type = source.code(at: position),
      let length = source.uint32(at: position + 4, order: .little)
    else { throw MetadataError(.damaged, "a chunk that ends early") }
    let start = position + 8
    guard end - start >= length else {
      throw MetadataError(.damaged, "a chunk that ends early")
    }
    position = min(end, start + length + length % 2)
    return WebPChunk(type: type, data: start..<(start + length))
  }
}

/// The chunks of a WebP that are needed to display it.
package struct WebPContainer {
  /// The range in the source that the RIFF header declares.
  package var content: Range<Int>
  /// The VP8X chunk, ten bytes long.
  package var extended: WebPChunk?
  /// The width in pixels.
  package var width: Int
  /// The height in pixels.
  package var height: Int
  /// Whether the picture has an alpha channel.
  package var hasAlpha: Bool
  /// The ICC profile chunk.
  package var profile: WebPChunk?
  /// Whether the Exif block is preceded by JPEG's Exif identifier.
  package var hasExifIdentifier = false
  /// The ANIM chunk with background color and loop count, six bytes long.
  package var animation: WebPChunk?

  /// Parses the RIFF header and the chunks of a WebP.
  ///
  /// - Throws: `damaged` when the file is not a WebP, ends early, or has no picture.
  package init(of source: ByteSource) throws(MetadataError) {
    guard source.holds("RIFF", at: 0), source.holds("WEBP", at: 8),
      let length = source.uint32(at: 4, order: .little), length >= 12, source.length - 8 >= length
    else { throw MetadataError(.damaged, "no RIFF header that fits") }
    content = 12..<(8 + length)
    var chunks = WebPChunks(source, in: content)
    var picture: WebPPicture?
    var sawFrame = false
    var sawExif = false
    var isFirst = true
    while let chunk = try chunks.next() {
      switch chunk.type {
      case "VP8X" where isFirst:
        guard chunk.data.count >= 10 else { throw MetadataError(.damaged, "VP8X that ends early") }
        extended = chunk
      case "ICCP" where profile == nil: profile = chunk
      case "ANIM" where animation == nil && chunk.data.count >= 6: animation = chunk
      case "VP8 " where picture == nil, "VP8L" where picture == nil:
        picture = try WebPPicture(chunk, in: source)
      case "ANMF": sawFrame = true
      case "EXIF" where !sawExif:
        sawExif = true
        hasExifIdentifier =
          chunk.data.count > 6 && source.holds("Exif\0\0", at: chunk.data.lowerBound)
      default: break
      }
      isFirst = false
    }
    guard let extended else {
      guard let picture else { throw MetadataError(.damaged, "no picture") }
      (width, height, hasAlpha) = (picture.width, picture.height, picture.hasAlpha)
      animation = nil
      return
    }
    let start = extended.data.lowerBound
    guard let flags = source.byte(at: start),
      let width = source.unsigned(at: start + 4, count: 3, order: .little),
      let height = source.unsigned(at: start + 7, count: 3, order: .little)
    else { throw MetadataError(.damaged, "VP8X that ends early") }
    self.width = Int(width) + 1
    self.height = Int(height) + 1
    hasAlpha = flags & 0x10 != 0
    if flags & 0x02 == 0 {
      animation = nil
      guard let picture, picture.width == self.width, picture.height == self.height else {
        throw MetadataError(.damaged, "no picture of the canvas' size")
      }
    } else {
      guard animation != nil, sawFrame else { throw MetadataError(.damaged, "no frames") }
    }
  }
}

/// The picture properties in the header of a VP8 or VP8L chunk.
///
/// Source: RFC 6386 section 9.1; RFC 9649 section 3.4.
package struct WebPPicture {
  /// The width in pixels.
  package var width: Int
  /// The height in pixels.
  package var height: Int
  /// Whether the header declares alpha.
  package var hasAlpha: Bool

  /// Parses the header in the data of `chunk`.
  ///
  /// - Throws: `damaged` when no picture starts at the chunk's data.
  package init(_ chunk: WebPChunk, in source: ByteSource) throws(MetadataError) {
    let start = chunk.data.lowerBound
    if chunk.type == "VP8L" {
      guard chunk.data.count > 5, source.byte(at: start) == 0x2F,
        let bits = source.uint32(at: start + 1, order: .little), bits >> 29 == 0
      else { throw MetadataError(.damaged, "VP8L without a header") }
      width = bits & 0x3FFF + 1
      height = bits >> 14 & 0x3FFF + 1
      hasAlpha = bits >> 28 & 1 == 1
      return
    }
    guard chunk.data.count > 10, source.holds([0x9D, 0x01, 0x2A], at: start + 3),
      let tag = source.unsigned(at: start, count: 3, order: .little), tag & 1 == 0,
      let width = source.uint16(at: start + 6, order: .little),
      let height = source.uint16(at: start + 8, order: .little)
    else { throw MetadataError(.damaged, "VP8 without a header") }
    guard Int(tag >> 5) <= chunk.data.count - 10 else {
      throw MetadataError(.damaged, "VP8 that ends early")
    }
    self.width = width & 0x3FFF
    self.height = height & 0x3FFF
    hasAlpha = false
    guard self.width > 0, self.height > 0 else { throw MetadataError(.damaged, "VP8 of no size") }
  }
}
