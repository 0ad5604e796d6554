import CInProcess
import Foundation
import Glibc
import MediaSandbox
import MediaTestSupport
import MediaWorker
import Testing

@testable import MediaCommands

/// Whether the commands of a test are processes of their own, as a person starts them, or are performed in the process
/// of the test: there nothing is confined, and workers are threads.
///
/// What is about processes, their ends, rights, limits and streams needs processes: its suite has the trait
/// ``Testing/Trait/ownProcesses``.
enum InProcess {
  @TaskLocal static var isOff =
    ProcessInfo.processInfo.environment["MEDIABATCH_OWN_PROCESSES"] != nil

  /// The commands that try the confinement of processes.
  static let aboutProcesses: Set = ["doctor", "self-test"]

  /// Performs a command line in this process.
  ///
  /// - Parameters:
  ///   - arguments: Without the name of the program.
  ///   - environment: Added to this process's own.
  ///   - folder: Where it runs.
  /// - Returns: What it left.
  /// - Throws: An error when there is no such folder, or no program that the command could start anew.
  static func perform(
    _ arguments: [String],
    environment: [String: String],
    in folder: String
  ) throws -> Outcome {
    try lock.withLock {
      let program = try BuiltProgram.path("mediabatch")
      let surroundings = try Surroundings(environment, in: folder)
      let code = program.withCString { program in
        cinprocess_begin(program, serve, serves)
        defer { cinprocess_end() }
        return Mediabatch.perform(arguments.map { Array($0.utf8) })
      }
      let (output, error) = surroundings.end()
      return Outcome(
        code: code,
        output: String(decoding: output, as: UTF8.self),
        error: String(decoding: error, as: UTF8.self)
      )
    }
  }

  private static let lock = NSLock()

  private static let serve: cinprocess_serve = { name, socket in
    guard let name else { return WorkerLoop.run(over: socket) }
    return Mediabatch.serve(String(cString: name), over: socket) ?? -1
  }

  /// The services that serve over any socket, and need no rights of their own.
  private static let serves: @convention(c) (UnsafePointer<CChar>?) -> Int32 = { name in
    name.map { String(cString: $0) == FileTimesService.Terms.argument } == true ? 1 : 0
  }
}

/// What a process has of its own and a command changes: folder, environment, streams, signals.
private struct Surroundings {
  private let folder: Int32
  private var variables: [(name: String, value: String?)] = []
  private var streams: [Int32] = []
  private let (output, error): (Int32, Int32)
  private var mask = sigset_t()
  private var actions: [(signal: Int32, action: sigaction)] = []
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ]

  init(_ environment: [String: String], in folder: String) throws {
    self.folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    try #require(chdir(folder) == 0)
    for (name, value) in environment {
      variables.append((name, getenv(name).map { String(cString: $0) }))
      setenv(name, value, 1)
    }
    tzset()
    sigprocmask(SIG_SETMASK, nil, &mask)
    for signal in Self.signals {
      var action = sigaction()
      sigaction(signal, nil, &action)
      actions.append((signal, action))
    }
    for signal in [SIGPIPE, SIGXFSZ] { Glibc.signal(signal, SIG_IGN) }
    fflush(nil)
    streams = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].map { fcntl($0, F_DUPFD_CLOEXEC, 64) }
    (output, error) = (cinprocess_file(), cinprocess_file())
    let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
    dup2(input, STDIN_FILENO)
    dup2(output, STDOUT_FILENO)
    dup2(error, STDERR_FILENO)
    close(input)
  }

  /// Puts everything back, and returns what was written to both streams.
  func end() -> (output: [UInt8], error: [UInt8]) {
    fflush(nil)
    for (stream, saved) in streams.enumerated() {
      dup2(saved, Int32(stream))
      close(saved)
    }
    for (signal, var action) in actions { sigaction(signal, &action, nil) }
    var mask = mask
    sigprocmask(SIG_SETMASK, &mask, nil)
    for (name, value) in variables {
      if let value { setenv(name, value, 1) } else { unsetenv(name) }
    }
    tzset()
    fchdir(folder)
    close(folder)
    defer {
      close(output)
      close(error)
    }
    return (Self.content(output), Self.content(error))
  }

  private static func content(_ file: Int32) -> [UInt8] {
    var status = stat()
    guard fstat(file, &status) == 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    return Array(bytes.prefix(max(0, count)))
  }
}

/// The commands of a suite or test are processes of their own.
struct OwnProcesses: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try await InProcess.$isOff.withValue(true, operation: function)
  }
}

extension Trait where Self == OwnProcesses {
  /// See ``InProcess``.
  static var ownProcesses: Self { Self() }
}
