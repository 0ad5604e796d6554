/// How often a call that a signal has interrupted is made again.
///
/// A storm of signals does not interrupt a thousand calls in a row; a file system that answers EINTR
/// each time, as some in user space do, would otherwise hold a command for ever.
package struct Interruptions {
  private var left = 1000

  package init() {}

  /// Whether a call that has failed with EINTR is to be made again.
  package mutating func mayRetry() -> Bool {
    left -= 1
    return left > 0
  }
}
