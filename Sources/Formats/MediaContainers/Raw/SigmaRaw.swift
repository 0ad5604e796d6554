package import MediaModel

/// The sections of a Sigma X3F: a header, pictures and properties, and at its end a directory of them.
///
/// Source: Foveon, X3F Raw File Format; exiftool `lib/Image/ExifTool/SigmaRaw.pm`.
package struct SigmaRaw {
  /// The size of the picture in pixels, as the header says.
  package let size: PixelSize
  /// The ranges of the JPEG previews, in order.
  package private(set) var previews: [Range<Int>] = []
  /// The name of what the directory leads to and the file lacks, or of the directory itself.
  package private(set) var missingPart: String?

  private static let maximumSections = 64
  private static let maximumSide = 1 << 16

  /// Reads header and directory; nil for a file whose header makes no sense.
  package init?(of source: ByteSource) {
    guard source.holds("FOVb", at: 0), let minor = source.uint16(at: 4, order: .little),
      let major = source.uint16(at: 6, order: .little), minor < 100, (1...5).contains(major),
      let width = source.uint32(at: major < 4 ? 28 : 40, order: .little),
      let height = source.uint32(at: major < 4 ? 32 : 44, order: .little),
      (1..<Self.maximumSide).contains(width), (1..<Self.maximumSide).contains(height)
    else { return nil }
    size = PixelSize(width: width, height: height)
    missingPart = readDirectory(of: source)
  }

  private mutating func readDirectory(of source: ByteSource) -> String? {
    guard let start = source.uint32(at: source.length - 4, order: .little),
      source.holds("SECd", at: start), let count = source.uint32(at: start + 8, order: .little),
      count <= Self.maximumSections, source.has(12 * count, at: start + 12)
    else { return "a directory" }
    for index in 0..<count {
      let entry = start + 12 + 12 * index
      guard let offset = source.uint32(at: entry, order: .little),
        let length = source.uint32(at: entry + 4, order: .little), source.has(length, at: offset)
      else { return "a picture" }
      // Version, kind and format: 18 is JPEG.
      guard source.holds("SECi", at: offset), length > 28,
        source.uint32(at: offset + 8, order: .little) == 2,
        source.uint32(at: offset + 12, order: .little) == 18
      else { continue }
      previews.append((offset + 28)..<(offset + length))
    }
    return nil
  }
}
