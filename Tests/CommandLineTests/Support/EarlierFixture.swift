import Foundation
import MediaTestSupport
import Testing

/// The files that the program of an earlier commit has left: libraries, a manifest with its sources, stored
/// answers; see `Fixtures/README.md`.
struct EarlierFixture {
  /// A folder with `manifest.json`, its `sources`, `asking.json`, `home` and the libraries.
  let root = TemporaryFolder()

  /// The commits of which there is a fixture.
  static let commits = ["4853cd3"]

  /// Unpacks the fixture of a commit; its manifest writes the `library` of this name, `Library` or
  /// `Killed`.
  init(_ commit: String, library: String = "Library") throws {
    let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures").path
    try Independent.make(
      "tar",
      ["-xzpf", "\(fixtures)/\(commit).tar.gz", "--no-same-owner", "-C", root.path]
    )
    self.library = root.path + "/" + library
    let text = String(decoding: try readBytes(root.path + "/manifest.json"), as: UTF8.self)
    try Data(text.replacing("\"Library\"", with: "\"\(library)\"").utf8)
      .write(to: URL(fileURLWithPath: root.path + "/manifest.json"))
  }

  /// The path of the library.
  let library: String

  func command(_ arguments: String...) throws -> Outcome {
    try Scene.program(arguments, in: root.path)
  }

  func run(_ arguments: String...) throws -> Outcome {
    try Scene.program(["run", "manifest.json", "--format", "json"] + arguments, in: root.path)
  }

  /// Asks the catalogue an SQL statement by the `sqlite3` shell, which changes nothing.
  func catalogue(_ sql: String) throws -> String {
    // A reader that looks into the write-ahead log without writing beside it.
    let result = try Tool.run("sqlite3", ["-readonly", library + "/library.sqlite", sql])
    try #require(result.status == 0, "\(result.error)")
    return result.output
  }

  /// The names of the catalogue's migrations, a line each.
  func migrations() throws -> String {
    try catalogue("SELECT identifier FROM grdb_migrations ORDER BY rowid")
  }

  /// The records of the log that say that the schema has changed, as `from → to`.
  func migratedRecords() throws -> [String] {
    try LibraryState.records(library).filter { $0["event"].string == "migrated" }
      .map { "\($0["from"].string ?? "?") → \($0["to"].string ?? "?")" }
  }
}
