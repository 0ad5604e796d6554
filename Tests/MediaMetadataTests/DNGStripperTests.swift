import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("DNG: what a developer needs, and nothing else")
struct DNGStripperTests {
  typealias T = TinyTIFFFile
  typealias Canaries = HEIFCanaryTests.Canaries

  /// A text in each place that may hold one.
  static func planted(_ plant: Canaries) -> TinyDNG {
    var file = TinyDNG()
    let texts = [
      0x010D, 0x010E, 0x010F, 0x0110, 0x0131, 0x0132, 0x013B, 0x013C, 0x8298, 50709, 50735, 50827,
      50934, 50936, 50942, 50966, 50967, 50968, 50971, 51105, 51043, 50908,
    ]
    file.inImage = texts.map { TinyDNG.text($0, plant.text("tag-\($0)")) }
    let blocks = [0x02BC, 0x83BB, 0x8649, 0xC4A5, 50736, 50740, 50781, 50828, 50933, 50969, 50972]
    file.inImage += blocks.map { T.undefined($0, plant("block-\($0)")) }
    file.inRaw = [
      T.undefined(50973, plant("raw-digest")), T.undefined(51111, plant("new-raw-digest")),
      TinyDNG.text(0x0131, plant.text("raw-software")),
    ]
    file.exif = [
      T.undefined(0x927C, plant("maker-note")), TinyDNG.text(0xA431, plant.text("serial")),
      TinyDNG.text(0xA430, plant.text("owner")),
    ]
    file.location = [T.undefined(27, plant("place"))]
    file.preview = TinyJPEG.file(
      TinyJPEG.segment(0xE1, "Exif\0\0", plant("preview-exif"))
        + TinyJPEG.segment(0xFE, "", plant("preview-comment")),
      after: plant("behind-preview")
    )
    // A mask of a sky, and a preview of a kind that is not known.
    file.others = [
      [T.long(0x00FE, 0x10004), TinyDNG.text(52526, plant.text("semantic-name"))],
      [T.long(0x00FE, 1), TinyDNG.text(50966, plant.text("second-preview"))],
    ]
    file.after = plant("trailer")
    return file
  }

  @Test("Nothing that was planted is left, and the sensor's data are")
  func canaries() throws {
    let plant = Canaries()
    let bytes = Self.planted(plant).bytes
    #expect(format(of: bytes) == .dng)
    for text in plant.texts { #expect(bytes.contains(text)) }
    let (output, list) = try strip(bytes, .dng)
    for text in plant.texts { #expect(!output.contains(text), "\(text)") }
    #expect(!output.contains("Example One") && output.contains("Camera\0"))
    #expect(format(of: output) == .dng)
    #expect(output.suffix(TinyDNG.samples.count).elementsEqual(TinyDNG.samples))
    for name in ["Exif", "GPS", "Make", "Software", "XMP"] {
      #expect(list.removedNames[name] != nil, "\(name)")
    }
    #expect(try strip(output, .dng).output == output)
    let facts = try facts(of: output)
    #expect(facts.orientation == 6 && facts.camera == nil && facts.creationDate == nil)
    // That of the sensor, and not of the preview.
    #expect(facts.pixelSize == PixelSize(width: 128, height: 96))
  }

  @Test("What except names is written again")
  func excepted() throws {
    var file = TinyDNG()
    file.inImage = [
      TinyDNG.text(0x010F, "Example"), TinyDNG.text(0x0110, "Example One"),
      TinyDNG.text(50735, "serial 12345"), TinyDNG.text(0x8298, "© Ada"),
    ]
    file.exif = [TinyDNG.text(0x9003, "2026:11:21 01:44:39")]
    file.location = [
      TinyDNG.text(1, "N"), TinyDNG.fractions(2, 5, [48, 51, 30], 1), TinyDNG.text(3, "E"),
      TinyDNG.fractions(4, 5, [2, 17, 40], 1),
    ]
    let options = StripOptions(except: Set(MetadataException.allCases))
    let output = try strip(file.bytes, .dng, options).output
    let kept = withSource(output) { TIFFMetadata.find(in: $0).merged }
    #expect(kept.make == "Example" && kept.model == "Example One" && kept.copyright == "© Ada")
    #expect(kept.creationDate?.local == "2026-11-21T01:44:39")
    #expect(kept.location?.latitude == 488_583_333)
    #expect(!output.contains("serial"))
    #expect(try strip(output, .dng, options).output == output)
    let residue = code {
      try withSource(output) { try DNGStripper.verify(output: $0, options: StripOptions()) }
    }
    #expect(residue == .residue)
  }

  // MARK: Numbers

  private static let operation: [UInt8] = {
    var list = big(1) + big(4) + big(0x0103_0000)
    list += big(0) + big(8) + big(0) + big(1)
    return list
  }()
  private static let gains: [UInt8] = {
    var table = little(1) + little(1) + [UInt8](repeating: 0, count: 32)
    table += little(2) + [UInt8](repeating: 0, count: 20)
    return table + [UInt8](repeating: 7, count: 8)
  }()
  /// Gains of DNG 1.7, as numbers of a byte.
  private static let secondGains: [UInt8] =
    Array(gains.dropLast(8)) + [UInt8](repeating: 0, count: 16) + [7, 7]
  static let numbers: [TinyTIFFFile.Entry] = [
    T.short(50712, 0, 100, 65_535), T.short(50714, 2056), T.short(50829, 0, 0, 96, 128),
    (50940, 11, 4, [UInt8](repeating: 0, count: 16)),
    (51041, 12, 2, [UInt8](repeating: 1, count: 16)), T.undefined(51009, operation),
    T.undefined(52525, gains), T.undefined(52544, secondGains),
  ]

  @Test("Numbers that color and shape need are kept, in the length that they belong to")
  func keptNumbers() throws {
    var file = TinyDNG()
    file.inRaw = Self.numbers
    let output = try strip(file.bytes, .dng).output
    for entry in Self.numbers {
      let value = try withSource(output) { try DNGFile(of: $0).pictures[0].bytes(entry.tag) }
      #expect(value == entry.value, "\(entry.tag)")
    }
  }

  private static let unknownOperation: [UInt8] =
    big(1) + big(99) + big(0) + big(0) + big(0)
  private static let hiddenText: [UInt8] = big(0) + Array("hidden text".utf8)
  static let unknownForms: [(name: String, entry: TinyTIFFFile.Entry)] = [
    ("OpcodeList3", T.undefined(51022, unknownOperation)),
    ("OpcodeList1", T.undefined(51008, hiddenText)),
    ("LinearizationTable", T.undefined(50712, [1, 2, 3])),
    ("BlackLevel", T.short(50714, 1, 2, 3)),
    ("ProfileGainTableMap", T.undefined(52525, [UInt8](repeating: 1, count: 80))),
    ("AsShotICCProfile", T.undefined(50831, [1, 2, 3, 4, 5])),
  ]

  @Test("What a developer needs in a form that is not known fails closed, by name")
  func refusedForms() {
    for (name, entry) in Self.unknownForms {
      var file = TinyDNG()
      file.inRaw = [entry]
      do {
        _ = try strip(file.bytes, .dng)
        Issue.record("\(name) was stripped")
      } catch {
        let error = error as? MetadataError
        #expect(error?.code == .stripUnsupported && error?.detail.contains(name) == true)
      }
    }
  }

  @Test("A table of another length than its dimensions is removed")
  func tables() throws {
    var file = TinyDNG()
    file.inImage = [T.undefined(52544, Self.secondGains + [7])]
    #expect(try strip(file.bytes, .dng).list.removedNames["ProfileGainTableMap2"] == 1)
    let data = { (count: Int) -> TinyTIFFFile.Entry in
      (50938, 11, count, [UInt8](repeating: 7, count: 4 * count))
    }
    file.inImage = [T.long(50937, 2, 2, 1), data(12)]
    let whole = try strip(file.bytes, .dng)
    #expect(whole.list.removedNames["ProfileHueSatMapData1"] == nil)
    file.inImage = [T.long(50937, 2, 2, 1), data(13)]
    let longer = try strip(file.bytes, .dng)
    #expect(longer.list.removedNames["ProfileHueSatMapData1"] == 1)
  }

  @Test("Two signatures that differ stay two, without their words", arguments: [true, false])
  func signatures(areEqual: Bool) throws {
    var file = TinyDNG()
    file.inImage = [
      TinyDNG.text(50931, "maker"), TinyDNG.text(50932, areEqual ? "maker" : "other"),
    ]
    let output = try strip(file.bytes, .dng).output
    #expect(!output.contains("maker") && !output.contains("other"))
    #expect(output.contains("profile\0") == !areEqual)
  }

  // MARK: Refusals

  @Test("A DNG without one raw picture, or of an unknown compression, is refused")
  func refusals() {
    var file = TinyDNG()
    file.photometric = 6
    #expect(code { _ = try strip(file.bytes, .dng) } == .stripUnsupported)
    file = TinyDNG()
    file.compression = 34_713
    #expect(code { _ = try strip(file.bytes, .dng) } == .stripUnsupported)
    file = TinyDNG()
    file.data = Array(TinyDNG.samples.dropLast())
    #expect(code { _ = try strip(file.bytes, .dng) } == .damaged)
  }

  /// A DNG whose only strip is a JPEG XL with a text behind it.
  static let codestream: TinyDNG = {
    var file = TinyDNG()
    file.compression = 52_546
    file.data = TinyJXL.plain + Array("behind the tile".utf8)
    return file
  }()

  @Test("A tile of JPEG XL is copied without what follows it, or refused")
  func codestreams() throws {
    var file = Self.codestream
    let (output, list) = try strip(file.bytes, .dng)
    #expect(output.suffix(TinyJXL.plain.count).elementsEqual(TinyJXL.plain))
    #expect(!output.contains("behind the tile") && list.removedNames["bytes in a strip"] == 1)
    #expect(try strip(output, .dng).output == output)
    // Names, timecodes, a preview and boxes are no coded data.
    let changed = try [
      TinyJXL.named, TinyJXL.animated, TinyJXL.profiled, TinyJXL.withPreview(), TinyJXL.file(),
    ]
    for codestream in changed {
      file.data = codestream
      #expect(code { _ = try strip(file.bytes, .dng) } == .stripUnsupported)
      let verified = withSource(codestream) { tile in code { try DNGCodestream.verify(tile) } }
      #expect(verified == .residue)
    }
    file.data = Array(TinyJXL.plain.dropLast(8))
    #expect(code { _ = try strip(file.bytes, .dng) } == .damaged)
    #expect(withSource(TinyJXL.plain) { tile in code { try DNGCodestream.verify(tile) } } == nil)
    let longer = withSource(TinyJXL.plain + [0]) { tile in
      code { try DNGCodestream.verify(tile) }
    }
    #expect(longer == .residue)
  }

  @Test("Cut anywhere, it is refused, and ends nothing")
  func cut() {
    let bytes = Self.planted(Canaries()).bytes
    let head = bytes.count - TinyDNG.samples.count
    for count in Array(0..<head) + [bytes.count / 2] {
      let code = code { _ = try strip(Array(bytes.prefix(count)), .dng) }
      #expect(code == .damaged || code == .stripUnsupported, "\(count)")
    }
  }

  @Test("The verification finds what an edit list would leave")
  func planting() throws {
    let plain = try strip(TinyDNG().bytes, .dng).output
    let own = code {
      try withSource(plain) { try DNGStripper.verify(output: $0, options: StripOptions()) }
    }
    #expect(own == nil)
    let entries: [[TinyTIFFFile.Entry]] = [
      [TinyDNG.text(50735, "12345")], [TinyDNG.text(0x0131, "Software")],
      [T.undefined(50740, Array("private".utf8))], [T.undefined(0x02BC, Array("xmp".utf8))],
    ]
    for inImage in entries {
      var file = TinyDNG()
      file.inImage = inImage
      let code = code {
        try withSource(file.bytes) { try DNGStripper.verify(output: $0, options: StripOptions()) }
      }
      #expect(code == .residue)
    }
    // Each byte of the head counts: a changed one is refused, a number of the picture, or makes
    // another tag or type that is allowed.
    let numbers = withSource(plain) { source in
      (try? DNGFile(of: source)).map { file in
        ([file.image] + file.pictures).flatMap { directory in
          let first = directory.range.lowerBound + 2
          return directory.entries.map(\.value)
            + directory.entries.indices.map { (first + 12 * $0)..<(first + 12 * $0 + 4) }
        }
      } ?? []
    }
    let head = plain.count - TinyDNG.samples.count - TinyJPEG.file().count
    var passed: [Int] = []
    for index in 8..<head {
      var changed = plain
      changed[index] ^= 0x01
      let code = code {
        try withSource(changed) { try DNGStripper.verify(output: $0, options: StripOptions()) }
      }
      if code == nil { passed.append(index) }
    }
    for index in passed {
      let isCoded = numbers.contains { $0.contains(index) }
      #expect(isCoded, "byte \(index)")
    }
    for end in [[0], [1, 2, 3]] as [[UInt8]] {
      let code = code {
        try withSource(plain + end) { try DNGStripper.verify(output: $0, options: StripOptions()) }
      }
      #expect(code == .residue)
    }
  }

  // MARK: Other programs

  /// The developed picture of a program that uses LibRaw.
  private func developed(_ bytes: [UInt8], in folder: TemporaryFolder) throws -> [UInt8] {
    let path = "\(folder.path)/picture.dng"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let result = try Tool.run("dcraw_emu", ["-w", "-T", "-o", "1", path])
    try #require(result.status == 0, "\(result.output)\(result.error)")
    return try readBytes(path + ".tiff")
  }

  @Test(
    "LibRaw develops the same picture before and after",
    .enabled(if: Tool.exists("dcraw_emu"), "no dcraw_emu")
  )
  func sameDeveloped() throws {
    let folder = TemporaryFolder()
    var files = [TinyDNG().bytes, Self.planted(Canaries()).bytes]
    var calibrated = TinyDNG()
    calibrated.inImage = [
      TinyDNG.fractions(50723, 10, [11_000, 0, 0, 0, 10_000, 0, 0, 0, 9000]),
      TinyDNG.text(0x010F, "Canon"), TinyDNG.text(0x0110, "Canon EOS 5D"),
    ]
    calibrated.inRaw = [T.short(50714, 1024), T.short(50829, 8, 8, 88, 120)]
    files.append(calibrated.bytes)
    for path in ["second/formats2/colorchart.dng"].compactMap(Corpus.file) {
      files.append(try readBytes(path))
    }
    for bytes in files {
      let before = try developed(bytes, in: folder)
      let after = try developed(try strip(bytes, .dng).output, in: folder)
      // The header of the picture names camera and time.
      #expect(before.suffix(before.count - 2048) == after.suffix(after.count - 2048))
      #expect(before.count > 2048)
    }
  }

  @Test(
    "exiftool finds nothing in it but what is on the list",
    .enabled(if: Tool.exists("exiftool"), "no exiftool")
  )
  func exiftool() throws {
    let folder = TemporaryFolder()
    let path = "\(folder.path)/stripped.dng"
    let output = try strip(Self.planted(Canaries()).bytes, .dng).output
    try Data(output).write(to: URL(fileURLWithPath: path))
    let tags = try CorpusTests.exiftool(["-a", "-s", "-ee", "-U"], [path])[0]
    let groups: Set<String> = ["SourceFile", "ExifTool", "System", "File", "Composite"]
    let names = Set(DNGAllowList.rules.values.map(\.name)).union([
      // Other names for the same tags.
      "SubfileType", "ImageHeight", "PreviewImageStart", "PreviewImageLength", "CFAPattern2",
      "PreviewImage", "ExifByteOrder", "Warning",
    ])
    for key in tags.keys {
      let parts = key.split(separator: ":").map { String($0) }
      if groups.contains(parts[0]) { continue }
      #expect(names.contains(parts[1]), "\(key)")
    }
    #expect(tags["IFD0:UniqueCameraModel"] as? String == "Camera")
    #expect(tags["IFD0:Make"] == nil && tags["IFD0:SerialNumber"] == nil)
    #expect(tags["ExifTool:Warning"] == nil)
  }
}
