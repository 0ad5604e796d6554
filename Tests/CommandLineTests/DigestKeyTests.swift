import Foundation
import MediaModel
import MediaTestSupport
import Testing

@Suite("The key of a library's digests", .enabled(if: Has.sqlite, "no sqlite3"))
struct DigestKeyTests {
  private func stripped() throws -> Scene {
    let scene = Scene(policy: "strip")
    try scene.declare("camera")
    try scene.put("sources/camera/1.jpg", copyOf: Samples.photo(1))
    try scene.run().expect(0)
    return scene
  }

  private func key(_ scene: Scene) throws -> String {
    let text = String(
      decoding: try readBytes(scene.library + "/.state/digest.key"),
      as: UTF8.self
    )
    let lines = text.split(separator: "\n")
    try #require(lines.count == 3 && lines[0] == "mediabatch.digestKey/1")
    return String(lines[2].dropFirst(4))
  }

  @Test("It lies in a file of its own that only its owner reads, and nowhere else")
  func ownFile() throws {
    let scene = try stripped()
    let mode = try Tool.run("stat", ["-c", "%a", ".state", ".state/digest.key"], in: scene.library)
    #expect(mode.output == "700\n600\n")
    let key = try key(scene)
    #expect(key.count == 64)
    // The digest of the source is the HMAC of its SHA-256 with this key, as openssl makes it.
    let digest = try Tool.run(
      "sh",
      [
        "-c",
        "openssl dgst -sha256 -binary 1.jpg | openssl dgst -sha256 -mac HMAC -macopt hexkey:\(key)",
      ],
      in: scene.at("sources/camera")
    )
    let stored = try scene.catalogue("SELECT lower(hex(sourceDigest)) FROM resources")
    #expect(digest.output.hasSuffix("= \(stored.first ?? "none")\n"))
    let found = try Tool.run(
      "grep",
      ["-rlaiF", key, ".", "--exclude-dir=.state"],
      in: scene.library
    )
    #expect(found.output == "")
    let raw = try #require(Hexadecimal.bytes(key))
    for name in ["library.sqlite", "library.sqlite-wal"] {
      let bytes = (try? readBytes(scene.library + "/" + name)) ?? []
      #expect(Data(bytes).range(of: Data(raw)) == nil, "\(name)")
    }
  }

  @Test("A lost catalogue does not lose it: a stripped photo is recognized under another name")
  func survivesTheCatalogue() throws {
    let scene = try stripped()
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    try scene.put("sources/camera/again.jpg", copyOf: Samples.photo(1))
    try scene.run().expectCounts(["unchanged": 1, "duplicate": 1])
    try scene.expectVerified()
  }

  @Test(
    "A library of before gets the file, also when a migration was stopped after writing it",
    arguments: [false, true]
  )
  func migrates(isWritten: Bool) throws {
    let scene = try stripped()
    let key = try key(scene)
    try scene.undoMigrations(after: 4)
    if !isWritten { try FileManager.default.removeItem(atPath: scene.library + "/.state") }
    try scene.put("sources/camera/again.jpg", copyOf: Samples.photo(1))
    try scene.run().expectCounts(["unchanged": 1, "duplicate": 1])
    #expect(try self.key(scene) == key)
    #expect(
      try scene.catalogue("SELECT count(*) FROM pragma_table_info('meta') WHERE name = 'digestKey'")
        == ["0"]
    )
    let bytes = try readBytes(scene.library + "/library.sqlite")
    let raw = try #require(Hexadecimal.bytes(key))
    #expect(Data(bytes).range(of: Data(raw)) == nil)
    try scene.expectVerified()
  }

  @Test("Without it a run stops and says so; a rebuild makes a new one and says what that means")
  func lost() throws {
    let scene = try stripped()
    let before = try key(scene)
    try FileManager.default.removeItem(atPath: scene.library + "/.state")
    let run = try scene.run()
    try run.expect(70)
    #expect(run.said.contains(".state/digest.key"))
    let rebuild = try scene.rebuild()
    try rebuild.expect(0)
    #expect(try rebuild.notKnown()["digestKey"] == 1)
    #expect(try key(scene) != before)
    try scene.run().expectCounts(["unchanged": 1])
    try scene.expectVerified()
  }

  @Test("Another library's is refused, and neither is changed")
  func mixedUp() throws {
    let (scene, other) = (try stripped(), try stripped())
    let foreign = try readBytes(other.library + "/.state/digest.key")
    try scene.put("Library/.state/digest.key", foreign)
    try scene.run().expect(70)
    try scene.rebuild().expect(70)
    #expect(try readBytes(scene.library + "/.state/digest.key") == foreign)
  }
}
