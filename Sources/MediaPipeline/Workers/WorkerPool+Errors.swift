package import MediaFileSystem
internal import MediaModel
internal import MediaSandbox
package import MediaWorkerPool

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
  mutating func workerOfRun(for purpose: WorkerPurpose) throws(RunError) -> Worker? {
    do {
      return try worker(for: purpose)
    } catch {
      throw RunError(error)
    }
  }
}

extension RunError {
  /// The error of a run for workers that cannot be started.
  package init(_ error: WorkerPoolError) {
    switch error {
    case .doesNotStart(let enforcement): self = .workerDoesNotStart(enforcement)
    case .cannotStart(let cause): self.init(cause)
    }
  }
}
