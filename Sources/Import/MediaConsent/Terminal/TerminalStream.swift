internal import Glibc

/// A terminal whose modes somebody has set already: lines to a person, and lines from them.
struct TerminalStream {
  /// Why there is no line.
  enum End: Error, Hashable {
    /// Ctrl-C, or SIGINT.
    case interrupted
    /// Ctrl-D; the terminal was closed, or cannot be read.
    case closed
    case timedOut
    /// SIGTERM or SIGQUIT is to take effect.
    case terminated
  }

  /// Signals wake no call while they are held, so they are looked for this often.
  static let checkMilliseconds: Int32 = 100
  /// A terminal that takes nothing for so long is taken for closed.
  private static let writeMilliseconds: Int32 = 10_000

  /// A person cannot begin another line so soon after Enter.
  private static let pasteMilliseconds: Int64 = 50

  let descriptor: Int32
  /// Nil in a process that no signal of the terminal reaches.
  let signals: SignalMask?
  /// When its other side is closed there is nobody to answer to; −1 for none.
  let peer: Int32

  private var editor = LineEditor()
  /// The bytes that arrived behind the last line that was returned.
  private var trailing: [UInt8] = []

  init(descriptor: Int32, signals: SignalMask?, peer: Int32 = -1) {
    self.descriptor = descriptor
    self.signals = signals
    self.peer = peer
  }

  /// Writes all of a text.
  ///
  /// - Throws: `.closed`
  func write(_ text: String) throws(End) {
    try write(Array(text.utf8))
  }

  /// Writes lines, each with its end.
  ///
  /// - Throws: `.closed`
  func write(lines: [String]) throws(End) {
    try write(lines.map { $0 + "\n" }.joined())
  }

  private func write(_ bytes: [UInt8]) throws(End) {
    var remaining = bytes[...]
    while !remaining.isEmpty {
      let count = remaining.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        remaining = remaining.dropFirst(count)
      } else if count < 0, errno == EAGAIN {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&entry, 1, Self.writeMilliseconds) != 0 else { throw .closed }
      } else if count == 0 || errno != EINTR {
        throw .closed
      }
    }
  }

  /// Discards what is typed until nothing has come for `quietMilliseconds`, at most ten times that.
  ///
  /// Input that was pasted, or typed before the question could be read, is not an answer.
  ///
  /// - Throws: Any ``End``; Ctrl-C and Ctrl-D count also here.
  func discardInput(quietMilliseconds: Int64) throws(End) {
    let limit = Self.now() + 10 * quietMilliseconds
    while Self.now() < limit {
      guard let bytes = try bytes(until: Self.now() + quietMilliseconds) else { return }
      try end(in: bytes)
    }
  }

  /// Whether more came with the last line than a person types behind it, and discards that.
  ///
  /// - Throws: Any ``End``; Ctrl-C and Ctrl-D count also here.
  func wasPasted() throws(End) -> Bool {
    try end(in: trailing)
    let pasted = try bytes(until: Self.now() + Self.pasteMilliseconds)
    if let pasted { try end(in: pasted) }
    return !trailing.isEmpty || pasted != nil
  }

  private func end(in bytes: [UInt8]) throws(End) {
    if bytes.contains(LineEditor.interrupt) { throw .interrupted }
    if bytes.contains(LineEditor.endOfInput) { throw .closed }
  }

  /// The next line that is typed; what comes behind it in the same moment is discarded.
  ///
  /// - Parameter deadline: In milliseconds of ``now()``; nil to wait for ever.
  /// - Returns: Without its end; printable characters only.
  /// - Throws: Any ``End``.
  mutating func line(until deadline: Int64?) throws(End) -> String {
    editor = LineEditor()
    while true {
      guard let bytes = try bytes(until: deadline) else { throw .timedOut }
      var echo: [UInt8] = []
      for (index, byte) in bytes.enumerated() {
        let result = editor.take(byte)
        echo += result.echo
        guard let event = result.event else { continue }
        try write(echo)
        trailing = Array(bytes[(index + 1)...])
        switch event {
        case .line(let line): return line
        case .interrupted: throw .interrupted
        case .ended: throw .closed
        }
      }
      try write(echo)
    }
  }

  /// Milliseconds of a clock that cannot be set. Source: CLOCK_MONOTONIC, clock_gettime(2).
  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Looks for a signal that is held back.
  ///
  /// - Throws: `.terminated`; `.interrupted` for SIGINT, `.closed` for SIGHUP, both taken by this.
  func checkSignals() throws(End) {
    guard let signals else { return }
    if signals.isToEnd { throw .terminated }
    if signals.takeInterruption() { throw .interrupted }
    if signals.takeHangUp() { throw .closed }
  }

  /// - Returns: At least one byte, or nil when the time is up.
  private func bytes(until deadline: Int64?) throws(End) -> [UInt8]? {
    while true {
      try checkSignals()
      let remaining = deadline.map { max($0 - Self.now(), 0) }
      var wait = remaining.map { Int32(clamping: $0) } ?? -1
      if signals != nil {
        wait = wait < 0 ? Self.checkMilliseconds : min(wait, Self.checkMilliseconds)
      }
      var entries = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: peer, events: 0, revents: 0),
      ]
      let ready = poll(&entries, 2, wait)
      if ready < 0 {
        guard errno == EINTR else { throw .closed }
        continue
      }
      if entries[1].revents != 0 { throw .closed }
      if entries[0].revents == 0 {
        if remaining == 0 { return nil }
        continue
      }
      var buffer = [UInt8](repeating: 0, count: 256)
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 { return Array(buffer.prefix(count)) }
      guard count < 0, errno == EAGAIN || errno == EINTR else {
        // The program that closed it has sent this along, and it must not end us after all.
        _ = signals?.takeHangUp(milliseconds: 200)
        throw .closed
      }
    }
  }
}
