import Foundation
import MediaTestSupport
import Testing

/// The readers from PyPI that did not write what they read, as `make test-readers` installs them.
enum Readers {
  static let python: String? = {
    let file = project.appendingPathComponent(".build/readers/bin/python").standardized.path
    return FileManager.default.isExecutableFile(atPath: file) ? file : nil
  }()

  static let missing: Comment = "no readers: make test-readers installs them"

  private static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../..")

  private static func script(_ name: String) -> String {
    project.appendingPathComponent("Tests/Readers/\(name).py").standardized.path
  }

  /// Runs a reader that needs no package of PyPI when `python` is another one.
  static func run(
    _ name: String,
    _ arguments: [String],
    python: String? = Readers.python
  ) throws -> Tool.Result {
    try Tool.run(python ?? "python3", [script(name)] + arguments)
  }

  /// What a reader printed; fails the test when it found something that is not as it has to be.
  static func read(
    _ name: String,
    _ arguments: String...,
    python: String? = Readers.python,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let result = try run(name, arguments, python: python)
    try #require(
      result.status == 0,
      "\(name) \(arguments): \(result.output)\(result.error)",
      sourceLocation: sourceLocation
    )
    return result.output
  }
}
