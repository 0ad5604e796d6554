internal import Foundation
internal import GRDB
internal import MediaCatalogue
internal import MediaLibrary
internal import MediaModel
internal import MediaPredicate

/// Rows as an argument of ``AssetDetails/Rows/some``.
enum RowList {
  static func text(_ rows: [Int64]) -> String {
    "[" + rows.map { "\($0)" }.joined(separator: ",") + "]"
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

  init(in db: Database, _ rows: Rows, readsThumbnails: Bool = false) throws {
    let expressions = try AssetExpressions(in: db)
    let columns = ListedColumn.allCases.map { $0.sql(expressions) }
    assets = try db.cachedStatement(
      sql: """
        SELECT \(columns.joined(separator: ", ")) FROM \(expressions.tables)
        WHERE assets.id \(rows.rawValue)
        """
    )
    files = try db.cachedStatement(sql: Self.files(FileColumn.list, rows))
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

  /// The columns of an asset, as the private facts and the catalogue have them together.
  private enum ListedColumn: Int, QueryColumn {
    case localIdentifier, label, mediaType, source, policy, saved, pixelWidth, pixelHeight,
      durationMilliseconds, degraded, creationDate, creationDateOffsetMinutes, creationDateTag,
      camera, isFavorite, isHidden, rating, caption, keywords, burst, isBurstPick, frameCount,
      mediaSubtypes, latitude, longitude, embeddedOffset, embeddedLength, stillLength,
      creationDateStated, people, city, region, country, statesPlace, run, id

    func sql(_ expressions: AssetExpressions) -> String {
      switch self {
      case .localIdentifier, .label, .mediaType, .source, .policy, .saved, .durationMilliseconds,
        .degraded, .frameCount, .run, .id:
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
      case .statesPlace: expressions.statesPlace
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
  func assets(_ rows: any DatabaseValueConvertible) throws -> [Int64: ListedAsset] {
    var result: [Int64: ListedAsset] = [:]
    let assets = try Row.fetchCursor(assets, arguments: [rows])
    while let values = try assets.next().map(QueryRow<ListedColumn>.init) {
      let asset = try Self.asset(values)
      result[asset.row] = asset
    }
    let files = try Row.fetchCursor(files, arguments: [rows])
    while let values = try files.next().map(QueryRow<FileColumn>.init) {
      guard let index = result.index(forKey: try values[.asset]) else { continue }
      try Self.add(values, to: &result.values[index])
    }
    let stacks = try Row.fetchCursor(stacks, arguments: [rows])
    while let values = try stacks.next().map(QueryRow<StackOfAsset>.init) {
      guard let kind = StackKind(rawValue: try values[.kind]) else { continue }
      let stack = StackMembership(kind: kind, cover: try values[.cover], count: try values[.count])
      result[try values[.asset]]?.stack = stack
    }
    guard let thumbnails else { return result }
    let pictures = try Row.fetchCursor(thumbnails, arguments: [rows])
    while let values = try pictures.next().map(QueryRow<ListedThumbnail>.init) {
      result[try values[.asset]]?.thumbnails.append(try Self.thumbnail(values))
    }
    return result
  }

  private static func asset(_ values: QueryRow<ListedColumn>) throws -> ListedAsset {
    var asset = ListedAsset(
      row: try values[.id],
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
    return asset
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
      let name = EscapedText.percentEscaped(path.stem, keepsJoiners: true)
      asset.originalName = asset.originalName ?? name
      file.note(sourcePath: path)
    }
    let sidecar = SidecarFormat(rawValue: file.format)
    let isOfAsset = asset.files.isEmpty || file.role == "pairedVideo" || sidecar == .xmp
    file.statesPlace = asset.statesPlace && isOfAsset || sidecar == .gpx || sidecar == .srt
    asset.files.append(file)
  }

  private static func readDate(
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

  private static func readPlace(
    _ values: QueryRow<ListedColumn>,
    into asset: inout ListedAsset
  ) throws {
    if let latitude: Double = try values[.latitude], let longitude: Double = try values[.longitude]
    {
      asset.place = MediaDescription.Place(latitude: latitude, longitude: longitude)
    }
    asset.statesPlace = try values[.statesPlace] as Bool? ?? false
    if let city: String = try values[.city] {
      let (region, country): (String?, String?) = (try values[.region], try values[.country])
      asset.placeName = PlaceName(city: city, region: region, country: country)
    }
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
