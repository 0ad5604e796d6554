internal import Foundation
internal import GRDB
package import MediaManifest
package import MediaModel
internal import MediaPredicate

/// The files of a source whose dates a manifest's rules may change, and which only the files themselves tell.
///
/// Of another time zone or clock the catalogue knows enough under `keep`, but for an offset from UTC that depends on
/// a GPS time; the private facts do not have what a date was before corrections. Whether a name, a sidecar or the
/// last modification would give another date depends on all that the file says.
package struct DatesToRead: Sendable {
  /// A file of the source, and the asset that it is.
  package struct File: Sendable {
    package var path: ItemPath
    /// The localIdentifier.
    package var asset: String
    /// When the asset was saved: no date is much later.
    package var saved: SaveTime
  }

  private let source: SourceID
  private let isPrivate: Bool
  /// The rules that one of the two manifests switches on, and the other off; all where rows follow different ones.
  private let changed: Set<String>
  /// How the manifest corrects dates; nil where that is the same.
  private let correction: DateCorrection?

  /// Compares the rules of a manifest with those that the library follows; nil where they are the same, and where
  /// nothing has dates.
  ///
  /// - Parameters:
  ///   - manifest: The manifest.
  ///   - source: The source.
  ///   - zone: The time zone of its clocks; nil if the manifest does not say it.
  ///   - applied: The rules that the library follows.
  package init?(
    _ manifest: Manifest,
    of source: SourceID,
    zone: LocalTimeZone?,
    applied: AppliedRules
  ) {
    let wanted = AppliedRules(manifest, of: source)
    isPrivate = manifest.metadataPolicy(of: source) != .keep
    guard manifest.sources[source] != nil, !isPrivate || manifest.storesPrivateFacts,
      wanted.dates != applied.dates || wanted.corrections != applied.corrections
    else { return nil }
    self.source = source
    changed =
      applied.dates == AppliedRules.mixed
      ? Set(DateRules.Rule.allCases.map(\.rawValue) + [AppliedRules.about])
      : Self.rules(wanted).symmetricDifference(Self.rules(applied))
    correction =
      wanted.corrections == applied.corrections
      ? nil : DateCorrection(manifest, of: source, zone: zone)
  }

  private static func rules(_ applied: AppliedRules) -> Set<String> {
    guard let dates = applied.dates else { return Set(DateRules().rules.map(\.rawValue)) }
    return Set(dates.split(separator: " ").map(String.init))
  }

  /// Finds the files of which a library has assets.
  package func files(in library: Library) throws(LibraryError) -> [File] {
    let tags =
      isPrivate ? try library.privateFacts?.read { try Self.privateTags("", in: $0) } ?? [:] : [:]
    return try library.catalogue.read { try files(in: $0, tags) }
  }

  /// Finds the files in a catalogue that is read, with its private facts; none where these are asked for and not read.
  package func files(in catalogue: CatalogueReader) throws(LibraryError) -> [File] {
    try catalogue.read { db in
      guard try !isPrivate || AssetExpressions(in: db).hasFacts else { return [] }
      let tags = isPrivate ? try Self.privateTags(PrivateFacts.schema + ".", in: db) : [:]
      return try files(in: db, tags)
    }
  }

  private enum TagColumn: Int, QueryColumn {
    case localIdentifier, creationDateTag
  }

  private enum FileColumn: Int, QueryColumn {
    case localIdentifier, saved, creationDateTag, sourcePath, hasSidecar

    var sql: String {
      switch self {
      case .sourcePath: "own.sourcePath"
      case .hasSidecar:
        """
        EXISTS (SELECT 1 FROM resources AS other WHERE other.asset = assets.id
          AND other.superseded = 0 AND other.role = 'sidecar')
        """
      default: "assets.\(name)"
      }
    }
  }

  /// The tags of the dates in the private facts, by the localIdentifiers of all that have a row.
  private static func privateTags(_ schema: String, in db: Database) throws -> [String: String?] {
    let rows = try QueryRow<TagColumn>.fetchAll(
      db,
      "SELECT \(TagColumn.list) FROM \(schema)\(PrivateFacts.table)"
    )
    return Dictionary(
      try rows.map { (try $0[.localIdentifier] as String, try $0[.creationDateTag] as String?) }
    ) { $1 }
  }

  private func files(in db: Database, _ tags: [String: String?]) throws -> [File] {
    var unknown: Set<String> = []
    if !isPrivate, let correction {
      try StoredDate.visit(
        of: source,
        meeting: correction.predicates,
        correctedOnly: correction.isEmpty,
        in: db
      ) { if correction.verdict(on: $0) == .unknown { unknown.insert($0.localIdentifier) } }
    }
    if changed.isEmpty, unknown.isEmpty, !isPrivate { return [] }
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(FileColumn.list) FROM assets JOIN resources AS own ON own.asset = assets.id
          AND own.superseded = 0 AND own.sourceName = assets.sourceName
          AND own.role IN ('photo', 'video', 'audio')
        WHERE assets.superseded = 0 AND assets.sourceName = ?
          AND assets.policy \(isPrivate ? "<>" : "=") 'keep' ORDER BY assets.id
        """,
      arguments: [source.name]
    )
    var files: [File] = []
    while let row = try rows.next() {
      let values = QueryRow<FileColumn>(row)
      let asset: String = try values[.localIdentifier]
      let stored = isPrivate ? tags[asset] : .some(try values[.creationDateTag] as String?)
      guard let tag = stored, let saved = SaveTime(timestamp: try values[.saved]) else { continue }
      let path = ItemPath(bytes: [UInt8](try values[.sourcePath] as Data))
      let hasSidecar = try isPrivate || values[.hasSidecar]
      let isAffected = isPrivate ? correction != nil && tag != nil : unknown.contains(asset)
      if isAffected || mayChange(tag, path, hasSidecar: hasSidecar) {
        files.append(File(path: path, asset: asset, saved: saved))
      }
    }
    return files
  }

  /// Whether a rule that is switched may give a file another date than one with a tag; nil for no date.
  private func mayChange(_ tag: String?, _ path: ItemPath, hasSidecar: Bool) -> Bool {
    changed.contains { rule in
      switch DateRules.Rule(rawValue: rule) {
      case .fromName: FileNameDate.date(of: Array(path.name)) != nil
      case .fromModification: tag?.hasPrefix(CaptureDate.modificationTag) ?? true
      case .sidecarFirst: hasSidecar
      case nil: rule.hasPrefix(AppliedRules.about)
      }
    }
  }
}
