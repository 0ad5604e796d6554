internal import MediaContainers
internal import MediaImaging
internal import MediaMetadata
internal import MediaModel
internal import MediaWorkerProtocol

/// Draws the one page of a contact sheet that this worker has.
final class SheetRunner {
  private var page: (job: SheetJob, drawing: ContactSheetPage)?

  /// Sends the answers in the order of ``SheetJob``.
  ///
  /// - Throws: `JobRunner.Failure`, after which no other message of the job follows; the page stays as it
  ///   is.
  func run(
    _ job: SheetJob,
    _ bytes: UnsafeRawBufferPointer,
    answer: ([UInt8]) -> Void
  ) throws(JobRunner.Failure) {
    do throws(ImagingError) {
      switch job.part {
      case .cell(let cell):
        let page = try self.page(of: job)
        // The label tells which picture is missing when this fails.
        try page.drawLabel(of: cell)
        guard !bytes.isEmpty else { break }
        guard let format = FormatSniffer.format(of: ByteSource(bytes)) else {
          throw ImagingError(.damaged, "no picture")
        }
        try page.draw(bytes, format: format, in: cell)
      case .end(let quality):
        let page = try self.page(of: job)
        let frames = WorkerMessage.frames(
          ofThumbnail: try page.jpeg(quality: quality),
          name: SheetJob.resultName,
          size: job.pageSize,
          job: job.identifier
        )
        for frame in frames { answer(frame) }
      }
    } catch {
      throw JobRunner.Failure(step: .decode, reason: error.itemReason, detail: error.detail)
    }
    answer(WorkerMessage.done(job: job.identifier).frame)
  }

  private func page(of job: SheetJob) throws(ImagingError) -> ContactSheetPage {
    if let page {
      guard page.job.pageSize == job.pageSize, page.job.background == job.background else {
        throw ImagingError(.internal, "another page")
      }
      return page.drawing
    }
    let drawing = try ContactSheetPage(size: job.pageSize, background: job.background)
    page = (job, drawing)
    return drawing
  }
}
