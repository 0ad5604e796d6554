internal import Glibc
internal import MediaModel

/// A process of a round: this program again, as `mediabatch run`, with a pipe for its report.
final class RoundProcess {
  let pid: pid_t
  /// The reading end of the pipe, which does not block.
  let pipe: Int32
  /// Whether the process has closed its end, and so is about to end.
  private(set) var isClosed = false
  private var bytes: [UInt8] = []
  private var status: Int32?

  /// The bytes of a report; a process that says more is broken.
  private static let maximumLength = 1 << 20

  /// Starts the program in a process group of its own, so that a signal of the terminal reaches it through
  /// the watch alone.
  ///
  /// - Parameters:
  ///   - program: Its path.
  ///   - arguments: Without its name.
  ///   - sharesOutput: Whether its standard output is this process's, else `/dev/null`.
  /// - Throws: The errno of what failed.
  ///
  /// Source: posix_spawn(3), pipe(2).
  init(
    _ program: [UInt8],
    _ arguments: [[UInt8]],
    sharesOutput: Bool
  ) throws(RoundError) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw RoundError(number: errno) }
    // This is the only thread, so that no other process is started in between.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    if !sharesOutput {
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    }
    // The number may be the pipe's own: then dup2 would leave it closed on exec.
    let writer = fcntl(ends[1], F_DUPFD_CLOEXEC, 10)
    guard writer >= 0 else {
      let number = errno
      for end in ends { close(end) }
      throw RoundError(number: number)
    }
    posix_spawn_file_actions_adddup2(&actions, writer, RoundReport.descriptor)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    var words = ([program] + arguments).map { strdup($0.map { CChar(bitPattern: $0) } + [0]) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var child: pid_t = 0
    let file = program.map { CChar(bitPattern: $0) } + [0]
    let error = posix_spawn(&child, file, &actions, &attributes, words, environ)
    close(ends[1])
    close(writer)
    guard error == 0 else {
      close(ends[0])
      throw RoundError(number: error)
    }
    pid = child
    pipe = ends[0]
  }

  deinit {
    close(pipe)
    if status == nil {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
  }

  /// Asks the process to end; it does so after the current batch.
  func stop(_ signal: Int32) { if status == nil { kill(pid, signal) } }

  /// Reads what has arrived, without waiting.
  ///
  /// - Returns: The end of the process and its report, once it has ended.
  func end() -> (WatchSchedule.End, RoundReport?)? {
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = read(pipe, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      isClosed = isClosed || count == 0
      if count <= 0 { break }
      if bytes.count < Self.maximumLength { bytes += buffer.prefix(count) }
    }
    var waitStatus: Int32 = 0
    guard waitpid(pid, &waitStatus, WNOHANG) == pid else { return nil }
    status = waitStatus
    let signal = waitStatus & 0x7F
    let code = signal == 0 ? RunExitCode(rawValue: waitStatus >> 8 & 0xFF) : nil
    return (code.map { .exited($0) } ?? .broken, RoundReport(bytes))
  }
}

/// A process of a round could not be started.
struct RoundError: Error, Sendable, Hashable {
  /// The errno.
  var number: Int32
}
