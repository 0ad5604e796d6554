/// A request to a worker, sent with one descriptor.
package enum WorkerRequest: Sendable, Hashable {
  /// One item of a run.
  case job(Job)
  /// One file that is only inspected.
  case inspect(InspectJob)
  /// A picture that is converted to JPEG.
  case convert(ConvertJob)
  /// A part of the work on a page of a contact sheet.
  case sheet(SheetJob)
  /// An archive that is listed, or a file of it.
  case archive(ArchiveJob)
  /// A GPS track that is read.
  case track(TrackJob)

  /// The identifier that every message about the request contains.
  package var identifier: UInt64 {
    switch self {
    case .job(let job): job.identifier
    case .inspect(let job): job.identifier
    case .convert(let job): job.identifier
    case .sheet(let job): job.identifier
    case .archive(let job): job.identifier
    case .track(let job): job.identifier
    }
  }

  /// The request as one frame.
  package var frame: [UInt8] {
    switch self {
    case .job(let job): job.frame
    case .inspect(let job): job.frame
    case .convert(let job): job.frame
    case .sheet(let job): job.frame
    case .archive(let job): job.frame
    case .track(let job): job.frame
    }
  }

  /// Reads a request from the content of a frame.
  ///
  /// - Throws: ``ProtocolError`` for a request that no coordinator of this build sends.
  package init(frame: ArraySlice<UInt8>) throws(ProtocolError) {
    self =
      switch frame.first {
      case InspectJob.kind: .inspect(try InspectJob(frame: frame))
      case ConvertJob.kind: .convert(try ConvertJob(frame: frame))
      case SheetJob.kind: .sheet(try SheetJob(frame: frame))
      case ArchiveJob.kind: .archive(try ArchiveJob(frame: frame))
      case TrackJob.kind: .track(try TrackJob(frame: frame))
      default: .job(try Job(frame: frame))
      }
  }
}
