/// A request to a worker, sent with one descriptor.
package enum WorkerRequest: Sendable, Hashable {
  /// One item of a run.
  case job(Job)
  /// One file that is only inspected.
  case inspect(InspectJob)

  /// The identifier that every message about the request contains.
  package var identifier: UInt64 {
    switch self {
    case .job(let job): job.identifier
    case .inspect(let job): job.identifier
    }
  }

  /// Reads a request from the content of a frame.
  ///
  /// - Throws: ``ProtocolError`` for a request that no coordinator of this build sends.
  package init(frame: ArraySlice<UInt8>) throws(ProtocolError) {
    if frame.first == InspectJob.kind {
      self = .inspect(try InspectJob(frame: frame))
    } else {
      self = .job(try Job(frame: frame))
    }
  }
}
