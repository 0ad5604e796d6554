package import MediaAudit
internal import MediaModel

/// The sentences of a report; what they are made from is harmless already.
package enum ReportWording {
  static func result(_ result: ReportResult) -> String {
    switch result {
    case .passed: "Everything that was allowed was done"
    case .warned: "Done, with something left out"
    case .failed: "Not everything was done"
    }
  }

  /// Says how many items were imported; of runs that met nothing new, how many are unchanged.
  static func imported(_ totals: ReportTotals, of noun: String) -> String {
    let (imported, unchanged) = (totals.count(.imported), totals.count(.unchanged))
    let isSame = imported == 0 && unchanged > 0
    return "\(Quantity.grouped(isSame ? unchanged : imported)) of "
      + "\(Quantity.text(totals.discovered, noun)) \(isSame ? "unchanged" : "imported")"
  }

  /// Says how many items were not opened because their failure was said, without a full stop.
  static func failedBefore(_ count: Int) -> String {
    Quantity.text(count, "file") + " failed in an earlier run and "
      + (count == 1 ? "was" : "were") + " not read again, since nothing about "
      + (count == 1 ? "it" : "them") + " has changed"
  }

  /// Says among which files those are that failed before, where the log does not tell; a sentence with a space before
  /// it, or nothing.
  static func candidates(_ run: ReportRun) -> String {
    let unclear = run.earlierFailures.sorted { $0.key < $1.key }.map(\.value)
      .filter { $0.candidateCount > 0 }
    let count = unclear.reduce(0) { $0 + $1.candidateCount }
    if count == 0 { return "" }
    let names = unclear.flatMap(\.candidates).prefix(EarlierFailures.maximumCandidates)
    let more = count - names.count
    return " They are among these \(Quantity.grouped(count)); the run did not find the others: "
      + names.joined(separator: ", ") + (more > 0 ? ", and \(Quantity.grouped(more)) more." : ".")
  }

  /// Says that no run is in the scope.
  static func nothing(_ scope: ReportScope) -> String {
    let log = "so this report says nothing about the library."
    return if case .began(let since, let until) = scope {
      "No run of the library began\(ReportScope.span(since, until)), " + log
    } else {
      "The library's log has no run, " + log
    }
  }

  /// Describes a run's exit code.
  static func exit(_ code: Int?) -> String {
    guard let code else { return "It has not ended: it is still running, or it was stopped." }
    guard let code = Int32(exactly: code).flatMap({ RunExitCode(rawValue: $0) }) else {
      return "It failed in a way that this version does not know."
    }
    let opensNothing: Set<RunExitCode> = [
      .sourceUnavailable, .enforcementUnavailable, .undecided, .manifestMistake,
    ]
    let ending = ReportLabels.ending(code)
    return ending.prefix(1).uppercased() + ending.dropFirst() + "."
      + (opensNothing.contains(code) ? " Nothing was opened." : "")
  }

  /// Describes why a source was allowed or refused.
  static func reason(_ reason: DecisionReason) -> String {
    switch reason {
    case .usageDescriptionMissing: "The manifest does not say what it is for."
    case .limitedNotApplicable: "It cannot be limited."
    case .manifestMistake: "The manifest has a mistake about it."
    case .restricted: "It is restricted, whatever a person answers."
    case .picked: "A person picked the items for this run."
    case .denied: "It was denied."
    case .expired: "The permission has expired; somebody has to decide again."
    case .levelInsufficient: "It may be added to, but not read."
    case .notDetermined: "Nobody has answered yet."
    case .unavailable: "Nothing is there."
    case .limited: "Only the selected items are allowed."
    case .authorized: "It is authorized."
    case .microphoneRefused: "Its sound needs the microphone, which is refused."
    }
  }

  /// Describes the permission of a source, such as a failed one in CI: what was decided, by whom, why, and what helps.
  static func permission(_ permission: ReportPermission) -> String {
    let by = permission.decidedBy == nil ? "" : " by " + decider(permission)
    let verdict =
      permission.verdict == .allow
      ? "allowed" + by : permission.decidedBy == nil ? "not opened" : "refused\(by) and never opened"
    // The verdict says these already.
    let isSaid = [.authorized, .denied].contains(permission.reason) && permission.decidedBy != nil
    let isHelped = permission.isFailure || [.notDetermined, .expired].contains(permission.reason)
    return "The \(permission.source.displayName) was \(verdict)."
      + (isSaid ? "" : " " + reason(permission.reason))
      + (permission.isFailure ? " The manifest requires it." : "")
      + (isHelped ? help(permission) : "")
  }

  /// What helps about a permission that a run lacks, with a space before it; nothing where no answer helps.
  private static func help(_ permission: ReportPermission) -> String {
    switch permission.reason {
    case .notDetermined, .expired, .levelInsufficient:
      " `mediabatch access grant MANIFEST \(permission.source.commandWords)` allows it."
    case .denied where permission.decidedBy == "storedAnswer":
      " `mediabatch access reset MANIFEST \(permission.source.commandWords)` takes the answer back."
    case .denied: " To allow it, set its \"authorizationStatus\" in the manifest."
    case .usageDescriptionMissing: " Write \(permission.usageKey) under \"usageDescriptions\"."
    case .unavailable: " Correct its \"path\" in the manifest, or attach what holds it."
    default: ""
    }
  }

  static func decider(_ permission: ReportPermission) -> String {
    guard let signature = permission.signature else { return unsignedDecider(permission) }
    let signer = "signed by \(signature.signedBy)"
    return permission.decidedBy == "manifest"
      ? "the manifest, \(signer)" : "\(unsignedDecider(permission)), under a manifest \(signer)"
  }

  private static func unsignedDecider(_ permission: ReportPermission) -> String {
    let medium =
      switch permission.basis {
      case "picker": " on a page in a browser"
      case "userConsent": " at the terminal"
      default: ""
      }
    switch permission.decidedBy {
    case "policy": return "an organization's policy"
    case "manifest": return "the manifest"
    case "storedAnswer":
      let answer = "a stored answer" + (permission.user.map { " of the user \($0)" } ?? "")
      return medium.isEmpty ? answer : answer + ", given" + medium
    case "picking": return (permission.user.map { "the user \($0)" } ?? "a person") + ", by picking" + medium
    case let word?: return word
    case nil: return "nobody"
    }
  }

  /// Describes the result of verifying the log in one sentence.
  static func verification(_ verification: AuditVerification) -> String {
    if let difference = verification.difference {
      return "The log is not what was written. " + ReportText.line("\(difference)")
    }
    return "The log is whole: \(Quantity.text(verification.records, "record")) in "
      + "\(Quantity.text(verification.files, "file")), each chained to the one before, as far as the "
      + "catalogue knows them."
  }

  static let catalogueDiffers = "The catalogue has a file with a digest that the log does not have."

  /// Returns the keys that a head names as its signers; escaped.
  static func keys(of head: SignedHead) -> [String] {
    head.note.signatures.map { signature in
      ReportText.line(signature.name, limit: 100) + "+" + Hexadecimal.text(signature.keyHash)
    }
  }

  /// Describes the signature of the log in one sentence.
  static func signature(_ verification: AuditVerification) -> String {
    guard let head = verification.signedHead else { return "The log is not signed." }
    let keys = keys(of: head).joined(separator: ", ")
    let records = "The first \(Quantity.text(head.tree.size, "record", "is", "are")) signed"
    return verification.signature == .trusted
      ? "\(records) by the trusted key \(keys)."
      : "\(records). The key is named \(keys); whether it is yours is not checked here."
  }

  /// A record of the log in words; nil for one that says nothing about an asset. `user` is that of its run.
  package static func record(_ entry: AuditEntry, of user: String? = nil) -> String? {
    let source = entry.source?.displayName ?? "source"
    let path = entry.path.map { "\"\(ReportText.path($0.bytes))\"" } ?? "the file"
    switch entry.event {
    case .run:
      return ReportRun(entry, file: "").map(beginning)
    case .decision:
      guard let permission = ReportPermission(entry, of: user) else { return nil }
      let language = permission.usageTextLanguage.map { " (\($0))" } ?? ""
      let why = permission.usageText.map { "\"\($0)\"" } ?? permission.usageKey + "."
      return ReportWording.permission(permission) + " Asked for\(language): \(why)"
    case .source:
      let basis = entry.body(of: AuditListing.self, allowsGaps: true)?.basis
      return "The \(source) was about to be listed, since \(allowed(basis))."
    case .candidates, .shown: return entry.shown().map { counted($0, source) }
    case .access:
      let access: AuditAccess? = entry.shown()
      let size = Quantity.text(Int(access?.size ?? 0).bounded, "byte")
      return "\(path) of the \(source), \(size), was about to be read, since \(allowed(access?.basis))."
    case .outcome: return ReportItem(entry).map(outcome)
    case .transition:
      guard let transition = ReportTransition(entry) else { return nil }
      return ReportWording.transition(transition)
    case .superseded, .restored, .adopted, .quarantined, .withdrawn, .relabelled:
      return entry.shown().map(published)
    case .added:
      let addition: AuditAddition? = entry.shown()
      let name = addition.map { ReportText.path($0.addedPath.bytes) } ?? ""
      return "\(path) of the \(source) was added to the photo library as \"\(name)\"."
    case .dated:
      let dating: AuditDating? = entry.body()
      let count = Quantity.text(dating?.assets.count ?? 0, "asset")
      return "The dates of \(count) of the \(source) were "
        + (dating?.isRead == true ? "read again from their files." : "corrected in the catalogue.")
    case .stacked, .unstacked, .distinguished, .rotated: return decision(entry)
    case .copied:
      let copying: AuditCopying? = entry.shown()
      return
        "Stripped copies of \(Quantity.text((copying?.assets ?? 0).bounded, "asset")) were about to be made."
    case .rebuilt:
      return "The catalogue was made again from the library's folders and log."
    case .merged: return entry.shown(allowsGaps: false).map(merge)
    case .placed: return entry.shown(allowsGaps: false).map(placement)
    case .migrated:
      let migration: AuditMigration? = entry.shown()
      return
        "The catalogue was updated from schema \(migration?.from ?? "unknown") to \(migration?.to ?? "unknown")."
    case .end: return "The run ended. \(exit(entry.exitCode))"
    default: return nil
    }
  }

  /// Why a source was opened.
  private static func allowed(_ basis: DecisionReason?) -> String {
    switch basis {
    case .authorized: "access to all of the source was allowed"
    case .limited: "access to a selection of the source was allowed"
    case .picked: "a person had picked items of the source"
    default: "access was allowed"
    }
  }

  /// A decision of a person that moves no file.
  private static func decision(_ entry: AuditEntry) -> String {
    let edit: LibraryEdit? = entry.body()
    let count = edit.map { Quantity.text($0.assets.count, "asset") } ?? "Assets"
    switch entry.event {
    case .stacked: return "A person stacked \(count)."
    case .unstacked: return "A person took \(count) out of their stack."
    case .distinguished: return "A person said of \(count) that look alike that they are not the same."
    default:
      let angle = edit?.rotation.map { ", by \($0) degrees clockwise in all" } ?? ""
      return "A person turned an asset\(angle)."
    }
  }

  private static func counted(_ things: AuditCount, _ source: String) -> String {
    let count = things.count.bounded
    if things.event == .candidates {
      return
        "The fetch limit chooses among \(Quantity.text(count, "file")) of the \(source) by their content."
    }
    return "A person was shown \(Quantity.text(count, "name")) of the \(source) to pick from"
      + (things.answeredAt.map { ", for the answer of \($0)." } ?? ".")
  }

  /// What became of a file that the library had before.
  private static func published(_ change: AuditFileChange) -> String {
    let file = ReportText.path(change.output.path.bytes)
    return switch change.event {
    case .superseded:
      "The older file \"\(file)\" was removed: the asset has a newer one."
    case .restored:
      change.fingerprint == nil
        ? "The lost file \"\(file)\" was restored from its source."
        : "A thumbnail was made again from the library's original: \"\(file)\"."
    case .adopted: "The file \"\(file)\" was missing in the catalogue, and was entered again."
    case .quarantined: "The damaged file \"\(file)\" was moved to Quarantine."
    case .withdrawn:
      "A person withdrew the asset: its file \"\(file)\" was moved to Quarantine."
    default:
      "A person gave the asset another label: \"\(ReportText.path(change.previousPath.bytes))\" became "
        + "\"\(file)\"."
    }
  }

  private static func merge(_ merge: AuditMerge) -> String {
    merge.shard == 0
      ? "The log of the plan is \(merge.file), with \(Quantity.text(merge.tree.size, "record"))."
      : "The log of shard \(merge.shard), attempt \(merge.attempt), is \(merge.file), with "
        + "\(Quantity.text(merge.tree.size, "record"))."
  }

  private static func placement(_ placement: AuditPlacement) -> String {
    switch placement.place {
    case .folder(let previous, let now):
      "Its folder \(previous) in the shard's library is \(now) in the merged library."
    case .duplicate(let other):
      "The merge left it out: the asset \(other) has the same content."
    case .importedAgain:
      "The merge left it out, and imported its files again."
    }
  }

  private static func status(_ name: String) -> String { name == "notDetermined" ? "undecided" : name }

  static func transition(_ transition: ReportTransition) -> String {
    "The \(transition.source.displayName) became \(status(transition.to)) during the run "
      + "(\(status(transition.from)) before)"
      + (transition.refusedItems > 0
        ? "; \(Quantity.text(transition.refusedItems, "item", "was", "were")) then not opened."
        : ".")
  }

  private static func outcome(_ item: ReportItem) -> String {
    var text = "\"\(item.shownPath)\" of the \(item.source.displayName): \(item.outcome.rawValue)"
    if let reason = item.reason { text += " (\(FailureAdvice.cause(reason)))" }
    text += "."
    if let output = item.output {
      text +=
        " Written as \"\(ReportText.path(output.path.bytes))\" (\(item.role?.rawValue ?? ""), "
      text += "\(Quantity.text(output.bytes, "byte")), SHA-256 \(output.sha256)), metadata policy "
      text += "\(item.policy?.rawValue ?? "unknown")."
    }
    if !item.removed.isEmpty {
      text += " Removed: \(removed(item.removed))."
    }
    if !item.thumbnails.isEmpty {
      text += " Thumbnails: \(item.thumbnails.map(\.name).joined(separator: ", "))."
    }
    if item.degraded {
      text += " The asset is incomplete: a file is missing or ends early."
    }
    if let version = version(item.details) { text += " It is \(version)." }
    if item.recovered { text += " The run that wrote it was stopped; the next one recorded it." }
    return text
  }

  /// Says of which earlier content of its source file an item is the newer one; nil for every other item.
  static func version(_ item: Outcome) -> String? {
    if let asset = item.olderVersion { return "a newer version of the asset \(asset)" }
    return switch item.replaces {
    case .beginning: "the whole of a file that was cut before"
    case .version: "a newer version; the originals of the earlier one are kept"
    case nil: nil
    }
  }

  /// The digest of the source file, hexadecimal; nil when the item has none of this kind.
  static func sourceDigest(of item: Outcome, isKeyed: Bool) -> String? {
    guard let digest = item.sourceDigest, digest.isKeyed == isKeyed else { return nil }
    return Hexadecimal.text(digest.bytes)
  }

  /// `location (6), time (3)`; of an earlier version's log `APP1 Exif (1)`.
  static func removed(_ kinds: [RemovedMetadata]) -> String {
    kinds.map { "\($0.name) (\($0.count))" }.joined(separator: ", ")
  }
}
