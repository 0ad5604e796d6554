internal import Glibc
package import MediaModel

/// The signals that ask a run to stop, collected instead of handled.
///
/// SIGINT, SIGTERM and SIGHUP are blocked, so that no step is interrupted halfway and a signal
/// after the last item does not kill a finished run. Workers start with no signal blocked.
/// Source: sigtimedwait(2).
package final class Signals {
  /// The number of signals that were collected.
  package private(set) var count = 0
  /// The number of the first signal.
  package private(set) var first: Int32?
  private var mask = sigset_t()

  /// Blocks them, in processes that are started from here on too.
  package init() {
    sigemptyset(&mask)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&mask, signal) }
    sigprocmask(SIG_BLOCK, &mask, nil)
  }

  /// Collects the signals that have arrived since the last call, without waiting.
  package func collect() {
    var none = timespec()
    while true {
      let signal = sigtimedwait(&mask, nil, &none)
      guard signal > 0 else { return }
      count += 1
      if first == nil { first = signal }
    }
  }

  /// Waits for so many nanoseconds, or until a signal has arrived; calls `look` twenty times a second
  /// meanwhile.
  ///
  /// - Throws: What `look` throws, which ends the waiting.
  package func pause<Failure: Error>(
    _ nanoseconds: Int64,
    _ look: () throws(Failure) -> Void
  ) throws(Failure) {
    let end = MonotonicClock.now + nanoseconds
    collect()
    while count == 0, MonotonicClock.now < end {
      usleep(50_000)
      collect()
      try look()
    }
  }

  /// The exit code of an interrupted run.
  package var exitCode: RunExitCode {
    first == SIGTERM || first == SIGHUP ? .terminated : .interrupted
  }
}
