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
  /// Bits 6 and 7 of the descriptor are an old interleaving, which nothing writes.
  private static let table = HeaderTable.little([
    .init("ID Length", 0, 1), .init("Color Map Type", 1, 1, 0...1),
    .init("Image Type", 2, 1, 1...3, 9...11), .init("Color Map Length", 5, 2),
    .init("Color Map Entry Size", 7, 1), .init("Image Width", 12, 2, 1...65_535),
    .init("Image Height", 14, 2, 1...65_535), .init("Pixel Depth", 16, 1),
    .init("Image Descriptor", 17, 1, 0...0x3F),
  ])
  /// The depths of a pixel and the bits of its alpha, by image type: indices, colors, gray.
  private static let depths: [Int: [[Int]]] = [
    1: [[8, 0], [8, 1], [8, 8]], 2: [[15, 0], [16, 0], [16, 1], [24, 0], [32, 0], [32, 8]],
    3: [[8, 0], [8, 8], [16, 0], [16, 8]],
  ]

  package init?(of source: ByteSource) {
    guard let header = Self.table.read(source) else { return nil }
    let (kind, depth) = (header["Image Type"] & 7, header["Pixel Depth"])
    let descriptor = header["Image Descriptor"]
    let (mapLength, mapDepth) = (header["Color Map Length"], header["Color Map Entry Size"])
    let hasMap = header["Color Map Type"] == 1
    hasFooter = source.holds(Self.footer, at: source.length - 18)
    guard let depths = Self.depths[kind] else { return nil }
    let alphaBits = descriptor & 15
    // Some writers count alpha bits that a pixel of this depth has no room for.
    guard
      depths.contains([depth, alphaBits])
        || hasFooter && alphaBits <= 8 && depths.contains(where: { $0[0] == depth })
    else { return nil }
    if kind == 1 {
      guard hasMap, mapLength > 0, [15, 16, 24, 32].contains(mapDepth) else { return nil }
    } else if !hasFooter {
      // Some writers leave the fields of a map that is not there as they were.
      guard !hasMap, source.isZero(in: 3..<8) else { return nil }
    }
    size = header.size("Image Width", "Image Height")
    orientation = [4, 3, 1, 2][descriptor >> 4 & 3]
    hasAlpha = alphaBits > 0
    isGrayAlpha = kind == 3 && depth == 16
    bytesPerPixel = (depth + 7) / 8
    isRunLength = header["Image Type"] > 8
    pixels = 18 + header["ID Length"] + (hasMap ? mapLength * ((mapDepth + 7) / 8) : 0)
    guard hasFooter || end(in: source).map({ $0 == (source.length, true) }) == true else {
      return nil
    }
  }

  /// Returns the end of the pixels, and whether the last run ends with the last pixel and not beyond; nil
  /// when the file ends before it.
  private func end(in source: ByteSource) -> (position: Int, isExact: Bool)? {
    var left = size.width * size.height
    var position = pixels
    if !isRunLength { (left, position) = (0, pixels + left * bytesPerPixel) }
    while left > 0 {
      guard let head = source.uint8(at: position) else { return nil }
      let count = head & 0x7F + 1
      left -= count
      position += 1 + (head & 0x80 == 0 ? count : 1) * bytesPerPixel
    }
    return position <= source.length ? (position, left == 0) : nil
  }

  package func missingPart(of source: ByteSource) -> String? {
    // The last pixels of some files lie in the footer's two offsets, which are zero.
    let limit = source.length - Self.footer.utf8.count
    return !hasFooter || end(in: source).map { $0.position <= limit } == true ? nil : "pixels"
  }
}
