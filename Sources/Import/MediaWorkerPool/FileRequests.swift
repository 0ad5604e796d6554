package import MediaFileSystem
package import MediaModel
package import MediaWorkerProtocol

/// Requests to confined workers about files, several at a time; one whose worker ends is sent once
/// more.
package final class FileRequests<Subject> {
  private struct State {
    /// As it was sent.
    var asked: Subject
    var answered: Subject
    /// The failure that the worker has named.
    var problem: String?
    var failedAttempts = 0

    init(_ subject: Subject) { (asked, answered) = (subject, subject) }
  }

  private let requests: WorkerRequests<State>
  private let purpose: (Subject) -> WorkerPurpose
  private let seconds: (Subject) -> Int64
  private let open: (inout Subject) throws -> (file: Descriptor?, problem: String)
  private let request: (Subject, _ identifier: UInt64) -> WorkerRequest
  private let take: (inout Subject, WorkerMessage) throws(ProtocolError) -> Bool
  private let finish: (Subject, _ problem: String?) throws -> Void
  private let failure: (ItemReason, _ detail: String) -> String
  private let wrapping: (WorkerPoolError) -> any Error
  /// Those that a worker had not begun when it ended, or lost for the first time.
  private var again: [State] = []

  /// - Parameters:
  ///   - pool: The workers, none of which has started.
  ///   - purpose: The files that a file's worker gets.
  ///   - seconds: The processor seconds that an opened file may take; by default those of a picture.
  ///   - open: Opens the file and enters what is known of it then; nil with a problem, escaped, that takes the
  ///     place of an answer.
  ///   - request: Makes the request with its identifier.
  ///   - take: Enters a message, and returns whether it was the last.
  ///   - finish: Takes the file with its answer, or with the reason that there is none, escaped.
  ///   - failure: The words of a failure that a worker has named, with its detail, escaped.
  ///   - wrapping: The error that is thrown when no worker can be started.
  package init(
    _ pool: WorkerPool,
    purpose: @escaping (Subject) -> WorkerPurpose,
    seconds: @escaping (Subject) -> Int64 = { _ in 120 },
    open: @escaping (inout Subject) throws -> (file: Descriptor?, problem: String),
    request: @escaping (Subject, _ identifier: UInt64) -> WorkerRequest,
    take: @escaping (inout Subject, WorkerMessage) throws(ProtocolError) -> Bool,
    finish: @escaping (Subject, _ problem: String?) throws -> Void,
    failure: @escaping (ItemReason, _ detail: String) -> String = {
      // The worker's error may begin with the reason.
      $1.hasPrefix("\($0.rawValue): ") ? $1 : "\($0.rawValue): \($1)"
    },
    wrapping: @escaping (WorkerPoolError) -> any Error
  ) {
    requests = WorkerRequests(pool)
    (self.purpose, self.seconds, self.open, self.request) = (purpose, seconds, open, request)
    (self.take, self.finish, self.failure, self.wrapping) = (take, finish, failure, wrapping)
  }

  /// Begins with a file; waits for room if all workers are busy.
  ///
  /// - Throws: The wrapped ``WorkerPoolError`` when no worker can be started, and what the functions throw.
  package func begin(_ subject: Subject) throws {
    again.append(State(subject))
    try sendAll()
  }

  /// Waits for all files that were begun.
  ///
  /// - Throws: As ``begin(_:)``.
  package func finishAll() throws {
    while !requests.isEmpty {
      try receive()
      try sendAll()
    }
  }

  private func sendAll() throws {
    while var state = again.popLast() {
      let (file, problem) = try open(&state.asked)
      guard let file else {
        try finish(state.asked, problem)
        continue
      }
      state.answered = state.asked
      while try !send(state, file) { try receive() }
    }
  }

  private func send(_ state: State, _ file: Descriptor) throws -> Bool {
    do throws(WorkerPoolError) {
      return try requests.send(
        state,
        for: purpose(state.asked),
        file: file,
        seconds: seconds(state.asked)
      ) { request(state.asked, $0) }
    } catch {
      throw wrapping(error)
    }
  }

  private func receive() throws {
    let progress = requests.receive { (state, message) throws(ProtocolError) in
      guard case .failed(_, _, let reason, let detail) = message else {
        return try take(&state.answered, message)
      }
      state.problem = failure(reason, EscapedText.printable(detail, limit: 200))
      return true
    }
    for state in progress.finished { try finish(state.answered, state.problem) }
    for lost in progress.lost {
      var state = State(lost.state.asked)
      state.failedAttempts = lost.state.failedAttempts
      if lost.fails(after: &state.failedAttempts) {
        try finish(state.asked, lost.detail)
      } else {
        again.append(state)
      }
    }
  }
}
