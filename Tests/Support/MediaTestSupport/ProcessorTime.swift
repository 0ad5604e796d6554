internal import Glibc

/// The seconds of processor time that this thread spends in `body`.
///
/// Other programs and tests have no part in it, so that a limit far above the usual shows that work
/// grows as it must not. It is no measurement: `make bench` measures.
/// Source: clock_gettime(2), CLOCK_THREAD_CPUTIME_ID.
package func processorSeconds(_ body: () throws -> Void) rethrows -> Double {
  let start = threadSeconds()
  try body()
  return threadSeconds() - start
}

private func threadSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
