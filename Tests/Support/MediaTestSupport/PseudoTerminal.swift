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
  /// The program at the terminal.
  package let program: RunningProgram

  private let person: Int32
  private var seen = 0
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
    let device = "/dev/pts/\(number)"
    var window = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(person, UInt(TIOCSWINSZ), &window)

    program = try RunningProgram(
      executable,
      arguments,
      environment,
      folder,
      .captured,
      terminal: RunningProgram.Terminal(device: device, showsErrors: showsErrors)
    )
  }

  deinit {
    program.send(SIGKILL)
    close()
  }

  /// Waits until the terminal shows a text behind what was waited for before.
  ///
  /// - Returns: Whether it came, within so many seconds.
  package func shows(_ text: String, seconds: Double = 240) -> Bool {
    let wanted = Array(text.utf8)
    let limit = Date.now.addingTimeInterval(seconds)
    while true {
      if let offset = find(wanted) {
        seen = offset + wanted.count
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
    var remaining = bytes[...]
    while !remaining.isEmpty {
      let count = remaining.withUnsafeBytes { write(person, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      remaining = remaining.dropFirst(count)
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
  package func send(_ signal: Int32) { program.send(signal) }

  /// Whether the terminal shows what is typed and gives it line by line, as shells leave it.
  package var isAsBefore: Bool {
    var modes = termios()
    guard tcgetattr(person, &modes) == 0 else { return false }
    let usual = tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    return modes.c_lflag & usual == usual && modes.c_iflag & tcflag_t(ICRNL) != 0
  }

  /// Whether the program has ended; never waits.
  package func hasEnded() -> Bool { program.hasEnded() }

  /// Waits for the end, at most so long; then the program is killed.
  ///
  /// - Returns: The exit code, or 128 and the signal's number; what it printed.
  package func end(seconds: Double = 240) -> Tool.Result {
    _ = program.end(seconds: seconds) { [self] in
      if !isClosed { _ = readMore(milliseconds: 0) }
    }
    return program.result
  }

  /// What it has printed to a file so far.
  package var output: String { String(decoding: program.output, as: UTF8.self) }

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
