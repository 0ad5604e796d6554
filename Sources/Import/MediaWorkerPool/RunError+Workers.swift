package import MediaFileSystem
package import MediaModel
package import MediaSandbox
package import MediaWorkerProtocol

extension RunError {
  /// Wraps a failure to confine a process or to start a worker.
  package init(_ error: SandboxError) {
    if error.isOfConfinement, error.numberName == "ENOMEM" {
      self.init(
        .internal,
        "Memory ran out before this process was confined. Free some, then run again: it resumes."
      )
      return
    }
    self.init(
      ProblemCode(rawValue: error.code.rawValue) ?? .internal,
      error.code == .spawnFailed
        ? "\(error). Run again: it resumes. If it fails again, run `mediabatch doctor`."
        : "\(error). Run `mediabatch doctor` to see what this machine can enforce."
    )
  }

  /// The error after three workers in a row ended before their first message.
  package static func workerDoesNotStart(_ enforcement: Enforcement) -> RunError {
    RunError(
      .workerDoesNotStart,
      exitCode: enforcement == .kernel ? .enforcementUnavailable : .internalCheck,
      "The worker program ends as soon as it is started. Run `mediabatch doctor`."
    )
  }

  /// The error of a run for workers that cannot be started.
  package init(_ error: WorkerPoolError) {
    switch error {
    case .doesNotStart(let enforcement): self = .workerDoesNotStart(enforcement)
    case .cannotStart(let cause): self.init(cause)
    }
  }
}

extension WorkerRequests {
  /// Sends a request, and waits until it is over; no other may be under way. None is sent again: what asks in this way
  /// does without a file that ends a worker.
  ///
  /// - Parameters:
  ///   - state: The state that its messages are given to.
  ///   - purpose: The files that its worker gets.
  ///   - file: The file, open for reading.
  ///   - seconds: The processor seconds that it may take.
  ///   - request: Makes the request with its identifier.
  ///   - checkAccess: Called several times a second; where it throws, the caller ends the worker.
  ///   - take: Enters a message into the state, as for ``receive(orReadable:_:)``.
  /// - Returns: The state of the answer; the detail of its loss when the worker has ended, or was ended.
  /// - Throws: `RunError` when no worker can be started, and what `checkAccess` throws.
  package func answer(
    to state: State,
    for purpose: WorkerPurpose,
    file: Descriptor,
    seconds: Int64,
    request: (_ identifier: UInt64) -> WorkerRequest,
    checkAccess: () throws(RunError) -> Void,
    _ take: (inout State, WorkerMessage) throws(ProtocolError) -> Bool
  ) throws(RunError) -> (state: State, loss: String?) {
    let isSent: Bool
    do throws(WorkerPoolError) {
      isSent = try send(state, for: purpose, file: file, seconds: seconds, request: request)
    } catch {
      throw RunError(error)
    }
    guard isSent else { throw RunError(.internal, "no worker has room for a request") }
    while true {
      try checkAccess()
      let progress = receive(take)
      if let answered = progress.finished.first { return (answered, nil) }
      if let lost = progress.lost.first { return (lost.state, lost.detail) }
    }
  }
}
