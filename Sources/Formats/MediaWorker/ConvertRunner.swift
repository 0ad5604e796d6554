internal import MediaContainers
internal import MediaImaging
internal import MediaMetadata
internal import MediaModel
internal import MediaWorkerProtocol

/// Performs a conversion: decodes the picture in its full size and encodes it as a JPEG.
final class ConvertRunner {
  private let converter = PictureConverter()

  /// Sends the answers in the order of ``ConvertJob``.
  ///
  /// - Throws: `JobRunner.Failure`, after which no other message of the job follows.
  func run(
    _ job: ConvertJob,
    _ bytes: UnsafeRawBufferPointer,
    answer: ([UInt8]) -> Void
  ) throws(JobRunner.Failure) {
    let source = ByteSource(bytes)
    guard let format = FormatSniffer.format(of: source), format.mediaType == .image else {
      throw JobRunner.Failure(step: .metadata, reason: .unknownFormat, detail: "no picture")
    }
    let orientation: Int
    do throws(MetadataError) {
      orientation = try MetadataReader.facts(of: source, format: format).orientation
    } catch {
      throw JobRunner.Failure(error)
    }
    let thumbnail: Thumbnail
    do throws(ImagingError) {
      thumbnail = try converter.jpeg(
        of: bytes,
        format: format,
        orientation: orientation,
        rotation: job.facts?.rotation ?? 0,
        quality: job.quality
      )
    } catch {
      throw JobRunner.Failure(step: .decode, reason: error.itemReason, detail: error.detail)
    }
    var file = thumbnail.bytes
    if let facts = job.facts {
      file = try EmbedRunner.jpeg(file, of: source, format, with: facts)
    }
    let frames = WorkerMessage.frames(
      ofThumbnail: file,
      name: ConvertJob.resultName,
      size: thumbnail.pixelSize,
      job: job.identifier
    )
    for frame in frames { answer(frame) }
    answer(WorkerMessage.done(job: job.identifier).frame)
  }
}
