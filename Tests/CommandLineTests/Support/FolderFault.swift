import MediaTestSupport
import Testing

/// System calls that fail in a command which makes a folder, as they do on a file system that lacks them.
struct FolderFault: CustomTestStringConvertible {
  /// The calls with the name of their error, each as strace takes it: every one fails, unless it says `:when=`.
  var calls: [String]
  var testDescription: String

  init(_ description: String, _ calls: String...) {
    (testDescription, self.calls) = (description, calls)
  }
}

extension Scene {
  /// Runs a command in which system calls fail.
  func command(_ arguments: [String], with fault: FolderFault) throws -> Outcome {
    let names = fault.calls.compactMap { $0.split(separator: ":").first }
    let result = try Tool.run(
      "strace",
      [
        // With --seccomp-bpf no SIGKILL arrives.
        "-f", "-qq", "-e", "trace=" + names.joined(separator: ","),
        "-e", "signal=none", "-o", "/dev/null",
      ] + fault.calls.flatMap { ["-e", "inject=" + $0] } + [try Scene.executable()] + arguments,
      environment: Scene.environment(in: path),
      in: path
    )
    let outcome = Outcome(result)
    try Scene.expectValidBag(of: arguments, outcome, in: path)
    return outcome
  }
}
