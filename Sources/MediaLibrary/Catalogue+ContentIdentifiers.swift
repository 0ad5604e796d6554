internal import Foundation
internal import GRDB
internal import MediaFileSystem
package import MediaModel

/// Half of a live photo that was published as an asset of its own.
package struct PublishedHalf: Sendable, Hashable {
  /// The source file as it was then, and the asset's row; nil when another asset was made of the file
  /// since.
  package var item: CatalogueItem?
  package var label: String
}

/// Keyed digests of the content identifiers that sources have, by which the halves of a live photo find
/// each other in different batches and runs.
extension Catalogue {
  /// The assets of a source that were made of one half of a live photo, oldest first.
  ///
  /// - Parameters:
  ///   - contentDigest: The keyed digest of the content identifier.
  ///   - source: The source of both halves.
  ///   - policy: Under which the asset was written.
  ///   - mediaType: `image` for stills, `video` for movies.
  /// - Returns: Each with the source file as it was when it was published.
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func publishedHalves(
    contentDigest: [UInt8],
    source: SourceKind,
    policy: MetadataPolicy,
    mediaType: MediaType
  ) throws(LibraryError) -> [PublishedHalf] {
    try read { db in
      try Row.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT items.path, items.device, items.inode, items.size, items.modified, items.changed,
              items.outcome IN ('imported', 'duplicate', 'unchanged'), assets.id, assets.label
            FROM assets
            JOIN resources ON resources.asset = assets.id AND resources.superseded = 0
              AND resources.role IN ('photo', 'video')
            LEFT JOIN items ON items.source = resources.source AND items.path = resources.sourcePath
              AND items.asset = assets.id
            WHERE assets.contentDigest = ? AND assets.source = ? AND assets.policy = ?
              AND assets.mediaType = ? AND NOT EXISTS (
                SELECT 1 FROM resources AS other WHERE other.asset = assets.id
                  AND other.superseded = 0 AND other.role = 'pairedVideo')
            ORDER BY assets.id
            """
        ),
        arguments: [
          Data(contentDigest), source.rawValue, policy.rawValue, mediaType.rawValue,
        ]
      ).map { row in
        let path: Data? = try row.value(0)
        let item = try path.map { path in
          CatalogueItem(
            path: ItemPath(bytes: [UInt8](path)),
            device: UInt64(bitPattern: try row.value(1)),
            inode: UInt64(bitPattern: try row.value(2)),
            size: try row.value(3),
            modified: try row.value(4),
            changed: try row.value(5),
            isWritten: try row.value(6),
            asset: try row.value(7)
          )
        }
        return PublishedHalf(item: item, label: try row.value(8))
      }
    }
  }
}
