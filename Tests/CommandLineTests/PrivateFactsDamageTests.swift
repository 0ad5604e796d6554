import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Damaged private facts", .enabled(if: Has.sqlite, "no sqlite3"))
struct PrivateFactsDamageTests {
  /// A stripped library of three photos with private facts.
  private func scene() throws -> Scene {
    let scene = Scene(policy: "strip")
    try scene.declare("camera")
    scene.manifest["catalogue"] = ["privateFacts": true]
    try scene.putPhotos(1...3)
    try scene.run().expect(0)
    #expect(try facts(scene, "SELECT count(*) FROM facts") == ["3"])
    try scene.expectVerified()
    return scene
  }

  private func facts(_ scene: Scene, _ sql: String) throws -> [String] {
    let result = try Tool.run("sqlite3", [scene.library + "/private.sqlite", sql])
    try #require(result.status == 0, "\(result.error)")
    return result.output.split(separator: "\n").map(String.init)
  }

  /// The file that a repair has moved aside.
  private func quarantined(_ scene: Scene) throws -> String {
    let folder = scene.library + "/Quarantine"
    let run = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
    return "\(folder)/\(run)/private.sqlite"
  }

  @Test("A value that another program changed is named, and a repair keeps the other rows")
  func changedValue() throws {
    let scene = try scene()
    let changed = try #require(try facts(scene, "SELECT min(localIdentifier) FROM facts").first)
    _ = try facts(scene, "UPDATE facts SET camera = 'Other' WHERE localIdentifier = '\(changed)'")
    let damaged = try facts(scene, "SELECT * FROM facts")
    let verify = try scene.command("verify", scene.library)
    try verify.expect(65)
    #expect(verify.output.contains("private.sqlite: the row of facts"), "\(verify.streams)")
    let plan = try scene.command("verify", scene.library, "--repairable")
    #expect(plan.code == 65 && plan.output == "quarantined: private.sqlite\n", "\(plan.streams)")
    let repair = try scene.command("repair", scene.library)
    try repair.expect(0)
    #expect(repair.output.hasPrefix("quarantined: private.sqlite\n"))
    #expect(try facts(scene, "SELECT count(*), sum(localIdentifier = '\(changed)') FROM facts") == ["2|0"])
    let aside = try Tool.run("sqlite3", [try quarantined(scene), "SELECT * FROM facts"])
    #expect(aside.output.split(separator: "\n").map(String.init) == damaged)
    let record = try #require(try scene.lastLog().first { $0["event"].string == "quarantined" })
    #expect(record["output"]["path"].string == "private.sqlite")
    try scene.expectVerified()
    try scene.run().expectCounts(["unchanged": 3])
    try scene.expectVerified()
  }

  /// Damage that SQLite sees by itself.
  enum Damage: String, CaseIterable {
    case header = "dd if=/dev/zero of=private.sqlite bs=1 count=100 conv=notrunc 2>&1"
    case half = "truncate -s 8192 private.sqlite"
    case page = "dd if=/dev/zero of=private.sqlite bs=4096 seek=1 count=1 conv=notrunc 2>&1"
    case index = "sqlite3 private.sqlite 'DROP TABLE tableSums'"
  }

  @Test(
    "A file that SQLite cannot read is named, and runs go on after a repair",
    arguments: Damage.allCases
  )
  func unreadable(damage: Damage) throws {
    let scene = try scene()
    let shell = try Tool.run("sh", ["-c", damage.rawValue], in: scene.library)
    try #require(shell.status == 0, "\(shell.error)")
    let damaged = try readBytes(scene.library + "/private.sqlite")
    let verify = try scene.command("verify", scene.library)
    try verify.expect(65)
    #expect(verify.output.contains("private.sqlite: "), "\(verify.streams)")
    // A run that stores none needs none.
    scene.manifest["catalogue"] = nil
    try scene.run().expectCounts(["unchanged": 3])
    try scene.command("repair", scene.library).expect(0)
    #expect(try readBytes(quarantined(scene)) == damaged)
    try scene.expectVerified()
    scene.manifest["catalogue"] = ["privateFacts": true]
    try scene.putPhotos(4...4)
    try scene.run().expectCounts(["unchanged": 3, "imported": 1])
    #expect(try !facts(scene, "SELECT count(*) FROM facts").isEmpty)
    try scene.expectVerified()
  }

  @Test(
    "A link in the place of a file that SQLite keeps beside a database is named and not followed",
    arguments: ["private.sqlite", "library.sqlite"],
    ["-wal", "-shm", "-journal"]
  )
  func linkBeside(database: String, end: String) throws {
    let scene = try scene()
    let name = database + end
    let other = try scene.put("other", "")
    let shell = try Tool.run("sh", ["-c", "rm -f \(name) && ln -s ../other \(name)"], in: scene.library)
    try #require(shell.status == 0, "\(shell.error)")
    for command in ["list", "albums", "similar"] {
      let outcome = try scene.command(command, scene.library)
      #expect(outcome.code == 78, "\(command): \(outcome.streams)")
      #expect(outcome.error.contains("\(name) is no regular file"), "\(outcome.streams)")
    }
    let run = try scene.run()
    #expect(run.code == 78 && run.error.contains("\(name) is no regular file"), "\(run.streams)")
    let verify = try scene.command("verify", scene.library)
    try verify.expect(65)
    #expect(verify.output.contains("\(database): \(name) is no regular file"), "\(verify.streams)")
    if database == "private.sqlite" {
      let plan = try scene.command("verify", scene.library, "--repairable")
      #expect(plan.output.hasPrefix("left: \(name) is no regular file"), "\(plan.streams)")
    }
    #expect(try readBytes(other).isEmpty)
  }
}
