/// The parts of outputs in which a text of 16 bytes may stay, as docs/metadata.md lists them.
///
/// Every other part that the allow-lists let through is too short for one, is written anew, or is
/// compared with what it has to be.
enum TextThatStays {
  struct Row: Sendable {
    var format: String
    /// The parts in which a test plants a text that stays.
    var planted: [String] = []
    /// Parts in which no test plants one, in words.
    var others: [String] = []
    var reason: String

    /// The row of the table in the documentation.
    var line: String { "| \(format) | \((planted + others).joined(separator: ", ")) | \(reason) |" }
  }

  private static let coded = "coded data: only a decoder could tell"

  static let rows: [Row] = [
    Row(format: "JPEG", planted: ["DQT", "DHT"], reason: "numbers of a table that a scan uses"),
    Row(
      format: "JPEG",
      planted: ["scan data"],
      others: ["bytes in front of a marker in it"],
      reason: coded
    ),
    Row(
      format: "PNG",
      planted: ["cHRM", "mDCV", "fcTL"],
      reason: "24 to 32 bytes of numbers: color, brightness, place and time of a frame"
    ),
    Row(
      format: "PNG, GIF",
      others: ["colors that pixels use, and their transparency", "IDAT", "fdAT", "images"],
      reason: "the picture"
    ),
    Row(format: "WebP", planted: ["VP8", "VP8L", "ALPH"], reason: coded),
    Row(format: "QOI", others: ["chunks"], reason: "the picture"),
    Row(
      format: "BMP",
      others: ["end points and gammas of calibrated colors", "pixels"],
      reason: "color and the picture"
    ),
    Row(
      format: "TIFF",
      planted: ["ColorMap"],
      reason: "of compressed pixels: pixels of each compression would have to be read"
    ),
    Row(format: "TIFF", planted: ["MinSampleValue", "MaxSampleValue"], reason: "numbers of many samples"),
    Row(
      format: "TIFF, DNG, Motion JPEG",
      others: ["tables of JPEG", "strips and tiles"],
      reason: "as in a JPEG, and coded data"
    ),
    Row(
      format: "DNG",
      planted: [
        "LinearizationTable", "BlackLevel", "WhiteLevel", "ActiveArea", "MaskedAreas",
        "NoiseProfile", "ProfileToneCurve", "ProfileHueSatMapData1", "ProfileHueSatMapData2",
        "ProfileLookTableData",
      ],
      others: ["OpcodeList1 to 3", "ProfileGainTableMap", "ProfileGainTableMap2"],
      reason: "developing needs them as they are: rounding would change pixels"
    ),
    Row(
      format: "HEIC, AVIF",
      others: ["clap", "mdcv", "iovl", "hvcC", "avcC", "colr", "mdat"],
      reason: "as in a movie; places of pictures; coded data"
    ),
    Row(
      format: "JPEG 2000",
      others: [
        "SIZ", "COD", "COC", "QCD", "QCC", "POC", "PPM", "PPT", "CRG", "bpcc", "pclr",
        "tile data",
      ],
      reason: "numbers of many components, resolutions or colors, and coded data"
    ),
    Row(format: "JPEG XL", others: ["codestream"], reason: coded),
    Row(format: "ICC profiles", others: ["curves, matrices and tables of a transform"], reason: "color"),
    Row(
      format: "MP4, MOV",
      planted: ["SmDm", "must", "prhd", "equi"],
      others: ["clap", "mdcv", "dOps with a matrix of channels"],
      reason: "decoders, players and displays need them; their fields are numbers"
    ),
    Row(
      format: "MP4, MOV",
      others: ["stts", "ctts", "cslg", "stss", "stps", "sdtp", "stsc", "stsz", "elst", "trun"],
      reason: "tables of numbers for each sample"
    ),
    Row(
      format: "MP4, MOV, Matroska, AVI",
      others: [
        "dynamic range and loudness in a configuration of USAC",
        "headers of MPEG-4 part 2 whose end is not known",
      ],
      reason: "how loud the sound is; shapes, several layers, estimates of complexity"
    ),
    Row(
      format: "MP4, MOV, Matroska, AVI",
      others: [
        "whole samples of PCM, AAC, ALAC, ALS, AMR, QCELP, QDM2, Speex, VP8, VP9, H.263, ProRes, "
          + "DNxHD and older codecs"
      ],
      reason: "they begin with no mark that other bytes could not have"
    ),
    Row(
      format: "MP4, MOV, Matroska, AVI",
      others: [
        "slices of H.264 and HEVC, frames of AV1, pictures of MPEG-4 part 2 and scans of Motion JPEG, "
          + "and what follows their last symbol"
      ],
      reason: coded
    ),
    Row(
      format: "MP4, MOV",
      others: ["matrices and slices of MPEG-2"],
      reason: "numbers that decoding needs, and coded data"
    ),
    Row(format: "DV, MOV, AVI", others: ["blocks of sound and pictures of DV"], reason: coded),
    Row(
      format: "H.264, HEVC",
      others: [
        "parameter sets that cannot be read to their end, such as those with extensions for several "
          + "layers, screen content or 3D, with the messages of buffering and timing beside them",
        "H.264's subset parameter sets (type 15)",
        "scaling lists", "brightness of the mastering display", "HDR10+ and Dolby Vision data",
      ],
      reason: "display, or where they end is not known"
    ),
    Row(
      format: "Matroska",
      planted: ["ProjectionPrivate"],
      others: ["CodecPrivate of Opus with a matrix of channels, and as in a movie"],
      reason: "a sphere's borders, and what decoders need"
    ),
    Row(format: "Matroska", planted: ["SimpleBlock"], others: ["Block", "BlockAdditional"], reason: coded),
    Row(
      format: "AVI",
      planted: ["strh"],
      reason: "rate, start, length and sizes: four numbers side by side"
    ),
    Row(
      format: "AVI, WAV, AIFF",
      planted: ["00db", "01wb", "data"],
      others: ["SSND"],
      reason: "pixels and samples"
    ),
    Row(format: "WAV", others: ["fmt of ADPCM"], reason: "coefficients that its decoder asks for"),
    Row(
      format: "FLAC, Ogg, MP4",
      others: [
        "numbers and the checksum of the samples in STREAMINFO", "rates in Vorbis' identification",
        "numbers in Speex' identification", "channels in Opus' identification",
      ],
      reason: "fields of numbers"
    ),
    Row(
      format: "AAC, MP3, Opus, Vorbis, DTS, TrueHD",
      others: ["within coded packets", "Vorbis' codebooks, and a setup that cannot be read"],
      reason: coded
    ),
  ]

  /// The parts of formats, by what their rows say, in which a text was planted.
  static func planted(in formats: [String]) -> Set<String> {
    Set(rows.filter { formats.contains($0.format) }.flatMap(\.planted))
  }
}
