internal import Glibc
internal import MediaFileSystem
internal import MediaModel
internal import MediaSandbox
internal import MediaWorkerProtocol

/// A worker and the jobs that it was sent, oldest first.
final class Worker {
  var channel: WorkerChannel
  let source: SourceKind
  let policy: MetadataPolicy
  /// The jobs that it has not answered yet; it works on the first.
  private(set) var jobs: [QueuedJob] = []
  private(set) var hasReceivedHello = false
  /// The number of jobs that it has answered.
  private(set) var answered = 0
  /// Whether it gets no further job: it failed to decode one, or reached its number of jobs.
  var isRetiring = false
  /// The deadline of the first job, on the monotonic clock.
  private(set) var deadline: Int64
  /// The deadline of the first job in the worker's processor time, nanoseconds.
  private var processorDeadline = Int64.max
  /// How many seconds of the clock a worker has for a second of its processor time.
  private static let patience: Int64 = 6

  struct QueuedJob {
    var identifier: UInt64
    var seconds: Int64
  }

  init(process: WorkerProcess, source: SourceKind, policy: MetadataPolicy) {
    channel = WorkerChannel(process)
    self.source = source
    self.policy = policy
    deadline = WorkerChannel.startDeadline
  }

  var process: WorkerProcess { channel.process }

  /// Sends a job with the descriptor of its file, as far as the socket takes it now.
  func send(_ job: Job, file: Descriptor, seconds: Int64) {
    if jobs.isEmpty, hasReceivedHello { begin(seconds) }
    jobs.append(QueuedJob(identifier: job.identifier, seconds: seconds))
    raiseCPULimit()
    channel.send(job.frame, file: file)
  }

  /// Gives the worker the CPU seconds of the jobs that it has.
  private func raiseCPULimit() {
    let budget = jobs.reduce(0) { $0 + $1.seconds }
    try? process.raiseCPULimit(bySeconds: UInt64(clamping: budget))
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
  func takeBackQueued() -> [QueuedJob] {
    let queued = Array(jobs.dropFirst())
    jobs.removeLast(queued.count)
    isRetiring = true
    return queued
  }

  /// Begins the time of the first job: seconds of the worker's own processor time, so that a busy
  /// machine changes no outcome, and several times as many by the clock for a worker that waits.
  private func begin(_ seconds: Int64) {
    deadline = MonotonicClock.now + Self.patience * seconds * MonotonicClock.second
    processorDeadline = process.processorTime + seconds * MonotonicClock.second
  }

  /// Whether the first job has taken too long.
  func isOverdue(at now: Int64) -> Bool {
    deadline < now || (hasReceivedHello && processorDeadline < process.processorTime)
  }

  /// Extends the deadline by the time that the coordinator itself was busy.
  func extendDeadline(by nanoseconds: Int64) {
    deadline += nanoseconds
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

/// The workers of a run: one per processor, started when there is work for them.
struct WorkerPool {
  /// The number of jobs that a worker has at once, so that it has work while the coordinator
  /// flushes.
  static let queueDepth = 3
  /// A worker is replaced after this many jobs, which bounds the leaks of a decoder.
  private static let jobsOfAWorker = 2000

  private(set) var workers: [Worker] = []
  private let executable: [UInt8]
  private let nullDevice: Descriptor
  private let enforcement: Enforcement
  let size: Int
  /// The number of consecutive workers that ended before their first message.
  private var failedStarts = 0

  init(executable: [UInt8], nullDevice: Descriptor, enforcement: Enforcement, size: Int) {
    self.executable = executable
    self.nullDevice = nullDevice
    self.enforcement = enforcement
    self.size = size
  }

  /// Returns a worker for this source and policy with room in its queue, started if needed; nil
  /// when all are busy.
  ///
  /// A worker serves one source and one metadata policy, so that no content of one can get into the
  /// output of another.
  mutating func worker(
    source: SourceKind,
    policy: MetadataPolicy
  ) throws(RunError) -> Worker? {
    switch place(source: source, policy: policy) {
    case .worker(let worker): return worker
    case .new(let spare):
      if let spare { remove(spare) }
      return try start(source: source, policy: policy)
    case nil: return nil
    }
  }

  /// Whether ``worker(source:policy:)`` would return one.
  func hasRoom(source: SourceKind, policy: MetadataPolicy) -> Bool {
    place(source: source, policy: policy) != nil
  }

  /// Where the next job of a source and policy goes.
  private enum Place {
    case worker(Worker)
    /// A new worker, in the place of one that has nothing to do if the pool is full.
    case new(instead: Worker?)
  }

  private func place(source: SourceKind, policy: MetadataPolicy) -> Place? {
    let fitting = workers.filter {
      $0.source == source && $0.policy == policy && !$0.isRetiring
    }
    if let idle = fitting.first(where: { $0.jobs.isEmpty }) { return .worker(idle) }
    if workers.count < size { return .new(instead: nil) }
    // None of those that fit is idle.
    if let spare = workers.first(where: { $0.jobs.isEmpty }) { return .new(instead: spare) }
    return fitting.filter { $0.jobs.count < Self.queueDepth }.min { $0.jobs.count < $1.jobs.count }
      .map { .worker($0) }
  }

  private mutating func start(
    source: SourceKind,
    policy: MetadataPolicy
  ) throws(RunError) -> Worker {
    guard failedStarts < 3 else { throw .workerDoesNotStart(enforcement) }
    let arguments = enforcement == .kernel ? [] : ["--enforcement", enforcement.rawValue]
    do {
      let process = try WorkerProcess.spawn(
        executable: executable,
        arguments: arguments,
        nullDevice: nullDevice.raw
      )
      let worker = Worker(process: process, source: source, policy: policy)
      workers.append(worker)
      return worker
    } catch {
      throw RunError(error)
    }
  }

  /// Removes a worker that retires or has reached its number of jobs, once its queue is empty.
  mutating func note(_ worker: Worker) {
    if worker.hasReceivedHello { failedStarts = 0 }
    if worker.answered >= Self.jobsOfAWorker { worker.isRetiring = true }
    if worker.isRetiring && worker.jobs.isEmpty { remove(worker) }
  }

  /// Kills a worker and removes it from the pool.
  mutating func remove(_ worker: Worker) {
    if !worker.hasReceivedHello { failedStarts += 1 }
    worker.process.kill()
    _ = try? worker.process.reap(blocking: true)
    workers.removeAll { $0 === worker }
  }

  mutating func removeAll() {
    for worker in workers { remove(worker) }
  }
}

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
