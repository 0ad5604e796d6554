/// Anything that a worker is asked for; each comes with one descriptor.
package enum WorkerRequest: Sendable, Hashable {
  /// One item of a run.
  case job(Job)
  /// One file that is only looked at.
  case inspect(InspectJob)

  /// What every message about it carries.
  package var identifier: UInt64 {
    switch self {
    case .job(let job): job.identifier
    case .inspect(let job): job.identifier
    }
  }

  /// Reads a request from the content of a frame.
  ///
  /// - Throws: ``ProtocolError`` for anything that a coordinator does not write.
  package init(frame: ArraySlice<UInt8>) throws(ProtocolError) {
    if frame.first == InspectJob.kind {
      self = .inspect(try InspectJob(frame: frame))
    } else {
      self = .job(try Job(frame: frame))
    }
  }
}
