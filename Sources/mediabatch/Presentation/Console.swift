internal import Glibc
internal import MediaModel
internal import MediaReports
internal import MediaSyntax

/// The output streams: stdout is data, stderr is for people.
enum Console {
  static let isErrorTerminal = isatty(STDERR_FILENO) == 1

  /// Whether stdout is a terminal that takes escape sequences for emphasis.
  static let isOutputColored = isatty(STDOUT_FILENO) == 1 && wantsEscapes
  /// Whether stderr is a terminal on which a line can be written over.
  static let isErrorRewritable = isErrorTerminal && wantsEscapes

  /// Whether terminal and person want escape sequences. Source: no-color.org; terminfo(5), `dumb`.
  private static let wantsEscapes =
    environment("TERM") != "dumb" && (environment("NO_COLOR") ?? "").isEmpty

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Columns of the terminal behind stderr, 80 where it does not say. Source: TIOCGWINSZ.
  static var width: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// The columns that ArgumentParser fills with help: one less than those of the terminal behind stdout, or
  /// than 80.
  ///
  /// Source: Platform+Terminal in ArgumentParser.
  static var helpWidth: Int {
    if let columns = environment("COLUMNS").flatMap({ Int($0) }) { return max(columns, 40) - 1 }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 79 }
    return max(Int(size.ws_col), 40) - 1
  }

  /// Writes data and a newline; a reader that is gone is not an error, a full disk ends with 74.
  static func output(_ text: String) {
    write(text + "\n")
  }

  /// Writes one JSON value and a newline.
  static func output(_ value: JSONValue) {
    write(value.displayed + [UInt8.newline])
  }

  /// Writes lines of data.
  static func output(_ lines: [String]) {
    for line in lines { output(line) }
  }

  /// The standard output for a list that is written in pieces.
  static func sink(for format: ListingFormat = .table) -> ReportSink {
    let isShown = format == .csv && isatty(STDOUT_FILENO) == 1
    return ReportSink { write(isShown ? CSVReport.shown($0) : $0) }
  }

  /// Writes lines for people.
  static func note(_ lines: [String]) {
    for line in lines { note(line) }
  }

  /// Writes a line for people about each of the first things, and one about how many others there are.
  static func note<Things: Collection>(
    _ things: Things,
    limit: Int = 20,
    others: (Int) -> String,
    _ line: (Things.Element) -> String
  ) {
    for thing in things.prefix(limit) { note(line(thing)) }
    if things.count > limit { note(others(things.count - limit)) }
  }

  /// Writes a line for people.
  static func note(_ text: String) {
    write(text + "\n", to: STDERR_FILENO)
  }

  /// Ends the program: a reader would take the beginning of the output for the whole.
  private static func giveUp(_ number: Int32) -> Never {
    note("mediabatch: stdout cannot be written: \(String(cString: strerror(number))).")
    _exit(RunExitCode.cannotWrite.rawValue)
  }

  static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
    write(Array(text.utf8), to: descriptor)
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32 = STDOUT_FILENO) {
    bytes.withUnsafeBytes { bytes in
      var remaining = bytes
      while !remaining.isEmpty {
        let count = Glibc.write(descriptor, remaining.baseAddress, remaining.count)
        if count < 0 && errno == EINTR { continue }
        if count <= 0 {
          if descriptor == STDOUT_FILENO, errno != EPIPE { giveUp(errno) }
          return
        }
        remaining = UnsafeRawBufferPointer(rebasing: remaining[count...])
      }
    }
  }
}
