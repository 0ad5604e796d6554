package import MediaFileSystem
internal import MediaModel
package import MediaWorkerProtocol

/// Requests to confined workers about files, several at a time; one whose worker ends is sent once
/// more.
package final class FileRequests<Subject> {
  /// What is asked about a file, and what becomes of the answer.
  package struct Errand {
    /// The files that its worker gets.
    var purpose: (Subject) -> WorkerPurpose
    /// Opens the file and enters what is known of it then; nil with a problem, escaped, that takes the place of
    /// an answer.
    var open: (inout Subject) throws -> (file: Descriptor?, problem: String)
    var request: (Subject, _ identifier: UInt64) -> WorkerRequest
    /// Enters a message, and returns whether it was the last.
    var take: (inout Subject, WorkerMessage) throws(ProtocolError) -> Bool
    /// Takes the file with its answer, or with the reason that there is none, escaped.
    var finish: (Subject, _ problem: String?) throws -> Void

    /// - Parameters:
    ///   - purpose: The files that its worker gets.
    ///   - open: Opens the file and enters what is known of it then; nil with a problem, escaped, that takes the
    ///     place of an answer.
    ///   - request: Makes the request with its identifier.
    ///   - take: Enters a message, and returns whether it was the last.
    ///   - finish: Takes the file with its answer, or with the reason that there is none, escaped.
    package init(
      purpose: @escaping (Subject) -> WorkerPurpose,
      open: @escaping (inout Subject) throws -> (file: Descriptor?, problem: String),
      request: @escaping (Subject, _ identifier: UInt64) -> WorkerRequest,
      take: @escaping (inout Subject, WorkerMessage) throws(ProtocolError) -> Bool,
      finish: @escaping (Subject, _ problem: String?) throws -> Void
    ) {
      (self.purpose, self.open, self.request) = (purpose, open, request)
      (self.take, self.finish) = (take, finish)
    }
  }

  private struct State {
    /// As it was sent.
    var asked: Subject
    /// The processor seconds that it may take.
    let seconds: Int64
    var answered: Subject
    /// The failure that the worker has named.
    var problem: String?
    /// How many workers have ended while they worked on it.
    var failedAttempts: Int
  }

  private let requests: WorkerRequests<State>
  private let errand: Errand
  /// Those that a worker had not begun when it ended, or lost for the first time.
  private var again: [State] = []

  /// - Parameters:
  ///   - pool: The workers, none of which has started.
  ///   - errand: What is asked.
  package init(_ pool: WorkerPool, _ errand: Errand) {
    requests = WorkerRequests(pool)
    self.errand = errand
  }

  /// Begins with a file; waits for room if all workers are busy.
  ///
  /// - Parameters:
  ///   - subject: The file.
  ///   - seconds: The processor seconds that it may take.
  /// - Throws: ``WorkerPoolError`` when no worker can be started, and what the errand throws.
  package func begin(_ subject: Subject, seconds: Int64) throws {
    try begin(State(asked: subject, seconds: seconds, answered: subject, failedAttempts: 0))
    try repeatLost()
  }

  /// Waits for all files that were begun.
  ///
  /// - Throws: As ``begin(_:seconds:)``.
  package func finishAll() throws {
    while !requests.isEmpty {
      try receive()
      try repeatLost()
    }
  }

  private func repeatLost() throws {
    while let lost = again.popLast() { try begin(lost) }
  }

  private func begin(_ state: State) throws {
    var state = state
    let (file, problem) = try errand.open(&state.asked)
    guard let file else { return try errand.finish(state.asked, problem) }
    state.answered = state.asked
    while try !send(state, file) { try receive() }
  }

  private func send(_ state: State, _ file: Descriptor) throws(WorkerPoolError) -> Bool {
    try requests.send(
      state,
      for: errand.purpose(state.asked),
      file: file,
      seconds: state.seconds
    ) { errand.request(state.asked, $0) }
  }

  private func receive() throws {
    let progress = requests.receive { (state, message) throws(ProtocolError) in
      guard case .failed(_, _, let reason, let detail) = message else {
        return try errand.take(&state.answered, message)
      }
      state.problem = "\(reason.rawValue): \(EscapedText.printable(detail, limit: 200))"
      return true
    }
    for state in progress.finished { try errand.finish(state.answered, state.problem) }
    for lost in progress.lost {
      let attempts = lost.state.failedAttempts + (lost.isAtFault ? 1 : 0)
      let asked = lost.state.asked
      if attempts > 1 {
        try errand.finish(asked, lost.detail)
      } else {
        again.append(
          State(
            asked: asked,
            seconds: lost.state.seconds,
            answered: asked,
            failedAttempts: attempts
          )
        )
      }
    }
  }
}
