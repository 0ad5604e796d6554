package import MediaContainers
package import MediaModel

/// The header of a DirectDraw surface.
///
/// Source: Microsoft, DDS_HEADER, DDS_PIXELFORMAT and DDS_HEADER_DXT10.
package struct DDSHeader: PictureHeader {
  package let size: PixelSize
  /// The compression; nil for uncompressed pixels.
  package let compression: FourCharacterCode?
  private let header: HeaderTable.Values

  private static let magic = HeaderTable.little([
    .init("dwMagic", 0, 4, 0x2053_4444...0x2053_4444), .init("dwSize", 4, 4, 124...124),
    .init("ddspf.dwSize", 76, 4, 32...32),
  ])
  private static let table = HeaderTable.little([
    .init("dwHeight", 12, 4), .init("dwWidth", 16, 4), .init("ddspf.dwFlags", 80, 4),
    .init("ddspf.dwRGBBitCount", 88, 4), .init("dwReserved2", 124, 4),
  ])
  /// The bytes of a block of 4 x 4 pixels.
  private static let blockLengths: [FourCharacterCode: Int] = [
    "DXT1": 8, "ATI1": 8, "BC4U": 8, "BC4S": 8, "DXT2": 16, "DXT3": 16, "DXT4": 16, "DXT5": 16,
    "ATI2": 16, "BC5U": 16, "BC5S": 16,
  ]

  package static func isFound(in source: ByteSource) -> Bool { magic.read(source) != nil }

  package init?(of source: ByteSource) {
    guard Self.isFound(in: source), let header = Self.table.read(source) else { return nil }
    self.header = header
    size = header.size("dwWidth", "dwHeight")
    // DDPF_FOURCC
    compression = header["ddspf.dwFlags"] & 4 == 0 ? nil : source.code(at: 84)
  }

  package func missingPart(of source: ByteSource) -> String? {
    let bits = header["ddspf.dwRGBBitCount"]
    let blocks = ((size.width + 3) / 4).multipliedReportingOverflow(by: (size.height + 3) / 4)
    // Beside a code of a compression, writers put another code in the place of the bits for a pixel.
    guard !blocks.overflow, blocks.partialValue < 1 << 40, compression != nil || bits <= 128
    else { return nil }
    let pixels = size.width * size.height
    var (start, length) = (128, 0)
    if compression == "DX10" {
      start = 148
      guard let format = source.uint32(at: 128, order: .little) else { return "a header" }
      switch format {
      // BC1 and BC4; BC2, BC3, BC5, BC6H and BC7; four samples of 8 bits.
      case 70...72, 79...81: length = 8 * blocks.partialValue
      case 73...78, 82...84, 94...99: length = 16 * blocks.partialValue
      case 27...29, 87: length = 4 * pixels
      default: return nil
      }
    } else if let compression {
      guard let block = Self.blockLengths[compression] else { return nil }
      length = block * blocks.partialValue
    } else {
      // DDPF_PALETTEINDEXED8: a pixel is an index into a palette of 256 colors.
      let isIndexed = header["ddspf.dwFlags"] & 0x20 != 0
      length = isIndexed ? 1024 + pixels : (size.width * bits + 7) / 8 * size.height
    }
    return source.has(length, at: start) ? nil : "pixels"
  }
}
