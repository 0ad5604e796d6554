import Foundation
import Glibc
import MediaModel
import MediaTestSupport
import Testing

@Suite("Names are bytes")
struct HostileNameTests {
  private static let names: [[UInt8]] = [
    [0xFF, 0xFE] + Array("bad.jpg".utf8), Array("half-\u{E9}".utf8.prefix(6)) + [0x2E, 0x6A],
    Array(String(repeating: "x", count: 251).utf8) + Array(".jpg".utf8),
    Array("new\nline.jpg".utf8), Array("esc\u{1B}[31mred.jpg".utf8), Array("bell\u{7}.jpg".utf8),
    Array("cafe\u{301}.jpg".utf8), Array("caf\u{E9}.jpg".utf8), Array("-rf.jpg".utf8),
    Array("msl:x.jpg".utf8), Array("x.jpg[0]".utf8), Array("@x.jpg".utf8), Array("%d.jpg".utf8),
    Array("%41.jpg".utf8), Array("%FF.jpg".utf8), Array("A.jpg".utf8),
    Array("right\u{202E}gpj.exe".utf8), Array("trailing.".utf8), Array("trailing ".utf8),
    Array("case.JPG".utf8), Array("CASE.jpg".utf8), Array("..jpg".utf8), Array("...".utf8),
    Array("::error file=a::b.jpg".utf8), Array("]]>.jpg".utf8), Array("=cmd().jpg".utf8),
    Array("\"quoted\\.jpg".utf8), Array("'; rm -rf .jpg".utf8), Array("con.jpg".utf8),
    Array("👩‍👩‍👧‍👦.jpg".utf8),
  ]

  /// A scene whose camera has a different picture under each name.
  private func scene() throws -> Scene {
    let scene = Scene(policy: "strip")
    try scene.declare("camera")
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    let photo = try readBytes(Samples.photo(1))
    for (index, name) in Self.names.enumerated() {
      let path = Array(scene.at("sources/camera/").utf8) + name + [0]
      let bytes = photo + Array("\(index)".utf8)
      let descriptor = path.withUnsafeBufferPointer { buffer in
        buffer.withMemoryRebound(to: CChar.self) { name in
          name.baseAddress.map { open($0, O_WRONLY | O_CREAT | O_EXCL, 0o644) } ?? -1
        }
      }
      try #require(descriptor >= 0, "\(name)")
      let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      close(descriptor)
      try #require(written == bytes.count)
    }
    return scene
  }

  private func expectNothingRaw(_ text: String) {
    for scalar in text.unicodeScalars where scalar != "\n" {
      let isSafe = EscapedText.isPrintable(scalar)
      if !isSafe { Issue.record("U+\(String(scalar.value, radix: 16)) in: \(text.prefix(300))") }
    }
  }

  @Test("Every name is imported once, under a label that is safe, and nothing raw is printed")
  func imported() throws {
    let scene = try scene()
    let plan = try scene.command("run", "--dry-run", try scene.writeManifest())
    #expect(plan.code == 0)
    expectNothingRaw(plan.said)
    let outcome = try scene.command("run", scene.manifestPath)
    #expect(outcome.code == 0, "\(outcome.said)")
    expectNothingRaw(outcome.said)
    let originals = try scene.originals()
    #expect(originals.count == Self.names.count)
    for original in originals {
      let name = (original.path as NSString).lastPathComponent
      #expect(name.utf8.count <= 204 && !name.hasPrefix(".") && !name.contains("\n"))
      expectNothingRaw(name.replacingOccurrences(of: "\u{200D}", with: ""))
      #expect(name.precomposedStringWithCanonicalMapping.utf8.elementsEqual(name.utf8))
    }
    let paths = try scene.catalogue("SELECT hex(path) FROM items ORDER BY path")
    let expected = Self.names.sorted { $0.lexicographicallyPrecedes($1) }
      .map { $0.map { String(format: "%02X", $0) }.joined() }
    #expect(paths == expected)
    try scene.expectVerified()
    let again = try scene.run()
    try again.expectCounts(["unchanged": Self.names.count])
  }

  @Test("Failures under such names stay one JSON object, and harmless text")
  func failures() throws {
    let scene = try scene()
    scene.setThumbnails([])
    for name in try FileManager.default.contentsOfDirectory(atPath: scene.at("sources/camera")) {
      // Those that Foundation can open are cut, so that they fail.
      truncate(scene.at("sources/camera/" + name), 3000)
    }
    let outcome = try scene.run()
    #expect(outcome.code == 3)
    #expect(try outcome.count("failed") >= Self.names.count - 3)
    let text = try scene.command("run", scene.manifestPath)
    expectNothingRaw(text.said)
  }
}
