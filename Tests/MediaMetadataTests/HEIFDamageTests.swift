import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Every good file, cut at every border and with every length set wrong.
@Suite("HEIC and AVIF: damage")
struct HEIFDamageTests {
  /// Where a box starts, by a walk that is not the one under test; and whether it has boxes.
  private static func borders(of bytes: [UInt8]) -> [Int] {
    let heads = ["meta": 4, "iinf": 6, "iref": 4, "stsd": 8, "dref": 8]
    let parents = [
      "moov", "trak", "mdia", "minf", "stbl", "iprp", "ipco", "dinf", "grpl", "edts", "tref",
    ]
    var offsets: [Int] = []
    func walk(_ range: Range<Int>) {
      var offset = range.lowerBound
      while offset + 8 <= range.upperBound {
        let size = bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
        guard size >= 8, offset + size <= range.upperBound else { return }
        offsets.append(offset)
        let type = String(decoding: bytes[(offset + 4)..<(offset + 8)], as: UTF8.self)
        if parents.contains(type) || heads[type] != nil {
          walk(min(offset + size, offset + 8 + (heads[type] ?? 0))..<(offset + size))
        }
        offset += size
      }
    }
    walk(0..<bytes.count)
    return offsets
  }

  /// Strips, or says why not; an output that does not pass its verification is a mistake.
  private func outcome(_ bytes: [UInt8], _ what: String) -> Bool {
    do {
      _ = try stripHEIF(bytes, StripOptions(except: [.hdrGainMap, .camera]))
      return true
    } catch {
      let code = (error as? MetadataError)?.code
      #expect(code != nil && code != .residue, "\(what): \(error)")
      return false
    }
  }

  private static func samples() throws -> [(name: String, bytes: [UInt8])] {
    let plant = HEIFCanaryTests.Canaries()
    let tiny = [
      ("still", HEIFCanaryTests.still(plant).bytes), ("avif", HEIFCanaryTests.avif(plant).bytes),
      (
        "sequence",
        TinySequence.file(plant, picture: HEIFCanaryTests.picture, alpha: HEIFCanaryTests.alpha)
          .bytes
      ),
    ]
    let real = Corpus.files(beneath: "visible").filter { path in
      [".heic", ".heif", ".avif"].contains { path.hasSuffix($0) } && !path.contains("/edge/")
    }
    return try tiny + real.map { ($0, try readBytes($0)) }.filter { $0.1.count < 100_000 }
  }

  @Test("Cut at every border, a file is refused or its output parses")
  func cut() throws {
    for (name, bytes) in try Self.samples() {
      let borders = Self.borders(of: bytes)
      #expect(borders.count > 10)
      var accepted = 0
      for border in borders where border > 0 {
        for offset in [border, border + 4, border + 8] {
          if outcome(Array(bytes[..<min(offset, bytes.count)]), "\(name) cut at \(offset)") {
            accepted += 1
          }
        }
      }
      // Only what stands behind the pictures may be missing.
      #expect(accepted < borders.count, "\(name)")
    }
  }

  @Test("With each length field 0, 1 and at its most, a file is refused or its output parses")
  func lengths() throws {
    for (name, bytes) in try Self.samples() {
      for border in Self.borders(of: bytes) {
        for value in [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF] {
          var changed = bytes
          changed.replaceSubrange(border..<(border + 4), with: big(value))
          _ = outcome(changed, "\(name): length at \(border) is \(value)")
        }
      }
    }
  }

  @Test("Any field of four bytes at its least and most costs no crash and little time")
  func fields() throws {
    for (name, bytes) in try Self.samples().prefix(3) {
      let seconds = processorSeconds {
        for offset in stride(from: 0, to: bytes.count - 4, by: Amount.of(21, all: 7)) {
          for value in [0, 0xFFFF_FFFF] {
            var changed = bytes
            changed.replaceSubrange(offset..<(offset + 4), with: big(value))
            _ = outcome(changed, "\(name): \(value) at \(offset)")
          }
        }
      }
      #expect(seconds < 120, "\(name)")
    }
  }

  @Test("A file that asks for the same bytes over and over is refused")
  func overlaps() throws {
    var file = HEIFFixture()
    file.properties = [TinyCoded.hvcC(), TinyCoded.ispe(8, 8)]
    let data = TinyCoded.nal(19, [UInt8](repeating: 1, count: 200_000))
    file.items = (1...200).map { number in
      .init(number: number, type: "hvc1", data: number == 1 ? data : [], properties: [-1, 2])
    }
    file.items.append(.init(number: 201, type: "grid", data: [0, 0, 9, 19, 0, 8, 0, 8]))
    file.primary = 201
    file.references = [("dimg", 201, Array(1...200))]
    var bytes = file.bytes
    let iloc =
      try #require(bytes.indices.first { bytes[$0...].starts(with: Array("iloc".utf8)) }) + 12
    for entry in 1..<200 {
      let offset = iloc + 16 * entry + 8
      bytes.replaceSubrange(offset..<(offset + 8), with: bytes[(iloc + 8)..<(iloc + 16)])
    }
    #expect(code { _ = try stripHEIF(bytes) } == .overLimit)
  }

  @Test("A file that says the same of its items over and over is refused")
  func repetition() {
    var file = HEIFFixture()
    file.properties = [TinyCoded.hvcC(), TinyCoded.ispe(8, 8)]
    let many = [Int](repeating: 2, count: 254)
    file.items = (1...1100).map { number in
      .init(number: number, type: "hvc1", data: TinyCoded.nal(19, [1]), properties: [-1] + many)
    }
    #expect(code { _ = try stripHEIF(file.bytes) } == .overLimit)
  }
}
