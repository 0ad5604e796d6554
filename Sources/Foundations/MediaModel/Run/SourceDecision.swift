/// The decision about one source, and the row of the decision table that made it.
///
/// The log, the summary of a run and each report are written from this one value.
package struct SourceDecision: Sendable, Hashable {
  package var source = SourceID.camera
  package var authorizationStatus = AuthorizationStatus.notDetermined
  package var accessLevel = AccessLevel.readWrite
  /// Nil while nothing has looked, since a refused source is never looked at.
  package var availability: Availability?
  package var verdict = Verdict.refuse
  package var reason = DecisionReason.notDetermined
  /// 1-based row of the decision table.
  package var row: Int?
  /// `policy`, `manifest`, `storedAnswer` or `picking`; nil when it is undecided.
  package var decidedBy: String?
  /// `userConsent`, `picker` or `userSet`: how a person answered or picked; nil when nobody did.
  package var basis: String?
  /// The manifest's signature that the run verified, if the decision rests on it; nil for any other.
  package var signature: ManifestSignature?
  package var usageKey = ""
  /// SHA-256 of the usage description's UTF-8 bytes, hexadecimal; nil when the manifest has none.
  package var usageTextSHA256: String?
  /// The usage description in force, of which a record keeps 500 characters: in the language that the person was shown
  /// who answered, else the first that the manifest gives.
  package var usageText: String?
  /// Its language, a tag of BCP 47; nil where the manifest does not say it.
  package var usageTextLanguage: String?
  /// Whether the run stops when the source is refused or missing.
  package var required = false

  /// Creates a decision of which nothing is known yet.
  package init() {}

  /// Whether anything was read from it.
  package var isRead: Bool { verdict == .allow && reason != .unavailable }

  /// Whether it is why its run could not do what the manifest promised.
  package var isFailure: Bool { required && !isRead }
}
