/// The tags of a TIFF page that an output may have, and their form.
///
/// The offsets and lengths of the pixels, an ICC profile, the tables of JPEG and the orientation
/// are written anew and not listed here.
///
/// Source: TIFF 6.0; TIFF Technical Note 2 (JPEG); Adobe Photoshop TIFF Technical Notes 3.
enum TIFFAllowList {
  enum Count {
    case exactly(Int)
    /// One for each sample of a pixel, or one for all.
    case samples
    case upToSamples
  }

  struct Rule {
    var types: Set<Int>
    var count: Count
    /// The allowed numbers; nil for fractions.
    var numbers: ClosedRange<Int>?

    init(_ types: Set<Int>, _ count: Count = .exactly(1), _ numbers: ClosedRange<Int>? = 0...65_535)
    {
      self.types = types
      self.count = count
      self.numbers = numbers
    }
  }

  private static let short: Set<Int> = [3]
  private static let shortOrLong: Set<Int> = [3, 4]
  private static let fraction: Set<Int> = [5]

  /// The rules by tag, from ImageWidth to ReferenceBlackWhite.
  static let rules: [Int: Rule] = [
    0x0100: Rule(shortOrLong, .exactly(1), 1...(1 << 31)),
    0x0101: Rule(shortOrLong, .exactly(1), 1...(1 << 31)),
    0x0102: Rule(short, .samples, 1...64),
    0x0103: Rule(short),
    0x0106: Rule(short),
    0x010A: Rule(short, .exactly(1), 1...2),
    0x0115: Rule(short, .exactly(1), 1...4096),
    0x0116: Rule(shortOrLong, .exactly(1), 1...Int(UInt32.max)),
    0x0118: Rule(short, .samples),
    0x0119: Rule(short, .samples),
    0x011C: Rule(short, .exactly(1), 1...2),
    // The layout of CCITT bits.
    0x0124: Rule([4], .exactly(1), 0...7),
    0x0125: Rule([4], .exactly(1), 0...2),
    0x013D: Rule(short, .exactly(1), 1...3),
    0x013E: Rule(fraction, .exactly(2), nil),
    0x013F: Rule(fraction, .exactly(6), nil),
    0x0142: Rule(shortOrLong, .exactly(1), 1...(1 << 24)),
    0x0143: Rule(shortOrLong, .exactly(1), 1...(1 << 24)),
    0x014C: Rule(short, .exactly(1), 1...2),
    0x0152: Rule(short, .upToSamples, 0...2),
    0x0153: Rule(short, .samples, 1...6),
    0x0211: Rule(fraction, .exactly(3), nil),
    0x0212: Rule(short, .exactly(2), 1...4),
    0x0213: Rule(short, .exactly(1), 1...2),
    0x0214: Rule([4, 5], .exactly(6), nil),
  ]

  /// Tags without which a decoder shows something else: an impossible value makes the file damaged.
  static let essential: Set<Int> = [
    0x0100, 0x0101, 0x0102, 0x0103, 0x0106, 0x010A, 0x0115, 0x0116, 0x011C, 0x0124, 0x0125, 0x013D,
    0x0142, 0x0143, 0x0152, 0x0153, 0x0212,
  ]

  /// Compressions whose data hold nothing but pixels: none, CCITT, LZW, Deflate, PackBits, LogLuv,
  /// LZMA, LERC, Zstandard. The streams of JPEG (7) are parsed.
  static let compressions: Set<Int> = [
    1, 2, 3, 4, 5, 7, 8, 32_771, 32_773, 32_946, 34_676, 34_677, 34_887, 34_925, 50_000,
  ]
}

/// Display names of removed TIFF tags.
enum TIFFTagName {
  static func name(_ tag: Int) -> String {
    names[tag] ?? "tag \(tag)"
  }

  /// Source: TIFF 6.0, Exif 2.32, XMP part 3, GeoTIFF 1.1, DNG 1.6.
  private static let names: [Int: String] = [
    0x00FE: "NewSubfileType", 0x00FF: "SubfileType", 0x010D: "DocumentName",
    0x010E: "ImageDescription", 0x010F: "Make", 0x0110: "Model", 0x0112: "Orientation",
    0x011A: "XResolution", 0x011B: "YResolution", 0x011D: "PageName", 0x0128: "ResolutionUnit",
    0x0129: "PageNumber", 0x0131: "Software", 0x0132: "DateTime", 0x013B: "Artist",
    0x013C: "HostComputer", 0x014A: "SubIFDs", 0x014D: "InkNames", 0x0151: "TargetPrinter",
    0x02BC: "XMP", 0x4746: "Rating", 0x8298: "Copyright", 0x830E: "GeoTIFF", 0x8482: "GeoTIFF",
    0x85D8: "GeoTIFF", 0x87AF: "GeoTIFF", 0x87B0: "GeoTIFF", 0x87B1: "GeoTIFF", 0x83BB: "IPTC",
    0x8649: "Photoshop", 0x8769: "Exif", 0x8773: "ICC profile", 0x8825: "GPS",
    0x935C: "Photoshop", 0x9C9B: "XPTitle", 0x9C9C: "XPComment", 0x9C9D: "XPAuthor",
    0x9C9E: "XPKeywords", 0x9C9F: "XPSubject", 0xA480: "GDAL", 0xA481: "GDAL",
  ]
}
