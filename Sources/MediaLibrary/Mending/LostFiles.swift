internal import Foundation
internal import GRDB
package import MediaFileSystem
internal import MediaModel

/// Published files that the catalogue has and the library's folders have not.
///
/// Only names are looked at; a file whose bytes changed is for `verify` to find.
package struct LostFiles: Sendable, Hashable {
  /// The lost files of one asset, by their paths below the library.
  package struct Parts: Sendable, Hashable {
    package var originals: Set<String> = []
    /// Thumbnails by their names.
    package var thumbnails: [String: String] = [:]
  }

  /// By the rows of their assets.
  private var parts: [Int64: Parts] = [:]

  /// The number of lost originals.
  package var originalCount: Int { parts.values.reduce(0) { $0 + $1.originals.count } }

  /// The number of assets that an ordinary run looks at. Each costs a system call for each of its
  /// files, so that looking at all of a large library would cost a run in which nothing changed more
  /// than the rest of it.
  package static let assetsOfARun = 10_000

  /// The paths of all lost files.
  package var paths: Set<String> {
    parts.values.reduce(into: []) { paths, parts in
      paths.formUnion(parts.originals)
      paths.formUnion(parts.thumbnails.values)
    }
  }

  /// Looks for the files of a library that is open for writing.
  ///
  /// - Parameters:
  ///   - library: The library.
  ///   - limit: The number of assets that are looked at; nil for all. The runs of a library go round in
  ///     turn, so that every asset has its turn.
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package init(of library: Library, limit: Int? = assetsOfARun) throws(LibraryError) {
    let root = library.root
    parts = try library.catalogue.read { try Self.parts(root, limit, in: $0) }
  }

  /// Looks for the files of the library at `root`, while a run may be writing it.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package init(
    root: Descriptor,
    catalogue: CatalogueReader,
    limit: Int? = assetsOfARun
  ) throws(LibraryError) {
    parts = try catalogue.read { try Self.parts(root, limit, in: $0) }
  }

  /// The lost files of an asset; nil when it has all.
  package func parts(ofAsset row: Int64) -> Parts? { parts[row] }

  /// The rows of the assets whose turn it is.
  private static func turn(_ limit: Int?, in db: Database) throws -> ClosedRange<Int64> {
    let last = try Int64.fetchOne(db, sql: "SELECT max(id) FROM assets") ?? 0
    guard let limit, last > Int64(limit) else { return 0...Int64.max }
    let runs = try Int64.fetchOne(db, sql: "SELECT count(*) FROM runs") ?? 0
    let turns = (last + Int64(limit) - 1) / Int64(limit)
    let first = runs % turns * Int64(limit) + 1
    return first...(first + Int64(limit) - 1)
  }

  private static func parts(
    _ root: Descriptor,
    _ limit: Int?,
    in db: Database
  ) throws -> [Int64: Parts] {
    // A catalogue that no newer version has opened for writing yet has nothing to tell here.
    guard try db.columns(in: "resources").contains(where: { $0.name == "superseded" }) else {
      return [:]
    }
    let turn = try turn(limit, in: db)
    let condition = "WHERE superseded = 0 AND asset BETWEEN ? AND ?"
    var lost: [Int64: Parts] = [:]
    for (sql, isOriginal) in [
      ("SELECT asset, path, '' FROM resources \(condition)", true),
      ("SELECT asset, path, name FROM thumbnails \(condition)", false),
    ] {
      let rows = try Row.fetchCursor(
        db,
        sql: sql,
        arguments: [turn.lowerBound, turn.upperBound]
      )
      while let row = try rows.next() {
        // The path stays the database's bytes: making a String of each would dominate the cost.
        let isThere = try row.withUnsafeData(atIndex: 1) { path in
          path?.withUnsafeBytes { FileSystem.exists(beneath: root, $0) } ?? true
        }
        if isThere { continue }
        if isOriginal {
          lost[row[0], default: Parts()].originals.insert(row[1])
        } else {
          lost[row[0], default: Parts()].thumbnails[row[2]] = row[1]
        }
      }
    }
    return lost
  }
}
