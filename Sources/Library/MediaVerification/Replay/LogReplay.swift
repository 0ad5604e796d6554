package import MediaAudit
package import MediaFileSystem
package import MediaLibrary
package import MediaModel

/// A published file whose facts are wanted, and under what it was written.
package struct FactsRequest: Sendable, Hashable {
  /// Below the library.
  package var path: String
  package var source: SourceID
  package var policy: MetadataPolicy
  /// The notation of a sidecar; nil for media.
  package var sidecar: SidecarFormat?
}

/// A worker's answer about a published file.
package enum FactsAnswer: Sendable {
  /// The facts, and the SHA-256 of the file in hexadecimal.
  case read(Facts, sha256: String)
  /// The description in a sidecar, and the SHA-256 of the file in hexadecimal.
  case readSidecar(MediaDescription, sha256: String)
  case missing
  /// It cannot be opened or parsed; the text is escaped.
  case unreadable(String)
}

/// Enters what a library's log tells into an empty catalogue, in the order in which it happened.
///
/// An outcome record becomes the same `StagedBatch` that its run published, and is entered by the same
/// statements; so rows and their numbers are those of before. Facts are those of the published file.
/// The catalogue of before is asked last, for what neither has.
package struct LogReplay {
  let catalogue: Catalogue
  let earlier: EarlierCatalogue?
  /// Whether files may have names that only the catalogue of before knows.
  private let hasEarlierLabels: Bool
  /// Whether places have names, which the catalogue of before alone knows.
  let hasEarlierPlaceNames: Bool
  let readFacts: ([FactsRequest]) throws -> [FactsAnswer]
  /// The names that files have by now, of those that were renamed: the first of the three that are believed.
  private let names: RenamedPaths
  /// The places that merges have given to assets of shards.
  private let placements: AssetPlacements
  let root: Descriptor

  /// Files that are about to be opened, by source and path, with the run that was to open each.
  private var opened: [ItemKey: (access: AuditAccess, run: String)] = [:]
  var operations: [Operation] = []
  /// The answers of workers about published files that are not entered yet, by path.
  var answers: [String: FactsAnswer] = [:]
  /// All that failures depend on besides the files, by run and source.
  private var conditions: [String: [SourceID: String]] = [:]
  /// The rules for dates, by run and source.
  var dateRules: [String: RunDateRules] = [:]
  /// The run that has listed each source last.
  var lastRuns: [SourceID: String] = [:]
  /// The sources whose last runs had other rules for dates than one before and have not ended well: some of their
  /// dates may follow the former, and some the latter.
  var mixed: Set<SourceID> = []
  /// The time zones that runs have named: all runs share what is read once.
  private var zones: [String: LocalTimeZone] = [:]
  /// The names of those that this system does not have.
  private var unknownZones: Set<String> = []
  private var run = ""
  private var specs: [AuditThumbnailSpec]?

  /// The paths below the library that a batch gives which the next run finishes.
  private let unfinished: Set<String>
  /// The turns of the run that is read, by asset, before the records of their thumbnails.
  private var turns: [String: LibraryEdit] = [:]
  /// The places of thumbnails that were made again from published originals.
  private var madeThumbnails: Set<ItemPath> = []
  private var unopened: Set<ItemKey> = []
  private var unknown: Set<ItemKey> = []

  /// Items that were never opened, of which the log does not say what file they were.
  package var unopenedItems: Int { unopened.count }
  /// Items of which the log does not say when their file's status changed: the next run reads them.
  package var unknownChanges: Int { unknown.count }
  /// The time zones of manifests that this system does not have: their dates are as without them.
  package var unknownTimeZones: Int { unknownZones.count }
  /// The number of thumbnails whose settings are not known: the next run makes them again.
  package internal(set) var unknownThumbnails = 0
  /// Originals that are missing, unreadable or not what the log says, by their paths, and why.
  package internal(set) var findings: [String: String] = [:]

  /// The number of outcomes that are entered together, and that are looked ahead beyond them: the outcomes of
  /// a live photo and its sidecars are in one batch.
  private let chunk: Int

  private struct ItemKey: Hashable {
    var source: SourceID
    var path: ItemPath
  }

  struct LoggedOutcome {
    var record: Outcome
    var run: String
    /// The file as its access record has it; nil for an item that was never opened.
    var access: AuditAccess?
    var specs: [AuditThumbnailSpec]?
    /// Whether its asset is entered already, with that of its counterpart.
    var isEntered = false
    var isSidecar: Bool { record.role?.isSidecar ?? false }
  }

  enum Operation {
    case outcome(LoggedOutcome)
    /// A thumbnail was made again from a published original.
    case thumbnail(LoggedOutcome)
    /// A superseded file was removed, at this path below the library.
    case removal(String)
    /// A person has decided about assets; a label is one that the names of the files have.
    case edit(LibraryEdit, run: String)
    /// A run has corrected dates in another way.
    case dating(AuditDating, run: String)
  }

  /// Begins with nothing entered.
  ///
  /// - Parameters:
  ///   - catalogue: The empty catalogue.
  ///   - batchCount: The most items that a batch of a run has.
  ///   - earlier: The catalogue of before, if it can be read.
  ///   - names: The names of files that were renamed.
  ///   - placements: The places that merges have given to assets of shards.
  ///   - root: The library's folder.
  ///   - readFacts: Asks workers about published files; an answer for each request, in their order.
  package init(
    into catalogue: Catalogue,
    batchCount: Int,
    earlier: EarlierCatalogue?,
    names: RenamedPaths,
    placements: AssetPlacements,
    root: Descriptor,
    readFacts: @escaping ([FactsRequest]) throws -> [FactsAnswer]
  ) {
    self.catalogue = catalogue
    chunk = 2 * batchCount
    self.readFacts = readFacts
    self.earlier = earlier
    let undone = (earlier?.undoneBatches ?? []).compactMap(\.staged)
    unfinished = Set(undone.flatMap(\.newPaths))
    hasEarlierLabels = earlier?.hasLabels ?? false
    hasEarlierPlaceNames = earlier?.hasPlaceNames ?? false
    self.names = names
    self.placements = placements
    self.root = root
  }

  /// Begins the records of a run.
  package mutating func begin(_ run: String, _ opening: AuditOpening) {
    self.run = run
    turns = [:]
    specs = opening.thumbnailSpecs
    var rules = RunDateRules(rules: opening.dateRules ?? DateRules([]))
    for (word, name) in opening.timeZones {
      // Those of sources with names of their own are in the records of their listings.
      guard let source = SourceID(kind: word, name: nil) else { continue }
      rules.timeZones[source] = zone(name)
    }
    dateRules[run] = rules
  }

  private mutating func zone(_ name: String) -> LocalTimeZone? {
    let zone = zones[name] ?? TimeZoneDatabase.zone(name)
    zones[name] = zone
    if zone == nil { unknownZones.insert(name) }
    return zone
  }

  /// Takes the next record.
  ///
  /// - Throws: `LibraryError`, or what reading the facts throws.
  package mutating func add(_ entry: AuditEntry) throws {
    if let access: AuditAccess = entry.body() {
      opened[ItemKey(source: access.source, path: access.path)] = (access, run)
    } else if let change: AuditFileChange = entry.body() {
      take(change)
    } else if let edit: LibraryEdit = entry.body() {
      if edit.kind == .rotate {
        turns[edit.asset] = edit
      } else {
        operations.append(.edit(edit, run: run))
      }
    } else if let dating: AuditDating = entry.body() {
      operations.append(.dating(dating, run: run))
    } else if let outcome = entry.item {
      guard var record = placements.placed(outcome) else { return }
      rename(&record)
      // A recovered item was opened by the run that was interrupted.
      let file = opened.removeValue(forKey: ItemKey(source: record.source, path: record.path))
        .flatMap { $0.run == run || record.recovered ? $0 : nil }
      operations.append(
        .outcome(LoggedOutcome(record: record, run: file?.run ?? run, access: file?.access, specs: specs))
      )
    } else if let source = entry.source, let conditions = entry.conditions {
      let listing: AuditListing? = entry.body()
      if let zone = listing?.timeZone.flatMap({ zone($0) }) {
        dateRules[run]?.timeZones[source] = zone
      }
      self.conditions[run, default: [:]][source] = conditions
      noteListing(of: source, run)
    } else {
      return
    }
    if operations.count >= 2 * chunk { try enter(chunk) }
  }

  private mutating func take(_ change: AuditFileChange) {
    switch change.event {
    case .restored:
      if let spec = change.thumbnailSpec { noteThumbnail(change.output, spec, of: change.asset) }
    case .relabelled: operations.append(.edit(LibraryEdit(.label, [change.asset]), run: run))
    case .withdrawn: withdraw(change, run)
    case .superseded: operations.append(.removal(Self.text(current(change.output.path))))
    default: break
    }
  }

  /// Notes that the run has come to its end, with the turns of assets that have no thumbnails.
  package mutating func end(exitCode: Int?) {
    for asset in turns.keys.sorted() { takeTurn(of: asset) }
    if let exitCode { noteEnd(of: run, exitCode) }
  }

  /// Notes that an asset is turned, whose thumbnails the log has or which has none.
  ///
  /// A command that was killed between the records of a turn and of its thumbnails has turned nothing; the one that
  /// finishes it writes all of them.
  private mutating func takeTurn(of asset: String) {
    if let turn = turns.removeValue(forKey: asset) { operations.append(.edit(turn, run: run)) }
  }

  /// Notes a thumbnail that was made again from a published original; once, also where a command that was killed
  /// has recorded it and the next one too.
  private mutating func noteThumbnail(
    _ output: OutputFile,
    _ spec: AuditThumbnailSpec,
    of asset: String
  ) {
    guard !unfinished.contains(Self.text(output.path)),
      madeThumbnails.insert(output.path).inserted
    else { return }
    takeTurn(of: asset)
    var outcome = Outcome(source: .library, path: ItemPath(bytes: []), outcome: .unchanged)
    outcome.localIdentifier = asset
    outcome.thumbnails = [Outcome.Thumbnail(name: spec.name, file: output)]
    guard var record = placements.placed(outcome), !record.thumbnails.isEmpty else { return }
    rename(&record)
    // Those of an asset are one change, as they were when they were made.
    if case .thumbnail(var made)? = operations.last, made.run == run,
      made.record.localIdentifier == record.localIdentifier,
      !made.record.thumbnails.contains(where: { $0.name == spec.name })
    {
      made.record.thumbnails += record.thumbnails
      made.specs?.append(spec)
      operations[operations.count - 1] = .thumbnail(made)
      return
    }
    operations.append(.thumbnail(LoggedOutcome(record: record, run: run, access: nil, specs: [spec])))
  }

  /// Enters what is left.
  ///
  /// - Throws: As ``add(_:)``.
  package mutating func finish() throws {
    try enter(operations.count)
    try enterDateRules()
  }

  static func text(_ path: ItemPath) -> String {
    String(decoding: path.bytes, as: UTF8.self)
  }

  /// Gives the files of an outcome the names that they have by now.
  private func rename(_ record: inout Outcome) {
    if names.isEmpty && !hasEarlierLabels { return }
    let asset = record.localIdentifier
    if let output = record.output { record.output?.path = current(output, of: asset) }
    for index in record.thumbnails.indices {
      record.thumbnails[index].file.path = current(record.thumbnails[index].file, of: asset)
    }
  }

  private func current(_ path: ItemPath) -> ItemPath { names.current(of: path, isThere: isThere) }

  /// The path that a file has by now. Where the record of a label is lost, the catalogue of before has it.
  private func current(_ output: OutputFile, of asset: String?) -> ItemPath {
    let path = current(output.path)
    guard hasEarlierLabels, let asset, !isThere(path) else { return path }
    let kept = Self.keptByLabel(of: Self.text(path))
    return earlier?.paths(ofAsset: asset, sha256: output.sha256)
      .filter { Self.keptByLabel(of: $0) == kept }
      .map { ItemPath(bytes: [UInt8]($0.utf8)) }
      .first(where: isThere) ?? path
  }

  /// What a label leaves of a path: the folder of an original; of a thumbnail also the time in its name, since a
  /// day's thumbnails share a folder, and the same picture can have been made twice.
  private static func keptByLabel(of path: String) -> String {
    let (folder, name) = LibraryEdit.split(path)
    return path.hasPrefix("Thumbnails/") ? "\(folder)/\(name.prefix { $0 != " " })" : folder
  }

  func isThere(_ path: ItemPath) -> Bool {
    path.bytes.withUnsafeBytes { FileSystem.exists(beneath: root, $0) }
  }

  // MARK: Entering

  /// The assets and results of one run that are entered in one transaction.
  private struct Group {
    var run: String
    var staged = StagedBatch(results: [], assets: [])
  }

  private mutating func enter(_ count: Int) throws {
    try askForFacts(of: count)
    var group: Group?
    func flush() throws {
      if let group { try catalogue.enter(group.staged, run: group.run) }
      group = nil
    }
    for index in 0..<count {
      switch operations[index] {
      case .thumbnail(let outcome):
        try flush()
        let asset = try outcome.record.localIdentifier.flatMap {
          try thumbnailsAlone(outcome, $0)
        }
        guard let asset else { continue }
        try catalogue.enter(StagedBatch(results: [], assets: [asset]), run: outcome.run)
      case .removal(let path):
        try flush()
        try catalogue.forgetSuperseded(path: path)
        findings[path] = nil
      case .edit(let edit, let run):
        try flush()
        if isCarriedOut(edit) { try catalogue.enter(StagedBatch(edits: [edit]), run: run) }
      case .dating(let dating, let run):
        try flush()
        try enter(dating, run)
      case .outcome(let outcome):
        if group?.run != outcome.run { try flush() }
        // An asset that is written twice needs its first row.
        if let asset = outcome.record.localIdentifier, outcome.record.output != nil,
          !outcome.isEntered,
          group?.staged.assets.contains(where: { $0.localIdentifier == asset }) ?? false
        {
          try flush()
        }
        var current = group ?? Group(run: outcome.run)
        current.staged.assets += [try asset(of: index, outcome)].compactMap { $0 }
        current.staged.results += [result(outcome)].compactMap { $0 }
        group = current
      }
    }
    try flush()
    for case .outcome(let outcome) in operations.prefix(count) {
      for output in outcome.record.files { answers[Self.text(output.path)] = nil }
    }
    operations.removeFirst(count)
  }

  /// Asks for the facts of each original that the next operations published, and of thumbnails of which
  /// the log does not have the size.
  private mutating func askForFacts(of count: Int) throws {
    var requests: [FactsRequest] = []
    for operation in operations.prefix(count + chunk) {
      guard case .outcome(let outcome) = operation else { continue }
      let record = outcome.record
      var outputs = record.thumbnails.map(\.file).filter { $0.pixelSize == nil }
      if let output = record.output, record.role != .pairedVideo, record.role != .adjustmentData {
        outputs.append(output)
      }
      for output in outputs {
        let path = Self.text(output.path)
        if answers[path] != nil { continue }
        requests.append(
          FactsRequest(
            path: path,
            source: record.source,
            policy: record.policy ?? .keep,
            sidecar: record.role == .sidecar ? SidecarName(record.path)?.format ?? .xmp : nil
          )
        )
      }
    }
    for (request, answer) in zip(requests, try readFacts(requests)) {
      answers[request.path] = answer
    }
  }

  /// The asset that an outcome made, wrote anew or gave thumbnails; nil when it did none of these, or
  /// the outcome of its counterpart has entered it.
  private mutating func asset(
    of index: Int,
    _ outcome: LoggedOutcome
  ) throws -> StagedAsset? {
    let record = outcome.record
    guard !outcome.isEntered, let identifier = record.localIdentifier else { return nil }
    guard record.output != nil else {
      return record.thumbnails.isEmpty ? nil : try thumbnailsAlone(outcome, identifier)
    }
    var members = [outcome]
    for later in operations.indices.dropFirst(index + 1).prefix(chunk) {
      guard case .outcome(var other) = operations[later],
        other.record.localIdentifier == identifier,
        let folder = Self.folder(of: other), folder == Self.folder(of: outcome)
      else { continue }
      members.append(other)
      other.isEntered = true
      operations[later] = .outcome(other)
    }
    // The still comes first, whichever was found first, then its movie, then the sidecars.
    members =
      members.filter { $0.record.role != .pairedVideo && !$0.isSidecar }
      + members.filter { $0.record.role == .pairedVideo } + members.filter(\.isSidecar)
    guard let main = members.first, let resource = Self.resource(main),
      let format = resource.format.media, let folder = Self.folder(of: main),
      let saveTime = SaveTime(folder: folder)
    else { return nil }
    let policy = main.record.policy ?? .keep
    var asset = StagedAsset(
      localIdentifier: identifier,
      saveTime: saveTime,
      label: String(resource.fileName.dropLast(format.fileExtension.utf8.count + 1)),
      mediaType: format.mediaType,
      source: main.record.source,
      policy: policy,
      facts: facts(
        of: main,
        resource,
        format,
        "Originals/\(folder)/\(resource.fileName)",
        saveTime,
        sidecars: sidecars(of: main, among: members)
      ),
      stagedName: ""
    )
    asset.degraded = main.record.degraded
    asset.olderVersion = main.record.olderVersion
    asset.contentDigest = members.lazy.compactMap(\.record.contentDigest).first
    asset.burstDigest = main.record.burstDigest
    asset.replaces = main.record.replaces
    if try catalogue.hasAsset(identifier) { asset.isRewritten = true }
    asset.resources = members.compactMap(Self.resource)
    asset.thumbnails = members.flatMap { thumbnails(of: $0) }
    return asset
  }

  private mutating func thumbnailsAlone(
    _ outcome: LoggedOutcome,
    _ identifier: String
  ) throws -> StagedAsset? {
    guard try catalogue.hasAsset(identifier) else { return nil }
    var asset = StagedAsset(
      localIdentifier: identifier,
      saveTime: SaveTime(microseconds: 0),
      label: "",
      mediaType: .image,
      source: outcome.record.source,
      policy: outcome.record.policy ?? .keep,
      facts: Facts(format: .jpeg),
      stagedName: ""
    )
    asset.isKnown = true
    asset.thumbnails = thumbnails(of: outcome)
    return asset
  }

  // MARK: Items

  private mutating func result(_ outcome: LoggedOutcome) -> ItemResult? {
    let record = outcome.record
    let key = ItemKey(source: record.source, path: record.path)
    unknown.remove(key)
    guard let access = outcome.access else {
      unopened.insert(key)
      return nil
    }
    unopened.remove(key)
    var item = PlannedItem(
      source: record.source,
      path: record.path,
      status: FileStatus(
        kind: .regular,
        device: access.device,
        inode: access.inode,
        size: access.size,
        modified: access.modified,
        changed: access.changed ?? 0
      ),
      saveTime: SaveTime(microseconds: 0)
    )
    let policy = record.policy ?? .keep
    var writtenUnder = WrittenUnder.text(
      policy: policy,
      fingerprints: record.reason == .thumbnailMissing
        ? [] : (outcome.specs ?? []).map { ($0.name, $0.fingerprint) }
    )
    if access.changed == nil || outcome.specs == nil {
      if let previous = earlier?.item(item) {
        item.status.changed = previous.changed
        writtenUnder = previous.writtenUnder
      } else {
        unknown.insert(key)
      }
    }
    var result = ItemResult(
      item: item,
      outcome: record.outcome,
      reason: record.reason,
      writtenUnder: writtenUnder,
      policy: policy
    )
    result.localIdentifier = record.localIdentifier
    if record.reason == .sidecarRead {
      // Neither the log nor a published file has what it said: the next run reads it again, as a new one.
      result.localIdentifier = nil
      result.item.status.changed = 0
    }
    // The log does not say whether a decoder was missing: the next run tries again.
    if record.reason != .thumbnailMissing {
      result.conditions = conditions[outcome.run]?[record.source]
    }
    return result
  }
}
