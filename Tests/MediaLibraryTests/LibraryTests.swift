import Dispatch
import Foundation
import GRDB
import Glibc
import MediaFileSystem
import MediaLibraryTestSupport
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaLibrary

@Suite("Library folder")
struct LibraryTests {
  private let scratch = TemporaryFolder()
  private var path: String { scratch.path + "/Library" }
  private static let contents: Set<String> = [
    "Originals", "Thumbnails", "Audit", ".staging", ".lock", "library.sqlite",
  ]

  private func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: path))
  }

  @Test("Made where nothing is, with the folders above, and where an empty folder is")
  func makesLibrary() throws {
    for path in [path, scratch.path + "/a/b/c/Library"] {
      try withLibrary(path) { _ in }
      #expect(
        Set(try FileManager.default.contentsOfDirectory(atPath: path))
          .isSuperset(of: Self.contents)
      )
      try withLibrary(path) { _ in }
    }
    let empty = scratch.path + "/empty"
    mkdir(empty, 0o755)
    try withLibrary(empty) { _ in }
  }

  @Test(
    "A slash at the end, or two in a row, name the same folder",
    arguments: ["/Slash/", "/two//Slash", "/dot/./Slash/."]
  )
  func slashes(_ name: String) throws {
    try withLibrary(scratch.path + name) { _ in }
    try withLibrary(scratch.path + name) { _ in }
  }

  @Test(
    "A library in a folder whose name is no UTF-8, or means something in an address, is made and read there",
    arguments: [[0x6C, 0xFF], Array("a b?mode=memory#%41 é".utf8)]
  )
  func nameOfBytes(_ name: [UInt8]) throws {
    let path = Array((scratch.path + "/").utf8) + name
    let identifier: String
    do {
      let library = try Library(path: path, waits: true, holder: "a test")
      defer { library.catalogue.close() }
      try library.openPrivateFacts()
      library.privateFacts?.close()
      identifier = try library.catalogue.identifier()
      let root = try FileSystem.openFolder(path)
      let entries = try FileSystem.entries(of: root)
      let names = Set(entries.map { String(decoding: $0.name, as: UTF8.self) })
      #expect(names.isSuperset(of: Self.contents.union(["library.sqlite-wal", "private.sqlite"])))
    }
    let reader = try CatalogueReader(library: path)
    try reader.readPrivateFacts()
    #expect(try reader.integrityProblems().isEmpty)
    #expect(try reader.privateFactDamage().isEmpty)
    #expect(try EarlierCatalogue(library: path)?.identifier == identifier)
    // No second folder, with the name that repaired bytes would have.
    let folders = try FileSystem.entries(of: FileSystem.openFolder(Array(scratch.path.utf8)))
    #expect(folders.map(\.name) == [name])
  }

  @Test("A library that was open before is opened again, and no folder or link that took its place")
  func isReopened() throws {
    let bytes = Array(path.utf8)
    let folder = try withLibrary(path) { try $0.root.status() }
    let again = try Library(path: bytes, waits: true, holder: "a test", status: folder)
    again.catalogue.close()
    #expect(rename(path, scratch.path + "/was") == 0)
    func expectRefused() {
      let code = errorCode {
        _ = try Library(path: bytes, waits: true, holder: "a test", status: folder)
      }
      #expect(code == .notALibrary)
    }
    expectRefused()
    #expect(!FileManager.default.fileExists(atPath: path))
    let empty = scratch.path + "/empty"
    mkdir(empty, 0o755)
    #expect(symlink(empty, path) == 0)
    expectRefused()
    #expect(try FileManager.default.contentsOfDirectory(atPath: empty) == [])
  }

  @Test(
    "A folder that holds something else is refused and stays as it is",
    arguments: [
      ["notes.txt"], ["library.sqlite"], ["Originals"], ["Originals/x"], [".lock", "x"],
      ["Originals/", "Originals/x", ".lock"], ["library.sqlite", "notes.txt"], [".hidden"],
      ["library.sqlite-wal", "photo.jpg"],
    ]
  )
  func foreign(_ names: [String]) throws {
    mkdir(path, 0o755)
    for name in names {
      if name.contains("/") { mkdir(path + "/" + (name.split(separator: "/").first ?? ""), 0o755) }
      if !name.hasSuffix("/") {
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path + "/" + name))
      }
    }
    let before = try snapshot(path)
    if names == ["Originals"] {
      // A file where our folder would be: not empty, and no folder.
      #expect(throws: LibraryError.self) { _ = try openLibrary(path) }
    } else {
      #expect(errorCode { _ = try openLibrary(path) } == .notALibrary)
    }
    #expect(try snapshot(path) == before)
  }

  @Test(
    "Somebody's own database called library.sqlite is not taken for ours",
    .enabled(if: Tool.exists("sqlite3"), "no sqlite3"),
    arguments: [0, 7]
  )
  func foreignDatabase(_ identifier: Int) throws {
    mkdir(path, 0o755)
    let database = path + "/library.sqlite"
    _ = try Tool.run(
      "sqlite3",
      [
        database,
        "PRAGMA application_id=\(identifier); CREATE TABLE mine(a); INSERT INTO mine VALUES (1);",
      ]
    )
    let before = try readBytes(database)
    #expect(errorCode { _ = try openLibrary(path) } == .notALibrary)
    #expect(try readBytes(database) == before)
    #expect(try names() == ["library.sqlite"])
    #expect(errorCode { _ = try CatalogueReader(library: Array(path.utf8)) } == .notALibrary)
  }

  @Test("Making that was interrupted at any point is resumed", arguments: 0...7)
  func interruptedMaking(_ steps: Int) throws {
    mkdir(path, 0o755)
    let folders = ["Originals", "Thumbnails", "Audit", ".staging"]
    if steps > 0 { try Data().write(to: URL(fileURLWithPath: path + "/.lock")) }
    for folder in folders.prefix(max(0, steps - 1)) { mkdir(path + "/" + folder, 0o755) }
    if steps > 5 { try Data().write(to: URL(fileURLWithPath: path + "/.staging/try-1")) }
    if steps > 6 { try Data().write(to: URL(fileURLWithPath: path + "/library.sqlite")) }
    #expect(try withLibrary(path) { try $0.catalogue.assetCount() } == 0)
    #expect(try names().isSuperset(of: Self.contents))
  }

  @Test(
    "A library that was copied away from a process that held it is a library: its file says so by itself"
  )
  func killed() throws {
    let library = try openLibrary(path)
    _ = try BatchFixture(library)
    // As a crash leaves it: nothing is closed, nothing written out of the log.
    let copy = scratch.path + "/Copy"
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    #expect(try withLibrary(copy) { try $0.catalogue.assetCount() } == 1)
    library.catalogue.close()
  }

  @Test("A .lock that is another file's second name is refused, and that file stays as it is")
  func linkedLock() throws {
    try withLibrary(path) { _ in }
    let elsewhere = scratch.path + "/mine.txt"
    try Data("mine".utf8).write(to: URL(fileURLWithPath: elsewhere))
    unlink(path + "/.lock")
    #expect(link(elsewhere, path + "/.lock") == 0)
    #expect(errorCode { _ = try openLibrary(path) } == .notALibrary)
    #expect(try readBytes(elsewhere) == Array("mine".utf8))
  }

  @Test("A held library says by whom, and a holder that has ended holds nothing")
  func held() throws {
    var first: Library? = try openLibrary(path)
    #expect(errorCode { _ = try openLibrary(path, waits: false) } == .held)
    do {
      _ = try openLibrary(path, waits: false)
    } catch let error as LibraryError {
      #expect(error.description.contains("a test"))
      #expect(error.exitCode == .libraryHeld)
    }
    first?.catalogue.close()
    first = nil
    try withLibrary(path) { _ in }
  }

  @Test("Whoever waits gets the library when its holder ends")
  func waiting() throws {
    let path = path
    var first: Library? = try openLibrary(path)
    let (hasBegun, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    // A thread of its own: it must not take one that other tests need.
    Thread.detachNewThread {
      hasBegun.signal()
      guard let library = try? openLibrary(path, waits: true) else { return }
      library.catalogue.close()
      isDone.signal()
    }
    hasBegun.wait()
    #expect(isDone.wait(timeout: .now() + 0.3) == .timedOut)
    first?.catalogue.close()
    first = nil
    #expect(isDone.wait(timeout: .now() + 240) == .success)
  }
}

@Suite("Catalogue")
struct CatalogueTests {
  private let scratch = TemporaryFolder()
  private var path: String { scratch.path + "/Library" }

  @Test(
    "Its file carries our application_id and is in WAL mode, as sqlite3 reads it",
    .enabled(if: Tool.exists("sqlite3"), "no sqlite3")
  )
  func header() throws {
    let library = try openLibrary(path)
    let file = path + "/library.sqlite"
    #expect(try sqlite(file, "PRAGMA application_id") == "\(0x4D42_4C42)\n")
    #expect(try sqlite(file, "PRAGMA journal_mode") == "wal\n")
    // In the header itself, whatever is still in the log: bytes 68 to 71, and 18 for the mode.
    let header = try readBytes(file)
    #expect(Array(header[68..<72]) == Array("MBLB".utf8))
    #expect(header[18] == 2)
    for suffix in ["-wal", "-shm"] {
      #expect(FileSystem.exists(Array((file + suffix).utf8)))
    }
    library.catalogue.close()
    #expect(try sqlite(file, "PRAGMA integrity_check") == "ok\n")
  }

  @Test("What it commits is flushed: synchronous=FULL in WAL mode, nothing temporary on disk")
  func durability() throws {
    for _ in 0..<2 {
      let pragmas = try withLibrary(path) { library in
        try library.catalogue.read { database in
          try ["journal_mode", "synchronous", "temp_store", "foreign_keys"].map { name in
            try String.fetchOne(database, sql: "PRAGMA \(name)")
          }
        }
      }
      #expect(pragmas == ["wal", "2", "2", "1"])
    }
  }

  @Test("Opened again it has its key and what was written")
  func reopened() throws {
    let key = try withLibrary(path) { library in
      _ = try BatchFixture(library)
      return library.digestKey
    }
    #expect(key.count == 32)
    try withLibrary(path) { library in
      let again = library.digestKey
      let count = try library.catalogue.assetCount()
      let positions = try library.catalogue.auditPositions()
      #expect(again == key)
      #expect(count == 1)
      #expect(positions == [BatchFixture.position])
    }
    let other = try withLibrary(scratch.path + "/Other") { $0.digestKey }
    #expect(other != key)
  }

  @Test(
    "One that another version wrote is refused by all and stays as it is",
    .enabled(if: Tool.exists("sqlite3"), "no sqlite3"),
    arguments: [
      "INSERT INTO grdb_migrations VALUES ('99 future')",
      "UPDATE grdb_migrations SET identifier = '18 source albums'",
    ]
  )
  func otherVersion(change: String) throws {
    try withLibrary(path) { _ in }
    let file = path + "/library.sqlite"
    _ = try Tool.run("sqlite3", [file, change])
    let before = try sqlite(file, ".dump")
    let bytes = Array(path.utf8)
    #expect(errorCode { _ = try openLibrary(path) } == .unknownSchema)
    #expect(errorCode { _ = try CatalogueReader(library: bytes) } == .unknownSchema)
    #expect(
      errorCode { _ = try Library(rebuilding: bytes, waits: false, holder: "test") }
        == .unknownSchema
    )
    #expect(try sqlite(file, ".dump") == before)
  }

  @Test(
    "A reader makes no file and changes none",
    .enabled(if: Tool.exists("sqlite3"), "no sqlite3")
  )
  func reader() throws {
    let path = scratch.path + "/Lib ?#%41 é"
    try withLibrary(path) { _ = try BatchFixture($0) }
    let before = try snapshot(path)
    let reader = try CatalogueReader(library: Array(path.utf8))
    #expect(try publishedPaths(reader).count == 1)
    #expect(try reader.integrityProblems().isEmpty)
    #expect(try snapshot(path) == before)
  }

  @Test("A reader sees what a writer has written, while it is open")
  func readerBesideWriter() throws {
    let library = try openLibrary(path)
    _ = try BatchFixture(library)
    let reader = try CatalogueReader(library: Array(path.utf8))
    #expect(try publishedPaths(reader).count == 1)
    library.catalogue.close()
  }

  /// The paths of all files that the library should hold, read `limit` at a time.
  private func publishedPaths(_ reader: CatalogueReader, limit: Int = 1024) throws -> [String] {
    var paths: [String] = []
    try reader.forEachPage(superseded: false, limit: limit) { page in
      #expect(page.count <= limit)
      paths += page.map(\.path)
    }
    return paths
  }

  /// Adds so many assets with an original and a thumbnail each, past the program.
  private func addAssets(_ count: Int) throws {
    _ = try Tool.run(
      "sqlite3",
      [
        path + "/library.sqlite",
        """
        WITH RECURSIVE number(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < \(count))
        INSERT INTO assets (localIdentifier, saved, label, mediaType, source, sourceName, policy,
          orientation, degraded, run)
        SELECT 'many' || i, '', '', 'image', 'camera', 'camera', 'strip', 1, 0, '\(BatchFixture.run)' FROM number;
        INSERT INTO resources (asset, role, path, format, bytes, sha256, sourceDigest, source,
          sourceName, sourcePath)
        SELECT id, 'photo', 'Originals/many/' || (id * 7919 % 10007), 'jpeg', 1, 'd', x'00', 'camera',
          'camera', x'00' FROM assets WHERE localIdentifier LIKE 'many%';
        INSERT INTO thumbnails (asset, name, fingerprint, path, width, height, bytes, sha256)
        SELECT id, 'grid', 'f', 'Thumbnails/many/' || id, 1, 1, 1, 'd' FROM assets
          WHERE localIdentifier LIKE 'many%';
        """,
      ]
    )
  }

  @Test(
    "Published files come part by part, in the order of their paths, each once",
    .enabled(if: Tool.exists("sqlite3"), "no sqlite3")
  )
  func pages() throws {
    try withLibrary(path) { _ = try BatchFixture($0) }
    try addAssets(500)
    let reader = try CatalogueReader(library: Array(path.utf8))
    let all = try publishedPaths(reader)
    #expect(all.count == 1001)
    #expect(Set(all).count == all.count)
    #expect(all == all.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    for limit in [1, 7, 500, 501, 1001] { #expect(try publishedPaths(reader, limit: limit) == all) }
  }

  @Test("While a part of the files is looked at, a run can empty its write-ahead log")
  func pagesHoldNothing() throws {
    let library = try openLibrary(path)
    _ = try BatchFixture(library)
    let reader = try CatalogueReader(library: Array(path.utf8))
    func isBusy() throws -> Bool {
      try library.catalogue.queue.inDatabase { db in
        try db.execute(sql: "UPDATE meta SET opened = opened + 1")
        return try Bool.fetchOne(db, sql: "PRAGMA wal_checkpoint(RESTART)") ?? true
      }
    }
    var pages = 0
    try reader.forEachPage(superseded: false) { _ in
      pages += 1
      let wasBusy = try isBusy()
      #expect(!wasBusy)
    }
    #expect(pages == 1)
    try library.catalogue.queue.inDatabase { try $0.execute(sql: "PRAGMA busy_timeout = 1") }
    // The control: a moment of the catalogue does hold it.
    #expect(try reader.atOneMoment { _ in try isBusy() })
    library.catalogue.close()
  }

  @Test(
    "An index that leads in a circle is an error, and no endless loop",
    .enabled(if: Tool.exists("sqlite3"), "no sqlite3")
  )
  func circle() throws {
    try withLibrary(path) { _ = try BatchFixture($0) }
    _ = try Tool.run(
      "sqlite3",
      [path + "/library.sqlite", "UPDATE resources SET path = CAST(path AS BLOB)"]
    )
    let reader = try CatalogueReader(library: Array(path.utf8))
    #expect(errorCode { _ = try publishedPaths(reader, limit: 1) } == .inconsistent)
  }

  @Test("A file is marked by its path and its digest together")
  func marks() throws {
    try withLibrary(path) { try BatchFixture($0).publish() }
    let reader = try CatalogueReader(library: Array(path.utf8))
    try reader.atOneMoment { moment in
      var files: [Catalogue.PublishedFile] = []
      try FileMarks(moment).forEachFile { row in
        #expect(!row.isMarked)
        files.append(row.file)
      }
      #expect(files.count == 8)
      for (index, file) in files.enumerated() {
        let marks = try FileMarks(moment)
        marks.mark(Array(file.path.utf8), sha256: String(file.sha256.reversed()))
        marks.mark(Array((file.path + "x").utf8), sha256: file.sha256)
        try marks.forEachFile { #expect(!$0.isMarked) }
        marks.mark(Array(file.path.utf8), sha256: file.sha256)
        marks.mark(Array(file.path.utf8), sha256: file.sha256)
        var marked: [Bool] = []
        try marks.forEachFile { marked.append($0.isMarked) }
        #expect(marked == files.indices.map { $0 == index })
      }
    }
  }

  @Test("A set of rows is a set, with gaps and at its ends too")
  func rowSet() {
    var random = SeededGenerator()
    var rows = RowSet()
    var expected: Set<Int64> = []
    let special: [Int64] = [0, 63, 64, -1, -64, -65, .min, .max]
    for index in 0..<2000 {
      let row =
        index < special.count ? special[index] : Int64(truncatingIfNeeded: random.next() % 5000)
      rows.insert(row)
      expected.insert(row)
    }
    #expect(rows.count == expected.count)
    for row in special + Array(-70...5100) { #expect(rows.contains(row) == expected.contains(row)) }
  }

  @Test("A folder without a catalogue is not a library, and stays as it is")
  func noLibrary() throws {
    #expect(errorCode { _ = try CatalogueReader(library: Array(scratch.path.utf8)) } == .notALibrary)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
  }

  @Test("Items come in the order of their paths' bytes, whatever bytes these are")
  func itemOrder() throws {
    try withLibrary(path) { library in
      let fixture = try BatchFixture(library)
      let paths: [[UInt8]] = [
        [0xFF], Array("a/b".utf8), Array("a".utf8), Array("a-b".utf8), Array("B".utf8),
        Array("caf\u{E9}".utf8), Array("cafe\u{301}".utf8), [0x01], [0xC3],
      ]
      let results = paths.enumerated().map { index, path in
        var result = BatchFixture.result("", index, asset: "known")
        result.item.path = ItemPath(bytes: path)
        return result
      }
      let batch = try fixture.intend()
      try library.catalogue.publish(batch, StagedBatch(results: results, assets: []), run: BatchFixture.run)
      var listed: [ItemPath] = []
      try library.catalogue.items(of: .camera, writtenUnder: "") { next in
        while let item = try next() { listed.append(item.path) }
      }
      let expected = (paths + [Array("known.jpg".utf8)]).map(ItemPath.init(bytes:)).sorted()
      #expect(listed == expected)
      try library.catalogue.items(of: .library, writtenUnder: "") { next in
        let item = try next()
        #expect(item == nil)
      }
    }
  }

  @Test("An inode that no signed number holds comes back as it was")
  func largeInode() throws {
    try withLibrary(path) { library in
      _ = try BatchFixture(library)
      try library.catalogue.items(of: .camera, writtenUnder: "") { next in
        let item = try next()
        #expect(item?.inode == 1 << 63)
        #expect(item?.device == 1)
      }
    }
  }

  @Test("An item says whether an asset holds its content, and how it was written unless as now")
  func itemFacts() throws {
    try withLibrary(path) { library in
      let fixture = try BatchFixture(library)
      let results = ItemOutcome.allCases.enumerated().map { index, outcome in
        var result = BatchFixture.result("\(index)", index, asset: "known")
        result.outcome = outcome
        result.writtenUnder = index % 2 == 0 ? "strip a=b" : "keep "
        return result
      }
      try library.catalogue.publish(
        try fixture.intend(),
        StagedBatch(results: results, assets: []),
        run: BatchFixture.run
      )
      try library.catalogue.items(of: .camera, writtenUnder: "keep ") { next in
        for (index, outcome) in ItemOutcome.allCases.enumerated() {
          let item = try next()
          #expect(item?.isWritten == [.imported, .unchanged, .duplicate].contains(outcome))
          #expect(item?.writtenUnder == (index % 2 == 0 ? "strip a=b" : nil))
        }
      }
    }
  }

  @Test("Content is found by its source's digest, under its own policy only")
  func content() throws {
    try withLibrary(path) { library in
      _ = try BatchFixture(library)
      let digest = Array("known-known.jpg".utf8)
      #expect(try library.catalogue.content(sourceDigest: digest, policy: .strip).count == 1)
      #expect(try library.catalogue.content(sourceDigest: digest, policy: .keep).isEmpty)
      #expect(try library.catalogue.content(sourceDigest: [], policy: .strip).isEmpty)
    }
  }

  @Test(
    "A failure counts as said only after a run that ended with the code of failures",
    arguments: [nil] + RunExitCode.allCases
  )
  func pastFailures(code: RunExitCode?) throws {
    try withLibrary(path) { library in
      let fixture = try BatchFixture(library)
      let reasons = ItemReason.allCases.filter { $0.outcome == .failed }
      let results = reasons.enumerated().map { index, reason in
        var result = BatchFixture.result(reason.rawValue, index, asset: "none")
        result.outcome = .failed
        result.reason = reason
        result.conditions = "now"
        return result
      }
      // The row of an asset stays as it is when its file is broken later.
      var broken = BatchFixture.result("known.jpg", 0, asset: "none")
      broken.outcome = .failed
      broken.reason = .damaged
      broken.conditions = "now"
      broken.item.status.size += 1
      try library.catalogue.publish(
        try fixture.intend(),
        StagedBatch(results: results + [broken], assets: []),
        run: BatchFixture.run
      )
      if let code {
        try library.catalogue.endRun(
          BatchFixture.run,
          ended: SaveTime(microseconds: 1),
          exitCode: code,
          audit: BatchFixture.position
        )
      }
      func pastFailures(_ conditions: String?) throws -> Set<String> {
        var paths: Set<String> = []
        try library.catalogue.items(of: .camera, writtenUnder: "", failingUnder: conditions) {
          next in
          while let item = try next() {
            guard let failure = item.failure else { continue }
            paths.insert(item.path.text)
            if item.path.text == "known.jpg" { #expect(failure.size == item.size + 1) }
          }
        }
        return paths
      }
      let lasting: Set = [
        "contentUnknown", "damaged", "stripUnsupported", "overLimit", "known.jpg",
      ]
      #expect(try pastFailures("now") == (code == .itemsFailed ? lasting : []))
      #expect(try pastFailures("then").isEmpty)
      #expect(try pastFailures(nil).isEmpty)
      // An item that ends otherwise has no failure any more.
      let mended = BatchFixture.result("damaged", 1, asset: "known")
      try library.catalogue.publish(
        try fixture.intend(),
        StagedBatch(results: [mended], assets: []),
        run: BatchFixture.run
      )
      #expect(try pastFailures("now") == (code == .itemsFailed ? lasting.subtracting(["damaged"]) : []))
    }
  }
}
