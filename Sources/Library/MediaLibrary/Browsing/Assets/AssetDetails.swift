internal import Foundation
internal import GRDB
package import MediaModel
internal import MediaPredicate

/// Rows as an argument of ``AssetDetails/Rows/some``.
enum RowList {
  static func text(_ rows: [Int64]) -> String {
    "[" + rows.map { "\($0)" }.joined(separator: ",") + "]"
  }
}

/// The assets of some rows, side by side: an asset is large, and a dictionary would move each while it grows.
package struct FoundAssets {
  private var assets: [ListedAsset] = []
  private var indexes: [Int64: Int] = [:]

  init() {}

  /// The asset of a row; nil when it is gone.
  package subscript(row: Int64) -> ListedAsset? { indexes[row].map { assets[$0] } }

  mutating func append(_ asset: ListedAsset) {
    indexes[asset.row] = assets.count
    assets.append(asset)
  }

  /// Calls `body` with the asset of a row, if it is there.
  mutating func change(_ row: Int64, _ body: (inout ListedAsset) throws -> Void) rethrows {
    if let index = indexes[row] { try body(&assets[index]) }
  }
}

/// What is read of an asset; of the rest it is as if nothing were known.
package struct AssetParts: Sendable {
  private let facts: Set<AssetColumn>?
  private let namesFiles: Bool

  package static let all = AssetParts(facts: nil, namesFiles: true)

  /// Some facts, and of each file its role and its format alone.
  package static func facts(_ facts: Set<AssetColumn>) -> AssetParts {
    AssetParts(facts: facts, namesFiles: false)
  }

  fileprivate func has(_ column: AssetColumn) -> Bool { facts?.contains(column) ?? true }

  fileprivate func sql(_ column: AssetDetails.FileColumn) -> String {
    switch column {
    case .asset, .role, .format: column.sql
    case .path, .sha256: namesFiles ? column.sql : "''"
    case .bytes: namesFiles ? column.sql : "0"
    case .sourcePath: namesFiles ? column.sql : "NULL"
    }
  }
}

/// Reads assets by their rows, each table by one query for all of them.
struct AssetDetails {
  /// What the argument of the queries is: a row, or a ``RowList``.
  enum Rows: String {
    case one = "= ?"
    case some = "IN (SELECT value FROM json_each(?))"
  }

  private let assets: Statement
  private let files: Statement
  private let stacks: Statement
  private let thumbnails: Statement?
  /// The facts that are read, by their numbers in ``FactColumn/all``, each with its place in a row.
  private let factPlaces: [Int?]

  init(
    in db: Database,
    _ rows: Rows,
    reading parts: AssetParts = .all,
    readsThumbnails: Bool = false
  ) throws {
    let expressions = try AssetExpressions(in: db)
    factPlaces = Self.factPlaces(of: parts)
    let columns = Self.columns(expressions, factPlaces)
    assets = try db.cachedStatement(
      sql: """
        SELECT \(columns.joined(separator: ", ")) FROM \(expressions.tables)
        WHERE assets.id \(rows.rawValue)
        """
    )
    files = try db.cachedStatement(
      sql: Self.files(FileColumn.allCases.map(parts.sql).joined(separator: ", "), rows)
    )
    stacks = try db.cachedStatement(
      sql: """
        SELECT \(StackOfAsset.list) FROM stacks AS own JOIN assets AS cover ON cover.id = own.cover
        WHERE own.asset \(rows.rawValue) AND own.kind IN \(StackKind.stacked)
        """
    )
    thumbnails =
      readsThumbnails
      ? try db.cachedStatement(
        sql: """
          SELECT \(ListedThumbnail.list) FROM thumbnails
          WHERE asset \(rows.rawValue) AND superseded = 0
          ORDER BY asset, width * height, name
          """
      ) : nil
  }

  /// The query for columns of the current files of assets.
  static func files(_ columns: String, _ rows: Rows) -> String {
    """
    SELECT \(columns) FROM resources AS own WHERE own.asset \(rows.rawValue) AND own.superseded = 0
    ORDER BY own.asset, own.role = 'pairedVideo', own.id
    """
  }

  /// The columns of an asset before those of its facts.
  private enum AssetPart: Int, QueryColumn {
    case localIdentifier, label, mediaType, source, policy, saved, degraded, run, id, rotation,
      sourceName, statesPlace, orientation
  }

  private static func factPlaces(of parts: AssetParts) -> [Int?] {
    // The sizes are upright; of the others a list says nothing.
    let left: Set<AssetColumn> = [.orientation, .hasLocation, .contentIdentifier, .placeTag]
    var place = AssetPart.allCases.count - 1
    return AssetColumn.inOrderOfFacts.map { column in
      if left.contains(column) || !parts.has(column) { return nil }
      place += 1
      return place
    }
  }

  private static func columns(_ expressions: AssetExpressions, _ factPlaces: [Int?]) -> [String] {
    AssetPart.allCases.map { $0 == .statesPlace ? expressions.statesPlace : "assets.\($0.name)" }
      + zip(AssetColumn.inOrderOfFacts, factPlaces).filter { $1 != nil }
      .map { column, _ in expressions.listed(column) }
  }

  /// The columns of one of its files.
  fileprivate enum FileColumn: Int, QueryColumn {
    case asset, role, path, format, bytes, sha256, sourcePath

    var sql: String { "own.\(name)" }
  }

  /// The columns of one of its thumbnails.
  private enum ListedThumbnail: Int, QueryColumn {
    case asset, name, path, width, height, bytes, sha256, thumbHash
  }

  /// The columns of the stack that it is in.
  private enum StackOfAsset: Int, QueryColumn {
    case asset, kind, cover, count

    var sql: String {
      switch self {
      case .asset: "own.asset"
      case .kind: "own.kind"
      case .cover: "cover.localIdentifier"
      case .count:
        "(SELECT count(*) FROM stacks WHERE stacks.cover = own.cover AND stacks.kind = own.kind)"
      }
    }
  }

  /// The assets by their rows; without those that are gone.
  func assets(_ rows: any DatabaseValueConvertible) throws -> FoundAssets {
    var result = FoundAssets()
    let assetRows = try Row.fetchCursor(assets, arguments: [rows])
    while let row = try assetRows.next() {
      result.append(try asset(row, at: assets))
    }
    let fileRows = try Row.fetchCursor(files, arguments: [rows])
    while let row = try fileRows.next() {
      let values = QueryRow<FileColumn>(row, at: files)
      try result.change(values[.asset]) { try Self.add(values, to: &$0) }
    }
    let stackRows = try Row.fetchCursor(stacks, arguments: [rows])
    while let row = try stackRows.next() {
      let values = QueryRow<StackOfAsset>(row, at: stacks)
      guard let kind = StackKind(rawValue: try values[.kind]) else { continue }
      let stack = StackMembership(kind: kind, cover: try values[.cover], count: try values[.count])
      try result.change(values[.asset]) { $0.stack = stack }
    }
    guard let thumbnails else { return result }
    let thumbnailRows = try Row.fetchCursor(thumbnails, arguments: [rows])
    while let row = try thumbnailRows.next() {
      let values = QueryRow<ListedThumbnail>(row, at: thumbnails)
      let thumbnail = try Self.thumbnail(values)
      try result.change(values[.asset]) { $0.thumbnails.append(thumbnail) }
    }
    return result
  }

  private func asset(_ row: Row, at statement: Statement) throws -> ListedAsset {
    let values = QueryRow<AssetPart>(row, at: statement)
    var absent: UInt64 = 0
    var asset = ListedAsset(
      row: try values[.id],
      localIdentifier: try values[.localIdentifier],
      label: try values[.label],
      mediaType: MediaType(rawValue: try values[.mediaType]) ?? .image,
      source: try values[.source],
      policy: try values[.policy],
      added: try values[.saved],
      facts: try facts(statement, &absent)
    )
    asset.absentFacts = absent
    asset.run = try values[.run]
    asset.sourceName = try values[.sourceName]
    asset.orientation = try values[.orientation]
    asset.rotation = LibraryEdit.rotation(stored: try values[.rotation])
    asset.isDegraded = try values[.degraded]
    asset.statesPlace = try values[.statesPlace] as Bool? ?? false
    asset.mediaSubtypes = Self.words(of: asset.described.subtypes)
    return asset
  }

  private static func words(of subtypes: MediaSubtypes) -> [String] {
    subtypes.isEmpty ? [] : PredicateWord.subtypes(of: Int64(subtypes.rawValue))
  }

  /// The number of the fact that follows from others where nothing is stored.
  private static let precision = AssetColumn.creationDatePrecision.fact?.number

  private static let dateTag = AssetColumn.creationDateTag.fact?.number

  /// The facts of the row at which a statement stands, whose format its first file tells; with those that are not there.
  private func facts(_ statement: Statement, _ absent: inout UInt64) throws -> Facts {
    var facts = try Facts(format: .jpeg) { number in
      guard let place = factPlaces[number] else { return number == Self.dateTag ? .text("") : .null }
      let stored = DatabaseValue(sqliteStatement: statement.sqliteStatement, index: CInt(place))
      if stored.isNull {
        if number != Self.precision { absent |= 1 << UInt64(number) }
        return number == Self.dateTag ? .text("") : .null
      }
      let fact = FactColumn.all[number]
      let value = fact.kind.value(stored)
      guard value != .null else {
        throw DatabaseError(
          resultCode: .SQLITE_CORRUPT,
          message: "column \(fact.column.name) of a row is not what it has to be"
        )
      }
      return value
    }
    if let size = facts.pixelSize, !Self.sides.contains(size.width) || !Self.sides.contains(size.height) {
      facts.pixelSize = nil
    }
    if let offset = facts.creationDate?.offsetMinutes, !Self.offsets.contains(offset) {
      facts.creationDate?.offsetMinutes = nil
    }
    return facts
  }

  private static func add(_ values: QueryRow<FileColumn>, to asset: inout ListedAsset) throws {
    var file = ListedAsset.File(
      role: try values[.role],
      path: try values[.path],
      format: try values[.format],
      bytes: try values[.bytes],
      sha256: try values[.sha256]
    )
    if let path = (try values[.sourcePath] as Data?).map({ ItemPath(bytes: [UInt8]($0)) }) {
      let name = EscapedText.name(path.stem)
      asset.originalName = asset.originalName ?? name
      file.note(sourcePath: path)
    }
    if file.role == ResourceRole.pairedVideo.rawValue, !asset.described.subtypes.contains(.photoLive) {
      asset.described.subtypes.insert(.photoLive)
      asset.mediaSubtypes = words(of: asset.described.subtypes)
    }
    let sidecar = SidecarFormat(rawValue: file.format)
    let isOfAsset = asset.files.isEmpty || file.role == "pairedVideo" || sidecar == .xmp
    file.statesPlace = asset.statesPlace && isOfAsset || sidecar == .gpx || sidecar == .srt
    if asset.files.isEmpty, let format = MediaFormat(rawValue: file.format) {
      asset.facts.format = format
    }
    asset.files.append(file)
  }

  /// What the sides of a picture may be: a damaged row has any number, and twenty products of two sides are added up.
  private static let sides = 1...(1 << 28)

  /// The minutes east of UTC that two digits of hours state; a damaged row has any number.
  private static let offsets = -5999...5999

  private static func side(_ stored: Int) -> Int {
    min(max(stored, sides.lowerBound), sides.upperBound)
  }

  private static func thumbnail(
    _ values: QueryRow<ListedThumbnail>
  ) throws -> ListedAsset.Thumbnail {
    let hash: Data? = try values[.thumbHash]
    return ListedAsset.Thumbnail(
      name: try values[.name],
      path: try values[.path],
      size: PixelSize(width: side(try values[.width]), height: side(try values[.height])),
      bytes: try values[.bytes],
      sha256: try values[.sha256],
      thumbHash: hash.flatMap { data in
        ThumbHash(bytes: [UInt8](data)).map { Base64.text($0.bytes) }
      }
    )
  }
}
