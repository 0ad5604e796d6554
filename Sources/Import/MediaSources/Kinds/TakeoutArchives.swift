internal import MediaFileSystem
internal import MediaListing
internal import MediaManifest
internal import MediaModel
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// The zip files of a Takeout, whose files are read in place.
///
/// A confined worker reads an archive; this process gets names, sizes and bytes from it. Each archive has an
/// access record before it is opened, and each of its files one before it is read.
final class TakeoutArchives {
  /// A file of an archive, by the archive's number.
  private struct Location {
    var archive: Int
    var entry: ArchiveEntry
  }

  private struct Archive {
    var file: Descriptor
    var status: FileStatus
  }

  /// The answer to a request so far.
  private struct Answer {
    var entries: [ArchiveEntry] = []
    var failure: SourceFileFailure?
    /// The file that content is written to, and how many bytes more it may get.
    var copy: (file: Descriptor, room: Int64)?
    var writeError: FileSystemError?
  }

  private let source: PlannedSource
  private let workers: WorkerRequests<Answer>
  /// Records that files are about to be opened, and flushes the records.
  private let record: ([ListedItem]) throws(RunError) -> Void
  private var archives: [Archive] = []
  private var locations: [ItemPath: Location] = [:]

  /// - Parameters:
  ///   - source: The source whose folder may hold zip files.
  ///   - pool: Workers, none of which has started, for nothing else.
  ///   - record: Records that files are about to be opened, and flushes the records.
  init(
    _ source: PlannedSource,
    _ pool: WorkerPool,
    record: @escaping ([ListedItem]) throws(RunError) -> Void
  ) {
    self.source = source
    self.record = record
    workers = WorkerRequests(pool)
  }

  /// Whether a path is that of a file of an archive.
  func holds(_ path: ItemPath) -> Bool { locations[path] != nil }

  // MARK: The list

  /// Lists the files of the archives, behind the source's record.
  ///
  /// - Parameters:
  ///   - listed: What the source's folder holds; files are added, and archives are taken out.
  ///   - guardedDevices: Devices on which an archive with several names is refused.
  ///   - checkAccess: Called before an archive is opened, and while it is waited for.
  /// - Returns: What a person has to know.
  /// - Throws: `RunError` when the archives cannot be listed, and what `checkAccess` throws.
  func list(
    into listed: inout ListedItems,
    guardedDevices: Set<UInt64>,
    checkAccess: SourceListing.CheckAccess
  ) throws(RunError) -> [String] {
    var kept: [ListedItem] = []
    var archives: [ListedItem] = []
    var warnings: [String] = []
    for item in listed {
      if item.reason == nil, ArchiveEntry.isTarArchive(item.path) {
        warnings.append(
          "The archive \"\(item.path.text)\" is not read. Unpack it, or choose zip when you export."
        )
      }
      if item.reason == nil, ArchiveEntry.isArchive(item.path) {
        archives.append(item)
      } else {
        kept.append(item)
      }
    }
    if let selection = source.selection {
      archives += try selectedArchives(selection, guardedDevices)
      // What a selection names within an archive was looked for as a file of its own.
      kept.removeAll {
        $0.reason == .identifierNotFound && archive(holding: $0.path, archives) != nil
      }
    }
    if archives.isEmpty { return warnings }
    // A process that was started before the last layer of confinement can get no signal behind it.
    defer { workers.endAll() }
    let readable = archives.filter { $0.reason == nil }
    try record(readable)
    for item in readable {
      try checkAccess()
      kept += try files(of: item, &warnings, checkAccess)
    }
    if let selection = source.selection {
      let keptPaths = Set(kept.map(\.path))
      for path in selection.literals where !keptPaths.contains(path) {
        guard let archive = archive(holding: path, archives) else { continue }
        kept.append(
          ListedItem(
            path: path,
            status: archive.reason == nil ? FileStatus(kind: .other) : archive.status,
            reason: archive.reason ?? .identifierNotFound
          )
        )
      }
    }
    listed = ListedItems(kept.sorted { $0.path < $1.path })
    return warnings
  }

  private func archive(holding path: ItemPath, _ archives: [ListedItem]) -> ListedItem? {
    archives.first { path.bytes.starts(with: $0.path.bytes + [UInt8.slash]) }
  }

  /// The archives in which a selection may name files, directly in the source's folder; one that may be a file
  /// of a refused source has a reason.
  private func selectedArchives(
    _ selection: Selection,
    _ guardedDevices: Set<UInt64>
  ) throws(RunError) -> [ListedItem] {
    do {
      let folder = try FileSystem.openForReading(
        beneath: source.root,
        [UInt8.dot],
        crossMounts: source.crossMounts,
        isFolder: true
      )
      return try FolderEntries(of: folder).compactMap { (entry) throws(FileSystemError) in
        let path = ItemPath(bytes: entry.name)
        guard ArchiveEntry.isArchive(path), selection.couldMatchBeneath(path) else { return nil }
        let status = try FileSystem.status(in: folder, name: entry.name)
        guard status.kind == .regular else { return nil }
        let isRefused = source.refusesHardLink(status, guardedDevices: guardedDevices)
        return ListedItem(path: path, status: status, reason: isRefused ? .hardLinked : nil)
      }
    } catch {
      throw RunError(
        .sourceUnavailable,
        "The \(source.id.displayName) cannot be listed: \(error). Check who may read its folder."
      )
    }
  }

  /// Opens an archive and lists its files; the archive itself where that fails.
  private func files(
    of item: ListedItem,
    _ warnings: inout [String],
    _ checkAccess: SourceListing.CheckAccess
  ) throws(RunError) -> [ListedItem] {
    func failed(_ reason: ItemReason, _ detail: String) -> [ListedItem] {
      warnings.append(
        "The archive \"\(item.path.text)\" cannot be read: \(EscapedText.printable(detail)). Download it "
          + "again; the next run goes on with it."
      )
      return [ListedItem(path: item.path, status: item.status, reason: reason)]
    }
    let file: Descriptor
    let status: FileStatus
    do {
      file = try FileSystem.openForReading(
        beneath: source.root,
        item.path.bytes,
        crossMounts: source.crossMounts
      )
      status = try file.status()
    } catch {
      return failed(.cannotOpen, "\(error)")
    }
    guard status.kind == .regular, status.isSameInode(as: item.status) else {
      return failed(.changedDuringRun, "it has changed")
    }
    let answer = try ask(
      for: nil,
      of: file,
      seconds: 60 + status.size / 1_000_000_000,
      Answer(),
      checkAccess
    )
    if let failure = answer.failure { return failed(failure.reason, failure.detail) }
    guard !ArchiveEntry.overlap(answer.entries) else {
      return failed(.damaged, "its entries overlap, which no program that packs files makes")
    }
    archives.append(Archive(file: file, status: status))
    return enter(answer.entries, of: item.path, status, &warnings)
  }

  /// Enters the files of the archive that was opened last.
  ///
  /// - Parameters:
  ///   - entries: All of its files.
  ///   - archive: Its path.
  ///   - status: Its status, which its files share but for their size and time.
  ///   - warnings: Gets one when some of them cannot be read.
  /// - Returns: Those that may be media or tell of some.
  private func enter(
    _ entries: [ArchiveEntry],
    of archive: ItemPath,
    _ status: FileStatus,
    _ warnings: inout [String]
  ) -> [ListedItem] {
    var items: [ListedItem] = []
    var unsafe = 0
    for entry in entries {
      guard let inner = entry.path else {
        unsafe += 1
        continue
      }
      let path = archive.appending(inner.bytes)
      if source.ignored.ignores(file: path) || TakeoutNames.isOfTakeoutItself(inner) { continue }
      guard locations[path] == nil else {
        unsafe += 1
        continue
      }
      locations[path] = Location(archive: archives.count - 1, entry: entry)
      var own = status
      (own.size, own.modified, own.allocated) = (entry.size, entry.modified, nil)
      items.append(ListedItem(path: path, status: own))
    }
    if unsafe > 0 {
      warnings.append(
        "\(Quantity.text(unsafe, "file")) of the archive \"\(archive.text)\" "
          + "\(unsafe == 1 ? "has a path that leads" : "have paths that lead") out of it or "
          + "\(unsafe == 1 ? "is" : "are") there twice, and \(unsafe == 1 ? "is" : "are") not read."
      )
    }
    return items
  }

  // MARK: A file

  /// Copies a file of an archive; see ``MediaSource/copy(_:into:)``.
  func copy(_ path: ItemPath, into copy: Descriptor) throws(SourceFileFailure) {
    guard let location = locations[path] else {
      throw SourceFileFailure(reason: .identifierNotFound, detail: "no file of an archive")
    }
    let archive = archives[location.archive]
    guard (try? archive.file.status().isSameContent(as: archive.status)) == true else {
      throw SourceFileFailure(reason: .changedDuringRun, detail: "its archive has changed")
    }
    let answer: Answer
    do throws(RunError) {
      answer = try ask(
        for: location.entry,
        of: archive.file,
        seconds: 10 + location.entry.size / 20_000_000,
        Answer(copy: (copy, location.entry.size))
      ) {
        // A run holds the answers while it opens files.
      }
    } catch {
      throw SourceFileFailure(reason: .cannotRead, detail: "\(error)")
    }
    if let error = answer.writeError {
      throw SourceFileFailure(reason: error.isOutOfSpace ? .outOfSpace : .cannotRead, detail: "\(error)")
    }
    if let failure = answer.failure { throw failure }
  }

  // MARK: The worker

  /// Sends a request and waits for its answer.
  private func ask(
    for entry: ArchiveEntry?,
    of file: Descriptor,
    seconds: Int64,
    _ answer: Answer,
    _ checkAccess: SourceListing.CheckAccess
  ) throws(RunError) -> Answer {
    var (answer, loss) = try workers.answer(
      to: answer,
      for: .files(of: source.id, source.policy),
      file: file,
      seconds: min(seconds, 86_400),
      request: { .archive(ArchiveJob(identifier: $0, entry: entry)) },
      checkAccess: checkAccess,
      Self.take
    )
    if let loss { answer.failure = SourceFileFailure(reason: .workerCrashed, detail: loss) }
    return answer
  }

  /// Enters a message into an answer.
  ///
  /// - Returns: Whether it was the last.
  private static func take(
    _ answer: inout Answer,
    _ message: WorkerMessage
  ) throws(ProtocolError) -> Bool {
    switch message {
    case .entries(_, let entries):
      guard answer.copy == nil else { throw ProtocolError("a list that was not requested") }
      answer.entries += entries
      guard answer.entries.count <= ArchiveEntry.maximumCount else {
        throw ProtocolError("too many files")
      }
      return false
    case .content(_, let bytes):
      guard let copy = answer.copy, Int64(bytes.count) <= copy.room else {
        throw ProtocolError("more bytes than the archive says")
      }
      answer.copy = (copy.file, copy.room - Int64(bytes.count))
      guard answer.writeError == nil else { return false }
      do throws(FileSystemError) {
        try copy.file.write(bytes)
      } catch {
        answer.writeError = error
      }
      return false
    case .done:
      guard answer.copy.map({ $0.room == 0 || answer.writeError != nil }) != false else {
        throw ProtocolError("fewer bytes than the archive says")
      }
      return true
    case .failed(_, _, let reason, let detail):
      let allowed: Set<ItemReason> = [.damaged, .overLimit, .cannotRead, .unknownFormat]
      answer.failure = SourceFileFailure(
        reason: allowed.contains(reason) ? reason : .workerProtocol,
        detail: detail
      )
      return true
    default: throw ProtocolError("an answer that was not requested")
    }
  }
}
