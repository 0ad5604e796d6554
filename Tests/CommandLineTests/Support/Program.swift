import Foundation
import Glibc
import MediaTestSupport
import Testing

extension RunningProgram {
  /// Starts mediabatch, or another program, with the environment of a scene.
  convenience init(
    _ executable: String?,
    _ arguments: [String],
    in folder: String,
    output: Output = .captured
  ) throws {
    try self.init(
      try executable ?? Scene.executable(),
      arguments,
      environment: Scene.environment(in: folder),
      in: folder,
      output: output
    )
  }

  /// Waits for the end, at most so long: then the program is killed, and the test fails.
  @discardableResult
  func wait(
    seconds: Double = 240,
    _ location: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    if end(seconds: seconds) == nil {
      Issue.record("still running after \(seconds) s: \(result)", sourceLocation: location)
    }
    return Outcome(result)
  }

  /// Waits for the end, and gives the most memory that the program itself and any of its workers
  /// ever had, in bytes.
  func waitMeasuring(
    _ location: SourceLocation = #_sourceLocation
  ) throws -> (outcome: Outcome, memory: Int, workerMemory: Int) {
    var (most, mostOfWorkers) = (0, 0)
    let ended = end(seconds: 240) { [self] in
      most = max(most, Self.memory("VmHWM", of: pid))
      for worker in children {
        mostOfWorkers = max(mostOfWorkers, Self.memory("VmHWM", of: worker))
      }
    }
    try #require(ended != nil, "still running: \(result)", sourceLocation: location)
    return (Outcome(result), most, mostOfWorkers)
  }

  /// Both streams together, byte by byte as they were written.
  var streamBytes: [UInt8] { output + error }
}

/// A mount namespace of a script's own: what it mounts is gone with it.
enum Namespace {
  static let arguments = getuid() == 0 ? ["-m"] : ["-rm"]

  /// Whether this user may make one and mount a tmpfs in it.
  static let isAvailable: Bool = {
    let result = try? Tool.run("unshare", arguments + ["mount", "-t", "tmpfs", "tmpfs", "/mnt"])
    return result?.status == 0
  }()

  /// Runs a bash script in a new one; `$mediabatch` is the program.
  static func run(_ script: String, in folder: String) throws -> Outcome {
    Outcome(
      try Tool.run(
        "unshare",
        arguments + ["--propagation", "private", "bash", "-c", script],
        environment: Scene.environment(in: folder).merging(
          ["mediabatch": try Scene.executable()]) { $1 },
        in: folder
      )
    )
  }
}
