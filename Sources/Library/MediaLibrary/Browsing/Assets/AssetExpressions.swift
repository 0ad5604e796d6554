internal import Foundation
package import GRDB
internal import MediaModel
package import MediaPredicate

/// The SQL expressions of assets' values in a catalogue, and in the private facts where they are attached to it.
///
/// A value that both have is that of the private facts, which are what the source said; the catalogue has
/// what the published file says.
package struct AssetExpressions: Sendable {
  /// Whether private facts are attached.
  package let hasFacts: Bool

  /// Finds out which databases there are.
  package init(in db: Database) throws {
    hasFacts =
      try Bool.fetchOne(
        db,
        sql: "SELECT EXISTS (SELECT 1 FROM pragma_database_list WHERE name = ?)",
        arguments: [PrivateFacts.schema]
      ) ?? false
  }

  /// The tables of a query of assets.
  package var tables: String { tables(assets: "assets") }

  /// The same, where the assets are read one behind the other: by an index of their order each row would be looked up by
  /// itself, and SQLite takes it for any condition that its columns can tell.
  var tablesInOneRead: String { tables(assets: "assets NOT INDEXED") }

  private func tables(assets: String) -> String {
    hasFacts
      ? "\(assets) LEFT JOIN \(PrivateFacts.schema).\(PrivateFacts.table) AS facts "
        + "ON facts.localIdentifier = assets.localIdentifier" : assets
  }

  /// The condition that a row of resources is of the asset and not superseded.
  func isCurrent(_ name: String) -> String {
    "\(name).asset = assets.id AND \(name).superseded = 0"
  }

  /// The condition that an asset has a current file in one of these roles or formats.
  func hasFile(_ condition: String) -> String {
    "EXISTS (SELECT 1 FROM resources AS own WHERE \(isCurrent("own")) AND own.\(condition))"
  }

  /// Whether an asset has a movie beside its still or within it.
  var isLive: String { "(\(hasFile(Self.isMovieOfStill)) OR \(hasMovieWithin))" }

  /// Whether an asset has a movie within its still.
  var hasMovieWithin: String { "(\(fact(.embeddedLength)) IS NOT NULL)" }

  var isRaw: String { hasFile(Self.hasRawFormat) }

  /// Whether a row of resources is the movie of a live photo.
  static let isMovieOfStill = "role = 'pairedVideo'"

  /// Whether a row of resources is a raw picture.
  static let hasRawFormat: String = {
    let formats = MediaFormat.allCases.filter(\.isRaw).map { "'\($0.rawValue)'" }
    return "format IN (\(formats.joined(separator: ", ")))"
  }()

  let isAnimated = "ifnull(assets.mediaType = 'image' AND assets.frameCount > 1, 0)"

  /// A value that the private facts may have too.
  package func fact(_ column: AssetColumn) -> String {
    let name = column.name
    return hasFacts && PrivateFacts.columns.contains(column)
      ? "coalesce(facts.\(name), assets.\(name))" : "assets.\(name)"
  }

  /// A column that belongs to `creationDate`, taken from where that one is.
  func factOfDate(_ column: AssetColumn) -> String {
    let name = column.name
    return hasFacts
      ? "iif(facts.creationDate IS NULL, assets.\(name), facts.\(name))" : "assets.\(name)"
  }

  /// The column of a fact as a list has it: a size upright, and the subtypes with that of a live photo whose movie is
  /// within the file; the files of the asset tell of one beside it.
  func listed(_ column: AssetColumn) -> String {
    switch column {
    case .pixelWidth: expression(.pixelWidth)
    case .pixelHeight: expression(.pixelHeight)
    case .mediaSubtypes: "(\(storedSubtypes) | (\(hasMovieWithin) << 3))"
    case .creationDateOffsetMinutes, .creationDateTag, .creationDatePrecision, .creationDateFraction:
      factOfDate(column)
    default: fact(column)
    }
  }

  /// The subtypes that are stored; that of live photos follows from their files.
  private var storedSubtypes: String {
    "(ifnull(\(fact(.mediaSubtypes)), 0) & ~\(MediaSubtypes.photoLive.rawValue))"
  }

  /// A column of the asset's first file.
  private func main(_ column: String) -> String {
    """
    (SELECT own.\(column) FROM resources AS own WHERE \(isCurrent("own"))
      ORDER BY own.role = 'pairedVideo', own.id LIMIT 1)
    """
  }

  var predicateColumns: PredicateColumns {
    PredicateColumns(nameOrder: "assets.nameOrder", expression)
  }

  /// The terms of ORDER BY, by which no two assets are equal.
  ///
  /// Behind the descriptors stand the first moment of the date, the fraction of its second, the name of the file in
  /// ``NaturalOrder`` and the identifier, in the direction of the last descriptor: when all directions are turned, the
  /// whole order is, but for assets without a value of a key, which stay behind all others.
  func order(by descriptors: [FetchSortDescriptor]) -> String {
    let isAscending = descriptors.last?.ascending ?? false
    let isDated = descriptors.contains { $0.key == .creationDate }
    let date = isDated ? [] : [FetchSortDescriptor(.creationDate, ascending: isAscending)]
    let terms = (descriptors + date).flatMap { descriptor in
      let term = descriptor.sql(predicateColumns)
      guard descriptor.key == .creationDate else { return [term] }
      return [term, "\(factOfDate(.creationDateFraction)) \(descriptor.ascending ? "ASC" : "DESC")"]
    }
    let ties = ["assets.nameOrder", "assets.localIdentifier"].map { "\($0) \(isAscending ? "ASC" : "DESC")" }
    return (terms + ties).joined(separator: ", ")
  }

  /// Whether an asset's file says where it was taken; a place of a track is in no file.
  var statesPlace: String {
    "(assets.hasLocation AND assets.placeTag IS NOT '\(TrackPlaces.tag)')"
  }

  /// Whether rows of the stored picture are columns of the one that is shown.
  private static let isTransposed =
    "(assets.orientation > 4) <> (ifnull(assets.rotation, 0) IN (90, 270))"

  /// The expression of a key.
  package func expression(_ key: PredicateKey) -> String {
    switch key {
    case .localIdentifier: "assets.localIdentifier"
    case .mediaType:
      "CASE assets.mediaType WHEN 'image' THEN 1 WHEN 'video' THEN 2 WHEN 'audio' THEN 3 ELSE 0 END"
    case .mediaSubtypes: "(\(storedSubtypes) | (\(isLive) << 3))"
    case .creationDateOffsetMinutes: factOfDate(.creationDateOffsetMinutes)
    case .creationDatePrecision: factOfDate(.creationDatePrecision)
    case .modificationDate:
      "(SELECT max(items.modified) FROM items WHERE items.asset = assets.id)"
    case .addedDate: "assets.saved"
    case .duration: "(assets.durationMilliseconds / 1000.0)"
    case .pixelWidth: "iif(\(Self.isTransposed), assets.pixelHeight, assets.pixelWidth)"
    case .pixelHeight: "iif(\(Self.isTransposed), assets.pixelWidth, assets.pixelHeight)"
    case .hasLocation:
      hasFacts
        ? "iif(facts.latitude IS NULL AND facts.placeTag IS NULL, assets.hasLocation, 1)"
        : "assets.hasLocation"
    case .label: "assets.label"
    case .format: main("format")
    case .path: "\(PathText.path)(\(main("sourcePath")))"
    case .name: "\(PathText.name)(\(main("sourcePath")))"
    case .size: main("bytes")
    case .source: "assets.source"
    case .sourceName: "assets.sourceName"
    case .isDegraded: "assets.degraded"
    case .metadataPolicy: "assets.policy"
    case .isThumbnailMissing:
      """
      EXISTS (SELECT 1 FROM items WHERE items.asset = assets.id
        AND items.reason = '\(ItemReason.thumbnailMissing.rawValue)')
      """
    default: key.fact.flatMap { AssetColumn(stringValue: $0.column.name) }.map(fact) ?? "NULL"
    }
  }
}

/// The SQL functions that a query of assets needs.
package enum PathText {
  /// The path of a BLOB as text.
  static let path = "itemPathText"
  /// Its last component.
  static let name = "itemNameText"

  /// Adds them to a connection.
  package static func add(to db: Database) {
    db.add(
      function: DatabaseFunction(PredicateColumns.naturalFunction, argumentCount: 1, pure: true) { values in
        String.fromDatabaseValue(values[0]).map { Data(NaturalOrder.key(of: $0.utf8)) }
      }
    )
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
  package var databaseValue: DatabaseValue {
    switch self {
    case .null, .list: .null
    case .integer(let value): value.databaseValue
    case .real(let value): value.databaseValue
    case .text(let value): value.databaseValue
    }
  }
}
