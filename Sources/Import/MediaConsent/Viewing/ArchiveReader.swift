internal import MediaFileSystem
internal import MediaModel
internal import MediaSandbox
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// Reads zip files and JSON files for a person's eyes, by a confined worker at a time.
///
/// This process gets names, sizes, bytes and descriptions from it. A worker has one archive, or one file of an archive,
/// and no second one, but for the JSON files of folders, which have one together.
final class ArchiveReader {
  /// The answer to a request so far.
  private struct Answer {
    /// The entries that are wanted.
    var entries: [ArchiveEntry] = []
    /// All entries, without their names.
    var extents: [ArchiveEntry] = []
    /// The file that content is written to, and how many bytes more it may get.
    var copy: (file: MemoryFile, freeBytes: Int64)?
    var description: MediaDescription?
    var hasFailed = false
  }

  private typealias Take = (inout Answer, WorkerMessage) throws(ProtocolError) -> Bool

  private let requests: WorkerRequests<Answer>
  /// Which worker it is; each has a purpose of its own.
  private var number = 0

  /// Reads by workers, none of which is started yet.
  init(by workers: PictureWorkers) {
    requests = WorkerRequests(workers.program.pool(.kernel, size: 1))
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
  ///   - size: Its bytes.
  ///   - isWanted: Tells which entries are returned.
  /// - Returns: Nil for an archive that cannot be read, has too many files, or whose entries overlap.
  func entries(
    of file: Descriptor,
    size: Int64,
    where isWanted: (ArchiveEntry) -> Bool
  ) -> [ArchiveEntry]? {
    defer { endWorker() }
    let answer = ask(Answer(), file, seconds: 10 + size / 1_000_000_000) {
      .archive(ArchiveJob(identifier: $0))
    } _: { (answer, message) throws(ProtocolError) in
      guard case .entries(_, let entries) = message else {
        return try Self.isLast(message, &answer)
      }
      guard answer.extents.count + entries.count < ArchiveEntry.maximumCount else {
        throw ProtocolError("too many files")
      }
      answer.entries += entries.filter(isWanted)
      answer.extents += entries.map { entry in
        var entry = entry
        entry.name = []
        return entry
      }
      return false
    }
    guard let answer, !ArchiveEntry.overlap(answer.extents) else { return nil }
    return answer.entries
  }

  /// Copies a file of an archive into memory.
  ///
  /// - Parameters:
  ///   - entry: The file.
  ///   - file: The archive, open for reading.
  ///   - memory: Gets the bytes; empty before.
  /// - Returns: Whether they are there, as the archive has them.
  func copy(_ entry: ArchiveEntry, of file: Descriptor, into memory: MemoryFile) -> Bool {
    endWorker()
    defer { endWorker() }
    let answer = ask(Answer(copy: (memory, entry.size)), file, seconds: 5 + entry.size / 20_000_000) {
      .archive(ArchiveJob(identifier: $0, entry: entry))
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
  ///   - entry: The file in an archive; nil for a file of its own.
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
