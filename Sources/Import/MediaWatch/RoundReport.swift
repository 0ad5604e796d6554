package import MediaSyntax

/// The report of a process of a round to the watch that started it, over a pipe, as its last act.
package struct RoundReport: Sendable, Hashable {
  /// The descriptor of the pipe in that process.
  package static let descriptor: Int32 = 3

  /// The digest of the files that a run would open, in the report of a look; 0 for none.
  package var pending: Int64 = 0
  /// The nanoseconds until the first of the files that may still be written can have settled, if known.
  package var settlesIn: Int64?
  /// Whether files were left out because they may still be written.
  package var isChanging = false
  /// The number of items of each outcome, in the report of a run.
  package var counts: [String: Int] = [:]
  /// The messages for a person.
  package var problems: [String] = []

  /// Makes the report of a process that has found nothing.
  package init() {}

  /// The report as one JSON object.
  package var object: JSONValue {
    [
      "pending": .integer(pending),
      "settlesIn": settlesIn.map { .integer($0) } ?? .null,
      "isChanging": .bool(isChanging),
      "counts": .object(counts.mapValues { JSONValue($0) }),
      "problems": .array(problems.map { .string($0) }),
    ]
  }

  /// Reads what ``object`` wrote; nil for anything else.
  package init?(_ bytes: [UInt8]) {
    guard let members = CanonicalJSON.members(of: bytes),
      case .integer(let pending)? = members["pending"],
      case .bool(let isChanging)? = members["isChanging"],
      case .object(let counts)? = members["counts"],
      case .array(let problems)? = members["problems"]
    else { return nil }
    self.pending = pending
    self.isChanging = isChanging
    if case .integer(let settlesIn)? = members["settlesIn"] { self.settlesIn = settlesIn }
    self.counts = counts.compactMapValues {
      if case .integer(let count) = $0 { Int(count) } else { nil }
    }
    self.problems = problems.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  /// The line for a person about a run; nil for one that had nothing to do.
  package var line: String? {
    let outcomes = ["imported", "duplicate", "failed", "refused", "unsupported"].compactMap {
      outcome in
      counts[outcome].flatMap { $0 > 0 ? "\(outcome) \($0)" : nil }
    }
    let waiting = isChanging ? ["waiting for files that may still be written"] : []
    return outcomes.isEmpty && waiting.isEmpty ? nil : (outcomes + waiting).joined(separator: ", ")
  }
}
