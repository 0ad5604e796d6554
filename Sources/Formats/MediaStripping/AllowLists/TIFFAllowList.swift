import MediaContainers

private typealias Tag = TIFFTag

/// The tags of a TIFF page that an output may have, and their form.
///
/// Source: TIFF 6.0; TIFF Technical Note 2 (JPEG); Adobe Photoshop TIFF Technical Notes 3.
enum TIFFAllowList {
  /// The text for people that says how much of a tag stays.
  enum Form: String {
    /// Numbers of the rule's types and count, or fractions that are written from their values.
    case values = "its numbers"
    case pieces = "the new offsets and lengths of strips or tiles"
    case pageKind = "one of several pages, or a mask"
    case orientation = "2 to 8"
    case aspect = "the ratio of pixels that are not square; no size on paper"
    case palette =
      "the palette of a picture that has one; colors that no pixel of an uncompressed one uses are black"
    case jpegTables = "tables, without other segments"
    case profile = "the color profile"
    case excepted = "a value, on the first page"
    case packet =
      "on the first page the projection of a picture of all around, and what `except` keeps"

    var rule: AllowList<String>.Rule {
      switch self {
      case .values, .palette: .copied
      case .excepted: .excepted
      default: .rewritten
      }
    }
  }

  enum Count {
    case exactly(Int)
    /// There is one value for each sample of a pixel, or one for all.
    case samples
    case upToSamples
  }

  struct Rule {
    var name: String
    var form: Form
    var types: Set<Int>
    var count: Count
    /// The allowed numbers; nil for fractions.
    var numbers: ClosedRange<Int>?
    /// The greatest fraction; the least is 0.
    var greatest = 1

    init(
      _ name: String,
      _ types: Set<Int>,
      _ count: Count = .exactly(1),
      _ numbers: ClosedRange<Int>? = 0...65_535
    ) {
      (self.name, form, self.types, self.count, self.numbers) = (
        name, .values, types, count, numbers
      )
    }

    init(_ name: String, _ types: Set<Int>, fractions count: Int, upTo greatest: Int = 1) {
      self.init(name, types, .exactly(count), nil)
      self.greatest = greatest
    }

    init(_ name: String, _ form: Form) {
      (self.name, self.form, types, count) = (name, form, [], .exactly(1))
    }

    /// Returns fractions written from their values; nil when one is beyond the greatest.
    ///
    /// One whose denominator is no more than a million stays; another is rounded to a millionth, or
    /// where greater fractions are allowed to a ten-thousandth. Both numbers of any length would have
    /// room for texts.
    func plain(_ bytes: [UInt8], type: Int, order: ByteOrder) -> [UInt8]? {
      let source = ByteSource(bytes)
      var plain: [UInt8] = []
      for offset in stride(from: 0, to: bytes.count, by: type == 5 ? 8 : 4) {
        guard let above = source.uint32(at: offset, order: order) else { return nil }
        guard type == 5 else {
          guard above <= greatest else { return nil }
          plain += above.bytes(4, order)
          continue
        }
        guard let below = source.uint32(at: offset + 4, order: order), below > 0,
          above <= greatest * below
        else { return nil }
        let unit = greatest == 1 ? 1_000_000 : 10_000
        let isShort = below <= 1_000_000
        plain += (isShort ? above : (above * unit + below / 2) / below).bytes(4, order)
        plain += (isShort ? below : unit).bytes(4, order)
      }
      return plain
    }

    /// Returns the standard's numbers for those that libtiff takes for the same: 999 is Corel's
    /// alpha.
    func standard(_ numbers: [Int]) -> [Int] {
      name == "ExtraSamples" ? numbers.map { $0 == 999 ? 2 : $0 } : numbers
    }
  }

  private static let short: Set<Int> = [3]
  private static let shortOrLong: Set<Int> = [3, 4]
  private static let fraction: Set<Int> = [5]

  /// The rules by tag.
  static let rules: [Int: Rule] = [
    0x00FE: Rule("NewSubfileType", .pageKind),
    0x0100: Rule("ImageWidth", shortOrLong, .exactly(1), 1...(1 << 31)),
    0x0101: Rule("ImageLength", shortOrLong, .exactly(1), 1...(1 << 31)),
    0x0102: Rule("BitsPerSample", short, .samples, 1...64),
    0x0103: Rule("Compression", short),
    0x0106: Rule("PhotometricInterpretation", short),
    0x010A: Rule("FillOrder", short, .exactly(1), 1...2),
    0x010E: Rule("ImageDescription", .excepted),
    0x010F: Rule("Make", .excepted),
    0x0110: Rule("Model", .excepted),
    0x0111: Rule("StripOffsets", .pieces),
    0x0112: Rule("Orientation", .orientation),
    0x0115: Rule("SamplesPerPixel", short, .exactly(1), 1...4096),
    0x0116: Rule("RowsPerStrip", shortOrLong, .exactly(1), 1...Int(UInt32.max)),
    0x0117: Rule("StripByteCounts", .pieces),
    0x0118: Rule("MinSampleValue", short, .samples),
    0x0119: Rule("MaxSampleValue", short, .samples),
    0x011A: Rule("XResolution", .aspect),
    0x011B: Rule("YResolution", .aspect),
    0x011C: Rule("PlanarConfiguration", short, .exactly(1), 1...2),
    // The layout of CCITT bits.
    0x0124: Rule("T4Options", [4], .exactly(1), 0...7),
    0x0125: Rule("T6Options", [4], .exactly(1), 0...2),
    0x0128: Rule("ResolutionUnit", .aspect),
    0x013B: Rule("Artist", .excepted),
    0x013D: Rule("Predictor", short, .exactly(1), 1...3),
    0x013E: Rule("WhitePoint", fraction, fractions: 2),
    0x013F: Rule("PrimaryChromaticities", fraction, fractions: 6),
    0x0140: Rule("ColorMap", .palette),
    0x0142: Rule("TileWidth", shortOrLong, .exactly(1), 1...(1 << 24)),
    0x0143: Rule("TileLength", shortOrLong, .exactly(1), 1...(1 << 24)),
    0x0144: Rule("TileOffsets", .pieces),
    0x0145: Rule("TileByteCounts", .pieces),
    0x014C: Rule("InkSet", short, .exactly(1), 1...2),
    0x0152: Rule("ExtraSamples", short, .upToSamples, 0...2),
    0x0153: Rule("SampleFormat", short, .samples, 1...6),
    0x015B: Rule("JPEGTables", .jpegTables),
    0x0211: Rule("YCbCrCoefficients", fraction, fractions: 3),
    0x0212: Rule("YCbCrSubSampling", short, .exactly(2), 1...4),
    0x0213: Rule("YCbCrPositioning", short, .exactly(1), 1...2),
    0x0214: Rule("ReferenceBlackWhite", [4, 5], fractions: 6, upTo: 65_535),
    0x02BC: Rule("XMP", .packet),
    0x4746: Rule("Rating", .excepted),
    0x8298: Rule("Copyright", .excepted),
    0x8769: Rule("Exif", .excepted),
    0x8773: Rule("ICC profile", .profile),
    0x8825: Rule("GPS", .excepted),
  ]

  /// Tags without which a decoder shows something else: an impossible value makes the file damaged.
  static let essential: Set<Int> = [
    Tag.imageWidth, Tag.imageLength, Tag.bitsPerSample, Tag.compression,
    Tag.photometricInterpretation, Tag.fillOrder, Tag.samplesPerPixel, Tag.rowsPerStrip,
    Tag.planarConfiguration, Tag.t4Options, Tag.t6Options, Tag.predictor,
    Tag.tileWidth, Tag.tileLength, Tag.sampleFormat, Tag.ycbcrSubSampling,
  ]

  /// Compressions whose data hold nothing but pixels: none, CCITT, LZW, Deflate, PackBits, LogLuv,
  /// LZMA, LERC, Zstandard. The streams of JPEG (7) are parsed.
  static let compressions: Set<Int> = [
    1, 2, 3, 4, 5, 7, 8, 32_771, 32_773, 32_946, 34_676, 34_677, 34_887, 34_925, 50_000,
  ]
}
