import Foundation
import MediaTestSupport
import Testing

/// The helper program that asks, built beside the tests.
enum Probe {
  static func path() throws -> String {
    // Not Bundle.main: with Swift Testing the running program may be a helper of the toolchain, and
    // then the test bundle is among its arguments.
    let candidates = CommandLine.arguments + [ProcessInfo.processInfo.arguments[0]]
    for candidate in candidates {
      var folder = URL(fileURLWithPath: candidate)
      while folder.path != "/" {
        folder.deleteLastPathComponent()
        let program = folder.appendingPathComponent("consent-probe").path
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: program, isDirectory: &isFolder),
          !isFolder.boolValue
        {
          return program
        }
      }
    }
    throw CocoaError(.fileNoSuchFile)
  }

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
