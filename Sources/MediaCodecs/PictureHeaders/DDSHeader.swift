package import MediaContainers
package import MediaModel

/// The header of a DirectDraw surface.
///
/// Source: Microsoft, DDS_HEADER and DDS_PIXELFORMAT.
package struct DDSHeader: PictureHeader {
  package let size: PixelSize
  /// The compression; nil for uncompressed pixels.
  package let compression: FourCharacterCode?
  private let bitCount: Int

  package static func isFound(in source: ByteSource) -> Bool {
    source.holds("DDS ", at: 0) && source.uint32(at: 4, order: .little) == 124
      && source.uint32(at: 76, order: .little) == 32
  }

  package init?(of source: ByteSource) {
    guard Self.isFound(in: source), let height = source.uint32(at: 12, order: .little),
      let width = source.uint32(at: 16, order: .little),
      let flags = source.uint32(at: 80, order: .little),
      let bits = source.uint32(at: 88, order: .little), source.has(0, at: 128)
    else { return nil }
    size = PixelSize(width: width, height: height)
    compression = flags & 4 == 0 ? nil : source.code(at: 84)
    bitCount = bits
  }

  package func missingPart(of source: ByteSource) -> String? {
    let blocks = ((size.width + 3) / 4).multipliedReportingOverflow(by: (size.height + 3) / 4)
    guard !blocks.overflow, blocks.partialValue < 1 << 40, bitCount <= 128 else { return nil }
    let length: Int
    switch compression {
    case "DXT1": length = 8 * blocks.partialValue
    case "DXT2", "DXT3", "DXT4", "DXT5": length = 16 * blocks.partialValue
    case nil: length = (size.width * bitCount + 7) / 8 * size.height
    default: return nil
    }
    return source.has(length, at: 128) ? nil : "pixels"
  }
}
