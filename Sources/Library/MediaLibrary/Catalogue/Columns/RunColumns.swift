/// The columns of `runs`.
package enum RunColumn: Int, TableColumn {
  case id, started, ended, client, manifestSHA256, auditFile, auditRecords, auditBytes, auditHead,
    exitCode, auditTree, auditSize, auditRoot, digest, albumsFromFolders

  package static let table = "runs"
  package static let isWithoutRowID = true

  package var definition: String {
    switch self {
    case .id: "TEXT PRIMARY KEY NOT NULL"
    case .started, .client, .manifestSHA256, .auditHead: "TEXT NOT NULL"
    case .ended, .auditRoot: "TEXT"
    case .auditFile: "TEXT NOT NULL UNIQUE"
    case .auditRecords, .auditBytes: "INTEGER NOT NULL"
    case .exitCode, .auditSize, .digest, .albumsFromFolders: "INTEGER"
    case .auditTree: "BLOB"
    }
  }
}

/// The columns of `batches`.
enum BatchColumn: Int, TableColumn {
  case id, run, state, firstAccess, digest

  static let table = "batches"

  var definition: String {
    switch self {
    case .id: "INTEGER PRIMARY KEY AUTOINCREMENT"
    case .run: "TEXT NOT NULL REFERENCES runs(id)"
    case .state, .firstAccess: "INTEGER NOT NULL"
    case .digest: "INTEGER"
    }
  }
}

/// The columns of `stagedBatches`: what publishing a batch needs, in a table of its own, so that it is written once and
/// not with each state of the batch.
enum StagedBatchColumn: Int, TableColumn {
  case batch, content, digest

  static let table = "stagedBatches"

  var definition: String {
    switch self {
    case .batch: "INTEGER PRIMARY KEY REFERENCES batches(id)"
    case .content: "BLOB NOT NULL"
    case .digest: "INTEGER"
    }
  }
}

/// The columns of `auditBlocks`: where each block of the log's tree begins.
enum AuditBlockColumn: Int, TableColumn {
  case number, file, line, offset, hash, keys, digest

  static let table = "auditBlocks"

  var definition: String {
    switch self {
    case .number: "INTEGER PRIMARY KEY"
    case .file, .line, .offset: "INTEGER NOT NULL"
    case .hash, .keys: "BLOB NOT NULL"
    case .digest: "INTEGER"
    }
  }
}

/// The columns of `changes`, the history.
package enum ChangeColumn: Int, TableColumn {
  case sequence, kind, localIdentifier, what, run, digest

  package static let table = "changes"

  package var definition: String {
    switch self {
    case .sequence: "INTEGER PRIMARY KEY"
    case .kind, .localIdentifier, .what, .run: "TEXT NOT NULL"
    case .digest: "INTEGER"
    }
  }
}

/// The columns of `stacks`.
package enum StackColumn: Int, TableColumn {
  case asset, cover, kind, position, digest

  package static let table = "stacks"

  package var definition: String {
    switch self {
    case .asset: "INTEGER PRIMARY KEY REFERENCES assets(id)"
    case .cover: "INTEGER NOT NULL REFERENCES assets(id)"
    case .kind: "TEXT NOT NULL"
    case .position: "INTEGER NOT NULL"
    case .digest: "INTEGER"
    }
  }
}

/// The columns of `distinguished`: assets that look alike, and of which a person said that they are not the same.
package enum DistinctionColumn: Int, TableColumn {
  case assets, run, digest

  package static let table = "distinguished"
  package static let isWithoutRowID = true

  package var definition: String {
    switch self {
    case .assets: "TEXT PRIMARY KEY NOT NULL"
    case .run: "TEXT NOT NULL"
    case .digest: "INTEGER"
    }
  }
}
