import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Opens what the program of an earlier commit has left, with every command.
@Suite(
  "Libraries of earlier and later versions",
  .serialized,
  .enabled(if: Has.sqlite && Tool.exists("tar"), "no sqlite3 or tar")
)
struct MigrationTests {
  private static let migrated = "18 source albums → 19 key checks"

  @Test(
    "Looking at an earlier library finds nothing wrong and changes nothing",
    arguments: EarlierFixture.commits
  )
  func looks(commit: String) throws {
    for library in ["Library", "Killed"] {
      let fixture = try EarlierFixture(commit, library: library)
      let before = try fixture.catalogue(".dump")
      let verify = try fixture.command("verify", fixture.library)
      #expect(verify.code == 0, "\(library): \(verify.streams)")
      #expect(verify.output.contains("unfinished: ") == (library == "Killed"), "\(verify.streams)")
      #expect(verify.output.contains("superseded: ") == (library == "Library"), "\(verify.streams)")
      let live = try fixture.command(
        "list",
        fixture.library,
        "--where",
        "(mediaSubtypes & photoLive) != 0"
      )
      #expect(live.code == 0, "\(library): \(live.streams)")
      let list = try fixture.command("list", fixture.library, "--where", "ANY people == 'Ann'")
      #expect(list.code == 0, "\(library): \(list.streams)")
      let audit = try fixture.command("audit", "verify", fixture.library)
      #expect(audit.code == 0, "\(library): \(audit.streams)")
      let report = try fixture.command("report", fixture.library, "--format", "json")
      #expect(report.code == 0, "\(library): \(report.streams)")
      #expect(try report.json()["runs"].array.count >= 1)
      #expect(try fixture.command("verify", "--repairable", fixture.library).code == 0)
      #expect(try fixture.catalogue(".dump") == before)
      #expect(try fixture.migrations().hasSuffix("18 source albums\n"))
    }
  }

  @Test(
    "Answers that an earlier program stored are listed; a denial counts, a grant of another folder does not",
    arguments: EarlierFixture.commits
  )
  func readsAnswers(commit: String) throws {
    let fixture = try EarlierFixture(commit)
    try fixture.command("check", "manifest.json").expect(0)
    let list = try fixture.command("access", "list", "asking.json", "--format", "json")
    try list.expect(0)
    for word in ["camera", "library", "microphone", "IMG_*", "authorized", "limited", "denied"] {
      #expect(list.output.contains(word), "\(word) in \(list.streams)")
    }
    let microphone = try fixture.command("access", "explain", "asking.json", "microphone")
    #expect(microphone.output.contains("row 5"), "\(microphone.streams)")
    let camera = try fixture.command("access", "explain", "asking.json", "camera")
    #expect(camera.output.contains("row 8"), "\(camera.streams)")
    // An answer of today stands beside those of before, in the same chain.
    try fixture.command("access", "grant", "asking.json", "camera").expect(0)
    let granted = try fixture.command("access", "explain", "asking.json", "camera")
    #expect(granted.output.contains("row 12"), "\(granted.streams)")
    // The answers that nobody touched are those of before, with their selections.
    func others(_ outcome: Outcome) throws -> [NSDictionary] {
      try outcome.json()["answers"].array.filter { $0["source"].string != "camera" }
        .compactMap { $0.value as? NSDictionary }
    }
    let after = try fixture.command("access", "list", "asking.json", "--format", "json")
    #expect(try others(after) == others(list))
    #expect(try others(after).count == 2)
  }

  @Test(
    "A run goes on in an earlier library, and the log says how its schema changed",
    arguments: EarlierFixture.commits
  )
  func runs(commit: String) throws {
    let fixture = try EarlierFixture(commit)
    let run = try fixture.run()
    try run.expect(3)
    try run.expectCounts(["imported": 2, "unchanged": 7, "unsupported": 1, "failed": 1])
    #expect(try fixture.migrations().hasSuffix("19 key checks\n"))
    #expect(try fixture.migratedRecords() == [Self.migrated])
    // The private facts have digests from now on, and every column.
    let facts = fixture.library + "/private.sqlite"
    let damaged = "SELECT count(*) FROM facts WHERE digest IS NULL; PRAGMA user_version"
    let people = "; SELECT count(people) FROM facts"
    #expect(try Tool.run("sqlite3", ["-readonly", facts, damaged + people]).output == "0\n2\n0\n")
    try LibraryState.expectWhole(fixture.library)
    // A message is said once.
    let expected = ["unchanged": 9, "unsupported": 1, "failedBefore": 1]
    try fixture.run().expectCounts(expected)
    #expect(try fixture.migratedRecords() == [Self.migrated])
    let rebuild = try fixture.command("rebuild", fixture.library, "--format", "json")
    try rebuild.expect(0)
    #expect(try fixture.migratedRecords() == [Self.migrated])
    try fixture.run().expectCounts(expected)
    try LibraryState.expectWhole(fixture.library)
  }

  @Test(
    "A run that an earlier program was killed in is finished by this one",
    arguments: EarlierFixture.commits
  )
  func finishes(commit: String) throws {
    let fixture = try EarlierFixture(commit, library: "Killed")
    let run = try fixture.run()
    try run.expect(3)
    try run.expectCounts(["unchanged": 9, "unsupported": 1, "failed": 1])
    #expect(try fixture.migratedRecords() == [Self.migrated])
    try LibraryState.expectWhole(fixture.library)
    #expect(try fixture.catalogue("SELECT count(*) FROM assets") == "7\n")
  }

  @Test(
    "An earlier library is rebuilt, repaired and cleaned, with a record of its new schema",
    arguments: EarlierFixture.commits
  )
  func mends(commit: String) throws {
    for library in Amount.isAll ? ["Library", "Killed"] : ["Killed"] {
      let fixture = try EarlierFixture(commit, library: library)
      let rebuild = try fixture.command("rebuild", fixture.library, "--format", "json")
      try rebuild.expect(0)
      #expect(try rebuild.rowDifferences().isEmpty)
      #expect(try fixture.migrations().hasSuffix("19 key checks\n"))
      #expect(try fixture.migratedRecords() == [Self.migrated])
      try fixture.run().expect(3)
      #expect(try fixture.migratedRecords() == [Self.migrated])
      try LibraryState.expectWhole(fixture.library)
      #expect(try fixture.catalogue("SELECT count(*) FROM assets") == "7\n")

      let cleaned = try EarlierFixture(commit, library: library)
      try cleaned.command("clean", cleaned.library).expect(0)
      #expect(try cleaned.migratedRecords() == [Self.migrated])
      try LibraryState.expectWhole(cleaned.library)
    }
  }

  @Test(
    "An earlier library that is migrated has the tables, columns and indexes of a new one",
    arguments: EarlierFixture.commits
  )
  func hasTheSchemaOfANewOne(commit: String) throws {
    let earlier = try EarlierFixture(commit)
    try earlier.run().expect(3)
    let new = Scene()
    try new.declare("camera")
    try new.put("sources/camera/1.jpg", try Media.photo("1"))
    try new.run().expect(0)
    for question in [
      """
      SELECT entries.type, entries.name, columns.* FROM sqlite_schema AS entries
      LEFT JOIN pragma_table_xinfo(entries.name) AS columns ORDER BY entries.name, columns.cid
      """,
      """
      SELECT tables.name, keys.* FROM sqlite_schema AS tables
      JOIN pragma_foreign_key_list(tables.name) AS keys ORDER BY tables.name, keys.id, keys.seq
      """,
      """
      SELECT tables.name, indexes.name, indexes."unique", indexes.partial, columns.*
      FROM sqlite_schema AS tables JOIN pragma_index_list(tables.name) AS indexes
      JOIN pragma_index_xinfo(indexes.name) AS columns WHERE tables.type = 'table'
      ORDER BY indexes.name, columns.seqno
      """,
      "SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main' ORDER BY name",
      "SELECT name, sql FROM sqlite_schema WHERE type IN ('view', 'index') ORDER BY name",
      "SELECT identifier FROM grdb_migrations ORDER BY rowid",
    ] {
      let answer = try earlier.catalogue(question).split(separator: "\n").map(String.init)
      #expect(!answer.isEmpty)
      #expect(try new.catalogue(question) == answer)
    }
  }

  @Test(
    "A migration that is killed leaves the catalogue as it was, and the next run does it",
    .enabled(if: Has.strace, "no strace")
  )
  func isKilled() throws {
    // The calls that write the catalogue, its log and the key while it is opened.
    // In the middle of the transaction, after it, and before the catalogue notes that it is recorded.
    let few = [("pwrite64", 25), ("fdatasync", 6), ("fdatasync", 11)]
    let all = [("pwrite64", 60), ("fdatasync", 13), ("syncfs", 3), ("ftruncate", 4)]
      .flatMap { call, last in (1...last).map { (call, $0) } }
    let moments: [(String, Int)] = Amount.isAll ? all : few
    var states: Set<String> = []
    for (call, number) in moments {
      let fixture = try EarlierFixture("4853cd3")
      let before = try fixture.catalogue(".dump")
      let run = ["run", "manifest.json", "--format", "json"]
      let first = try RunMoment(call: call, number: number).kill(run, in: fixture.root.path)
      try first.wait()
      #expect(first.wasKilled, "\(call) number \(number)")
      let migrations = try fixture.migrations()
      states.insert(String(migrations.split(separator: "\n").last ?? ""))
      if !migrations.contains("19 ") {
        #expect(try fixture.catalogue(".dump") == before, "\(call) number \(number)")
      }
      let verify = try fixture.command("verify", fixture.library)
      #expect(verify.code == 0, "\(call) number \(number): \(verify.streams)")
      try fixture.run().expect(3)
      // Another follows one that could not be noted in the catalogue.
      let records = try fixture.migratedRecords()
      #expect(records.count <= 2 && Set(records) == [Self.migrated], "\(call) number \(number)")
      try LibraryState.expectWhole(fixture.library)
    }
    #expect(states == ["18 source albums", "19 key checks"])
  }

  @Test("A library of a later version is refused with 76 by every command, and stays as it is")
  func refusesLater() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/1.jpg", try Media.photo("1"))
    try scene.run().expect(0)
    _ = try scene.catalogue("INSERT INTO grdb_migrations VALUES ('99 what nobody knows yet')")
    _ = try scene.catalogue("PRAGMA wal_checkpoint(TRUNCATE)")
    let before = try scene.digests("Library")
    let commands = [
      ["run", "manifest.json"], ["verify", "Library"], ["verify", "--repairable", "Library"],
      ["audit", "verify", "Library"], ["audit", "export", "Library"],
      ["audit", "prove", "Library", "--record", "1"], ["report", "Library"],
      ["rebuild", "Library"],
      ["repair", "Library"], ["clean", "Library"], ["run", "manifest.json", "--dry-run"],
      ["check", "manifest.json"],
    ]
    for command in commands {
      let outcome = try scene.command(command)
      #expect(outcome.code == 76, "\(command): \(outcome.streams)")
      let text = outcome.streams.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(text.contains("written by a newer mediabatch"), "\(command): \(text)")
      #expect(text.contains("Use that version"), "\(command): \(text)")
    }
    let run = try scene.run()
    #expect(try run.json()["exitCode"].int == 76)
    #expect(try run.problems() == ["unknownSchema"])
    // The lock's holder and what SQLite keeps beside the catalogue are no content.
    func content(_ digests: [String: String]) -> [String: String] {
      digests.filter { $0.key != ".lock" && !$0.key.hasSuffix("-wal") && !$0.key.hasSuffix("-shm") }
    }
    #expect(content(try scene.digests("Library")) == content(before))
    // Without its last migration the list is whole again.
    _ = try scene.catalogue("DELETE FROM grdb_migrations WHERE identifier LIKE '99 %'")
    try scene.run().expectCounts(["unchanged": 1])
    try scene.expectVerified()
  }

  @Test("A library without a column of this version is read and not written, until it is rebuilt")
  func refusesInBetween() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/1.jpg", try Media.photo("1"))
    try scene.run().expect(0)
    _ = try scene.catalogue(
      "ALTER TABLE assets DROP COLUMN region; ALTER TABLE assets DROP COLUMN country"
    )
    let before = try scene.catalogue("SELECT * FROM assets")
    for command in ["list", "report"] { try scene.command(command, "Library").expect(0) }
    for command in [["run", "manifest.json"], ["clean", "Library"]] {
      let outcome = try scene.command(command)
      #expect(outcome.code == 70, "\(command): \(outcome.streams)")
      let text = outcome.streams.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(text.contains("assets.region, assets.country"), "\(command): \(text)")
      #expect(text.contains("mediabatch rebuild"), "\(command): \(text)")
    }
    #expect(try scene.catalogue("SELECT * FROM assets") == before)
    try scene.command("rebuild", "Library").expect(0)
    try scene.run().expectCounts(["unchanged": 1])
    try scene.expectVerified()
  }

  @Test("Answers of a later version are refused with 76, and so is a manifest of one with 78")
  func refusesLaterAnswers() throws {
    let scene = Scene()
    try scene.declare("camera", "notDetermined")
    try scene.put("sources/camera/1.jpg", try Media.photo("1"))
    scene.manifest["onNotDetermined"] = "ask"
    try scene.writeManifest()
    try scene.command("access", "grant", "manifest.json", "camera").expect(0)
    let store = scene.at("home/mediabatch/answers.sqlite")
    let result = try Tool.run("sqlite3", [store, "PRAGMA user_version = 4"])
    try #require(result.status == 0)
    let before = try readBytes(store)
    for command in [
      ["access", "list"], ["access", "explain", "manifest.json"], ["run", "manifest.json"],
      ["check", "manifest.json"], ["access", "deny", "manifest.json", "camera"],
    ] {
      let outcome = try scene.command(command)
      #expect(outcome.code == 76, "\(command): \(outcome.streams)")
      #expect(outcome.streams.contains("newer"), "\(command): \(outcome.streams)")
    }
    #expect(try readBytes(store) == before)
    scene.manifest["version"] = 2
    let run = try scene.run()
    try run.expect(78)
    #expect(run.streams.contains("version"), "\(run.streams)")
  }
}
