internal import MediaContainers
internal import MediaMetadata
internal import MediaModel
internal import MediaWorkerProtocol

/// Reads a GPS track, or a file of names of places.
enum LocationRunner {
  /// The points in one message.
  private static let pointCount = 4096
  /// The names in one message; each has less than 300 bytes.
  private static let nameCount = 1024

  /// Sends the answers in the order of ``LocationJob``.
  ///
  /// - Throws: `JobRunner.Failure`, after which no other message of the job follows.
  static func run(
    _ job: LocationJob,
    _ bytes: UnsafeRawBufferPointer,
    answer: ([UInt8]) -> Void
  ) throws(JobRunner.Failure) {
    do throws(MetadataError) {
      switch job.data {
      case .tracks: try sendPoints(of: ByteSource(bytes), job.identifier, answer)
      case .placeNames: try sendNames(of: ByteSource(bytes), job.identifier, answer)
      }
    } catch {
      throw JobRunner.Failure(error, at: .read)
    }
    answer(WorkerMessage.done(job: job.identifier).frame)
  }

  private static func sendPoints(
    of file: ByteSource,
    _ job: UInt64,
    _ answer: ([UInt8]) -> Void
  ) throws(MetadataError) {
    let points = try GPXTrack.points(of: file)
    for start in stride(from: 0, to: points.count, by: pointCount) {
      let part = Array(points[start..<min(start + pointCount, points.count)])
      answer(WorkerMessage.points(job: job, part).frame)
    }
  }

  private static func sendNames(
    of file: ByteSource,
    _ job: UInt64,
    _ answer: ([UInt8]) -> Void
  ) throws(MetadataError) {
    var part: [GazetteerEntry] = []
    func send() {
      answer(WorkerMessage.places(job: job, part).frame)
      part.removeAll(keepingCapacity: true)
    }
    try GeoNamesFile.forEachEntry(of: file) { entry in
      part.append(entry)
      if part.count == nameCount { send() }
    }
    send()
  }
}
