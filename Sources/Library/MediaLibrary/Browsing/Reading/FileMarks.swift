internal import GRDB

/// Marks published files of a catalogue at one moment, by looking each up in its index: a mark is a bit,
/// and no path is kept.
///
/// Valid as long as its ``CatalogueMoment``.
package final class FileMarks {
  private let db: Database
  private let lookups: [FileTable: RawRows]
  /// The marked rows of each table.
  private var marked: [FileTable: RowSet] = [:]
  private var failure: (any Error)?

  /// - Throws: When the catalogue has no tables of files.
  package init(_ moment: CatalogueMoment) throws {
    db = moment.db
    var lookups: [FileTable: RawRows] = [:]
    for table in FileTable.allCases {
      lookups[table] = try RawRows(
        moment.db,
        sql: "SELECT id FROM \(table.name) WHERE path = ? AND sha256 = ?"
      )
    }
    self.lookups = lookups
  }

  /// Marks the file with this path below the library, by its bytes, and this SHA-256 in hexadecimal, if
  /// the catalogue has it.
  ///
  /// An error of reading is kept and thrown by ``forEachFile(_:)``.
  package func mark(_ path: [UInt8], sha256: String) {
    if failure != nil { return }
    let isThumbnail = path.starts(with: "Thumbnails/".utf8)
    let key = [String(decoding: path, as: UTF8.self).databaseValue, sha256.databaseValue]
    do {
      for table in isThumbnail ? [FileTable.thumbnails, .resources] : [.resources, .thumbnails] {
        guard let value = try lookups[table]?.first(key)?.first, let row = Int64.fromDatabaseValue(value)
        else { continue }
        marked[table, default: RowSet()].insert(row)
        return
      }
    } catch {
      failure = error
    }
  }

  /// Calls `body` with each file that the library should hold, in the order of its path.
  ///
  /// - Parameters:
  ///   - asset: The localIdentifier of the asset whose files alone are wanted; nil for all.
  ///   - body: Called with each file.
  /// - Throws: The first error of reading the catalogue since the marks were begun, or that of `body`.
  package func forEachFile(
    ofAsset asset: String? = nil,
    _ body: (PublishedRow) throws -> Void
  ) throws {
    if let failure { throw failure }
    try Catalogue.forEachFile(ofAsset: asset, superseded: false, in: db, marked: marked, body)
  }
}
