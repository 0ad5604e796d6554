import Foundation
import MediaTestSupport
import Testing

/// A catalogue as `sqlite3 .dump` writes it, a statement a line, without what a rebuild is known not to
/// make again: its own run, the count of openings, and rows of finished batches.
struct CatalogueDump: Equatable {
  var statements: Set<String>

  init(_ library: String) throws {
    let result = try Tool.run("sqlite3", ["-readonly", library + "/library.sqlite", ".dump"])
    try #require(result.status == 0, "\(result.error)")
    statements = Set(
      result.output.split(separator: "\n").map(String.init).compactMap { line in
        if line.contains("'mediabatch.rebuild'") { return nil }
        if line.hasPrefix("INSERT INTO batches") { return nil }
        if line.hasPrefix("INSERT INTO sqlite_sequence VALUES('batches'") { return nil }
        // A catalogue that is made anew has a history of its own.
        if line.hasPrefix("INSERT INTO changes") || line.hasPrefix("INSERT INTO history") {
          return nil
        }
        // Both hashes are the catalogue's alone; the row's digest, before them, covers them.
        if line.hasPrefix("INSERT INTO thumbnails") {
          return line.split(separator: ",").dropLast(3).joined(separator: ",")
        }
        // The sums follow from the rows.
        if line.hasPrefix("INSERT INTO tableSums") { return nil }
        guard line.hasPrefix("INSERT INTO meta") else { return line }
        // The count, the row's digest and what is NULL behind them are the last three.
        return line.split(separator: ",").dropLast(3).joined(separator: ",")
      }
    )
  }

  /// The statements that the other dump does not have.
  func lacking(in other: CatalogueDump) -> [String] {
    statements.subtracting(other.statements).sorted()
  }
}

extension Scene {
  /// Removes the catalogue and its companions.
  func removeCatalogue() throws {
    for name in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: library + "/library.sqlite" + name)
    }
    try #require(!FileManager.default.fileExists(atPath: library + "/library.sqlite"))
  }

  /// Runs `mediabatch rebuild` on the scene's library.
  func rebuild(_ arguments: String...) throws -> Outcome {
    try command(["rebuild", library, "--format", "json"] + arguments)
  }
}

extension Outcome {
  /// Kinds of what a rebuild could not know, with their counts.
  func unknownCounts() throws -> [String: Int] {
    try json()["notKnown"].array.reduce(into: [:]) { kinds, loss in
      kinds[loss["kind"].string ?? ""] = loss["count"].int
    }
  }

  /// `kind table row columns` of the rows in which a rebuilt catalogue differs from that of before.
  func rowDifferences() throws -> [String] {
    try json()["comparison"]["differences"].array.map { difference in
      let columns = difference["columns"].array.compactMap(\.string).joined(separator: ",")
      return ["kind", "table", "row"].map { difference[$0].string ?? "" }.joined(separator: " ")
        + (columns.isEmpty ? "" : " " + columns)
    }
  }
}
