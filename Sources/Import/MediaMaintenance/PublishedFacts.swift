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
  private let pool: WorkerPool
  private lazy var requests = FileRequests<Asked>(
    pool,
    purpose: { .files(of: $0.request.source, $0.request.policy) },
    seconds: \.seconds,
    open: { [root] in Self.open(&$0, beneath: root) },
    request: { .job(Self.job($1, $0.request)) },
    take: Self.take,
    finish: { [unowned self] in self.answers[$0.index] = $0.answer(unless: $1) },
    failure: { $1 },
    wrapping: RunError.init
  )
  /// Those to the requests of one call, in their order.
  private var answers: [FactsAnswer] = []

  /// A file that is read.
  private struct Asked {
    var index: Int
    var request: FactsRequest
    var seconds: Int64 = 0
    /// The answer, once it has come.
    var answer: FactsAnswer?

    /// Returns the answer, unless the file is there and there is none for a reason.
    func answer(unless problem: String?) -> FactsAnswer {
      if case .missing? = answer { return .missing }
      return problem.map { .unreadable($0) } ?? answer ?? .unreadable("no answer")
    }
  }

  /// Finds the worker's program.
  ///
  /// - Parameters:
  ///   - root: The library's folder.
  ///   - enforcement: How workers are confined.
  /// - Throws: `RunError`, 70 without a worker's program.
  init(beneath root: Descriptor, enforcement: Enforcement) throws(RunError) {
    self.root = root
    pool = try WorkerProgram.ofRun().pool(enforcement, size: Host.processors)
  }

  /// Reads each file once.
  ///
  /// - Returns: An answer for each request, in their order.
  /// - Throws: `RunError` when no worker can be started.
  func read(_ requests: [FactsRequest]) throws -> [FactsAnswer] {
    answers = Array(repeating: .missing, count: requests.count)
    defer { answers = [] }
    for (index, request) in requests.enumerated() {
      try self.requests.begin(Asked(index: index, request: request))
    }
    try self.requests.finishAll()
    return answers
  }

  private static func open(
    _ asked: inout Asked,
    beneath root: Descriptor
  ) -> (file: Descriptor?, problem: String) {
    do throws(FileSystemError) {
      let path = [UInt8](asked.request.path.utf8)
      let file = try FileSystem.openForReading(beneath: root, path, crossMounts: true)
      asked.seconds = try file.status().workerSeconds(atLeast: 10)
      return (file, "")
    } catch {
      if error.isMissing { asked.answer = .missing }
      return (nil, "\(error)")
    }
  }

  /// Asks for facts and digest alone: a file of no accepted media type is not decoded.
  private static func job(_ identifier: UInt64, _ request: FactsRequest) -> Job {
    Job(
      identifier: identifier,
      strip: request.policy.stripOptions(),
      limits: .ofPublished,
      wantsDescription: request.policy == .keep,
      sidecar: request.sidecar
    )
  }

  /// Enters a message into an answer.
  ///
  /// - Returns: Whether it was the last.
  private static func take(
    _ asked: inout Asked,
    _ message: WorkerMessage
  ) throws(ProtocolError) -> Bool {
    switch message {
    case .facts(_, let facts, let digest?, false, _) where asked.answer == nil:
      asked.answer = .read(facts, sha256: Hexadecimal.text(digest))
      return false
    case .sidecar(_, let description, let digest) where asked.answer == nil:
      asked.answer = .readSidecar(description, sha256: Hexadecimal.text(digest))
      return false
    case .facts, .sidecar: throw ProtocolError("facts that do not fit")
    case .done:
      guard asked.answer != nil else { throw ProtocolError("done without facts") }
      return true
    default: throw ProtocolError("an answer that was not requested")
    }
  }
}
