internal import Glibc
package import MediaFileSystem
internal import MediaLibrary
package import MediaModel
internal import MediaSandbox
package import MediaVerification
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// Reads the facts and the digest of published files through workers, which alone parse media.
///
/// A worker serves the files of one source and one metadata policy, as in a run.
package final class PublishedFacts {
  private let root: Descriptor
  private var pool: WorkerPool
  private var nextJob: UInt64 = 1
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: 1 << 16,
    alignment: 4096
  )

  /// A file that a worker has.
  private struct Sent {
    var index: Int
    var file: Descriptor
    /// The facts, once they have come.
    var found: FactsAnswer?
  }

  /// A request whose worker has ended.
  private struct Lost {
    var index: Int
    var detail: String
    /// Whether the worker was reading its file.
    var isAtFault: Bool
  }

  /// Finds the worker's program.
  ///
  /// - Parameters:
  ///   - root: The library's folder.
  ///   - enforcement: How workers are confined.
  /// - Throws: `RunError`, 70 without a worker's program.
  package init(beneath root: Descriptor, enforcement: Enforcement) throws(RunError) {
    self.root = root
    let (executable, nullDevice) = try ConfinedRun.openWorkerFiles()
    pool = WorkerPool(
      executable: executable,
      nullDevice: nullDevice,
      enforcement: enforcement,
      size: Host.processors
    )
  }

  deinit {
    pool.removeAll()
    buffer.deallocate()
  }

  /// Reads each file once.
  ///
  /// - Returns: An answer for each request, in their order.
  /// - Throws: `RunError` when no worker can be started.
  package func read(_ requests: [FactsRequest]) throws(RunError) -> [FactsAnswer] {
    var answers = [FactsAnswer?](repeating: nil, count: requests.count)
    var failedAttempts = [Int](repeating: 0, count: requests.count)
    var waiting = Array(requests.indices.reversed())
    var sent: [UInt64: Sent] = [:]
    while !waiting.isEmpty || !sent.isEmpty {
      while let index = waiting.last {
        let request = requests[index]
        guard let worker = try pool.workerOfRun(source: request.source, policy: request.policy)
        else {
          break
        }
        waiting.removeLast()
        do {
          let file = try FileSystem.openForReading(
            beneath: root,
            [UInt8](request.path.utf8),
            crossMounts: true
          )
          sent[nextJob] = Sent(index: index, file: file)
          try send(nextJob, file, request, to: worker)
          nextJob += 1
        } catch  where error.isMissing {
          answers[index] = .missing
        } catch {
          answers[index] = .unreadable("\(error)")
        }
      }
      if sent.isEmpty { continue }
      for lost in receive(&sent, &answers) {
        if lost.isAtFault { failedAttempts[lost.index] += 1 }
        if failedAttempts[lost.index] > 1 {
          answers[lost.index] = .unreadable(lost.detail)
        } else {
          waiting.append(lost.index)
        }
      }
    }
    return answers.map { $0 ?? .unreadable("no answer") }
  }

  /// Asks for facts and digest alone: a file of no accepted media type is not decoded.
  private func send(
    _ identifier: UInt64,
    _ file: Descriptor,
    _ request: FactsRequest,
    to worker: Worker
  ) throws(FileSystemError) {
    var limits = ItemLimits()
    limits.bytes = .max
    limits.pixels = .max
    limits.frames = .max
    let status = try file.status()
    worker.send(
      Job(
        identifier: identifier,
        acceptedMediaTypes: [],
        wantsEditList: false,
        thumbnails: [],
        limits: limits,
        wantsDescription: request.policy == .keep,
        sidecar: request.sidecar
      ),
      file: file,
      seconds: min(10 + status.storedBytes / 20_000_000 + status.size / 1_000_000_000, 86_400)
    )
  }

  /// Waits for messages and takes those that have come.
  ///
  /// - Returns: The requests whose worker has ended, with the reason.
  private func receive(
    _ sent: inout [UInt64: Sent],
    _ answers: inout [FactsAnswer?]
  ) -> [Lost] {
    let workers = pool.workers
    var polled = workers.map { worker in
      let events = POLLIN | (worker.channel.wantsToSend ? POLLOUT : 0)
      return pollfd(fd: worker.process.socket, events: Int16(events), revents: 0)
    }
    _ = poll(&polled, nfds_t(polled.count), 250)
    var lost: [Lost] = []
    let now = MonotonicClock.now
    for (number, worker) in workers.enumerated() {
      var end: String?
      if polled[number].revents != 0 {
        worker.channel.flush()
        end = take(from: worker, &sent, &answers)
      }
      if end == nil, !worker.jobs.isEmpty, worker.isOverdue(at: now) {
        end = "it took longer than its deadline"
      }
      guard let end else {
        pool.note(worker)
        continue
      }
      for (position, job) in worker.jobs.enumerated() {
        guard let job = sent.removeValue(forKey: job.identifier) else { continue }
        // A worker that ended before its first message had begun no job.
        let isAtFault = position == 0 && worker.hasReceivedHello
        lost.append(Lost(index: job.index, detail: end, isAtFault: isAtFault))
      }
      pool.remove(worker)
    }
    return lost
  }

  /// Takes the messages of a worker.
  ///
  /// - Returns: The reason to remove the worker, if there is one.
  private func take(
    from worker: Worker,
    _ sent: inout [UInt64: Sent],
    _ answers: inout [FactsAnswer?]
  ) -> String? {
    do throws(ProtocolError) {
      let hasEnded = worker.channel.receive(into: buffer)
      while let message = try worker.next() {
        guard let identifier = message.job, var job = sent[identifier] else { continue }
        switch message {
        case .facts(_, let facts, let digest, let accepted, _):
          guard let digest, job.found == nil, !accepted else {
            throw ProtocolError("facts that do not fit")
          }
          job.found = .read(facts, sha256: Hexadecimal.text(digest))
          sent[identifier] = job
        case .sidecar(_, let description, let digest):
          guard job.found == nil else { throw ProtocolError("facts that do not fit") }
          job.found = .readSidecar(description, sha256: Hexadecimal.text(digest))
          sent[identifier] = job
        case .done:
          guard let found = job.found else { throw ProtocolError("done without facts") }
          answers[job.index] = found
          sent[identifier] = nil
          worker.finishFirst()
        case .failed(_, _, _, let detail):
          answers[job.index] = .unreadable(EscapedText.printable(detail, limit: 200))
          sent[identifier] = nil
          worker.finishFirst()
        case .hello: break
        default: throw ProtocolError("an answer that was not requested")
        }
      }
      return hasEnded ? "the worker ended" : nil
    } catch {
      return "it broke the protocol: \(error)"
    }
  }
}
