internal import Foundation

/// `mediabatch-verify`, the second implementation of logs, proofs and libraries, in Python.
package enum Verifier {
  private static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../..")

  /// The path of a file of the project.
  ///
  /// - Parameter name: The path below the project's folder.
  /// - Returns: The absolute path.
  package static func path(_ name: String) -> String {
    project.appendingPathComponent(name).standardized.path
  }

  /// The program itself.
  package static let program = path("packaging/mediabatch-verify")

  /// Runs it with Python's standard library alone.
  ///
  /// - Parameters:
  ///   - arguments: Its words.
  ///   - folder: Where it runs; nil for this process's own.
  /// - Returns: Its exit status and what it printed.
  /// - Throws: An error when python3 cannot be started.
  package static func run(_ arguments: [String], in folder: String? = nil) throws -> Tool.Result {
    try Tool.run("python3", ["-I", "-S", "-B", compiled.file] + arguments, in: folder)
  }

  /// The program, compiled once: Python compiles a program anew at each start, which takes three times as long as the
  /// rest of one.
  private static let compiled: (folder: TemporaryFolder, file: String) = {
    let folder = TemporaryFolder()
    let file = folder.path + "/mediabatch-verify.pyc"
    let compile = "import py_compile, sys; py_compile.compile(sys.argv[1], sys.argv[2], doraise=True)"
    let result = try? Tool.run("python3", ["-I", "-S", "-B", "-c", compile, program, file])
    return (folder, result?.status == 0 ? file : program)
  }()

  /// Checks a proof or an export.
  ///
  /// - Parameters:
  ///   - file: The path of the proof.
  ///   - trusted: `SIZE:ROOT`, a root, the path of a signed head, or a key.
  /// - Returns: Its exit status, 0 when it holds, and what it printed.
  /// - Throws: An error when python3 cannot be started.
  package static func proof(_ file: String, _ trusted: String) throws -> Tool.Result {
    try run(["proof", file, trusted])
  }
}
