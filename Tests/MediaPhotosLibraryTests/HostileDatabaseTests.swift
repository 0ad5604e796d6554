import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaPhotosLibrary

@Suite("A Photos library whose database is not what it should be")
struct HostileDatabaseTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/L.photoslibrary" }

  @Test(
    "Tables of no known version are an unknown schema",
    arguments: [
      "DROP TABLE ZASSET;",
      "ALTER TABLE ZASSET DROP COLUMN ZHIDDEN;",
      "ALTER TABLE ZASSET DROP COLUMN ZCLOUDBATCHPUBLISHDATE;",
      "DROP TABLE Z_28ASSETS;",
      "CREATE TABLE Z_29ASSETS (Z_29ALBUMS INTEGER, Z_3ASSETS INTEGER); DELETE FROM Z_PRIMARYKEY;",
      "ALTER TABLE ZASSET RENAME TO OTHER; CREATE VIEW ZASSET AS SELECT * FROM OTHER;",
      "ALTER TABLE ZGENERICALBUM RENAME COLUMN ZTRASHEDSTATE TO ZOTHER;",
    ]
  )
  func unknownSchema(_ change: String) throws {
    try Made.library(at: path).sql(change)
    #expect(try Reading.failure(of: path) == .unknownSchema)
  }

  @Test("Of two joins that an update left, the numbers of the entities tell which one counts")
  func twoJoins() throws {
    try Made.library(at: path).sql(
      "CREATE TABLE Z_27ASSETS (Z_27ALBUMS INTEGER, Z_3ASSETS INTEGER, Z_FOK_3ASSETS INTEGER);"
    )
    let index = try Reading.index(of: path)
    #expect(index.albums.first.map { index.identifiers(in: $0) } == [Made.third, Made.first])
  }

  @Test("A zone of an impossible offset is none", arguments: ["-9223372036854775808", "64801"])
  func impossibleOffset(_ seconds: String) throws {
    try Made.library(at: path).sql("UPDATE ZADDITIONALASSETATTRIBUTES SET ZTIMEZONEOFFSET = \(seconds);")
    let index = try Reading.index(of: path)
    #expect(index.assets.count == 3)
    #expect(index.assets.allSatisfy { $0.offsetMinutes == nil })
  }

  @Test("A view that never ends is not run")
  func endlessView() throws {
    try Made.library(at: path).sql(
      """
      ALTER TABLE ZKEYWORD RENAME TO OTHER;
      CREATE VIEW ZKEYWORD AS WITH RECURSIVE n(Z_PK, ZTITLE) AS
        (SELECT 1, 'a' UNION ALL SELECT Z_PK + 1, 'a' FROM n) SELECT * FROM n;
      """
    )
    let index = try Reading.index(of: path)
    #expect(index.assets.count == 3)
    #expect(index.assets.allSatisfy { $0.keywords.isEmpty })
  }

  @Test("A file that is no whole database is damaged", arguments: [0, 1, 100, 4096, 8192, 20_000])
  func cut(_ length: Int) throws {
    let library = try Made.library(at: path)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: library.database))
    try #require(bytes.count > length)
    try bytes.prefix(length).write(to: URL(fileURLWithPath: library.database))
    let code = try Reading.failure(of: path)
    // What is left of one without a header is a database without tables.
    #expect(length < 100 ? code == .unknownSchema : code == .damaged, "\(String(describing: code))")
  }

  @Test("A property list that holds a set, which Foundation's reader ends at, tells the version")
  func propertyListWithSet() {
    let list = Self.propertyListWithSet
    #expect(PhotosDatabase.modelVersion(in: list) == 16_320)
    // One bit makes a set of another object: nothing that is changed ends the process.
    for index in list.indices {
      for bit in 0..<8 {
        var changed = list
        changed[index] ^= 1 << UInt8(bit)
        _ = PhotosDatabase.modelVersion(in: changed)
      }
    }
    #expect(PhotosDatabase.modelVersion(in: []) == nil)
    #expect(PhotosDatabase.modelVersion(in: Array(list.dropLast())) == nil)
  }

  /// `{"PLModelVersion": 16320, "tags": set of "a"}` as a binary property list.
  private static let propertyListWithSet: [UInt8] = {
    let objects: [[UInt8]] = [
      [0xD2, 1, 2, 3, 4], [0x5E] + Array("PLModelVersion".utf8), [0x54] + Array("tags".utf8),
      [0x11, 0x3F, 0xC0], [0xC1, 5], [0x51, 0x61],
    ]
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let table = UInt8(bytes.count)
    bytes += offsets
    bytes += [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [UInt8(objects.count), 0, table] {
      bytes += [UInt8](repeating: 0, count: 7)
      bytes.append(number)
    }
    return bytes
  }()

  @Test("No flipped byte of the pages ends the process otherwise than with an answer")
  func flipped() throws {
    let library = try Made.library(at: path)
    let url = URL(fileURLWithPath: library.database)
    let bytes = try Data(contentsOf: url)
    var random = SeededGenerator(seed: 19)
    var answers: Set<String> = []
    for _ in 0..<60 {
      var changed = bytes
      for _ in 0..<8 { changed[Int.random(in: 0..<bytes.count, using: &random)] ^= 0xFF }
      try changed.write(to: url)
      let code = try Reading.failure(of: path)
      #expect(code != .readerEnded && code != .notConfined)
      answers.insert(code?.rawValue ?? "read")
    }
    #expect(answers.count > 1, "nothing was damaged: \(answers)")
  }

  @Test(
    "A link, a folder or a pipe in the database's place is not followed",
    arguments: [
      "ln -s $F/real $D/Photos.sqlite", "mkdir $D/Photos.sqlite", "mkfifo $D/Photos.sqlite",
      "rm -r $D && ln -s $F/elsewhere $D",
      "mv $F/real $D/Photos.sqlite && ln -s /etc/passwd $D/Photos.sqlite-wal",
    ]
  )
  func elsewhere(_ change: String) throws {
    let library = try Made.library(at: path)
    let script = """
      set -e; mkdir $F/elsewhere; cp $D/* $F/elsewhere; mv $D/Photos.sqlite $F/real; rm -f $D/*-wal $D/*-shm
      \(change)
      """
    let result = try Tool.run(
      "bash",
      ["-c", script],
      environment: ["F": folder.path, "D": library.path + "/database"]
    )
    try #require(result.status == 0, "\(result.error)")
    #expect(try Reading.failure(of: path) == .cannotOpen)
  }

  @Test("Without a database, and with a change that was interrupted, nothing is read")
  func missing() throws {
    let library = try Made.library(at: path)
    try Data([1]).write(to: URL(fileURLWithPath: library.database + "-journal"))
    #expect(try Reading.failure(of: path) == .unfinished)
    try FileManager.default.removeItem(atPath: library.database + "-journal")
    #expect(try Reading.failure(of: path) == nil)
    try FileManager.default.removeItem(atPath: library.database)
    #expect(try Reading.failure(of: path) == .missing)
  }

  @Test(
    "Places that lead out of the library are no places in it",
    arguments: [
      "'../../etc'", "'/etc'", "'0/..'", "'.'", "''", "'a//b'", "'a' || char(10) || 'b'", "NULL",
      "x'2e2e'", "'0/'",
    ]
  )
  func places(_ directory: String) throws {
    var asset = MadePhotosLibrary.Asset(Made.first, "a.jpg")
    asset.columns["ZDIRECTORY"] = directory
    _ = try MadePhotosLibrary(at: path, assets: [asset])
    let read = try Reading.index(of: path).assets[Made.first]
    #expect(read?.original == nil)
    #expect(read?.marks.contains(.referenced) == true)
  }

  @Test("Values of another type are no values, and hidden is what is not plainly shown")
  func types() throws {
    var one = MadePhotosLibrary.Asset(Made.first, "a.jpg")
    one.columns = [
      "ZHIDDEN": "'yes'", "ZTRASHEDSTATE": "x'00'", "ZFAVORITE": "'1x'", "ZDATECREATED": "'never'",
      "ZLATITUDE": "1e300", "ZLONGITUDE": "0", "ZAVALANCHEUUID": "'../..'", "ZKIND": "'x'",
    ]
    one.attributes = ["ZTITLE": "char(0) || 'x'", "ZTIMEZONEOFFSET": "9223372036854775807"]
    one.caption = "a\u{202E}b\u{7}c"
    var two = MadePhotosLibrary.Asset(Made.second, "b.jpg")
    two.columns = ["ZUUID": "'../../../etc/passwd'"]
    var three = MadePhotosLibrary.Asset(Made.third, "c.jpg")
    three.columns = ["ZDATECREATED": "9e18", "ZHIDDEN": "NULL"]
    three.attributes = ["ZTITLE": "printf('%.*c', 50000000, 'x')"]
    _ = try MadePhotosLibrary(at: path, assets: [one, two, three])
    let index = try Reading.index(of: path)
    #expect(index.unusableRows == 1)
    let read = try #require(index.assets[Made.first])
    #expect(read.marks == [.hidden, .trashed, .local])
    #expect(read.taken == nil)
    #expect(read.place == nil)
    #expect(read.burst == nil)
    #expect(read.title == nil)
    #expect(read.caption == "a\u{202E}bc")
    let last = try #require(index.assets[Made.third])
    #expect(last.title?.utf8.count == 2000)
    #expect(last.marks == [.local])
    #expect(last.taken == nil)
  }

  @Test("Of two assets with one identifier, what keeps a photo back counts")
  func twice() throws {
    var hidden = MadePhotosLibrary.Asset(Made.first, "a.jpg")
    hidden.columns = ["ZHIDDEN": "1"]
    var trashed = MadePhotosLibrary.Asset(Made.first, "b.jpg")
    trashed.columns = ["ZTRASHEDSTATE": "1"]
    let plain = MadePhotosLibrary.Asset(Made.first, "c.jpg")
    _ = try MadePhotosLibrary(at: path, assets: [hidden, trashed, plain])
    let index = try Reading.index(of: path)
    #expect(index.assets.count == 1)
    #expect(index.assets[Made.first]?.marks.isSuperset(of: [.hidden, .trashed]) == true)
    #expect(index.unusableRows == 2)
  }
}
