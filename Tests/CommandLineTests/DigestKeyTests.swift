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
    let text = String(decoding: try readBytes(scene.library + "/.state/digest.key"), as: UTF8.self)
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
    let result = try Tool.run("grep", ["-rlaiF", key, ".", "--exclude-dir=.state"], in: scene.library)
    #expect(result.output == "")
    let raw = try #require(Hexadecimal.bytes(key))
    for name in ["library.sqlite", "library.sqlite-wal"] {
      let bytes = (try? readBytes(scene.library + "/" + name)) ?? []
      #expect(Data(bytes).range(of: Data(raw)) == nil, "\(name)")
    }
  }

  @Test(
    "Who may not read it is told that it was not compared",
    .enabled(if: Tool.exists("setpriv"), "no setpriv")
  )
  func unreadKey() throws {
    let scene = try stripped()
    // Root may read every file, unless it is without these capabilities.
    let outcome = try scene.shell(
      """
      chmod 0 Library/.state/digest.key; drop=
      [ "$(id -u)" != 0 ] || drop="setpriv --bounding-set=-dac_override,-dac_read_search"
      $drop "$mediabatch" verify Library
      """
    )
    try outcome.expect(0)
    #expect(
      outcome.output.contains(
        "unread: .state/digest.key: it could not be read, and was not compared: open "
          + "\".state/digest.key\": Permission denied\n"
      ),
      "\(outcome.streams)"
    )
    #expect(outcome.output.hasSuffix("all as they were written; 1 more could not be read.\n"))
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

  @Test("Without it a run stops and says so; a rebuild makes a new one and says what that means")
  func lost() throws {
    let scene = try stripped()
    let before = try key(scene)
    try FileManager.default.removeItem(atPath: scene.library + "/.state")
    let run = try scene.run()
    try run.expect(70)
    #expect(run.streams.contains(".state/digest.key"))
    let rebuild = try scene.rebuild()
    try rebuild.expect(0)
    #expect(try rebuild.unknownCounts()["digestKey"] == 1)
    #expect(try key(scene) != before)
    try scene.run().expectCounts(["unchanged": 1])
    try scene.expectVerified()
  }

  /// What happens to the file of a key; the number is the offset of a byte.
  enum Damage: CustomTestStringConvertible {
    case flip(Int, bit: UInt8)
    case length(Int)
    case missing, link, folder

    /// In the schema, in the identifier, in the word, at both ends of the digits, and the end of the line.
    static let all: [Damage] =
      [
        .flip(5, bit: 1), .flip(31, bit: 1), .flip(68, bit: 2), .flip(72, bit: 1),
        .flip(135, bit: 1), .flip(136, bit: 0x20),
      ] + [.length(0), .length(100), .missing, .link, .folder]

    /// Whether the digits of the key are there.
    var leavesKey: Bool {
      switch self {
      case .flip(let offset, _): offset < 72 || offset == 136
      case .length, .missing, .link, .folder: false
      }
    }

    var testDescription: String { "\(self)" }

    func apply(to file: String) throws {
      var bytes = try readBytes(file)
      try #require(bytes.count == 137)
      try FileManager.default.removeItem(atPath: file)
      switch self {
      case .flip(let offset, let bit): bytes[offset] ^= bit
      case .length(let count): bytes = Array(bytes.prefix(count))
      case .missing: return
      case .link:
        try Data(bytes).write(to: URL(fileURLWithPath: file + ".elsewhere"))
        return try FileManager.default.createSymbolicLink(
          atPath: file,
          withDestinationPath: file + ".elsewhere"
        )
      case .folder:
        return try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
      }
      try Data(bytes).write(to: URL(fileURLWithPath: file))
    }
  }

  @Test(
    "Damage of it is named, stops a run before anything is imported twice, and is mended by a rebuild",
    arguments: Damage.all
  )
  func damaged(damage: Damage) throws {
    let scene = try stripped()
    let file = scene.library + "/.state/digest.key"
    let before = try key(scene)
    try damage.apply(to: file)
    let verify = try scene.command("verify", scene.library)
    try verify.expect(65)
    #expect(verify.output.contains(".state/digest.key"))
    let plan = try scene.command("verify", scene.library, "--repairable")
    try plan.expect(65)
    #expect(plan.output.contains("left: ") && plan.output.contains(".state/digest.key"))
    try scene.command("repair", scene.library).expect(65)
    try FileManager.default.moveItem(
      atPath: scene.at("sources/camera/1.jpg"),
      toPath: scene.at("sources/camera/moved.jpg")
    )
    let run = try scene.run()
    try run.expect(70)
    #expect(run.streams.contains(".state/digest.key"))
    #expect(try scene.originals().count == 1)
    // A lost catalogue does not take away what tells the key: the log has it too.
    if damage.leavesKey { try scene.removeCatalogue() }
    let rebuild = try scene.rebuild()
    try rebuild.expect(0)
    #expect(try rebuild.unknownCounts()["digestKey"] == (damage.leavesKey ? nil : 1))
    #expect(try (key(scene) == before) == damage.leavesKey)
    try scene.expectVerified()
    let next = try scene.run()
    try next.expect(0)
    #expect(try scene.originals().count == (damage.leavesKey ? 1 : 2))
    try scene.expectVerified()
  }

  @Test("Catalogue and log have its check value, as openssl makes it; a library of before gets it")
  func checkValue() throws {
    let scene = try stripped()
    let library = try #require(try scene.catalogue("SELECT identifier FROM meta").first)
    let result = try Tool.run(
      "sh",
      [
        "-c",
        "printf 'mediabatch.digestKey/1 \(library)' "
          + "| openssl dgst -sha256 -mac HMAC -macopt hexkey:\(try key(scene))",
      ]
    )
    let check = try #require(result.output.split(separator: " ").last)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(check.count == 64)
    #expect(try scene.lastLog().first?["digestKeyCheck"].string == check)
    #expect(try scene.catalogue("SELECT name, value FROM keyChecks") == ["digestKey|\(check)"])
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
