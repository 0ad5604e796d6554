internal import GRDB

extension DatabaseQueue {
  /// Closes the connection, and keeps the queue itself for as long as the process lives.
  ///
  /// The release of a dispatch queue starts a thread, and a process with a second thread cannot be
  /// confined any more. A queue is small, and a process opens few.
  func retire() {
    try? close()
    _ = Unmanaged.passRetained(self)
  }
}
