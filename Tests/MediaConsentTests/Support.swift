import Foundation
import MediaTestSupport
import Testing

/// The helper program that asks, built beside the tests.
enum Probe {
  static func path() throws -> String { try BuiltProgram.path("consent-probe") }

  /// The program at a terminal of its own.
  static func start(
    _ verb: String,
    _ fields: [String: String] = [:],
    columns: Int = 80,
    rows: Int = 24
  ) throws -> PseudoTerminal {
    // A locale of the one who runs the tests must not decide.
    let all = ["locale": "C.UTF-8"].merging(fields) { $1 }
    return try PseudoTerminal(
      path(),
      [verb] + all.map { "\($0.key)=\($0.value)" }.sorted(),
      columns: columns,
      rows: rows
    )
  }
}

/// What stands before the place to answer.
let answerPlace = "not now): "
