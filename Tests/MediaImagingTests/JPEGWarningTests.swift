import MediaContainers
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaImaging

/// Files of which libjpeg warns, as its own program says.
@Suite(
  "libjpeg's warnings",
  .enabled(if: Tool.exists("cjpeg") && Tool.exists("djpeg"), "no cjpeg and djpeg")
)
struct JPEGWarningTests {
  /// A small picture with its parts.
  private struct File {
    var bytes: [UInt8]

    init(_ bench: Bench, _ arguments: String...) throws {
      try bench.convert(
        "-size",
        "64x48",
        "gradient:#203080-#f0d060",
        "-fill",
        "#d02020",
        "-draw",
        "rectangle 0,0 20,12",
        "scene.ppm"
      )
      let result = try Tool.run(
        "cjpeg",
        ["-quality", "90"] + arguments + ["-outfile", "scene.jpg", "scene.ppm"],
        in: bench.folder.path
      )
      try #require(result.status == 0, "\(result.error)")
      bytes = try readBytes(bench.path("scene.jpg"))
    }

    /// The segments and the coded data, whose marker is 0.
    var parts: [(marker: UInt8, range: Range<Int>)] {
      bytes.withUnsafeBytes { bytes in
        var parts: [(UInt8, Range<Int>)] = []
        var parser = try? JPEGParser(ByteSource(bytes))
        while let element = try? parser?.next() {
          switch element {
          case .segment(let segment): parts.append((segment.marker, segment.range))
          case .entropyCodedData(let range): parts.append((0, range))
          case .skipped: break
          }
        }
        return parts
      }
    }

    func range(of marker: UInt8, _ number: Int = 0) throws -> Range<Int> {
      let ranges = parts.filter { $0.marker == marker }.map(\.range)
      return try #require(ranges.indices.contains(number) ? ranges[number] : nil)
    }

    func replacing(_ range: Range<Int>, _ other: [UInt8]) -> [UInt8] {
      Array(bytes[..<range.lowerBound]) + other + bytes[range.upperBound...]
    }

    /// With an Adobe segment in the place of another.
    func adobe(_ transform: UInt8, for marker: UInt8) throws -> [UInt8] {
      let segment = [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform]
      return replacing(try range(of: marker), segment)
    }

    /// With zeros in the place of what only progressive scans need.
    func withoutScanParameters() throws -> [UInt8] {
      var bytes = bytes
      for scan in parts.filter({ $0.marker == 0xDA }).map(\.range) {
        bytes.replaceSubrange((scan.upperBound - 3)..<scan.upperBound, with: [0, 0, 0])
      }
      return bytes
    }
  }

  /// What libjpeg's own program says of a file.
  private func warning(_ bytes: [UInt8], _ bench: Bench) throws -> String {
    try bench.write(bytes, "odd.jpg")
    return try Tool.run("djpeg", ["-outfile", "/dev/null", "odd.jpg"], in: bench.folder.path).error
  }

  /// That a file of which libjpeg warns looks like the plain one, at each of two scales.
  private func expectWhole(_ bytes: [UInt8], like plain: [UInt8], _ name: String, _ bench: Bench) throws {
    let text = try warning(bytes, bench)
    #expect(JPEGWarning.of(text)?.name == name, "\(text)")
    #expect(JPEGWarning.of(text)?.meaning != .missing, "\(text)")
    let thumbnailer = ImageThumbnailer()
    for box in [64, 9] {
      let wanted = try thumbnailer.thumbnails(of: plain, format: .jpeg, spec(box, box))
      #expect(try thumbnailer.thumbnails(of: bytes, format: .jpeg, spec(box, box)) == wanted, "\(name)")
    }
  }

  private func expectDamaged(_ bytes: [UInt8], _ name: String, _ bench: Bench) throws {
    let text = try warning(bytes, bench)
    #expect(JPEGWarning.of(text)?.name == name, "\(text)")
    #expect(JPEGWarning.of(text)?.meaning == .missing, "\(text)")
    #expect(ImageThumbnailer().code(of: bytes, format: .jpeg, spec(64, 64)) == .damaged, "\(name)")
  }

  @Test("Odd values in headers, and padding before the end, are no damage")
  func whole() throws {
    let bench = Bench()
    let file = try File(bench)
    var newer = file.bytes
    newer[try file.range(of: 0xE0).lowerBound + 9] = 3
    try expectWhole(newer, like: file.bytes, "JWRN_JFIF_MAJOR", bench)
    try expectWhole(try file.withoutScanParameters(), like: file.bytes, "JWRN_NOT_SEQUENTIAL", bench)
    let end = try file.range(of: 0xD9)
    let padded = file.replacing(end.lowerBound..<end.lowerBound, Array(repeating: 0, count: 16))
    try expectWhole(padded, like: file.bytes, "JWRN_EXTRANEOUS_DATA", bench)
    let plain = try file.adobe(1, for: 0xE0)
    for transform: UInt8 in [2, 3, 255] {
      try expectWhole(try file.adobe(transform, for: 0xE0), like: plain, "JWRN_ADOBE_XFORM", bench)
    }
    // Scans of one component each.
    try bench.write(Array("0;\n1;\n2;\n".utf8), "scans.txt")
    let scans = try File(bench, "-scans", "scans.txt")
    try expectWhole(try scans.withoutScanParameters(), like: scans.bytes, "JWRN_NOT_SEQUENTIAL", bench)
  }

  @Test("Ink with an unknown transform is what it is with the usual one")
  func ink() throws {
    let bench = Bench()
    var file = try File(bench)
    try bench.convert("scene.ppm", "-colorspace", "CMYK", "ink.jpg")
    file.bytes = try readBytes(bench.path("ink.jpg"))
    let usual = try file.adobe(2, for: 0xEE)
    try expectWhole(try file.adobe(7, for: 0xEE), like: usual, "JWRN_ADOBE_XFORM", bench)
  }

  @Test("A profile in pieces that do not fit is no damage, and is told by no decoding")
  func profile() throws {
    let bench = Bench()
    let file = try File(bench)
    let body = Array("ICC_PROFILE\0".utf8) + [2, 1] + [UInt8](repeating: 0x41, count: 20)
    let bytes = file.replacing(2..<2, [0xFF, 0xE2, 0, UInt8(body.count + 2)] + body)
    #expect(ImageThumbnailer().code(of: bytes, format: .jpeg, spec(64, 64)) == nil)
    let table = Dictionary(JPEGWarning.table.map { ($0.text, $0.meaning) }) { first, _ in first }
    #expect(table["bad ICC marker"] == .harmless)
  }

  @Test("Coded data that are missing, or that no block has taken, are damage")
  func missing() throws {
    let bench = Bench()
    let file = try File(bench)
    let data = try file.range(of: 0)
    let half = (data.lowerBound + data.upperBound) / 2..<data.upperBound
    try expectDamaged(file.replacing(half, []), "JWRN_HIT_MARKER", bench)
    try expectDamaged(Array(file.bytes[..<half.lowerBound]), "JWRN_JPEG_EOF", bench)
    let ones = Array(repeating: [0xFF, 0] as [UInt8], count: half.count / 2).flatMap(\.self)
    try expectDamaged(file.replacing(half, ones), "JWRN_HUFF_BAD_CODE", bench)

    let restarts = try File(bench, "-restart", "1")
    let second = try #require(
      restarts.bytes.indices.dropLast().first {
        restarts.bytes[$0] == 0xFF && restarts.bytes[$0 + 1] == 0xD1
      }
    )
    try expectDamaged(restarts.replacing(second..<(second + 2), [0xFF, 0xD4]), "JWRN_MUST_RESYNC", bench)
    let more = restarts.replacing(second..<second, Array(repeating: 0x11, count: 16))
    try expectDamaged(more, "JWRN_EXTRANEOUS_DATA", bench)

    let progressive = try File(bench, "-progressive")
    let lost = try progressive.range(of: 0xDA, 1).lowerBound..<progressive.range(of: 0, 1).upperBound
    try expectDamaged(progressive.replacing(lost, []), "JWRN_BOGUS_PROGRESSION", bench)
  }

  @Test("An arithmetic code that nobody writes is damage")
  func arithmetic() throws {
    let bench = Bench()
    let file = try File(bench, "-arithmetic")
    let data = try file.range(of: 0)
    var random = SeededGenerator(seed: 1)
    // About one of a thousand has one; the others end in padding.
    for _ in 0..<5000 {
      let noise = data.map { _ in UInt8.random(in: 0...254, using: &random) }
      let bytes = file.replacing(data, noise)
      let code = ImageThumbnailer().code(of: bytes, format: .jpeg, spec(64, 64))
      guard code == .damaged else { continue }
      let text = try warning(bytes, bench)
      guard text.contains("bad arithmetic code") else { continue }
      return try expectDamaged(bytes, "JWRN_ARITH_BAD_CODE", bench)
    }
    Issue.record("no bad code")
  }

  @Test("A warning about a header hides none about samples")
  func hidden() throws {
    let bench = Bench()
    let file = try File(bench)
    var cut = file
    let data = try file.range(of: 0)
    cut.bytes = file.replacing((data.lowerBound + data.count / 2)..<data.upperBound, [])
    for bytes in [try cut.adobe(2, for: 0xE0), try cut.withoutScanParameters()] {
      #expect(JPEGWarning.of(try warning(bytes, bench))?.meaning == .oddValue)
      #expect(ImageThumbnailer().code(of: bytes, format: .jpeg, spec(64, 64)) == .damaged)
      let accepted = try bytes.withUnsafeBytes { bytes in
        try ImageThumbnailer().thumbnails(
          of: bytes,
          format: .jpeg,
          orientation: 1,
          specifications: [spec(64, 64)],
          acceptDamaged: true
        )
      }
      #expect(accepted.count == 1)
    }
  }

  @Test("Each warning of libjpeg has a meaning", .enabled(if: JPEGWarningTests.header != nil, "no jerror.h"))
  func table() throws {
    let names = try #require(Self.header).split(separator: "\n").compactMap { line -> String? in
      guard line.hasPrefix("JMESSAGE(JWRN_") else { return nil }
      return line.dropFirst("JMESSAGE(".count).split(separator: ",").first.map(String.init)
    }
    #expect(!names.isEmpty && Set(names) == Set(JPEGWarning.table.map(\.name)))
  }

  private static let header = (try? readBytes("/usr/include/jerror.h")).map {
    String(decoding: $0, as: UTF8.self)
  }
}
