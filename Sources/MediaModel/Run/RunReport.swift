/// What a run did: all that its summary, in any format, is made from.
package struct RunReport: Sendable, Hashable {
  package struct Source: Sendable, Hashable {
    package var source: SourceKind
    package var availability: Availability
    package var authorizationStatus: AuthorizationStatus
    package var accessLevel: AccessLevel
    package var verdict: Verdict
    package var reason: DecisionReason
    package var required: Bool
    /// The manifest's own words for the folder; nil when the source has none.
    package var path: String?
    /// Items of this source by outcome; empty for a refused source, which adds nothing to any count.
    package var counts: [ItemOutcome: Int]

    package init(
      source: SourceKind,
      availability: Availability,
      authorizationStatus: AuthorizationStatus,
      accessLevel: AccessLevel,
      verdict: Verdict,
      reason: DecisionReason,
      required: Bool,
      path: String?,
      counts: [ItemOutcome: Int] = [:]
    ) {
      self.source = source
      self.availability = availability
      self.authorizationStatus = authorizationStatus
      self.accessLevel = accessLevel
      self.verdict = verdict
      self.reason = reason
      self.required = required
      self.path = path
      self.counts = counts
    }
  }

  package struct Failure: Sendable, Hashable {
    package var source: SourceKind
    package var path: ItemPath
    package var step: ItemStep
    package var reason: ItemReason
    /// What happened and what to do, for a person; already escaped.
    package var message: String

    package init(
      source: SourceKind,
      path: ItemPath,
      step: ItemStep,
      reason: ItemReason,
      message: String
    ) {
      self.source = source
      self.path = path
      self.step = step
      self.reason = reason
      self.message = message
    }
  }

  /// Something about the whole run that a person should know.
  package struct Problem: Sendable, Hashable {
    package var code: ProblemCode
    package var message: String

    package init(code: ProblemCode, message: String) {
      self.code = code
      self.message = message
    }
  }

  package var run: String
  package var manifestPath: String
  package var manifestSHA256: String
  package var library: String
  package var enforcement: Enforcement
  /// What the kernel enforces with, such as `Landlock ABI 7, seccomp`.
  package var enforcementDetail: String
  package var exitCode: RunExitCode
  package var problems: [Problem] = []
  package var sources: [Source] = []
  /// Items found in allowed sources; the sum of all outcomes.
  package var discovered: Int = 0
  package var failures: [Failure] = []
  /// Relative to the library; nil when no log was written.
  package var auditFile: String?
  package var auditRecords: Int = 0
  /// SHA-256 of the last record, hexadecimal.
  package var auditHead: String = ""
  /// Records of the library's whole log, and the root of their tree, hexadecimal.
  package var auditSize: Int = 0
  package var auditRoot: String = ""
  /// The signed head as it stands beside the audit file; nil when nobody signed.
  package var auditSignedHead: String?
  package var elapsedMilliseconds: Int = 0
  /// Live photos and pairs that were published without a half that they had.
  package var degraded: Int = 0
  package var thumbnails: Int = 0

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

  /// Items of all allowed sources by outcome.
  package var counts: [ItemOutcome: Int] {
    sources.reduce(into: [:]) { totals, source in
      totals.merge(source.counts, uniquingKeysWith: +)
    }
  }
}
