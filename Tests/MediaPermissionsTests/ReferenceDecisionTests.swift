import Foundation
import MediaManifest
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaPermissions

/// The decider against the reference, over the whole space of what a decision rests on.
@Suite("The decider is the table")
struct ReferenceDecisionTests {
  /// Every status, and what can expire also expired; nil is nobody's word.
  private static let statements: [StatusStatement?] =
    [nil, StatusStatement(.notDetermined), StatusStatement(.restricted)]
    + [AuthorizationStatus.denied, .authorized, .limited].flatMap {
      [StatusStatement($0), StatusStatement($0, isExpired: true)]
    }

  private static let descriptions: [UsageDescription?] = [
    .text("Why."), nil, .text(" \u{A0}\t"), .notAString,
  ]

  /// The axes of an input: how many values each has.
  private static let sizes = [
    SourceKind.allCases.count, AccessLevel.allCases.count, descriptions.count, statements.count,
    statements.count, statements.count, statements.count, 2, 2, 2, 2,
    NotDeterminedPolicy.allCases.count, 2, 3,
  ]

  /// The input of a number, whose digits are the axes of the space.
  private static func input(_ number: Int) -> AccessDecisionInput {
    var remaining = number
    let digits = sizes.map { size in
      defer { remaining /= size }
      return remaining % size
    }
    func stated(_ readWrite: Int, _ addOnly: Int) -> [AccessLevel: StatusStatement] {
      var pair: [AccessLevel: StatusStatement] = [:]
      pair[.readWrite] = statements[readWrite]
      pair[.addOnly] = statements[addOnly]
      return pair
    }
    var input = AccessDecisionInput(
      source: SourceKind.allCases[digits[0]],
      level: AccessLevel.allCases[digits[1]],
      usageDescription: descriptions[digits[2]],
      manifest: stated(digits[3], digits[5]),
      hasUnknownStatusWord: digits[7] == 1,
      stored: stated(digits[4], digits[6]),
      policyDenies: digits[8] == 1,
      wasPicked: digits[9] == 1,
      onNotDetermined: NotDeterminedPolicy.allCases[digits[11]],
      canPrompt: digits[12] == 1,
      availability: [.available, .unavailable, .unknown][digits[13]]
    )
    input.mustPick = digits[10] == 1
    return input
  }

  private static func text(_ decision: AccessDecision) -> String {
    let end =
      switch decision.outcome {
      case .proceed: "proceed"
      case .refuse: "refuse"
      case .notDone: "notDone"
      case .ask: "ask"
      case .stop(let code): "stop \(code.rawValue)"
      }
    return "\(decision.row) \(decision.reason.rawValue) \(end)"
  }

  /// Compares for each of `numbers`, and shows the first ten that differ.
  private func compare(_ numbers: some Sequence<Int>) -> (count: Int, rows: Set<Int>) {
    var rows: Set<Int> = []
    var differences = 0
    var count = 0
    for number in numbers {
      let input = Self.input(number)
      let decision = AccessDecision.decide(input)
      let wanted = ReferenceDecider.decide(input)
      count += 1
      rows.insert(decision.row)
      let isOpen = decision.outcome == .proceed || decision.outcome == .notDone
      if Self.text(decision) != wanted || isOpen != (decision.verdict == .allow) {
        differences += 1
        if differences <= 10 {
          Issue.record("\(Self.text(decision)), not \(wanted), for \(input)")
        }
      }
    }
    #expect(differences == 0)
    return (count, rows)
  }

  /// The numbers of the space on some of its axes; on the others the digit is that of `origin`.
  private func numbers(on axes: [Int], origin: Int, step: Int) -> some Sequence<Int> {
    let total = axes.reduce(1) { $0 * Self.sizes[$1] }
    let weights = Self.sizes.indices.map { Self.sizes[..<$0].reduce(1, *) }
    return stride(from: 0, to: total, by: step).lazy.map { number in
      var remaining = number
      return axes.reduce(origin) { sum, axis in
        defer { remaining /= Self.sizes[axis] }
        return sum + remaining % Self.sizes[axis] * weights[axis]
      }
    }
  }

  /// Every place under `MEDIABATCH_TEST_ALL`, else one in so many; prime, so that all pairs meet.
  private func step(_ few: Int) -> Int {
    !Amount.isAll ? few : 1
  }

  @Test("Everything that can be said of one level decides as the table does")
  func oneLevel() {
    // Nothing is said of adding: what is said of both levels is the next test's.
    let axes = Array(Self.sizes.indices).filter { $0 != 5 && $0 != 6 }
    let (count, rows) = compare(numbers(on: axes, origin: 0, step: step(5)))
    #expect(count > 100_000)
    // Row 7 needs a word about the other level.
    #expect(rows == Set(1...12).subtracting([7, 10]))
  }

  @Test("What is said of both levels of the photo library decides as the table does")
  func bothLevels() {
    // The photo library, with a usage description.
    let axes = [1, 3, 4, 5, 6, 8, 9, 11, 12, 13]
    let (count, rows) = compare(numbers(on: axes, origin: 1, step: step(5)))
    #expect(count > 150_000)
    #expect(rows == Set(2...12).subtracting([10]))
  }
}
