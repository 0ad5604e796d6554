internal import Glibc
internal import MediaModel
internal import MediaPipeline
internal import MediaReports
internal import MediaSyntax

/// Writes the events of a run to standard output.
///
/// The run's signals are blocked, so a write that waits for a reader could not be ended by one. So a pipe
/// is written to in pieces for which there is room, and waited for with poll(2).
final class EventOutput {
  private let display: ProgressDisplay
  private var isReaderGone = false

  /// Linux takes this many bytes of a pipe that is ready without waiting. Source: pipe(7), PIPE_BUF.
  private static let pieceLength = 4096
  /// The interval in milliseconds at which a waiting run looks for signals.
  private static let interval: Int32 = 100

  init(_ display: ProgressDisplay) { self.display = display }

  /// Writes a line for each item. A reader that is gone is no error: the import goes on without events.
  func write(_ events: ItemEvents, _ isStopping: () -> Bool) -> EventDelivery {
    if isReaderGone { return .delivered }
    var bytes: [UInt8] = []
    for item in events.items {
      bytes +=
        ItemEventJSON.object(item, of: events.settings, run: events.run, library: events.library).displayed
        + [UInt8.newline]
    }
    return write(bytes, isStopping)
  }

  /// Writes the summary behind the last event. A run that was asked to stop does not wait for a reader, and
  /// one that has ended waits until it is asked.
  ///
  /// - Returns: The reason that it could not be written, if it could not.
  func end(_ summary: JSONValue, wasStopped: Bool) -> String? {
    if isReaderGone { return nil }
    let delivery = write(summary.displayed + [UInt8.newline]) {
      var pending = sigset_t()
      sigpending(&pending)
      return wasStopped || [SIGINT, SIGTERM, SIGHUP].contains { sigismember(&pending, $0) == 1 }
    }
    return if case .failed(let reason) = delivery { reason } else { nil }
  }

  private func write(_ bytes: [UInt8], _ isStopping: () -> Bool) -> EventDelivery {
    var remaining = bytes[...]
    while !remaining.isEmpty {
      var polled = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
      let readyCount = poll(&polled, 1, Self.interval)
      if readyCount < 0, errno != EINTR { return .failed(String(cString: strerror(errno))) }
      if readyCount <= 0 {
        if isStopping() { return .interrupted }
        continue
      }
      let piece = remaining.prefix(Self.pieceLength)
      let count = piece.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count >= 0 {
        remaining = remaining.dropFirst(count)
      } else if errno == EPIPE {
        isReaderGone = true
        display.note("The reader of the events has ended; the import continues without events.")
        return .delivered
      } else if errno != EINTR, errno != EAGAIN {
        return .failed(String(cString: strerror(errno)))
      }
    }
    return .delivered
  }
}
