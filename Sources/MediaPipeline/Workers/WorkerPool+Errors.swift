internal import MediaModel
internal import MediaSandbox
internal import MediaWorkerPool

extension WorkerPool {
  /// Returns what ``worker(source:policy:)`` does, with the error of a run.
  mutating func workerOfRun(
    source: SourceKind,
    policy: MetadataPolicy
  ) throws(RunError) -> Worker? {
    do {
      return try worker(source: source, policy: policy)
    } catch {
      switch error {
      case .doesNotStart(let enforcement): throw .workerDoesNotStart(enforcement)
      case .cannotStart(let cause): throw RunError(cause)
      }
    }
  }
}
