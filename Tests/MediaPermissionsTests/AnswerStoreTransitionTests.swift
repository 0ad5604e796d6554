import Foundation
import MediaModel
import MediaPermissions
import MediaTestSupport
import Testing

@Suite("Transitions of stored answers", .enabled(if: Tool.exists("sqlite3"), "no sqlite3"))
struct AnswerStoreTransitionTests {
  /// Five transitions: a grant, a limit, a denial of another source, a reset, a grant.
  private func fiveTransitions() throws -> StoreScene {
    let scene = StoreScene()
    try scene.with { store throws in
      try store.record(answer(.authorized))
      try store.record(answer(.limited, selection: ["private name.heic", "b"]))
      try store.record(answer(.denied, binding(.camera)))
      try store.reset(binding())
      try store.record(answer(.authorized, binding(.microphone)))
    }
    return scene
  }

  @Test("Each record has the hash of the one before it, as sha256sum sees it")
  func chain() throws {
    let scene = try fiveTransitions()
    let rows = try scene.sqlite("SELECT hash, record FROM transitions ORDER BY seq")
      .split(separator: "\n")
    #expect(rows.count == 5)
    var previous = String(repeating: "0", count: 64)
    for row in rows {
      let hash = String(row.prefix(64))
      let record = String(row.dropFirst(65))
      let file = scene.root.path + "/record"
      try Data(record.utf8).write(to: URL(fileURLWithPath: file))
      #expect(try Tool.run("sha256sum", [file]).output.hasPrefix(hash))
      #expect(record.contains("\"prev\":\"\(previous)\""))
      previous = hash
    }
    try scene.with { store throws in
      #expect(try store.head == previous)
      #expect(try store.verify().head == previous)
      #expect(try store.verify().records == 5)
    }
    // What was picked is not kept once it is taken back.
    #expect(!rows.joined().contains("private name"))
    let words = try scene.sqlite(
      "SELECT group_concat(record ->> 'from' || '>' || (record ->> 'to')) FROM transitions"
    )
    #expect(
      words == "notDetermined>authorized,authorized>limited,notDetermined>denied,"
        + "limited>notDetermined,notDetermined>authorized"
    )
  }

  @Test("A transition cannot be changed, removed or put in between")
  func triggers() throws {
    let scene = try fiveTransitions()
    for sql in [
      "UPDATE transitions SET record = '{}' WHERE seq = 1", "DELETE FROM transitions WHERE seq = 5",
      "INSERT INTO transitions VALUES (9, '{}', '')",
      "INSERT INTO transitions VALUES (0, '{}', '')",
      "INSERT OR REPLACE INTO transitions VALUES (5, '{}', '')",
      "REPLACE INTO transitions VALUES (1, '{}', '')",
    ] {
      #expect(try scene.sqlite(sql).contains("a transition is"), "\(sql)")
    }
    #expect(try scene.with { try $0.verify().records } == 5)
  }

  /// Without the rules that keep transitions as they are, and with the first difference to be found.
  static let tampering: [(sql: String, difference: String)] = [
    (
      "UPDATE transitions SET record = replace(record, 'denied', 'denied ') WHERE seq = 3",
      "changed 3"
    ),
    ("UPDATE transitions SET hash = '' WHERE seq = 5", "changed 5"),
    ("DELETE FROM transitions WHERE seq = 1", "outOfPlace 1"),
    ("DELETE FROM transitions WHERE seq = 3", "outOfPlace 3"),
    (
      """
      UPDATE transitions SET seq = 9 WHERE seq = 2; UPDATE transitions SET seq = 2 WHERE seq = 3;
      UPDATE transitions SET seq = 3 WHERE seq = 9
      """, "outOfPlace 2"
    ),
    ("DELETE FROM transitions WHERE seq = 5", "answerDiffers 4"),
    (
      "INSERT INTO transitions SELECT 6, record, hash FROM transitions WHERE seq = 5",
      "outOfPlace 6"
    ),
    ("DELETE FROM answers WHERE source = 'camera'", "answerDiffers 3"),
    ("UPDATE answers SET status = 'authorized' WHERE source = 'camera'", "answerDiffers 5"),
    ("UPDATE answers SET decidedAt = decidedAt + 1 WHERE source = 'camera'", "answerDiffers 5"),
    ("UPDATE answers SET client = 'org.example.other'", "answerDiffers 5"),
    ("UPDATE answers SET reason = 'picker' WHERE source = 'camera'", "answerDiffers 5"),
    ("UPDATE answers SET manifestPath = x'2f62'", "answerDiffers 5"),
    (
      "INSERT INTO answers SELECT 'org.example.other', source, sourceName, level, manifestPath, status, reason, "
        + "usageTextSHA256, usageText, usageTextLanguage, folderPath, folderDevice, folderInode, decidedAt, "
        + "expiresAt, isForOneRun, shownCount FROM answers WHERE source = 'camera'",
      "answerDiffers 5"
    ),
  ]

  @Test(
    "The first change by another program is found, and the store is believed no more",
    arguments: tampering
  )
  func tampered(sql: String, difference: String) throws {
    let scene = try fiveTransitions()
    let open = try scene.open(.readOnly)
    defer { open.close() }
    let result = try scene.sqlite(
      "DROP TRIGGER transitionsAreNotChanged; DROP TRIGGER transitionsAreNotRemoved; "
        + "DROP TRIGGER transitionsAreAppended; \(sql)"
    )
    try #require(result == "", "\(result)")
    let detected = try open.verify().difference
    #expect(detected.map { "\($0.kind.rawValue) \($0.sequence)" } == difference)
    for mode in [AnswerStore.Mode.create, .existing, .readOnly] {
      #expect(scene.failure(mode)?.code == .inconsistent)
    }
  }

  @Test("A record that was changed with its hash breaks the chain at the next one")
  func rehashed() throws {
    let scene = try fiveTransitions()
    let record = try scene.sqlite("SELECT record FROM transitions WHERE seq = 2")
      .replacing("limited", with: "unlimited")
    let file = scene.root.path + "/record"
    try Data(record.utf8).write(to: URL(fileURLWithPath: file))
    let hash = try Tool.run("sha256sum", [file]).output.prefix(64)
    let result = try scene.sqlite(
      """
      DROP TRIGGER transitionsAreNotChanged;
      UPDATE transitions SET record = CAST(readfile('\(file)') AS TEXT), hash = '\(hash)' WHERE seq = 2
      """
    )
    try #require(result == "", "\(result)")
    #expect(scene.failure()?.description.contains("transition 3 does not follow") == true)
  }

  @Test("A change of a selection alone is found")
  func selectionChanged() throws {
    for sql in [
      "UPDATE selections SET pattern = '**' WHERE position = 1", "DELETE FROM selections",
      "INSERT INTO selections SELECT client, source, sourceName, level, manifestPath, 2, '**' FROM answers",
    ] {
      let scene = StoreScene()
      try scene.with { try $0.record(answer(.limited, selection: ["a", "b"])) }
      #expect(scene.failure() == nil)
      try #require(try scene.sqlite(sql) == "")
      #expect(scene.failure()?.code == .inconsistent, "\(sql)")
    }
  }
}
