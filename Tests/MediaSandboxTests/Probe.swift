import Foundation
import MediaSandbox
import MediaTestSupport

/// The helper program that confines itself, built beside the tests.
enum Probe {
  /// Whether this kernel can show what the tests look at; without it they are skipped, and say so.
  static let canEnforce = KernelSupport.probe().canEnforce

  static func run(_ arguments: String...) throws -> [String] {
    try run(arguments)
  }

  /// The lines that the program printed.
  static func run(_ arguments: [String]) throws -> [String] {
    try lines(Tool.run(path(), arguments).output)
  }

  /// The lines that the program printed while strace watched it or changed what the kernel answered.
  static func run(
    _ arguments: [String],
    underStrace options: [String],
    log: String = "/dev/null"
  ) throws -> [String] {
    try lines(Tool.run("strace", ["-f", "-o", log] + options + [path()] + arguments).output)
  }

  /// The attempts among what the program printed.
  static func attempts(_ arguments: String...) throws -> [String: Attempt] {
    let text = try run(arguments).filter { $0.contains("\t") }.joined(separator: "\n")
    let attempts = Attempt.attempts(fromLines: text) ?? []
    return Dictionary(attempts.map { ($0.name, $0) }) { first, _ in first }
  }

  static func path() throws -> String { try BuiltProgram.path("sandbox-probe") }

  private static func lines(_ text: String) throws -> [String] {
    text.split(separator: "\n").map(String.init)
  }
}

/// A stage in a folder of its own; both go with the last reference.
final class Stage: Sendable {
  private let temporary = TemporaryFolder()
  let stage: SelfTestStage

  init() throws {
    stage = SelfTestStage(folder: temporary.path)
    try stage.make()
  }

  var folder: String { stage.folder }
}
