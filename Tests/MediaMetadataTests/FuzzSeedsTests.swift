import Foundation
import MediaModel
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Writes what the fuzzer begins with: a folder for each of its parsers, one file for each slot.
@Suite(
  "Seeds for the fuzzer",
  .enabled(if: FuzzSeeds.folder != nil, "written where MEDIABATCH_FUZZ_SEEDS says")
)
struct FuzzSeedsTests {
  private static let slots: [(parser: String, bytes: [UInt8])] = {
    let containers = CanariesContainers.slots.map {
      ($0.format == .j2k ? "jp2" : $0.format.rawValue, $0.bytes)
    }
    let codestreams = [TinyJXL.plain, TinyJXL.profiled, TinyJXL.named, TinyJXL.animated].map {
      ("jxl", $0)
    }
    let heif = [HEIFCanaryTests.still, HEIFCanaryTests.avif].map {
      ("heif", $0(HEIFCanaryTests.Canaries()).bytes)
    }
    let movies =
      ([TinyHEIF.movie, TinyHEIF.file(exif: [1, 2, 3])]
      + MovieStripperTests.shapes.map(\.movie.bytes)).map { ("movie", $0) }
    let sounds =
      SoundCanaries.slots.map { ("audio", $0.bytes) }
      + SoundDamageTests.files.map { ("audio", $0.bytes) }
      + SoundKeptTests.files.map { ("audio", $0.1) }
    let films = StreamStripperTests.slots.map { ("film", $0.bytes) }
    let pages = (TIFFOldJPEGTests.seeds + [ByteOrder.big, .little].map { TinyBigTIFF.file($0) })
      .map { ("tiff", $0) }
    let raws = [DNGStripperTests.planted(HEIFCanaryTests.Canaries()), TinyDNG()]
      .map { ("dng", $0.bytes) }
    let pictures =
      CanariesJPEG.slots.map { ("jpeg", $0.bytes) } + containers + heif + pages + raws
    let headers = PictureHeaderTests.made.map { ("picture", $0.bytes) }
    return headers + codestreams + pictures + movies + sounds + films + blocks
  }()

  /// What stands behind the identifier of a JPEG's segment.
  private static let blocks: [(parser: String, bytes: [UInt8])] = {
    let identifiers = [
      ("exif", "Exif\0\0"), ("xmp", "http://ns.adobe.com/xap/1.0/\0"),
      ("icc", "ICC_PROFILE\0\u{1}\u{1}"), ("iptc", "Photoshop 3.0\0"),
    ]
    var blocks = CanariesJPEG.slots.flatMap { slot in
      identifiers.compactMap { parser, identifier -> (String, [UInt8])? in
        let name = Array(identifier.utf8)
        guard slot.bytes.count > 6 + name.count, slot.bytes[6...].starts(with: name) else {
          return nil
        }
        let length = Int(slot.bytes[4]) << 8 | Int(slot.bytes[5])
        return (parser, Array(slot.bytes[(6 + name.count)..<(4 + length)]))
      }
    }
    if let block = ExifWriter.block(orientation: 6, kept: KeptMetadataTests.all) {
      blocks.append(("exif", block))
    }
    if let packet = XMPWriter.packet(kept: KeptMetadataTests.all, scope: .alone) {
      blocks.append(("xmp", packet))
    }
    return blocks
  }()

  @Test("Every parser has some")
  func write() throws {
    let folder = try #require(FuzzSeeds.folder)
    var parsers: [String: Int] = [:]
    for (parser, bytes) in Self.slots {
      let number = parsers[parser, default: 0]
      parsers[parser] = number + 1
      let url = URL(fileURLWithPath: "\(folder)/\(parser)")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try Data(bytes).write(to: url.appendingPathComponent("\(number)"))
    }
    for parser in [
      "jpeg", "png", "webp", "gif", "bmp", "tiff", "dng", "heif", "jp2", "jxl", "exif", "xmp",
      "icc", "iptc",
      "movie", "audio", "film",
    ] { #expect(parsers[parser, default: 0] > 0, "\(parser)") }
  }
}

enum FuzzSeeds {
  static let folder = ProcessInfo.processInfo.environment["MEDIABATCH_FUZZ_SEEDS"]
}
