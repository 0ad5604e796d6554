package import MediaModel
package import MediaSandbox

/// The reason that no worker can be started.
package enum WorkerPoolError: Error, Sendable {
  /// Several in a row have ended before their first message.
  case doesNotStart(Enforcement)
  case cannotStart(SandboxError)
}

/// The files that a worker gets, and no others, so that no content of one source can get into the output
/// of another.
package enum WorkerPurpose: Sendable, Hashable {
  /// The files of one source under one metadata policy.
  case files(of: SourceID, MetadataPolicy)
  /// The thumbnails of one page of a contact sheet, which may be of several sources.
  case page(Int)
  /// One file that is shown to a person as a small picture, or the archive of some; no worker has a second one.
  case picture(Int)
  /// A batch of files of one source whose capture times are read before anybody has allowed them.
  case times(Int)
}

/// The workers of a run: one per processor, started when there is work for them.
package struct WorkerPool {
  /// A worker is replaced after this many jobs, which bounds the leaks of a decoder.
  private static let jobsOfAWorker = 2000

  /// The workers that run now.
  private(set) var workers: [Worker] = []
  private let enforcement: Enforcement
  /// Starts the process of a worker.
  private let startProcess: () throws(SandboxError) -> any WorkerPeer
  /// The highest number of workers at a time.
  private let size: Int
  /// The number of consecutive workers that ended before their first message.
  private var failedStarts = 0

  /// Makes a pool of workers that a function starts.
  init(
    enforcement: Enforcement,
    size: Int,
    startProcess: @escaping () throws(SandboxError) -> any WorkerPeer
  ) {
    self.enforcement = enforcement
    self.startProcess = startProcess
    self.size = size
  }

  /// Returns a worker for this purpose with room in its queue, started if needed; nil when all are
  /// busy.
  ///
  /// - Throws: ``WorkerPoolError``.
  mutating func worker(
    for purpose: WorkerPurpose
  ) throws(WorkerPoolError) -> Worker? {
    switch slot(for: purpose) {
    case .worker(let worker): return worker
    case .new(let spare):
      if let spare { remove(spare) }
      return try start(for: purpose)
    case nil: return nil
    }
  }

  /// Whether ``worker(for:)`` would return one.
  func hasRoom(for purpose: WorkerPurpose) -> Bool { slot(for: purpose) != nil }

  /// Whether ``worker(for:)`` would return one that has done at least half of what it can have at once.
  func isHungry(for purpose: WorkerPurpose) -> Bool {
    if case .worker(let worker)? = slot(for: purpose) { return worker.isHungry }
    return hasRoom(for: purpose)
  }

  /// The place of the next job of a purpose.
  private enum Slot {
    case worker(Worker)
    /// A new worker, in the place of one that has nothing to do if the pool is full.
    case new(instead: Worker?)
  }

  private func slot(for purpose: WorkerPurpose) -> Slot? {
    let fitting = workers.filter { $0.purpose == purpose && !$0.isRetiring }
    if case .page = purpose, let only = fitting.first {
      return only.hasRoom ? .worker(only) : nil
    }
    if let idle = fitting.first(where: { $0.jobs.isEmpty }) { return .worker(idle) }
    if workers.count < size { return .new(instead: nil) }
    // None of those that fit is idle.
    if let spare = workers.first(where: { $0.jobs.isEmpty && !$0.hasPage }) {
      return .new(instead: spare)
    }
    return fitting.filter(\.hasRoom).min { $0.jobs.count < $1.jobs.count }.map { .worker($0) }
  }

  private mutating func start(for purpose: WorkerPurpose) throws(WorkerPoolError) -> Worker {
    guard failedStarts < 3 else { throw .doesNotStart(enforcement) }
    do {
      let worker = Worker(process: try startProcess(), purpose: purpose)
      workers.append(worker)
      return worker
    } catch {
      throw .cannotStart(error)
    }
  }

  /// Removes a worker that retires or has reached its number of jobs, once its queue is empty.
  ///
  /// One that draws a page has it to its end, whatever the number of its pictures.
  mutating func note(_ worker: Worker) {
    if worker.hasReceivedHello { failedStarts = 0 }
    if worker.answered >= Self.jobsOfAWorker, !worker.hasPage { worker.isRetiring = true }
    if worker.isRetiring && worker.jobs.isEmpty { remove(worker) }
  }

  /// Kills a worker and removes it from the pool.
  mutating func remove(_ worker: Worker) {
    if !worker.hasReceivedHello { failedStarts += 1 }
    abandon(worker)
  }

  /// Kills a worker that nothing is wrong with, since what it reads is not to be read any more, and
  /// removes it from the pool.
  mutating func abandon(_ worker: Worker) {
    worker.process.kill()
    _ = try? worker.process.reap(blocking: true)
    workers.removeAll { $0 === worker }
  }

  /// Takes back the jobs whose files must not be read any more. A worker that reads one is killed; what waits
  /// in its queue has no answer either.
  ///
  /// - Parameter isUnwanted: Whether this holds for the job with an identifier.
  /// - Returns: The identifiers of all jobs that get no answer now.
  mutating func takeBack(where isUnwanted: (UInt64) -> Bool) -> [UInt64] {
    var identifiers: [UInt64] = []
    for worker in workers {
      let areUnwanted = worker.jobs.map { isUnwanted($0.identifier) }
      guard areUnwanted.contains(true) else { continue }
      let jobs = areUnwanted[0] ? worker.takeBackAll() : worker.takeBackQueued()
      if areUnwanted[0] { abandon(worker) }
      identifiers += jobs.map(\.identifier)
    }
    return identifiers
  }

  /// Extends the deadlines of all workers by the nanoseconds in which none was read from.
  func extendDeadlines(by nanoseconds: Int64) {
    for worker in workers { worker.extendDeadline(by: nanoseconds) }
  }

  /// Kills all workers.
  mutating func removeAll() {
    for worker in workers { remove(worker) }
  }
}
