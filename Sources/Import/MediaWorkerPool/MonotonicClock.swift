internal import Glibc

/// A clock that changes of the system's time do not move.
package enum MonotonicClock {
  package static let second: Int64 = 1_000_000_000

  /// Nanoseconds since an unspecified moment.
  package static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * second + Int64(time.tv_nsec)
  }
}
