import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// What another version of the program wrote, before the first release or after this one.
@Suite("Libraries and answers of other versions", .enabled(if: Has.sqlite, "no sqlite3"))
struct OtherVersionTests {
  /// The commands that open a library.
  private static let commands = [
    ["run", "manifest.json"], ["verify", "Library"], ["verify", "--repairable", "Library"],
    ["audit", "verify", "Library"], ["audit", "export", "Library"],
    ["audit", "prove", "Library", "--record", "1"], ["report", "Library"], ["list", "Library"],
    ["rebuild", "Library"], ["repair", "Library"], ["repair", "Library", "--superseded"],
    ["run", "manifest.json", "--dry-run"], ["check", "manifest.json"],
  ]

  private static let restoringName =
    "DELETE FROM grdb_migrations; INSERT INTO grdb_migrations VALUES ('1 library')"

  /// A library with a photo, under `strip` with private facts.
  private func scene() throws -> Scene {
    let scene = Scene(policy: "strip")
    scene.manifest["catalogue"] = ["privateFacts": true]
    try scene.declare("camera")
    try scene.put("sources/camera/1.jpg", try Media.photo("1"))
    try scene.run().expect(0)
    return scene
  }

  /// The files of the library but the lock, which names its holder, and what SQLite keeps beside its databases.
  private func content(_ scene: Scene) throws -> [String: String] {
    try scene.digests("Library").filter { path, _ in
      path != ".lock" && !path.hasSuffix("-wal") && !path.hasSuffix("-shm")
    }
  }

  private func expectRefused(_ outcome: Outcome, _ command: [String]) {
    #expect(outcome.code == 76, "\(command): \(outcome.streams)")
    let text = outcome.streams.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("by another version of mediabatch"), "\(command): \(text)")
    #expect(text.contains("import again into a new library"), "\(command): \(text)")
  }

  @Test(
    "A catalogue of another schema is refused with 76 by every command, and stays as it is",
    arguments: [
      ("INSERT INTO grdb_migrations VALUES ('99 what nobody knows yet')", restoringName),
      ("UPDATE grdb_migrations SET identifier = '18 source albums'", restoringName),
      // As it was before sources had names.
      (
        "ALTER TABLE items RENAME COLUMN sourceName TO other",
        "ALTER TABLE items RENAME COLUMN other TO sourceName"
      ),
    ]
  )
  func catalogue(change: String, back: String) throws {
    let scene = try scene()
    _ = try scene.catalogue(change)
    _ = try scene.catalogue("PRAGMA wal_checkpoint(TRUNCATE)")
    let before = try content(scene)
    for command in Self.commands { expectRefused(try scene.command(command), command) }
    for verify in [["verify", "Library"], ["verify", "--repairable", "Library"]] {
      let told = try scene.command(verify + ["--format", "json"]).json()
      #expect(told["exitCode"].int == 76 && told["ok"].bool == false)
      #expect(told["problems"].array.first?.string?.contains("by another version of mediabatch") == true)
    }
    let run = try scene.run()
    #expect(try run.json()["exitCode"].int == 76)
    #expect(try run.problems() == ["unknownSchema"])
    #expect(try content(scene) == before)
    _ = try scene.catalogue(back)
    try scene.run().expectCounts(["unchanged": 1])
    try scene.expectVerified()
  }

  @Test("Private facts of another version are refused with 76, and stay as they are")
  func privateFacts() throws {
    let scene = try scene()
    let facts = scene.library + "/private.sqlite"
    // As the first form was: rows without digests.
    let result = try Tool.run(
      "sqlite3",
      [
        facts,
        "DROP TABLE tableSums; ALTER TABLE facts DROP COLUMN digest; PRAGMA user_version = 1",
        "PRAGMA wal_checkpoint(TRUNCATE)",
      ]
    )
    try #require(result.status == 0, "\(result.error)")
    let before = try readBytes(facts)
    for command in [["run", "manifest.json"], ["verify", "Library"], ["list", "Library"]] {
      expectRefused(try scene.command(command), command)
    }
    #expect(try readBytes(facts) == before)
  }

  @Test("A log of another format differs in its first record, and stays as it is")
  func log() throws {
    let scene = try scene()
    let log = try #require(try scene.logFiles().first)
    let lines = log.lines.map {
      $0.replacing("\"schema\":\"mediabatch.audit/2\"", with: "\"schema\":\"mediabatch.audit/1\"")
    }
    try #require(lines != log.lines)
    try scene.put("Library/Audit/" + log.name, lines.joined(separator: "\n") + "\n")
    let before = try content(scene)
    let audit = try scene.command("audit", "verify", "Library")
    #expect(audit.code == 65, "\(audit.streams)")
    #expect(audit.streams.contains("\(log.name), line 1"), "\(audit.streams)")
    try scene.command("verify", "Library").expect(65)
    #expect(try content(scene) == before)
  }

  @Test(
    "Answers of another version are refused with 76, and a manifest of a later one with 78",
    arguments: [2, 4]
  )
  func answers(version: Int) throws {
    let scene = Scene()
    try scene.declare("camera", "notDetermined")
    try scene.put("sources/camera/1.jpg", try Media.photo("1"))
    scene.manifest["onNotDetermined"] = "ask"
    try scene.writeManifest()
    try scene.command("access", "grant", "manifest.json", "camera").expect(0)
    let store = scene.at("home/mediabatch/answers.sqlite")
    let result = try Tool.run("sqlite3", [store, "PRAGMA user_version = \(version)"])
    try #require(result.status == 0)
    let before = try readBytes(store)
    for command in [
      ["access", "list"], ["access", "explain", "manifest.json"], ["run", "manifest.json"],
      ["check", "manifest.json"], ["access", "deny", "manifest.json", "camera"],
    ] {
      let outcome = try scene.command(command)
      #expect(outcome.code == 76, "\(command): \(outcome.streams)")
      let text = outcome.streams.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(text.contains("Another version wrote the stored answers"), "\(command): \(text)")
    }
    #expect(try readBytes(store) == before)
    scene.manifest["version"] = 2
    let run = try scene.run()
    try run.expect(78)
    #expect(run.streams.contains("version"), "\(run.streams)")
  }
}
