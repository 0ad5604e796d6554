internal import Glibc
internal import MediaModel

/// The wishes to stop that reach a run, collected instead of handled.
///
/// SIGINT, SIGTERM and SIGHUP are blocked from now on, so that nothing is interrupted halfway and one
/// that comes after the last item does not turn a finished run into a killed one;
/// workers are started with none blocked. Source: sigtimedwait(2).
final class Signals {
  private(set) var count = 0
  /// The first one's number.
  private(set) var first: Int32?
  private var mask = sigset_t()

  init() {
    sigemptyset(&mask)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&mask, signal) }
    sigprocmask(SIG_BLOCK, &mask, nil)
  }

  /// Takes note of the signals that have come since, without waiting.
  func collect() {
    var none = timespec()
    while true {
      let signal = sigtimedwait(&mask, nil, &none)
      guard signal > 0 else { return }
      count += 1
      if first == nil { first = signal }
    }
  }

  /// What an interrupted run exits with.
  var exitCode: RunExitCode { first == SIGTERM || first == SIGHUP ? .terminated : .interrupted }
}
