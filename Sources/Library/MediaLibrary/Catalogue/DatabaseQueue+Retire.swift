internal import GRDB

extension DatabaseQueue {
  /// Closes the connection, and keeps the queue itself for as long as the process lives.
  ///
  /// The release of a dispatch queue starts a thread, and a process with a second thread cannot be
  /// confined any more. A queue is small, and a process opens few.
  package func retire() {
    try? close()
    _ = Unmanaged.passRetained(self)
  }

  /// Keeps the connection open, for as long as the process lives.
  ///
  /// SQLite does not know that it has the same file open twice when one of the connections reads it as
  /// one that no process writes: closing that one would take the locks of the other. Source: fcntl(2),
  /// "Advisory record locking"; sqlite.org/howtocorrupt.html, section 2.2.
  package func abandon() { _ = Unmanaged.passRetained(self) }
}
