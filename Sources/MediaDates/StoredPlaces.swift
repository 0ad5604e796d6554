internal import GRDB
package import MediaBrowsing
package import MediaCatalogue
package import MediaLibrary
package import MediaManifest
package import MediaModel

/// The assets of a source whose places, or their names, a manifest's tracks and names of places may change.
package struct StoredPlaces: Sendable {
  private let source: SourceKind
  /// Whether they are those in the private facts: the source's policy is not `keep`.
  private let isPrivate: Bool
  /// Whether tracks may give a place to what has none.
  private let hasTracks: Bool
  /// Whether places get names.
  private let hasNames: Bool

  /// Those of a source of a manifest; nil where nothing has places.
  package init?(_ manifest: Manifest, of source: SourceKind) {
    self.source = source
    isPrivate = manifest.metadataPolicy(of: source) != .keep
    guard let declaration = manifest.sources[source], !isPrivate || manifest.storesPrivateFacts
    else { return nil }
    hasTracks = !declaration.tracks.isEmpty
    hasNames = manifest.placeData != nil
  }

  /// The condition that a row of `assets`, or of the private facts, may change.
  private func condition(_ table: String) -> String {
    // Without an offset, or as a day alone, a date is no moment.
    let mayBePlaced =
      "\(table).latitude IS NULL AND \(table).creationDateOffsetMinutes IS NOT NULL "
      + "AND length(\(table).creationDate) = 19"
    return "(\(table).placeTag = '\(TrackPlaces.tag)'\(hasTracks ? " OR \(mayBePlaced)" : "") "
      + "OR \(table).\(hasNames ? "latitude" : "city") IS NOT NULL)"
  }

  /// The condition that an asset is the source's, under its policy.
  private var isOfSource: String {
    "assets.superseded = 0 AND assets.source = ? AND assets.policy \(isPrivate ? "<>" : "=") 'keep'"
  }

  /// Counts the assets in a catalogue, with its private facts; none in one of an earlier version.
  package func count(in catalogue: CatalogueReader) throws(LibraryError) -> Int {
    try catalogue.read { db in
      let expressions = try AssetExpressions(in: db)
      let table = isPrivate ? "facts" : "assets"
      guard expressions.has(.placeTag, in: table) else { return 0 }
      return try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM \(expressions.tables) WHERE \(isOfSource) AND \(condition(table))
          """,
        arguments: [source.rawValue]
      ) ?? 0
    }
  }

  /// Finds the assets: their rows and their localIdentifiers, in the order of the rows.
  ///
  /// - Throws: `LibraryError` when one of the two databases cannot be read.
  package func assets(in library: Library) throws(LibraryError) -> [(row: Int64, asset: String)] {
    guard isPrivate else {
      return try library.catalogue.read { db in
        try Row.fetchAll(
          db,
          sql: "SELECT id, localIdentifier FROM assets WHERE \(isOfSource) AND "
            + condition("assets") + " ORDER BY id",
          arguments: [source.rawValue]
        ).map { ($0[0], $0[1]) }
      }
    }
    let asked = try library.privateFacts?.read { db in
      try String.fetchAll(
        db,
        sql: "SELECT localIdentifier FROM facts WHERE \(condition("facts"))"
      )
    }
    return try library.catalogue.read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT id FROM assets WHERE \(isOfSource) AND localIdentifier = ?"
      )
      return try (asked ?? []).compactMap { asset in
        try Int64.fetchOne(statement, arguments: [source.rawValue, asset]).map { ($0, asset) }
      }.sorted { $0.row < $1.row }
    }
  }
}

extension CatalogueReader {
  /// The rules that a source's rows follow; see ``Catalogue/appliedRules(of:)``.
  package func appliedRules(of source: SourceKind) throws(LibraryError) -> AppliedRules {
    try read { try Catalogue.appliedRules(of: source, in: $0) }
  }
}
