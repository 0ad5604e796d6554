import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaPhotosLibrary

@Suite("What the database of a Photos library says")
struct PhotosReaderTests {
  @Test(
    "Assets and albums are the same in each version's schema",
    arguments: MadePhotosLibrary.generations
  )
  func generations(_ generation: MadePhotosLibrary.Generation) throws {
    let folder = TemporaryFolder()
    _ = try Made.library(at: folder.path + "/L.photoslibrary", generation)
    let index = try Reading.index(of: folder.path + "/L.photoslibrary")
    #expect(index.modelVersion == generation.model)
    #expect(index.assets.count == 3)
    #expect(index.unusableRows == 0)

    let asset = try #require(index.assets[Made.first])
    #expect(asset.marks == [.favorite, .edited, .local])
    #expect(asset.original?.text == "originals/0/\(Made.first).jpeg")
    #expect(asset.originalName == "Harbour at dawn.JPG")
    #expect(asset.stem == "Harbour at dawn")
    #expect(asset.title == "The harbour")
    #expect(asset.caption == "Boats, early")
    #expect(asset.keywords == ["boats", "sea", "Ünder"])
    #expect(asset.people == ["Ann", "Bo"])
    #expect(asset.burst == "BURST-0001")
    #expect(asset.isBurstPick == true)
    #expect(asset.place == MediaDescription.Place(latitude: 515_000_000, longitude: -1_250_000))
    let date = asset.description.dates.first
    // 561129492 s after 2001 is 2018-10-13T13:18:12Z.
    #expect(date?.local == "2018-10-13T09:18:12")
    #expect(date?.offsetMinutes == -240)

    let two = try #require(index.assets[Made.second])
    #expect(two.marks == [.hidden, .video])
    #expect(two.isBurstPick == false)
    #expect(two.subtypes == .videoHighFrameRate)
    #expect(two.place == nil)

    let three = try #require(index.assets[Made.third])
    #expect(three.marks == [.trashed, .shared, .live, .local])
    #expect(three.description.caption == "Only a title")

    #expect(index.albums.map(\.title) == ["Summer / sea", "Empty"])
    #expect(index.albums.map { index.identifiers(in: $0) } == [[Made.third, Made.first], []])
  }

  @Test(
    "Portraits, selfies, HDR, spatial media and screen recordings are subtypes",
    arguments: MadePhotosLibrary.generations
  )
  func kinds(_ generation: MadePhotosLibrary.Generation) throws {
    let folder = TemporaryFolder()
    let library = try Made.library(at: folder.path + "/L.photoslibrary", generation)
    let table = generation.assets
    let depth = table == "ZASSET" ? "ZDEPTHTYPE" : "ZDEPTHSTATES"
    let rendering = generation.model > 15_000 ? "ZHDRTYPE" : "ZCUSTOMRENDEREDVALUE"
    try library.sql(
      """
      ALTER TABLE \(table) ADD COLUMN \(depth) INTEGER;
      ALTER TABLE \(table) ADD COLUMN ZSPATIALTYPE INTEGER;
      ALTER TABLE \(table) ADD COLUMN \(rendering) INTEGER;
      UPDATE \(table) SET \(rendering) = CASE Z_PK WHEN 3 THEN 6 ELSE 3 END;
      ALTER TABLE ZADDITIONALASSETATTRIBUTES ADD COLUMN ZCAMERACAPTUREDEVICE INTEGER;
      UPDATE \(table) SET \(depth) = 1, ZSPATIALTYPE = 0 WHERE Z_PK = 1;
      UPDATE \(table) SET \(depth) = 1, ZSPATIALTYPE = 1, ZKINDSUBTYPE = 103 WHERE Z_PK = 2;
      UPDATE \(table) SET \(depth) = 0, ZSPATIALTYPE = 'x' WHERE Z_PK = 3;
      UPDATE ZADDITIONALASSETATTRIBUTES SET ZCAMERACAPTUREDEVICE = ZASSET <> 3;
      """
    )
    let index = try Reading.index(of: library.path)
    let all: MediaSubtypes = [.photoDepthEffect, .photoSelfie, .photoHDR]
    #expect(index.assets[Made.first]?.subtypes == all)
    // A film has none of them, whatever the database says.
    #expect(index.assets[Made.second]?.subtypes == [.spatialMedia, .videoScreenRecording])
    #expect(index.assets[Made.third]?.subtypes == .photoPanorama)
  }

  @Test(
    "An album has the order in which Photos shows it",
    arguments: [MadePhotosLibrary.generations[0], MadePhotosLibrary.generation13]
  )
  func order(_ generation: MadePhotosLibrary.Generation) throws {
    let folder = TemporaryFolder()
    let library = try Made.library(at: folder.path + "/L.photoslibrary", generation)
    try library.sql(
      """
      ALTER TABLE ZGENERICALBUM ADD COLUMN ZCUSTOMSORTKEY INTEGER;
      ALTER TABLE ZGENERICALBUM ADD COLUMN ZCUSTOMSORTASCENDING INTEGER;
      UPDATE \(generation.assets) SET ZDATECREATED = CASE Z_PK WHEN 1 THEN 30 WHEN 2 THEN 10 ELSE 20 END;
      UPDATE ZADDITIONALASSETATTRIBUTES SET ZTITLE = CASE ZASSET WHEN 1 THEN 'b' WHEN 2 THEN 'c' ELSE 'a' END;
      DELETE FROM \(generation.join);
      INSERT INTO \(generation.join) SELECT g.Z_PK, a.Z_PK, a.Z_PK FROM ZGENERICALBUM AS g
        JOIN \(generation.assets) AS a WHERE g.ZKIND = 2;
      """
    )
    let (first, second, third) = (Made.first, Made.second, Made.third)
    for (kind, isUp, members) in [
      ("0", "1", [first, second, third]), ("1", "1", [second, third, first]),
      ("1", "0", [first, third, second]), ("1", "NULL", [second, third, first]),
      ("5", "1", [third, first, second]), ("NULL", "NULL", [first, second, third]),
      ("'1'", "x'00'", [second, third, first]), ("'x'", "'x'", [first, second, third]),
    ] {
      let set = "ZCUSTOMSORTKEY = \(kind), ZCUSTOMSORTASCENDING = \(isUp)"
      try library.sql("UPDATE ZGENERICALBUM SET \(set);")
      let index = try Reading.index(of: library.path)
      #expect(index.albums.map { index.identifiers(in: $0) } == [members, members], "\(kind) \(isUp)")
    }
    // Of equal dates, the one that was put first.
    try library.sql(
      """
      UPDATE ZGENERICALBUM SET ZCUSTOMSORTKEY = 1, ZCUSTOMSORTASCENDING = 0;
      UPDATE \(generation.assets) SET ZDATECREATED = CASE Z_PK WHEN 3 THEN 'x' ELSE 10 END;
      """
    )
    let index = try Reading.index(of: library.path)
    #expect(index.albums.first.map { index.identifiers(in: $0) } == [third, first, second])
  }

  @Test("A person who was merged with another one has the name of that one")
  func mergedPerson() throws {
    let folder = TemporaryFolder()
    let library = try Made.library(at: folder.path + "/L.photoslibrary")
    try library.sql(
      """
      INSERT INTO ZPERSON VALUES (7, NULL, 'Cy', 'Cy Dee'), (8, 7, NULL, 'Old'), (9, NULL, NULL, NULL);
      INSERT INTO ZDETECTEDFACE VALUES (NULL, 2, 8), (NULL, 2, 9), (NULL, 2, 99), (NULL, NULL, 7),
        (NULL, 'x', 7), (NULL, 2, NULL);
      """
    )
    let index = try Reading.index(of: library.path)
    #expect(index.assets[Made.second]?.people == ["Cy Dee"])
    #expect(index.assets[Made.second]?.description.people == ["Cy Dee"])
    #expect(index.assets[Made.third]?.description.people == nil)
    try library.sql("DROP TABLE ZPERSON;")
    #expect(try Reading.index(of: library.path).assets[Made.first]?.people == [])
  }

  @Test("Read in one process, for the fuzzer, a database says the same")
  func unconfined() throws {
    let folder = TemporaryFolder()
    let library = try Made.library(at: folder.path + "/L.photoslibrary")
    let index = try Reading.index(of: library.path)
    let other = try UnconfinedPhotosReader.index(of: library.database)
    #expect(Array(other.assets) == Array(index.assets) && other.albums == index.albums)
    #expect(other.modelVersion == index.modelVersion && other.unusableRows == index.unusableRows)
    try library.sql("DROP TABLE ZASSET;")
    let error = #expect(throws: PhotosLibraryError.self) {
      try UnconfinedPhotosReader.index(of: library.database)
    }
    #expect(error?.code == .unknownSchema)
  }

  @Test("A file's name leads to its asset")
  func paths() throws {
    let folder = TemporaryFolder()
    _ = try Made.library(at: folder.path + "/L.photoslibrary")
    let index = try Reading.index(of: folder.path + "/L.photoslibrary")
    func uuid(_ path: String) -> String? {
      index.asset(of: ItemPath(bytes: Array(path.utf8)))?.uuid
    }
    for name in [".jpeg", "_3.mov", "_4.dng", "_1_201_a.jpeg", "_2_0_a.mov", ".AAE"] {
      #expect(uuid("originals/0/\(Made.first)\(name)") == Made.first)
    }
    #expect(uuid("originals/0/\(Made.first)x.jpeg") == nil)
    #expect(uuid("originals/0/x\(Made.first).jpeg") == nil)
    #expect(uuid("scopes/cloudsharing/data/album/AAAA/\(Made.third).heic") == Made.third)
  }

  @Test("Changes in the write-ahead log are read, and neither file is touched")
  func log() throws {
    let folder = TemporaryFolder()
    let library = try Made.library(at: folder.path + "/L.photoslibrary")
    try library.sqlIntoLog(
      "UPDATE ZASSET SET ZFAVORITE = 1, ZHIDDEN = 0 WHERE Z_PK = 2; DELETE FROM ZASSET WHERE Z_PK = 3;"
    )
    // The control: the file alone has the state of before.
    #expect(try Reading.rows(library.database, "SELECT sum(ZFAVORITE), count(*) FROM ZASSET") == ["1|3"])
    let before = try state(folder.path)
    let index = try Reading.index(of: library.path)
    #expect(index.assets.count == 2)
    #expect(index.assets[Made.second]?.marks == [.favorite, .video])
    #expect(try state(folder.path) == before)
  }

  private func state(_ folder: String) throws -> String {
    try Tool.run("find", [folder, "-printf", "%P %s %m %i %T@ %C@\\n"]).output
  }

  @Test(
    "The public library of macOS 13 is read as the sqlite3 shell has it",
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS")
  )
  func publicLibrary() throws {
    let path = try #require(Corpus.file("second/photoslibrary/Test-13.0.0.photoslibrary"))
    let database = path + "/database/Photos.sqlite"
    let index = try Reading.index(of: path)
    #expect(index.modelVersion == 16320)
    let rows = try Reading.rows(
      database,
      """
      SELECT a.ZUUID, a.ZFAVORITE, a.ZHIDDEN, a.ZTRASHEDSTATE, a.ZHASADJUSTMENTS, t.ZORIGINALFILENAME,
        coalesce(nullif(t.ZTITLE, ''), '-'), coalesce(d.ZLONGDESCRIPTION, '-')
      FROM ZASSET a JOIN ZADDITIONALASSETATTRIBUTES t ON t.ZASSET = a.Z_PK
      LEFT JOIN ZASSETDESCRIPTION d ON d.Z_PK = t.ZASSETDESCRIPTION ORDER BY a.ZUUID
      """
    )
    let readRows = index.assets.sorted { $0.uuid < $1.uuid }.map { asset in
      let marks = [PhotosAsset.Marks.favorite, .hidden, .trashed, .edited]
        .map { asset.marks.contains($0) ? "1" : "0" }
      return
        ([asset.uuid] + marks
        + [asset.originalName ?? "-", asset.title ?? "-", asset.caption ?? "-"])
        .joined(separator: "|")
    }
    #expect(readRows == rows)
    let keywords = try Reading.rows(
      database,
      """
      SELECT a.ZUUID || '|' || k.ZTITLE FROM ZASSET a
      JOIN ZADDITIONALASSETATTRIBUTES t ON t.ZASSET = a.Z_PK
      JOIN Z_1KEYWORDS j ON j.Z_1ASSETATTRIBUTES = t.Z_PK JOIN ZKEYWORD k ON k.Z_PK = j.Z_40KEYWORDS
      ORDER BY 1
      """
    )
    #expect(
      index.assets.flatMap { asset in asset.keywords.map { "\(asset.uuid)|\($0)" } }.sorted()
        == keywords.sorted()
    )
    let people = try Reading.rows(
      database,
      """
      SELECT DISTINCT a.ZUUID || '|' || p.ZFULLNAME FROM ZASSET a
      JOIN ZDETECTEDFACE f ON f.ZASSET = a.Z_PK JOIN ZPERSON p ON p.Z_PK = f.ZPERSON
      WHERE p.ZFULLNAME <> '' ORDER BY 1
      """
    )
    #expect(people.count == 7)
    #expect(
      index.assets.flatMap { asset in asset.people.map { "\(asset.uuid)|\($0)" } }.sorted()
        == people.sorted()
    )
    let albums = try Reading.rows(
      database,
      """
      SELECT g.ZUUID || '|' || g.ZTITLE || '|' || count(j.Z_3ASSETS) FROM ZGENERICALBUM g
      LEFT JOIN Z_28ASSETS j ON j.Z_28ALBUMS = g.Z_PK
      WHERE g.ZKIND = 2 AND g.ZTRASHEDSTATE = 0 GROUP BY g.Z_PK ORDER BY g.Z_PK
      """
    )
    #expect(index.albums.map { "\($0.uuid)|\($0.title)|\($0.members.count)" } == albums)
  }

  @Test("A library of 50,000 assets is read within the process's limits")
  func large() throws {
    let folder = TemporaryFolder()
    let library = try MadePhotosLibrary(at: folder.path + "/L.photoslibrary", assets: [])
    try library.sql(
      """
      BEGIN;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
      INSERT INTO ZASSET (Z_PK, ZKIND, ZHIDDEN, ZTRASHEDSTATE, ZSAVEDASSETTYPE, ZDIRECTORY, ZFILENAME, ZUUID)
      SELECT i, 0, 0, 0, 3, 'A', printf('%08d-0000.jpeg', i), printf('%08d-0000', i) FROM n;
      INSERT INTO ZADDITIONALASSETATTRIBUTES (Z_PK, ZASSET, ZORIGINALFILENAME)
      SELECT Z_PK, 50001 - Z_PK, 'IMG_' || (50001 - Z_PK) || '.JPG' FROM ZASSET;
      INSERT INTO ZKEYWORD VALUES (1, 'one'), (2, 'two');
      INSERT INTO Z_1KEYWORDS SELECT Z_PK, 1 + Z_PK % 2 FROM ZASSET;
      INSERT INTO ZGENERICALBUM VALUES (9, 2, 0, NULL, 'All', 'ALBUM-0009');
      INSERT INTO Z_28ASSETS SELECT 9, Z_PK, -Z_PK FROM ZASSET;
      COMMIT;
      """
    )
    let index = try Reading.index(of: library.path)
    #expect(index.assets.count == 50_000)
    let asset = index.assets["00000007-0000"]
    #expect(asset?.originalName == "IMG_7.JPG")
    // The attributes of asset 7 are row 49,994.
    #expect(asset?.keywords == ["one"])
    #expect(index.albums.first?.members.count == 50_000)
    #expect(index.albums.first.map { index.identifiers(in: $0).first } == "00050000-0000")
  }
}
