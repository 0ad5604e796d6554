/// The columns of `items`: the last outcome of each file of a source.
enum ItemColumn: Int, TableColumn {
  case source, path, device, inode, size, modified, changed, outcome, reason, writtenUnder, asset,
    run, digest

  static let table = "items"
  static let constraint: String? = "PRIMARY KEY (source, path)"
  static let isWithoutRowID = true

  var definition: String {
    switch self {
    case .source, .outcome, .writtenUnder: "TEXT NOT NULL"
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
enum FailureColumn: Int, TableColumn {
  case source, path, device, inode, size, modified, changed, reason, conditions, run, digest

  static let table = "failures"
  static let constraint: String? = "PRIMARY KEY (source, path)"
  static let isWithoutRowID = true

  var definition: String {
    switch self {
    case .source, .reason, .conditions: "TEXT NOT NULL"
    case .path: "BLOB NOT NULL"
    case .device, .inode, .size, .modified, .changed: "INTEGER NOT NULL"
    case .run: "TEXT NOT NULL REFERENCES runs(id)"
    case .digest: "INTEGER"
    }
  }
}
