/// A request to a worker, sent with one descriptor.
package enum WorkerRequest: WireValue, Hashable {
  /// One item of a run.
  case job(Job)
  /// One file that is only inspected.
  case inspect(InspectJob)
  /// A picture that is converted to JPEG.
  case convert(ConvertJob)
  /// A file into a copy of which facts are written.
  case embed(EmbedJob)
  /// A part of the work on a page of a contact sheet.
  case sheet(SheetJob)
  /// An archive that is listed, or a file of it.
  case archive(ArchiveJob)
  /// A GPS track, or a file of names of places, that is read.
  case location(LocationJob)
  /// A film that is converted to H.264.
  case film(FilmJob)

  /// The identifier that every message about the request contains.
  package var identifier: UInt64 {
    switch self {
    case .job(let job): job.identifier
    case .inspect(let job): job.identifier
    case .convert(let job): job.identifier
    case .embed(let job): job.identifier
    case .sheet(let job): job.identifier
    case .archive(let job): job.identifier
    case .location(let job): job.identifier
    case .film(let job): job.identifier
    }
  }

  package func put(into writer: inout WireWriter) {
    switch self {
    case .job(let job): job.put(into: &writer)
    case .inspect(let job): job.put(into: &writer)
    case .convert(let job): job.put(into: &writer)
    case .embed(let job): job.put(into: &writer)
    case .sheet(let job): job.put(into: &writer)
    case .archive(let job): job.put(into: &writer)
    case .location(let job): job.put(into: &writer)
    case .film(let job): job.put(into: &writer)
    }
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    self =
      switch reader.nextByte {
      case InspectJob.kind: .inspect(try InspectJob(from: &reader))
      case ConvertJob.kind: .convert(try ConvertJob(from: &reader))
      case EmbedJob.kind: .embed(try EmbedJob(from: &reader))
      case SheetJob.kind: .sheet(try SheetJob(from: &reader))
      case ArchiveJob.kind: .archive(try ArchiveJob(from: &reader))
      case LocationJob.kind: .location(try LocationJob(from: &reader))
      case FilmJob.kind: .film(try FilmJob(from: &reader))
      default: .job(try Job(from: &reader))
      }
  }
}
