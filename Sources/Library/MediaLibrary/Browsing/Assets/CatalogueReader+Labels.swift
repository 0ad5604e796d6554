internal import Foundation
internal import GRDB
internal import MediaModel

extension CatalogueMoment {
  /// Whether a person has given any asset a label.
  package func hasLabels() throws -> Bool { try Catalogue.hasLabels(in: db) }
}

/// An asset that a run has made, by its label and the path of its main file in its source.
package struct NewAsset: Sendable, Hashable {
  package var localIdentifier: String
  package var label: String
  /// Its bytes.
  package var sourcePath: [UInt8]

  init(localIdentifier: String, label: String, sourcePath: [UInt8]) {
    self.localIdentifier = localIdentifier
    self.label = label
    self.sourcePath = sourcePath
  }
}

private enum NewAssetColumn: Int, QueryColumn {
  case label, sourcePath

  var sql: String {
    switch self {
    case .label: name
    case .sourcePath:
      """
      (SELECT sourcePath FROM resources
        WHERE asset = assets.id AND superseded = 0 ORDER BY id LIMIT 1)
      """
    }
  }
}

extension CatalogueReader {
  /// The assets with some identifiers, in their order; without those that there are not.
  package func newAssets(_ identifiers: [String]) throws(LibraryError) -> [NewAsset] {
    try read { db in
      try identifiers.compactMap { identifier in
        let row = try QueryRow<NewAssetColumn>.fetchOne(
          db,
          "SELECT \(NewAssetColumn.list) FROM assets WHERE localIdentifier = ?",
          [identifier]
        )
        guard let row else { return nil }
        return NewAsset(
          localIdentifier: identifier,
          label: try row[.label],
          sourcePath: [UInt8](try row[.sourcePath] as Data? ?? Data())
        )
      }
    }
  }
}
