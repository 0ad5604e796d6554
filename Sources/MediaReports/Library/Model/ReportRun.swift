internal import MediaAudit
package import MediaModel

/// The decision about one source of a run, and its results.
package struct ReportPermission: Sendable, Hashable {
  package var source: SourceKind
  package var authorizationStatus: AuthorizationStatus
  package var accessLevel: AccessLevel
  /// Nil for a refused source, which is never accessed.
  package var availability: Availability?
  package var verdict: Verdict
  package var reason: DecisionReason
  /// 1-based row of the decision table.
  package var row: Int?
  /// `policy`, `manifest`, `storedAnswer` or `picking`; nil when it is undecided.
  package var decidedBy: String?
  /// `userConsent`, `picker` or `userSet`: how a person answered; nil when nobody did, or no record says it.
  package var basis: String?
  /// PhotoKit's number for the refusal, where it has one.
  package var photosErrorCode: Int?
  package var usageKey: String
  /// The usage description in force; nil when the record has only its digest.
  package var usageText: String?
  package var usageTextSHA256: String?
  package var required: Bool
  /// The manifest's own words for the folder; nil for a source that was not listed.
  package var path: String?
  package var totals = ReportTotals()

  init?(_ entry: AuditEntry) {
    let fields = ReportFields(entry.fields)
    guard entry.event == .decision, let source = entry.source,
      let status = fields.text("authorizationStatus").flatMap(AuthorizationStatus.init(name:)),
      let verdict = fields.text("decision").flatMap({ Verdict(rawValue: $0) }),
      let reason = fields.text("reason").flatMap({ DecisionReason(rawValue: $0) })
    else { return nil }
    self.source = source
    authorizationStatus = status
    accessLevel = fields.text("accessLevel") == AccessLevel.addOnly.name ? .addOnly : .readWrite
    availability = fields.text("availability").flatMap { Availability(rawValue: $0) }
    self.verdict = verdict
    self.reason = reason
    row = fields.integer("row")
    decidedBy = fields.text("decidedBy", limit: 40)
    basis = fields.text("basis", limit: 40)
    photosErrorCode = fields.integer("photosErrorCode")
    usageKey = fields.text("usageKey", limit: 80) ?? ""
    usageText = fields.text("usageText")
    usageTextSHA256 = fields.text("usageTextSHA256", limit: 100)
    required = fields.bool("required") ?? false
  }

  /// Whether anything was read from it.
  package var isRead: Bool { verdict == .allow && reason != .unavailable }

  /// Whether it is why its run could not do what the manifest promised.
  package var isFailure: Bool { required && !isRead }
}

/// A status or an answer that changed while a run went on, or that a person gave at its prompt.
package struct ReportTransition: Sendable, Hashable {
  package var time: String
  package var source: SourceKind
  package var from: String
  package var to: String
  package var reason: String
  /// How a person answered, as ``ReportPermission/basis``.
  package var basis: String?
  /// Items that were found and then not opened any more.
  package var refusedItems: Int

  init?(_ entry: AuditEntry) {
    guard entry.event == .transition, let source = entry.source else { return nil }
    let fields = ReportFields(entry.fields)
    time = fields.text("time", limit: 40) ?? ""
    self.source = source
    from = fields.text("from", limit: 40) ?? "unknown"
    to = fields.text("to", limit: 40) ?? "unknown"
    reason = fields.text("reason", limit: 40) ?? "unknown"
    basis = fields.text("basis", limit: 40)
    refusedItems = fields.count("refusedItems") ?? 0
  }
}

/// A run, read from its audit file.
package struct ReportRun: Sendable, Hashable {
  package var identifier: String
  /// The audit file's name.
  package var file: String
  package var records = 0
  package var started: String
  /// The time of the last record.
  package var ended: String
  /// Nil for a run that has not come to its end: it goes on, or it was stopped.
  package var exitCode: Int?
  package var clientIdentifier: String
  package var clientName: String
  package var manifestSHA256: String
  package var labelsSHA256: String?
  package var infoPlistSHA256: String?
  package var policySHA256s: [String]
  package var tool: String
  package var worker: String?
  package var host: String
  package var user: String
  /// `kernel` or `process`.
  package var enforcement: String
  package var landlockABI: Int?
  package var seccomp: Bool
  /// In the order of the sources.
  package var permissions: [ReportPermission] = []
  package var transitions: [ReportTransition] = []
  /// What persons were asked, in the order of the log.
  package var questions: [ReportQuestion] = []
  package var totals = ReportTotals()
  /// Items of a shard that are not in ``totals``: the merge has left them to a run, whose items they are.
  package var importedAgain = 0
  /// The counts of outcomes in the run's last record; nil without one.
  package var statedCounts: [ItemOutcome: Int]?
  /// Whether it is no run of a manifest but a command that changed the library without one, such as
  /// `clean`.
  package var isHousekeeping: Bool { manifestSHA256 == AuditOpening.noManifestSHA256 }
  /// The name of that command, such as `clean`.
  package var command: String {
    let prefix = "mediabatch."
    return clientIdentifier.hasPrefix(prefix)
      ? String(clientIdentifier.dropFirst(prefix.count)) : clientIdentifier
  }
  /// SHA-256 of the last record, as the catalogue knows it; nil when it does not.
  package var head: String?

  /// A run of a file whose first record is this; nil for any other record.
  init?(_ entry: AuditEntry, file: String) {
    guard entry.event == .run else { return nil }
    let fields = ReportFields(entry.fields)
    identifier = ReportText.line(entry.run, limit: 100)
    self.file = file
    started = fields.text("time", limit: 40) ?? ""
    ended = started
    let client = fields.object("client")
    clientIdentifier = client?.text("identifier") ?? ""
    clientName = client?.text("name") ?? ""
    manifestSHA256 = fields.text("manifestSHA256", limit: 100) ?? ""
    labelsSHA256 = fields.text("labelsSHA256", limit: 100)
    infoPlistSHA256 = fields.text("infoPlistSHA256", limit: 100)
    policySHA256s = fields.texts("policySHA256s")
    tool = fields.text("tool") ?? ""
    worker = fields.text("worker")
    host = fields.text("host") ?? ""
    user = fields.text("user") ?? ""
    let enforcement = fields.object("enforcement")
    self.enforcement = enforcement?.text("mode", limit: 40) ?? "unknown"
    landlockABI = enforcement?.integer("landlockABI")
    seccomp = enforcement?.bool("seccomp") ?? false
  }

  /// Whether the outcome records add up to what the run said at its end; true while it said nothing.
  ///
  /// Items that an earlier run had dealt with are records of this file and none of its counts; those that a merge
  /// has left to a run are among its counts, and not its items any more.
  package var addsUp: Bool {
    guard let statedCounts else { return true }
    let counted = ItemOutcome.allCases.reduce(0) { Quantity.sum($0, totals.count($1)) }
    let stated = ItemOutcome.allCases.reduce(0) { Quantity.sum($0, statedCounts[$1] ?? 0) }
    return counted - totals.recovered + importedAgain == stated
  }

  package var result: ReportResult {
    guard let exitCode else { return .warned }
    if exitCode != 0 || !addsUp { return .failed }
    let warnings: [ItemOutcome] = [.refused, .unsupported, .failed, .failedBefore]
    let leftOut = warnings.contains { totals.count($0) > 0 }
    return leftOut || totals.recovered > 0 || totals.degraded > 0 ? .warned : .passed
  }
}

extension ReportRun {
  /// Changes the totals of a source that was decided on.
  mutating func add(to source: SourceKind, _ change: (inout ReportTotals) -> Void) {
    guard let index = permissions.firstIndex(where: { $0.source == source }) else { return }
    change(&permissions[index].totals)
  }

  /// Keeps what a record says of the run as a whole; under `isSubject` the report is about one asset.
  mutating func note(_ entry: AuditEntry, isSubject: Bool) {
    noteQuestion(entry)
    let fields = ReportFields(entry.fields)
    switch entry.event {
    case .decision:
      guard let permission = ReportPermission(entry) else { return }
      // A source that was decided again, after a person answered, counts as it was decided last.
      if let index = permissions.firstIndex(where: {
        $0.source == permission.source && $0.accessLevel == permission.accessLevel
      }) {
        permissions[index] = permission
      } else {
        permissions.append(permission)
        permissions.sort { $0.source < $1.source }
      }
    case .source:
      guard let source = entry.source,
        let index = permissions.firstIndex(where: { $0.source == source })
      else { return }
      permissions[index].path = fields.path("path").map { ReportText.path($0.bytes) }
    case .transition:
      guard let transition = ReportTransition(entry), transitions.count < 100 else { return }
      transitions.append(transition)
      guard !isSubject, transition.refusedItems > 0 else { return }
      totals.addUnlisted(transition.refusedItems, .refused)
      add(to: transition.source) { $0.addUnlisted(transition.refusedItems, .refused) }
    case .end:
      exitCode = fields.integer("exitCode")
      statedCounts = isSubject ? nil : fields.counts("counts")
    default: break
    }
  }
}
