/// The result of a run; its summaries in all formats are made from this value.
@dynamicMemberLookup
package struct RunReport: Sendable, Hashable {
  /// The result for one source.
  @dynamicMemberLookup
  package struct Source: Sendable, Hashable {
    /// The decision about it.
    package var decision: SourceDecision
    /// The items of this source by outcome; empty for a refused source, which is not counted.
    package var counts: [ItemOutcome: Int] = [:]
    /// The number of files and folders that the source's rules left out, apart from the outcomes.
    package var ignored = 0

    /// Creates the result for a source of which nothing is counted yet.
    package init(_ decision: SourceDecision) { self.decision = decision }

    /// A value of ``decision``.
    package subscript<Value>(dynamicMember member: WritableKeyPath<SourceDecision, Value>) -> Value
    {
      get { decision[keyPath: member] }
      set { decision[keyPath: member] = newValue }
    }

    /// Whether it is what was read of a source, and not what was added to it.
    package func isRead(_ kind: SourceID) -> Bool {
      decision.source == kind && decision.accessLevel == .readWrite
    }
  }

  /// An item that failed, that was imported without thumbnails, or whose format is not known.
  package struct Failure: Sendable, Hashable {
    /// The source of the item.
    package var source: SourceID
    /// The item's path within its source.
    package var path: ItemPath
    /// The step at which it failed.
    package var step: ItemStep
    /// The reason for the failure.
    package var reason: ItemReason
    /// The format of its content; nil when it was not recognized.
    package var format: MediaFormat?
    /// The words of the worker or of a library about the cause; empty when there are none.
    package var detail: String
    /// Whether an earlier run did not import the same file either.
    package var isRepeated = false

    /// Creates what there is to tell of an outcome.
    package init(_ item: Outcome) {
      (source, path, format) = (item.source, item.path, item.failedFormat)
      (step, reason) = (item.step ?? .read, item.reason ?? .cannotRead)
      detail = item.message ?? ""
    }
  }

  /// The items of a source that were left out for one reason, without a failure: skipped, refused or
  /// unsupported.
  package struct LeftOut: Sendable, Hashable {
    /// The most items that are named.
    package static let maximumExamples = 20

    /// The source of the items.
    package var source: SourceID
    /// The reason that all of them have.
    package var reason: ItemReason
    /// The number of the items.
    package var count: Int
    /// The paths of the first items within their source, at most ``maximumExamples``: before those that an
    /// earlier run has left out too, those that it has not.
    package private(set) var examples: [ItemPath]
    /// How many of ``examples`` no earlier run has left out.
    private var newCount = 0

    /// Creates a group.
    package init(source: SourceID, reason: ItemReason, count: Int, examples: [ItemPath]) {
      self.source = source
      self.reason = reason
      self.count = count
      self.examples = examples
    }

    /// Adds examples, as far as there is room.
    package mutating func add(_ paths: [ItemPath], areRepeated: Bool) {
      let index = areRepeated ? examples.count : newCount
      let added = paths.prefix(max(0, Self.maximumExamples - index))
      examples.insert(contentsOf: added, at: index)
      examples.removeLast(max(0, examples.count - Self.maximumExamples))
      if !areRepeated { newCount += added.count }
    }
  }

  /// A problem of the whole run that a person should know about.
  package struct Problem: Sendable, Hashable {
    /// The stable code.
    package var code: ProblemCode
    /// The message for a person.
    package var message: String
    /// The rule that nothing met; nil for a problem of another kind.
    package var rule: UnmatchedRule?

    /// Creates a problem.
    package init(code: ProblemCode, message: String) {
      self.code = code
      self.message = message
    }

    /// Creates the problem that nothing met a rule.
    package init(_ rule: UnmatchedRule) {
      self.init(code: rule.code, message: rule.message)
      self.rule = rule
    }
  }

  /// What a run counts of its items while it goes on.
  package struct Totals: Sendable, Hashable {
    /// The number of items found in allowed sources; the sum of all outcomes.
    package var discovered = 0
    /// Whether an item was found that no earlier run has met as it is now.
    package var hasNewItems = false
    /// The items that failed.
    package var failures: [Failure] = []
    /// The first items of each source that failed in an earlier run and were not opened, at most
    /// ``LeftOut/maximumExamples``; the counts have all of them.
    package var failedBefore: [Failure] = []
    /// The items whose thumbnails could not be made, and which are in the library without them.
    package var thumbnailMissing: [Failure] = []
    /// The first items that are unsupported, at most ``maximumUnsupported``; the counts have all of them.
    package var unsupported: [Failure] = []
    /// The items that were left out, by source and reason.
    package var leftOut: [LeftOut] = []
    /// The number of skipped items that are sidecars which were read.
    package var sidecarsRead = 0
    /// The number of items whose asset is not whole: one of its files is missing, or ends early.
    package var degraded = 0
    /// The number of thumbnails that were written.
    package var thumbnails = 0
    /// The number of lost originals that were published again.
    package var restored = 0
    /// The number of items that became an asset of their own because their file had changed.
    package var newerVersions = 0
    /// The number of items that took the place of an earlier content of their file.
    package var replaced = 0
    /// The number of assets whose files tell more than the policy of their source lets them.
    package var unstripped = 0
    /// The number of originals that a run which writes anew has superseded, and the next start removes.
    package var superseded = 0

    /// Creates the totals of a run that has found nothing yet.
    package init() {}
  }

  /// The most unsupported items that are named: a source may have a sidecar for each photo.
  package static let maximumUnsupported = 10_000

  /// The identifier of the run.
  package var run: String
  /// The path of the manifest.
  package var manifestPath: String
  /// The SHA-256 digest of the manifest, hexadecimal.
  package var manifestSHA256: String
  /// The path of the library.
  package var library: String
  /// The party that enforced the confinement.
  package var enforcement: Enforcement
  /// The kernel mechanisms that enforce the confinement, such as `Landlock ABI 7, seccomp`.
  package var enforcementDetail: String
  /// The exit code of the command.
  package var exitCode: RunExitCode
  /// What the manifest has set already, which no advice names.
  package var settings = AdvisedSettings()
  /// The problems of the whole run.
  package var problems: [Problem] = []
  /// The results for all sources.
  package var sources: [Source] = []
  /// What was counted.
  package var totals = Totals()
  /// The path of the audit file relative to the library; nil when no log was written.
  package var auditFile: String?
  /// The number of records that this run wrote to the audit log.
  package var auditRecords: Int = 0
  /// The SHA-256 digest of the last record, hexadecimal.
  package var auditHead: String = ""
  /// The number of records in the library's whole log.
  package var auditSize: Int = 0
  /// The root of the Merkle tree over the whole log, hexadecimal.
  package var auditRoot: String = ""
  /// The signed head as stored beside the audit file; nil when the run was not signed.
  package var auditSignedHead: String?
  /// The duration of the run in milliseconds.
  package var elapsedMilliseconds: Int = 0
  /// The number of captured files that were added to the photo library; nil when the manifest adds none.
  package var addedToPhotoLibrary: Int?

  /// Creates the report of a run that has no results yet.
  package init(
    run: String,
    manifestPath: String,
    manifestSHA256: String,
    library: String,
    enforcement: Enforcement,
    enforcementDetail: String,
    exitCode: RunExitCode = .success
  ) {
    self.run = run
    self.manifestPath = manifestPath
    self.manifestSHA256 = manifestSHA256
    self.library = library
    self.enforcement = enforcement
    self.enforcementDetail = enforcementDetail
    self.exitCode = exitCode
  }

  /// A value of ``totals``.
  package subscript<Value>(dynamicMember member: WritableKeyPath<Totals, Value>) -> Value {
    get { totals[keyPath: member] }
    set { totals[keyPath: member] = newValue }
  }

  /// Whether an earlier run has ended every item as this one did, so that what it said need not be said again.
  package var repeatsEarlierRun: Bool {
    let counts = self.counts.filter { $0.value > 0 }
    let before: Set<ItemOutcome> = [.unchanged, .skipped, .refused, .unsupported, .failedBefore]
    return !totals.hasNewItems && exitCode == .success && before.isSuperset(of: counts.keys)
      && (counts[.unchanged] ?? counts[.failedBefore]) != nil
  }

  /// The items of all allowed sources by outcome.
  package var counts: [ItemOutcome: Int] {
    sources.reduce(into: [:]) { totals, source in
      totals.merge(source.counts, uniquingKeysWith: +)
    }
  }
}
