import Foundation
import Glibc
import Synchronization

/// Somebody who exchanges names while a run looks at them, as fast as the kernel does it.
///
/// An exchange is one step: there is no moment at which a name is missing.
/// Source: rename(2), RENAME_EXCHANGE.
final class Swapper: Sendable {
  private let state = Mutex((isStopped: false, count: 0, failed: 0))
  private let pairs: [(String, String)]

  /// Starts to exchange the two paths of each pair, in turn, until ``stop()``.
  init(_ pairs: [(String, String)]) {
    self.pairs = pairs
    let thread = Thread { [self] in exchange() }
    thread.start()
  }

  /// How often two names were exchanged.
  var count: Int { state.withLock { $0.count } }
  /// How often that was not possible.
  var failed: Int { state.withLock { $0.failed } }

  func stop() { state.withLock { $0.isStopped = true } }

  private func exchange() {
    // Glibc's module does not have the function.
    typealias Rename =
      @convention(c) (
        Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
      ) -> Int32
    guard let symbol = dlsym(nil, "renameat2") else { return }
    let rename = unsafeBitCast(symbol, to: Rename.self)
    var turn = 0
    while !state.withLock({ $0.isStopped }) {
      let (first, second) = pairs[turn % pairs.count]
      turn += 1
      let isDone = rename(AT_FDCWD, first, AT_FDCWD, second, 2) == 0
      state.withLock {
        if isDone { $0.count += 1 } else { $0.failed += 1 }
      }
      // Now and then a little longer, so that every state is met by every step of a run.
      if turn % 7 == 0 { usleep(UInt32(turn % 400)) }
    }
  }
}
