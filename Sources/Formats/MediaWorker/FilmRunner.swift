internal import MediaContainers
internal import MediaImaging
internal import MediaMetadata
internal import MediaModel
internal import MediaWorkerProtocol

/// Converts a film that browsers cannot play.
final class FilmRunner {
  private let converter = FilmConverter()

  /// Sends the answers in the order of ``FilmJob``.
  ///
  /// - Throws: `JobRunner.Failure`, after which no other message of the job follows.
  func run(
    _ job: FilmJob,
    _ bytes: UnsafeRawBufferPointer,
    answer: @escaping ([UInt8]) -> Void
  ) throws(JobRunner.Failure) {
    guard let format = FormatSniffer.format(of: ByteSource(bytes)), format.mediaType == .video
    else { throw JobRunner.Failure(step: .metadata, reason: .unknownFormat, detail: "no film") }
    do throws(ImagingError) {
      try converter.convert(
        bytes,
        format: format,
        height: job.height,
        rotation: job.rotation,
        progress: { percent in
          answer(WorkerMessage.filmProgress(job: job.identifier, percent: percent).frame)
        },
        write: { offset, part in
          WorkerMessage.send(partOfFilm: part, at: offset, job: job.identifier, answer)
        }
      )
    } catch {
      throw JobRunner.Failure(step: .decode, reason: error.itemReason, detail: error.detail)
    }
    answer(WorkerMessage.done(job: job.identifier).frame)
  }
}
