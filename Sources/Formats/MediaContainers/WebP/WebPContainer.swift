package import MediaModel

/// The chunks of a WebP that are needed to display it.
///
/// Source: RFC 9649 section 2.
package struct WebPContainer {
  /// The range in the source that the RIFF header declares, as far as it exists.
  package let content: Range<Int>
  /// The VP8X chunk, which comes first.
  package private(set) var extended: RIFFChunk?
  /// The size that VP8X states, in pixels.
  package private(set) var canvas: PixelSize?
  /// The header of the picture outside of frames.
  package private(set) var picture: WebPBitstream?
  /// The ICC profile chunk.
  package private(set) var profile: RIFFChunk?
  /// The ANIM chunk with background color and loop count, at least six bytes long.
  package private(set) var animation: RIFFChunk?
  /// The picture with its alpha, or the first frame of an animation.
  package private(set) var firstFrame: WebPFrame?
  /// The number of pictures and frames.
  package private(set) var frameCount = 0
  /// Whether the Exif block is preceded by JPEG's Exif identifier.
  package private(set) var hasExifIdentifier = false
  /// Whether the file or a chunk ends early.
  package private(set) var isCut: Bool

  /// The size of the canvas in pixels; nil when no header states it.
  package var size: PixelSize? { canvas ?? picture?.size }
  /// Whether the picture has an alpha channel.
  package private(set) var hasAlpha = false

  /// Parses the RIFF header and the chunks of a WebP.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - isLenient: Whether to return what there is of a file that ends early or contradicts
  ///     itself, as decoders do.
  /// - Throws: `damaged` when the file is not a WebP; unless `isLenient`, also when it ends early,
  ///   or has no picture of the canvas' size.
  package init(of source: ByteSource, isLenient: Bool = false) throws(MetadataError) {
    guard source.holds("RIFF", at: 0), source.holds("WEBP", at: 8),
      let length = source.uint32(at: 4, order: .little), isLenient || 8 + length <= source.length
    else { throw MetadataError(.damaged, "no RIFF header that fits") }
    content = 12..<max(12, min(8 + length, source.length))
    isCut = 8 + length > source.length
    var chunks = RIFFChunks(source, in: content)
    var still: RIFFChunk?
    var exif: RIFFChunk?
    var sawFrame = false
    var flags: UInt8 = 0
    while let chunk = chunks.next() {
      let start = chunk.data.lowerBound
      if chunk.isCut { isCut = true }
      switch chunk.type {
      case "VP8X" where start == 20:
        extended = chunk
        canvas = chunk.canvas(in: source)
        flags = source.byte(at: start) ?? 0
      case "ICCP": profile = profile ?? chunk
      case "ANIM" where animation == nil && chunk.data.count >= 6: animation = chunk
      case "ALPH", "VP8 ", "VP8L":
        if chunk.type != "ALPH" {
          still = still ?? chunk
          frameCount += 1
        }
        firstFrame = firstFrame?.adding(chunk) ?? WebPFrame(data: chunk.range)
      case "ANMF":
        firstFrame = firstFrame ?? WebPFrame(chunk, in: source)
        frameCount += 1
        sawFrame = true
      case "EXIF": exif = exif ?? chunk
      default: break
      }
    }
    picture = still.flatMap { WebPBitstream($0, in: source) }
    hasExifIdentifier = exif.map { $0.tiff(in: source) != $0.data } ?? false
    hasAlpha = extended == nil ? picture?.hasAlpha ?? false : flags & 0x10 != 0
    let isAnimated = flags & 0x02 != 0
    if !isAnimated { animation = nil }
    if isLenient { return }
    guard !isCut, chunks.isAtEnd else {
      throw MetadataError(.damaged, "a chunk that ends early")
    }
    guard extended == nil || canvas != nil else {
      throw MetadataError(.damaged, "VP8X that ends early")
    }
    if let still, picture?.isCut != false {
      let problem = picture == nil ? "without a header" : "that ends early"
      throw MetadataError(.damaged, "\(still.name) \(problem)")
    }
    guard isAnimated ? animation != nil && sawFrame : picture != nil && picture?.size == size else {
      let missing = extended == nil ? "picture" : "picture of the canvas' size"
      throw MetadataError(.damaged, "no \(isAnimated ? "frames" : missing)")
    }
  }
}

extension RIFFChunk {
  /// Returns the canvas size that a VP8X chunk states, in pixels; nil when it ends early.
  package func canvas(in source: ByteSource) -> PixelSize? {
    data.count < 10 ? nil : source.webPSize(at: data.lowerBound + 4)
  }

  /// Returns the range of the TIFF block in an EXIF chunk; JPEG's identifier may come before it.
  package func tiff(in source: ByteSource) -> Range<Int> {
    let hasIdentifier = data.count > 6 && source.holds("Exif\0\0", at: data.lowerBound)
    return hasIdentifier ? data.dropFirst(6) : data
  }
}

extension ByteSource {
  /// Returns the size in six bytes, each side less one.
  fileprivate func webPSize(at offset: Int) -> PixelSize? {
    guard let width = number(at: offset, count: 3, order: .little),
      let height = number(at: offset + 3, count: 3, order: .little)
    else { return nil }
    return PixelSize(width: width + 1, height: height + 1)
  }
}

/// A picture of a WebP and its position on the canvas.
///
/// Source: RFC 9649 section 2.7.1.1.
package struct WebPFrame {
  /// The chunks of the picture: its alpha, if that is a separate chunk, and its bitstream.
  package var data: Range<Int>
  /// The offset of the left column, in pixels.
  package private(set) var left = 0
  /// The offset of the upper row, in pixels.
  package private(set) var top = 0
  /// The size in pixels; nil for a picture that is no frame of an animation.
  package private(set) var size: PixelSize?

  fileprivate init(data: Range<Int>) { self.data = data }

  /// Parses the 16 bytes at the start of an ANMF chunk; nil when nothing follows them.
  package init?(_ chunk: RIFFChunk, in source: ByteSource) {
    let start = chunk.data.lowerBound
    guard chunk.data.count > 16, let size = source.webPSize(at: start + 6),
      let left = source.number(at: start, count: 3, order: .little),
      let top = source.number(at: start + 3, count: 3, order: .little)
    else { return nil }
    (data, self.left, self.top) = (chunk.data.dropFirst(16), 2 * left, 2 * top)
    self.size = size
  }

  /// Returns the picture extended to another chunk of it; a frame of an animation stays as it is.
  fileprivate func adding(_ chunk: RIFFChunk) -> WebPFrame {
    size == nil ? WebPFrame(data: data.lowerBound..<chunk.data.upperBound) : self
  }
}

/// The picture properties in the header of a VP8 or VP8L chunk.
///
/// Source: RFC 6386 section 9.1; RFC 9649 section 3.4.
package struct WebPBitstream {
  /// The size in pixels.
  package let size: PixelSize
  /// Whether the header declares alpha.
  package let hasAlpha: Bool
  /// Whether the first part of the coded data ends early.
  package let isCut: Bool

  /// Parses the header in the data of `chunk`; nil when no picture starts there.
  package init?(_ chunk: RIFFChunk, in source: ByteSource) {
    let start = chunk.data.lowerBound
    if chunk.type == "VP8L" {
      guard chunk.data.count >= 5, source.byte(at: start) == 0x2F,
        let bits = source.uint32(at: start + 1, order: .little), bits >> 29 == 0
      else { return nil }
      size = PixelSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
      hasAlpha = bits >> 28 & 1 == 1
      isCut = chunk.data.count == 5
      return
    }
    guard chunk.data.count >= 10, source.holds([0x9D, 0x01, 0x2A], at: start + 3),
      let tag = source.number(at: start, count: 3, order: .little), tag & 1 == 0,
      let width = source.uint16(at: start + 6, order: .little),
      let height = source.uint16(at: start + 8, order: .little)
    else { return nil }
    // The two highest bits are a scale.
    size = PixelSize(width: width & 0x3FFF, height: height & 0x3FFF)
    hasAlpha = false
    isCut = chunk.data.count == 10 || tag >> 5 > chunk.data.count - 10
    guard size.width > 0, size.height > 0 else { return nil }
  }
}
