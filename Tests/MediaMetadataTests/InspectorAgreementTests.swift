import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("inspect and strip agree")
struct InspectorAgreementTests {
  typealias T = TinyTIFF

  /// The options of which each output is looked at under the same options.
  static let choices: [StripOptions] = [
    StripOptions(), StripOptions(except: Set(MetadataException.allCases)),
    StripOptions(except: [.location, .rating], isLocationCoarse: true),
  ]

  /// The paths of what `inspect` says that `strip` would remove.
  static func removed(
    _ bytes: [UInt8],
    _ format: MediaFormat,
    _ options: StripOptions
  ) throws -> [String] {
    try withSource(bytes) { source in
      try MetadataInspector.entries(of: source, format: format, options: options)
        .filter(\.isRemoved).map(\.path)
    }
  }

  /// A file of each picture format that says everything `except` may keep, beside texts that it
  /// does not.
  static let pictures: [(MediaFormat, [UInt8])] = {
    let kept = KeptMetadataTests.all
    let exif = ExifWriter.block(orientation: 6, kept: kept) ?? []
    let packet = XMPWriter.packet(kept: kept, scope: .alone) ?? []
    let profile = TinyICC.profile(TinyICC.colors + [.text("desc", "A profile")])
    let xmp = pngChunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet)
    let icc = pngChunk("iCCP", Array("p\0\0".utf8) + Zlib.stored(profile))
    let webp =
      TinyWebP.extended(0x2C) + riffChunk("ICCP", profile)
      + riffChunk("VP8L", TinyWebP.lossless) + riffChunk("EXIF", exif)
      + riffChunk("XMP ", packet)
    let wide: [TinyTIFFFile.Entry] = [
      (0x011A, 5, 1, little(300) + little(1)), (0x011B, 5, 1, little(200) + little(1)),
      (0x0128, 3, 1, little(2, 2)), (0x010F, 2, 6, Array("Maker\0".utf8)),
      (0x02BC, 1, packet.count, packet), (0x8773, 7, profile.count, profile),
    ]
    return [
      (
        .jpeg,
        TinyJPEG.file(
          TinyJPEG.jfif + TinyJPEG.segment(0xE1, "Exif\0\0", exif)
            + TinyJPEG.segment(0xE1, JPEGMetadata.xmpIdentifier, packet)
            + TinyJPEG.segment(0xE2, "ICC_PROFILE\0", [1, 1] + profile)
            + TinyJPEG.segment(0xFE, "", Array("comment".utf8))
        )
      ),
      (.png, TinyPNG.file(icc + pngChunk("eXIf", exif) + xmp)), (.webp, TinyWebP.file(webp)),
      (.gif, TinyGIF.file(GIFXMP.block(packet))), (.tiff, TinyTIFFFile.file(wide)),
    ]
  }()

  static let files: [(MediaFormat, [UInt8])] = {
    let plant = HEIFCanaryTests.Canaries()
    let map = GainMapTests.xmp("hdrgm:Version='1.0' hdrgm:GainMapMax='3.5'")
    let numbers = TinyJPEG.segment(0xE2, GainMapTests.isoIdentifier, GainMapTests.numbers)
    var files: [(MediaFormat, [UInt8])] = [
      (.jpeg, MetadataInspectorTests.sample), (.jpeg, GainMapTests.file(map)),
      (.jpeg, GainMapTests.file(map + numbers, between: [1, 2], after: [3])),
      (.jpeg, ProjectionTests.sphere),
      (.heic, HEIFCanaryTests.still(plant).bytes),
      (.mp4, MovieCanaryTests.planted(plant).bytes),
      (.mov, MovieCanaryTests.planted(plant, isQuickTime: true).bytes),
      (.mp4, MovieValuesTests.full.bytes),
    ]
    files += CanariesJPEG.slots.map { (.jpeg, $0.bytes) }
    files += (CanariesContainers.slots + SoundCanaries.slots).map { ($0.format, $0.bytes) }
    return files + SoundKeptTests.files + pictures
  }()

  @Test("What strip writes has nothing more to remove, in any format", arguments: choices)
  func nothingLeft(options: StripOptions) throws {
    var seen: [MediaFormat: Int] = [:]
    for (format, bytes) in Self.files {
      guard let output = try? strip(bytes, format, options).output else { continue }
      seen[format, default: 0] += 1
      let left = try Self.removed(output, format, options)
      #expect(left.isEmpty, "\(format): \(left)")
    }
    let formats: Set<MediaFormat> = [
      .jpeg, .png, .webp, .gif, .bmp, .tiff, .jp2, .j2k, .jxl, .heic, .mp4, .mov, .mp3, .wav, .aiff,
      .flac, .ogg,
    ]
    #expect(Set(seen.keys).isSuperset(of: formats), "\(seen)")
  }

  @Test(
    "Of a real file, what strip writes has nothing more to remove",
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS"),
    arguments: choices
  )
  func nothingLeftOfRealFiles(options: StripOptions) throws {
    let folders = ["visible", "second/formats", "second/formats2"]
    var count = 0
    for path in folders.flatMap({ Corpus.files(beneath: $0) }) {
      let bytes = try readBytes(path)
      guard bytes.count < 1 << 20, let format = format(of: bytes),
        let output = try? strip(bytes, format, options).output
      else { continue }
      count += 1
      let left = try Self.removed(output, format, options)
      #expect(left.isEmpty, "\(path): \(left)")
    }
    #expect(count >= 100, "\(count)")
  }

  // MARK: Exif

  /// A block, and the tags of it whose values strip writes again when all are excepted.
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var block: [UInt8]
    var kept: Set<String>
  }

  private static let date = "2026:11:21 01:44:39"
  private static let place: [T.Entry] = [.text(1, "N"), .degrees(2), .text(3, "E"), .degrees(4)]

  static let cases: [Case] = [
    Case(
      testDescription: "a date in IFD0 and a make in the Exif directory",
      block: T.block([.text(0x9003, date)], exif: [.text(0x010F, "Maker")]),
      kept: []
    ),
    Case(
      testDescription: "the date of the last change alone",
      block: T.block([.text(0x0132, date)], exif: [.text(0x9010, "+02:00")]),
      kept: ["IFD0/DateTime", "ExifIFD/OffsetTime"]
    ),
    Case(
      testDescription: "three dates, of which the first counts",
      block: T.block(
        [.text(0x0132, date)],
        exif: [.text(0x9003, date), .text(0x9004, date), .text(0x9011, "Z")]
      ),
      kept: ["ExifIFD/DateTimeOriginal", "ExifIFD/OffsetTimeOriginal"]
    ),
    Case(
      testDescription: "a first date that is none",
      block: T.block([.text(0x0132, date)], exif: [.text(0x9003, "0000:00:00 00:00:00")]),
      kept: ["IFD0/DateTime"]
    ),
    Case(
      testDescription: "a place without its direction",
      block: T.block([], location: [.text(1, "N"), .degrees(2), .degrees(4)]),
      kept: []
    ),
    Case(
      testDescription: "a whole place",
      block: T.block([], location: place),
      kept: [
        "GPS/GPSLatitudeRef", "GPS/GPSLatitude", "GPS/GPSLongitudeRef", "GPS/GPSLongitude",
      ]
    ),
    Case(
      testDescription: "a comment of Windows before that of Exif",
      block: T.block(
        [T.Entry(tag: 0x9C9C, type: 1, count: 8, value: [0x51, 0, 0x71, 0, 0x51, 0, 0, 0])],
        exif: [T.Entry(tag: 0x9286, type: 7, count: 12, value: Array("ASCII\0\0\0walk".utf8))]
      ),
      kept: ["IFD0/XPComment"]
    ),
    Case(
      testDescription: "a comment alone",
      block: T.block(
        [],
        exif: [T.Entry(tag: 0x9286, type: 7, count: 12, value: Array("ASCII\0\0\0walk".utf8))]
      ),
      kept: ["ExifIFD/UserComment"]
    ),
    Case(
      testDescription: "a rating in stars and in percent",
      block: T.block([.short(0x4746, 4), .short(0x4749, 25)]),
      kept: ["IFD0/Rating"]
    ),
    Case(
      testDescription: "a rating in percent",
      block: T.block([.short(0x4746, 6), .short(0x4749, 75)]),
      kept: ["IFD0/RatingPercent"]
    ),
    Case(
      testDescription: "empty texts and a rating of six stars",
      block: T.block([.text(0x010F, " "), .text(0x010E, ""), .short(0x4746, 6)]),
      kept: []
    ),
  ]

  @Test("A tag counts as kept only if its value is written again", arguments: cases)
  func exifTags(wanted: Case) throws {
    let options = StripOptions(except: Set(MetadataException.allCases))
    let files: [(MediaFormat, [UInt8], String)] = [
      (.jpeg, jpeg(exif: wanted.block), "APP1 Exif/"),
      (.png, TinyPNG.file(pngChunk("eXIf", wanted.block)), "eXIf/"),
    ]
    for (format, bytes, prefix) in files {
      let entries = try withSource(bytes) {
        try MetadataInspector.entries(of: $0, format: format, options: options)
      }
      let kept = entries.filter { !$0.isRemoved }.map { $0.path.dropFirst(prefix.count) }
      #expect(Set(kept.map { String($0) }) == wanted.kept)
      // The values are in the output, or nothing is.
      let output = try strip(bytes, format, options).output
      let plain = try strip(bytes, format).output
      #expect((output == plain) == wanted.kept.isEmpty)
    }
  }

  @Test("A second Exif block is not read, and counts as removed")
  func secondBlock() throws {
    let block = { (make: String) in
      TinyJPEG.segment(0xE1, "Exif\0\0", T.block([.text(0x010F, make)]))
    }
    let bytes = TinyJPEG.file(block("First") + block("Second"))
    let entries = try MetadataInspectorTests.entries(bytes, StripOptions(except: [.camera]))
    #expect(entries.map(\.isRemoved) == [false, true])
  }

  @Test("Without a gain map, nothing of a maker note is kept for one")
  func noGainMap() throws {
    var values = KeptMetadata()
    values.brightness = AppleBrightness(headroom: ExifValue.Fraction(above: 1, below: 2), gain: nil)
    let exif = try #require(ExifWriter.block(orientation: 1, kept: values))
    let options = StripOptions(except: [.hdrGainMap])
    for (format, bytes) in [
      (MediaFormat.jpeg, jpeg(exif: exif)),
      (.png, TinyPNG.file(pngChunk("eXIf", exif))),
    ] {
      #expect(try strip(bytes, format, options).output == strip(bytes, format).output)
      let residue = code {
        try withSource(bytes) { try Stripper.verify(output: $0, format: format, options: options) }
      }
      #expect(residue == .residue)
      #expect(try Self.removed(bytes, format, options).count { $0.hasSuffix("MakerNote") } == 1)
    }
  }
}
