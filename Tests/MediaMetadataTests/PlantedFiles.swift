import MediaModel
import MediaTestSupport

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// The files in which texts are planted by machine, and the places in which they stay.
enum PlantedFiles {
  struct File: CustomStringConvertible, Sendable {
    var description: String
    var format: MediaFormat
    var bytes: [UInt8]
  }

  /// A small file of each format that `strip` takes, and of each kind of it that has parts of its own.
  static let all: [File] = {
    var files: [File] = []
    func add(_ format: MediaFormat, _ bytes: [UInt8], _ name: String = "") {
      files.append(File(description: format.rawValue + name, format: format, bytes: bytes))
    }
    add(.jpeg, TinyJPEG.file(TinyJPEG.jfif))
    add(.png, TinyPNG.file(pngChunk("gAMA", big(45_455))))
    add(.gif, TinyGIF.file(TinyGIF.loop + TinyGIF.control))
    add(.webp, TinyWebP.simple)
    let frame = TinyWebP.frame(riffChunk("VP8L", TinyWebP.lossless))
    let animation = riffChunk("ANIM", [UInt8](repeating: 0, count: 6)) + frame
    add(.webp, TinyWebP.file(TinyWebP.extended(2) + animation), ", animated")
    add(.bmp, TinyBMP.file())
    add(.qoi, TinyQOI.file())
    add(.tiff, TinyTIFFFile.file())
    add(.dng, TinyDNG().bytes)
    add(.j2k, TinyJ2K.file())
    add(.jp2, TinyJP2.file())
    add(.jxl, TinyJXL.file())
    add(.heic, HEIFCanaryTests.still(HEIFCanaryTests.Canaries()).bytes)
    add(.avif, HEIFCanaryTests.avif(HEIFCanaryTests.Canaries()).bytes)
    var film = TinyMovie.film
    add(.mp4, film.bytes)
    film.isQuickTime = true
    film.tracks[1].entry = quickTimeSound
    add(.mov, film.bytes)
    film.fragments = .fromMoof
    add(.mp4, film.bytes, ", in fragments")
    add(.mkv, TinyMatroska.file())
    add(.avi, TinyAVI.file())
    add(.wav, TinyWAV.file())
    add(.aiff, TinyAIFF.file())
    add(.flac, TinyFLAC.file())
    add(.ogg, TinyOgg.opus())
    add(.ogg, TinyOgg.vorbis(), ", Vorbis")
    add(.mp3, TinyMP3.frames)
    add(.aac, TinyAAC.frames)
    return files
  }()

  /// A description of sound of QuickTime's version 1: PCM of two channels.
  static let quickTimeSound: [UInt8] = isoBox(
    "sowt",
    big(0) + big(1) + big(1, 2) + [0, 0, 0, 0, 0, 0] + big(2, 2) + big(16, 2) + big(0) + big(44_100 << 16)
      + big(1) + big(2) + big(4) + big(2)
  )

  /// Where a text stays of each format: the last types of the paths of parts, and with a plus the parts that were
  /// planted, by the start of their names, behind a path or in any; "over" is a text that replaces bytes, as in the
  /// curve of an ICC profile. docs/metadata.md says why of each.
  static let staying: [MediaFormat: Set<String>] = [
    .jpeg: ["scan", "DB", "C4", "scan's end + bytes", "E2 ICC over", "E2 ICC middle"],
    .png: [
      "IDAT", "fdAT", "PLTE", "tRNS", "cHRM over", "mDCV over", "+ tRNS", "+ a longer tRNS", "+ cHRM",
      "+ mDCV",
    ],
    .gif: ["colors", "image", "screen", "+ a picture"],
    .webp: ["ICCP", "VP8 ", "VP8L", "ALPH", "+ ALPH", "+ VP8", "+ a longer"],
    .bmp: ["all", "+ bytes"],
    .qoi: ["all", "+ bytes"],
    .tiff: [
      "all", "273", "347", "320 over", "34675 over", "+ tag 280", "+ tag 281", "+ tag 320", "+ tag 347",
    ],
    .dng: [
      "all", "+ tag 50712", "+ tag 50714", "+ tag 50717", "+ tag 50829", "+ tag 50830", "+ tag 50938",
      "+ tag 50939", "+ tag 50940", "+ tag 50982", "+ tag 51041",
    ],
    .j2k: codestream, .jp2: codestream,
    .jxl: ["jxlc", "+ jxlc", "+ jxlp", "all", "+ bytes"],
    .heic: ["mdat", "hvcC", "clap", "colr", "mdcv", "+ clap", "+ mdcv"],
    .avif: ["mdat", "av1C", "clap", "colr", "mdcv", "+ clap", "+ mdcv"],
    .mp4: movie, .mov: movie, .m4a: movie, .threeGP: movie, .threeGA: movie,
    .webm: ["A1", "A3", "63A2", "+ a longer 18538067/1F43B675", "+ 7672"],
    .mka: ["A1", "A3", "+ a longer 18538067/1F43B675"],
    .mkv: ["A1", "A3", "63A2", "+ a longer 18538067/1F43B675", "+ 7672"],
    .avi: [
      "strh", "00db", "00dc", "01wb", "DB", "C4", "+ 00db", "+ 00dc", "+ 01wb", "+ a longer AVI /movi",
    ],
    .wav: ["data", "+ data", "+ a longer WAVE/data"],
    .aiff: ["SSND", "+ SSND", "+ a longer AIFF/SSND"],
    .flac: ["block 0", "frames"],
    .ogg: ["page head", "page 0", "page 1", "page 2", "pages", "+ page"],
    .mp3: ["frame", "+ bytes"], .aac: ["frame", "+ bytes"],
  ]
  private static let codestream: Set<String> = [
    "51", "52", "53", "5C", "5D", "5F", "60", "61", "63", "tile data", "+ [82]", "+ [83]", "+ [92]", "+ [93]",
    "+ [95]", "+ [96]", "+ [97]", "+ [99]",
  ]
  private static let movie: Set<String> = [
    "mdat", "avcC", "stts", "ctts", "stsz", "stsc", "stco", "trun", "elst", "SmDm", "mdcv", "clap", "+ clap",
    "+ mdcv", "+ SmDm", "+ mdat", "cslg over", "sdtp over", "+ sdtp", "hvcC + array 3", "fLaC head over",
    // Of parameter sets that cannot be read; and it is longer than such a unit, behind which a slice is.
    "avc1 + SEI 0", "H.264 unit 14 over", "H.264 unit 14 middle",
  ]

  /// Whether a unit is taken for coded pictures, or for a parameter set that cannot be read, which stay.
  static func isCoded(_ operation: String) -> Bool {
    let kept = /\+ (H.264 unit ([1-578]|19)|HEVC unit (\d|1[6-9]|2[01]|3[2-4])|OBU [346])( .*)?/
    return operation.wholeMatch(of: kept) != nil
  }

  /// The types of sample entries whose samples begin with no mark that other bytes could not have, or end with none.
  private static let whole: Set<String> = [
    "mp4a", "sowt", "twos", "lpcm", "in24", "fl32", "ulaw", "alaw", "raw ", "ima4", "ap4h", "apch", "apcn",
    "apcs",
    "apco", "AVdn", "alac", "samr", "sawb", "sqcp", "QDM2", "vp08", "vp09", "s263", "h263", "SVQ3", "SVQ1",
    "cvid",
    "rle ", "rpza", "mp4v", "mp2v",
  ]

  /// Whether a text may stay within a sample, whose path is that of its unit.
  private static func mayStay(inSample plant: PlantedPlaces.Plant) -> Bool {
    let names = plant.path.split(separator: "/").dropFirst().map { String($0) }
    guard let entry = names.first else { return false }
    if names.count == 1, !plant.operation.hasPrefix("+ "), !plant.operation.hasPrefix("end") { return true }
    return whole.contains(entry) || ["DB", "C4", "DA"].contains(names.last)
  }

  static func mayStay(_ plant: PlantedPlaces.Plant, in format: MediaFormat) -> Bool {
    let last = plant.path.split(separator: "/").last.map { String($0) } ?? plant.path
    if isCoded("+ \(last)") || isCoded(plant.operation) { return true }
    if plant.path.hasPrefix("mdat/"), mayStay(inSample: plant) { return true }
    return staying[format]?.contains { entry in
      if entry.hasPrefix("+") { return plant.operation.hasPrefix(entry) }
      let names = entry.contains(" + ") || entry.hasSuffix(" over") || entry.hasSuffix(" middle")
      return names ? "\(last) \(plant.operation)".hasPrefix(entry) : entry == last
    } == true
  }
}
