internal import GRDB
internal import MediaModel

/// The tables and columns of one version of Photos, found by what is there.
///
/// Core Data numbers entities by their place in the alphabet, so that the tables that join two of them have other
/// names in each version: `Z_26ASSETS.Z_34ASSETS` in macOS 10.15, `Z_30ASSETS.Z_3ASSETS` in macOS 15. The shapes of
/// the names stay, and `Z_PRIMARYKEY` has the numbers.
///
/// Only tables count, and only columns that are stored: a view or a computed column could run any query.
///
/// Source: osxphotos, `_constants.py`; sqlite_schema and PRAGMA table_info of SQLite.
struct PhotosSchema {
  /// `ZASSET`, and in macOS 10.15 `ZGENERICASSET`.
  let assets: String
  /// The column that says whether an asset was edited; nil where there is none.
  let adjustments: String?
  /// The joins of attributes and keywords; nil where there is none.
  let keywords: Join?
  /// The joins of albums and assets.
  let albums: Join
  private let columns: [String: Set<String>]

  /// A table that joins two entities.
  struct Join: Equatable {
    var table: String
    var owner: String
    var member: String
    /// The column of the members' order; nil where there is none.
    var order: String?
  }

  /// What an asset has to have, since without it the assets that a person put away are not known.
  private static let required: Set<String> = [
    "Z_PK", "ZUUID", "ZKIND", "ZDIRECTORY", "ZFILENAME", "ZHIDDEN", "ZFAVORITE", "ZTRASHEDSTATE",
    "ZSAVEDASSETTYPE", "ZCLOUDBATCHPUBLISHDATE",
  ]

  /// What the tables beside it have to have. A constant, since of a literal within the initializer the compiler orders
  /// two instructions one way or the other, so that two builds differ.
  private static let alsoRequired = [
    ("ZADDITIONALASSETATTRIBUTES", ["Z_PK", "ZASSET", "ZORIGINALFILENAME"]),
    ("ZGENERICALBUM", ["Z_PK", "ZUUID", "ZTITLE", "ZKIND", "ZTRASHEDSTATE"]),
  ]

  /// Looks for the tables.
  ///
  /// - Throws: ``PhotosLibraryError`` `.unknownSchema`, with what is missing; an error of SQLite.
  init(_ db: Database) throws {
    let columns = try Self.columns(of: db)
    guard let assets = ["ZASSET", "ZGENERICASSET"].first(where: { columns[$0] != nil }) else {
      throw PhotosLibraryError(.unknownSchema, "neither ZASSET nor ZGENERICASSET is there")
    }
    let missing = Self.required.subtracting(columns[assets] ?? [])
    guard missing.isEmpty else {
      throw PhotosLibraryError(
        .unknownSchema,
        "\(assets) has no \(missing.sorted().joined(separator: ", "))"
      )
    }
    for (table, needed) in Self.alsoRequired where !(columns[table] ?? []).isSuperset(of: needed) {
      throw PhotosLibraryError(.unknownSchema, "\(table) has not \(needed.joined(separator: ", "))")
    }
    let entities = try Self.entities(db, isThere: columns["Z_PRIMARYKEY"] != nil)
    guard
      let albums = Self.join(of: ("Album", "ALBUMS"), and: "ASSETS", table: "ASSETS", columns, entities)
    else {
      throw PhotosLibraryError(.unknownSchema, "no table joins albums and assets")
    }
    self.albums = albums
    keywords = Self.join(
      of: ("AdditionalAssetAttributes", "ASSETATTRIBUTES"),
      and: "KEYWORDS",
      table: "KEYWORDS",
      columns,
      entities
    )
    self.assets = assets
    self.columns = columns
    adjustments = ["ZADJUSTMENTSSTATE", "ZHASADJUSTMENTS"]
      .first { columns[assets]?.contains($0) == true }
  }

  /// The stored columns of each table.
  private static func columns(of db: Database) throws -> [String: Set<String>] {
    let tables = try String.fetchAll(
      db,
      sql: """
        SELECT name FROM \(PhotosDatabase.name).sqlite_schema
        WHERE type = 'table' AND sql LIKE 'CREATE TABLE%' AND name LIKE 'Z%' AND length(name) < 64
        ORDER BY name LIMIT 2000
        """
    ).filter { $0.utf8.allSatisfy(isPlain) }
    var columns: [String: Set<String>] = [:]
    for table in tables {
      columns[table] = Set(
        try String.fetchAll(
          db,
          sql: "SELECT name FROM pragma_table_info(?, ?) LIMIT 2000",
          arguments: [table, PhotosDatabase.name]
        ).filter { $0.utf8.allSatisfy(isPlain) }
      )
    }
    return columns
  }

  /// The columns that tell the depth, the camera, the eyes and the rendering of a picture, of the tables
  /// `a` of assets and `t` of their attributes; NULL for one that the version has not. Depth is
  /// `ZDEPTHSTATES` in macOS 10.15, rendering `ZCUSTOMRENDEREDVALUE` to macOS 11.
  var kinds: [String] {
    let depth = has(assets, "ZDEPTHTYPE") ? "ZDEPTHTYPE" : "ZDEPTHSTATES"
    let rendering = has(assets, "ZHDRTYPE") ? "ZHDRTYPE" : "ZCUSTOMRENDEREDVALUE"
    return [
      column(assets, depth, as: "a"),
      column("ZADDITIONALASSETATTRIBUTES", "ZCAMERACAPTUREDEVICE", as: "t"),
      column(assets, "ZSPATIALTYPE", as: "a"), column(assets, rendering, as: "a"),
    ]
  }

  /// Whether a table has a column.
  func has(_ table: String, _ column: String) -> Bool { columns[table]?.contains(column) == true }

  /// A column by its table's short name in a query, or NULL where there is none.
  func column(_ table: String, _ column: String, as alias: String) -> String {
    has(table, column) ? "\(alias).\(column)" : "NULL"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte.isASCIIUppercase || byte.isASCIIDigit || byte == .underscore
  }

  /// The numbers of entities by name.
  private static func entities(_ db: Database, isThere: Bool) throws -> [String: Int] {
    guard isThere else { return [:] }
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY
        WHERE typeof(Z_NAME) = 'text' AND typeof(Z_ENT) = 'integer' LIMIT 2000
        """
    )
    return Dictionary(rows.map { ($0[0] as String, $0[1] as Int) }) { first, _ in first }
  }

  /// Finds `Z_<n><table>` with the columns `Z_<n><owner>` and `Z_<m><member>`.
  ///
  /// Of several, left over by updates, it is the one whose number the owner's entity has.
  private static func join(
    of owner: (entity: String, word: String),
    and member: String,
    table word: String,
    _ columns: [String: Set<String>],
    _ entities: [String: Int]
  ) -> Join? {
    let joins = columns.keys.sorted().compactMap { table -> (number: Int, join: Join)? in
      guard let number = number(in: table, before: word), let names = columns[table],
        let own = names.first(where: { self.number(in: $0, before: owner.word) == number }),
        let other = names.first(where: {
          $0 != own && self.number(in: $0, before: member) != nil
        })
      else { return nil }
      let order = "Z_FOK_" + other.dropFirst(2)
      return (
        number,
        Join(table: table, owner: own, member: other, order: names.contains(order) ? order : nil)
      )
    }
    if joins.count > 1, let number = entities[owner.entity] {
      return joins.first { $0.number == number }?.join
    }
    return joins.count == 1 ? joins.first?.join : nil
  }

  /// The number in `Z_<number><word>`; nil for any other name.
  private static func number(in name: String, before word: String) -> Int? {
    guard name.hasPrefix("Z_"), name.hasSuffix(word) else { return nil }
    let digits = name.dropFirst(2).dropLast(word.count)
    return digits.utf8.allSatisfy { $0.isASCIIDigit } ? Int(digits) : nil
  }
}
