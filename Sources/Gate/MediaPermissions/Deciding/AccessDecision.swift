package import MediaModel

/// The consequence of a decision.
package enum AccessDecisionOutcome: Sendable, Hashable {
  /// The source is read, as far as the reason says.
  case proceed
  /// The source stays closed and the run goes on; a refusal is a result, not an error.
  case refuse
  /// The source is allowed, but has nothing to read.
  case notDone
  /// A person has to be asked, and the decision repeated with the answer.
  case ask
  /// The run ends before it opens anything.
  case stop(RunExitCode)

  /// False for a refused source, and for an undecided one.
  package var isAllowed: Bool { self == .proceed || self == .notDone }
}

/// The decision about one source at one level, and the row of the table that gave it.
package struct AccessDecision: Sendable, Hashable {
  /// 1 to 12, as in `docs/permissions.md`.
  package var row: Int
  /// Whether access is allowed; row 9 allows and still reads nothing, see ``outcome``.
  package var verdict: Verdict
  package var reason: DecisionReason
  /// The action of the run; callers act on this alone.
  package var outcome: AccessDecisionOutcome
}
