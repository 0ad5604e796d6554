import Dispatch
import Foundation
import Glibc
import Synchronization

/// Exchanges names while a run looks at them, as fast as the kernel does it.
final class Swapper: Sendable {
  private let state = Mutex((isStopped: false, count: 0, failed: 0))
  private let pairs: [(String, String)]
  private let hasBegun = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Starts to exchange the two paths of each pair, in turn, until ``stop()``; the first are exchanged when it returns,
  /// since on a busy machine a short run could end before the thread begins.
  init(_ pairs: [(String, String)]) {
    self.pairs = pairs
    let thread = Thread { [self] in swap() }
    thread.start()
    hasBegun.wait()
  }

  /// How often two names were exchanged.
  var count: Int { state.withLock { $0.count } }
  /// How often that was not possible.
  var failed: Int { state.withLock { $0.failed } }

  /// Nothing is exchanged any more when it returns.
  func stop() {
    state.withLock { $0.isStopped = true }
    hasEnded.wait()
  }

  private func swap() {
    var turn = 0
    while !state.withLock({ $0.isStopped }) {
      let (first, second) = pairs[turn % pairs.count]
      turn += 1
      let isDone = exchange(first, second) == 0
      state.withLock {
        if isDone { $0.count += 1 } else { $0.failed += 1 }
      }
      if turn == 1 { hasBegun.signal() }
      // Now and then a little longer, so that every state is met by every step of a run.
      if turn % 7 == 0 { usleep(UInt32(turn % 400)) }
    }
    hasEnded.signal()
  }
}
