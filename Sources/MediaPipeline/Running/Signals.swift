internal import Glibc
internal import MediaModel

/// The signals that ask a run to stop, collected instead of handled.
///
/// SIGINT, SIGTERM and SIGHUP are blocked, so that no step is interrupted halfway and a signal
/// after the last item does not kill a finished run. Workers start with no signal blocked.
/// Source: sigtimedwait(2).
final class Signals {
  private(set) var count = 0
  /// The number of the first signal.
  private(set) var first: Int32?
  private var mask = sigset_t()

  init() {
    sigemptyset(&mask)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&mask, signal) }
    sigprocmask(SIG_BLOCK, &mask, nil)
  }

  /// Collects the signals that have arrived since the last call, without waiting.
  func collect() {
    var none = timespec()
    while true {
      let signal = sigtimedwait(&mask, nil, &none)
      guard signal > 0 else { return }
      count += 1
      if first == nil { first = signal }
    }
  }

  /// The exit code of an interrupted run.
  var exitCode: RunExitCode { first == SIGTERM || first == SIGHUP ? .terminated : .interrupted }
}
