package import MediaFileSystem
package import MediaModel
package import MediaSandbox

extension RunError {
  /// Wraps a failure to confine a process or to start a worker.
  package init(_ error: SandboxError) {
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

extension WorkerPool {
  /// Finds the worker's program and opens its `/dev/null`.
  ///
  /// - Throws: `RunError`, 70 without a worker's program.
  package static func openFiles() throws(RunError) -> (
    executable: [UInt8], nullDevice: Descriptor
  ) {
    do {
      return (
        try WorkerProcess.programBeside(WorkerProcess.programName),
        try FileSystem.openDevice([UInt8]("/dev/null".utf8))
      )
    } catch let error as SandboxError {
      throw RunError(
        .workerMissing,
        "\(WorkerProcess.programName) is not beside this program: \(error). Install both together."
      )
    } catch {
      throw RunError(.internal, "\(error)")
    }
  }

  /// Returns what ``worker(for:)`` does, with the error of a run.
  package mutating func workerOfRun(for purpose: WorkerPurpose) throws(RunError) -> Worker? {
    do {
      return try worker(for: purpose)
    } catch {
      throw RunError(error)
    }
  }
}
