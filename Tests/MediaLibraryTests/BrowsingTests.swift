import GRDB
import Glibc
import MediaLibraryTestSupport
import MediaModel
import MediaPredicate
import MediaTestSupport
import Testing

@testable import MediaLibrary

/// Queries on a catalogue whose rows the `sqlite3` program has changed.
@Suite(
  "Assets and albums of a catalogue are found",
  .enabled(if: Tool.exists("sqlite3"), "no sqlite3")
)
struct BrowsingTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/Library" }

  /// A library of the assets `known` (saved first), `still`, `pair` (a live photo) and `sound`.
  init() throws {
    try withLibrary(path) { library in
      let fixture = try BatchFixture(library)
      try fixture.publish()
    }
  }

  private func change(_ sql: String) throws {
    let result = try Tool.run("sqlite3", [path + "/library.sqlite", sql])
    try #require(result.status == 0, "\(result.error)")
  }

  private func reader() throws -> CatalogueReader {
    let reader = try CatalogueReader(library: Array(path.utf8))
    try reader.readPrivateFacts()
    return reader
  }

  private func labels(
    _ predicate: String? = nil,
    sort: [String]? = nil,
    limit: Int = 0,
    _ change: (inout AssetQuery) -> Void = { _ in }
  ) throws -> [String] {
    var query = AssetQuery()
    query.predicate = try predicate.map { try FetchPredicate($0) }
    if let sort { query.sortDescriptors = try sort.map { try FetchSortDescriptor($0) } }
    query.limit = limit
    change(&query)
    let reader = try reader()
    var labels: [String] = []
    try reader.forEachAsset(of: reader.select(query)) { labels.append($0.label) }
    return labels
  }

  @Test("Newest first: by date, then undated ones by name; turned as a whole, with undated ones last")
  func order() throws {
    #expect(try labels() == ["still", "sound", "pair", "known"])
    try change(
      """
      UPDATE assets SET creationDate = '2019-07-04T10:00:00' WHERE label = 'known';
      UPDATE assets SET creationDate = '2019-07-05' WHERE label = 'still';
      """
    )
    #expect(try labels() == ["still", "known", "sound", "pair"])
    #expect(try labels(sort: ["creationDate"]) == ["known", "still", "pair", "sound"])
    #expect(try labels(sort: ["label:descending"], limit: 2) == ["still", "sound"])
    #expect(try labels("creationDate == NULL", sort: ["label"]) == ["pair", "sound"])
  }

  @Test(
    "A fraction of a second, a name as a person counts, and the beginning of a year decide what stands first"
  )
  func ties() throws {
    try change(
      """
      UPDATE assets SET creationDate = '2019-07-04T10:00:00', creationDateFraction = '5' WHERE label = 'known';
      UPDATE assets SET creationDate = '2019-07-04T10:00:00', creationDateFraction = '0947' WHERE label = 'still';
      UPDATE assets SET creationDate = '2019-07-04T10:00:00' WHERE label = 'pair';
      UPDATE assets SET creationDate = '2019', creationDatePrecision = 'year' WHERE label = 'sound';
      """
    )
    let oldest = ["sound", "pair", "still", "known"]
    #expect(try labels(sort: ["creationDate:ascending"]) == oldest)
    #expect(try labels() == oldest.reversed())
    #expect(try labels("creationDate == 2019-01-01") == ["sound"])
    #expect(try labels("creationDatePrecision == 'year'") == ["sound"])
    // What no date tells apart, the fraction and the name do behind any key.
    #expect(try labels(sort: ["source:ascending"]) == oldest)
    #expect(try labels(sort: ["source:descending"]) == oldest.reversed())
    let names = [
      ("known", "IMG_10.jpg"), ("still", "IMG_9.jpg"), ("pair", "IMG_9-1.jpg"), ("sound", "img_010.jpg"),
    ]
    for (label, name) in names {
      let key = NaturalOrder.key(of: name.utf8).map {
        String($0, radix: 16).count == 1 ? "0\(String($0, radix: 16))" : String($0, radix: 16)
      }
      try change(
        """
        UPDATE assets SET creationDate = '2019-07-04T10:00:00', creationDateFraction = NULL,
          nameOrder = x'\(key.joined())' WHERE label = '\(label)'
        """
      )
    }
    // The last two differ in case and zeros alone: their identifiers decide.
    #expect(try labels(sort: ["creationDate"]) == ["still", "pair", "known", "sound"])
    #expect(try labels() == ["sound", "known", "pair", "still"])
    #expect(try labels(sort: ["name"]) == ["still", "pair", "known", "sound"])
  }

  @Test("Keys are read from where the catalogue has them")
  func keys() throws {
    try change(
      """
      UPDATE assets SET mediaType = 'video', durationMilliseconds = 2500, pixelWidth = 40,
        pixelHeight = 30, orientation = 6 WHERE label = 'known';
      UPDATE items SET modified = 1562228130000000000 WHERE path = CAST('still.jpg' AS BLOB);
      UPDATE items SET reason = 'thumbnailMissing' WHERE path = CAST('still.jpg' AS BLOB);
      UPDATE resources SET sourcePath = x'612FFF2E6A7067', format = 'dng'
        WHERE path LIKE '%still-photo.jpg';
      UPDATE assets SET policy = 'keep';
      UPDATE assets SET policy = 'strip' WHERE label = 'known';
      UPDATE assets SET policy = 'strip+camera' WHERE label = 'still';
      """
    )
    for (predicate, expected) in [
      ("mediaType == video", ["known"]), ("duration > 2.4 AND duration < 2.6", ["known"]),
      ("pixelWidth == 30 AND pixelHeight == 40", ["known"]),
      ("modificationDate == 2019-07-04T08:15:30Z", ["still"]),
      ("path == \"a/\u{FFFD}.jpg\" AND name == \"\u{FFFD}.jpg\"", ["still"]),
      ("format == \"dng\"", ["still"]), ("(mediaSubtypes & photoLive) != 0", ["pair"]),
      ("mediaSubtypes == photoLive", ["pair"]),
      ("addedDate < 1970-01-03", ["still", "sound", "pair", "known"]),
      ("localIdentifier == \"pair\"", ["pair"]),
      ("source == \"camera\" AND label LIKE 's*'", ["still", "sound"]),
      ("size > 0 AND name BEGINSWITH \"pair-photo\"", ["pair"]), ("isDegraded == YES", []),
      ("metadataPolicy == \"strip\"", ["known"]), ("metadataPolicy BEGINSWITH 'strip+'", ["still"]),
      ("metadataPolicy == \"keep\"", ["sound", "pair"]),
      ("isThumbnailMissing == YES", ["still"]), ("thumbnailMissing == YES", ["still"]),
      ("rating > 3", []), ("latitude == NULL AND label == 'pair'", ["pair"]),
    ] {
      #expect(try labels(predicate) == expected, "\(predicate)")
    }
  }

  @Test("Of a live photo both files are listed, the still first; superseded ones are not")
  func files() throws {
    let reader = try reader()
    var query = AssetQuery()
    query.identifiers = ["pair", "nothing"]
    var assets: [ListedAsset] = []
    try reader.forEachAsset(of: reader.select(query)) { assets.append($0) }
    #expect(assets.count == 1)
    #expect(assets.first?.files.map(\.role) == ["photo", "pairedVideo"])
    #expect(assets.first?.mediaSubtypes == ["photoLive"])
    try change("UPDATE resources SET superseded = 1 WHERE role = 'pairedVideo'")
    let later = try self.reader()
    try later.forEachAsset(of: later.select(query)) { asset in
      #expect(asset.files.map(\.role) == ["photo"])
      #expect(asset.mediaSubtypes == [])
    }
    #expect(try labels("(mediaSubtypes & photoLive) != 0") == [])
  }

  @Test("Assets that several connections read are in the same order, and some facts are read as all are")
  func severalConnections() throws {
    let reader = try reader()
    let selection = try reader.select(AssetQuery())
    var assets: [ListedAsset] = []
    try reader.forEachAsset(of: selection) { assets.append($0) }
    try #require(assets.count == 4)
    for count in 1...4 {
      var found: [ListedAsset] = []
      try reader.forEachEntry(of: selection, count, making: { $0 }) { found.append($0) }
      #expect(found == assets, "\(count)")
      var parts: [ListedAsset] = []
      try reader.forEachEntry(
        of: selection,
        count,
        reading: .facts([.creationDate, .pixelWidth, .pixelHeight]),
        making: { $0 }
      ) {
        parts.append($0)
      }
      #expect(parts.map(\.facts.creationDate?.local) == assets.map(\.facts.creationDate?.local))
      #expect(parts.map(\.facts.pixelSize) == assets.map(\.facts.pixelSize))
      #expect(parts.map { $0.files.map(\.format) } == assets.map { $0.files.map(\.format) })
      #expect(parts.allSatisfy { $0.files.allSatisfy { $0.path.isEmpty && $0.sha256.isEmpty } })
    }
  }

  /// The columns that a later version adds.
  private static let factColumns = """
    ALTER TABLE assets ADD COLUMN mediaSubtypes INTEGER; ALTER TABLE assets ADD COLUMN rating;
    ALTER TABLE assets ADD COLUMN isFavorite; ALTER TABLE assets ADD COLUMN isHidden;
    ALTER TABLE assets ADD COLUMN caption TEXT; ALTER TABLE assets ADD COLUMN keywords TEXT;
    ALTER TABLE assets ADD COLUMN burst TEXT; ALTER TABLE assets ADD COLUMN isBurstPick;
    """

  private func hasFactColumns() throws -> Bool {
    try sqlite(path + "/library.sqlite", "SELECT name FROM pragma_table_info('assets')")
      .contains("isFavorite")
  }

  @Test("Facts in the catalogue are listed; hidden assets only where they are asked for")
  func facts() throws {
    if try !hasFactColumns() { try change(Self.factColumns) }
    try change(
      """
      UPDATE assets SET isFavorite = 1, rating = 4, caption = 'Über', keywords = '["Sea","Sun"]',
        people = '["Ann","Bo"]', city = 'Zürich', region = 'ZH', country = 'CH',
        mediaSubtypes = 1073741828, burst = 'b1' WHERE label = 'still';
      UPDATE assets SET isHidden = 1 WHERE label = 'sound';
      """
    )
    #expect(try labels() == ["still", "pair", "known"])
    #expect(try labels { $0.includesHidden = true } == ["still", "sound", "pair", "known"])
    #expect(try labels("hidden == YES") == ["sound"])
    #expect(try labels { $0.identifiers = ["sound"] } == ["sound"])
    #expect(try labels { $0.album = .smart(.hidden) } == ["sound"])
    #expect(try labels { $0.album = .smart(.bursts) } == ["still"])
    #expect(try labels { $0.album = .smart(.selfies) } == ["still"])
    for predicate in [
      "favorite == YES", "rating >= 4", "caption CONTAINS[cd] 'uber'", "keywords CONTAINS 'Sun'",
      "ANY people == 'Ann'", "city BEGINSWITH[cd] 'zur'", "city ==[cd] 'ZURICH'",
      "region == 'ZH' AND country == 'CH'",
      "(mediaSubtypes & photoScreenshot) != 0", "(mediaSubtypes & photoSelfie) != 0",
      "burstIdentifier == 'b1'",
    ] {
      #expect(try labels(predicate) == ["still"], "\(predicate)")
    }
    let titles = try reader().albums().albums.map { "\($0.album.title) \($0.count)" }
    #expect(
      titles == [
        "Recents 3", "Favorites 1", "Screenshots 1", "Selfies 1", "Live Photos 1", "Bursts 1",
        "Hidden 1",
      ]
    )
  }

  @Test("Private facts beside a stripped catalogue are what counts")
  func privateFacts() throws {
    let without = try reader().select(AssetQuery())
    #expect(without.unknown.map(\.key) == [.creationDate])
    #expect(without.unknown.map(\.assets) == [4])
    let file = folder.path + "/Library/private.sqlite"
    let result = try Tool.run(
      "sqlite3",
      [
        file,
        """
        CREATE TABLE facts (localIdentifier TEXT PRIMARY KEY, mediaSubtypes INTEGER, rating, isFavorite,
          isHidden, caption TEXT, keywords TEXT, burst TEXT, isBurstPick, creationDate TEXT,
          creationDateOffsetMinutes INTEGER, creationDateTag TEXT, camera TEXT, latitude REAL,
          longitude REAL, people TEXT, placeTag TEXT, city TEXT, region TEXT, country TEXT,
          lensModel TEXT, creationDatePrecision TEXT, creationDateFraction TEXT);
        INSERT INTO facts (localIdentifier, isFavorite, creationDate, latitude, camera)
          VALUES ('known', 1, '2019-07-04', 54.5, 'Acme'), ('pair', 0, '2018-01-01T00:00:00', NULL, NULL);
        """,
      ]
    )
    try #require(result.status == 0, "\(result.error)")
    try change(
      "UPDATE assets SET creationDate = '2000-01-01T00:00:00', creationDateOffsetMinutes = 60 WHERE label = 'known'"
    )
    let names = try Tool.run("ls", ["-a", path]).output
    #expect(try labels() == ["known", "pair", "still", "sound"])
    #expect(try reader().select(AssetQuery()).unknown.isEmpty)
    // The offset belongs to the date beside it, not to another one.
    #expect(try labels("creationDateOffsetMinutes != NULL") == [])
    for predicate in ["latitude > 54", "hasLocation == YES", "camera == 'Acme'", "favorite == YES"] {
      #expect(try labels(predicate) == ["known"], "\(predicate)")
    }
    #expect(try labels { $0.album = .smart(.favorites) } == ["known"])
    // Looking leaves nothing beside it.
    #expect(try Tool.run("ls", ["-a", path]).output == names)
    let broken = try Tool.run("sh", ["-c", "echo no database at all >\"$0\"", file])
    #expect(broken.status == 0)
    #expect(errorCode { try reader().readPrivateFacts() } == .inconsistent)
  }

  @Test("Private facts that are a link, a FIFO, a newer version's or another user's are not read")
  func unreadPrivateFacts() throws {
    func expectRefused(_ code: LibraryError.Code, _ command: String) throws {
      let result = try Tool.run("sh", ["-c", "rm -f private.sqlite; " + command], in: path)
      try #require(result.status == 0, "\(result.error)")
      #expect(errorCode { _ = try reader() } == code, "\(command)")
    }
    try expectRefused(.notALibrary, "ln -s library.sqlite private.sqlite")
    try expectRefused(.notALibrary, "mkfifo private.sqlite")
    try expectRefused(.unknownSchema, "sqlite3 private.sqlite 'PRAGMA user_version = 4'")
    #expect(try Tool.run("sh", ["-c", "rm \"$0\"; touch \"$0\"", path + "/private.sqlite"]).status == 0)
    #expect(try labels().count == 4)
    // Nothing is denied to root.
    if geteuid() == 0 { return }
    try expectRefused(.cannotWrite, "touch private.sqlite && chmod 0 private.sqlite")
    let catalogue = try CatalogueReader(library: Array(path.utf8))
    #expect(errorCode { try catalogue.readPrivateFacts() } == .cannotWrite)
    #expect(try catalogue.select(AssetQuery()).rows.count == 4)
  }

  @Test("Folders are albums where the newest run says so, with the newest asset as the cover")
  func folders() throws {
    try change(
      """
      UPDATE items SET path = CAST('a/b/still.jpg' AS BLOB) WHERE path = CAST('still.jpg' AS BLOB);
      UPDATE items SET path = CAST('a/b/pair.jpg' AS BLOB) WHERE path = CAST('pair.jpg' AS BLOB);
      UPDATE items SET path = CAST('a/b/pair.mov' AS BLOB) WHERE path = CAST('pair.mov' AS BLOB);
      UPDATE items SET path = CAST('c/b/sound.wav' AS BLOB) WHERE path = CAST('sound.wav' AS BLOB);
      """
    )
    func folders() throws -> [ListedAlbum] {
      try reader().albums().albums.filter { $0.album.folderText != nil }
    }
    #expect(try folders().isEmpty)
    try change("UPDATE runs SET albumsFromFolders = 1")
    #expect(
      try folders().map { "\($0.album.title) \($0.album.folderText ?? "") \($0.count)" }
        == ["b camera/a/b 2", "b camera/c/b 1"]
    )
    let first = try #require(try folders().first)
    #expect(try reader().asset(row: first.cover)?.label == "still")
    #expect(try labels { $0.album = first.album } == ["still", "pair"])
    let names = try reader()
    #expect(try names.albums(named: "b").count == 2)
    #expect(try names.albums(named: "camera/c/b").map(\.folderText) == ["camera/c/b"])
    #expect(try names.albums(named: "live photos") == [.smart(.livePhotos)])
    #expect(try names.albums(named: "a").isEmpty)
    // A folder above is not the album, and neither is one whose name begins alike.
    try change(
      "UPDATE items SET path = CAST('a/bc/sound.wav' AS BLOB) WHERE path = CAST('c/b/sound.wav' AS BLOB)"
    )
    #expect(try labels { $0.album = first.album } == ["still", "pair"])
    // A later run without the key ends it, a command without a manifest does not.
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    let later =
      "INSERT INTO runs (id, started, client, manifestSHA256, auditFile, auditRecords, auditBytes, auditHead)"
    try change("\(later) VALUES ('r2', 's', 'mediabatch.clean', '\(empty)', '000002-x', 1, 1, 'h')")
    #expect(try folders().count == 2)
    try change("\(later) VALUES ('r3', 's', 'c', 'm', '000003-x', 1, 1, 'h')")
    #expect(try folders().isEmpty)
  }
}
