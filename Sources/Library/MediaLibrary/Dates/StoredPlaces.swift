internal import GRDB
package import MediaManifest
package import MediaModel

/// The assets of a source whose places, or their names, a manifest's tracks and names of places may change.
package struct StoredPlaces: Sendable {
  private let source: SourceID
  /// Whether they are those in the private facts: the source's policy is not `keep`.
  private let isPrivate: Bool
  /// Whether tracks may give a place to what has none.
  private let hasTracks: Bool
  /// Whether places get names.
  private let hasNames: Bool

  /// Those of a source of a manifest; nil where nothing has places.
  package init?(_ manifest: Manifest, of source: SourceID) {
    self.source = source
    isPrivate = manifest.metadataPolicy(of: source) != .keep
    guard let declaration = manifest.sources[source], !isPrivate || manifest.storesPrivateFacts
    else { return nil }
    hasTracks = !declaration.tracks.isEmpty
    hasNames = manifest.placeData != nil
  }

  /// The condition that a row of `assets`, or of the private facts, may change.
  private func condition(_ table: String) -> String {
    // Without an offset, or as a day alone, a date is no moment. A place that is not understood has a tag.
    let mayBePlaced =
      "\(table).latitude IS NULL AND \(table).placeTag IS NULL AND \(table).creationDateOffsetMinutes IS NOT NULL "
      + "AND length(\(table).creationDate) = 19"
    return "(\(table).placeTag = '\(TrackPlaces.tag)'\(hasTracks ? " OR \(mayBePlaced)" : "") "
      + "OR \(table).\(hasNames ? "latitude" : "city") IS NOT NULL)"
  }

  /// The condition that an asset is the source's, under its policy.
  private var isOfSource: String {
    "assets.superseded = 0 AND assets.sourceName = ? AND assets.policy \(isPrivate ? "<>" : "=") 'keep'"
  }

  /// Counts the assets in a catalogue, with its private facts; none where these are asked for and not read.
  package func count(in catalogue: CatalogueReader) throws(LibraryError) -> Int {
    try catalogue.read { db in
      let expressions = try AssetExpressions(in: db)
      let table = isPrivate ? "facts" : "assets"
      guard expressions.hasFacts || !isPrivate else { return 0 }
      return try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM \(expressions.tables) WHERE \(isOfSource) AND \(condition(table))
          """,
        arguments: [source.name]
      ) ?? 0
    }
  }

  /// Finds the assets: their rows and their localIdentifiers, in the order of the rows.
  ///
  /// - Throws: `LibraryError` when one of the two databases cannot be read.
  package func assets(in library: Library) throws(LibraryError) -> [(row: Int64, asset: String)] {
    var asked: Set<String> = []
    if isPrivate, let facts = library.privateFacts {
      let sql = "SELECT localIdentifier FROM facts WHERE " + condition("facts")
      asked = try facts.read { try String.fetchSet($0, sql: sql) }
    }
    return try library.catalogue.read { db in
      let rows = try QueryRow<IdentifierColumn>.fetchAll(
        db,
        "SELECT \(IdentifierColumn.list) FROM assets WHERE \(isOfSource)"
          + (isPrivate ? "" : " AND " + condition("assets")) + " ORDER BY id",
        [source.name]
      )
      return try rows.compactMap { row in
        let asset: String = try row[.localIdentifier]
        return !isPrivate || asked.contains(asset) ? (try row[.id], asset) : nil
      }
    }
  }

  private enum IdentifierColumn: Int, QueryColumn {
    case id, localIdentifier
  }
}

extension CatalogueReader {
  /// The rules that a source's rows follow; see ``Catalogue/appliedRules(of:)``.
  package func appliedRules(of source: SourceID) throws(LibraryError) -> AppliedRules {
    try read { try Catalogue.appliedRules(of: source, in: $0) }
  }
}
