internal import MediaContainers
internal import MediaDigest
internal import MediaMetadata
internal import MediaModel
internal import MediaWorkerProtocol

/// Lists an archive, or reads or describes one of its files.
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
      let source = ByteSource(bytes)
      switch (job.format, job.entry) {
      case (.zip, let entry?): try read(entry, of: job, in: ZIPArchive(source), answer: answer)
      case (.zip, nil):
        var parts = Parts(job: job.identifier)
        try ZIPArchive(source).forEachFile { (entry) throws(MetadataError) in
          if let frame = try parts.add(entry) { answer(frame) }
        }
        answer(parts.frame)
      case (.tgz, let entry?):
        guard job.sidecar == nil else { throw MetadataError(.damaged, "no sidecar is read so") }
        try TGZArchive(source).content(of: entry, from: job.point) { piece in
          answer(WorkerMessage.content(job: job.identifier, Array(piece)).frame)
        }
      case (.tgz, nil):
        var parts = Parts(job: job.identifier)
        try TGZArchive(source).forEachFile { (entry) throws(MetadataError) in
          if let frame = try parts.add(entry) { answer(frame) }
        } onPoint: { point in
          answer(WorkerMessage.inflatePoint(job: job.identifier, point).frame)
        }
        answer(parts.frame)
      }
    } catch {
      throw JobRunner.Failure(error, at: .read)
    }
    answer(WorkerMessage.done(job: job.identifier).frame)
  }

  /// The files of a list, in messages of about ``partLength`` bytes.
  private struct Parts {
    let job: UInt64
    private var part: [ArchiveEntry] = []
    private var (count, length) = (0, 0)

    init(job: UInt64) { self.job = job }

    /// The message of those that were in none.
    var frame: [UInt8] { WorkerMessage.entries(job: job, part).frame }

    /// Adds a file; returns a message that is full.
    mutating func add(_ entry: ArchiveEntry) throws(MetadataError) -> [UInt8]? {
      count += 1
      guard count <= ArchiveEntry.maximumCount else {
        throw MetadataError(.overLimit, "files: at most \(ArchiveEntry.maximumCount) are read")
      }
      part.append(entry)
      length += entry.name.count + (entry.text?.count ?? 0) + 64
      guard length >= partLength else { return nil }
      defer { (part, length) = ([], 0) }
      return frame
    }
  }

  /// Sends a file of an archive, or what it describes.
  private static func read(
    _ entry: ArchiveEntry,
    of job: ArchiveJob,
    in archive: ZIPArchive,
    answer: ([UInt8]) -> Void
  ) throws(MetadataError) {
    if let format = job.sidecar {
      return answer(try description(of: entry, in: archive, format, job.identifier).frame)
    }
    try archive.content(of: entry) { piece in
      answer(WorkerMessage.content(job: job.identifier, Array(piece)).frame)
    }
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
