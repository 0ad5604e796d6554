import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("A gain map that is kept")
struct GainMapTests {
  static let kept = StripOptions(except: [.hdrGainMap])
  static let xmpIdentifier = "http://ns.adobe.com/xap/1.0/\0"
  static let isoIdentifier = "urn:iso:std:iso:ts:21496:-1\0"
  static let canary = String(decoding: Canaries.ascii.map { $0 == 0 ? 0x20 : $0 }, as: UTF8.self)

  static func xmp(_ attributes: String, _ properties: String = "") -> [UInt8] {
    let packet =
      "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description "
      + "xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/' xmlns:dc='http://purl.org/dc/elements/1.1/' "
      + "xmlns:HDRGainMap='http://ns.apple.com/HDRGainMap/1.0/' "
      + "xmlns:apdi='http://ns.apple.com/pixeldatainfo/1.0/' dc:source='\(canary)' \(attributes)>"
      + "\(properties)</rdf:Description></rdf:RDF>"
    return TinyJPEG.segment(0xE1, xmpIdentifier, Array(packet.utf8))
  }

  /// 21496-1 with one channel; every number is its own place.
  static let numbers = big(0, 2) + big(0, 2) + [0x40] + (1...14).flatMap { big($0) }

  /// A file whose gain map carries `segments` and every canary.
  static func file(_ segments: [UInt8], between: [UInt8] = [], after: [UInt8] = []) -> [UInt8] {
    let secrets = TinyJPEG.segment(0xFE, "", Canaries.ascii) + jpegExif
    return TinyJPEG.file(secrets) + between + TinyJPEG.file(segments + secrets) + after
  }

  static let jpegExif = TinyJPEG.segment(
    0xE1,
    "Exif\0\0",
    TinyTIFF.block([.short(0x0112, 6), .text(0x010F, canary)])
  )

  /// The second picture of a stripped file, found without any index.
  static func second(_ output: [UInt8]) -> [UInt8]? {
    let first = TinyJPEG.scan + TinyJPEG.eoi
    for start in 0..<max(0, output.count - first.count)
    where output[start..<(start + first.count)].elementsEqual(first) {
      let remaining = Array(output[(start + first.count)...])
      return remaining.isEmpty ? nil : remaining
    }
    return nil
  }

  @Test(
    "Its numbers stay, and nothing else of it",
    arguments: [
      xmp("hdrgm:Version='1.0' hdrgm:GainMapMax='3.5' hdrgm:HDRCapacityMax='3.5'"),
      xmp(
        "hdrgm:Version='1.0' hdrgm:BaseRenditionIsHDR='True' hdrgm:Gamma='0.00001'",
        "<hdrgm:GainMapMax><rdf:Seq><rdf:li>1</rdf:li><rdf:li>2</rdf:li><rdf:li>3</rdf:li></rdf:Seq>"
          + "</hdrgm:GainMapMax>"
      ),
      TinyJPEG.segment(0xE2, isoIdentifier, numbers),
      xmp("hdrgm:Version='1.0' hdrgm:GainMapMax='3.5'")
        + TinyJPEG.segment(0xE2, isoIdentifier, numbers),
      xmp(
        "HDRGainMap:HDRGainMapVersion='131072' HDRGainMap:HDRGainMapHeadroom='4.5'",
        "<apdi:AuxiliaryImageType>urn:com:apple:photo:2020:aux:hdrgainmap</apdi:AuxiliaryImageType>"
      ),
    ]
  )
  func numbersStay(segments: [UInt8]) throws {
    for (between, after) in [([], []), ([], Canaries.ascii)] as [([UInt8], [UInt8])] {
      let source = Self.file(segments, between: between, after: after)
      let before = try #require(JPEGGainMap.metadata(of: ByteSource(TinyJPEG.file(segments))))
      let (output, list) = try strip(source, .jpeg, Self.kept)
      #expect(Canaries.present(in: output).isEmpty)
      let second = try #require(Self.second(output))
      #expect(JPEGGainMap.metadata(of: ByteSource(second)) == before)
      #expect(second.suffix(TinyJPEG.file().count - 2).elementsEqual(TinyJPEG.file().dropFirst(2)))
      #expect(list.removedNames["trailer"] == (after.isEmpty ? nil : 1))
      #expect(try strip(output, .jpeg, Self.kept).output == output)
      #expect(try strip(output, .jpeg).output == strip(source, .jpeg).output)
    }
  }

  @Test("Without the exception it goes, and a second picture that is none goes with it")
  func goes() throws {
    let turned = jpeg(exif: MinimalExif.block(orientation: 6))
    let map = Self.xmp("hdrgm:Version='1.0' hdrgm:GainMapMax='3.5'")
    #expect(try strip(Self.file(map), .jpeg).output == turned)
    for segments in [
      [], Self.xmp("hdrgm:Version='1.0'"), Self.xmp("hdrgm:GainMapMax='3.5'"),
      Self.xmp("hdrgm:Version='1.0' hdrgm:GainMapMax='\(Self.canary.prefix(20))'"),
      TinyJPEG.segment(0xE2, Self.isoIdentifier, Self.numbers + [0]),
      TinyJPEG.segment(0xE2, Self.isoIdentifier, big(1, 2) + Self.numbers[2...]),
    ] {
      #expect(try strip(Self.file(segments), .jpeg, Self.kept).output == turned)
    }
  }

  @Test("The verification finds an index, a directory or a number that is not exactly as written")
  func secondLook() throws {
    let segments =
      Self.xmp("hdrgm:Version='1.0' hdrgm:GainMapMax='3.5'")
      + TinyJPEG.segment(0xE2, Self.isoIdentifier, Self.numbers)
    let (output, _) = try strip(TinyJPEG.file(after: TinyJPEG.file(segments)), .jpeg, Self.kept)
    let verify = { (bytes: [UInt8], options: StripOptions) in
      withSource(bytes) { source in
        code { try Stripper.verify(output: source, format: .jpeg, options: options) }
      }
    }
    #expect(verify(output, Self.kept) == nil)
    #expect(verify(output, StripOptions()) == .residue)
    #expect(verify(output + [0], Self.kept) == .residue)
    #expect(verify(output + TinyJPEG.file(), Self.kept) == .residue)
    // Every bit of what is written anew in front of the picture counts.
    let tables = try #require(output.indices.first { output[$0...].starts(with: TinyJPEG.dqt) })
    for index in 2..<tables {
      var changed = output
      changed[index] ^= 1
      #expect(verify(changed, Self.kept) != nil, "byte \(index)")
    }
  }

  @Test("Its fractions have no letters, and stay as near as a millionth")
  func letters() throws {
    let text = PlantedPlaces.text + PlantedPlaces.text
    for body in [text, text.flatMap { [0, $0] }, text.flatMap { [$0, 0] }] {
      for flags in [0, 0x40, 0x80, 0x08, 0x88] {
        let numbers = (0..<GainMapNumbers.length(of: UInt8(flags))).map { body[$0 % body.count] }
        let segment = TinyJPEG.segment(0xE2, Self.isoIdentifier, [0, 0, 0, 0, UInt8(flags)] + numbers)
        let output = try strip(Self.file(segment), .jpeg, Self.kept).output
        #expect(!PlantedPlaces.isPresent(in: output) && Self.second(output) != nil)
        #expect(try strip(output, .jpeg, Self.kept).output == output)
      }
    }
    // Denominators that have room: 3/2 of large numbers, and one of a minus; a common one stays with its form.
    let wide = big(3 << 28) + big(2 << 28)
    let negative = big(-3 << 28) + big(2 << 28)
    let map = try #require(
      GainMapNumbers([0, 0, 0, 0, 0] + wide + wide + negative + wide + wide + negative + wide)
    )
    let (short, minus) = (big(3) + big(2), big(-3) + big(2))
    #expect(map.bytes == [0, 0, 0, 0, 0] + short + short + minus + short + short + minus + short)
    let common: [UInt8] = [0, 0, 0, 0, 0x08] + big(1_000_000) + (1...7).flatMap { big(-300_000 * $0) }
    #expect(GainMapNumbers(common)?.bytes == common)
  }

  @Test("The two fractions of Apple's note have no letters")
  func note() throws {
    let text = Array(PlantedPlaces.text.prefix(16))
    let entries = [0x21, 0x30].enumerated().flatMap { index, tag in
      big(tag, 2) + big(10, 2) + big(1) + big(14 + 2 + 24 + 4 + 8 * index)
    }
    let note = Array("Apple iOS\0\0\u{1}MM".utf8) + big(2, 2) + entries + big(0) + text
    let exif = TinyTIFF.block([], exif: [.init(tag: 0x927C, type: 7, count: note.count, value: note)])
    let xmp = Self.xmp(
      "HDRGainMap:HDRGainMapVersion='131072'",
      "<apdi:AuxiliaryImageType>\(Self.appleType)</apdi:AuxiliaryImageType>"
    )
    let output = try strip(
      TinyJPEG.file(TinyJPEG.segment(0xE1, "Exif\0\0", exif)) + TinyJPEG.file(xmp),
      .jpeg,
      Self.kept
    ).output
    #expect(Data(output).range(of: Data("Apple iOS".utf8)) != nil)
    #expect(!PlantedPlaces.isPresent(in: output))
  }

  private static let appleType = "urn:com:apple:photo:2020:aux:hdrgainmap"

  @Test(
    "Real ones are found by others where the index says, with the same pixels",
    .enabled(
      if: Corpus.folder != nil && Tool.exists("exiftool") && Tool.exists("identify"),
      "no corpus, no exiftool or no ImageMagick"
    ),
    arguments: ["paris_exif_xmp_gainmap_littleendian.jpg", "apple_gainmap_new.jpg"]
  )
  func corpus(name: String) throws {
    let path = try #require(Corpus.file("visible/jpeg/" + name))
    let (output, _) = try strip(try readBytes(path), .jpeg, Self.kept)
    let folder = TemporaryFolder()
    let stripped = folder.path + "/stripped.jpg"
    try Data(output).write(to: URL(fileURLWithPath: stripped))
    var maps: [String] = []
    for (index, file) in [path, stripped].enumerated() {
      let map = "\(folder.path)/\(index)-map.jpg"
      _ = try Tool.run("sh", ["-c", "exiftool -b -MPImage2 '\(file)' > '\(map)'"])
      maps.append(map)
    }
    let tags = ["-s", "-XMP-hdrgm:all", "-XMP-HDRGainMap:all"]
    let numbers = try maps.map { map in
      try Tool.run("exiftool", tags + [map]).output.split(separator: "\n").sorted()
    }
    #expect(numbers[0] == numbers[1] && !numbers[0].isEmpty)
    let arguments = ["-limit", "thread", "1", "-format", "%# %w %h"]
    let pixels = try maps.map { try Tool.run("identify", arguments + [$0]).output }
    #expect(pixels[0] == pixels[1] && !pixels[0].isEmpty)
    let all = try Tool.run("exiftool", ["-a", "-G1", "-s", "-ee", "-U", stripped])
    #expect(all.output.contains("MPImage2"))
    #expect(!all.output.contains("Warning"))
  }
}
