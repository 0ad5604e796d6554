import MediaContainers
import MediaMetadata

private typealias Tag = TIFFTag

/// The tags of a DNG that an output may have, and their form: what a program needs to develop the
/// picture.
///
/// Source: Adobe, Digital Negative Specification 1.7; TIFF/EP (ISO 12234-2).
enum DNGAllowList {
  /// The text for people that says how much of a tag stays.
  enum Form: String {
    case values = "its numbers"
    case kind = "the kind of picture"
    case pieces = "the new offsets and lengths of strips or tiles"
    case pictures = "the new offsets of the other pictures"
    case operations = "known operations, each with its own parameters"
    case gainTable = "a table of gains"
    case profile = "the color profile"
    case signature = "whether the camera's calibration belongs to the profile"
    case model = "\"Camera\", or with `except` the camera"
    case excepted = "a value, in the first directory"
    case packet =
      "in the first directory the projection of a picture of all around, and what `except` keeps"

    var rule: AllowList<String>.Rule {
      switch self {
      case .values, .kind, .operations, .gainTable: .copied
      case .excepted: .excepted
      default: .rewritten
      }
    }
  }

  struct Rule {
    var name: String
    var form: Form
    var types: Set<Int>
    var counts: ClosedRange<Int>

    init(_ name: String, _ types: Set<Int>, _ counts: ClosedRange<Int> = 1...1) {
      (self.name, form, self.types, self.counts) = (name, .values, types, counts)
    }

    init(_ name: String, _ form: Form, _ types: Set<Int> = [7], _ counts: ClosedRange<Int>? = nil) {
      (self.name, self.form, self.types) = (name, form, types)
      self.counts = counts ?? 1...ICCProfile.maximumLength
    }
  }

  private static let short: Set<Int> = [3]
  private static let number: Set<Int> = [3, 4]
  private static let measure: Set<Int> = [3, 4, 5]
  private static let fraction: Set<Int> = [5]
  private static let signed: Set<Int> = [10]
  private static let float: Set<Int> = [11]
  private static let double: Set<Int> = [12]
  private static let matrix = 3...12

  /// The rules by tag.
  static let rules: [Int: Rule] = [
    0x00FE: Rule("NewSubfileType", .kind, [4], 1...1),
    0x0100: Rule("ImageWidth", number), 0x0101: Rule("ImageLength", number),
    0x0102: Rule("BitsPerSample", short, 1...4), 0x0103: Rule("Compression", short),
    0x0106: Rule("PhotometricInterpretation", short), 0x010E: Rule("ImageDescription", .excepted),
    0x010F: Rule("Make", .excepted), 0x0110: Rule("Model", .excepted),
    0x0111: Rule("StripOffsets", .pieces), 0x0112: Rule("Orientation", short),
    0x0115: Rule("SamplesPerPixel", short), 0x0116: Rule("RowsPerStrip", number),
    0x0117: Rule("StripByteCounts", .pieces), 0x011C: Rule("PlanarConfiguration", short),
    0x013B: Rule("Artist", .excepted), 0x013D: Rule("Predictor", short),
    0x0142: Rule("TileWidth", number), 0x0143: Rule("TileLength", number),
    0x0144: Rule("TileOffsets", .pieces), 0x0145: Rule("TileByteCounts", .pieces),
    0x014A: Rule("SubIFDs", .pictures), 0x0153: Rule("SampleFormat", short, 1...4),
    0x0211: Rule("YCbCrCoefficients", fraction, 3...3),
    0x0212: Rule("YCbCrSubSampling", short, 2...2), 0x0213: Rule("YCbCrPositioning", short),
    0x0214: Rule("ReferenceBlackWhite", fraction, 6...6), 0x02BC: Rule("XMP", .packet),
    0x4746: Rule("Rating", .excepted), 0x8298: Rule("Copyright", .excepted),
    0x828D: Rule("CFARepeatPatternDim", short, 2...2), 0x828E: Rule("CFAPattern", [1], 1...64),
    0x8769: Rule("Exif", .excepted), 0x8825: Rule("GPS", .excepted),
    50706: Rule("DNGVersion", [1], 4...4), 50707: Rule("DNGBackwardVersion", [1], 4...4),
    50708: Rule("UniqueCameraModel", .model, [2]), 50710: Rule("CFAPlaneColor", [1], 1...8),
    50711: Rule("CFALayout", short), 50712: Rule("LinearizationTable", short, 1...65_536),
    50713: Rule("BlackLevelRepeatDim", short, 2...2), 50714: Rule("BlackLevel", measure, 1...256),
    50715: Rule("BlackLevelDeltaH", signed, 1...65_536),
    50716: Rule("BlackLevelDeltaV", signed, 1...65_536), 50717: Rule("WhiteLevel", number, 1...4),
    50718: Rule("DefaultScale", fraction, 2...2), 50719: Rule("DefaultCropOrigin", measure, 2...2),
    50720: Rule("DefaultCropSize", measure, 2...2), 50721: Rule("ColorMatrix1", signed, matrix),
    50722: Rule("ColorMatrix2", signed, matrix),
    50723: Rule("CameraCalibration1", signed, 1...16),
    50724: Rule("CameraCalibration2", signed, 1...16),
    50725: Rule("ReductionMatrix1", signed, matrix),
    50726: Rule("ReductionMatrix2", signed, matrix), 50727: Rule("AnalogBalance", fraction, 1...4),
    50728: Rule("AsShotNeutral", [3, 5], 1...4), 50729: Rule("AsShotWhiteXY", fraction, 2...2),
    50730: Rule("BaselineExposure", signed), 50731: Rule("BaselineNoise", fraction),
    50732: Rule("BaselineSharpness", fraction), 50733: Rule("BayerGreenSplit", [4]),
    50734: Rule("LinearResponseLimit", fraction), 50737: Rule("ChromaBlurRadius", fraction),
    50738: Rule("AntiAliasStrength", fraction), 50739: Rule("ShadowScale", fraction),
    50778: Rule("CalibrationIlluminant1", short), 50779: Rule("CalibrationIlluminant2", short),
    50780: Rule("BestQualityScale", fraction), 50829: Rule("ActiveArea", number, 4...4),
    50830: Rule("MaskedAreas", number, 4...16), 50831: Rule("AsShotICCProfile", .profile),
    50832: Rule("AsShotPreProfileMatrix", signed, matrix),
    50833: Rule("CurrentICCProfile", .profile),
    50834: Rule("CurrentPreProfileMatrix", signed, matrix),
    50879: Rule("ColorimetricReference", short),
    50931: Rule("CameraCalibrationSignature", .signature, [2]),
    50932: Rule("ProfileCalibrationSignature", .signature, [2]),
    50935: Rule("NoiseReductionApplied", fraction), 50937: Rule("ProfileHueSatMapDims", [4], 3...3),
    50938: Rule("ProfileHueSatMapData1", float, 1...1 << 20),
    50939: Rule("ProfileHueSatMapData2", float, 1...1 << 20),
    50940: Rule("ProfileToneCurve", float, 4...16_384), 50941: Rule("ProfileEmbedPolicy", [4]),
    50964: Rule("ForwardMatrix1", signed, matrix), 50965: Rule("ForwardMatrix2", signed, matrix),
    50970: Rule("PreviewColorSpace", [4]), 50974: Rule("SubTileBlockSize", number, 2...2),
    50975: Rule("RowInterleaveFactor", number), 50981: Rule("ProfileLookTableDims", [4], 3...3),
    50982: Rule("ProfileLookTableData", float, 1...1 << 20),
    51008: Rule("OpcodeList1", .operations), 51009: Rule("OpcodeList2", .operations),
    51022: Rule("OpcodeList3", .operations), 51041: Rule("NoiseProfile", double, 2...8),
    51107: Rule("ProfileHueSatMapEncoding", [4]), 51108: Rule("ProfileLookTableEncoding", [4]),
    51109: Rule("BaselineExposureOffset", signed), 51110: Rule("DefaultBlackRender", [4]),
    51112: Rule("RawToPreviewGain", double), 51125: Rule("DefaultUserCrop", fraction, 4...4),
    52525: Rule("ProfileGainTableMap", .gainTable),
    52544: Rule("ProfileGainTableMap2", .gainTable),
    52547: Rule("ColumnInterleaveFactor", number),
  ]

  /// Tags without which a developer makes another picture: a form that is not known is refused.
  static let essential: Set<Int> = [
    Tag.newSubfileType, Tag.imageWidth, Tag.imageLength, Tag.bitsPerSample, Tag.compression,
    Tag.photometricInterpretation, Tag.samplesPerPixel, Tag.rowsPerStrip, Tag.planarConfiguration,
    Tag.predictor, Tag.tileWidth, Tag.tileLength,
    Tag.sampleFormat, Tag.jpegTables, Tag.cfaRepeatPatternDim, Tag.cfaPattern, Tag.dngVersion,
    Tag.dngBackwardVersion, Tag.cfaPlaneColor, Tag.cfaLayout, Tag.linearizationTable,
    Tag.blackLevelRepeatDim, Tag.blackLevel, Tag.blackLevelDeltaH, Tag.blackLevelDeltaV,
    Tag.whiteLevel, Tag.activeArea, Tag.maskedAreas, Tag.asShotICCProfile, Tag.currentICCProfile,
    Tag.subTileBlockSize, Tag.rowInterleaveFactor, Tag.opcodeList1, Tag.opcodeList2,
    Tag.opcodeList3, Tag.profileGainTableMap, Tag.columnInterleaveFactor,
  ]

  /// None, JPEG (lossless for sensor data), Deflate, lossy JPEG, JPEG XL.
  static let compressions: Set<Int> = [1, 7, 8, 34_892, jpegXL]
  /// The compressions whose strips and tiles are JPEG streams.
  static let jpeg: Set<Int> = [7, 34_892]
  /// The compression whose strips and tiles are JPEG XL codestreams.
  static let jpegXL = 52_546
  /// The name that an output has instead of the camera's.
  static let neutralModel = Array("Camera\0".utf8)
  /// The texts that an output has when the camera's calibration is not for the embedded profile;
  /// without texts, it is.
  static let signatures: [Int: [UInt8]] = [
    Tag.cameraCalibrationSignature: Array("camera\0".utf8),
    Tag.profileCalibrationSignature: Array("profile\0".utf8),
  ]

  /// Returns whether an entry has a type and a length that its rule and the other tags of its
  /// directory allow.
  static func allows(
    _ entry: TIFFEntry,
    _ rule: Rule,
    in directory: DNGDirectory,
    of source: ByteSource,
    order: ByteOrder
  ) -> Bool {
    guard rule.types.contains(entry.type), rule.counts.contains(entry.count) else { return false }
    switch rule.form {
    case .operations: return DNGStructures.isOperationList(entry.value, of: source)
    case .gainTable:
      let isSecond = entry.tag == Tag.profileGainTableMap2
      return DNGStructures.isGainTable(entry.value, of: source, order: order, isSecond: isSecond)
    default: return counts(of: entry.tag, in: directory).map { $0 == entry.count } ?? true
    }
  }

  /// Returns the values of a tag, with fractions whose denominators have no room for a text.
  static func plain(_ bytes: [UInt8], type: Int, order: ByteOrder) -> [UInt8] {
    guard type == 5 || type == 10 else { return bytes }
    let source = ByteSource(bytes)
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    for position in stride(from: 0, to: bytes.count - 7, by: 8) {
      let numbers = [0, 4].map { offset in
        let number = source.uint32(at: position + offset, order: order) ?? 0
        return type == 10 ? Int(Int32(truncatingIfNeeded: number)) : number
      }
      let fraction = ShortFraction(numbers[0], numbers[1])
      plain += fraction.above.bytes(4, order) + fraction.below.bytes(4, order)
    }
    return plain
  }

  /// Returns the number of values that other tags of the directory give to a tag.
  private static func counts(of tag: Int, in directory: DNGDirectory) -> Int? {
    // The numbers are the file's own: their product must not overflow.
    let product = { (tag: Int) in
      directory.numbers(tag)?.reduce(1) { min($0 * max(0, min($1, 1 << 16)), 1 << 32) }
    }
    let samples = max(0, min(directory.number(Tag.samplesPerPixel) ?? 1, 1 << 16))
    switch tag {
    case Tag.cfaPattern: return product(Tag.cfaRepeatPatternDim) ?? 4
    case Tag.blackLevel: return (product(Tag.blackLevelRepeatDim) ?? 1) * samples
    case Tag.blackLevelDeltaH, Tag.blackLevelDeltaV:
      let area = directory.numbers(Tag.activeArea)
      let isWidth = tag == Tag.blackLevelDeltaH
      if let area, area.count == 4 { return isWidth ? area[3] &- area[1] : area[2] &- area[0] }
      return directory.number(isWidth ? Tag.imageWidth : Tag.imageLength)
    case Tag.profileHueSatMapData1, Tag.profileHueSatMapData2:
      return 3 * (product(Tag.profileHueSatMapDims) ?? 0)
    case Tag.profileLookTableData: return 3 * (product(Tag.profileLookTableDims) ?? 0)
    default: return nil
    }
  }
}

/// The kind of a picture in a DNG.
enum DNGKind {
  /// The sensor's data, which a program develops.
  case raw
  /// The parts of the raw picture that are there.
  case mask
  /// A developed picture of any size.
  case preview
  /// Depth, semantic masks, enhanced pictures.
  case other

  init(_ directory: DNGDirectory) {
    let photometric = directory.number(Tag.photometricInterpretation) ?? 0
    switch directory.number(Tag.newSubfileType) ?? 0 {
    case 0 where [32_803, 34_892].contains(photometric): self = .raw
    case 4 where photometric == 4: self = .mask
    case 1 where [1, 2, 6].contains(photometric), 0x10001 where [1, 2, 6].contains(photometric):
      self = .preview
    default: self = .other
    }
  }
}

/// Display names of removed tags of a DNG.
enum DNGTagName {
  static func name(_ tag: Int) -> String {
    DNGAllowList.rules[tag]?.name ?? names[tag] ?? ExifTagNames.pageName(tag)
  }

  private static let names: [Int: String] = [
    50709: "LocalizedCameraModel", 50735: "CameraSerialNumber", 50736: "LensInfo",
    50740: "DNGPrivateData", 50741: "MakerNoteSafety", 50781: "RawDataUniqueID",
    50827: "OriginalRawFileName", 50828: "OriginalRawFileData", 50933: "ExtraCameraProfiles",
    50934: "AsShotProfileName", 50936: "ProfileName", 50942: "ProfileCopyright",
    50966: "PreviewApplicationName", 50967: "PreviewApplicationVersion",
    50968: "PreviewSettingsName", 50969: "PreviewSettingsDigest", 50971: "PreviewDateTime",
    50972: "RawImageDigest", 50973: "OriginalRawFileDigest", 51105: "CameraLabel",
    51111: "NewRawImageDigest",
  ]
}
