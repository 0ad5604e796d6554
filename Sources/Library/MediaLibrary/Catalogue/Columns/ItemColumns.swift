internal import Foundation
internal import GRDB
internal import MediaFileSystem
internal import MediaModel

/// The columns of a table of items that tell which file of a source an item was.
///
/// The name stands in front of the path: where the columns of a primary key are not in its order, the check of a table
/// without row identifiers finds a "NULL value" in each of its columns that has none (SQLite 3.40.1, that of Debian 12).
package protocol SourceFileColumn: TableColumn {
  static var source: Self { get }
  static var sourceName: Self { get }
  static var path: Self { get }
  static var device: Self { get }
  static var inode: Self { get }
  static var size: Self { get }
  static var modified: Self { get }
  static var changed: Self { get }
}

/// The columns of `items`: the last outcome of each file of a source.
package enum ItemColumn: Int, SourceFileColumn {
  case source, sourceName, path, device, inode, size, modified, changed, outcome, reason,
    writtenUnder, asset, run, digest

  package static let table = "items"
  package static let constraint: String? = "PRIMARY KEY (sourceName, path)"
  package static let isWithoutRowID = true

  package var definition: String {
    switch self {
    case .source, .sourceName, .outcome, .writtenUnder: "TEXT NOT NULL"
    case .path: "BLOB NOT NULL"
    case .device, .inode, .size, .modified, .changed: "INTEGER NOT NULL"
    case .reason: "TEXT"
    case .asset: "INTEGER REFERENCES assets(id)"
    case .run: "TEXT NOT NULL REFERENCES runs(id)"
    case .digest: "INTEGER"
    }
  }
}

/// The columns of `failures`: failures that cannot change by themselves.
package enum FailureColumn: Int, SourceFileColumn {
  case source, sourceName, path, device, inode, size, modified, changed, reason, conditions, run,
    digest

  package static let table = "failures"
  package static let constraint: String? = "PRIMARY KEY (sourceName, path)"
  package static let isWithoutRowID = true

  package var definition: String {
    switch self {
    case .source, .sourceName, .reason, .conditions: "TEXT NOT NULL"
    case .path: "BLOB NOT NULL"
    case .device, .inode, .size, .modified, .changed: "INTEGER NOT NULL"
    case .run: "TEXT NOT NULL REFERENCES runs(id)"
    case .digest: "INTEGER"
    }
  }
}
