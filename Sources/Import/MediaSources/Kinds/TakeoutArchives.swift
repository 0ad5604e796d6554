internal import MediaFileSystem
internal import MediaListing
internal import MediaManifest
internal import MediaModel
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// The zip files and `.tgz` files of a Takeout, whose files are read in place.
///
/// A `.tgz` is inflated once for its list, which leaves the JSON files and the points from which the others are read in
/// a spool; each of these is inflated from the point before it, in the order in which a run asks.
///
/// A confined worker reads an archive; this process gets names, sizes and bytes from it. Each archive has an access
/// record before it is opened, and each of its files one before it is read.
final class TakeoutArchives {
  /// A file of an archive, by the archive's number.
  private struct Location {
    var archive: Int
    var entry: ArchiveEntry
    /// The content, if the list has brought it.
    var text: ArchiveSpool.Place?
  }

  private struct Archive {
    var file: Descriptor
    var status: FileStatus
    var format: ArchiveFormat
    /// Of a `.tgz` alone.
    var points: InflatePoints
  }

  /// The answer to a request so far.
  private struct Answer {
    var entries: [ArchiveEntry] = []
    /// Where the texts are that came with entries, by the entries' numbers, and the points.
    var texts: [Int: ArchiveSpool.Place] = [:]
    var points: InflatePoints?
    /// Keeps both; nil where nothing is read after the list.
    var spool: ArchiveSpool?
    var freeTextBytes = ArchiveEntry.mostTextBytes
    var failure: SourceFileFailure?
    /// The file that content is written to, and how many bytes more it may get.
    var copy: (file: Descriptor, room: Int64)?
    var writeError: FileSystemError?

    /// Adds a file of a list, and keeps its text.
    mutating func add(_ entry: ArchiveEntry) {
      if let text = entry.text, let spool, freeTextBytes >= text.count, writeError == nil {
        freeTextBytes -= text.count
        do throws(FileSystemError) {
          texts[entries.count] = try spool.add(text)
        } catch {
          writeError = error
        }
      }
      entries.append(entry)
      entries[entries.count - 1].text = nil
    }

    /// Keeps a point of a `.tgz`; false for one that cannot be.
    mutating func add(_ point: InflatePoint) -> Bool {
      guard let spool, points != nil, writeError == nil else { return true }
      do throws(FileSystemError) {
        return try points?.add(point, to: spool) ?? true
      } catch {
        writeError = error
        return true
      }
    }
  }

  private let source: PlannedSource
  private let workers: WorkerRequests<Answer>
  /// Records that files are about to be opened, and flushes the records.
  let record: ([ListedItem]) throws(RunError) -> Void
  /// The folder for the file of the spool, which is made at the first `.tgz`; nil where no file is read after the list.
  private let staging: Descriptor?
  private var spool: ArchiveSpool?
  private var archives: [Archive] = []
  private var locations: [ItemPath: Location] = [:]

  /// Prepares a process of its own, which is not started yet.
  ///
  /// - Parameters:
  ///   - source: The source whose folder may hold archives.
  ///   - preparation: What the run gives to it.
  init(_ source: PlannedSource, _ preparation: SourcePreparation) {
    // Without the object that has this one, which would else hold itself.
    var folder = source
    folder.media = FolderSource()
    self.source = folder
    staging = preparation.staging
    record = { [id = source.id, basis = source.basis] (items) throws(RunError) in
      try preparation.recordAccess(items, id, basis)
    }
    workers = WorkerRequests(preparation.program.pool(preparation.enforcement, size: 1))
  }

  /// Whether a path is that of a file of an archive.
  func holds(_ path: ItemPath) -> Bool { locations[path] != nil }

  // MARK: The list

  /// Lists the files of the archives, behind the source's record.
  ///
  /// - Parameter listing: What the source's folder holds; files are added, and archives are taken out. It gets what a
  ///   person has to know.
  /// - Throws: `RunError` when the archives cannot be listed, and what the listing's `checkAccess` throws.
  func list(into listing: inout SourceListing) throws(RunError) {
    let checkAccess = listing.checkAccess
    var items: [ListedItem] = []
    var archives: [ListedItem] = []
    for item in listing.items {
      if item.reason == nil, ArchiveFormat(of: item.path) != nil {
        archives.append(item)
      } else {
        items.append(item)
      }
    }
    if let selection = source.selection {
      archives += try selectedArchives(selection, listing.guardedDevices)
      // What a selection names within an archive was looked for as a file of its own.
      items.removeAll {
        $0.reason == .identifierNotFound && archive(holding: $0.path, archives) != nil
      }
    }
    if archives.isEmpty { return }
    // A process that was started before the last layer of confinement can get no signal behind it.
    defer { workers.endAll() }
    let readable = archives.filter { $0.reason == nil }
    try record(readable)
    for item in readable {
      try checkAccess()
      items += try files(of: item, &listing.warnings, checkAccess)
    }
    if let selection = source.selection {
      let itemPaths = Set(items.map(\.path))
      for path in selection.literals where !itemPaths.contains(path) {
        guard let archive = archive(holding: path, archives) else { continue }
        items.append(
          ListedItem(
            path: path,
            status: archive.reason == nil ? FileStatus(kind: .other) : archive.status,
            reason: archive.reason ?? .identifierNotFound
          )
        )
      }
    }
    listing.items = ListedItems(items.sorted { $0.path < $1.path })
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
        guard ArchiveFormat(of: path) != nil, selection.couldMatchBeneath(path) else { return nil }
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
      let advice = reason == .outOfSpace ? "Make room" : "Download it again"
      warnings.append(
        "The archive \"\(item.path.text)\" cannot be read: \(EscapedText.printable(detail)). \(advice); "
          + "the next run goes on with it."
      )
      return [ListedItem(path: item.path, status: item.status, reason: reason)]
    }
    let file: Descriptor
    let status: FileStatus
    do throws(SourceFileFailure) {
      (file, status) = try source.open(item)
    } catch {
      return failed(error.reason, error.detail)
    }
    let format = ArchiveFormat(of: item.path) ?? .zip
    let begun = MonotonicClock.now
    let answer = try ask(
      ArchiveJob(identifier: 0, format: format),
      of: file,
      // A list of a `.tgz` is all of its bytes, inflated.
      seconds: 60 + status.size / (format == .tgz ? 10_000_000 : 1_000_000_000),
      emptyList(of: status, format),
      checkAccess
    )
    let minutes = (MonotonicClock.now - begun) / MonotonicClock.second / 60
    if minutes > 0 {
      warnings.append(
        "Listing the archive \"\(item.path.text)\" took \(Quantity.text(Int(minutes), "minute")), since a .tgz is "
          + "compressed as a whole. A zip file is listed at once."
      )
    }
    if let failure = answer.writeError.map(Self.failure(of:)) ?? answer.failure {
      return failed(failure.reason, failure.detail)
    }
    guard !ArchiveEntry.overlap(answer.entries) else {
      return failed(.damaged, "its entries overlap, as those of a forged archive")
    }
    archives.append(
      Archive(
        file: file,
        status: status,
        format: format,
        points: answer.points ?? InflatePoints(fileSize: status.size)
      )
    )
    return enter(answer, of: item.path, status, &warnings)
  }

  /// The list of an archive, before its first file.
  private func emptyList(of status: FileStatus, _ format: ArchiveFormat) -> Answer {
    var answer = Answer()
    guard format == .tgz, let staging else { return answer }
    do throws(FileSystemError) {
      if spool == nil {
        let file = try FileSystem.unlinkedFile(in: staging)
        spool = ArchiveSpool(writing: file, reading: file)
      }
      (answer.spool, answer.points) = (spool, InflatePoints(fileSize: status.size))
    } catch {
      answer.writeError = error
    }
    return answer
  }

  /// Enters the files of the archive that was opened last.
  ///
  /// - Parameters:
  ///   - list: All of its files.
  ///   - archive: Its path.
  ///   - status: Its status, which its files share but for their size and time.
  ///   - warnings: Gets one when some of them cannot be read.
  /// - Returns: Those that may be media or tell of some.
  private func enter(
    _ list: Answer,
    of archive: ItemPath,
    _ status: FileStatus,
    _ warnings: inout [String]
  ) -> [ListedItem] {
    var items: [ListedItem] = []
    var (unsafe, others) = (0, 0)
    for (number, entry) in list.entries.enumerated() {
      guard let inner = entry.path else {
        unsafe += 1
        continue
      }
      let path = archive.appending(inner.bytes)
      if source.ignored.ignores(file: path) || TakeoutNames.isOfTakeoutItself(inner) { continue }
      guard entry.method != ArchiveEntry.noFile else {
        others += 1
        continue
      }
      guard locations[path] == nil else {
        unsafe += 1
        continue
      }
      locations[path] = Location(archive: archives.count - 1, entry: entry, text: list.texts[number])
      var fileStatus = status
      (fileStatus.size, fileStatus.modified, fileStatus.allocated) = (entry.size, entry.modified, nil)
      items.append(ListedItem(path: path, status: fileStatus))
    }
    if unsafe > 0 {
      warnings.append(
        "\(Quantity.text(unsafe, "file")) of the archive \"\(archive.text)\" "
          + "\(unsafe == 1 ? "has a path that leads" : "have paths that lead") out of it or "
          + "\(unsafe == 1 ? "is" : "are") there twice, and \(unsafe == 1 ? "is" : "are") not read."
      )
    }
    if others > 0 {
      warnings.append(
        "\(Quantity.text(others, "file")) of the archive \"\(archive.text)\" "
          + "\(others == 1 ? "is a link, a device or a sparse file, and is" : "are links, devices or sparse files, and are") "
          + "not read."
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
    var job = ArchiveJob(identifier: 0, format: archive.format, entry: location.entry)
    // A `.tgz` is inflated from the point on, and what stands before the file is left out.
    var way: Int64 = 0
    do throws(FileSystemError) {
      if let spool {
        if let text = location.text { return try copy.write(spool.bytes(at: text)) }
        if archive.format == .tgz {
          (job.point, way) = try archive.points.last(before: location.entry, in: spool)
        }
      }
    } catch {
      throw Self.failure(of: error)
    }
    guard way <= InflatePoint.longestWay else {
      throw SourceFileFailure(
        reason: .overLimit,
        detail: "its archive cannot be unpacked from a place near it"
      )
    }
    let answer: Answer
    do throws(RunError) {
      answer = try ask(
        job,
        of: archive.file,
        seconds: 10 + location.entry.size / 20_000_000 + way / 20_000_000,
        Answer(copy: (copy, location.entry.size))
      ) {
        // A run holds the answers while it opens files.
      }
    } catch {
      throw SourceFileFailure(reason: .cannotRead, detail: "\(error)")
    }
    if let error = answer.writeError { throw Self.failure(of: error) }
    if let failure = answer.failure { throw failure }
  }

  private static func failure(of error: FileSystemError) -> SourceFileFailure {
    SourceFileFailure(reason: error.isOutOfSpace ? .outOfSpace : .cannotRead, detail: "\(error)")
  }

  // MARK: The worker

  /// Sends a job, but for its identifier, and waits for its answer.
  private func ask(
    _ job: ArchiveJob,
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
      request: { identifier in
        var job = job
        job.identifier = identifier
        return .archive(job)
      },
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
      guard answer.entries.count + entries.count <= ArchiveEntry.maximumCount else {
        throw ProtocolError("too many files")
      }
      for entry in entries { answer.add(entry) }
      return false
    case .inflatePoint(_, let point):
      guard answer.copy == nil, answer.add(point) else {
        throw ProtocolError("a point to inflate from that was not requested")
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
