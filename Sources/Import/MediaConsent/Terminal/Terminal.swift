internal import Glibc
internal import MediaFileSystem
internal import MediaModel
package import MediaPicking

/// The terminal at which a person sits, opened by itself: standard input and output may be files.
///
/// While somebody is asked it shows what is typed only as we show it, and Ctrl-C is a byte. Its modes
/// are restored on every way out, also by a signal: these are held back until then. Belongs to one
/// thread, the main one.
package final class Terminal {
  /// This process's controlling terminal. Source: tty(4).
  package static let controlling = [UInt8]("/dev/tty".utf8)

  let device: Descriptor
  private let original: termios
  private let localeIsUTF8: Bool

  /// Opens a terminal for reading and writing; nothing is written and no mode is changed yet.
  ///
  /// - Parameters:
  ///   - path: Of a terminal device.
  ///   - environment: `LC_ALL`, `LC_CTYPE` and `LANG` say whether it shows UTF-8, if its own modes
  ///     do not.
  /// - Throws: `.noTerminal`; `.notInForeground`, where reading would stop this process.
  ///
  /// Source: tty(4), tcgetattr(3), tcgetpgrp(3).
  package init(
    path: [UInt8] = Terminal.controlling,
    environment: [String: String] = [:]
  ) throws(ConsentError) {
    let opened = path.withCString { open($0, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK) }
    guard opened >= 0 else { throw ConsentError(.noTerminal) }
    device = Descriptor(owning: opened, path: path)
    var modes = termios()
    guard tcgetattr(opened, &modes) == 0 else { throw ConsentError(.noTerminal) }
    original = modes
    let foreground = tcgetpgrp(opened)
    guard foreground == getpgrp() else {
      throw ConsentError(foreground < 0 ? .noTerminal : .notInForeground)
    }
    localeIsUTF8 = Self.isUTF8(environment)
  }

  /// Columns and rows, at least 40 and 10; 80 and 24 where the terminal does not say.
  ///
  /// Source: TIOCGWINSZ, ioctl_tty(2).
  var size: (columns: Int, rows: Int) {
    var window = winsize()
    guard ioctl(device.raw, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else { return (80, 24) }
    return (min(max(Int(window.ws_col), 40), 200), min(max(Int(window.ws_row), 10), 200))
  }

  /// Whether bytes beyond ASCII may be sent: by the locale, or because the terminal's own line editing
  /// erases UTF-8. Source: IUTF8, termios(3).
  var isUTF8: Bool {
    localeIsUTF8 || original.c_iflag & tcflag_t(IUTF8) != 0
  }

  /// Runs `body` while the terminal is ours to ask at; then its modes are what they were, and what was
  /// typed and not read is gone.
  ///
  /// - Throws: `.noTerminal` when the modes cannot be set: it was closed, or is not ours any more.
  func whileAsking<Answer>(
    _ body: (inout TerminalStream) throws(ConsentError) -> Answer
  ) throws(ConsentError) -> Answer {
    let signals = SignalMask()
    defer { signals.release() }
    var modes = original
    // Line by line editing is ours, since the kernel would give Ctrl-C as a signal to every process
    // in the foreground; Ctrl-S must not stop the clock.
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | ISIG | IEXTEN)
    modes.c_iflag &= ~tcflag_t(IXON | IXOFF | INLCR | IGNCR | ICRNL | ISTRIP | PARMRK)
    modes.c_oflag |= tcflag_t(OPOST | ONLCR)
    // The flush takes away what was typed ahead.
    guard tcsetattr(device.raw, TCSAFLUSH, &modes) == 0 else { throw ConsentError(.noTerminal) }
    defer {
      var modes = original
      tcsetattr(device.raw, TCSAFLUSH, &modes)
    }
    var stream = TerminalStream(descriptor: device.raw, signals: signals)
    return try body(&stream)
  }

  /// Whether a line was typed since the last call, while the terminal has its own modes; the line is dropped.
  ///
  /// Source: termios(3), canonical mode: a read gives a whole line or nothing.
  func takeLine() -> Bool {
    // In the background a read would stop this process.
    guard tcgetpgrp(device.raw) == getpgrp() else { return false }
    var line = [UInt8](repeating: 0, count: 256)
    return read(device.raw, &line, line.count) > 0
  }

  /// Source: setlocale(3), the order of the variables.
  private static func isUTF8(_ environment: [String: String]) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy
      .compactMap { environment[$0] }.first { !$0.isEmpty }
    let name = (locale ?? "").lowercased()
    return name.hasSuffix("utf-8") || name.hasSuffix("utf8") || name.holds("utf-8@")
      || name.holds("utf8@")
  }
}
