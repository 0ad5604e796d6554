internal import Foundation
internal import GRDB
package import MediaCatalogue
package import MediaModel

/// A published file that tells the date of its asset under `keep`.
package struct DatedFile: Sendable {
  /// Below the library.
  package var path: String
  package var sha256: String
  /// The path in its source.
  package var sourcePath: ItemPath
  package var isSidecar: Bool
  /// When its asset was saved.
  package var saved: SaveTime
  /// When the source file was last modified, in nanoseconds since 1970.
  package var modified: Int64
}

extension Catalogue {
  /// The main file of an asset by its localIdentifier, and its sidecars.
  package func datedFiles(ofAsset asset: String) throws(LibraryError) -> [DatedFile] {
    try read { db in
      let rows = try Row.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT own.path, own.sha256, own.sourcePath, own.role = 'sidecar', assets.saved, ifnull((
                SELECT modified FROM items WHERE source = own.source AND path = own.sourcePath
              ), 0)
            FROM assets JOIN resources AS own ON own.asset = assets.id AND own.superseded = 0
              AND own.role IN ('photo', 'video', 'audio', 'sidecar')
            WHERE assets.localIdentifier = ? ORDER BY own.id
            """
        ),
        arguments: [asset]
      )
      return rows.compactMap { row in
        SaveTime(timestamp: row[4]).map { saved in
          DatedFile(
            path: row[0],
            sha256: row[1],
            sourcePath: ItemPath(bytes: [UInt8](row[2] as Data)),
            isSidecar: row[3],
            saved: saved,
            modified: row[5]
          )
        }
      }
    }
  }
}
