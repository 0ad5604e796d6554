import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Whatever a block holds: it is read without a trap, and what is written from it is own.
@Suite("Blocks that are no block")
struct KeptMetadataFuzzTests {
  static let everything = CanariesJPEGTests.everything
  static let coarse = StripOptions(except: [.location, .caption], isLocationCoarse: true)

  /// `bytes` with a few of them changed, cut out or doubled.
  static func mutated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...6, using: &random) where bytes.count > 8 {
      let offset = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[offset] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
      case 1: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes.removeSubrange(offset..<min(bytes.count, offset + 3))
      case 3: bytes.insert(contentsOf: bytes[offset...].prefix(7), at: offset)
      case 4: bytes[offset] = UInt8.random(in: 0...255, using: &random)
      default: bytes.removeSubrange(offset...)
      }
    }
    return bytes
  }

  static func check(_ file: [UInt8], _ round: Int) {
    for options in [everything, coarse] {
      do {
        let (output, _) = try strip(file, .jpeg, options)
        #expect(try strip(output, .jpeg, StripOptions(except: options.except)).output.count > 0)
      } catch let error as MetadataError {
        #expect(error.code != .residue, "round \(round): \(error)")
      } catch {
        Issue.record("round \(round): \(error)")
      }
    }
  }

  @Test("Exif", arguments: 0..<8)
  func exif(part: Int) throws {
    let block = try #require(ExifWriter.block(orientation: 6, kept: KeptMetadataTests.all))
    var random = SeededGenerator("\(#function) \(part)")
    for round in (part * 60)..<(part * 60 + 60) {
      Self.check(jpeg(exif: Self.mutated(block, &random)), round)
    }
  }

  @Test("XMP", arguments: 0..<8)
  func xmp(part: Int) throws {
    let packet = try #require(XMPWriter.packet(kept: KeptMetadataTests.all, scope: .alone))
    let identifier = JPEGMetadata.xmpIdentifier
    var random = SeededGenerator("\(#function) \(part)")
    for round in (part * 60)..<(part * 60 + 60) {
      let mutated = Self.mutated(packet, &random)
      Self.check(TinyJPEG.file(TinyJPEG.segment(0xE1, identifier, mutated)), round)
    }
  }

  @Test("IPTC", arguments: 0..<4)
  func iptc(part: Int) {
    let texts: [(UInt8, String)] = [
      (5, "Title"), (55, "20261121"), (60, "014439-0330"), (80, "Ada"), (80, "Grace"),
      (116, "© Ada"), (120, "Caption\r\nof two lines"),
    ]
    var datasets: [UInt8] = []
    for (number, text) in texts {
      datasets += [0x1C, 2, number] + big(text.utf8.count, 2) + Array(text.utf8)
    }
    let resource = Array("8BIM".utf8) + big(0x0404, 2) + [0, 0] + big(datasets.count) + datasets
    var random = SeededGenerator("\(#function) \(part)")
    for round in (part * 60)..<(part * 60 + 60) {
      let mutated = Self.mutated(resource, &random)
      Self.check(TinyJPEG.file(TinyJPEG.segment(0xED, "Photoshop 3.0\0", mutated)), round)
    }
  }

  @Test("ICC", arguments: 0..<8)
  func icc(part: Int) {
    let header: [UInt8] = [3, 3, 4, 0]
    var table8 = Array("mft1".utf8) + [0, 0, 0, 0] + header
    table8 += [UInt8](repeating: 1, count: 36) + [UInt8](repeating: 2, count: 256 * 6 + 64 * 3)
    let curve = Array("para".utf8) + [0, 0, 0, 0, 0, 0, 0, 0] + big(65_536)
    let curves = curve + curve + curve
    var table = [UInt8](repeating: 2, count: 3) + [UInt8](repeating: 0, count: 13)
    table += [1, 0, 0, 0] + [UInt8](repeating: 3, count: 24)
    var modern = Array("mAB ".utf8) + [0, 0, 0, 0, 3, 3, 0, 0]
    for offset in [32, 0, 0, 32 + 48, 32 + 48 + 44] { modern += big(offset) }
    modern += curves + table + curves
    let profile = TinyICC.profile(
      TinyICC.colors + [
        TinyICC.Tag(name: "A2B0", data: table8), TinyICC.Tag(name: "A2B1", data: modern),
        .text("desc", "canary"),
      ],
      version: 4
    )
    #expect(ICCProfile.cleaned(profile)?.count ?? 0 > table8.count + modern.count)
    var random = SeededGenerator("\(#function) \(part)")
    for round in (part * 60)..<(part * 60 + 60) {
      var mutated = Self.mutated(profile, &random)
      if round % 2 == 0, mutated.count > 4 {
        mutated.replaceSubrange(0..<4, with: big(mutated.count))
      }
      let cleaned = ICCProfile.cleaned(mutated)
      #expect(cleaned.map { ICCProfile.cleaned($0) == $0 } ?? true, "round \(round)")
      Self.check(TinyJPEG.file(TinyJPEG.segment(0xE2, "ICC_PROFILE\0", [1, 1] + mutated)), round)
    }
  }

  @Test("A whole file with a gain map", arguments: 0..<8)
  func gainMap(part: Int) throws {
    let map =
      GainMapTests.xmp("hdrgm:Version='1.0' hdrgm:GainMapMax='3.5' hdrgm:Gamma='1e-5'")
      + TinyJPEG.segment(0xE2, GainMapTests.isoIdentifier, GainMapTests.numbers)
    let source = GainMapTests.file(map)
    let (whole, _) = try strip(source, .jpeg, Self.everything)
    var random = SeededGenerator("\(#function) \(part)")
    for round in (part * 60)..<(part * 60 + 60) {
      Self.check(Self.mutated(round % 2 == 0 ? source : whole, &random), round)
    }
  }

  @Test("A file that is cut anywhere, or whose lengths are 0, 1 or the greatest")
  func cutAndLong() throws {
    let slots = CanariesJPEG.slots.filter {
      ["C2PA", "IFD1 thumbnail", "XMP 1", "ICC tag desc", "IPTC 80", "second picture"].contains(
        $0.description
      )
    }
    #expect(slots.count == 6)
    for bytes in slots.map(\.bytes) {
      for length in stride(from: 0, to: bytes.count, by: 7) {
        Self.check(Array(bytes[..<length]), length)
      }
      for offset in bytes.indices.dropLast()
      where bytes[offset] == 0xFF && bytes[offset + 1] >= 0xC0 {
        for value in [0, 1, 2, 0xFFFF] {
          var changed = bytes
          guard offset + 4 <= changed.count else { continue }
          changed.replaceSubrange((offset + 2)..<(offset + 4), with: big(value, 2))
          Self.check(changed, offset)
        }
      }
    }
  }

  @Test("XML that costs more than it is long, or defines anything, is not read")
  func hostileXML() {
    let open = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
    let title = "<rdf:Description xmlns:dc='http://purl.org/dc/elements/1.1/' dc:title='x'/>"
    let laughs =
      "<!DOCTYPE x [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;'>]>" + open
      + title.replacing("'x'", with: "'&b;'")
    let seconds = processorSeconds {
      for text in [
        laughs, open + String(repeating: "<a>", count: 300_000),
        open + "<a " + (0..<40_000).map { "b\($0)='c' " }.joined() + "/>",
        open + String(repeating: "<a xmlns:b='c'/>", count: 60_000),
        String(repeating: "&amp;", count: 200_000), String(repeating: "<!--", count: 250_000),
        open
          + String(
            repeating: "<rdf:Description xmlns:dc='http://purl.org/dc/elements/1.1/' "
              + "dc:title='x'/>",
            count: 9000
          ),
        open + "<a b='" + String(repeating: "<", count: 900_000),
      ] {
        let values = XMPValues.read(Array(text.utf8))
        #expect(values.title == nil || values.title == "x")
      }
    }
    #expect(XMPValues.read(Array((open + title + "</rdf:RDF>").utf8)).title == "x")
    #expect(XMPValues.read(Array(laughs.utf8)).isEmpty)
    // Seconds even in a debug build; what is quadratic takes minutes.
    #expect(seconds < 60)
  }
}
