import MediaContainers
import MediaModel

/// Tells whether pictures with a structure of their own have all of it.
///
/// Source: PNG (3rd edition) section 5; GIF89a sections 17 to 27; RFC 9649 section 2; Microsoft,
/// BITMAPFILEHEADER and BITMAPINFOHEADER; ISO/IEC 14496-12 section 8.11.3 (iloc).
enum PictureCompleteness {
  /// Returns the chunk before whose end a PNG ends; a PNG ends with IEND.
  static func missingPart(ofPNG source: ByteSource) -> String? {
    guard var parser = try? PNGParser(source) else { return nil }
    var last = "IEND"
    while let chunk = parser.nextLenient() {
      last = chunk.checksum == nil ? PNG.name(chunk.type) : "IEND"
    }
    return parser.isCutShort ? last : nil
  }

  /// Returns a block within which a GIF ends. Some writers leave out the trailer.
  static func missingPart(ofGIF source: ByteSource) -> String? {
    guard var parser = try? GIFParser(source, isLenient: true) else { return "colors" }
    var hasPicture = false
    while let block = try? parser.next() {
      if case .image = block { hasPicture = true }
    }
    if parser.isCutShort { return "the end of a block" }
    return hasPicture ? nil : "a picture"
  }

  /// Returns the chunk of a WebP that ends behind the file.
  static func missingPart(ofWebP source: ByteSource) -> String? {
    guard let container = try? WebPContainer(of: source, isLenient: true), container.isCut else {
      return nil
    }
    return RIFFChunks(source).first(where: \.isCut)?.name ?? "a chunk"
  }

  /// Returns whether a BMP ends before its pixels; the unused bytes of the last row may be missing.
  static func missingPart(ofBMP source: ByteSource) -> String? {
    guard let size = BMPHeader.size(of: source), let start = source.uint32(at: 10, order: .little),
      let header = source.uint32(at: 14, order: .little)
    else { return nil }
    guard source.has(header, at: 14) else { return "a header" }
    guard let bits = source.uint16(at: header == 12 ? 24 : 28, order: .little),
      size.width < 1 << 24, size.height < 1 << 24, [1, 2, 4, 8, 16, 24, 32].contains(bits)
    else { return nil }
    let compression = header >= 40 ? source.uint32(at: 30, order: .little) ?? 0 : 0
    let length: Int
    switch compression {
    case 0, 3, 6:
      let used = (size.width * bits + 7) / 8
      length = (size.width * bits + 31) / 32 * 4 * (size.height - 1) + used
    default: length = source.uint32(at: 34, order: .little) ?? 0
    }
    return source.has(length, at: start) ? nil : "pixels"
  }

  /// Returns the part of a HEIC or AVIF that is missing: an item's data, a box, or the samples of a
  /// picture sequence.
  static func missingPart(ofHEIF source: ByteSource) -> String? {
    if let meta = ISOBoxes.first("meta", in: 0..<source.length, of: source) {
      let items = HEIFMetaReader.readLeniently(meta.body, of: source).items
      if let item = items.first(where: \.isCut) {
        return "data of an item (\(item.type.displayName))"
      }
    }
    return MovieCompleteness.missingPart(of: source)
  }
}
