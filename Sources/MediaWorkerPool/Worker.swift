package import MediaFileSystem
internal import MediaModel
internal import MediaSandbox
package import MediaWorkerProtocol

/// A worker and the jobs that it was sent, oldest first.
package final class Worker {
  package var channel: WorkerChannel
  /// The files that it gets, and no others.
  package let purpose: WorkerPurpose
  /// The jobs that it has not answered yet; it works on the first.
  package private(set) var jobs: [QueuedJob] = []
  package private(set) var hasReceivedHello = false
  /// The number of jobs that it has answered.
  package private(set) var answered = 0
  /// Whether it gets no further job: a decoder has failed in it, or it reached its number of jobs.
  package var isRetiring = false
  /// The deadline of the first job, on the monotonic clock.
  private(set) var deadline: Int64
  /// The deadline of the first job in the worker's processor time, nanoseconds.
  private var processorDeadline = Int64.max
  /// The processor time at which its progress was last seen, and the time by the clock.
  private var progress: (processor: Int64, clock: Int64) = (0, 0)
  /// How long a worker may wait without using its processor: it is stopped, or waits for something that
  /// does not come.
  private static let longestWait = 30 * MonotonicClock.second
  /// How many seconds of the clock a worker has for a second of its processor time.
  private static let patience: Int64 = 6

  /// A job that a worker has not answered yet.
  package struct QueuedJob: Sendable {
    package var identifier: UInt64
    package var seconds: Int64
  }

  /// Makes a worker of a process that was just started.
  init(process: any WorkerPeer, purpose: WorkerPurpose) {
    channel = WorkerChannel(process)
    self.purpose = purpose
    deadline = WorkerChannel.startDeadline
  }

  package var process: any WorkerPeer { channel.process }

  /// Whether it has a page that is not finished, which would be lost with it.
  var hasPage: Bool {
    if case .page = purpose { return !isRetiring }
    return false
  }

  /// Sends a request with the descriptor of its file, as far as the socket takes it now.
  package func send(_ request: WorkerRequest, file: Descriptor, seconds: Int64) {
    if jobs.isEmpty, hasReceivedHello { begin(seconds) }
    jobs.append(QueuedJob(identifier: request.identifier, seconds: seconds))
    raiseCPULimit()
    channel.send(request.frame, file: file)
  }

  /// Gives the worker the CPU seconds of the jobs that it has.
  private func raiseCPULimit() {
    let budget = jobs.reduce(0) { $0 + $1.seconds }
    try? process.raiseCPULimit(bySeconds: UInt64(clamping: budget))
  }

  /// Returns the next whole message, about the worker's first job; nil until more bytes arrive.
  ///
  /// - Throws: `ProtocolError` for a message that is malformed or not allowed now.
  package func next() throws(ProtocolError) -> WorkerMessage? {
    guard let frame = try channel.next() else { return nil }
    let message = try WorkerMessage(frame: frame)
    try admit(message)
    return message
  }

  /// Removes the first job. Called after its last message was handled, so that a breach in it
  /// concerns this job.
  package func finishFirst() {
    jobs.removeFirst()
    answered += 1
    if let next = jobs.first { begin(next.seconds) }
  }

  /// Takes back the jobs that it has not begun, and gives it no others: it ends after the first.
  package func takeBackQueued() -> [QueuedJob] { takeBack(behind: 1) }

  /// Takes back all jobs that it has, and gives it no others: it ends.
  ///
  /// Called behind a failure of a decoder, which may be left in a state that harms what comes next.
  package func takeBackAll() -> [QueuedJob] { takeBack(behind: 0) }

  private func takeBack(behind kept: Int) -> [QueuedJob] {
    let queued = Array(jobs.dropFirst(kept))
    jobs.removeLast(queued.count)
    isRetiring = true
    return queued
  }

  /// Begins the time of the first job: seconds of the worker's own processor time, so that a busy
  /// machine changes no outcome, and several times as many by the clock for a worker that waits.
  private func begin(_ seconds: Int64) {
    deadline = MonotonicClock.now + Self.patience * seconds * MonotonicClock.second
    let used = process.processorTime
    processorDeadline = used + seconds * MonotonicClock.second
    progress = (used, MonotonicClock.now)
  }

  /// Whether the first job has taken too long, or has not gone on for too long.
  package func isOverdue(at now: Int64) -> Bool {
    if deadline < now { return true }
    guard hasReceivedHello else { return false }
    let used = process.processorTime
    if used > progress.processor { progress = (used, now) }
    return processorDeadline < used || progress.clock + Self.longestWait < now
  }

  /// Extends the deadline by the time that the coordinator itself was busy.
  package func extendDeadline(by nanoseconds: Int64) {
    deadline += nanoseconds
    progress.clock += nanoseconds
  }

  /// Checks that a message is about the job that this worker works on.
  private func admit(_ message: WorkerMessage) throws(ProtocolError) {
    if case .hello(let version, let build) = message {
      guard !hasReceivedHello, version == WorkerMessage.protocolVersion, build == BuildInfo.version
      else { throw ProtocolError("a worker of another build") }
      hasReceivedHello = true
      // While confining itself, the worker lowered its limit below that of its first jobs.
      raiseCPULimit()
      if let first = jobs.first { begin(first.seconds) }
      return
    }
    guard hasReceivedHello, let first = jobs.first, message.job == first.identifier else {
      throw ProtocolError("an answer that was not requested")
    }
  }
}
