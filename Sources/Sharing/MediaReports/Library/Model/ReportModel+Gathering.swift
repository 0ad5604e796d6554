internal import MediaAudit
internal import MediaLibrary
internal import MediaModel
internal import MediaSyntax
internal import MediaVerification

extension ReportModel {
  /// Reads log and catalogue, in memory that does not grow with the number of items and files.
  ///
  /// - Throws: ``ReportError`` when there is nothing to report on, `AuditError` and `LibraryError`
  ///   when log or catalogue cannot be read. A log that was tampered with is no error: the report says
  ///   so.
  package static func gathered(
    from library: ReportLibrary,
    scope: ReportScope,
    options: ReportOptions
  ) throws -> ReportModel {
    let search: RecordSearch? =
      if case .asset(let word) = scope {
        SubjectRecords.search(for: word, in: library.catalogue)
      } else { nil }
    return try library.log.verify(library.witnesses, noting: search) { verified, moment in
      let log = verified.snapshot
      let placements = try log.placements()
      let (scope, records) = try resolved(scope, verified, search, placements)
      var model = ReportModel(
        library: ReportText.path(library.path),
        scope: scope,
        options: options,
        creationTime: library.now.text,
        tool: ReportText.line(library.tool, limit: 200),
        verification: verified.verification,
        log: log,
        files: try files(of: log, in: scope, records, placements),
        subjectRecords: records,
        placements: placements
      )
      model.settings = try model.advisedSettings(in: library.log)
      let marks = try FileMarks(moment)
      let finder = try AssetFinder(moment)
      let names = try moment.hasLabels() ? model.renamedPaths() : RenamedPaths()
      var failures = FailureHistory(log, placements)
      for file in model.files { try model.gather(file, &failures, marking: marks, names, finder) }
      if case .run(let identifier) = scope, model.runs.isEmpty,
        let command = model.housekeeping.first?.typedCommand
      {
        throw ReportError(
          code: .noSuchRun,
          description: "\"\(ReportText.line(identifier, limit: 100))\" is not a run but the log "
            + "of `mediabatch \(command)`, which imported nothing."
        )
      }
      try model.finish(scope, verified, marks, finder)
      if options.showsManifests {
        model.manifests = ReportManifest.all(of: model.runs, in: library.log)
      }
      return model
    }
  }

  /// What the manifests of the runs in the scope have set, as far as their texts can be read.
  private func advisedSettings(in log: LibraryLog) throws(AuditError) -> [String: AdvisedSettings] {
    var settings: [String: AdvisedSettings] = [:]
    var byDigest: [String: AdvisedSettings] = [:]
    for file in files {
      guard let run = try self.log.opening(of: file).flatMap({ ReportRun($0, file: file.name.text) }),
        !run.isHousekeeping
      else { continue }
      let digest = run.manifestSHA256
      let read = byDigest[digest] ?? log.advisedSettings(digest)
      (byDigest[digest], settings[run.identifier]) = (read, read)
    }
    return settings
  }

  /// The files whose records are in the scope.
  private static func files(
    of log: LogSnapshot,
    in scope: ReportScope,
    _ records: SubjectRecords?,
    _ placements: AssetPlacements
  ) throws -> [LogSnapshot.File] {
    switch scope {
    case .all: return log.files
    case .lastRun:
      // A file without a first record may be that of a run.
      let last = try log.files.last { file in
        let opening = try log.opening(of: file)
        return opening.flatMap { ReportRun($0, file: file.name.text) }?.isHousekeeping != true
      }
      guard let last else {
        throw ReportError(code: .noSuchRun, description: "This library's log has no run yet.")
      }
      return [last]
    case .run(let identifier):
      let files = log.files.filter { $0.name.run == identifier }
      guard !files.isEmpty else {
        throw ReportError(
          code: .noSuchRun,
          description:
            "This library's log has no run \"\(ReportText.line(identifier, limit: 100))\". "
            + "Its Audit folder names the runs; \"last\" is the newest."
        )
      }
      return files
    case .began(let since, let until):
      return try log.files.filter { file in
        let started = try log.opening(of: file).flatMap(\.time)
        return started.map { ReportScope.holds($0, since: since, until: until) } == true
      }
    case .asset(let asset):
      let files = try log.files.filter { file in
        var names = false
        try records?.forEach(in: file) { entry in
          if entry.asset == asset
            || ReportItem(entry, placements: placements)?.localIdentifier == asset
          {
            names = true
          }
        }
        return names
      }
      guard !files.isEmpty else {
        throw ReportError(
          code: .noSuchAsset,
          description:
            "No record names the asset \"\(ReportText.line(asset, limit: 100))\". Give its identifier or "
            + "the beginning of it, its label, or a path of its file; `mediabatch report --format csv` lists them. "
            + "`mediabatch explain` says why a file was not imported."
        )
      }
      return files
    }
  }

  /// The scope with an asset's localIdentifier in the place of a label or a path that it was named by, and the
  /// records of the asset.
  private static func resolved(
    _ scope: ReportScope,
    _ verified: VerifiedLog,
    _ search: RecordSearch?,
    _ placements: AssetPlacements
  ) throws -> (ReportScope, SubjectRecords?) {
    guard case .asset(let word) = scope, let search else { return (scope, nil) }
    let log = verified.snapshot
    let isWhole = verified.verification.difference == nil
    var records = try SubjectRecords(log, search, found: isWhole ? verified.verification.matches : nil)
    var names = AssetNames(word, placements)
    for file in log.files where !names.isIdentifier {
      try records.forEach(in: file) { names.look(at: $0) }
    }
    if !names.isIdentifier {
      // Only the whole log tells whether the word names another asset, too.
      names = AssetNames(word, placements)
      for file in log.files where !names.isIdentifier {
        try log.forEach(in: file, where: names.mayConcern) { names.look(at: $0) }
      }
    }
    let assets = names.isIdentifier ? [word] : names.found
    guard assets.count <= 1 else { throw AssetNames.refusal(of: word, assets) }
    try records.cover(assets.first ?? word, placements)
    return (assets.first.map { .asset($0) } ?? scope, records)
  }

  /// The names that published files have by now, of those that were renamed.
  private func renamedPaths() throws(AuditError) -> RenamedPaths {
    var names = RenamedPaths()
    func note(_ entry: AuditEntry) {
      if let rename = entry.rename { names.add(rename) }
    }
    for file in log.files {
      if let subjectRecords {
        try subjectRecords.forEach(in: file, note)
      } else {
        try log.forEach(in: file, only: [.relabelled], note)
      }
    }
    return names
  }

  /// What is known while the records of one file are read.
  private struct Gathering {
    /// The audit file's name.
    let file: String
    let isSubject: Bool
    let marks: FileMarks
    let names: RenamedPaths
    let finder: AssetFinder
    /// The number of imported items that were met, over all files.
    var importedCount: Int
    /// The records that count failures which earlier runs have said.
    var failedBefore: [AuditCount] = []
    /// Nil before the file's first record.
    var run: ReportRun?
    /// The time of the last record.
    var ended: String?
  }

  private mutating func gather(
    _ file: LogSnapshot.File,
    _ failures: inout FailureHistory,
    marking marks: FileMarks,
    _ names: RenamedPaths,
    _ finder: AssetFinder
  ) throws {
    let isSubject = if case .asset = scope { true } else { false }
    var gathering = Gathering(
      file: file.name.text,
      isSubject: isSubject,
      marks: marks,
      names: names,
      finder: finder,
      importedCount: totals.count(.imported)
    )
    var failure: (any Error)?
    let (log, records) = (log, subjectRecords)
    try Self.forEachRecord(in: file, of: log, records) { entry in
      guard failure == nil else { return }
      do {
        try take(entry, into: &gathering)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    guard var run = gathering.run else { return }
    if let records { run.records = records.count(in: file) }
    if let ended = gathering.ended { run.ended = ReportText.line(ended, limit: 40) }
    try nameFailedBefore(of: &run, in: file, &failures, &gathering)
    if isSubject {
      run.permissions.removeAll { $0.totals.discovered == 0 }
      let sources = run.permissions.map(\.source)
      run.questions.removeAll { !sources.contains($0.source) }
    }
    guard !run.isHousekeeping || run.totals.discovered > 0 else {
      housekeeping.append(run)
      return
    }
    totals.add(run.totals)
    runs.append(run)
  }

  /// Takes the next record of the file.
  private mutating func take(_ entry: AuditEntry, into gathering: inout Gathering) throws {
    guard gathering.run != nil else {
      gathering.run = ReportRun(entry, file: gathering.file)
      gathering.run?.records = 1
      return
    }
    gathering.run?.records += 1
    gathering.ended = entry.time ?? gathering.ended
    switch entry.event {
    case .outcome:
      guard let item = reportedItem(entry) else {
        if !gathering.isSubject, let stated = ReportItem(entry), !stated.isAgain, !stated.recovered {
          gathering.run?.importedAgain += 1
        }
        break
      }
      count(item, in: &gathering)
      if !item.isAgain, !item.recovered {
        gathering.run?.addSelected(1, of: item.source, path: item.path)
      }
      if item.isAgain, !gathering.isSubject { break }
      try list(item, in: &gathering)
    case .unchanged where !gathering.isSubject:
      guard let unopened: AuditCount = entry.body(), unopened.count > 0 else { break }
      let (source, count) = (unopened.source, unopened.count.bounded)
      let outcomes: [ItemOutcome] = [.failedBefore, .skipped]
      let outcome = unopened.outcome.flatMap { outcomes.contains($0) ? $0 : nil } ?? .unchanged
      gathering.run?.addSelected(count, of: source)
      gathering.run?.totals.addUnlisted(count, outcome)
      gathering.run?.add(to: source) { $0.addUnlisted(count, outcome) }
      if outcome == .failedBefore { gathering.failedBefore.append(unopened) }
      if outcome == .skipped { leaveOut(count, unopened, gathering.run) }
    case .access where !gathering.isSubject:
      // The second record of a track tells what the first one opened.
      if entry.body(of: AuditAccess.self)?.sha256 != nil { break }
      gathering.run?.totals.addAccess()
      guard let source = entry.source else { break }
      gathering.run?.add(to: source) { $0.addAccess() }
      add(ReportAccess(source: source, isRefusal: false), at: entry.shownTime)
    case .restored:
      let (marks, names) = (gathering.marks, gathering.names)
      entry.forEachWrittenFile(placements) { path, sha256 in
        marks.mark(names.current(of: ItemPath(bytes: path)).bytes, sha256: sha256)
      }
    default:
      if let permission = ReportPermission(entry), permission.verdict == .refuse {
        let refusal = ReportAccess(source: permission.source, isRefusal: true)
        add(refusal, at: entry.shownTime)
      }
      gathering.run?.note(entry, isSubject: gathering.isSubject)
    }
  }

  /// Counts files that a rule left out without a record of each.
  private mutating func leaveOut(_ count: Int, _ unopened: AuditCount, _ run: ReportRun?) {
    guard let reason = unopened.reason else { return }
    let key = ReportLeftOut.Key(source: unopened.source, reason: reason)
    let settings = settings[run?.identifier ?? ""] ?? AdvisedSettings()
    leftOut[key, default: ReportLeftOut(key)].add(unnamed: count, settings)
  }

  /// Names the failures that a run counts and that no record of the scope tells of.
  private mutating func nameFailedBefore(
    of run: inout ReportRun,
    in file: LogSnapshot.File,
    _ failures: inout FailureHistory,
    _ gathering: inout Gathering
  ) throws {
    if gathering.failedBefore.isEmpty || scope == .all { return }
    try failures.read(through: file.name)
    let (log, inScope) = (log, Set(files.map(\.name)))
    for record in gathering.failedBefore {
      var counted = failures.counted(in: record)
      counted.places.removeAll { inScope.contains(log.files[$0.file].name) }
      run.earlierFailures[record.source] = counted
    }
    var failure: (any Error)?
    let (counted, placements) = (run, placements)
    let settings = settings[run.identifier] ?? AdvisedSettings()
    try Self.forEachEarlierFailure(of: counted, in: log, placements) { item in
      guard failure == nil else { return }
      var item = item
      item.settings = settings
      run.totals.name(item)
      run.add(to: item.source) { $0.name(item) }
      do {
        try list(item, in: &gathering)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  private mutating func add(_ access: ReportAccess, at time: String) {
    guard let microseconds = ReportTime.microseconds(of: time) else { return }
    accesses.add(access, at: microseconds)
    accessDays.add(access, at: microseconds)
  }

  /// Counts an item, unless an earlier record has its outcome, and marks the files that it names.
  private mutating func count(_ item: ReportItem, in gathering: inout Gathering) {
    if !item.isAgain || gathering.isSubject {
      gathering.run?.totals.add(item)
      gathering.run?.add(to: item.source) { $0.add(item) }
      if let reason = item.reason, item.outcome != .failedBefore {
        let key = ReportLeftOut.Key(source: item.source, reason: reason)
        leftOut[key, default: ReportLeftOut(key)].add(item)
      }
    }
    for file in item.files {
      gathering.marks.mark(gathering.names.current(of: file.path).bytes, sha256: file.sha256)
    }
  }

  /// Puts an item on the page, or among the first of its outcome, or among the rows of the rest.
  private mutating func list(_ item: ReportItem, in gathering: inout Gathering) throws {
    if item.outcome == .imported {
      gathering.importedCount += 1
      let before = options.itemsPerPage.multipliedReportingOverflow(by: options.page - 1)
      if gathering.importedCount > max(0, before.partialValue),
        imported.count < options.itemsPerPage
      {
        imported.append(item)
        return
      }
    } else if listed[item.outcome]?.count ?? 0 < options.listLimit {
      listed[item.outcome, default: []].append(item)
      return
    }
    remainingCount += 1
    guard remaining.count < options.rowLimit else { return }
    let badges =
      try item.localIdentifier.flatMap { try gathering.finder.asset($0)?.tileBadges } ?? []
    try remaining.append(HTMLItems.row(item, badges: badges))
  }

  private mutating func finish(
    _ scope: ReportScope,
    _ verified: VerifiedLog,
    _ marks: FileMarks,
    _ finder: AssetFinder
  ) throws {
    for index in runs.indices { runs[index].head = verified.heads[runs[index].file] }
    for index in housekeeping.indices {
      housekeeping[index].head = verified.heads[housekeeping[index].file]
    }
    let judgesCatalogue = scope == .all && verification.difference == nil
    var asset: String?
    if case .asset(let identifier) = scope {
      asset = identifier
      subject = try subject(identifier)
    }
    var assets = RowSet()
    let shown = Set(imported.compactMap(\.localIdentifier))
    for identifier in shown { badges[identifier] = try finder.asset(identifier)?.tileBadges }
    try marks.forEachFile(ofAsset: asset) { row in
      // The catalogue proves nothing: files that no record names with their digest are left out.
      guard row.isMarked else {
        if judgesCatalogue, !verified.isUnfinished(row.file.path) { catalogueDiffers = true }
        return
      }
      if let asset {
        guard row.file.localIdentifier == asset else { return }
        ofSubject.append(row.file)
      }
      if options.listsFiles { try published.append(row.file) }
      assets.insert(row.asset)
      guard row.isThumbnail else {
        holdings.originals += 1
        holdings.originalBytes = Quantity.sum(holdings.originalBytes, row.file.bytes)
        return
      }
      holdings.thumbnails += 1
      holdings.thumbnailBytes = Quantity.sum(holdings.thumbnailBytes, row.file.bytes)
      let file = row.file
      guard shown.contains(file.localIdentifier) else { return }
      if let other = thumbnails[file.localIdentifier], other.bytes <= file.bytes { return }
      thumbnails[file.localIdentifier] = file
    }
    holdings.assets = assets.count
  }
}
