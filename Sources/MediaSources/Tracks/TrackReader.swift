package import MediaAudit
package import MediaFileSystem
internal import MediaLibrary
package import MediaModel
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// Reads tracks behind their access records, in a confined worker.
package final class TrackReader {
  /// The answer about one file so far.
  private struct Answer {
    var points: [TrackPoint] = []
    var failure: String?
  }

  private let workers: WorkerRequests<Answer>

  /// Makes a reader, whose worker starts with the first file and gets no other.
  ///
  /// - Parameters:
  ///   - worker: The program of workers.
  ///   - nullDevice: `/dev/null`, opened for reading and writing.
  ///   - enforcement: How the worker is confined.
  package init(_ worker: [UInt8], nullDevice: Descriptor, enforcement: Enforcement) {
    workers = WorkerRequests(
      WorkerPool(executable: worker, nullDevice: nullDevice, enforcement: enforcement, size: 1)
    )
  }

  /// Reads the tracks of a source.
  ///
  /// - Parameters:
  ///   - tracks: The files.
  ///   - source: The source that they belong to; its record is written.
  ///   - guardedDevices: Devices on which a file with several names is refused.
  ///   - checkAccess: Called before a file is opened, and while it is read.
  ///   - record: Appends records and flushes them; a file has one before it is opened, and one with its digest
  ///     when it was read.
  /// - Returns: The points of all files, and a sentence about each file that is not used.
  /// - Throws: `RunError` when no worker can be started, and what the two throw.
  package func points(
    of tracks: TrackFiles,
    of source: PlannedSource,
    guardedDevices: Set<UInt64>,
    checkAccess: SourceListing.CheckAccess,
    record: ([AuditRecord]) throws(RunError) -> Void
  ) throws(RunError) -> (points: [TrackPoint], problems: [String]) {
    // A process that was started before the last layer of confinement can get no signal behind it.
    defer { workers.endAll() }
    var points: [TrackPoint] = []
    var problems = tracks.problems
    for track in tracks.files {
      func leaveOut(_ why: String) {
        problems.append("The track \"\(track.path.text)\" is not used: \(why).")
      }
      if source.refusesHardLink(track.status, guardedDevices: guardedDevices) {
        leaveOut("it has a second name, while a source is refused or limited")
        continue
      }
      guard track.status.size <= TrackPlaces.maximumBytes else {
        leaveOut("it has more than \(TrackPlaces.maximumBytes) bytes")
        continue
      }
      try checkAccess()
      try record([
        .access(to: track.path, track.status, of: source.kind, because: source.basis)
      ])
      guard let file = Self.open(track), let digest = try? FileDigest.of(file) else {
        leaveOut("it has changed, or cannot be read")
        continue
      }
      try record([
        .access(
          to: track.path,
          track.status,
          of: source.kind,
          because: source.basis,
          sha256: digest.sha256
        )
      ])
      let answer = try ask(about: file, of: source, bytes: digest.bytes, checkAccess)
      if let failure = answer.failure {
        leaveOut(EscapedText.printable(failure))
      } else if points.count + answer.points.count > TrackPlaces.maximumPoints {
        leaveOut("the tracks before it have \(points.count) points, and more are not kept")
      } else {
        points += answer.points
      }
    }
    return (points, problems)
  }

  /// Opens the file if it is still the one that was found.
  private static func open(_ track: TrackFile) -> Descriptor? {
    guard
      let file = try? FileSystem.openForReading(
        beneath: track.folder,
        track.name.bytes,
        crossMounts: true
      ), let status = try? file.status(), status.kind == .regular,
      status.isSameContent(as: track.status)
    else { return nil }
    return file
  }

  private func ask(
    about file: Descriptor,
    of source: PlannedSource,
    bytes: Int64,
    _ checkAccess: SourceListing.CheckAccess
  ) throws(RunError) -> Answer {
    let (answer, loss) = try workers.answer(
      to: Answer(),
      for: source.purpose,
      file: file,
      seconds: 10 + min(bytes, 1 << 30) / 1_000_000,
      request: { .track(TrackJob(identifier: $0)) },
      checkAccess: checkAccess,
      Self.take
    )
    return loss.map { Answer(failure: $0) } ?? answer
  }

  /// Enters a message into an answer.
  ///
  /// - Returns: Whether it was the last.
  private static func take(
    _ answer: inout Answer,
    _ message: WorkerMessage
  ) throws(ProtocolError) -> Bool {
    switch message {
    case .points(_, let points):
      answer.points += points
      guard answer.points.count <= TrackPlaces.maximumPoints else {
        throw ProtocolError("too many points")
      }
      return false
    case .done: return true
    case .failed(_, _, _, let detail):
      answer.failure = detail
      return true
    default: throw ProtocolError("an answer that was not requested")
    }
  }
}
