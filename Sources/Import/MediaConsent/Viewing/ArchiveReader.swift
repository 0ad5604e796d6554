internal import MediaFileSystem
internal import MediaModel
internal import MediaSandbox
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// Reads zip files, `.tgz` files and JSON files for a person's eyes, by a confined worker at a time.
///
/// This process gets names, sizes, bytes and descriptions from it. A worker has one archive, or one file of an archive,
/// and no second one, but for the JSON files of folders, which have one together.
final class ArchiveReader {
  /// What the list of an archive is.
  struct Listing {
    /// The entries that are wanted, without their texts.
    var entries: [ArchiveEntry] = []
    /// The texts that came with entries, by the entries' numbers.
    var texts: [Int: ArchiveSpool.Place] = [:]
    var points: InflatePoints
  }

  /// The fewest bytes between two points that are kept: what a viewer may hold is enough for 64 GiB of archives then.
  private static let pointStep: Int64 = 32 << 20

  /// The answer to a request so far.
  private struct Answer {
    var listing = Listing(points: InflatePoints(fileSize: 0))
    /// All entries, without their names.
    var extents: [ArchiveEntry] = []
    /// The file that content is written to, and how many bytes more it may get.
    var copy: (file: MemoryFile, freeBytes: Int64)?
    var description: MediaDescription?
    var hasFailed = false
  }

  private typealias Take = (inout Answer, WorkerMessage) throws(ProtocolError) -> Bool

  private let requests: WorkerRequests<Answer>
  /// What lists of `.tgz` files leave, and a text of it that a worker reads; nil without memory.
  private let spool: ArchiveSpool?
  private let shownText = try? MemoryFile()
  /// Which worker it is; each has a purpose of its own.
  private var number = 0

  /// Reads by workers, none of which is started yet.
  init(by workers: PictureWorkers) {
    requests = WorkerRequests(workers.program.pool(.kernel, size: 1))
    spool = (try? MemoryFile()).map { ArchiveSpool(writing: $0.writable, reading: $0.readable) }
  }

  /// Ends the worker; a later request has a new one.
  func endWorker() {
    requests.endAll()
    number += 1
  }

  /// Lists an archive.
  ///
  /// - Parameters:
  ///   - file: The archive, open for reading.
  ///   - format: Its kind.
  ///   - size: Its bytes.
  ///   - isWanted: Tells which entries are returned.
  /// - Returns: Nil for an archive that cannot be read, has too many files, or whose entries overlap.
  func list(
    _ file: Descriptor,
    _ format: ArchiveFormat,
    size: Int64,
    where isWanted: (ArchiveEntry) -> Bool
  ) -> Listing? {
    defer { endWorker() }
    // A list of a `.tgz` is all of its bytes, inflated.
    let seconds = 10 + size / (format == .tgz ? 10_000_000 : 1_000_000_000)
    let empty = Answer(listing: Listing(points: InflatePoints(fileSize: size)))
    let answer = ask(empty, file, seconds: seconds) {
      .archive(ArchiveJob(identifier: $0, format: format))
    } _: { (answer, message) throws(ProtocolError) in
      if case .inflatePoint(_, let point) = message {
        try add(point, to: &answer.listing)
        return false
      }
      guard case .entries(_, let entries) = message else {
        return try Self.isLast(message, &answer)
      }
      guard answer.extents.count + entries.count < ArchiveEntry.maximumCount else {
        throw ProtocolError("too many files")
      }
      for entry in entries {
        if entry.method != ArchiveEntry.noFile, isWanted(entry) { add(entry, to: &answer.listing) }
        var extent = entry
        (extent.name, extent.text) = ([], nil)
        answer.extents.append(extent)
      }
      return false
    }
    guard let answer, !ArchiveEntry.overlap(answer.extents) else { return nil }
    return answer.listing
  }

  /// Whether the spool takes so many bytes more; beyond the limit of a viewer's files the kernel would end it. Files
  /// whose point or text is not kept have no picture or no description.
  private func hasRoom(for count: Int) -> Bool {
    spool.map { $0.length + Int64(count) <= ShownMemory.mostBytes } ?? false
  }

  private func add(_ point: InflatePoint, to listing: inout Listing) throws(ProtocolError) {
    guard let spool, hasRoom(for: point.window.count),
      point.output - listing.points.lastOutput >= Self.pointStep
    else { return }
    guard (try? listing.points.add(point, to: spool)) != false else {
      throw ProtocolError("a point to inflate from that cannot be")
    }
  }

  private func add(_ entry: ArchiveEntry, to listing: inout Listing) {
    if let text = entry.text, hasRoom(for: text.count), let place = try? spool?.add(text) {
      listing.texts[listing.entries.count] = place
    }
    listing.entries.append(entry)
    listing.entries[listing.entries.count - 1].text = nil
  }

  /// Copies a file of an archive into memory.
  ///
  /// - Parameters:
  ///   - entry: The file.
  ///   - file: The archive, open for reading.
  ///   - points: Those of a `.tgz`; nil for a zip file.
  ///   - memory: Gets the bytes; empty before.
  /// - Returns: Whether they are there, as the archive has them.
  func copy(
    _ entry: ArchiveEntry,
    of file: Descriptor,
    from points: InflatePoints?,
    into memory: MemoryFile
  ) -> Bool {
    endWorker()
    defer { endWorker() }
    var (point, way): (InflatePoint?, Int64) = (nil, 0)
    if let points {
      guard let spool, let last = try? points.last(before: entry, in: spool) else { return false }
      (point, way) = (last.point, last.way)
      guard way <= InflatePoint.longestWay else { return false }
    }
    let seconds = 5 + entry.size / 20_000_000 + way / 20_000_000
    let answer = ask(Answer(copy: (memory, entry.size)), file, seconds: seconds) {
      .archive(ArchiveJob(identifier: $0, format: points == nil ? .zip : .tgz, entry: entry, point: point))
    } _: { (answer, message) throws(ProtocolError) in
      guard case .content(_, let bytes) = message else {
        return try Self.isLast(message, &answer)
      }
      guard let copy = answer.copy, Int64(bytes.count) <= copy.freeBytes else {
        throw ProtocolError("more bytes than the archive says")
      }
      answer.copy = (copy.file, copy.freeBytes - Int64(bytes.count))
      guard !answer.hasFailed else { return false }
      answer.hasFailed = (try? copy.file.append(bytes)) == nil
      return false
    }
    return answer?.copy?.freeBytes == 0
  }

  /// Reads a JSON file of a Takeout.
  ///
  /// - Parameters:
  ///   - entry: The file in a zip file; nil for a file of its own.
  ///   - file: The archive or the file, open for reading; the caller ends the worker behind the last of an archive.
  /// - Returns: What it says; nil for one that is damaged or too large.
  func description(of entry: ArchiveEntry?, in file: Descriptor) -> MediaDescription? {
    ask(Answer(), file, seconds: 5) { identifier in
      if let entry {
        return .archive(ArchiveJob(identifier: identifier, entry: entry, sidecar: .takeout))
      }
      return .job(Job(identifier: identifier, sidecar: .takeout))
    } _: { (answer, message) throws(ProtocolError) in
      guard case .sidecar(_, let description, _) = message else {
        return try Self.isLast(message, &answer)
      }
      answer.description = description
      return false
    }?.description
  }

  /// Reads a JSON file whose text a list has brought.
  ///
  /// - Returns: What it says; nil for one that is damaged.
  func description(at place: ArchiveSpool.Place) -> MediaDescription? {
    guard let spool, let shownText, let text = try? spool.bytes(at: place),
      (try? shownText.clear()) != nil, (try? shownText.append(text)) != nil
    else { return nil }
    return description(of: nil, in: shownText.readable)
  }

  /// Sends a request and waits for its answer.
  ///
  /// - Returns: Nil when it has failed, or the worker has ended.
  private func ask(
    _ answer: Answer,
    _ file: Descriptor,
    seconds: Int64,
    request: (_ identifier: UInt64) -> WorkerRequest,
    _ take: Take
  ) -> Answer? {
    let result = try? requests.answer(
      to: answer,
      for: .picture(number),
      file: file,
      seconds: min(seconds, 3600),
      request: request,
      checkAccess: { () throws(RunError) in },
      take
    )
    guard let result, result.loss == nil, !result.state.hasFailed else { return nil }
    return result.state
  }

  /// Takes a message that ends an answer.
  private static func isLast(
    _ message: WorkerMessage,
    _ answer: inout Answer
  ) throws(ProtocolError) -> Bool {
    switch message {
    case .done: return true
    case .failed:
      answer.hasFailed = true
      return true
    default: throw ProtocolError("an answer that was not requested")
    }
  }
}
