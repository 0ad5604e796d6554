internal import Foundation
internal import Glibc

/// A program that runs while the test goes on: it can be stopped, killed and looked at.
///
/// No signal is blocked or ignored in it, whatever the test process does with signals. Its standard
/// input is empty, its output and error are files, unless it gets a terminal.
package final class RunningProgram {
  /// Where a program's standard output goes.
  package enum Output: Sendable {
    case captured
    case closed
    /// Into a pipe whose reader is gone.
    case broken
  }

  /// A terminal that the program leads a session at.
  struct Terminal {
    /// Opened by the program itself, so that it becomes its controlling terminal.
    var device: String
    /// Whether standard error is the terminal too.
    var showsErrors: Bool
  }

  package let pid: Int32
  private let scratch = TemporaryFolder()
  private var status: Int32?
  private var usage = rusage()

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - executable: An absolute path, or a name on the search path.
  ///   - arguments: Without its name.
  ///   - environment: Added to this process's own.
  ///   - folder: Where it runs; nil for this process's own.
  ///   - output: Where its standard output goes.
  /// - Throws: An error when there is no such program.
  package convenience init(
    _ executable: String,
    _ arguments: [String],
    environment: [String: String],
    in folder: String? = nil,
    output: Output = .captured
  ) throws {
    try self.init(executable, arguments, environment, folder, output, terminal: nil)
  }

  init(
    _ executable: String,
    _ arguments: [String],
    _ environment: [String: String],
    _ folder: String?,
    _ output: Output,
    terminal: Terminal?
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that a session's leader opens becomes the session's (tty_ioctl(4)).
    let input = terminal?.device ?? "/dev/null"
    let inputMode = terminal == nil ? O_RDONLY : O_RDWR
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, inputMode, 0)
    let create = O_WRONLY | O_CREAT | O_TRUNC
    if terminal?.showsErrors == true {
      posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
    } else {
      let file = scratch.path + "/error"
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, file, create, 0o600)
    }
    var pipeEnds: [Int32] = [-1, -1]
    switch output {
    case .captured:
      let file = scratch.path + "/output"
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, file, create, 0o600)
    case .closed:
      posix_spawn_file_actions_addclose(&actions, STDOUT_FILENO)
    case .broken:
      pipe(&pipeEnds)
      for end in pipeEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      posix_spawn_file_actions_adddup2(&actions, pipeEnds[1], STDOUT_FILENO)
    }
    defer { for end in pipeEnds where end >= 0 { close(end) } }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    // POSIX_SPAWN_SETSID, which the C library shows to GNU programs only.
    let ownSession: Int16 = terminal == nil ? 0 : 0x80
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | ownSession
    )

    // The shell goes to the folder and becomes the program, so that its pid is the program's.
    let shell = ["sh", "-c", "cd \"$0\" && exec \"$@\"", folder ?? ".", executable]
    var argv = (shell + arguments).map { strdup($0) }
    argv.append(nil)
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var envp = variables.map { strdup("\($0.key)=\($0.value)") }
    envp.append(nil)
    defer { for text in argv + envp { free(text) } }
    var child: pid_t = 0
    let error = posix_spawn(&child, "/bin/sh", &actions, &attributes, argv, envp)
    guard error == 0 else { throw CocoaError(.fileNoSuchFile) }
    pid = child
  }

  deinit {
    if !hasEnded() {
      kill(pid, SIGKILL)
      reap(options: 0)
    }
  }

  /// Whether the program has ended; never waits.
  package func hasEnded() -> Bool {
    if status == nil { reap(options: WNOHANG) }
    return status != nil
  }

  /// Sends a signal to the program, unless it has ended.
  package func send(_ signal: Int32) {
    if !hasEnded() { kill(pid, signal) }
  }

  /// Whether a signal ended it, once it has.
  package var wasKilled: Bool { (status ?? 0) & 0x7F != 0 }

  /// The processor time that it and the children it has waited for spent, once it has ended.
  package var processorSeconds: Double {
    [usage.ru_utime, usage.ru_stime].reduce(0) { sum, time in
      sum + Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
  }

  /// Waits until something is so; false when the program ended or the time was up before.
  package func waits(seconds: Double = 240, until isSo: () -> Bool) -> Bool {
    let limit = Date.now.addingTimeInterval(seconds)
    while !isSo() {
      // It may have become so between the two looks.
      if hasEnded() || Date.now > limit { return isSo() }
      usleep(500)
    }
    return true
  }

  /// Waits for the end, at most so long: then the program is killed.
  ///
  /// - Parameters:
  ///   - seconds: How long.
  ///   - look: Called about every millisecond, while the program runs.
  /// - Returns: Nil when it was killed for that.
  package func end(seconds: Double, meanwhile look: () -> Void = {}) -> Tool.Result? {
    let limit = Date.now.addingTimeInterval(seconds)
    var isLate = false
    while !hasEnded() {
      look()
      if Date.now > limit, !isLate {
        isLate = true
        kill(pid, SIGCONT)
        kill(pid, SIGKILL)
      }
      usleep(1000)
    }
    return isLate ? nil : result
  }

  /// Its exit code, or 128 and the signal's number, and its output, once it has ended.
  package var result: Tool.Result {
    let ended = status ?? 0
    let signal = ended & 0x7F
    return Tool.Result(
      status: signal == 0 ? ended >> 8 & 0xFF : 128 + signal,
      output: String(decoding: output, as: UTF8.self),
      error: String(decoding: error, as: UTF8.self)
    )
  }

  /// Its standard output so far.
  package var output: [UInt8] { content("output") }
  /// Its standard error so far.
  package var error: [UInt8] { content("error") }

  /// The processes that it has started and that have not ended.
  package var children: [Int32] { Self.children(of: pid) }

  /// The processes that a process has started and that have not ended.
  package static func children(of pid: Int32) -> [Int32] {
    let tasks = "/proc/\(pid)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return threads.flatMap { thread -> [Int32] in
      let text = (try? String(contentsOfFile: "\(tasks)/\(thread)/children", encoding: .utf8)) ?? ""
      return text.split(separator: " ").compactMap { Int32($0) }
    }
  }

  /// Whether a process, also one that is no child of this one, has ended with all of its threads, so that its
  /// files are closed. Source: proc_pid_stat(5).
  package static func hasEnded(_ pid: Int32) -> Bool {
    let tasks = "/proc/\(pid)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return threads.allSatisfy { thread in
      let status = try? String(contentsOfFile: "\(tasks)/\(thread)/stat", encoding: .utf8)
      guard let status, let nameEnd = status.lastIndex(of: ")") else { return true }
      // A zombie has ended; whoever inherited it may be slow to notice.
      return status[nameEnd...].hasPrefix(") Z")
    }
  }

  /// A figure of a process in bytes, such as `VmHWM`, the most memory that it ever had; 0 when the
  /// process is gone, or shares the memory of this one until it is the program that was asked for.
  ///
  /// Source: proc_pid_status(5); vfork(2).
  package static func memory(_ key: String, of pid: Int32) -> Int {
    let files = FileManager.default
    let program = try? files.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")
    guard let program, program != (try? files.destinationOfSymbolicLink(atPath: "/proc/self/exe")),
      let text = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix(key + ":") })
    else { return 0 }
    return (line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first ?? 0) * 1024
  }

  private func content(_ name: String) -> [UInt8] {
    (try? readBytes(scratch.path + "/" + name)) ?? []
  }

  private func reap(options: Int32) {
    var count: Int32 = 0
    if wait4(pid, &count, options, &usage) == pid { status = count }
  }
}
