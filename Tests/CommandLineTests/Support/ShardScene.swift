import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// A scene whose manifest is divided into shards.
extension Scene {
  var plan: String { path + "/Plan" }
  var merged: String { path + "/Merged" }

  /// Makes a plan, in the place of an earlier one.
  @discardableResult
  func makePlan(_ shards: Int, _ arguments: String...) throws -> Outcome {
    try? FileManager.default.removeItem(atPath: plan)
    try writeManifest()
    let outcome = try command(
      [
        "shards", "plan", "manifest.json", "--shards", "\(shards)", "--output", "Plan",
        "--no-input",
        "--unsigned", "--format", "json",
      ] + arguments
    )
    try outcome.expect(0)
    return outcome
  }

  /// Imports one shard; failed items are no failure.
  @discardableResult
  func runShard(_ shard: Int, _ arguments: String...) throws -> Outcome {
    try command(
      [
        "shards", "run", "Plan", "--shard", "\(shard)", "--unsigned", "--items-failed-exit", "0",
        "--format", "json",
      ] + arguments
    )
  }

  /// Imports all shards, in an order of chance.
  func runShards(_ count: Int) throws {
    var generator = SeededGenerator()
    for shard in (1...count).shuffled(using: &generator) { try runShard(shard).expect(0) }
  }

  @discardableResult
  func merge(_ arguments: String...) throws -> Outcome {
    try command(
      ["shards", "merge", "Plan", "--output", "Merged", "--unsigned", "--format", "json"]
        + arguments
    )
  }

  /// Makes the library that one run makes, with the identifier and the key of the plan.
  func runAsOne() throws -> LibraryContent {
    try? FileManager.default.removeItem(atPath: library)
    let state = library + "/.state"
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: plan + "/log/.state/digest.key", toPath: state + "/digest.key")
    let outcome = try run("--unsigned")
    #expect([0, 3].contains(outcome.code), "\(outcome.streams)")
    return try LibraryContent(library)
  }

  /// That the merged library is what one run makes, and that its files, catalogue and log are whole.
  func expectMergedAsOne(_ location: SourceLocation = #_sourceLocation) throws {
    let unsharded = try runAsOne()
    let merged = try LibraryContent(self.merged)
    #expect(unsharded.lacking(in: merged) == [], sourceLocation: location)
    #expect(merged.lacking(in: unsharded) == [], sourceLocation: location)
    for command in [["verify", "Merged"], ["audit", "verify", "Merged"]] {
      let outcome = try self.command(command)
      #expect(outcome.code == 0, "\(outcome.streams)", sourceLocation: location)
    }
  }
}

/// The content of a library as `sqlite3` and `sha256sum` see it, without identifiers, row numbers and times of
/// saving: an asset is named by the source file that it was made of.
struct LibraryContent {
  /// The rows of the catalogue, and the files with their digests.
  private(set) var lines: [String]

  private static let tables = [
    "assets", "resources", "thumbnails", "tracks", "items", "failures", "stacks",
  ]

  init(_ library: String) throws {
    let file = "file:\(library)/library.sqlite?immutable=1"
    func rows(_ sql: String) throws -> [String] {
      let result = try Tool.run("sqlite3", ["-readonly", file, sql])
      try #require(result.status == 0, "\(result.error)")
      return result.output.split(separator: "\n").map(String.init)
    }
    let keys = """
      WITH keys AS (SELECT asset, min(source || ':' || hex(sourcePath)) AS key FROM resources
        WHERE superseded = 0 AND role NOT IN ('sidecar', 'adjustmentData') GROUP BY asset)
      """
    var lines: [String] = []
    for table in Self.tables {
      let columns = try rows("SELECT name FROM pragma_table_info('\(table)')").filter {
        !["digest", "run", "saved", "localIdentifier"].contains($0)
      }
      let values = columns.compactMap { column -> String? in
        switch column {
        case "id": table == "assets" ? "(SELECT key FROM keys WHERE asset = t.id)" : nil
        case "asset", "cover", "olderVersion": "(SELECT key FROM keys WHERE asset = t.\(column))"
        default: "t.\"\(column)\""
        }
      }
      let current = columns.contains("superseded") ? "WHERE superseded = 0" : ""
      lines += try rows(
        "\(keys) SELECT \(values.map { "quote(\($0))" }.joined(separator: " || '|' || ")) FROM \(table) AS t \(current)"
      ).map { "\(table) " + Self.withoutTimes($0) }
    }
    let superseded = Set(
      try rows(
        """
        SELECT path FROM resources WHERE superseded <> 0 UNION
        SELECT path FROM thumbnails WHERE superseded <> 0
        """
      )
    )
    for folder in ["Originals", "Thumbnails"] {
      let result = try Tool.run(
        "find",
        [folder, "-type", "f", "-exec", "sha256sum", "-z", "{}", "+"],
        in: library
      )
      try #require(result.status == 0, "\(result.error)")
      for line in result.output.split(separator: "\0") {
        let path = String(line.dropFirst(66))
        if superseded.contains(path) { continue }
        lines.append("file \(line.prefix(64)) " + Self.withoutTimes(path))
      }
    }
    self.lines = lines.sorted()
  }

  /// The lines that the other library does not have, of equal ones as many as are too many; at most 12.
  func lacking(in other: LibraryContent) -> [String] {
    var counts = Dictionary(grouping: other.lines, by: \.self).mapValues(\.count)
    let missing = lines.filter { line in
      guard let count = counts[line], count > 0 else { return true }
      counts[line] = count - 1
      return false
    }
    return Array(missing.prefix(12))
  }

  private static func withoutTimes(_ text: String) -> String {
    text.replacing(#/\d{4}-\d\d-\d\d/\d{6}\.\d{6}/#, with: "TIME")
  }
}
