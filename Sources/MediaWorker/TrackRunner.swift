internal import MediaContainers
internal import MediaMetadata
internal import MediaModel
internal import MediaWorkerProtocol

/// Reads a GPS track.
enum TrackRunner {
  /// The points in one message.
  private static let partCount = 4096

  /// Sends the answers in the order of ``TrackJob``.
  ///
  /// - Throws: `JobRunner.Failure`, after which no other message of the job follows.
  static func run(
    _ job: TrackJob,
    _ bytes: UnsafeRawBufferPointer,
    answer: ([UInt8]) -> Void
  ) throws(JobRunner.Failure) {
    do throws(MetadataError) {
      let points = try GPXTrack.points(of: ByteSource(bytes))
      for start in stride(from: 0, to: points.count, by: partCount) {
        let part = Array(points[start..<min(start + partCount, points.count)])
        answer(WorkerMessage.points(job: job.identifier, part).frame)
      }
    } catch {
      throw JobRunner.Failure(error, at: .read)
    }
    answer(WorkerMessage.done(job: job.identifier).frame)
  }
}
