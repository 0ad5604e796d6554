package import MediaContainers
package import MediaModel

/// The header of a Truevision TGA.
///
/// TGA has no signature at its start. A file with the footer of version 2 is one if its header makes
/// sense; one without is one only if every field agrees with every other and the pixels end with the
/// file, so that no other file is taken for one.
///
/// Source: Truevision TGA File Format Specification 2.0.
package struct TGAHeader: PictureHeader {
  package let size: PixelSize
  /// Where the first pixel stands: below left, unless the descriptor says otherwise.
  package let orientation: Int
  /// Whether each pixel is gray with its alpha.
  package let isGrayAlpha: Bool
  /// Whether the fourth byte of a pixel is its alpha; without alpha bits it means nothing.
  package let hasAlpha: Bool
  private let pixels: Int
  private let bytesPerPixel: Int
  private let isRunLength: Bool
  private let hasFooter: Bool

  private static let footer = "TRUEVISION-XFILE.\0"

  package init?(of source: ByteSource) {
    guard let idLength = source.uint8(at: 0), let mapType = source.uint8(at: 1),
      let type = source.uint8(at: 2), let mapLength = source.uint16(at: 5, order: .little),
      let mapDepth = source.uint8(at: 7), let width = source.uint16(at: 12, order: .little),
      let height = source.uint16(at: 14, order: .little), let depth = source.uint8(at: 16),
      let descriptor = source.uint8(at: 17), width > 0, height > 0, mapType <= 1
    else { return nil }
    hasFooter = source.holds(Self.footer, at: source.length - 18)
    let alphaBits = descriptor & 15
    // Bits 6 and 7 are an old interleaving, which nothing writes.
    guard descriptor & 0xC0 == 0 else { return nil }
    switch type {
    case 1, 9:
      guard mapType == 1, mapLength > 0, [15, 16, 24, 32].contains(mapDepth), depth == 8,
        [0, 1, 8].contains(alphaBits)
      else { return nil }
    case 2, 10:
      guard
        [(15, 0), (16, 0), (16, 1), (24, 0), (32, 0), (32, 8)].contains(where: {
          $0 == (depth, alphaBits)
        })
      else { return nil }
    case 3, 11:
      guard [(8, 0), (8, 8), (16, 0), (16, 8)].contains(where: { $0 == (depth, alphaBits) }) else {
        return nil
      }
    default: return nil
    }
    // Some writers leave the fields of a map that is not there as they were.
    if type & 7 != 1, !hasFooter {
      guard mapType == 0, source.isZero(in: 3..<8) else { return nil }
    }
    size = PixelSize(width: width, height: height)
    orientation = [4, 3, 1, 2][descriptor >> 4 & 3]
    hasAlpha = alphaBits > 0
    isGrayAlpha = type & 7 == 3 && depth == 16
    bytesPerPixel = (depth + 7) / 8
    isRunLength = type > 8
    pixels = 18 + idLength + (mapType == 1 ? mapLength * ((mapDepth + 7) / 8) : 0)
    guard hasFooter || endsWithPixels(source) else { return nil }
  }

  /// Whether the pixels end where the file does.
  private func endsWithPixels(_ source: ByteSource) -> Bool {
    guard isRunLength else {
      return pixels + size.width * size.height * bytesPerPixel == source.length
    }
    guard let end = endOfRuns(source) else { return false }
    return end.position == source.length && end.isExact
  }

  /// Returns the end of the last run, and whether it ends with the last pixel and not beyond; nil when
  /// the file ends before it.
  private func endOfRuns(_ source: ByteSource) -> (position: Int, isExact: Bool)? {
    var left = size.width * size.height
    var position = pixels
    while left > 0 {
      guard let head = source.uint8(at: position) else { return nil }
      let count = head & 0x7F + 1
      left -= count
      position += 1 + (head & 0x80 == 0 ? count : 1) * bytesPerPixel
    }
    return position <= source.length ? (position, left == 0) : nil
  }

  package func missingPart(of source: ByteSource) -> String? {
    guard hasFooter else { return nil }
    // The last pixels of some files lie in the footer's two offsets, which are zero.
    let end = source.length - Self.footer.utf8.count
    guard isRunLength else {
      return pixels + size.width * size.height * bytesPerPixel <= end ? nil : "pixels"
    }
    return endOfRuns(source).map { $0.position <= end } == true ? nil : "pixels"
  }
}
