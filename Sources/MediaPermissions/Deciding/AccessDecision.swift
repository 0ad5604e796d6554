package import MediaModel

/// What follows from a decision.
package enum AccessDecisionOutcome: Sendable, Hashable {
  /// The source is read, as far as the reason says.
  case proceed
  /// The source stays closed and the run goes on; a refusal is a result, not an error.
  case refuse
  /// Allowed, but there is nothing to read.
  case notDone
  /// A person has to be asked; then it is decided again with the answer.
  case ask
  /// Nothing is opened and the run ends.
  case stop(RunExitCode)

  /// False for all that nobody has allowed, undecided as well as refused.
  package var isAllowed: Bool { self == .proceed || self == .notDone }
}

/// What was decided about one source at one level, and by which row of the table.
package struct AccessDecision: Sendable, Hashable {
  /// 1 to 12, as in `docs/manifest.md`.
  package var row: Int
  /// Whether access is allowed; row 9 allows and still reads nothing, see ``outcome``.
  package var verdict: Verdict
  package var reason: DecisionReason
  /// What the run does; the only thing to act on.
  package var outcome: AccessDecisionOutcome

  package init(row: Int, verdict: Verdict, reason: DecisionReason, outcome: AccessDecisionOutcome) {
    self.row = row
    self.verdict = verdict
    self.reason = reason
    self.outcome = outcome
  }
}
