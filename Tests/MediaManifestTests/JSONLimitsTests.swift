import MediaManifest
import MediaModel
import MediaTestSupport
import Testing

@Suite("Hostile manifests")
struct JSONLimitsTests {
  private func codes(_ text: String) -> [ManifestIssueCode] {
    ManifestReader.read(Array(text.utf8)).issues.map(\.code)
  }

  @Test("64 objects and lists within each other are read, 65 are too many")
  func depth() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(codes(nested(64)) == [.wrongType])
    #expect(codes(nested(65)) == [.wrongType, .tooDeep])
    #expect(codes(String(repeating: "{\"a\":", count: 1_000_000)).contains(.tooDeep))
  }

  @Test("16 MiB are read, one byte more is too large")
  func size() {
    let limit = 16 << 20
    let blank = [UInt8](repeating: UInt8(ascii: " "), count: limit - 2)
    #expect(ManifestReader.read(blank + Array("{}".utf8)).issues.first?.code == .missingKey)
    #expect(ManifestReader.read(blank + Array("{ }".utf8)).issues.map(\.code) == [.tooLarge])
  }

  @Test("A million values are read, more are too many")
  func values() {
    let text = "[" + String(repeating: "1,", count: 1_000_000) + "1]"
    #expect(codes(text).contains(.tooManyValues))
  }

  @Test("Of very many mistakes a thousand are listed, and it is said")
  func issues() {
    let keys = (0..<5000).map { "\"k\($0)\":1" }.joined(separator: ",")
    let reading = ManifestReader.read(Array("{\(keys)}".utf8))
    #expect(reading.issues.count == 1000)
    #expect(reading.issues.last?.code == .tooManyMistakes)
    #expect(codes(String(repeating: "@", count: 100_000)).count <= 1000)
    #expect(codes("[" + String(repeating: "@,", count: 100_000)).last == .tooManyMistakes)
  }

  @Test("A cut manifest is never a manifest, wherever it is cut")
  func truncation() throws {
    for name in ManifestCases.good {
      var bytes = try ManifestCases.bytes(name)
      while bytes.last == UInt8(ascii: "\n") || bytes.last == UInt8(ascii: "\r")
        || bytes.last == UInt8(ascii: " ")
      { bytes.removeLast() }
      for length in stride(from: bytes.count - 1, through: 0, by: -Amount.of(11, all: 1)) {
        let reading = ManifestReader.read(Array(bytes[..<length]))
        #expect(reading.manifest == nil && !reading.issues.isEmpty, "\(name) at \(length)")
      }
    }
  }

  @Test("Damaged manifests: each is a manifest or has mistakes, and none ends the program")
  func mutations() throws {
    var generator = SeededGenerator(seed: 2026)
    let texts = try ManifestCases.good.map { try ManifestCases.bytes($0) }
    let alphabet = Array("{}[]\",:\\u0 \n/*#-+.e1tfn\u{0}\u{7F}".utf8) + [0xC3, 0xE2, 0xFF, 0x80]
    var refused = 0
    let count = Amount.of(500, all: 2000)
    for _ in 0..<count {
      var bytes = texts[Int(generator.next() % UInt64(texts.count))]
      for _ in 0...(generator.next() % 4) {
        let offset = Int(generator.next() % UInt64(bytes.count))
        let byte = alphabet[Int(generator.next() % UInt64(alphabet.count))]
        switch generator.next() % 5 {
        case 0: bytes[offset] = byte
        case 1: bytes.insert(byte, at: offset)
        case 2: bytes[offset] ^= 1 << (generator.next() % 8)
        case 3 where bytes.count > 8:
          bytes.removeSubrange(offset..<min(bytes.count, offset + 1 + Int(generator.next() % 7)))
        default:
          let end = min(bytes.count, offset + Int(generator.next() % 40))
          bytes.insert(contentsOf: bytes[offset..<end], at: offset)
        }
      }
      let reading = ManifestReader.read(bytes)
      #expect((reading.manifest == nil) == !reading.issues.isEmpty)
      if reading.manifest == nil { refused += 1 }
    }
    // Most damage is seen; what is not fell into a name or white space.
    #expect(refused > count / 2)
  }

  @Test(
    "A damaged manifest is accepted only where two other JSON readers accept it",
    .enabled(if: Tool.exists("python3"), "no python3")
  )
  func readsNothingThatIsNotJSON() throws {
    var generator = SeededGenerator(seed: 7)
    let folder = TemporaryFolder()
    let base = try ManifestCases.bytes("good/every-key.json")
    var accepted: [String] = []
    let count = Amount.of(500, all: 1500)
    for number in 0..<count {
      var bytes = base
      let offset = Int(generator.next() % UInt64(bytes.count))
      bytes[offset] = UInt8(truncatingIfNeeded: generator.next())
      guard ManifestReader.read(bytes).manifest != nil else { continue }
      let path = folder.path + "/\(number).json"
      try writeBytes(bytes, path)
      accepted.append(path)
    }
    #expect(accepted.count > count / 30)
    let script =
      "import json,sys\nfor p in sys.argv[1:]: json.loads(open(p,'rb').read().decode('utf-8'))"
    let result = try Tool.run("python3", ["-c", script] + accepted)
    #expect(result.status == 0, "\(result.error)")
  }
}
