internal import GRDB

extension AnswerStore {
  /// Gives an empty file the tables; a reader of the file sees all of them or none.
  func makeSchema() throws(StoreError) {
    try write { db in
      try db.execute(sql: "PRAGMA application_id = \(Self.applicationIdentifier)")
      try db.execute(sql: "PRAGMA user_version = \(Self.schemaVersion)")
      try db.execute(sql: Self.schema)
    }
  }

  /// The rules stand in the file as well: another program that writes it is held to them.
  private static let schema = """
    CREATE TABLE answers (
      client TEXT NOT NULL,
      source TEXT NOT NULL CHECK (source IN ('camera', 'library', 'microphone')),
      sourceName TEXT NOT NULL CHECK (
        sourceName = source
        OR sourceName <> '' AND sourceName NOT IN ('camera', 'library', 'microphone')
      ),
      level TEXT NOT NULL
        CHECK (level = 'readWrite' OR (level = 'addOnly' AND source = 'library')),
      manifestPath BLOB NOT NULL,
      status TEXT NOT NULL CHECK (
        status IN ('authorized', 'denied')
        OR (status = 'limited' AND source = 'library' AND level = 'readWrite')
      ),
      reason TEXT NOT NULL CHECK (reason IN ('userConsent', 'picker', 'userSet')),
      usageTextSHA256 TEXT NOT NULL CHECK (length(usageTextSHA256) = 64),
      usageText TEXT,
      usageTextLanguage TEXT,
      folderPath BLOB,
      folderDevice INTEGER,
      folderInode INTEGER,
      decidedAt INTEGER NOT NULL,
      expiresAt INTEGER CHECK (expiresAt IS NULL OR status <> 'denied'),
      isForOneRun INTEGER NOT NULL
        CHECK (isForOneRun = 0 OR (isForOneRun = 1 AND status <> 'denied')),
      shownCount INTEGER NOT NULL DEFAULT 0
        CHECK (shownCount = 0 OR (shownCount > 0 AND reason = 'picker')),
      CHECK ((folderPath IS NULL) = (folderDevice IS NULL)),
      CHECK ((folderPath IS NULL) = (folderInode IS NULL)),
      PRIMARY KEY (client, source, sourceName, level, manifestPath)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE selections (
      client TEXT NOT NULL,
      source TEXT NOT NULL,
      sourceName TEXT NOT NULL,
      level TEXT NOT NULL,
      manifestPath BLOB NOT NULL,
      position INTEGER NOT NULL,
      pattern TEXT NOT NULL,
      PRIMARY KEY (client, source, sourceName, level, manifestPath, position),
      FOREIGN KEY (client, source, sourceName, level, manifestPath) REFERENCES answers ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE transitions (
      seq INTEGER PRIMARY KEY NOT NULL,
      record TEXT NOT NULL,
      hash TEXT NOT NULL
    ) STRICT;
    CREATE TRIGGER transitionsAreNotChanged BEFORE UPDATE ON transitions BEGIN
      SELECT RAISE(ABORT, 'a transition is never changed');
    END;
    CREATE TRIGGER transitionsAreNotRemoved BEFORE DELETE ON transitions BEGIN
      SELECT RAISE(ABORT, 'a transition is never removed');
    END;
    CREATE TRIGGER transitionsAreAppended BEFORE INSERT ON transitions
      WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM transitions)
    BEGIN
      SELECT RAISE(ABORT, 'a transition is only appended');
    END;
    """
}
