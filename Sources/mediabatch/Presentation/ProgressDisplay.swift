internal import Glibc
internal import MediaExport
internal import MediaModel
internal import MediaPipeline
internal import MediaReports

/// Shows how far a run, or the conversion of films, has come: a line that changes on a terminal, for a run plain lines
/// elsewhere.
final class ProgressDisplay {
  private var meter = ProgressMeter()
  private var lastShown = 0
  private var isLineOpen = false

  /// The interval in milliseconds at which a terminal's line is rewritten.
  private static let interval = 100

  func show(_ progress: RunProgress) {
    let now = Self.milliseconds
    guard now - lastShown >= Self.interval else { return }
    lastShown = now
    meter.update(source: progress.source, done: progress.done, total: progress.total, at: now)
    if Console.isErrorRewritable {
      rewrite(meter.line(width: Console.width - 1))
    } else if let line = meter.plainLine(at: now) {
      Console.note(line)
    }
  }

  /// Shows on a terminal how far the conversion of a film has come, and nothing elsewhere.
  func show(_ film: FilmProgress) {
    guard Console.isErrorRewritable, Self.milliseconds - lastShown >= Self.interval else { return }
    lastShown = Self.milliseconds
    rewrite(
      ProgressMeter.line(
        ofFilm: EscapedText.printable(film.label),
        percent: film.percent,
        done: film.done,
        width: Console.width - 1
      )
    )
  }

  private func rewrite(_ line: String) {
    Console.write("\r\u{1B}[K" + line, to: STDERR_FILENO)
    isLineOpen = true
  }

  func note(_ text: String) {
    clear()
    Console.note(text)
  }

  /// Clears the line that changes.
  func clear() {
    if isLineOpen { Console.write("\r\u{1B}[K", to: STDERR_FILENO) }
    isLineOpen = false
  }

  private static var milliseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}
