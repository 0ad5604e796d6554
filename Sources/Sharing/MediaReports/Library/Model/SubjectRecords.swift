internal import MediaAudit
internal import MediaLibrary
internal import MediaModel
internal import MediaVerification

/// The records of a log that a report on one asset reads: those about the asset, the accesses to its files, and those
/// about runs and sources as a whole.
///
/// The pass that verifies the log notes where they stand, and the rest of the log is not read again.
struct SubjectRecords {
  private let log: LogSnapshot
  private var search: RecordSearch
  /// By the names of the audit files.
  private var recordsByFile: [String: FoundRecords]

  /// - Parameters:
  ///   - log: The log.
  ///   - search: Made by ``search(for:in:)``.
  ///   - records: What was found by it; nil when that is not all, as in a log with a difference.
  /// - Throws: `AuditError` `.cannotRead`.
  init(
    _ log: LogSnapshot,
    _ search: RecordSearch,
    found records: [String: FoundRecords]?
  ) throws(AuditError) {
    self.log = log
    self.search = search
    recordsByFile = records ?? [:]
    if records == nil { try searchAgain() }
  }

  /// The search for the records of an asset, before the log says which asset a word means.
  ///
  /// - Parameters:
  ///   - word: The asset's localIdentifier, label or path, or the beginning of the first.
  ///   - catalogue: That of the library, if it can be read: what it does not know takes another pass.
  /// - Returns: The search, for ``init(_:_:found:)``.
  static func search(for word: String, in catalogue: CatalogueReader?) -> RecordSearch {
    var assets: Set<String> = [word]
    var paths: Set<ItemPath> = []
    let items = EscapedText.readings(of: Array(word.utf8)).flatMap { name in
      catalogue.flatMap { try? ItemHistory.items(name, nil, $0) } ?? []
    }
    for item in items {
      paths.insert(item.path)
      guard let asset = item.asset?.localIdentifier, assets.insert(asset).inserted else { continue }
      let assetItems = catalogue.flatMap { try? $0.items(ofAsset: asset) }
      paths.formUnion((assetItems ?? []).map(\.path))
    }
    return search(assets, paths)
  }

  private static func search(_ assets: Set<String>, _ paths: Set<ItemPath>) -> RecordSearch {
    RecordSearch(
      events: [.run, .decision, .source, .shown, .transition, .rebuilt, .migrated, .end],
      assets: assets,
      paths: paths
    )
  }

  private mutating func searchAgain() throws(AuditError) {
    for file in log.files { recordsByFile[file.name.text] = try log.records(search, in: file) }
  }

  /// Makes sure that the records of an asset are among those that were found, and the accesses to its files.
  ///
  /// - Parameters:
  ///   - asset: Its localIdentifier.
  ///   - placements: The places that merges have given to the assets of shards.
  /// - Throws: `AuditError` `.cannotRead`.
  mutating func cover(_ asset: String, _ placements: AssetPlacements) throws(AuditError) {
    if !search.assets.contains(asset) {
      search = Self.search(search.assets.union([asset]), search.paths)
      try searchAgain()
    }
    var paths: Set<ItemPath> = []
    for file in log.files {
      try forEach(in: file) { entry in
        guard let item = ReportItem(entry, placements: placements), item.localIdentifier == asset
        else { return }
        paths.insert(item.path)
      }
    }
    guard !paths.isSubset(of: search.paths) else { return }
    search = Self.search(search.assets, search.paths.union(paths))
    try searchAgain()
  }

  /// Calls `body` with the records that were found in a file, and with its last one, in the order of the log.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  func forEach(
    in file: LogSnapshot.File,
    _ body: (AuditEntry) -> Void
  ) throws(AuditError) {
    guard let records = recordsByFile[file.name.text] else { return }
    try log.forEach(in: file, of: records, body)
  }

  /// The number of all records of a file.
  func count(in file: LogSnapshot.File) -> Int { recordsByFile[file.name.text]?.records ?? 0 }
}
