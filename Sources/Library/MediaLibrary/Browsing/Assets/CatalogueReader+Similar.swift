internal import Foundation
internal import GRDB
package import MediaModel
internal import MediaPredicate

extension CatalogueReader {
  private enum Compared: Int, QueryColumn {
    case id, localIdentifier, mediaType, pixelWidth, pixelHeight, format, isRaw, isEdited, factCount, bytes,
      cover, hash
  }

  /// The current pictures and films of the library, in the order in which they were saved.
  package func comparedPictures() throws(LibraryError) -> [ComparedPicture] {
    try read { db in
      let expressions = try AssetExpressions(in: db)
      let column = ThumbnailColumn.perceptualHash.name
      let isKept = try db.columns(in: ThumbnailColumn.table).contains { $0.name == column }
      let edited = expressions.hasFile("role IN ('fullSizePhoto', 'adjustmentData')")
      return try QueryRow<Compared>.fetchAll(
        db,
        """
        SELECT assets.id, assets.localIdentifier, assets.mediaType, \(expressions.expression(.pixelWidth)),
          \(expressions.expression(.pixelHeight)), \(expressions.expression(.format)), \(expressions.isRaw), \(edited)
          OR EXISTS (SELECT 1 FROM stacks WHERE cover = assets.id AND kind = 'edited'),
          (\(expressions.fact(.camera)) IS NOT NULL) + (\(expressions.fact(.creationDate)) IS NOT NULL),
          ifnull(\(expressions.expression(.size)), 0),
          (SELECT cover FROM stacks WHERE asset = assets.id AND kind IN \(StackKind.stacked)),
          (SELECT max(\(isKept ? column : "NULL")) FROM thumbnails
            WHERE asset = assets.id AND superseded = 0)
        FROM \(expressions.tables)
        WHERE assets.superseded = 0 AND assets.mediaType IN ('image', 'video') ORDER BY assets.id
        """
      ).map { row in
        let (width, height): (Int?, Int?) = (try row[.pixelWidth], try row[.pixelHeight])
        return ComparedPicture(
          row: try row[.id],
          localIdentifier: try row[.localIdentifier],
          mediaType: MediaType(rawValue: try row[.mediaType]) ?? .image,
          size: width.flatMap { width in height.map { PixelSize(width: width, height: $0) } },
          format: (try row[.format] as String?).flatMap { MediaFormat(rawValue: $0) },
          isRaw: try row[.isRaw],
          isEdited: try row[.isEdited],
          factCount: try row[.factCount],
          bytes: try row[.bytes],
          stackCover: try row[.cover],
          hash: (try row[.hash] as Int64?).map { PerceptualHash(stored: $0) }
        )
      }
    }
  }

  /// The assets that a person called different, by their localIdentifiers, each time two or more.
  package func distinguishedAssets() throws(LibraryError) -> [[String]] {
    try read { db in
      // A catalogue from before has no such table, and another program's may be broken off.
      guard try db.tableExists(DistinctionColumn.table) else { return [] }
      return try String.fetchAll(db, sql: "SELECT assets FROM \(DistinctionColumn.table)").map {
        TextList.texts($0)
      }
    }
  }

  private enum SourceFileOfAsset: Int, QueryColumn { case asset, sourcePath }

  /// The paths in their sources of the main files of assets, by their rows.
  package func sourcePaths(ofAssets rows: [Int64]) throws(LibraryError) -> [Int64: ItemPath] {
    try read { db in
      let paths = try QueryRow<SourceFileOfAsset>.fetchAll(
        db,
        AssetDetails.files("own.asset, own.sourcePath", .some),
        [RowList.text(rows)]
      ).map { (try $0[.asset] as Int64, ItemPath(bytes: try $0.bytes(.sourcePath))) }
      return Dictionary(paths) { first, _ in first }
    }
  }
}
