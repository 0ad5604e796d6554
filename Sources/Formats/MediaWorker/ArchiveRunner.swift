internal import MediaContainers
internal import MediaDigest
internal import MediaMetadata
internal import MediaModel
internal import MediaWorkerProtocol

/// Lists a ZIP archive, or reads or describes one of its files.
enum ArchiveRunner {
  /// The bytes of entries in one message, about.
  private static let partLength = 64 << 10

  /// Sends the answers in the order of ``ArchiveJob``.
  ///
  /// - Throws: `JobRunner.Failure`, after which no other message of the job follows.
  static func run(
    _ job: ArchiveJob,
    _ bytes: UnsafeRawBufferPointer,
    answer: ([UInt8]) -> Void
  ) throws(JobRunner.Failure) {
    do throws(MetadataError) {
      let archive = try ZIPArchive(ByteSource(bytes))
      if let entry = job.entry, let format = job.sidecar {
        answer(try description(of: entry, in: archive, format, job.identifier).frame)
      } else if let entry = job.entry {
        try archive.content(of: entry) { piece in
          answer(WorkerMessage.content(job: job.identifier, Array(piece)).frame)
        }
      } else {
        var part: [ArchiveEntry] = []
        var (count, length) = (0, 0)
        try archive.forEachFile { (entry) throws(MetadataError) in
          count += 1
          guard count <= ArchiveEntry.maximumCount else {
            throw MetadataError(.overLimit, "files: at most \(ArchiveEntry.maximumCount) are read")
          }
          part.append(entry)
          length += entry.name.count + 64
          guard length >= partLength else { return }
          answer(WorkerMessage.entries(job: job.identifier, part).frame)
          (part, length) = ([], 0)
        }
        answer(WorkerMessage.entries(job: job.identifier, part).frame)
      }
    } catch {
      throw JobRunner.Failure(error, at: .read)
    }
    answer(WorkerMessage.done(job: job.identifier).frame)
  }

  /// Reads a sidecar of the archive.
  private static func description(
    of entry: ArchiveEntry,
    in archive: ZIPArchive,
    _ format: SidecarFormat,
    _ job: UInt64
  ) throws(MetadataError) -> WorkerMessage {
    guard entry.size <= ArchiveJob.maximumDescriptionSize else {
      throw MetadataError(.overLimit, "bytes: at most \(ArchiveJob.maximumDescriptionSize) are read")
    }
    var bytes: [UInt8] = []
    try archive.content(of: entry) { bytes += $0 }
    let description = try SidecarReader.description(of: ByteSource(bytes), format: format)
    return .sidecar(job: job, description, sourceSHA256: SHA256.hash(bytes))
  }
}
