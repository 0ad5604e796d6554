import Foundation
import Glibc
import MediaModel
import MediaPermissions
import MediaTestSupport
import Testing

@Suite("Stored answers that are damaged", .enabled(if: Tool.exists("sqlite3"), "no sqlite3"))
struct AnswerStoreDamageTests {
  @Test("Something else, or nothing, in the file is an error and never no answer")
  func somethingElse() throws {
    let scene = StoreScene()
    try scene.with { _ in }
    let contents: [[UInt8]] = [
      [], [0], [UInt8]("not a database, but long enough to be one".utf8),
      [UInt8](repeating: 0, count: 4096), [UInt8](repeating: 0xFF, count: 100_000),
    ]
    for content in contents {
      try Data(content).write(to: URL(fileURLWithPath: scene.path), options: [])
      for mode in [AnswerStore.Mode.create, .existing, .readOnly] {
        let code = scene.failure(mode)?.code
        #expect(code == .notAStore || code == .damaged, "\(content.count) bytes")
      }
      #expect(try readBytes(scene.path) == content)
    }
  }

  @Test("Another program's database, a newer version's and an older one's are told apart from ours")
  func otherDatabases() throws {
    let scene = StoreScene()
    try scene.with { _ in }
    try scene.sqlite("PRAGMA user_version = 4")
    #expect(scene.failure()?.code == .unknownSchema)
    for version in 1...2 {
      try scene.sqlite("PRAGMA user_version = \(version)")
      #expect(scene.failure()?.code == .unknownSchema)
      #expect(try scene.sqlite("PRAGMA user_version") == "\(version)")
    }
    try scene.sqlite("PRAGMA user_version = 0")
    #expect(scene.failure()?.code == .damaged)
    try scene.sqlite("PRAGMA user_version = 3; PRAGMA application_id = 1")
    #expect(scene.failure()?.code == .notAStore)
  }

  @Test("A file cut at any place, or with any page overwritten, is never a store without answers")
  func cutAndOverwritten() throws {
    let scene = StoreScene()
    try scene.with { store throws in
      try store.record(answer(.denied))
      try store.record(answer(.denied, binding(.camera)))
    }
    let whole = try readBytes(scene.path)
    var damages: [[UInt8]] = stride(from: 0, to: whole.count, by: 512).map { Array(whole[..<$0]) }
    for start in stride(from: 0, to: whole.count, by: 512) {
      var bytes = whole
      for index in start..<min(whole.count, start + 512) { bytes[index] = 0 }
      if bytes != whole { damages.append(bytes) }
      for index in start..<min(whole.count, start + 512) { bytes[index] = 0xA5 }
      damages.append(bytes)
    }
    var survivors = 0
    for bytes in damages {
      try Data(bytes).write(to: URL(fileURLWithPath: scene.path), options: [])
      for mode in [AnswerStore.Mode.existing, .readOnly] {
        guard let store = try? scene.open(mode) else { continue }
        // Free space may be overwritten without harm.
        #expect(try store.answers().map(\.status) == [.denied, .denied])
        store.close()
        survivors += 1
      }
    }
    #expect(survivors < damages.count)
  }

  @Test("A row of a shape that this program never writes is damage, and no crash")
  func forgedRows() throws {
    let forgeries = [
      "UPDATE answers SET source = 'screen'", "UPDATE answers SET status = 'granted'",
      "UPDATE answers SET status = 4", "UPDATE answers SET decidedAt = 'soon'",
      "UPDATE answers SET manifestPath = NULL", "UPDATE answers SET isForOneRun = 'no'",
      "UPDATE answers SET expiresAt = 'never', status = 'denied'",
      "UPDATE answers SET level = NULL", "UPDATE transitions SET hash = NULL",
      "UPDATE transitions SET record = 'nothing'", "UPDATE transitions SET record = NULL",
      "UPDATE transitions SET seq = -1", "DROP TABLE selections", "DROP TABLE answers",
      "DROP TABLE transitions", "DELETE FROM transitions", "DELETE FROM answers",
    ]
    for forgery in forgeries {
      let scene = StoreScene()
      try scene.with { try $0.record(answer(.limited, selection: ["a"])) }
      // The same tables without a single rule, as somebody else may write them.
      let result = try scene.sqlite(
        """
        CREATE TABLE a AS SELECT * FROM answers; CREATE TABLE t AS SELECT * FROM transitions;
        DROP TABLE answers; DROP TABLE transitions;
        ALTER TABLE a RENAME TO answers; ALTER TABLE t RENAME TO transitions;
        """
      )
      try #require(result == "", "\(result)")
      #expect(scene.failure() == nil)
      try #require(try scene.sqlite(forgery) == "")
      let code = scene.failure()?.code
      #expect(code == .damaged || code == .inconsistent, "\(forgery)")
    }
  }

  @Test("What another process left half done is undone by whoever opens the store next")
  func leftJournal() throws {
    let scene = StoreScene()
    try scene.with { try $0.record(answer(.denied)) }
    // Killed between writing the pages and the commit; a tiny cache makes it write them early.
    let script = """
      (echo 'PRAGMA cache_size = 1; BEGIN IMMEDIATE; DELETE FROM answers;'
       echo 'CREATE TABLE filler AS WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n
             WHERE i < 500) SELECT randomblob(4000) FROM n;'
       echo '.shell kill -9 $PPID') | sqlite3 "$0"
      """
    _ = try Tool.run("bash", ["-c", script, scene.path])
    try #require(FileManager.default.fileExists(atPath: scene.path + "-journal"))
    try #require(try readBytes(scene.path).count > 1 << 20)
    #expect(try scene.with(.readOnly) { try $0.answers() } == [answer(.denied)])
    #expect(!FileManager.default.fileExists(atPath: scene.path + "-journal"))
  }

  @Test("A write-ahead log that somebody turned on is turned off again")
  func writeAheadLog() throws {
    for mode in [AnswerStore.Mode.existing, .readOnly] {
      let scene = StoreScene()
      try scene.with { try $0.record(answer(.denied)) }
      #expect(try scene.sqlite("PRAGMA journal_mode = WAL") == "wal")
      #expect(try scene.with(mode) { try $0.answers() } == [answer(.denied)])
      #expect(try scene.sqlite("PRAGMA journal_mode") == "delete")
    }
  }
}
