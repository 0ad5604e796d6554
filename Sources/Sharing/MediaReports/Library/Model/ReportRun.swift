package import MediaAudit
package import MediaModel

/// The decision about one source of a run, and its results.
@dynamicMemberLookup
package struct ReportPermission: Sendable, Hashable {
  package private(set) var decision: SourceDecision
  /// The manifest's own words for the folder; nil for a source that was not listed.
  package var path: String?
  /// The user whose answer it rests on; nil where it rests on none, and where the run's first record is not known.
  package private(set) var user: String?
  package var totals = ReportTotals()

  /// - Parameters:
  ///   - entry: The record of the decision.
  ///   - user: The run's user, whose answers it has read; nil where it is not known.
  init?(_ entry: AuditEntry, of user: String? = nil) {
    guard let decision: SourceDecision = entry.shown(allowsGaps: false) else { return nil }
    self.decision = decision
    if ["storedAnswer", "picking"].contains(decision.decidedBy) { self.user = user }
  }

  /// The same, but for the time at which the signature was verified: runs that decide alike differ in it.
  var atAnyTime: ReportPermission {
    var copy = self
    copy.totals = ReportTotals()
    copy.decision.signature?.verifiedAt = ""
    return copy
  }

  /// A value of ``decision``.
  package subscript<Value>(dynamicMember field: KeyPath<SourceDecision, Value>) -> Value {
    decision[keyPath: field]
  }
}

/// A decision that several runs made alike.
struct ReportDecision {
  var permission: ReportPermission
  var totals: ReportTotals
  var runs: [ReportRun]

  /// The decisions of runs, the newest first; those that are alike once.
  static func alike(_ runs: [ReportRun]) -> [ReportDecision] {
    var decisions: [ReportPermission: ReportDecision] = [:]
    var order: [ReportPermission] = []
    for run in runs.reversed() {
      for permission in run.permissions {
        let key = permission.atAnyTime
        if decisions[key] == nil {
          order.append(key)
          decisions[key] = ReportDecision(permission: key, totals: key.totals, runs: [])
        }
        decisions[key]?.totals.add(permission.totals)
        decisions[key]?.runs.append(run)
      }
    }
    return order.compactMap { decisions[$0] }
  }
}

/// A status or an answer that changed while a run went on, or that a person gave at its prompt.
package struct ReportTransition: Sendable, Hashable {
  package var time: String
  package var source: SourceID
  package var from: String
  package var to: String
  package var reason: String
  /// How a person answered, as ``ReportPermission/basis``.
  package var basis: String?
  /// Items that were found and then not opened any more.
  package var refusedItems: Int
  /// Whether a person allowed what nobody had decided, which needs no attention.
  let isGrant: Bool

  init?(_ entry: AuditEntry) {
    guard let record: AuditTransition = entry.shown(allowsGaps: false) else { return nil }
    time = entry.shownTime
    source = record.source
    from = record.from?.name ?? "unknown"
    to = record.to?.name ?? "unknown"
    reason = record.reason?.rawValue ?? "unknown"
    basis = record.basis
    refusedItems = record.refusedItems.bounded
    isGrant = refusedItems == 0 && (record.to == .authorized || record.to == .limited)
  }
}

/// A run, read from its audit file.
@dynamicMemberLookup
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
  private let opening: AuditOpening
  /// In the order of the sources.
  package var permissions: [ReportPermission] = []
  package var transitions: [ReportTransition] = []
  /// What persons were asked, in the order of the log.
  package var questions: [ReportQuestion] = []
  package var totals = ReportTotals()
  /// The failures that it counts as `failedBefore` and whose records are not in the report's scope, by source.
  var earlierFailures: [SourceID: EarlierFailures] = [:]
  /// Items of a shard that are not in ``totals``: the merge has left them to a run, whose items they are.
  package var importedAgain = 0
  /// The counts of outcomes in the run's last record; nil without one.
  package var statedCounts: [ItemOutcome: Int]?
  /// Whether it is no run of a manifest but a command that changed the library without one, such as
  /// `label`.
  package var isHousekeeping: Bool { opening.manifestSHA256 == AuditOpening.noManifestSHA256 }
  /// The user in whose name it ran; nil where the record does not tell it.
  var knownUser: String? { opening.user.isEmpty ? nil : opening.user }
  /// The name of that command in the log, such as `clean`.
  package var command: String {
    let prefix = "mediabatch."
    let client = opening.clientIdentifier
    return client.hasPrefix(prefix) ? String(client.dropFirst(prefix.count)) : client
  }
  /// That command as a person types it; the log keeps the names that it has had.
  package var typedCommand: String {
    let renamed = [
      "clean": "repair --superseded", "merge": "shards merge", "stack": "stack add",
      "unstack": "stack split",
    ]
    return renamed[command] ?? command
  }
  /// SHA-256 of the last record, as the catalogue knows it; nil when it does not.
  package var head: String?

  /// A run of a file whose first record is this; nil for any other record.
  init?(_ entry: AuditEntry, file: String) {
    guard let opening: AuditOpening = entry.shown() else { return nil }
    self.opening = opening
    identifier = ReportText.line(entry.run, limit: 100)
    self.file = file
    started = entry.shownTime
    ended = started
  }

  /// A field of the run's first record.
  package subscript<Value>(dynamicMember field: KeyPath<AuditOpening, Value>) -> Value {
    opening[keyPath: field]
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

  /// Whether the signature of the manifest is of the run's manifest, and each decision has no other.
  var agreesOnSignature: Bool {
    let decided = permissions.compactMap(\.signature)
    return (decided + [opening.signature].compactMap(\.self)).allSatisfy {
      $0 == opening.signature && $0.sha256 == opening.manifestSHA256
    }
  }

  package var result: ReportResult {
    guard let exitCode else { return agreesOnSignature ? .warned : .failed }
    if exitCode != 0 || !addsUp || !agreesOnSignature { return .failed }
    let warnings: [ItemOutcome] = [.refused, .unsupported, .failed, .failedBefore]
    let leftOut = warnings.contains { totals.count($0) > 0 }
    return leftOut || totals.recovered > 0 || totals.degraded > 0 ? .warned : .passed
  }
}

extension ReportRun {
  /// Changes the totals of a source that was decided on.
  mutating func add(to source: SourceID, _ change: (inout ReportTotals) -> Void) {
    guard let index = permissions.firstIndex(where: { $0.source == source }) else { return }
    change(&permissions[index].totals)
  }

  /// Keeps what a record says of the run as a whole; under `isSubject` the report is about one asset.
  mutating func note(_ entry: AuditEntry, isSubject: Bool) {
    noteQuestion(entry)
    switch entry.event {
    case .decision:
      guard let permission = ReportPermission(entry, of: knownUser) else { return }
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
      guard let listing: AuditListing = entry.body(),
        let index = permissions.firstIndex(where: { $0.source == listing.source })
      else { return }
      permissions[index].path = listing.path.map { ReportText.path($0.bytes) }
    case .transition:
      guard let transition = ReportTransition(entry), transitions.count < 100 else { return }
      transitions.append(transition)
      guard !isSubject, transition.refusedItems > 0 else { return }
      totals.addUnlisted(transition.refusedItems, .refused)
      add(to: transition.source) { $0.addUnlisted(transition.refusedItems, .refused) }
    case .end:
      guard let end: AuditEnd = entry.body() else { return }
      exitCode = end.exitCode
      statedCounts = isSubject || end.counts.isEmpty ? nil : end.counts.mapValues(\.bounded)
    default: break
    }
  }
}
