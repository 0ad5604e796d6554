internal import Glibc
internal import MediaModel
internal import MediaPipeline
internal import MediaReports

/// Shows how far a run has come: a line that changes on a terminal, plain lines elsewhere.
final class ProgressDisplay {
  private var meter = ProgressLine()
  private var lastShown: Double = 0
  private var isLineOpen = false

  /// Seconds between two lines: a terminal's is overwritten, a file's stays.
  private let interval = Console.isErrorTerminal ? 0.1 : 10.0

  func show(_ progress: RunProgress) {
    let now = Self.seconds
    if lastShown == 0 && !Console.isErrorTerminal { lastShown = now }
    guard now - lastShown >= interval else { return }
    lastShown = now
    meter.update(
      source: progress.source, done: progress.done, total: progress.total, seconds: now)
    if Console.isErrorTerminal {
      Console.write("\r\u{1B}[K" + meter.text(width: Console.width), to: STDERR_FILENO)
      isLineOpen = true
    } else {
      Console.note(meter.text(width: 80))
    }
  }

  func note(_ text: String) {
    clear()
    Console.note(text)
  }

  /// Takes the line that changes away.
  func clear() {
    if isLineOpen { Console.write("\r\u{1B}[K", to: STDERR_FILENO) }
    isLineOpen = false
  }

  private static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
