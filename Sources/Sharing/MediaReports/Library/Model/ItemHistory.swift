package import MediaAudit
package import MediaLibrary
internal import MediaModel
package import MediaVerification

/// The history of one file of a source: its last outcome, the asset that holds its content, and each
/// record of the log about it.
package struct ItemHistory: Sendable, Hashable {
  let source: SourceID
  let path: ItemPath
  /// What the catalogue has of it; nil for a file that the log alone tells of.
  package let item: KnownItem?
  /// In the order of the log: of each run that met the file its beginning, what a person was shown and answered
  /// about the source, and the decision about it, then what happened to the file.
  package var records: [ReportRecord] = []
  /// The newest record of its outcome; nil where the log has none.
  private var outcome: ReportItem?
  /// The run that dealt with it last; nil where the log has none.
  private(set) var lastRun: ReportRun?
  /// What the manifest of the run that dealt with it last has set already.
  private var settings = AdvisedSettings()
  /// Who selected the file for the newest run that met it and rests on a person's selection; nil where none does.
  package var selection: ReportSelection?
  /// Whether older records are left out, of more than ``maximumRecordCount``.
  package var isCut = false

  /// Beyond it the records of one file are not listed.
  private static let maximumRecordCount = 200

  /// Finds files by a name that a person has for them, with the catalogue and the index of the log, so
  /// that the whole log is not read; nor is it verified.
  ///
  /// - Parameters:
  ///   - name: A path within a source; a longer one that ends with it, such as an absolute one; an
  ///     asset's localIdentifier; the path of a published file below the library; or, where it is none of
  ///     these, an asset's label, or the beginning of its localIdentifier.
  ///   - published: The path below the library that `name` leads to; nil when it leads elsewhere.
  ///   - catalogue: That of the library.
  ///   - log: Its log.
  ///   - prover: Finds records of it.
  /// - Returns: The files, one for each source that has one of that path, or each whose content the
  ///   asset holds; without any, those of that path that a run has opened; empty when no run has met
  ///   one.
  /// - Throws: ``ReportError`` when the name is that of several assets, `LibraryError` and `AuditError`
  ///   when catalogue or log cannot be read.
  package static func find(
    _ name: [UInt8],
    published: [UInt8]?,
    catalogue: CatalogueReader,
    log: LibraryLog,
    prover: AuditProver
  ) throws -> [ItemHistory] {
    let items = try items(name, published, catalogue)
    guard items.isEmpty else {
      return try items.map { try ItemHistory($0.source, $0.path, $0, log, prover) }
    }
    for path in ends(of: name) {
      let histories = try opened(path, log, prover)
      if !histories.isEmpty { return histories }
    }
    return []
  }

  /// The files at a path that a run has opened, by the log alone: one for each source.
  private static func opened(
    _ path: ItemPath,
    _ log: LibraryLog,
    _ prover: AuditProver
  ) throws(AuditError) -> [ItemHistory] {
    let records = try prover.read(try prover.records(about: .path(path, nil)))
    let sources = Set(records.filter { $0.entry.event == .access }.compactMap(\.entry.source))
    var histories: [ItemHistory] = []
    for source in sources.sorted() { histories.append(try ItemHistory(source, path, nil, log, prover)) }
    return histories
  }

  /// The files that a name means; see ``find(_:published:catalogue:prover:)``.
  static func items(
    _ name: [UInt8],
    _ published: [UInt8]?,
    _ catalogue: CatalogueReader
  ) throws -> [KnownItem] {
    let items = try items(atPath: name, published, catalogue)
    guard items.isEmpty else { return items }
    guard let word = String(validating: name, as: UTF8.self) else {
      return try self.items(named: name, catalogue)
    }
    let assets = try catalogue.assets(
      named: word,
      fewestDigits: AssetNames.fewestDigits,
      limit: AssetNames.shownCount
    )
    guard let asset = assets.first else { return try self.items(named: name, catalogue) }
    guard assets.count == 1 else { throw AssetNames.refusal(of: word, assets) }
    return try catalogue.items(ofAsset: asset)
  }

  /// The files of that name, in whichever folders they are.
  private static func items(
    named name: [UInt8],
    _ catalogue: CatalogueReader
  ) throws -> [KnownItem] {
    let items = try catalogue.items(named: name, limit: AssetNames.shownCount)
    guard items.count == AssetNames.shownCount else { return items }
    let shown = items.prefix(3).map { ReportText.path($0.path.bytes) }.joined(separator: ", ")
    throw ReportError(
      code: .noSuchAsset,
      description: "\"\(ReportText.path(name))\" names more than \(items.count - 1) files: "
        + "\(shown) and others. Give one with its folders."
    )
  }

  private static func items(
    atPath name: [UInt8],
    _ published: [UInt8]?,
    _ catalogue: CatalogueReader
  ) throws(LibraryError) -> [KnownItem] {
    if let text = String(validating: published ?? name, as: UTF8.self) {
      let items = try catalogue.items(ofAsset: text)
      if !items.isEmpty { return items }
    }
    for path in ends(of: name) {
      let items = try catalogue.items(at: path)
      if !items.isEmpty { return items }
    }
    return []
  }

  /// The ends of a name that may be paths within a source, the longest first.
  private static func ends(of name: [UInt8]) -> [ItemPath] {
    var paths: [ItemPath] = []
    var suffix = name[...]
    while true {
      while suffix.first == .slash { suffix = suffix.dropFirst() }
      if suffix.isEmpty { return paths }
      paths.append(ItemPath(bytes: Array(suffix)))
      guard let slash = suffix.firstIndex(of: UInt8.slash) else { return paths }
      suffix = suffix[slash...]
    }
  }

  private init(
    _ source: SourceID,
    _ path: ItemPath,
    _ item: KnownItem?,
    _ log: LibraryLog,
    _ prover: AuditProver
  ) throws(AuditError) {
    (self.source, self.path, self.item) = (source, path, item)
    var indices = try prover.records(about: .path(path, source.name))
    // Later records of the asset's files have no path of the source.
    if let asset = item?.asset {
      let ofAsset = try prover.read(try prover.records(about: .asset(asset.localIdentifier)))
      indices += ofAsset.filter { $0.entry.path == nil }.map(\.index)
    }
    isCut = indices.count > Self.maximumRecordCount
    let entries = try prover.read(Array(Set(indices).sorted().suffix(Self.maximumRecordCount)))
    var file: AuditFileName?
    var run: ReportRun?
    var manifest: String?
    for record in entries {
      if record.file != file {
        (file, run) = (record.file, nil)
        for entry in try prover.beginning(of: record.file) {
          if run == nil { run = ReportRun(entry, file: record.file.text) }
          run?.note(entry, isSubject: true)
          let isOfSource =
            [.decision, .shown, .transition].contains(entry.event) && entry.source == source
          if entry.event == .run || isOfSource { add(entry, record.file, run) }
        }
      }
      if let outcome = ReportItem(record.entry), !outcome.recovered, !outcome.isAgain,
        let selection = run?.selection(of: source)
      {
        self.selection = selection
      }
      if record.entry.event == .outcome { (manifest, lastRun) = (run?.manifestSHA256, run) }
      add(record.entry, record.file, run)
    }
    if let manifest { settings = log.advisedSettings(manifest) }
    outcome?.settings = settings
  }

  private mutating func add(_ entry: AuditEntry, _ file: AuditFileName, _ run: ReportRun?) {
    if let outcome = ReportItem(entry) { self.outcome = outcome }
    guard let record = ReportRecord(entry, file: file, of: run?.knownUser) else { return }
    records.append(record)
  }

  /// Why the file is not in the library and what to do, in one line; nil for one that is.
  package var message: String? {
    guard let item else {
      return
        "\"\(shownPath)\" (\(source.displayName)) was opened, but no outcome was recorded: the run was stopped, "
        + "access was taken back, or the file was read for others, as a track or an archive is."
    }
    if let outcome, outcome.reason == item.reason { return outcome.message }
    return item.reason.map {
      FailureAdvice.message(reason: $0, path: path, source: source, settings: settings)
    }
  }

  /// The run that entered the file, or else the last one that opened it.
  package var run: String { item?.run ?? records.last?.run ?? "" }

  /// The path within the source; escaped so that its bytes can be read back.
  package var shownPath: String { ReportText.path(path.bytes) }
}
