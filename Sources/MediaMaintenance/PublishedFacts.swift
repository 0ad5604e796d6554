internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaPipeline
internal import MediaVerification
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// Reads the facts and the digest of published files through workers, which alone parse media.
///
/// A worker serves the files of one source and one metadata policy, as in a run.
final class PublishedFacts {
  private let root: Descriptor
  private let workers: WorkerRequests<Sent>

  /// A file that a worker has.
  private struct Sent {
    var index: Int
    /// The answer, once it has come.
    var answer: FactsAnswer?
  }

  /// Finds the worker's program.
  ///
  /// - Parameters:
  ///   - root: The library's folder.
  ///   - enforcement: How workers are confined.
  /// - Throws: `RunError`, 70 without a worker's program.
  init(beneath root: Descriptor, enforcement: Enforcement) throws(RunError) {
    self.root = root
    let (executable, nullDevice) = try WorkerPool.openFiles()
    workers = WorkerRequests(
      WorkerPool(
        executable: executable,
        nullDevice: nullDevice,
        enforcement: enforcement,
        size: Host.processors
      )
    )
  }

  /// Reads each file once.
  ///
  /// - Returns: An answer for each request, in their order.
  /// - Throws: `RunError` when no worker can be started.
  func read(_ requests: [FactsRequest]) throws(RunError) -> [FactsAnswer] {
    var answers = [FactsAnswer?](repeating: nil, count: requests.count)
    var failedAttempts = [Int](repeating: 0, count: requests.count)
    var waiting = Array(requests.indices.reversed())
    while !waiting.isEmpty || !workers.isEmpty {
      while let index = waiting.last,
        workers.hasRoom(for: .files(of: requests[index].source, requests[index].policy))
      {
        waiting.removeLast()
        answers[index] = try send(requests[index], at: index)
      }
      if workers.isEmpty { continue }
      let progress = workers.receive(Self.take)
      for sent in progress.finished { answers[sent.index] = sent.answer }
      for lost in progress.lost {
        let index = lost.state.index
        if lost.isAtFault { failedAttempts[index] += 1 }
        if failedAttempts[index] > 1 {
          answers[index] = .unreadable(lost.detail)
        } else {
          waiting.append(index)
        }
      }
    }
    return answers.map { $0 ?? .unreadable("no answer") }
  }

  /// Asks for facts and digest alone: a file of no accepted media type is not decoded.
  ///
  /// - Returns: The answer about a file that cannot be opened.
  private func send(_ request: FactsRequest, at index: Int) throws(RunError) -> FactsAnswer? {
    let file: Descriptor
    let status: FileStatus
    do {
      file = try FileSystem.openForReading(
        beneath: root,
        [UInt8](request.path.utf8),
        crossMounts: true
      )
      status = try file.status()
    } catch {
      return error.isMissing ? .missing : .unreadable("\(error)")
    }
    var limits = ItemLimits()
    limits.bytes = .max
    limits.pixels = .max
    limits.frames = .max
    do {
      _ = try workers.send(
        Sent(index: index),
        for: .files(of: request.source, request.policy),
        file: file,
        seconds: min(10 + status.storedBytes / 20_000_000 + status.size / 1_000_000_000, 86_400)
      ) { identifier in
        .job(
          Job(
            identifier: identifier,
            acceptedMediaTypes: [],
            wantsEditList: false,
            thumbnails: [],
            limits: limits,
            wantsDescription: request.policy == .keep,
            sidecar: request.sidecar
          )
        )
      }
      return nil
    } catch {
      throw RunError(error)
    }
  }

  /// Enters a message into an answer.
  ///
  /// - Returns: Whether it was the last.
  private static func take(
    _ sent: inout Sent,
    _ message: WorkerMessage
  ) throws(ProtocolError) -> Bool {
    switch message {
    case .facts(_, let facts, let digest, let accepted, _):
      guard let digest, sent.answer == nil, !accepted else {
        throw ProtocolError("facts that do not fit")
      }
      sent.answer = .read(facts, sha256: Hexadecimal.text(digest))
      return false
    case .sidecar(_, let description, let digest):
      guard sent.answer == nil else { throw ProtocolError("facts that do not fit") }
      sent.answer = .readSidecar(description, sha256: Hexadecimal.text(digest))
      return false
    case .done:
      guard sent.answer != nil else { throw ProtocolError("done without facts") }
      return true
    case .failed(_, _, _, let detail):
      sent.answer = .unreadable(EscapedText.printable(detail, limit: 200))
      return true
    default: throw ProtocolError("an answer that was not requested")
    }
  }
}
