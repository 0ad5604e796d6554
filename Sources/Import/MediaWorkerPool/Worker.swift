internal import MediaFileSystem
internal import MediaModel
internal import MediaSandbox
internal import MediaWorkerProtocol

/// A worker and the jobs that it was sent, oldest first.
final class Worker {
  var channel: WorkerChannel
  /// The files that it gets, and no others.
  let purpose: WorkerPurpose
  /// The jobs that it has not answered yet; it works on the first.
  private(set) var jobs: [QueuedJob] = []
  private(set) var hasReceivedHello = false
  /// The number of jobs that it has answered.
  private(set) var answered = 0
  /// Whether it gets no further job: a decoder has failed in it, or it reached its number of jobs.
  var isRetiring = false
  /// The deadline of the first job, on the monotonic clock.
  private(set) var deadline: Int64
  /// The seconds of processor time that the first job has, and the worker's processor time when the job was first
  /// seen, nanoseconds; nil until then. Reading that clock is a system call, so it is not done for each job.
  private var begun: (seconds: Int64, at: Int64?)?
  /// The seconds by which the limit was last raised, and when.
  private var granted: (seconds: Int64, at: Int64)?
  /// The seconds that a worker is granted beyond those of its jobs, so that its limit is seldom raised.
  static let spareSeconds: Int64 = 30
  private static let processors = Int64(Host.processors)
  /// The processor time at which its progress was last seen, and the time by the clock.
  private var progress: (processor: Int64, clock: Int64) = (0, 0)
  /// How long a worker may wait without using its processor: it is stopped, or waits for something that
  /// does not come.
  private static let longestWait = 30 * MonotonicClock.second
  /// How many seconds of the clock a worker has for a second of its processor time.
  private static let patience: Int64 = 6

  /// A job that a worker has not answered yet.
  struct QueuedJob: Sendable {
    var identifier: UInt64
    var seconds: Int64
    /// The bytes of its file.
    var bytes: Int64
  }

  /// Makes a worker of a process that was just started.
  init(process: any WorkerPeer, purpose: WorkerPurpose) {
    channel = WorkerChannel(process)
    self.purpose = purpose
    deadline = WorkerChannel.startDeadline
  }

  var process: any WorkerPeer { channel.process }

  /// Whether it has a page that is not finished, which would be lost with it.
  var hasPage: Bool {
    if case .page = purpose { return !isRetiring }
    return false
  }

  /// Sends a request with the descriptor of its file, as far as the socket takes it now.
  func send(
    _ request: WorkerRequest,
    file: Descriptor,
    seconds: Int64,
    bytes: Int64 = .max
  ) {
    if jobs.isEmpty, hasReceivedHello { begin(seconds) }
    jobs.append(QueuedJob(identifier: request.identifier, seconds: seconds, bytes: bytes))
    raiseCPULimit()
    channel.send(request.frame, file: file)
  }

  /// Whether its queue takes another job: three of any size, so that it has work while the coordinator flushes, or more
  /// while all of them are small.
  var hasRoom: Bool {
    jobs.count < Self.queueDepth || hasFewBytes && jobs.count < Self.smallQueueDepth
  }

  /// Whether it is worth while to look for more jobs: half of what it may have is done.
  var isHungry: Bool {
    jobs.count < Self.queueDepth || hasFewBytes && jobs.count <= Self.smallQueueDepth / 2
  }

  private var hasFewBytes: Bool {
    var left = Self.smallQueueBytes
    return jobs.allSatisfy { job in
      left -= min(job.bytes, left + 1)
      return left >= 0
    }
  }

  /// The number of jobs that a worker has at once.
  static let queueDepth = 3
  /// The number of jobs that it has at once while their files have no more bytes than ``smallQueueBytes``: each look at
  /// the stored answers then serves many files.
  static let smallQueueDepth = 16
  private static let smallQueueBytes: Int64 = 1 << 18

  /// Gives the worker the CPU seconds of the jobs that it has, unless its limit leaves it so many in any case.
  private func raiseCPULimit() {
    let budget = jobs.reduce(0) { $0 + $1.seconds }
    let now = MonotonicClock.now
    if let granted {
      // Its threads have used no more than all processors could.
      let used = (now - granted.at) / MonotonicClock.second + 1
      if granted.seconds - used * Self.processors >= budget { return }
    }
    granted = (budget + Self.spareSeconds, now)
    try? process.raiseCPULimit(bySeconds: UInt64(clamping: budget + Self.spareSeconds))
  }

  /// Returns the next whole message, about the worker's first job; nil until more bytes arrive.
  ///
  /// - Throws: `ProtocolError` for a message that is malformed or not allowed now.
  func next() throws(ProtocolError) -> WorkerMessage? {
    guard let frame = try channel.next() else { return nil }
    let message = try WorkerMessage(frame: frame)
    try admit(message)
    return message
  }

  /// Removes the first job. Called after its last message was handled, so that a breach in it
  /// concerns this job.
  func finishFirst() {
    jobs.removeFirst()
    answered += 1
    if let next = jobs.first { begin(next.seconds) }
  }

  /// Takes back the jobs that it has not begun, and gives it no others: it ends after the first.
  func takeBackQueued() -> [QueuedJob] { takeBack(behind: 1) }

  /// Takes back all jobs that it has, and gives it no others: it ends.
  func takeBackAll() -> [QueuedJob] { takeBack(behind: 0) }

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
    begun = (seconds, nil)
  }

  /// Whether the first job has taken too long, or has not gone on for too long.
  func isOverdue(at now: Int64) -> Bool {
    if jobs.isEmpty { return false }
    if deadline < now { return true }
    guard hasReceivedHello, let begun else { return false }
    let used = process.processorTime
    guard let start = begun.at else {
      self.begun?.at = used
      progress = (used, now)
      return false
    }
    if used > progress.processor { progress = (used, now) }
    return start + begun.seconds * MonotonicClock.second < used
      || progress.clock + Self.longestWait < now
  }

  /// Extends the deadline by the time that the coordinator itself was busy.
  func extendDeadline(by nanoseconds: Int64) {
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
      granted = nil
      raiseCPULimit()
      if let first = jobs.first { begin(first.seconds) }
      return
    }
    guard hasReceivedHello, let first = jobs.first, message.job == first.identifier else {
      throw ProtocolError("an answer that was not requested")
    }
  }
}
