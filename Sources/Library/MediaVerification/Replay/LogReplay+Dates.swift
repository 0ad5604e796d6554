internal import MediaAudit
internal import MediaLibrary
internal import MediaModel

/// The rules for dates of one run.
struct RunDateRules {
  var rules: DateRules
  var timeZones: [SourceID: LocalTimeZone] = [:]

  /// The rules for the dates of a source.
  subscript(source: SourceID) -> DateRules {
    var rules = rules
    rules.timeZone = timeZones[source]
    return rules
  }
}

/// Dates that runs have corrected, or found anew.
extension LogReplay {
  /// Corrects dates as a run did, by what is stored or by what the files say.
  func enter(_ dating: AuditDating, _ run: String) throws {
    let rules = dateRules[run]?[dating.source] ?? DateRules([])
    guard dating.isRead else {
      try catalogue.correctDates(of: dating.assets, by: dating.shift, in: rules.timeZone, run: run)
      return
    }
    let files = try dating.assets.map { try catalogue.datedFiles(ofAsset: $0) }
    let requests = files.joined().map { file in
      FactsRequest(
        path: file.path,
        source: dating.source,
        policy: .keep,
        sidecar: file.isSidecar ? SidecarName(file.sourcePath)?.format ?? .xmp : nil
      )
    }
    let answers = Dictionary(zip(requests.map(\.path), try readFacts(requests))) { $1 }
    let factsByAsset = zip(dating.assets, files).map { asset, files in
      (asset, Self.facts(files, answers, rules, dating))
    }
    let facts = Dictionary(factsByAsset) { $1 }
    func dated(_ asset: String, _ stored: Facts) -> Facts {
      guard let read = facts[asset] ?? nil else { return stored }
      var dated = stored
      dated.creationDate = read.creationDate
      dated.description?.uncorrected = read.description?.uncorrected
      return dated
    }
    try StoredFacts(isPrivate: false)
      .revise(dating.assets, in: catalogue, nil, run: run, dated)
  }

  /// Notes that a run has listed a source.
  mutating func noteListing(of source: SourceID, _ run: String) {
    let rules = dateRules[run]?[source].rules
    if let before = lastRuns[source], dateRules[before]?[source].rules != rules {
      mixed.insert(source)
    }
    lastRuns[source] = run
  }

  /// Notes that a run has ended: one that was not stopped has found all dates by its rules.
  mutating func noteEnd(of run: String, _ exitCode: Int) {
    let isWhole = [RunExitCode.success, .itemsFailed].contains { Int($0.rawValue) == exitCode }
    for (source, last) in lastRuns where isWhole && last == run { mixed.remove(source) }
  }

  /// Enters the rules for dates that the last run of each source had, where no catalogue of before has them: the
  /// next run compares its own with them.
  func enterDateRules() throws {
    if earlier != nil { return }
    for (source, run) in lastRuns {
      guard let rules = dateRules[run]?[source] else { continue }
      var applied = AppliedRules(rules)
      if mixed.contains(source) { applied.dates = AppliedRules.mixed }
      try catalogue.setAppliedRules(applied, of: source)
    }
  }

  /// The facts of an asset by its published files; nil where the main one is not as it was published.
  private static func facts(
    _ files: [DatedFile],
    _ answers: [String: FactsAnswer],
    _ rules: DateRules,
    _ dating: AuditDating
  ) -> Facts? {
    guard let main = files.first(where: { !$0.isSidecar }),
      case .read(let facts, main.sha256)? = answers[main.path]
    else { return nil }
    let sidecars = files.filter {
      $0.isSidecar && SidecarName($0.sourcePath, of: main.sourcePath) != nil
    }
    .sorted { SidecarName.precedes($0.sourcePath, $1.sourcePath, of: main.sourcePath) }
    return facts.completed(
      path: main.sourcePath,
      modified: main.modified,
      saved: main.saved.microseconds,
      rules: rules,
      about: dating.about.flatMap(AboutDate.init),
      sidecars: sidecars.compactMap { file in
        guard case .readSidecar(let description, file.sha256)? = answers[file.path] else {
          return nil
        }
        return description
      },
      shift: { _ in dating.shift }
    )
  }
}
