/// The results of trying to escape confinement, as the self-test printed them.
package struct EnforcementTrial: Sendable {
  /// The kinds of process that are tried.
  package static let kinds = [
    "coordinator", "worker", "times", "watcher", "viewer", "page", "camera",
  ]

  /// The attempts of each kind of process, in order; empty when it could not be confined.
  package private(set) var attempts: [String: [Attempt]] = [:]
  /// Why there are no attempts, as the process said it; empty when there are.
  package private(set) var problem = ""
  private let hasEndedWell: Bool

  /// Reads what the self-test printed.
  ///
  /// - Parameters:
  ///   - text: Its standard output: a line for each attempt, after the kind and a tab.
  ///   - error: Its standard error, which says why it ended early.
  ///   - hasEndedWell: Whether it ended by itself, with 0.
  package init(output text: String, error: String, hasEndedWell: Bool) {
    self.hasEndedWell = hasEndedWell
    for kind in Self.kinds {
      let lines = text.split(separator: "\n").filter { $0.hasPrefix(kind + "\t") }
        .map { $0.dropFirst(kind.utf8.count + 1) }
      attempts[kind] = Attempt.attempts(fromLines: lines.joined(separator: "\n")) ?? []
    }
    if !hasEndedWell { problem = error.split(separator: "\n").joined(separator: " ") }
  }

  /// Whether all kinds tried and were refused everything.
  package var isHeld: Bool {
    hasEndedWell
      && Self.kinds.allSatisfy { kind in
        attempts[kind]?.isEmpty == false && refused(kind) == attempts[kind]?.count
      }
  }

  /// Returns the number of refused attempts of one kind of process.
  package func refused(_ kind: String) -> Int {
    attempts[kind, default: []].count(where: \.refused)
  }
}
