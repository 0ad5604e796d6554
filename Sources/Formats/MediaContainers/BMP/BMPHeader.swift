package import MediaModel

/// The header fields of a BMP that are needed to display the picture.
///
/// Source: Microsoft, BITMAPFILEHEADER, BITMAPCOREHEADER, BITMAPINFOHEADER to BITMAPV5HEADER; IBM,
/// BITMAPINFOHEADER2.
package struct BMPHeader {
  /// The length of the file header in bytes.
  package static let fileHeaderLength = 14

  /// The length of the info header in bytes: 12, 16, 40, 52, 56, 64, 108 or 124.
  package var length: Int
  /// The unmodified bytes of the info header.
  package var bytes: [UInt8]
  /// The width in pixels.
  package var width: Int
  /// The height in pixels, without its sign.
  package var height: Int
  /// The number of bits per pixel.
  package var bitCount: Int
  /// The compression: 0 none, 1 RLE8, 2 RLE4, 3 and 6 bit masks.
  package var compression: Int
  /// The color masks, twelve or sixteen bytes after a header of 40 bytes.
  package var masks: Range<Int>
  /// The color table; empty for more than 8 bits per pixel.
  package var palette: Range<Int>
  /// The bytes per color table entry: 3 in the oldest header, else 4.
  package var paletteEntryLength: Int
  /// The range from the first pixel to the end of the pixels, in the source.
  package var pixels: Range<Int>
  /// The range of an embedded ICC profile.
  package var profile: Range<Int>?

  /// The bytes per row, a multiple of four.
  package var rowLength: Int { (width * bitCount + 31) / 32 * 4 }
  /// Whether the pixels are run-length encoded.
  package var isRunLength: Bool { compression == 1 || compression == 2 }

  /// Returns the size that the info header states, in pixels; nil when it is not positive or the
  /// header ends early.
  package static func size(of source: ByteSource) -> PixelSize? {
    let count = source.uint32(at: 14, order: .little) == 12 ? 2 : 4
    guard var width = source.number(at: 18, count: count, order: .little),
      var height = source.number(at: 18 + count, count: count, order: .little)
    else { return nil }
    if count == 4 {
      width = Int(Int32(truncatingIfNeeded: width))
      // A negative height means that the rows are stored from the top.
      height = abs(Int(Int32(truncatingIfNeeded: height)))
    }
    return width > 0 && height > 0 ? PixelSize(width: width, height: height) : nil
  }

  /// Parses the file header and the info header.
  ///
  /// - Throws: `damaged` when the headers are inconsistent or the pixels end early;
  ///   `stripUnsupported` for a JPEG or PNG embedded in a BMP (BI_JPEG, BI_PNG).
  package init(of source: ByteSource) throws(MetadataError) {
    guard source.holds("BM", at: 0), let offset = source.uint32(at: 10, order: .little),
      let length = source.uint32(at: 14, order: .little),
      [12, 16, 40, 52, 56, 64, 108, 124].contains(length),
      let bytes = source.bytes(in: 14..<(14 + length), limit: 124)
    else { throw MetadataError(.damaged, "no header") }
    self.length = length
    self.bytes = bytes
    let isCore = length == 12
    bitCount = Self.number(bytes, isCore ? 10 : 14, 2)
    compression = length >= 40 ? Self.number(bytes, 16, 4) : 0
    paletteEntryLength = isCore ? 3 : 4
    guard Self.number(bytes, isCore ? 8 : 12, 2) == 1 else {
      throw MetadataError(.damaged, "a header with other than one plane")
    }
    guard let size = Self.size(of: source), size.width < 1 << 24, size.height < 1 << 24 else {
      throw MetadataError(.damaged, "a picture of impossible size")
    }
    (width, height) = (size.width, size.height)
    guard compression <= 3 && length != 64 || compression <= 2 || compression == 6 && length == 40
    else { throw MetadataError(.stripUnsupported, "BMP with compression \(compression)") }
    let isMasked = compression == 3 || compression == 6
    guard Self.bitCounts(of: compression).contains(bitCount) else {
      throw MetadataError(.damaged, "\(bitCount) bits a pixel")
    }
    let headerEnd = Self.fileHeaderLength + length
    let masksEnd = headerEnd + (isMasked && length == 40 ? (compression == 6 ? 16 : 12) : 0)
    masks = headerEnd..<masksEnd
    guard offset >= masksEnd, offset <= source.length else {
      throw MetadataError(.damaged, "pixels that lie nowhere")
    }
    palette = masksEnd..<masksEnd
    if bitCount <= 8 {
      let stated = length >= 40 ? Self.number(bytes, 32, 4) : 0
      let most = 1 << bitCount
      let room = (offset - masksEnd) / paletteEntryLength
      let count = min(stated == 0 ? most : min(stated, most), room)
      guard count > 0 else { throw MetadataError(.damaged, "no palette") }
      palette = masksEnd..<(masksEnd + count * paletteEntryLength)
    }
    pixels = offset..<offset
    profile = nil
    if isRunLength {
      let end = try BMPRunLengths.end(of: source, from: offset, isFourBit: compression == 2, height: height)
      pixels = offset..<end
    } else {
      guard (source.length - offset) / rowLength >= height else {
        throw MetadataError(.damaged, "pixels that end early")
      }
      pixels = offset..<(offset + rowLength * height)
    }
    profile = embeddedProfile(in: source)
  }

  /// The bits of a pixel that a compression can have.
  private static func bitCounts(of compression: Int) -> [Int] {
    switch compression {
    case 1: [8]
    case 2: [4]
    case 3, 6: [16, 32]
    default: [1, 2, 4, 8, 16, 24, 32]
    }
  }

  private func embeddedProfile(in source: ByteSource) -> Range<Int>? {
    // "MBED" marks an embedded profile; its offset counts from the start of the info header.
    guard length == 124, Self.number(bytes, 56, 4) == 0x4D42_4544 else { return nil }
    let start = Self.fileHeaderLength + Self.number(bytes, 112, 4)
    let count = Self.number(bytes, 116, 4)
    guard start >= pixels.upperBound, count >= 128, source.length - start >= count else {
      return nil
    }
    return start..<(start + count)
  }

  /// Returns the little-endian number of `count` bytes at `offset`.
  package static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
    bytes[offset..<(offset + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

/// Parses the run lengths of RLE4 and RLE8.
///
/// Source: Microsoft, Bitmap Compression.
enum BMPRunLengths {
  /// Returns the offset after the end-of-bitmap code.
  ///
  /// - Throws: `damaged` when the bytes end before that code, or it precedes the last row.
  package static func end(
    of source: ByteSource,
    from start: Int,
    isFourBit: Bool,
    height: Int
  ) throws(MetadataError) -> Int {
    var position = start
    var row = 0
    while let pair = source.uint16(at: position) {
      position += 2
      guard pair >> 8 == 0 else { continue }
      switch pair & 0xFF {
      case 0: row += 1
      case 1:
        guard row >= height - 1 else { throw MetadataError(.damaged, "too few rows") }
        return position
      case 2:
        row += source.uint8(at: position + 1) ?? 0
        position += 2
      case let count:
        let length = isFourBit ? (count + 1) / 2 : count
        position += length + length % 2
      }
    }
    throw MetadataError(.damaged, "run lengths without an end")
  }
}
