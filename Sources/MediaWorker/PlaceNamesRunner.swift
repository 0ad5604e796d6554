internal import MediaContainers
internal import MediaMetadata
internal import MediaModel
internal import MediaWorkerProtocol

/// Reads a file of names of places.
enum PlaceNamesRunner {
  /// The entries in one message; each has less than 300 bytes.
  private static let partCount = 1024

  /// Sends the answers in the order of ``PlaceNamesJob``.
  ///
  /// - Throws: `JobRunner.Failure`, after which no other message of the job follows.
  static func run(
    _ job: PlaceNamesJob,
    _ bytes: UnsafeRawBufferPointer,
    answer: ([UInt8]) -> Void
  ) throws(JobRunner.Failure) {
    var part: [GazetteerEntry] = []
    func send() {
      answer(WorkerMessage.places(job: job.identifier, part).frame)
      part.removeAll(keepingCapacity: true)
    }
    do throws(MetadataError) {
      try GeoNamesFile.forEachEntry(of: ByteSource(bytes)) { entry in
        part.append(entry)
        if part.count == partCount { send() }
      }
    } catch {
      throw JobRunner.Failure(error, at: .read)
    }
    send()
    answer(WorkerMessage.done(job: job.identifier).frame)
  }
}
