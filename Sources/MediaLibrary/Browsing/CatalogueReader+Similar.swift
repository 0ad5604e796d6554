internal import GRDB
package import MediaModel

/// A picture or film of a library, with what tells which of two that look alike is the better one.
package struct ComparedPicture: Sendable {
  /// The row of its asset.
  package var row: Int64
  package var mediaType: MediaType
  package var pixels: Int
  package var isRaw: Bool
  package var isEdited: Bool
  /// Nil where no thumbnail has brought one.
  package var hash: PerceptualHash?
}

extension CatalogueReader {
  private enum ComparedColumn: Int, QueryColumn {
    case id, mediaType, pixels, isRaw, isEdited, hash
  }

  /// The current pictures and films of the library, in the order in which they were saved.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func comparedPictures() throws(LibraryError) -> [ComparedPicture] {
    try read { db in
      let expressions = try AssetExpressions(in: db)
      let column = ThumbnailColumn.perceptualHash.name
      let isKept = try db.columns(in: ThumbnailColumn.table).contains { $0.name == column }
      let hash = """
        (SELECT \(column) FROM thumbnails
          WHERE asset = assets.id AND superseded = 0 AND \(column) IS NOT NULL LIMIT 1)
        """
      let isEdited = """
        (\(expressions.hasFile("role IN ('fullSizePhoto', 'adjustmentData')"))
          OR EXISTS (SELECT 1 FROM stacks WHERE cover = assets.id AND kind = 'edited'))
        """
      return try QueryRow<ComparedColumn>.fetchAll(
        db,
        """
        SELECT assets.id, assets.mediaType, ifnull(assets.pixelWidth * assets.pixelHeight, 0),
          \(expressions.isRaw), \(isEdited), \(isKept ? hash : "NULL")
        FROM assets WHERE superseded = 0 AND mediaType IN ('image', 'video') ORDER BY assets.id
        """
      ).map { row in
        let stored: Int64? = try row[.hash]
        return ComparedPicture(
          row: try row[.id],
          mediaType: MediaType(rawValue: try row[.mediaType]) ?? .image,
          pixels: try row[.pixels],
          isRaw: try row[.isRaw],
          isEdited: try row[.isEdited],
          hash: stored.map { PerceptualHash(stored: $0) }
        )
      }
    }
  }
}
