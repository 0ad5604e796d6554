import Foundation
import MediaModel
import MediaTestSupport
import Testing

/// What a library holds, as `sqlite3` and `sha256sum` see it, without the times at which assets were
/// saved and without their identifiers: equal for two libraries that mean the same.
struct LibraryState: Equatable {
  /// A line an asset: label, source, policy, its files and thumbnails with their digests.
  var assets: [String]
  /// A line an item: where it stands, how it ended and why.
  var items: [String]

  init(_ library: String) throws {
    func rows(_ sql: String) throws -> [String] {
      let result = try Tool.run("sqlite3", ["-readonly", library + "/library.sqlite", sql])
      try #require(result.status == 0, "\(result.error)")
      return result.output.split(separator: "\n").map(String.init).sorted()
    }
    let name = "replace(path, rtrim(path, replace(path, '/', '')), '')"
    assets = try rows(
      """
      SELECT label, source, mediaType, policy, degraded, superseded, (
        SELECT group_concat(line) FROM (
          SELECT role || ' ' || sha256 || ' ' || hex(sourcePath) || ' ' || \(name) AS line
          FROM resources WHERE asset = assets.id ORDER BY role)
      ), (
        SELECT group_concat(line) FROM (
          SELECT name || ' ' || width || 'x' || height || ' ' || sha256 AS line
          FROM thumbnails WHERE asset = assets.id ORDER BY name)
      ) FROM assets
      """
    )
    items = try rows(
      """
      SELECT items.source, hex(items.path), outcome, ifnull(reason, ''), (
        SELECT group_concat(hex(sourcePath)) FROM (
          SELECT sourcePath FROM resources WHERE asset = items.asset ORDER BY role)
      ) FROM items
      """
    )
  }

  /// Expects that everything in the library is in its catalogue and the other way round, that nothing
  /// is half or left over, and that every item has an outcome record.
  static func expectWhole(
    _ library: String,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    for command in [["verify", library], ["audit", "verify", library]] {
      let outcome = try Scene.program(command, in: library)
      #expect(outcome.code == 0, "\(command): \(outcome.streams)", sourceLocation: location)
    }
    // The program's own look is not the only one.
    let list = try Tool.run(
      "sqlite3",
      [
        "-readonly", library + "/library.sqlite",
        """
        SELECT sha256 || '  ' || path FROM resources WHERE superseded <> 3
        UNION ALL SELECT sha256 || '  ' || path FROM thumbnails
        """,
      ]
    )
    let files = try Tool.run(
      "find",
      ["Originals", "Thumbnails", "-type", "f", "-exec", "sha256sum", "-z", "{}", "+"],
      in: library
    )
    #expect(files.status == 0 && list.status == 0, sourceLocation: location)
    let stored = files.output.split(separator: "\0").sorted()
    let catalogued = list.output.split(separator: "\n").sorted()
    #expect(stored == catalogued, sourceLocation: location)
    let staged = try FileManager.default.contentsOfDirectory(atPath: library + "/.staging")
    #expect(staged == [], sourceLocation: location)

    var recorded: Set<String> = []
    for record in try records(library) where record["event"].string == "outcome" {
      let path = EscapedText.bytes(percentEscaped: record["path"].string ?? "")
      let hex = path.map { String(format: "%02X", $0) }.joined()
      recorded.insert("\(record["source"].string ?? "")|\(hex)")
    }
    let items = try Tool.run(
      "sqlite3",
      ["-readonly", library + "/library.sqlite", "SELECT source || '|' || hex(path) FROM items"]
    )
    let missing = items.output.split(separator: "\n").map(String.init)
      .filter { !recorded.contains($0) }
    #expect(missing == [], "items without an outcome record", sourceLocation: location)
  }

  /// All records of a library's log.
  static func records(_ library: String) throws -> [JSON] {
    let folder = library + "/Audit"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return try names.filter { $0.hasSuffix(".ndjson") }.sorted().flatMap { name in
      // A run that was killed may have left half a line at the end.
      String(decoding: try readBytes(folder + "/" + name), as: UTF8.self)
        .split(separator: "\n").compactMap { try? JSON(text: String($0)) }
    }
  }
}
