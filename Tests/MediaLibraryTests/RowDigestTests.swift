import Foundation
import GRDB
import Glibc
import MediaFileSystem
import MediaLibraryTestSupport
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaLibrary

@Suite("The catalogue's digests")
struct RowDigestTests {
  private let scratch = TemporaryFolder()
  private var path: String { scratch.path + "/Library" }
  private var file: String { path + "/library.sqlite" }

  /// A closed library with a row in every table.
  private func make() throws {
    try withLibrary(path) { library in
      let fixture = try BatchFixture(library)
      var staged = BatchFixture.staged
      staged.assets[0].facts.tracks = [TrackFacts(kind: .audio, codec: "aac")]
      var broken = BatchFixture.result("broken.jpg", 9, asset: "none")
      broken.outcome = .failed
      broken.reason = .damaged
      broken.conditions = "now"
      staged.results.append(broken)
      let batch = try fixture.intend()
      try library.catalogue.stage(batch, staged)
      try library.catalogue.publish(batch, staged, run: BatchFixture.run)
      try library.catalogue.write { db in
        try db.execute(
          sql:
            "INSERT INTO auditBlocks (number, file, line, offset, hash, keys) VALUES (0,1,1,0,x'00',x'00')"
        )
        try db.execute(sql: "INSERT INTO stacks (asset, cover, kind, position) VALUES (1, 1, 'apart', 0)")
        try Catalogue.distinguish(["a", "b"], run: BatchFixture.run, in: db)
      }
      let path = ItemPath(bytes: Array("a.jpg".utf8))
      try library.catalogue.setAlbums(
        [SourceAlbum(key: path, title: "Album", members: [path])],
        of: .library
      )
      var rules = AppliedRules()
      rules.places = "walk.gpx"
      try library.catalogue.setAppliedRules(rules, of: .library)
      try library.catalogue.note(described: [(path, [1])], of: .library)
    }
  }

  private func problems() throws -> [String] {
    try CatalogueReader(library: Array(path.utf8)).integrityProblems()
  }

  private func tamper(_ sql: String) throws {
    try MediaLibraryTests.tamper(file) { try $0.execute(sql: sql) }
  }

  private func tables() throws -> [DigestedTable] {
    let queue = try DatabaseQueue(path: file)
    defer { try? queue.close() }
    return try queue.read { try DigestedTable.all(in: $0) }
  }

  @Test("What is written has its digests and sums, whatever is written")
  func written() throws {
    try make()
    #expect(try problems() == [])
    try withLibrary(path) { library in
      var asset = BatchFixture.asset("still", 9, ["photo"])
      asset.isRewritten = true
      let staged = StagedBatch(
        results: [BatchFixture.result("still.jpg", 1, asset: "still")],
        assets: [asset]
      )
      let batch = try library.catalogue.intend(
        run: BatchFixture.run,
        firstAccess: 1,
        audit: BatchFixture.position
      )
      try library.catalogue.stage(batch, staged, done: [2])
      try library.catalogue.publish(batch, staged, run: BatchFixture.run)
      let superseded = try library.catalogue.filesToRemove()
      #expect(superseded.files.count == 3 && superseded.damaged == [])
      try library.catalogue.forget(superseded: superseded.files)
      try library.catalogue.forget(batch)
      try library.catalogue.endRun(
        BatchFixture.run,
        ended: .now,
        exitCode: .success,
        audit: BatchFixture.position
      )
      // A transaction that was not committed changes nothing.
      #expect(throws: LibraryError.self) {
        try library.catalogue.write { db in
          try db.execute(sql: "DELETE FROM items")
          throw LibraryError(.cannotWrite, "stop")
        }
      }
    }
    #expect(try problems() == [])
  }

  /// Takes the rows of a table out, and copies them from another catalogue.
  private func copyAgain<Column: TableColumn>(
    _: Column.Type,
    from source: Database,
    _ library: Library
  ) throws {
    try library.catalogue.writeCopies(into: Column.table) { db in
      let before = try Row.fetchAll(db, sql: "SELECT \(Column.list) FROM \(Column.table)")
      #expect(!before.isEmpty)
      try db.execute(sql: "DELETE FROM \(Column.table)")
      let rows = try RowCopy<Column>(from: source, order: "1")
      while try rows.next() { try rows.insert(into: library.catalogue, in: db) }
      #expect(try Row.fetchAll(db, sql: "SELECT \(Column.list) FROM \(Column.table)") == before)
    }
  }

  @Test(
    "Rows that are copied have the digests and sums that the triggers give, and damaged ones are not copied"
  )
  func copied() throws {
    try make()
    try withLibrary(path) { library in
      try library.catalogue.queue.inDatabase { try $0.execute(sql: "PRAGMA foreign_keys = OFF") }
      let content = try library.catalogue.content()
      let source = try DatabaseQueue()
      try library.catalogue.queue.backup(to: source)
      try source.write { source in
        try copyAgain(AssetColumn.self, from: source, library)
        try copyAgain(ResourceColumn.self, from: source, library)
        try copyAgain(TrackColumn.self, from: source, library)
        try copyAgain(ItemColumn.self, from: source, library)
        try copyAgain(FailureColumn.self, from: source, library)
        try copyAgain(ChangeColumn.self, from: source, library)
        #expect(try library.catalogue.content() == content)
        // What is not committed is in no sum.
        #expect(throws: LibraryError.self) {
          try library.catalogue.writeCopies(into: ItemColumn.table) { db in
            try db.execute(sql: "DELETE FROM items")
            throw LibraryError(.cannotWrite, "stop")
          }
        }
        for damage in ["UPDATE items SET size = size + 1", "DELETE FROM items"] {
          try source.inSavepoint {
            try source.execute(sql: damage)
            #expect(throws: LibraryError.self) {
              try copyAgain(ItemColumn.self, from: source, library)
            }
            return .rollback
          }
        }
      }
      #expect(try library.catalogue.content() == content)
      // A row without a digest gets one by the triggers again.
      try library.catalogue.write { db in
        try db.execute(sql: "UPDATE items SET digest = NULL")
        try db.execute(sql: "CREATE TEMP TABLE others AS SELECT * FROM items")
        try db.execute(sql: "DELETE FROM items")
        try db.execute(sql: "INSERT INTO items SELECT * FROM others")
      }
      #expect(try library.catalogue.content() == content)
    }
    #expect(try problems() == [])
  }

  @Test("Any value of any row that another program changes is named by its table")
  func everyColumn() throws {
    try make()
    let whole = try readBytes(file)
    let tables = try tables()
    #expect(tables.count == 20)
    var random = SeededGenerator()
    for table in tables {
      let columns = table.columns + ["digest"]
      for column in Amount.isAll ? columns : [random.pick(columns)] {
        try tamper(
          """
          UPDATE \(table.name) SET "\(column)" = CASE typeof("\(column)")
            WHEN 'null' THEN 1 WHEN 'integer' THEN "\(column)" + 1000 ELSE "\(column)" || 'x' END
          """
            + (table.key == ["rowid"]
              ? " WHERE rowid = (SELECT min(rowid) FROM \(table.name))" : "")
        )
        let findings = try problems()
        #expect(
          findings.contains { $0.contains("row of \(table.name) ") },
          "\(table.name).\(column): \(findings)"
        )
        try Data(whole).write(to: URL(fileURLWithPath: file))
        for suffix in ["-wal", "-shm"] { unlink(file + suffix) }
      }
    }
    #expect(try problems() == [])
  }

  @Test("A row that is gone, doubled or moved is missed in its table's sum")
  func everyTable() throws {
    try make()
    let whole = try readBytes(file)
    for table in try tables() {
      try tamper("DELETE FROM \(table.name)")
      #expect(try problems().contains { $0.hasPrefix("\(table.name) has 0 rows") }, "\(table.name)")
      try Data(whole).write(to: URL(fileURLWithPath: file))
      for suffix in ["-wal", "-shm"] { unlink(file + suffix) }
    }
    for (change, word) in [
      ("UPDATE sqlite_sequence SET seq = seq + 1", "sqlite_sequence"),
      ("CREATE TABLE mine (a)", "sqlite_schema"), ("PRAGMA user_version = 3", "sqlite_schema"),
      ("DROP INDEX itemsByAsset", "sqlite_schema"),
      ("UPDATE tableSums SET rowCount = rowCount + 1 WHERE name = 'items'", "items"),
      ("DELETE FROM tableSums WHERE name = 'assets'", "assets"),
      ("INSERT INTO tableSums VALUES ('more', 0, x'00')", "more"),
    ] {
      try tamper(change)
      let findings = try problems()
      #expect(findings.contains { $0.contains(word) }, "\(change): \(findings)")
      try Data(whole).write(to: URL(fileURLWithPath: file))
      for suffix in ["-wal", "-shm"] { unlink(file + suffix) }
    }
    #expect(try problems() == [])
  }

  @Test("A name of the schema that is gone is missed, and the schema is not made again")
  func unnamedSchema() throws {
    try make()
    try tamper("DELETE FROM grdb_migrations")
    #expect(try problems() == ["the name of its schema is missing"])
    #expect(errorCode { try withLibrary(path) { _ in } } == .inconsistent)
  }

  @Test("Private facts of another version are refused, and a version that was changed is damage")
  func versionOfPrivateFacts() throws {
    try withLibrary(path) { library in
      try library.openPrivateFacts()
      library.privateFacts?.close()
    }
    func change(_ body: (Database) throws -> Void) throws {
      try DatabaseQueue(path: path + "/private.sqlite").write(body)
    }
    func damage() throws -> [String] {
      try CatalogueReader(library: Array(path.utf8)).privateFactDamage()
    }
    #expect(try damage().isEmpty)
    for version in [2, 4] {
      try change { try $0.execute(sql: "PRAGMA user_version = \(version)") }
      #expect(try damage() == ["sqlite_schema has other content than its sum says"])
    }
    // As that version writes it.
    try change { try TableSums.set(TableSums.schema(in: $0), of: "sqlite_schema", in: $0) }
    #expect(errorCode { _ = try damage() } == .unknownSchema)
  }

  @Test("A damaged row that is written to later is still damaged")
  func staysDamaged() throws {
    try make()
    try tamper("UPDATE thumbnails SET fingerprint = 'g' WHERE name = 'preview'")
    try withLibrary(path) { library in
      try library.catalogue.write { db in
        try db.execute(sql: "UPDATE thumbnails SET superseded = 1")
      }
      let removable = try library.catalogue.filesToRemove()
      #expect(removable.damaged.count == 1)
      #expect(removable.files.count == 2)
    }
    #expect(try problems().contains { $0.contains("row of thumbnails") })
    #expect(try problems().contains { $0.hasPrefix("thumbnails has other content") })
  }

  @Test("Whether an asset may be replaced depends on its rows, and on the item's")
  func isWhole() throws {
    try make()
    func isWhole(_ item: String, _ row: Int64) throws -> Bool {
      try withLibrary(path) { library in
        try library.catalogue.isWhole(item: ItemPath(bytes: Array(item.utf8)), of: .camera, asset: row)
      }
    }
    #expect(try isWhole("still.jpg", 2))
    for change in [
      "UPDATE items SET asset = 3 WHERE path = CAST('still.jpg' AS BLOB)",
      "UPDATE resources SET role = 'video' WHERE asset = 2", "UPDATE tracks SET codec = 'mp3'",
      "UPDATE thumbnails SET superseded = 1 WHERE asset = 2 AND name = 'grid'",
      "UPDATE assets SET policy = 'keep' WHERE id = 2",
    ] {
      try? FileManager.default.removeItem(atPath: path)
      try make()
      try tamper(change)
      #expect(try !isWhole("still.jpg", 2), "\(change)")
      #expect(try isWhole("pair.jpg", 3), "\(change)")
    }
  }

  // MARK: Bit flips

  /// All that queries of a catalogue return: each table by its rows and by each of its indexes.
  private func answers(_ path: String) throws -> [String] {
    let queue = try DatabaseQueue(path: "file:\(path)?immutable=1")
    defer { try? queue.close() }
    return try queue.inDatabase { db in
      var queries = ["SELECT type, name, tbl_name, sql FROM sqlite_schema"]
      for name in ["application_id", "user_version", "encoding"] {
        queries.append("PRAGMA \(name)")
      }
      for name in Self.tables { queries.append("SELECT * FROM \(name)") }
      for (index, table, columns) in Self.indexes {
        queries.append(
          "SELECT \(columns) FROM \(table) INDEXED BY \(index) WHERE \(columns.split(separator: ",")[0]) IS NOT NULL"
        )
      }
      return try queries.map { sql in
        try Row.fetchAll(db, sql: sql)
          .map { $0.databaseValues.map { "\($0)" }.joined(separator: "|") }
          .joined(separator: "\n")
      }
    }
  }

  private static let tables = [
    "meta", "runs", "batches", "stagedBatches", "assets", "resources", "thumbnails", "items",
    "tracks", "auditBlocks", "tableSums", "sqlite_sequence", "grdb_migrations",
  ]
  private static let indexes = [
    ("resourcesBySourceDigest", "resources", "sourceDigest"),
    ("resourcesByAsset", "resources", "asset"), ("thumbnailsByAsset", "thumbnails", "asset"),
    ("itemsByAsset", "items", "asset"),
  ]

  @Test("Every flip of a bit that changes what a query returns is found")
  func bitFlips() throws {
    try make()
    try withLibrary(path) { library in
      let model = BatchFixture.asset("many", 100, ["photo"])
      let thumbnail = BatchFixture.thumbnail("grid", "many", 1)
      for number in 0..<40 {
        var asset = model
        asset.localIdentifier = "many \(number)"
        asset.saveTime.microseconds += Int64(number)
        asset.thumbnails = [thumbnail]
        asset.thumbnails[0].fileName = "\(number).jpg"
        let staged = StagedBatch(
          results: [BatchFixture.result("\(number).jpg", number, asset: "many \(number)")],
          assets: [asset]
        )
        let batch = try library.catalogue.intend(
          run: BatchFixture.run,
          firstAccess: 1,
          audit: BatchFixture.position
        )
        try library.catalogue.stage(batch, staged, done: [Int64(number + 1)])
        try library.catalogue.publish(batch, staged, run: BatchFixture.run)
      }
    }
    #expect(try problems() == [])
    let whole = try readBytes(file)
    let right = try answers(file)
    let wanted = Amount.of(40, all: 1000)
    var (changed, flips) = (0, 0)
    var missed: [String] = []
    var random = SeededGenerator()
    let descriptor = open(file, O_RDWR)
    defer { close(descriptor) }
    while changed < wanted {
      flips += 1
      let offset = Int(random.next() % UInt64(whole.count))
      let bit = UInt8(1) << UInt8(random.next() % 8)
      var byte = whole[offset] ^ bit
      pwrite(descriptor, &byte, 1, off_t(offset))
      if (try? answers(file)) != right {
        changed += 1
        if let findings = try? problems(), findings.isEmpty {
          missed.append("byte \(offset), bit \(bit)")
        }
      }
      byte = whole[offset]
      pwrite(descriptor, &byte, 1, off_t(offset))
    }
    #expect(missed == [], "\(missed.count) of \(changed) flips that changed an answer, of \(flips)")
    #expect(try problems() == [])
  }
}
