internal import MediaModel
internal import MediaSandbox
internal import MediaWorkerPool

extension WorkerPool {
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
  init(_ error: WorkerPoolError) {
    switch error {
    case .doesNotStart(let enforcement): self = .workerDoesNotStart(enforcement)
    case .cannotStart(let cause): self.init(cause)
    }
  }
}
