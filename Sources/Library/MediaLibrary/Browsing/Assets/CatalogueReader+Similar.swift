internal import GRDB
internal import MediaModel

extension CatalogueReader {
  private enum Compared: Int, QueryColumn { case id, mediaType, pixels, isRaw, isEdited, hash }

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
        SELECT id, mediaType, ifnull(pixelWidth * pixelHeight, 0), \(expressions.isRaw), \(edited)
          OR EXISTS (SELECT 1 FROM stacks WHERE cover = assets.id AND kind = 'edited'),
          (SELECT max(\(isKept ? column : "NULL")) FROM thumbnails
            WHERE asset = assets.id AND superseded = 0)
        FROM assets WHERE superseded = 0 AND mediaType IN ('image', 'video') ORDER BY id
        """
      ).map { row in
        ComparedPicture(
          row: try row[.id],
          mediaType: MediaType(rawValue: try row[.mediaType]) ?? .image,
          pixels: try row[.pixels],
          isRaw: try row[.isRaw],
          isEdited: try row[.isEdited],
          hash: (try row[.hash] as Int64?).map { PerceptualHash(stored: $0) }
        )
      }
    }
  }
}
