internal import Glibc

/// Blocks the signals that would end this process while a terminal's modes are changed.
///
/// They stay pending and take effect after ``release()``, as if they came then: no handler is needed,
/// and whatever the program does with signals otherwise stays as it is.
///
/// Source: pthread_sigmask(3), sigpending(2), sigtimedwait(2).
struct SignalMask {
  private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGUSR1]

  private var before = sigset_t()

  init() {
    var blocked = Self.set(of: Self.numbers)
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
  }

  /// Whether SIGTERM or SIGQUIT came; it stays pending.
  var isToEnd: Bool { Self.isPending(SIGTERM) || Self.isPending(SIGQUIT) }

  /// Whether SIGINT, which is Ctrl-C, came. It is consumed, because the caller handles it.
  func takeInterruption() -> Bool { Self.take(SIGINT) }

  /// Whether SIGUSR1 came, which asks for a new address of a page. It is consumed.
  func takeRenewal() -> Bool { Self.take(SIGUSR1) }

  /// Whether SIGHUP came within so many milliseconds. It is consumed: a closed terminal is an
  /// answer too.
  func takeHangUp(milliseconds: Int = 0) -> Bool {
    Self.take(SIGHUP, milliseconds: milliseconds)
  }

  /// Restores the signal mask.
  func release() {
    var before = before
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  private static func isPending(_ number: Int32) -> Bool {
    var pending = sigset_t()
    return sigpending(&pending) == 0 && sigismember(&pending, number) == 1
  }

  private static func take(_ number: Int32, milliseconds: Int = 0) -> Bool {
    var signals = set(of: [number])
    var time = timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000)
    return sigtimedwait(&signals, nil, &time) == number
  }

  private static func set(of numbers: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    return set
  }
}
