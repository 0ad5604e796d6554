internal import Foundation
internal import Glibc

/// A program at a terminal of its own, of which this is the person: what is shown can be waited for,
/// and typed at.
///
/// The program leads a session whose controlling terminal it is, so `/dev/tty` and Ctrl-C work as they
/// do for a person. Its standard output and error are files unless the terminal is asked for.
package final class PseudoTerminal {
  /// Everything that the terminal was sent so far.
  package private(set) var shown: [UInt8] = []
  package let pid: Int32

  private let person: Int32
  private let device: String
  private let scratch = TemporaryFolder()
  private var seen = 0
  private var status: Int32?
  private var isClosed = false

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - executable: An absolute path.
  ///   - arguments: Without its name.
  ///   - environment: Added to this process's own.
  ///   - folder: Where it runs; nil for this process's own.
  ///   - columns: The terminal's width.
  ///   - rows: The terminal's height.
  ///   - showsErrors: Whether standard error is the terminal.
  /// - Throws: An error when there is no terminal to be had, or no such program.
  package init(
    _ executable: String,
    _ arguments: [String],
    environment: [String: String] = [:],
    in folder: String? = nil,
    columns: Int = 80,
    rows: Int = 24,
    showsErrors: Bool = false
  ) throws {
    person = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // TIOCSPTLCK and TIOCGPTN (ioctl_tty(2)), which Swift cannot see: unlocked, and its number.
    var locked: Int32 = 0
    var number: Int32 = 0
    guard person >= 0, ioctl(person, 0x4004_5431, &locked) == 0,
      ioctl(person, 0x8004_5430, &number) == 0
    else { throw CocoaError(.fileReadUnknown) }
    device = "/dev/pts/\(number)"
    var window = winsize(
      ws_row: UInt16(rows),
      ws_col: UInt16(columns),
      ws_xpixel: 0,
      ws_ypixel: 0
    )
    _ = ioctl(person, UInt(TIOCSWINSZ), &window)

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that a session's leader opens becomes the session's (tty_ioctl(4)).
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, device, O_RDWR, 0)
    let create = O_WRONLY | O_CREAT | O_TRUNC
    let output = scratch.path + "/output"
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, create, 0o600)
    if showsErrors {
      posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
    } else {
      let error = scratch.path + "/error"
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, error, create, 0o600)
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
    // POSIX_SPAWN_SETSID, which the C library shows to GNU programs only.
    let ownSession: Int16 = 0x80
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
      Glibc.kill(pid, SIGKILL)
      var ended: Int32 = 0
      waitpid(pid, &ended, 0)
    }
    close()
  }

  /// Waits until the terminal shows a text behind what was waited for before.
  ///
  /// - Returns: Whether it came, within so many seconds.
  package func shows(_ text: String, seconds: Double = 20) -> Bool {
    let wanted = Array(text.utf8)
    let limit = Date.now.addingTimeInterval(seconds)
    while true {
      if let place = find(wanted) {
        seen = place + wanted.count
        return true
      }
      if Date.now > limit || (hasEnded() && !readMore(milliseconds: 0)) { return false }
      _ = readMore(milliseconds: 50)
    }
  }

  /// Types a text as it is: Enter is `\r`, Ctrl-C `\u{3}`, Ctrl-D `\u{4}`.
  package func type(_ text: String) {
    type(bytes: Array(text.utf8))
  }

  /// Types bytes, which need not be text.
  package func type(bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(person, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Everything that was shown so far, as text.
  package var text: String {
    while readMore(milliseconds: 0) {}
    return String(decoding: shown, as: UTF8.self)
  }

  /// Closes the terminal, as when its window is closed.
  package func close() {
    if !isClosed { Glibc.close(person) }
    isClosed = true
  }

  /// Sends the program a signal, unless it has ended.
  package func send(_ signal: Int32) {
    if !hasEnded() { Glibc.kill(pid, signal) }
  }

  /// Whether the terminal shows what is typed and gives it line by line, as shells leave it.
  package var isAsBefore: Bool {
    var modes = termios()
    guard tcgetattr(person, &modes) == 0 else { return false }
    let usual = tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    return modes.c_lflag & usual == usual && modes.c_iflag & tcflag_t(ICRNL) != 0
  }

  /// Whether the program has ended; never waits.
  package func hasEnded() -> Bool {
    if status != nil { return true }
    var found: Int32 = 0
    guard waitpid(pid, &found, WNOHANG) == pid else { return false }
    status = found
    return true
  }

  /// Waits for the end, at most so long; then the program is killed.
  ///
  /// - Returns: The exit code, or 128 and the signal's number; what it printed.
  package func end(seconds: Double = 20) -> Tool.Result {
    let limit = Date.now.addingTimeInterval(seconds)
    while !hasEnded() {
      if Date.now > limit { Glibc.kill(pid, SIGKILL) }
      if isClosed { usleep(2000) } else { _ = readMore(milliseconds: 5) }
    }
    let ended = status ?? 0
    let signal = ended & 0x7F
    return Tool.Result(
      status: signal == 0 ? ended >> 8 & 0xFF : 128 + signal,
      output: content("output"),
      error: content("error")
    )
  }

  /// What it has printed to a file so far.
  package var output: String { content("output") }

  private func content(_ name: String) -> String {
    String(decoding: (try? readBytes(scratch.path + "/" + name)) ?? [], as: UTF8.self)
  }

  private func find(_ wanted: [UInt8]) -> Int? {
    guard !wanted.isEmpty, shown.count >= seen + wanted.count else { return nil }
    return (seen...(shown.count - wanted.count)).first { shown[$0...].starts(with: wanted) }
  }

  /// - Returns: Whether anything came.
  private func readMore(milliseconds: Int32) -> Bool {
    guard !isClosed else { return false }
    var entry = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(person, &buffer, buffer.count)
    // EIO: nobody has the terminal open any more.
    guard count > 0 else { return false }
    shown += buffer.prefix(count)
    return true
  }
}
