import MediaModel

/// What a file's own structure says before a decoder sees it: its size, and whether it ends early.
///
/// Decoders take memory for a picture before they are asked whether they may, and some are content
/// with half a file.
struct PictureStructure {
  /// Nil where only the decoder can say.
  var size: PixelSize?
  /// What the decoder is given instead of the file; nil when it gets the file.
  var replacement: [UInt8]?

  /// - Throws: `damaged` when the file ends inside of a part that it must have.
  init(_ bytes: UnsafeRawBufferPointer, format: MediaFormat) throws(ImagingError) {
    let reader = BytesReader(bytes: bytes)
    switch format {
    case .png: try self.init(png: reader)
    case .gif: try self.init(gif: reader)
    case .webp: self.init(webp: reader)
    case .bmp: self.init(bmp: reader)
    default: self.init(size: nil, replacement: nil)
    }
  }

  private init(size: PixelSize?, replacement: [UInt8]?) {
    self.size = size
    self.replacement = replacement
  }

  /// Chunks that say nothing about pixels are left out: 200 KB of compressed text inflate to 200 MB,
  /// which no limit of ImageMagick's holds back.
  ///
  /// Source: PNG specification (third edition) section 5.
  private init(png reader: BytesReader) throws(ImagingError) {
    guard reader.text(at: 0, count: 8) == "\u{FFFD}PNG\r\n\u{1A}\n", reader.text(at: 12) == "IHDR",
      let width = reader.big(at: 16, count: 4), let height = reader.big(at: 20, count: 4)
    else { throw ImagingError(.damaged, "no PNG header") }
    let ancillary: Set<String> = ["tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT"]
    var kept: [Range<Int>] = [0..<8]
    var offset = 8
    var isDropping = false
    while true {
      guard let length = reader.big(at: offset, count: 4), let type = reader.text(at: offset + 4),
        length <= reader.bytes.count - offset - 12, let first = type.utf8.first
      else { throw ImagingError(.damaged, "ends before IEND") }
      let chunk = offset..<(offset + 12 + length)
      // A capital first letter: a decoder cannot do without.
      if first & 0x20 == 0 || ancillary.contains(type) {
        kept.append(chunk)
      } else {
        isDropping = true
      }
      offset = chunk.upperBound
      if type == "IEND" { break }
    }
    size = PixelSize(width: width, height: height)
    replacement = isDropping ? kept.flatMap { reader.bytes[$0] } : nil
  }

  /// Walks all blocks, so that an animation that ends early is found though its first frame is whole.
  ///
  /// Source: GIF89a specification, sections 18 to 27.
  private init(gif reader: BytesReader) throws(ImagingError) {
    guard let width = reader.little(at: 6, count: 2), let height = reader.little(at: 8, count: 2),
      let flags = reader.byte(at: 10), reader.byte(at: 12) != nil
    else { throw ImagingError(.damaged, "no GIF header") }
    func tableLength(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 3 << ((flags & 7) + 1) }
    var offset = 13 + tableLength(flags)
    var pictureCount = 0
    // Without a trailer, but with every block whole, nothing is missing.
    blocks: while let kind = reader.byte(at: offset) {
      switch kind {
      case 0x3B: break blocks
      case 0x21: offset += 2
      case 0x2C:
        guard let flags = reader.byte(at: offset + 9) else {
          throw ImagingError(.damaged, "ends in an image descriptor")
        }
        offset += 11 + tableLength(flags)
        pictureCount += 1
      default:
        // What follows the last picture and is no block does not concern it; decoders stop here.
        if pictureCount > 0 { break blocks }
        throw ImagingError(.damaged, "block \(kind)")
      }
      while true {
        guard let count = reader.byte(at: offset) else {
          throw ImagingError(.damaged, "ends in a block")
        }
        offset += 1 + count
        if count == 0 { break }
      }
    }
    guard pictureCount > 0 else { throw ImagingError(.damaged, "no picture in it") }
    size = PixelSize(width: max(width, 1), height: max(height, 1))
  }

  /// Source: RFC 9649 sections 2.5 to 2.7; RFC 6386 section 9.1.
  private init(webp reader: BytesReader) {
    switch reader.text(at: 12) {
    case "VP8X":
      guard let width = reader.little(at: 24, count: 3),
        let height = reader.little(at: 27, count: 3)
      else { return }
      size = PixelSize(width: width + 1, height: height + 1)
    case "VP8 ":
      guard let width = reader.little(at: 26, count: 2),
        let height = reader.little(at: 28, count: 2)
      else { return }
      size = PixelSize(width: max(width & 0x3FFF, 1), height: max(height & 0x3FFF, 1))
    case "VP8L":
      guard let bits = reader.little(at: 21, count: 4) else { return }
      size = PixelSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    default: break
    }
  }

  /// Source: BITMAPCOREHEADER, BITMAPINFOHEADER (wingdi.h).
  private init(bmp reader: BytesReader) {
    guard reader.text(at: 0, count: 2) == "BM", let headerLength = reader.little(at: 14, count: 4)
    else { return }
    let count = headerLength == 12 ? 2 : 4
    guard let width = reader.little(at: 18, count: count),
      let height = reader.little(at: 18 + count, count: count)
    else { return }
    // A negative height means rows from the top.
    let rows = height < 1 << 31 ? height : (1 << 32) - height
    if width > 0, rows > 0 { size = PixelSize(width: width, height: rows) }
  }
}

/// Reads numbers that may not be there.
private struct BytesReader {
  let bytes: UnsafeRawBufferPointer

  func byte(at offset: Int) -> Int? {
    bytes.indices.contains(offset) ? Int(bytes[offset]) : nil
  }

  func big(at offset: Int, count: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    return bytes[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) }
  }

  func little(at offset: Int, count: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    return bytes[offset..<(offset + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  func text(at offset: Int, count: Int = 4) -> String? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    return String(decoding: bytes[offset..<(offset + count)], as: UTF8.self)
  }
}
