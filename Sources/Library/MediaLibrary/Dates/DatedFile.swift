internal import Foundation
internal import GRDB
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
  private enum DatedColumn: Int, QueryColumn {
    case path, sha256, sourcePath, role, saved, modified

    var sql: String {
      switch self {
      case .saved: "assets.saved"
      case .modified:
        "(SELECT modified FROM items WHERE sourceName = own.sourceName AND path = own.sourcePath)"
      default: "own.\(name)"
      }
    }
  }

  /// The main file of an asset by its localIdentifier, and its sidecars.
  package func datedFiles(ofAsset asset: String) throws(LibraryError) -> [DatedFile] {
    try read { db in
      let rows = try QueryRow<DatedColumn>.fetchAll(
        db,
        """
        SELECT \(DatedColumn.list)
        FROM assets JOIN resources AS own ON own.asset = assets.id AND own.superseded = 0
          AND own.role IN ('photo', 'video', 'audio', 'sidecar')
        WHERE assets.localIdentifier = ? ORDER BY own.id
        """,
        [asset]
      )
      return try rows.compactMap { row in
        guard let saved = SaveTime(timestamp: try row[.saved]) else { return nil }
        return DatedFile(
          path: try row[.path],
          sha256: try row[.sha256],
          sourcePath: ItemPath(bytes: [UInt8](try row[.sourcePath] as Data)),
          isSidecar: try row[.role] == ResourceRole.sidecar.rawValue,
          saved: saved,
          modified: try row[.modified] as Int64? ?? 0
        )
      }
    }
  }
}
