package import MediaSandbox

/// The process at the other end of a worker's socket, as its pool uses it.
package protocol WorkerPeer: AnyObject {
  /// This process's end, which does not block.
  var socket: Int32 { get }
  /// The nanoseconds of processor time that it has used; 0 once it has been reaped.
  var processorTime: Int64 { get }
  /// How it ended; nil until it is reaped.
  var exit: WorkerExit? { get }

  /// Raises its CPU limit to this many seconds above its use so far.
  ///
  /// - Throws: `.noSuchWorker` when it has ended.
  func raiseCPULimit(bySeconds seconds: UInt64) throws(SandboxError)

  /// Kills it; has no effect when it has been reaped.
  func kill()

  /// Returns how it ended, or nil while it runs.
  ///
  /// - Throws: `.noSuchWorker` when it was reaped elsewhere.
  func reap(blocking: Bool) throws(SandboxError) -> WorkerExit?
}

extension WorkerProcess: WorkerPeer {}
