internal import Foundation
internal import GRDB
package import MediaCatalogue
internal import MediaLibrary
package import MediaModel
internal import MediaPredicate

extension CatalogueReader {
  /// Calls `body` with each asset of a selection, in its order.
  ///
  /// The assets are read some at a time, each part at a moment of its own, so that a run that writes
  /// meanwhile is not held up; one that is gone by then is left out.
  ///
  /// - Parameters:
  ///   - selection: The assets.
  ///   - readsThumbnails: Whether their thumbnails are wanted too.
  ///   - body: Takes an asset.
  /// - Throws: ``LibraryError`` when the catalogue cannot be read, or what `body` throws.
  package func forEachAsset(
    of selection: AssetSelection,
    readsThumbnails: Bool = false,
    _ body: (ListedAsset) throws -> Void
  ) throws {
    var rest = selection.rows[...]
    while !rest.isEmpty {
      let part = rest.prefix(512)
      rest = rest.dropFirst(part.count)
      let assets = try read { db in
        let details = try AssetDetails(in: db, readsThumbnails: readsThumbnails)
        return try part.compactMap { try details.asset(row: $0) }
      }
      for asset in assets { try body(asset) }
    }
  }

  /// The settings of the newest thumbnail of a name in the manifest, as `ThumbnailSpec.fingerprint` has them; nil
  /// where there is none.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func fingerprint(ofThumbnails name: String) throws(LibraryError) -> String? {
    try read { db in
      try String.fetchOne(
        db,
        sql: """
          SELECT fingerprint FROM thumbnails WHERE name = ? AND superseded = 0
          ORDER BY id DESC LIMIT 1
          """,
        arguments: [name]
      )
    }
  }

  /// The asset of a row; nil when it is gone.
  package func asset(row: Int64) throws(LibraryError) -> ListedAsset? {
    try read { try AssetDetails(in: $0).asset(row: row) }
  }
}

/// Finds assets by their localIdentifiers, at one moment and without private facts.
///
/// Valid as long as its ``CatalogueMoment``.
package final class AssetFinder {
  private let details: AssetDetails
  private let rows: Statement

  /// Prepares to look into the catalogue.
  ///
  /// - Throws: When the catalogue has no assets.
  package init(_ moment: CatalogueMoment) throws {
    details = try AssetDetails(in: moment.db)
    rows = try moment.db.makeStatement(sql: "SELECT id FROM assets WHERE localIdentifier = ?")
  }

  /// The asset; nil when the catalogue does not have it.
  ///
  /// - Throws: When the catalogue cannot be read.
  package func asset(_ localIdentifier: String) throws -> ListedAsset? {
    guard let row = try Int64.fetchOne(rows, arguments: [localIdentifier]) else { return nil }
    return try details.asset(row: row)
  }
}

/// Reads assets by their rows.
private struct AssetDetails {
  private let assets: Statement
  private let files: Statement
  private let stack: Statement
  private let thumbnails: Statement?

  init(in db: Database, readsThumbnails: Bool = false) throws {
    let expressions = try AssetExpressions(in: db)
    let columns = ListedColumn.allCases.map { $0.sql(expressions) }
    assets = try db.cachedStatement(
      sql: """
        SELECT \(columns.joined(separator: ", ")) FROM \(expressions.tables) WHERE assets.id = ?
        """
    )
    files = try db.cachedStatement(
      sql: """
        SELECT \(FileColumn.list) FROM assets JOIN resources AS own
        ON \(expressions.isCurrent("own")) WHERE assets.id = ?
        ORDER BY own.role = 'pairedVideo', own.id
        """
    )
    stack = try db.cachedStatement(
      sql: """
        SELECT \(StackOfAsset.list) FROM stacks AS own JOIN assets AS cover ON cover.id = own.cover
        WHERE own.asset = ? AND own.kind IN \(StackKind.stacked)
        """
    )
    thumbnails =
      readsThumbnails
      ? try db.cachedStatement(
        sql: """
          SELECT \(ListedThumbnail.list) FROM thumbnails WHERE asset = ? AND superseded = 0
          ORDER BY width * height, name
          """
      ) : nil
  }

  /// The columns of an asset, as the private facts and the catalogue have them together.
  private enum ListedColumn: Int, QueryColumn {
    case localIdentifier, label, mediaType, source, policy, saved, pixelWidth, pixelHeight,
      durationMilliseconds, degraded, creationDate, creationDateOffsetMinutes, creationDateTag,
      camera, isFavorite, isHidden, rating, caption, keywords, burst, isBurstPick, frameCount,
      mediaSubtypes, latitude, longitude, embeddedOffset, embeddedLength, stillLength,
      creationDateStated, people, city, region, country, run

    func sql(_ expressions: AssetExpressions) -> String {
      switch self {
      case .localIdentifier, .label, .mediaType, .source, .policy, .saved, .durationMilliseconds,
        .degraded, .frameCount, .run:
        "assets.\(name)"
      case .pixelWidth: expressions.expression(.pixelWidth)
      case .pixelHeight: expressions.expression(.pixelHeight)
      case .mediaSubtypes: expressions.expression(.mediaSubtypes)
      case .creationDate: expressions.fact(.creationDate)
      case .creationDateOffsetMinutes: expressions.factOfDate(.creationDateOffsetMinutes)
      case .creationDateTag: expressions.factOfDate(.creationDateTag)
      case .creationDateStated: expressions.fact(.creationDateStated)
      case .camera: expressions.fact(.camera)
      case .isFavorite: expressions.fact(.isFavorite)
      case .isHidden: expressions.fact(.isHidden)
      case .rating: expressions.fact(.rating)
      case .caption: expressions.fact(.caption)
      case .keywords: expressions.fact(.keywords)
      case .people: expressions.fact(.people)
      case .city: expressions.fact(.city)
      case .region: expressions.fact(.region)
      case .country: expressions.fact(.country)
      case .burst: expressions.fact(.burst)
      case .isBurstPick: expressions.fact(.isBurstPick)
      case .latitude: expressions.fact(.latitude)
      case .longitude: expressions.fact(.longitude)
      case .embeddedOffset: expressions.fact(.embeddedOffset)
      case .embeddedLength: expressions.fact(.embeddedLength)
      case .stillLength: expressions.fact(.stillLength)
      }
    }
  }

  /// The columns of one of its files.
  private enum FileColumn: Int, QueryColumn {
    case role, path, format, bytes, sha256, sourcePath

    var sql: String { "own.\(name)" }
  }

  /// The columns of one of its thumbnails.
  private enum ListedThumbnail: Int, QueryColumn {
    case name, path, width, height, bytes, sha256, thumbHash
  }

  /// The columns of the stack that it is in.
  private enum StackOfAsset: Int, QueryColumn {
    case kind, cover, count

    var sql: String {
      switch self {
      case .kind: "own.kind"
      case .cover: "cover.localIdentifier"
      case .count:
        "(SELECT count(*) FROM stacks WHERE stacks.cover = own.cover AND stacks.kind = own.kind)"
      }
    }
  }

  func asset(row: Int64) throws -> ListedAsset? {
    guard let values = try Row.fetchOne(assets, arguments: [row]).map(QueryRow<ListedColumn>.init)
    else { return nil }
    var asset = ListedAsset(
      row: row,
      localIdentifier: try values[.localIdentifier],
      label: try values[.label],
      mediaType: MediaType(rawValue: try values[.mediaType]) ?? .image,
      source: try values[.source],
      policy: try values[.policy],
      added: try values[.saved]
    )
    if let width: Int = try values[.pixelWidth], let height: Int = try values[.pixelHeight],
      Self.sides.contains(width), Self.sides.contains(height)
    {
      asset.pixelSize = PixelSize(width: width, height: height)
    }
    asset.run = try values[.run]
    asset.durationMilliseconds = try values[.durationMilliseconds]
    asset.isDegraded = try values[.degraded]
    try readDate(values, into: &asset)
    asset.camera = try values[.camera]
    asset.isFavorite = try values[.isFavorite] as Bool? ?? false
    asset.isHidden = try values[.isHidden] as Bool? ?? false
    asset.rating = try values[.rating]
    asset.caption = try values[.caption]
    asset.keywords = TextList.texts(try values[.keywords])
    asset.people = TextList.texts(try values[.people])
    asset.burstIdentifier = try values[.burst]
    asset.isBurstPick = try values[.isBurstPick] as Bool? ?? false
    asset.frameCount = try values[.frameCount]
    try readPlace(values, into: &asset)
    if let offset: Int = try values[.embeddedOffset], let length: Int = try values[.embeddedLength]
    {
      let still: Int? = try values[.stillLength]
      asset.embeddedMovie = EmbeddedMovie(offset: offset, length: length, stillLength: still)
    }
    asset.mediaSubtypes = PredicateWord.subtypes(of: try values[.mediaSubtypes])
    asset.stack = try stackMembership(row)
    asset.thumbnails = try listedThumbnails(row)
    for row in try Row.fetchAll(files, arguments: [row]).map(QueryRow<FileColumn>.init) {
      var file = ListedAsset.File(
        role: try row[.role],
        path: try row[.path],
        format: try row[.format],
        bytes: try row[.bytes],
        sha256: try row[.sha256]
      )
      if let path = (try row[.sourcePath] as Data?).map({ ItemPath(bytes: [UInt8]($0)) }) {
        let name = EscapedText.percentEscaped(path.stem, keepsJoiners: true)
        asset.originalName = asset.originalName ?? name
        file.note(sourcePath: path)
      }
      asset.files.append(file)
    }
    return asset
  }

  private func readDate(
    _ values: QueryRow<ListedColumn>,
    into asset: inout ListedAsset
  ) throws {
    asset.creationDate = try values[.creationDate]
    if let offset: Int = try values[.creationDateOffsetMinutes], Self.offsets.contains(offset) {
      asset.creationDateOffsetMinutes = offset
    }
    asset.creationDateTag = try values[.creationDateTag]
    asset.creationDateStated = try values[.creationDateStated]
  }

  private func readPlace(
    _ values: QueryRow<ListedColumn>,
    into asset: inout ListedAsset
  ) throws {
    if let latitude: Double = try values[.latitude], let longitude: Double = try values[.longitude]
    {
      asset.place = MediaDescription.Place(latitude: latitude, longitude: longitude)
    }
    if let city: String = try values[.city] {
      let (region, country): (String?, String?) = (try values[.region], try values[.country])
      asset.placeName = PlaceName(city: city, region: region, country: country)
    }
  }

  private func stackMembership(_ asset: Int64) throws -> StackMembership? {
    guard let values = try Row.fetchOne(stack, arguments: [asset]).map(QueryRow<StackOfAsset>.init),
      let kind = StackKind(rawValue: try values[.kind])
    else { return nil }
    return StackMembership(kind: kind, cover: try values[.cover], count: try values[.count])
  }

  /// What the sides of a picture may be: a damaged row has any number, and twenty products of two sides are added up.
  private static let sides = 1...(1 << 28)

  /// The minutes east of UTC that two digits of hours state; a damaged row has any number.
  private static let offsets = -5999...5999

  private static func side(_ stored: Int) -> Int {
    min(max(stored, sides.lowerBound), sides.upperBound)
  }

  private func listedThumbnails(_ asset: Int64) throws -> [ListedAsset.Thumbnail] {
    guard let thumbnails else { return [] }
    return try Row.fetchAll(thumbnails, arguments: [asset]).map { row in
      let file = QueryRow<ListedThumbnail>(row)
      let hash: Data? = try file[.thumbHash]
      return ListedAsset.Thumbnail(
        name: try file[.name],
        path: try file[.path],
        size: PixelSize(width: Self.side(try file[.width]), height: Self.side(try file[.height])),
        bytes: try file[.bytes],
        sha256: try file[.sha256],
        thumbHash: hash.flatMap { data in
          ThumbHash(bytes: [UInt8](data)).map { Base64.text($0.bytes) }
        }
      )
    }
  }
}
