internal import Foundation
internal import GRDB
package import MediaFileSystem
package import MediaLibrary
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

  /// The rows of the assets that have lost thumbnails, in their order.
  package var rowsWithoutThumbnails: [Int64] {
    parts.compactMap { $0.value.thumbnails.isEmpty ? nil : $0.key }.sorted()
  }

  /// The number of assets whose turn it is in an ordinary run, besides those in folders that have
  /// changed. A look at every file of a large library would cost a run in which nothing changed more
  /// than the rest of it.
  package static let assetsOfARun = 1000

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
  ///   - limit: The number of assets whose turn it is; nil for all. The runs of a library go round, so
  ///     that every asset has its turn. Besides, all files are looked at that lie in a folder of a day
  ///     from which something was removed since the last run has ended.
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
    let turn = try turn(limit, in: db)
    var ranges: [(condition: String, arguments: StatementArguments)] = [
      ("asset BETWEEN ? AND ?", [turn.lowerBound, turn.upperBound])
    ]
    if limit != nil {
      // "0" is the character behind "/".
      ranges += try changedFolders(of: root, in: db).map {
        ("path > ? AND path < ?", [$0 + "/", $0 + "0"])
      }
    }
    var lost: [Int64: Parts] = [:]
    for range in ranges {
      for table in FileTable.allCases {
        let columns = FileColumn.allCases.filter { $0 != .name || table == .thumbnails }
        let rows = try Row.fetchCursor(
          db,
          sql: """
            SELECT \(FileColumn.list(of: columns)) FROM \(table.name)
            WHERE superseded = 0 AND \(range.condition)
            """,
          arguments: range.arguments
        )
        try add(rows, table == .resources, of: root, to: &lost)
      }
    }
    return lost
  }

  /// The folders of published files, by their paths below the library, that are missing or from which
  /// something was removed since the last run has ended; every folder when no run has.
  private static func changedFolders(of root: Descriptor, in db: Database) throws -> [String] {
    let ended = try String.fetchOne(db, sql: "SELECT max(ended) FROM runs")
      .flatMap { SaveTime(timestamp: $0) }
    // A time that is not over, or beyond the nanoseconds of the kernel, was told by a clock that was wrong.
    let time = ended.flatMap {
      $0 > .now ? nil : $0.microseconds.multipliedReportingOverflow(by: 1000)
    }
    let end = time.flatMap { $0.overflow ? nil : $0.partialValue } ?? .min
    var changed: [String] = []
    func look(_ path: String, levels: Int) throws(FileSystemError) {
      let folder: Descriptor
      do {
        folder = try FileSystem.openForReading(
          beneath: root,
          [UInt8](path.utf8),
          crossMounts: true,
          isFolder: true
        )
      } catch  where error.isMissing {
        return changed.append(path)
      }
      if try folder.status().changed > end { return changed.append(path) }
      if levels == 0 { return }
      for entry in try FileSystem.entries(of: folder) {
        let kind =
          if let kind = entry.kind { kind } else {
            try FileSystem.status(in: folder, name: entry.name).kind
          }
        guard kind == .folder else { continue }
        try look("\(path)/\(String(decoding: entry.name, as: UTF8.self))", levels: levels - 1)
      }
    }
    do throws(FileSystemError) {
      try look("Originals", levels: 1)
      try look("Thumbnails", levels: 2)
    } catch {
      throw LibraryError(error)
    }
    return changed
  }

  /// The columns of a file; of an original without the name of a thumbnail.
  private enum FileColumn: Int, QueryColumn {
    case asset, path, name
  }

  /// Adds those of the files that are not there.
  private static func add(
    _ rows: RowCursor,
    _ isOriginal: Bool,
    of root: Descriptor,
    to lost: inout [Int64: Parts]
  ) throws {
    while let row = try rows.next().map(QueryRow<FileColumn>.init) {
      // The path stays the database's bytes: making a String of each would dominate the cost.
      let isThere = try row.withData(.path) { path in
        path?.withUnsafeBytes { FileSystem.exists(beneath: root, $0) } ?? true
      }
      if isThere { continue }
      let (asset, path): (Int64, String) = (try row[.asset], try row[.path])
      if isOriginal {
        lost[asset, default: Parts()].originals.insert(path)
      } else {
        let name: String = try row[.name]
        lost[asset, default: Parts()].thumbnails[name] = path
      }
    }
  }
}
