import Foundation
import Glibc
import MediaTestSupport
import Testing

/// A program that runs while the test goes on: it can be stopped, killed and looked at.
///
/// Started with `posix_spawn`, with no signal blocked or ignored, so that what the test process itself
/// does with signals has no part in it.
final class RunningProgram {
  /// Where a program's standard output goes.
  enum Output {
    case captured
    case closed
    /// Into a pipe whose reader is gone.
    case broken
  }

  let pid: pid_t
  private let scratch = TemporaryFolder()
  private var status: Int32?

  init(
    _ executable: String? = nil,
    _ arguments: [String],
    in folder: String,
    output: Output = .captured
  ) throws {
    let program = try executable ?? Scene.executable()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    let create = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(
      &actions,
      STDERR_FILENO,
      scratch.path + "/error",
      create,
      0o600
    )
    var pipeEnds: [Int32] = [-1, -1]
    switch output {
    case .captured:
      posix_spawn_file_actions_addopen(
        &actions,
        STDOUT_FILENO,
        scratch.path + "/output",
        create,
        0o600
      )
    case .closed:
      posix_spawn_file_actions_addclose(&actions, STDOUT_FILENO)
    case .broken:
      pipe(&pipeEnds)
      for end in pipeEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      posix_spawn_file_actions_adddup2(&actions, pipeEnds[1], STDOUT_FILENO)
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    )

    let environment = ProcessInfo.processInfo.environment.merging(Scene.environment(in: folder)) {
      $1
    }
    // The shell goes to the folder and becomes the program, so that its pid is the program's.
    let shell = ["sh", "-c", "cd \"$0\" && exec \"$@\"", folder, program]
    var argv = (shell + arguments).map { strdup($0) }
    argv.append(nil)
    var envp = environment.map { strdup("\($0.key)=\($0.value)") }
    envp.append(nil)
    defer { for text in argv + envp { free(text) } }
    var child: pid_t = 0
    let error = posix_spawn(&child, "/bin/sh", &actions, &attributes, argv, envp)
    for end in pipeEnds where end >= 0 { close(end) }
    guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EIO) }
    pid = child
  }

  deinit {
    if !hasEnded() {
      kill(pid, SIGKILL)
      var status: Int32 = 0
      waitpid(pid, &status, 0)
    }
  }

  /// Whether the program has ended; never waits.
  func hasEnded() -> Bool {
    if status != nil { return true }
    var found: Int32 = 0
    guard waitpid(pid, &found, WNOHANG) == pid else { return false }
    status = found
    return true
  }

  /// Sends a signal to the program, unless it has ended.
  func send(_ signal: Int32) {
    if !hasEnded() { kill(pid, signal) }
  }

  /// Waits for the end, at most so long: then the program is killed, and the test fails.
  @discardableResult
  func wait(
    seconds: Double = 120,
    _ location: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    let limit = Date.now.addingTimeInterval(seconds)
    while !hasEnded() {
      if Date.now > limit {
        kill(pid, SIGCONT)
        kill(pid, SIGKILL)
        while !hasEnded() { usleep(2000) }
        Issue.record("still running after \(seconds) s: \(said)", sourceLocation: location)
        break
      }
      usleep(2000)
    }
    let ended = status ?? 0
    let signal = ended & 0x7F
    return Outcome(
      code: signal == 0 ? ended >> 8 & 0xFF : 128 + signal,
      output: String(decoding: bytes("output"), as: UTF8.self),
      error: String(decoding: bytes("error"), as: UTF8.self)
    )
  }

  /// Whether a signal ended it, once it has.
  var wasKilled: Bool { (status ?? 0) & 0x7F != 0 }

  /// Waits until something is so; false when the program ended or the time was up before.
  func waits(seconds: Double = 20, until isSo: () -> Bool) -> Bool {
    let limit = Date.now.addingTimeInterval(seconds)
    while !isSo() {
      if hasEnded() || Date.now > limit { return false }
      usleep(500)
    }
    return true
  }

  /// The processes that it has started and that have not ended.
  var children: [pid_t] {
    let tasks = "/proc/\(pid)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return threads.flatMap { thread -> [pid_t] in
      let text = (try? String(contentsOfFile: "\(tasks)/\(thread)/children", encoding: .utf8)) ?? ""
      return text.split(separator: " ").compactMap { pid_t($0) }
    }
  }

  /// Both streams together, byte by byte as they were written.
  var saidBytes: [UInt8] { bytes("output") + bytes("error") }
  private var said: String { String(decoding: saidBytes, as: UTF8.self) }

  private func bytes(_ name: String) -> [UInt8] {
    (try? readBytes(scratch.path + "/" + name)) ?? []
  }
}

extension Outcome {
  init(code: Int32, output: String, error: String) {
    self.code = code
    self.output = output
    self.error = error
  }
}

/// How much a test does: more under `MEDIABATCH_TEST_ALL`, which `make test-all` sets.
enum Amount {
  static let isAll = ProcessInfo.processInfo.environment["MEDIABATCH_TEST_ALL"] != nil

  static func of(_ few: Int, all: Int) -> Int { isAll ? all : few }
}

/// A mount namespace of a script's own: what it mounts is gone with it.
enum Namespace {
  static let arguments = getuid() == 0 ? ["-m"] : ["-rm"]

  /// Whether this user may make one and mount a tmpfs in it.
  static let isAvailable: Bool = {
    let result = try? Tool.run(
      "unshare",
      arguments + ["mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    )
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
