package import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
package import MediaModel
package import MediaWorkerPool
internal import MediaWorkerProtocol

/// Reads tracks, and names of places, behind their access records, in a confined worker.
package final class TrackReader {
  /// The points of files, the names of the last, nil without any, and a sentence about each file that is not used.
  package typealias Reading = (points: [TrackPoint], names: PlaceNames?, problems: [String])

  /// The answer about one file so far.
  private struct Answer {
    var points: [TrackPoint] = []
    var names = PlaceNames()
    var failure: String?
  }

  private let workers: WorkerRequests<Answer>

  /// Makes a reader, whose worker starts with the first file and gets no other.
  ///
  /// - Parameters:
  ///   - program: The program of workers.
  ///   - enforcement: How the worker is confined.
  package init(_ program: WorkerProgram, enforcement: Enforcement) {
    workers = WorkerRequests(program.pool(enforcement, size: 1))
  }

  /// Reads the tracks of a source, or its file of names of places.
  ///
  /// - Parameters:
  ///   - data: What the files have.
  ///   - files: The files.
  ///   - source: The source that they belong to; its record is written.
  ///   - guardedDevices: Devices on which a file with several names is refused.
  ///   - checkAccess: Called before a file is opened, and while it is read.
  ///   - record: Appends records and flushes them; a file has one before it is opened, and one with its digest
  ///     when it was read.
  /// - Returns: What the files say.
  /// - Throws: `RunError` when no worker can be started, and what the two throw.
  package func read(
    _ data: LocationData,
    in files: TrackFiles,
    of source: PlannedSource,
    guardedDevices: Set<UInt64>,
    checkAccess: SourceListing.CheckAccess,
    record: ([AuditRecord]) throws(RunError) -> Void
  ) throws(RunError) -> Reading {
    // A process that was started before the last layer of confinement can get no signal behind it.
    defer { workers.endAll() }
    var points: [TrackPoint] = []
    var names: PlaceNames?
    var problems = files.problems
    for file in files.files {
      var answer = try answer(
        about: file,
        data,
        of: source,
        guardedDevices: guardedDevices,
        checkAccess: checkAccess,
        record: record
      )
      if points.count + answer.points.count > TrackPlaces.maximumPoints {
        answer.failure =
          "the tracks before it have \(points.count) points, and no more than \(TrackPlaces.maximumPoints) are kept"
      }
      if let failure = answer.failure {
        problems.append(data.notUsed(file.path, failure))
        continue
      }
      points += answer.points
      answer.names.sort()
      names = answer.names
    }
    return (points, names, problems.sentences)
  }

  private func answer(
    about file: TrackFile,
    _ data: LocationData,
    of source: PlannedSource,
    guardedDevices: Set<UInt64>,
    checkAccess: SourceListing.CheckAccess,
    record: ([AuditRecord]) throws(RunError) -> Void
  ) throws(RunError) -> Answer {
    if source.refusesHardLink(file.status, guardedDevices: guardedDevices) {
      return Answer(failure: "it has a second name (hard link), while a source is refused or limited")
    }
    guard file.status.size <= data.maximumBytes else {
      return Answer(failure: "it has more than \(data.maximumBytes) bytes")
    }
    try checkAccess()
    var access = AuditAccess(to: file.path, file.status, of: source.id, because: source.basis)
    try record([AuditRecord(access)])
    guard let opened = Self.open(file), let digest = try? FileDigest.of(opened) else {
      return Answer(failure: "it has changed, or cannot be read")
    }
    if let sha256 = file.sha256, sha256 != digest.sha256 {
      throw RunError(
        .fileDiffers,
        "The \(data.plural) in \"\(file.path.text)\" were changed since the run began: they have another SHA-256 than the "
          + "manifest names."
      )
    }
    access.sha256 = digest.sha256
    try record([AuditRecord(access)])
    let (answer, loss) = try workers.answer(
      to: Answer(),
      for: source.purpose,
      file: opened,
      seconds: 10 + min(digest.bytes, 1 << 30) / 1_000_000,
      request: { .location(LocationJob(identifier: $0, data: data)) },
      checkAccess: checkAccess,
      Self.take
    )
    if let failure = loss ?? answer.failure {
      return Answer(failure: EscapedText.printable(failure))
    }
    return answer
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
    case .places(_, let entries):
      answer.names.add(entries)
      guard answer.names.count <= PlaceNames.maximumCount else {
        throw ProtocolError("too many places")
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
