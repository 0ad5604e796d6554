internal import Glibc
package import MediaFileSystem
package import MediaModel
internal import MediaSandbox
package import MediaWorkerProtocol

/// The requests that a command has sent to the workers of its pool, each with the state of its answer.
package final class WorkerRequests<State> {
  /// A request whose worker has ended, or was ended.
  package struct Lost {
    package var state: State
    /// The reason, for a message.
    package var detail: String
    /// `workerCrashed`, `deadline` or `workerProtocol`.
    package var reason: ItemReason
    /// Whether the worker was working on it.
    package var isAtFault: Bool
    /// Whether the worker has answered another request, whose file may have compromised it.
    package var isOfUsedWorker: Bool

    /// Counts a failed attempt if the file may have ended the worker.
    ///
    /// - Returns: Whether it was the second one, so that the file has failed; else it is sent again.
    package func fails(after failedAttempts: inout Int) -> Bool {
      if isAtFault { failedAttempts += 1 }
      return isAtFault && failedAttempts > 1
    }
  }

  /// The requests that are over.
  package struct Progress {
    /// The states of those that were answered.
    package var finished: [State] = []
    package var lost: [Lost] = []
    /// What the workers were for that have ended, or were ended, also those that had answered all requests.
    package var ended: [WorkerPurpose] = []
  }

  private var pool: WorkerPool
  private var nextIdentifier: UInt64 = 1
  private var sent: [UInt64: State] = [:]
  /// The nanoseconds between two looks at the deadlines, and the time of the next one.
  private let deadlineInterval: Int64
  private var nextDeadlineLook: Int64 = 0
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 4096)

  /// - Parameters:
  ///   - pool: The workers, none of which has started.
  ///   - interval: The nanoseconds in which the deadlines of workers are looked at once: reading a worker's processor
  ///     time is a system call, and a loop may turn thousands of times a second.
  package init(_ pool: WorkerPool, deadlinesEvery interval: Int64 = 0) {
    (self.pool, deadlineInterval) = (pool, interval)
  }

  deinit {
    pool.removeAll()
    buffer.deallocate()
  }

  /// Whether every request is over.
  package var isEmpty: Bool { sent.isEmpty }

  /// Whether ``send(_:for:file:seconds:bytes:request:)`` would send.
  package func hasRoom(for purpose: WorkerPurpose) -> Bool { pool.hasRoom(for: purpose) }

  /// Whether it would send to a worker that has done at least half of what it can have at once.
  package func isHungry(for purpose: WorkerPurpose) -> Bool { pool.isHungry(for: purpose) }

  /// Sends a request to a worker with room, which is started if needed.
  ///
  /// - Parameters:
  ///   - state: The state that its messages are given to.
  ///   - purpose: The files that its worker gets.
  ///   - file: The file, open for reading.
  ///   - seconds: The processor seconds that it may take.
  ///   - bytes: The bytes of the file; of small ones a worker has more at once.
  ///   - request: Makes the request with its identifier.
  /// - Returns: Whether it was sent; not when all workers are busy.
  /// - Throws: ``WorkerPoolError``.
  package func send(
    _ state: State,
    for purpose: WorkerPurpose,
    file: Descriptor,
    seconds: Int64,
    bytes: Int64 = .max,
    request: (_ identifier: UInt64) -> WorkerRequest
  ) throws(WorkerPoolError) -> Bool {
    guard let worker = try pool.worker(for: purpose) else { return false }
    sent[nextIdentifier] = state
    worker.send(request(nextIdentifier), file: file, seconds: seconds, bytes: bytes)
    nextIdentifier += 1
    return true
  }

  /// Ends all workers; a later request starts a new one.
  package func endAll() {
    pool.removeAll()
    sent.removeAll()
  }

  /// Takes back requests whose files must not be read any more; see ``WorkerPool/takeBack(where:)``.
  ///
  /// - Returns: The states of all requests that get no answer now.
  package func takeBack(where isUnwanted: (State) -> Bool) -> [State] {
    let identifiers = pool.takeBack { sent[$0].map(isUnwanted) ?? false }
    return identifiers.compactMap { sent.removeValue(forKey: $0) }
  }

  /// Extends the deadlines of all workers by the nanoseconds in which none was read from.
  package func extendDeadlines(by nanoseconds: Int64) {
    pool.extendDeadlines(by: nanoseconds)
  }

  /// Ends the workers of a purpose once they have answered.
  package func retire(_ purpose: WorkerPurpose) {
    for worker in pool.workers where worker.purpose == purpose {
      worker.isRetiring = true
      pool.note(worker)
    }
  }

  /// Waits for messages, and takes those that have come.
  ///
  /// - Parameters:
  ///   - descriptor: Ends the wait, too, when it can be read; nil for none.
  ///   - timeout: The most milliseconds of the wait.
  ///   - isAhead: Whether so much of an answer is still to be carried out that its worker is not read from: what comes
  ///     next waits in the worker, which has more time, and not in the memory of this process. Nil if none is.
  ///   - take: Enters a message into the state of its request, and returns whether it was the last;
  ///     throws for one that does not fit, after which the worker is ended.
  /// - Returns: The requests that are over.
  package func receive(
    orReadable descriptor: Int32? = nil,
    timeout: Int32 = 250,
    isAhead: ((State) -> Bool)? = nil,
    _ take: (inout State, WorkerMessage) throws(ProtocolError) -> Bool
  ) -> Progress {
    let workers = pool.workers
    func waits(_ worker: Worker) -> Bool {
      guard let isAhead, let first = worker.jobs.first else { return false }
      return sent[first.identifier].map(isAhead) ?? false
    }
    var polled = workers.map { worker in
      let events = (waits(worker) ? 0 : POLLIN) | (worker.channel.wantsToSend ? POLLOUT : 0)
      return pollfd(fd: worker.process.socket, events: Int16(events), revents: 0)
    }
    if let descriptor {
      polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    }
    _ = poll(&polled, nfds_t(polled.count), timeout)
    var progress = Progress()
    let now = MonotonicClock.now
    let isDeadlineLook = now >= nextDeadlineLook
    if isDeadlineLook { nextDeadlineLook = now + deadlineInterval }
    for (number, worker) in workers.enumerated() {
      var end: End?
      if polled[number].revents != 0 {
        worker.channel.flush()
        if polled[number].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
          end = receive(from: worker, &progress, take)
        }
      }
      if end == nil, isDeadlineLook, worker.isOverdue(at: now) {
        if waits(worker) {
          worker.extendDeadline(by: MonotonicClock.second)
        } else {
          // This process may have been busy: an answer that has arrived counts.
          end = receive(from: worker, &progress, take)
          if end == nil, worker.isOverdue(at: now) {
            end = End(detail: "it took longer than is allowed", reason: .deadline)
          }
        }
      }
      if let end { remove(worker, end, &progress) } else { pool.note(worker) }
    }
    return progress
  }

  /// The reason to remove a worker.
  private struct End {
    var detail: String
    var reason = ItemReason.workerCrashed
    /// Whether the job that it works on may have caused it.
    var isOfJob = true
  }

  private func remove(_ worker: Worker, _ end: End, _ progress: inout Progress) {
    for (position, job) in worker.jobs.enumerated() {
      guard let state = sent.removeValue(forKey: job.identifier) else { continue }
      let lost = Lost(
        state: state,
        detail: end.detail,
        reason: end.reason,
        // A worker that ended before its first message had begun no job.
        isAtFault: end.isOfJob && position == 0 && worker.hasReceivedHello,
        isOfUsedWorker: worker.answered > 0
      )
      progress.lost.append(lost)
    }
    progress.ended.append(worker.purpose)
    pool.remove(worker)
  }

  /// Takes the messages of a worker.
  ///
  /// - Returns: The reason to remove the worker, if there is one.
  private func receive(
    from worker: Worker,
    _ progress: inout Progress,
    _ take: (inout State, WorkerMessage) throws(ProtocolError) -> Bool
  ) -> End? {
    do throws(ProtocolError) {
      let hasEnded = worker.channel.receive(into: buffer)
      while let message = try worker.next() {
        guard let identifier = message.job, let index = sent.index(forKey: identifier) else {
          continue
        }
        // In its place: a state that is taken out and put back is copied with each message, up to 256
        // MiB.
        guard try take(&sent.values[index], message) else { continue }
        progress.finished.append(sent.remove(at: index).value)
        worker.finishFirst()
        // A page is made of many files by one worker, which draws it anew without those that fail.
        if message.isFailureOfDecoder, !worker.hasPage {
          return End(detail: "a decoder failed before it", isOfJob: false)
        }
      }
      guard hasEnded else { return nil }
      let wasSlow = (try? worker.process.reap(blocking: false)) == .signalled(SIGXCPU)
      return End(detail: "the worker ended", reason: wasSlow ? .deadline : .workerCrashed)
    } catch {
      return End(detail: "it sent a wrong answer: \(error)", reason: .workerProtocol)
    }
  }
}
