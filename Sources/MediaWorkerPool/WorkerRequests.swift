internal import Glibc
package import MediaFileSystem
internal import MediaSandbox
package import MediaWorkerProtocol

/// The requests that a command has sent to the workers of its pool, each with the state of its answer.
package final class WorkerRequests<State> {
  /// A request whose worker has ended, or was ended.
  package struct Lost {
    package var state: State
    /// The reason, for a message.
    package var detail: String
    /// Whether the worker was working on it.
    package var isAtFault: Bool

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
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: 1 << 16,
    alignment: 4096
  )

  package init(_ pool: WorkerPool) { self.pool = pool }

  deinit {
    pool.removeAll()
    buffer.deallocate()
  }

  /// Whether every request is over.
  package var isEmpty: Bool { sent.isEmpty }

  /// Whether ``send(_:for:file:seconds:request:)`` would send.
  package func hasRoom(for purpose: WorkerPurpose) -> Bool { pool.hasRoom(for: purpose) }

  /// Sends a request to a worker with room, which is started if needed.
  ///
  /// - Parameters:
  ///   - state: The state that its messages are given to.
  ///   - purpose: The files that its worker gets.
  ///   - file: The file, open for reading.
  ///   - seconds: The processor seconds that it may take.
  ///   - request: Makes the request with its identifier.
  /// - Returns: Whether it was sent; not when all workers are busy.
  /// - Throws: ``WorkerPoolError``.
  package func send(
    _ state: State,
    for purpose: WorkerPurpose,
    file: Descriptor,
    seconds: Int64,
    request: (_ identifier: UInt64) -> WorkerRequest
  ) throws(WorkerPoolError) -> Bool {
    guard let worker = try pool.worker(for: purpose) else { return false }
    sent[nextIdentifier] = state
    worker.send(request(nextIdentifier), file: file, seconds: seconds)
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

  /// Waits for messages, at most a quarter of a second, and takes those that have come.
  ///
  /// - Parameters:
  ///   - descriptor: Ends the wait, too, when it can be read; nil for none.
  ///   - take: Enters a message into the state of its request, and returns whether it was the last;
  ///     throws for one that does not fit, after which the worker is ended.
  /// - Returns: The requests that are over.
  package func receive(
    orReadable descriptor: Int32? = nil,
    _ take: (inout State, WorkerMessage) throws(ProtocolError) -> Bool
  ) -> Progress {
    let workers = pool.workers
    var polled = workers.map { worker in
      let events = POLLIN | (worker.channel.wantsToSend ? POLLOUT : 0)
      return pollfd(fd: worker.process.socket, events: Int16(events), revents: 0)
    }
    if let descriptor {
      polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    }
    _ = poll(&polled, nfds_t(polled.count), 250)
    var progress = Progress()
    let now = MonotonicClock.now
    for (number, worker) in workers.enumerated() {
      var end: End?
      if polled[number].revents != 0 {
        worker.channel.flush()
        end = receive(from: worker, &progress, take)
      }
      if end == nil, !worker.jobs.isEmpty, worker.isOverdue(at: now) {
        end = End(detail: "it took longer than its deadline")
      }
      guard let end else {
        pool.note(worker)
        continue
      }
      for (position, job) in worker.jobs.enumerated() {
        guard let state = sent.removeValue(forKey: job.identifier) else { continue }
        // A worker that ended before its first message had begun no job.
        let isAtFault = end.isOfJob && position == 0 && worker.hasReceivedHello
        progress.lost.append(Lost(state: state, detail: end.detail, isAtFault: isAtFault))
      }
      progress.ended.append(worker.purpose)
      pool.remove(worker)
    }
    return progress
  }

  /// The reason to remove a worker.
  private struct End {
    var detail: String
    /// Whether the job that it works on may have caused it.
    var isOfJob = true
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
      return hasEnded ? End(detail: "the worker ended") : nil
    } catch {
      return End(detail: "it broke the protocol: \(error)")
    }
  }
}
