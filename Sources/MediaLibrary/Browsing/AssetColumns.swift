internal import GRDB
internal import MediaModel
internal import MediaPredicate

/// The SQL expressions of assets' values in a catalogue of any schema, and in the private facts that are
/// attached to it.
///
/// A value that both have is that of the private facts, which are what the source said; the catalogue has
/// what the published file says.
struct AssetColumns: Sendable {
  /// The columns of `assets`.
  private let assets: Set<String>
  /// The columns of the private facts; empty when none are attached.
  private let facts: Set<String>
  /// Whether a resource knows that it is superseded.
  private let hasSuperseded: Bool
  /// Whether items are found by their asset.
  private let hasItemIndex: Bool
  /// Whether assets are stacked.
  let hasStacks: Bool
  /// Whether thumbnails have a ThumbHash.
  let hasThumbHashes: Bool

  init(in db: Database) throws {
    assets = Set(try db.columns(in: "assets").map(\.name))
    let isAttached = try Bool.fetchOne(
      db,
      sql: "SELECT EXISTS (SELECT 1 FROM pragma_database_list WHERE name = ?)",
      arguments: [PrivateFacts.schema]
    )
    facts =
      isAttached == true
      ? Set(
        try String.fetchAll(
          db,
          sql: "SELECT name FROM pragma_table_info(?, ?)",
          arguments: [PrivateFacts.table, PrivateFacts.schema]
        )
      ) : []
    hasSuperseded = try db.columns(in: "resources").contains { $0.name == "superseded" }
    hasItemIndex = try db.tableExists("tracks")
    hasStacks = try db.tableExists("stacks")
    hasThumbHashes = try db.columns(in: "thumbnails").contains { $0.name == "thumbHash" }
  }

  var hasFacts: Bool { !facts.isEmpty }

  /// The tables of a query of assets.
  var tables: String {
    hasFacts
      ? "assets LEFT JOIN \(PrivateFacts.schema).\(PrivateFacts.table) AS facts "
        + "ON facts.localIdentifier = assets.localIdentifier" : "assets"
  }

  /// The condition that a row of resources is of the asset and not superseded.
  func isCurrent(_ name: String) -> String {
    "\(name).asset = assets.id" + (hasSuperseded ? " AND \(name).superseded = 0" : "")
  }

  /// The condition that an asset has a current file in one of these roles or formats.
  func hasFile(_ condition: String) -> String {
    "EXISTS (SELECT 1 FROM resources AS own WHERE \(isCurrent("own")) AND own.\(condition))"
  }

  var isLive: String { hasFile("role = 'pairedVideo'") }

  var isRaw: String {
    let formats = MediaFormat.allCases.filter(\.isRaw).map { "'\($0.rawValue)'" }
    return hasFile("format IN (\(formats.joined(separator: ", ")))")
  }

  var isAnimated: String {
    assets.contains("frameCount")
      ? "ifnull(assets.mediaType = 'image' AND assets.frameCount > 1, 0)" : "0"
  }

  /// A value that the private facts or the catalogue may have; nil when neither has such a column.
  func fact(_ column: String) -> String? {
    switch (facts.contains(column), assets.contains(column)) {
    case (true, true): "coalesce(facts.\(column), assets.\(column))"
    case (true, false): "facts.\(column)"
    case (false, true): "assets.\(column)"
    case (false, false): nil
    }
  }

  /// A column that belongs to `creationDate`, taken from where that one is.
  func factOfDate(_ column: String) -> String? {
    guard facts.contains("creationDate"), facts.contains(column), assets.contains(column) else {
      return fact(column)
    }
    return "iif(facts.creationDate IS NULL, assets.\(column), facts.\(column))"
  }

  /// The subtypes that are stored; that of live photos follows from their files.
  private var storedSubtypes: String {
    "(ifnull(\(fact("mediaSubtypes") ?? "0"), 0) & ~\(MediaSubtypes.photoLive.rawValue))"
  }

  /// A column of the asset's first file.
  private func main(_ column: String) -> String {
    """
    (SELECT own.\(column) FROM resources AS own WHERE \(isCurrent("own"))
      ORDER BY own.role = 'pairedVideo', own.id LIMIT 1)
    """
  }

  var predicateColumns: PredicateColumns { PredicateColumns(expression) }

  /// The expression of a key; nil when this catalogue does not have it.
  func expression(_ key: PredicateKey) -> String? {
    switch key {
    case .localIdentifier: "assets.localIdentifier"
    case .mediaType:
      "CASE assets.mediaType WHEN 'image' THEN 1 WHEN 'video' THEN 2 WHEN 'audio' THEN 3 ELSE 0 END"
    case .mediaSubtypes: "(\(storedSubtypes) | (\(isLive) << 3))"
    case .creationDate: fact("creationDate")
    case .creationDateOffsetMinutes: factOfDate("creationDateOffsetMinutes")
    case .modificationDate:
      hasItemIndex
        ? "(SELECT max(items.modified) FROM items WHERE items.asset = assets.id)" : nil
    case .addedDate: "assets.saved"
    case .duration: "(assets.durationMilliseconds / 1000.0)"
    case .pixelWidth: "iif(assets.orientation > 4, assets.pixelHeight, assets.pixelWidth)"
    case .pixelHeight: "iif(assets.orientation > 4, assets.pixelWidth, assets.pixelHeight)"
    case .isFavorite, .isHidden, .rating, .caption, .keywords, .camera, .latitude, .longitude:
      fact(key.rawValue)
    case .burstIdentifier: fact("burst")
    case .hasLocation:
      facts.contains("latitude")
        ? "iif(facts.latitude IS NULL, assets.hasLocation, 1)" : "assets.hasLocation"
    case .label: "assets.label"
    case .format: main("format")
    case .path: "\(PathText.path)(\(main("sourcePath")))"
    case .name: "\(PathText.name)(\(main("sourcePath")))"
    case .size: main("bytes")
    case .source: "assets.source"
    case .isDegraded: "assets.degraded"
    case .metadataPolicy: "assets.policy"
    case .isThumbnailMissing:
      hasItemIndex
        ? """
        EXISTS (SELECT 1 FROM items WHERE items.asset = assets.id
          AND items.reason = '\(ItemReason.thumbnailMissing.rawValue)')
        """ : "0"
    }
  }
}

/// The SQL functions that a query of assets needs.
enum PathText {
  /// The path of a BLOB as text.
  static let path = "itemPathText"
  /// Its last component.
  static let name = "itemNameText"

  static func add(to db: Database) {
    db.add(
      function: DatabaseFunction(path, argumentCount: 1, pure: true) { values in
        bytes(values[0]).map { String(decoding: $0, as: UTF8.self) }
      }
    )
    db.add(
      function: DatabaseFunction(name, argumentCount: 1, pure: true) { values in
        bytes(values[0]).map { String(decoding: ItemPath(bytes: $0).name, as: UTF8.self) }
      }
    )
    db.add(
      function: DatabaseFunction(PredicateColumns.textFunction, argumentCount: 3, pure: true) {
        values in
        guard let code = Int64.fromDatabaseValue(values[0]),
          let text = String.fromDatabaseValue(values[1]),
          let pattern = String.fromDatabaseValue(values[2])
        else { return false }
        return TextComparison(code: code, pattern: pattern)?.matches(text) ?? false
      }
    )
  }

  private static func bytes(_ value: DatabaseValue) -> [UInt8]? {
    guard case .blob(let data) = value.storage else { return nil }
    return [UInt8](data)
  }
}

extension PredicateValue {
  /// The value as an argument of a statement.
  var databaseValue: DatabaseValue {
    switch self {
    case .null, .list: .null
    case .integer(let value): value.databaseValue
    case .real(let value): value.databaseValue
    case .text(let value): value.databaseValue
    }
  }
}
