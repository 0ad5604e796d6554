internal import Glibc
internal import MediaAudit
internal import MediaLibrary
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaSources
internal import MediaWorkerPool

/// Checks before files are opened whether access to their sources was revoked or has expired.
///
/// A revocation ends the import of the source: what is listed or read at that moment is abandoned, and nothing
/// more of it is opened. A grant counts from the next run, which one message says. The store is read through a read-only connection that was opened before confinement.
final class PermissionWatch {
  private var access: AccessState
  /// The decisions when the run began; a source that was not allowed then is not part of the run.
  private let initialDecisions: [DecidedSource]
  /// The decision about adding to the photo library, as far as it was asked for.
  private var adding: DecidedSource?
  private let log: AccessLog
  private let account: RunAccount
  private let onNotice: (String) -> Void
  private var hasNoticedGrant = false
  /// Devices of the sources to which access was revoked or narrowed while the run went on.
  private(set) var guardedDevices: Set<UInt64> = []

  /// - Parameters:
  ///   - access: The decisions when the run begins.
  ///   - log: Gets a record of what changes.
  ///   - account: Counts what is refused.
  ///   - onNotice: Called with a message for the person.
  ///   - resolve: Finds the files that patterns mean, where they are more than patterns of paths.
  init(
    _ access: AccessState,
    log: AccessLog,
    account: RunAccount,
    onNotice: @escaping (String) -> Void,
    resolve: @escaping (SourceID, [SelectionPattern]) -> Selection
  ) {
    self.access = access
    self.log = log
    self.account = account
    self.onNotice = onNotice
    self.resolve = resolve
    initialDecisions = access.permissions.sources
    adding = access.permissions.adding
  }

  /// Takes the items that ``allows(_:)`` refuses and that are not yet published out of the batches in hand.
  /// Returns their number.
  typealias TakeBack = () throws(RunError) -> Int

  /// The selections of sources that were narrowed while the run went on.
  private var selections: [SourceID: Selection] = [:]
  private let resolve: (SourceID, [SelectionPattern]) -> Selection

  /// Whether an item may still be opened, after all revocations that were noticed.
  func allows(_ item: ItemWork) -> Bool { allows(item.planned.path, of: item.source.id) }

  /// Whether a file of a source may still be opened.
  func allows(_ path: ItemPath, of source: SourceID) -> Bool {
    !isRevoked(source) && selections[source]?.contains(path) ?? true
  }

  /// Opens files by `body` if all answers still count; until it returns, none can be taken back.
  ///
  /// - Returns: False when an answer was changed or has expired; `body` was not run.
  func whileAllowed(_ body: () -> Void) throws(RunError) -> Bool {
    if hasExpired(at: Int64(time(nil))) { return false }
    guard let answers = access.answers else {
      body()
      return true
    }
    return try answers.whileUnchanged(body) != nil
  }

  /// Whether captured files may still be added to the photo library, by the answers that are stored now.
  func allowsAdding() throws(RunError) -> Bool {
    guard let old = adding, old.mayProceed else { return false }
    var present = access
    try present.readAnswers { $0.canPrompt = false }
    guard let new = present.permissions.adding, !new.mayProceed else { return true }
    adding = new
    log.append(AuditTransition(from: old, to: new))
    onNotice("Adding to the photo library is not allowed any more (\(new.decision.reason.words)).")
    return false
  }

  private var nextListingCheck: Int64 = 0

  /// Throws `.accessRevoked` soon after access to a source was taken back; looks fifty times a second.
  private func checkListing(of source: SourceID) throws(RunError) {
    let now = MonotonicClock.now
    guard now >= nextListingCheck else { return }
    nextListingCheck = now + MonotonicClock.second / 50
    try checkForRevocation()
    if isRevoked(source) { throw RunError(.accessRevoked, "") }
  }

  /// Looks at the answers while no item is in hand.
  ///
  /// - Throws: As ``checkForRevocation(in:counts:takeBack:)``.
  func checkForRevocation() throws(RunError) {
    var noItems = NoItems()
    try checkForRevocation(in: &noItems) { 0 }
  }

  /// Has a source listed, or looked at again, and marks it meanwhile for the commands that wait until
  /// nothing of it is read.
  ///
  /// - Returns: Nil when access to it was taken back before or meanwhile.
  /// - Throws: As `list`.
  func whileListing<Value>(
    _ source: SourceID,
    _ list: (@escaping SourceListing.CheckAccess) throws(RunError) -> Value
  ) throws(RunError) -> Value? {
    markOpenFiles(of: [source])
    defer { markOpenFiles(of: []) }
    nextListingCheck = 0
    let check: SourceListing.CheckAccess = { () throws(RunError) in
      try self.checkListing(of: source)
    }
    do throws(RunError) {
      try check()
      return try list(check)
    } catch {
      guard error.code == .accessRevoked else { throw error }
      return nil
    }
  }

  /// Applies to a plan what was noticed before it was made.
  ///
  /// - Parameters:
  ///   - plan: The plan, of which nothing is in hand.
  ///   - counts: Whether the refused items are counted; see ``checkForRevocation(in:counts:takeBack:)``.
  func apply(to plan: inout BatchPlan, counts: Bool = true) {
    for source in initialDecisions.map(\.source) {
      let narrowed = selections[source].map { plan.narrow(source, to: $0) } ?? 0
      let refused = narrowed + (isRevoked(source) ? plan.end(source) : 0)
      if counts { account.tally.countRefused(refused, of: source) }
    }
    if access.permissions.isAudioRefused {
      plan.refuseAudio(access.loaded.manifest.onMicrophoneRefused)
    }
  }

  /// Marks the sources of which files are open, for the commands that wait until they are closed.
  func markOpenFiles(of sources: Set<SourceID>) {
    access.answers?.markOpenFiles(of: sources)
  }

  private func hasExpired(at now: Int64) -> Bool {
    initialDecisions.contains { source in
      source.decidedBy == .storedAnswer && source.isNeeded
        && source.decision.outcome == .proceed && !isRevoked(source.source)
        && source.answer?.expiresAt.map { $0 <= now } ?? false
    }
  }

  /// Removes the items that are no longer allowed from `plan` and the batches in hand, and records
  /// that in the log.
  ///
  /// - Parameters:
  ///   - plan: The items that are not in hand yet.
  ///   - counts: Whether they are counted; files that are only compared are when they are imported.
  ///   - takeBack: Takes items out of the batches in hand.
  /// - Throws: `RunError` when the answers cannot be read or the record cannot be written.
  func checkForRevocation(
    in plan: inout some RemainingItems,
    counts: Bool = true,
    takeBack: TakeBack
  ) throws(RunError) {
    let now = Int64(time(nil))
    guard try access.answers?.hasChanged() ?? false || hasExpired(at: now) else { return }
    let before = access.permissions
    try access.readAnswers { $0.canPrompt = false }
    for (index, new) in access.permissions.sources.enumerated() {
      let old = initialDecisions[index]
      let isAllowed = new.decision.outcome == .proceed
      if old.decision.outcome != .proceed || isRevoked(old.source) {
        if isAllowed { noticeGrant() }
      } else if !isAllowed {
        try end(old, new, in: &plan, counts: counts, takeBack)
      } else if let selection = new.selection {
        try narrow(
          old,
          new,
          from: before.sources[index].selection.map(Set.init),
          selection,
          &plan,
          counts: counts,
          takeBack
        )
      }
    }
    if access.permissions.isAudioRefused, !before.isAudioRefused {
      plan.refuseAudio(access.loaded.manifest.onMicrophoneRefused)
    }
  }

  /// Removes the items that a selection does not contain; `before` is nil if all were allowed.
  private func narrow(
    _ old: DecidedSource,
    _ new: DecidedSource,
    from before: Set<SelectionPattern>?,
    _ selection: [SelectionPattern],
    _ plan: inout some RemainingItems,
    counts: Bool,
    _ takeBack: TakeBack
  ) throws(RunError) {
    if let before {
      if !before.isSuperset(of: selection) { noticeGrant() }
      if before.isSubset(of: selection) { return }
    }
    let kept = resolve(old.source, selection)
    selections[old.source] = kept
    try record(old, new, refused: plan.narrow(old.source, to: kept) + takeBack(), counts: counts)
  }

  private func isRevoked(_ source: SourceID) -> Bool {
    account.tally.revoked.contains { $0.source == source }
  }

  private func end(
    _ old: DecidedSource,
    _ new: DecidedSource,
    in plan: inout some RemainingItems,
    counts: Bool,
    _ takeBack: TakeBack
  ) throws(RunError) {
    if !old.isNeeded { return }
    account.tally.countRevoked(new)
    try record(old, new, refused: plan.end(old.source) + takeBack(), counts: counts)
  }

  private func record(
    _ old: DecidedSource,
    _ new: DecidedSource,
    refused: Int,
    counts: Bool
  ) throws(RunError) {
    // The device is the one of the run's beginning: the name may lead elsewhere by now.
    if let folder = access.context.folders[old.source] { guardedDevices.insert(folder.device) }
    var transition = AuditTransition(from: old, to: new)
    transition.refusedItems = refused
    log.append(transition)
    try log.flush()
    if counts { account.tally.countRefused(refused, of: old.source) }
    onNotice(
      "The \(old.source.displayName) is not allowed any more as it was (\(new.decision.reason.words)), and "
        + "\(Quantity.text(refused, "item", "was", "were")) not opened."
    )
  }

  private func noticeGrant() {
    if hasNoticedGrant { return }
    hasNoticedGrant = true
    onNotice("An answer was given while the run goes on; it counts from the next run.")
  }
}

/// The items of a run that is still listing.
private struct NoItems: RemainingItems {
  mutating func end(_ kind: SourceID) -> Int { 0 }
  mutating func narrow(_ kind: SourceID, to selection: Selection) -> Int { 0 }
  mutating func refuseAudio(_ policy: MicrophoneRefusalPolicy) {}
}

extension AuditTransition {
  /// Access that is not what it was when the run began.
  fileprivate init(from old: DecidedSource, to new: DecidedSource) {
    self.init()
    (source, accessLevel, from) = (old.source, old.level, old.status)
    to = new.decision.reason == .expired ? .notDetermined : new.status
    (reason, basis) = (new.decision.reason, new.basis?.rawValue)
  }
}
