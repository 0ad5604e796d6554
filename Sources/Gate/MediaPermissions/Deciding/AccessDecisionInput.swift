package import MediaManifest
package import MediaModel

/// A status that was stated for one access level.
package struct StatusStatement: Sendable, Hashable {
  package var status: AuthorizationStatus
  /// Its time is over; a denial stays a denial.
  package var isExpired: Bool

  package init(_ status: AuthorizationStatus, isExpired: Bool = false) {
    self.status = status
    self.isExpired = isExpired
  }
}

/// All inputs of a decision, and nothing else, so that it can be explained and
/// repeated.
package struct AccessDecisionInput: Sendable, Hashable {
  /// Whose table decides: nothing in it depends on a source's name.
  package var source: SourceKind
  package var level: AccessLevel = .readWrite
  /// Nil when the manifest has none.
  package var usageDescription: UsageDescription?
  /// The manifest's statements by level; a plain status word means `readWrite`.
  package var manifest: [AccessLevel: StatusStatement] = [:]
  /// The manifest has a word that is no status.
  package var hasUnknownStatusWord = false
  /// Answers of a person that were stored earlier, by level.
  package var stored: [AccessLevel: StatusStatement] = [:]
  /// An organization's policy denies the source.
  package var policyDenies = false
  /// A person picked items for this run.
  package var wasPicked = false
  /// The manifest leaves it to a person to pick items for this run.
  package var mustPick = false
  package var onNotDetermined: NotDeterminedPolicy = .ask
  /// Whether a person can be asked.
  package var canPrompt = false
  /// `unknown` for a source without a path and for one that was not looked at.
  package var availability: Availability = .unknown
}
