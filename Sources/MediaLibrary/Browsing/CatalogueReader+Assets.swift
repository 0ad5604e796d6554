internal import Foundation
internal import GRDB
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
  private let stack: Statement?
  private let thumbnails: Statement?

  init(in db: Database, readsThumbnails: Bool = false) throws {
    let columns = try AssetColumns(in: db)
    let optional = [
      columns.fact("creationDate"), columns.factOfDate("creationDateOffsetMinutes"),
      columns.factOfDate("creationDateTag"), columns.fact("camera"), columns.fact("isFavorite"),
      columns.fact("isHidden"), columns.fact("rating"), columns.fact("caption"),
      columns.fact("keywords"), columns.fact("burst"), columns.fact("isBurstPick"),
      columns.fact("frameCount"), columns.expression(.mediaSubtypes),
      columns.fact("latitude"), columns.fact("longitude"),
    ]
    assets = try db.cachedStatement(
      sql: """
        SELECT assets.localIdentifier, assets.label, assets.mediaType, assets.source, assets.policy,
          assets.saved, \(columns.expression(.pixelWidth) ?? "NULL"),
          \(columns.expression(.pixelHeight) ?? "NULL"), assets.durationMilliseconds, assets.degraded,
          \(optional.map { $0 ?? "NULL" }.joined(separator: ", "))
        FROM \(columns.tables) WHERE assets.id = ?
        """
    )
    files = try db.cachedStatement(
      sql: """
        SELECT own.role, own.path, own.format, own.bytes, own.sha256, own.sourcePath
        FROM assets JOIN resources AS own ON \(columns.isCurrent("own"))
        WHERE assets.id = ? ORDER BY own.role = 'pairedVideo', own.id
        """
    )
    stack = columns.hasStacks ? try db.cachedStatement(sql: Self.stackOfAsset) : nil
    thumbnails =
      readsThumbnails
      ? try db.cachedStatement(
        sql: """
          SELECT name, path, width, height, bytes, sha256,
            \(columns.hasThumbHashes ? "thumbHash" : "NULL")
          FROM thumbnails WHERE asset = ? AND superseded = 0 ORDER BY width * height, name
          """
      ) : nil
  }

  /// The stack of an asset.
  private static let stackOfAsset = """
    SELECT own.kind, cover.localIdentifier,
      (SELECT count(*) FROM stacks WHERE stacks.cover = own.cover AND stacks.kind = own.kind)
    FROM stacks AS own JOIN assets AS cover ON cover.id = own.cover
    WHERE own.asset = ? AND own.kind IN \(StackKind.stacked)
    """

  func asset(row: Int64) throws -> ListedAsset? {
    guard let found = try Row.fetchOne(assets, arguments: [row]) else { return nil }
    var asset = ListedAsset(
      row: row,
      localIdentifier: try found.value(0),
      label: try found.value(1),
      mediaType: MediaType(rawValue: try found.value(2)) ?? .image,
      source: try found.value(3),
      policy: try found.value(4),
      added: try found.value(5)
    )
    if let width: Int = try found.value(6), let height: Int = try found.value(7) {
      asset.pixelSize = PixelSize(width: width, height: height)
    }
    asset.durationMilliseconds = try found.value(8)
    asset.isDegraded = try found.value(9)
    asset.creationDate = try found.value(10)
    asset.creationDateOffsetMinutes = try found.value(11)
    asset.creationDateTag = try found.value(12)
    asset.camera = try found.value(13)
    asset.isFavorite = try found.value(14) as Bool? ?? false
    asset.isHidden = try found.value(15) as Bool? ?? false
    asset.rating = try found.value(16)
    asset.caption = try found.value(17)
    asset.keywords = TextList.texts(try found.value(18))
    asset.burstIdentifier = try found.value(19)
    asset.isBurstPick = try found.value(20) as Bool? ?? false
    asset.frameCount = try found.value(21)
    if let stack, let place = try Row.fetchOne(stack, arguments: [row]),
      let kind = StackKind(rawValue: try place.value(0))
    {
      asset.stack = StackMembership(
        kind: kind,
        cover: try place.value(1),
        count: try place.value(2)
      )
    }
    if let latitude: Double = try found.value(23), let longitude: Double = try found.value(24) {
      asset.place = DescriptionColumns.place(latitude: latitude, longitude: longitude)
    }
    asset.mediaSubtypes = PredicateWord.subtypes(of: try found.value(22))
    if let thumbnails {
      asset.thumbnails = try Row.fetchAll(thumbnails, arguments: [row]).map { file in
        let hash: Data? = try file.value(6)
        return ListedAsset.Thumbnail(
          name: try file.value(0),
          path: try file.value(1),
          size: PixelSize(width: try file.value(2), height: try file.value(3)),
          bytes: try file.value(4),
          sha256: try file.value(5),
          thumbHash: hash.flatMap { data in
            ThumbHash(bytes: [UInt8](data)).map { _ in data.base64EncodedString() }
          }
        )
      }
    }
    asset.files = try Row.fetchAll(files, arguments: [row]).map { file in
      if asset.originalName == nil, let path: Data = try file.value(5) {
        let name = ItemPath(bytes: Array(ItemPath(bytes: [UInt8](path)).name))
        asset.originalName = EscapedText.percentEscaped(name.stem)
      }
      return ListedAsset.File(
        role: try file.value(0),
        path: try file.value(1),
        format: try file.value(2),
        bytes: try file.value(3),
        sha256: try file.value(4)
      )
    }
    return asset
  }
}

/// Lists of texts in JSON, as columns have them.
enum TextList {
  static func array(_ texts: [String]) -> [UInt8] {
    [UInt8]((try? JSONEncoder().encode(texts)) ?? Data("[]".utf8))
  }

  /// The texts of a list; empty for anything else.
  static func texts(_ json: String?) -> [String] {
    guard let json else { return [] }
    return (try? JSONDecoder().decode([String].self, from: Data(json.utf8))) ?? []
  }
}
