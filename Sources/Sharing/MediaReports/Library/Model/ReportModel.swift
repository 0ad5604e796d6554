package import MediaAudit
package import MediaLibrary
package import MediaModel
package import MediaVerification

/// Limits for the items that a report lists by name; counts are always of everything.
package struct ReportOptions: Sendable, Hashable {
  /// The number of imported items on a page, with their thumbnails where they have any.
  package var itemsPerPage: Int
  /// 1-based.
  package var page: Int
  /// The number of items of each other outcome that are listed.
  package var listLimit: Int
  /// The number of other items whose rows are kept, as `html` shows them a page at a time.
  package var rowLimit: Int
  /// Whether every file that the library holds is listed, as `in-toto` does.
  package var listsFiles: Bool
  /// Whether the texts of the runs' manifests are shown, as far as the log has kept them.
  package var showsManifests: Bool

  package init(
    itemsPerPage: Int = 60,
    page: Int = 1,
    listLimit: Int = 1000,
    rowLimit: Int = 0,
    listsFiles: Bool = false,
    showsManifests: Bool = false
  ) {
    self.itemsPerPage = itemsPerPage
    self.page = page
    self.listLimit = listLimit
    self.rowLimit = rowLimit
    self.listsFiles = listsFiles
    self.showsManifests = showsManifests
  }
}

/// A library as a report reads it: nothing of it is written, and no lock is needed.
package struct ReportLibrary {
  /// The path in the words of the command line.
  package var path: [UInt8]
  package var log: LibraryLog
  /// Tells where to look for an asset; without it a report on one takes longer.
  package var catalogue: CatalogueReader?
  /// What is kept outside the library.
  package var witnesses: AuditWitnesses
  /// The version and build that makes the report.
  package var tool: String
  package var now: AuditTime

  package init(
    path: [UInt8],
    log: LibraryLog,
    catalogue: CatalogueReader? = nil,
    witnesses: AuditWitnesses = AuditWitnesses(),
    tool: String,
    now: AuditTime
  ) {
    self.path = path
    self.log = log
    self.catalogue = catalogue
    self.witnesses = witnesses
    self.tool = tool
    self.now = now
  }
}

/// The current files of a library, by its catalogue, that records in the scope name.
package struct ReportHoldings: Sendable, Hashable {
  package var assets = 0
  package var originals = 0
  package var originalBytes: Int64 = 0
  package var thumbnails = 0
  package var thumbnailBytes: Int64 = 0
}

/// All that a report in any format says; gathered once, so that all formats have the same counts.
///
/// What needs every item (the lists of CSV, JSON and JUnit) is read again from the same records with
/// ``forEachItem(_:)``: a library may have more items than memory.
package struct ReportModel {
  /// The library's path; escaped.
  package var library: String
  package var scope: ReportScope
  package var options: ReportOptions
  package var creationTime: String
  package var tool: String
  /// The runs of manifests, oldest first, and with them each command in whose file an interrupted run's
  /// items were recorded.
  package var runs: [ReportRun] = []
  /// The other commands that changed the library without a manifest, such as `clean`, oldest first. They
  /// are no runs: they count nowhere.
  package var housekeeping: [ReportRun] = []
  package var totals = ReportTotals()
  /// The items of each source by the reason for how they ended.
  var leftOut: [ReportLeftOut.Key: ReportLeftOut] = [:]
  /// The files that were about to be opened, by source, and the decisions that refused a source.
  package var accesses = ReportTimeline<ReportAccess>(slotLimit: 24)
  /// The same by day, or by periods of several days.
  package var accessDays = ReportTimeline<ReportAccess>(ofDays: 60)
  package var verification: AuditVerification
  package var holdings = ReportHoldings()
  /// The page of imported items.
  package var imported: [ReportItem] = []
  /// The first items of each other outcome; unchanged ones have no record of their own.
  package var listed: [ItemOutcome: [ReportItem]] = [:]
  /// Nil unless the report is about one asset.
  package var subject: ReportSubject?
  /// The files of the asset that the report is about; empty when it is about all.
  package var ofSubject: [Catalogue.PublishedFile] = []
  /// For each asset of ``imported`` the smallest thumbnail that the library holds, by the asset's
  /// localIdentifier.
  package var thumbnails: [String: Catalogue.PublishedFile] = [:]
  /// The manifests of the runs; empty unless ``ReportOptions/showsManifests``.
  package var manifests: [ReportManifest] = []
  /// What tells the assets of ``imported`` from plain photos, by the asset's localIdentifier.
  package var badges: [String: [String]] = [:]
  /// The items of the scope that are in neither ``imported`` nor ``listed``, each as a row of the page's data,
  /// in the order of the log; at most ``ReportOptions/rowLimit``.
  package let remaining = Spool<String>()
  /// The number of items in neither ``imported`` nor ``listed`` that have a record of their own.
  package var remainingCount = 0
  /// The files that the library holds now, of those that the records in the scope name with the same
  /// digest; under a scope of one asset only its own. Empty unless ``ReportOptions/listsFiles``.
  package let published = Spool<Catalogue.PublishedFile>()

  /// Whether the catalogue has a file that no record names with its digest; false where the scope is not
  /// all runs, since a record of another run may name it, and where the log itself differs.
  package var catalogueDiffers = false

  let log: LogSnapshot
  /// The files of the log that are in the scope.
  let files: [LogSnapshot.File]
  /// The records of the asset that the report is about; nil when it is about all.
  let subjectRecords: SubjectRecords?
  /// The places that merges have given to the assets of shards.
  let placements: AssetPlacements

  /// The worst result of the runs; for one asset only the outcomes of its items count.
  package var result: ReportResult {
    if verification.difference != nil || catalogueDiffers || isAboutNothing { return .failed }
    guard case .asset = scope else { return runs.map(\.result).max() ?? .passed }
    if totals.count(.failed) > 0 { return .failed }
    return totals.count(.refused) > 0 || totals.degraded > 0 ? .warned : .passed
  }

  /// Whether no run is in the scope. Such a report does not pass: nobody shall take it for good news.
  package var isAboutNothing: Bool { runs.isEmpty }

  /// The newest run of a manifest; nil when there is none in the scope.
  package var lastRun: ReportRun? { runs.last { !$0.isHousekeeping } }

  /// The audit files of the report, in the order of the log.
  package var auditFiles: [ReportRun] {
    (runs + housekeeping).sorted { $0.file.utf8.lexicographicallyPrecedes($1.file.utf8) }
  }

  /// What the manifests of the runs have set of the keys that advice names, by the identifiers of the runs, as far as
  /// the log has their texts.
  var settings: [String: AdvisedSettings] = [:]

  /// The number of files that failed: each once, however many runs met it and for whatever reasons.
  var failedFiles: Int {
    let groups = leftOut.values.filter { $0.outcome == .failed }
    return totals.count(.failed) - groups.reduce(0) { $0 + $1.items }
      + ReportLeftOut.files(of: groups)
  }

  /// The number of items in ``imported`` and ``listed``.
  package var shownCount: Int { listed.values.reduce(imported.count) { $0 + $1.count } }

  /// The number of pages of imported items, at least 1.
  package var pageCount: Int {
    guard options.itemsPerPage > 0 else { return 1 }
    let count = totals.count(.imported)
    return max(1, (count + options.itemsPerPage - 1) / options.itemsPerPage)
  }

  /// Calls `body` with each item of the report, in the order of the log.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  package func forEachItem(_ body: (ReportItem) -> Void) throws(AuditError) {
    for file in files { try forEachItem(of: file, body) }
  }

  /// Calls `body` with each item of one run, in the order of the log.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  package func forEachItem(
    of run: ReportRun,
    _ body: (ReportItem) -> Void
  ) throws(AuditError) {
    guard let file = files.first(where: { $0.name.text == run.file }) else { return }
    try forEachItem(of: file, body)
  }

  /// Calls `body` with each failure that a run counts, that it has not opened again, and whose record is not in the
  /// scope: each with the run and the number of its record, in the order of the log.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  func forEachEarlierFailure(
    of run: ReportRun,
    _ body: (ReportItem) -> Void
  ) throws(AuditError) {
    try Self.forEachEarlierFailure(of: run, in: log, placements) { item in
      var item = item
      item.settings = settings[run.identifier] ?? AdvisedSettings()
      body(item)
    }
  }

  static func forEachEarlierFailure(
    of run: ReportRun,
    in log: LogSnapshot,
    _ placements: AssetPlacements,
    _ body: (ReportItem) -> Void
  ) throws(AuditError) {
    let places = run.earlierFailures.values.flatMap(\.places)
    for (index, places) in Dictionary(grouping: places, by: \.file).sorted(by: { $0.key < $1.key }) {
      let sequences = Set(places.map(\.sequence))
      try log.forEach(in: log.files[index], only: [.outcome]) { entry in
        guard sequences.contains(entry.sequence) else { return }
        if let item = ReportItem(entry, placements: placements) { body(item.failedBefore()) }
      }
    }
  }

  /// The name of the audit file of a run, in the scope or not.
  func file(ofRun identifier: String) -> String? {
    runs.first { $0.identifier == identifier }?.file
      ?? log.files.first { $0.name.run == identifier }?.name.text
  }

  /// Calls `record` with each record of one run, and `item` behind it with the item that it is about, then with each
  /// earlier failure that it counts.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  func forEachRecord(
    of run: ReportRun,
    _ record: (AuditEntry) -> Void,
    item: (ReportItem) -> Void
  ) throws(AuditError) {
    guard let file = files.first(where: { $0.name.text == run.file }) else { return }
    try forEachRecord(in: file) { entry in
      record(entry)
      if let reported = reportedItem(entry) { item(reported) }
    }
    try forEachEarlierFailure(of: run, item)
  }

  private func forEachItem(
    of file: LogSnapshot.File,
    _ body: (ReportItem) -> Void
  ) throws(AuditError) {
    try forEachRecord(in: file) { entry in
      if let item = reportedItem(entry) { body(item) }
    }
    guard let run = runs.first(where: { $0.file == file.name.text }) else { return }
    try forEachEarlierFailure(of: run, body)
  }

  /// Calls `body` with each record of a file; under a scope of one asset only with those that concern it or a whole
  /// run, and with the last one.
  func forEachRecord(
    in file: LogSnapshot.File,
    _ body: (AuditEntry) -> Void
  ) throws(AuditError) {
    try Self.forEachRecord(in: file, of: log, subjectRecords, body)
  }

  static func forEachRecord(
    in file: LogSnapshot.File,
    of log: LogSnapshot,
    _ records: SubjectRecords?,
    _ body: (AuditEntry) -> Void
  ) throws(AuditError) {
    guard let records else { return try log.forEach(in: file, body) }
    try records.forEach(in: file, body)
  }

  /// The item of a record as the library has it; nil for one that is not in the scope.
  func reportedItem(_ entry: AuditEntry) -> ReportItem? {
    guard var item = ReportItem(entry, placements: placements) else { return nil }
    item.settings = settings[item.run] ?? AdvisedSettings()
    guard case .asset(let asset) = scope else { return item }
    return item.localIdentifier == asset ? item : nil
  }
}

/// The reason why there is no report.
package struct ReportError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// The library has no such run.
    case noSuchRun
    /// No record names the asset.
    case noSuchAsset
  }

  package var code: Code
  /// A message that says what happened, and what to do; escaped.
  package var description: String
}

extension ReportModel {
  var isAboutAsset: Bool { subject != nil }
}
