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

extension PublishedHalf {
  fileprivate enum Column: Int, QueryColumn {
    case path, device, inode, size, modified, changed, isWritten, asset, label

    var sql: String {
      switch self {
      case .path, .device, .inode, .size, .modified, .changed: "items.\(name)"
      case .isWritten: "items.outcome IN ('imported', 'duplicate', 'unchanged')"
      case .asset: "assets.id"
      case .label: "assets.label"
      }
    }
  }

  fileprivate static let byDigest = """
    SELECT \(Column.list) FROM assets
    JOIN resources ON resources.asset = assets.id AND resources.superseded = 0
      AND resources.role IN ('photo', 'video')
    LEFT JOIN items ON items.sourceName = resources.sourceName AND items.path = resources.sourcePath
      AND items.asset = assets.id
    WHERE assets.contentDigest = ? AND assets.sourceName = ? AND assets.policy = ?
      AND assets.mediaType = ? AND NOT EXISTS (
        SELECT 1 FROM resources AS other WHERE other.asset = assets.id
          AND other.superseded = 0 AND other.role = 'pairedVideo')
    ORDER BY assets.id
    """
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
    source: SourceID,
    policy: MetadataPolicy,
    mediaType: MediaType
  ) throws(LibraryError) -> [PublishedHalf] {
    try read { db in
      try QueryRow<PublishedHalf.Column>.fetchAll(
        db,
        PublishedHalf.byDigest,
        [Data(contentDigest), source.name, policy.rawValue, mediaType.rawValue]
      ).map { row in
        let path: Data? = try row[.path]
        let item = try path.map { path in
          CatalogueItem(
            path: ItemPath(bytes: [UInt8](path)),
            device: UInt64(bitPattern: try row[.device]),
            inode: UInt64(bitPattern: try row[.inode]),
            size: try row[.size],
            modified: try row[.modified],
            changed: try row[.changed],
            isWritten: try row[.isWritten],
            asset: try row[.asset]
          )
        }
        return PublishedHalf(item: item, label: try row[.label])
      }
    }
  }
}
