internal import Foundation

/// A `.photoslibrary` folder that a test makes with the `sqlite3` shell, in the schema of one version of Photos.
///
/// It has the tables and columns that tell of assets and albums, with the numbers that the version gave them, and few
/// others.
package struct MadePhotosLibrary {
  /// What differs between versions.
  package struct Generation: Sendable, CustomStringConvertible {
    package var name: String
    package var model: Int
    package var assets = "ZASSET"
    package var album: Int
    package var asset = 3
    package var keyword: Int
    package var adjustments = "ZHASADJUSTMENTS"
    /// What the columns of a face that name its asset and its person end with.
    package var face = ""

    package var description: String { name }
    package var join: String { "Z_\(album)ASSETS" }
  }

  /// The versions that are known. Source: osxphotos 0.77.2, `_constants.py`.
  package static let generations = [
    Generation(
      name: "macOS 10.15",
      model: 13703,
      assets: "ZGENERICASSET",
      album: 26,
      asset: 34,
      keyword: 37
    ),
    Generation(name: "macOS 11", model: 14104, album: 26, keyword: 36),
    Generation(name: "macOS 12", model: 15323, album: 27, keyword: 38),
    Generation(name: "macOS 13", model: 16320, album: 28, keyword: 40),
    Generation(name: "macOS 14.6", model: 17600, album: 29, keyword: 41, face: "FORFACE"),
    Generation(
      name: "macOS 15",
      model: 18402,
      album: 30,
      keyword: 47,
      adjustments: "ZADJUSTMENTSSTATE",
      face: "FORFACE"
    ),
    Generation(
      name: "macOS 26.1",
      model: 19320,
      album: 33,
      keyword: 52,
      adjustments: "ZADJUSTMENTSSTATE",
      face: "FORFACE"
    ),
  ]

  /// The version of a library for which the version does not matter.
  package static let generation13 = generations[3]

  /// An asset's row.
  package struct Asset: Sendable {
    package var uuid: String
    package var original: String
    package var fileExtension = "jpeg"
    /// Columns of the asset's own table, as SQL.
    package var columns: [String: String] = [:]
    /// Columns of its attributes, as SQL.
    package var attributes: [String: String] = [:]
    package var caption: String?
    package var keywords: [String] = []
    /// The people whose faces are in it.
    package var people: [String] = []
    package var isLocal = true

    package init(_ uuid: String, _ original: String) {
      self.uuid = uuid
      self.original = original
    }

    /// The path of its original in the library.
    package var path: String {
      "originals/\(uuid.prefix(1))/\(uuid).\(fileExtension)"
    }
  }

  /// The folder.
  package let path: String
  package let generation: Generation

  /// Makes the folder with a database of these assets and albums, in the write-ahead mode that Photos uses, and no
  /// other file.
  package init(
    at path: String,
    _ generation: Generation = Self.generation13,
    assets: [Asset],
    albums: [(uuid: String, title: String, members: [Int])] = []
  ) throws {
    self.path = path
    self.generation = generation
    for folder in ["database", "originals", "resources/renders"] {
      try FileManager.default.createDirectory(
        atPath: path + "/" + folder,
        withIntermediateDirectories: true
      )
    }
    try sql(schema + rows(assets) + Self.rows(albums, generation))
  }

  /// The path of the database.
  package var database: String { path + "/database/Photos.sqlite" }

  /// Runs SQL on the database, and leaves its write-ahead log empty.
  package func sql(_ text: String) throws {
    try Self.run(database, "PRAGMA journal_mode = WAL;\n" + text)
  }

  /// Runs SQL on the database, and leaves what it changes in its write-ahead log, as a Photos that was killed does.
  package func sqlIntoLog(_ text: String) throws {
    try Self.run(database, ".dbconfig no_ckpt_on_close on\nPRAGMA wal_autocheckpoint = 0;\n" + text)
    try? FileManager.default.removeItem(atPath: database + "-shm")
  }

  private static func run(_ database: String, _ text: String) throws {
    let script = database + ".sql"
    try Data((".bail on\n" + text + "\n").utf8).write(to: URL(fileURLWithPath: script))
    defer { try? FileManager.default.removeItem(atPath: script) }
    let result = try Tool.run("sqlite3", [database, ".read '\(script)'"])
    guard result.status == 0 else { throw Failure(text: result.error) }
  }

  package struct Failure: Error { package var text: String }

  /// The columns that tell to which library an asset belongs, which not every version has.
  private var scopes: String {
    generation.model < 16320
      ? ""
      : ", ZBUNDLESCOPE INTEGER, ZMOMENTSHARE INTEGER, ZACTIVELIBRARYSCOPEPARTICIPATIONSTATE INTEGER"
  }

  private var schema: String {
    let (album, asset, keyword) = (generation.album, generation.asset, generation.keyword)
    let list =
      "<plist><dict><key>PLModelVersion</key><integer>\(generation.model)</integer></dict></plist>"
    return """
      CREATE TABLE \(generation.assets) (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZKIND INTEGER, ZKINDSUBTYPE INTEGER, ZFAVORITE INTEGER, ZHIDDEN INTEGER, ZTRASHEDSTATE INTEGER,
        \(generation.adjustments) INTEGER, ZSAVEDASSETTYPE INTEGER, ZAVALANCHEPICKTYPE INTEGER,
        ZADDITIONALATTRIBUTES INTEGER, ZCLOUDBATCHPUBLISHDATE TIMESTAMP, ZDATECREATED TIMESTAMP,
        ZLATITUDE FLOAT, ZLONGITUDE FLOAT, ZAVALANCHEUUID VARCHAR, ZDIRECTORY VARCHAR,
        ZFILENAME VARCHAR, ZUUID VARCHAR\(scopes));
      CREATE TABLE ZADDITIONALASSETATTRIBUTES (Z_PK INTEGER PRIMARY KEY, ZASSET INTEGER,
        ZASSETDESCRIPTION INTEGER, ZTIMEZONEOFFSET INTEGER, ZORIGINALFILENAME VARCHAR, ZTITLE VARCHAR,
        ZSYNDICATIONIDENTIFIER VARCHAR);
      CREATE TABLE ZASSETDESCRIPTION (Z_PK INTEGER PRIMARY KEY, ZASSETATTRIBUTES INTEGER,
        ZLONGDESCRIPTION VARCHAR);
      CREATE TABLE ZINTERNALRESOURCE (Z_PK INTEGER PRIMARY KEY, ZASSET INTEGER,
        ZDATASTORESUBTYPE INTEGER, ZLOCALAVAILABILITY INTEGER, ZREMOTEAVAILABILITY INTEGER);
      CREATE TABLE ZGENERICALBUM (Z_PK INTEGER PRIMARY KEY, ZKIND INTEGER, ZTRASHEDSTATE INTEGER,
        ZPARENTFOLDER INTEGER, ZTITLE VARCHAR, ZUUID VARCHAR);
      CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, ZMERGETARGETPERSON INTEGER, ZDISPLAYNAME VARCHAR,
        ZFULLNAME VARCHAR);
      CREATE TABLE ZDETECTEDFACE (Z_PK INTEGER PRIMARY KEY, ZASSET\(generation.face) INTEGER,
        ZPERSON\(generation.face) INTEGER);
      CREATE TABLE ZKEYWORD (Z_PK INTEGER PRIMARY KEY, ZTITLE VARCHAR);
      CREATE TABLE Z_1KEYWORDS (Z_1ASSETATTRIBUTES INTEGER, Z_\(keyword)KEYWORDS INTEGER,
        PRIMARY KEY (Z_1ASSETATTRIBUTES, Z_\(keyword)KEYWORDS));
      CREATE TABLE \(generation.join) (Z_\(album)ALBUMS INTEGER, Z_\(asset)ASSETS INTEGER,
        Z_FOK_\(asset)ASSETS INTEGER, PRIMARY KEY (Z_\(album)ALBUMS, Z_\(asset)ASSETS));
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER,
        Z_MAX INTEGER);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'AdditionalAssetAttributes', 0, 9), (\(album), 'Album', 0, 9);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      INSERT INTO Z_METADATA VALUES (1, 'X', CAST('\(list)' AS BLOB));

      """
  }

  private func rows(_ assets: [Asset]) -> String {
    var text = "BEGIN;\n"
    var (keywords, people): ([String: Int], [String: Int]) = ([:], [:])
    for (index, asset) in assets.enumerated() {
      let key = index + 1
      var columns = [
        "Z_PK": "\(key)", "ZKIND": "0", "ZKINDSUBTYPE": "0", "ZFAVORITE": "0", "ZHIDDEN": "0",
        "ZTRASHEDSTATE": "0", generation.adjustments: "0", "ZSAVEDASSETTYPE": "3",
        "ZLATITUDE": "-180.0", "ZLONGITUDE": "-180.0", "ZADDITIONALATTRIBUTES": "\(key)",
        "ZDIRECTORY": "'\(asset.uuid.prefix(1))'",
        "ZFILENAME": "'\(asset.uuid).\(asset.fileExtension)'", "ZUUID": "'\(asset.uuid)'",
      ]
      columns.merge(asset.columns) { $1 }
      text += Self.insert(generation.assets, columns)
      var attributes = [
        "Z_PK": "\(key)", "ZASSET": "\(key)", "ZORIGINALFILENAME": Self.quoted(asset.original),
      ]
      if let caption = asset.caption {
        attributes["ZASSETDESCRIPTION"] = "\(key)"
        text += Self.insert(
          "ZASSETDESCRIPTION",
          ["Z_PK": "\(key)", "ZLONGDESCRIPTION": Self.quoted(caption)]
        )
      }
      attributes.merge(asset.attributes) { $1 }
      text += Self.insert("ZADDITIONALASSETATTRIBUTES", attributes)
      text += Self.insert(
        "ZINTERNALRESOURCE",
        [
          "ZASSET": "\(key)", "ZDATASTORESUBTYPE": "1",
          "ZLOCALAVAILABILITY": asset.isLocal ? "1" : "-32768", "ZREMOTEAVAILABILITY": "1",
        ]
      )
      for person in asset.people {
        if people[person] == nil {
          people[person] = people.count + 1
          text += Self.insert("ZPERSON", ["Z_PK": "\(people.count)", "ZFULLNAME": Self.quoted(person)])
        }
        text +=
          "INSERT INTO ZDETECTEDFACE VALUES (NULL, \(key), \(people[person] ?? 0));\n"
      }
      for keyword in asset.keywords {
        if keywords[keyword] == nil {
          keywords[keyword] = keywords.count + 1
          text += Self.insert("ZKEYWORD", ["Z_PK": "\(keywords.count)", "ZTITLE": Self.quoted(keyword)])
        }
        text += "INSERT INTO Z_1KEYWORDS VALUES (\(key), \(keywords[keyword] ?? 0));\n"
      }
    }
    return text + "COMMIT;\n"
  }

  private static func rows(
    _ albums: [(uuid: String, title: String, members: [Int])],
    _ generation: Generation
  ) -> String {
    var text = "INSERT INTO ZGENERICALBUM VALUES (1, 3999, 0, NULL, NULL, 'ROOT-FOLDER-0001');\n"
    for (index, album) in albums.enumerated() {
      let key = index + 2
      text +=
        "INSERT INTO ZGENERICALBUM VALUES (\(key), 2, 0, 1, \(quoted(album.title)), '\(album.uuid)');\n"
      for (position, member) in album.members.enumerated() {
        text +=
          "INSERT INTO \(generation.join) VALUES (\(key), \(member + 1), \(1024 * (position + 1)));\n"
      }
    }
    return text
  }

  private static func insert(_ table: String, _ columns: [String: String]) -> String {
    let sorted = columns.sorted { $0.key < $1.key }
    return "INSERT INTO \(table) (\(sorted.map(\.key).joined(separator: ", "))) VALUES "
      + "(\(sorted.map(\.value).joined(separator: ", ")));\n"
  }

  /// A text as SQL.
  package static func quoted(_ text: String) -> String {
    "'" + text.replacingOccurrences(of: "'", with: "''") + "'"
  }
}
