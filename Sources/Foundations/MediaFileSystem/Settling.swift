internal import Glibc

/// Tells files that may still be written from those that have settled: nothing about them has changed for
/// a while.
///
/// The kernel sets the change time at each write, and no program can set it to another value. Where it lies
/// in the future, since a clock was set back or is another machine's, it says nothing.
package struct Settling: Sendable {
  /// The state of a file by its times alone.
  package enum State: Sendable, Hashable {
    case settled
    case changing
    /// Its change time lies in the future: only a second look can tell.
    case unknown
  }

  /// The nanoseconds for which a file must not have changed.
  package let quiet: Int64
  /// The nanoseconds until the first of the files that were changing can have settled; nil when there was
  /// none.
  package private(set) var next: Int64?
  private let now: Int64

  /// - Parameters:
  ///   - quiet: The nanoseconds for which a file must not have changed.
  ///   - now: Nanoseconds since 1970, by the clock of files' times.
  package init(quiet: Int64, now: Int64 = Self.wallClock) {
    (self.quiet, self.now) = (quiet, now)
  }

  /// Returns the state of a file, and remembers when one that is changing can have settled.
  package mutating func state(of status: FileStatus) -> State {
    if status.changed > now { return .unknown }
    // A modification time in the future was set by a program.
    let latest = status.modified > now ? status.changed : max(status.changed, status.modified)
    let (age, overflows) = now.subtractingReportingOverflow(latest)
    if overflows || age >= quiet { return .settled }
    note(quiet - age)
    return .changing
  }

  /// Remembers a file that has changed between two looks.
  package mutating func noteChange() { note(quiet) }

  private mutating func note(_ left: Int64) { next = min(next ?? left, left) }

  /// Nanoseconds since 1970, at most those that there are, of the year 2262.
  /// Source: clock_gettime(2), CLOCK_REALTIME.
  package static var wallClock: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let (seconds, overflows) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    return overflows ? .max : seconds &+ Int64(time.tv_nsec)
  }
}
