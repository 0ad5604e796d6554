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
  private let flags: Int

  /// A pixel is an index into a palette of 256 colors (DDPF_PALETTEINDEXED8).
  private static let palette = 0x20

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
    (bitCount, self.flags) = (bits, flags)
  }

  package func missingPart(of source: ByteSource) -> String? {
    let blocks = ((size.width + 3) / 4).multipliedReportingOverflow(by: (size.height + 3) / 4)
    // Beside a code of a compression, writers put another code in the place of the bits for a pixel.
    guard !blocks.overflow, blocks.partialValue < 1 << 40, compression != nil || bitCount <= 128
    else { return nil }
    let pixels = size.width * size.height
    var (start, length) = (128, 0)
    switch compression {
    case "DXT1", "ATI1", "BC4U", "BC4S": length = 8 * blocks.partialValue
    case "DXT2", "DXT3", "DXT4", "DXT5", "ATI2", "BC5U", "BC5S": length = 16 * blocks.partialValue
    case "DX10":
      start = 148
      guard let format = source.uint32(at: 128, order: .little) else { return "a header" }
      switch format {
      // BC1 and BC4; BC2, BC3, BC5, BC6H and BC7; four samples of 8 bits.
      case 70...72, 79...81: length = 8 * blocks.partialValue
      case 73...78, 82...84, 94...99: length = 16 * blocks.partialValue
      case 27...29, 87: length = 4 * pixels
      default: return nil
      }
    case nil where flags & Self.palette != 0: length = 1024 + pixels
    case nil: length = (size.width * bitCount + 7) / 8 * size.height
    default: return nil
    }
    return source.has(length, at: start) ? nil : "pixels"
  }
}
