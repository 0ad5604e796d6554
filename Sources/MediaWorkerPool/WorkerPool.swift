package import MediaFileSystem
package import MediaModel
package import MediaSandbox

/// The reason that no worker can be started.
package enum WorkerPoolError: Error, Sendable {
  /// Several in a row have ended before their first message.
  case doesNotStart(Enforcement)
  case cannotStart(SandboxError)
}

/// The workers of a run: one per processor, started when there is work for them.
package struct WorkerPool {
  /// The number of jobs that a worker has at once, so that it has work while the coordinator
  /// flushes.
  package static let queueDepth = 3
  /// A worker is replaced after this many jobs, which bounds the leaks of a decoder.
  private static let jobsOfAWorker = 2000

  /// The workers that run now.
  package private(set) var workers: [Worker] = []
  private let executable: [UInt8]
  private let nullDevice: Descriptor
  private let enforcement: Enforcement
  /// The highest number of workers at a time.
  package let size: Int
  /// The number of consecutive workers that ended before their first message.
  private var failedStarts = 0

  /// Makes a pool without workers.
  ///
  /// - Parameters:
  ///   - executable: The path of the worker's program.
  ///   - nullDevice: `/dev/null`, which workers get as their standard streams.
  ///   - enforcement: How they are confined.
  ///   - size: The highest number of workers at a time.
  package init(executable: [UInt8], nullDevice: Descriptor, enforcement: Enforcement, size: Int) {
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
  ///
  /// - Throws: ``WorkerPoolError``.
  package mutating func worker(
    source: SourceKind,
    policy: MetadataPolicy
  ) throws(WorkerPoolError) -> Worker? {
    switch place(source: source, policy: policy) {
    case .worker(let worker): return worker
    case .new(let spare):
      if let spare { remove(spare) }
      return try start(source: source, policy: policy)
    case nil: return nil
    }
  }

  /// Whether ``worker(source:policy:)`` would return one.
  package func hasRoom(source: SourceKind, policy: MetadataPolicy) -> Bool {
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
  ) throws(WorkerPoolError) -> Worker {
    guard failedStarts < 3 else { throw .doesNotStart(enforcement) }
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
      throw .cannotStart(error)
    }
  }

  /// Removes a worker that retires or has reached its number of jobs, once its queue is empty.
  package mutating func note(_ worker: Worker) {
    if worker.hasReceivedHello { failedStarts = 0 }
    if worker.answered >= Self.jobsOfAWorker { worker.isRetiring = true }
    if worker.isRetiring && worker.jobs.isEmpty { remove(worker) }
  }

  /// Kills a worker and removes it from the pool.
  package mutating func remove(_ worker: Worker) {
    if !worker.hasReceivedHello { failedStarts += 1 }
    worker.process.kill()
    _ = try? worker.process.reap(blocking: true)
    workers.removeAll { $0 === worker }
  }

  /// Kills all workers.
  package mutating func removeAll() {
    for worker in workers { remove(worker) }
  }
}
