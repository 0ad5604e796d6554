internal import MediaFileSystem
internal import MediaListing
internal import MediaModel
internal import MediaPicking
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// An export of Google Photos or iCloud Photos: its folders, and the archives in the source's folder itself, in which a
/// run may select.
///
/// Confined workers read the archives and JSON files; this process reads CSV files, as a run does. The picture of a file
/// in an archive is made of a copy in memory.
final class ViewedTakeout: ViewedSource {
  /// The most bytes that the names of files in archives take in memory, about.
  private static let mostNameBytes = 128 << 20
  /// The most bytes of JSON or CSV files that are read, and the longest time for that.
  private static let mostDescriptionBytes: Int64 = 64 << 20
  private static let longestReading = 20 * MonotonicClock.second

  private struct Archive {
    var path: ItemPath
    var status: FileStatus
    /// Of a `.tgz`; nil for a zip file.
    var points: InflatePoints?
  }

  /// A file in an archive; the entry has no name.
  private struct PackedFile {
    var archive: Int
    var entry: ArchiveEntry
    /// The content, if the list has brought it.
    var text: ArchiveSpool.Place?
  }

  let readsTimes = true
  private let root: Descriptor
  private let task: ViewerTask
  private let names: PickCandidates
  private let reader: ArchiveReader
  private var archives: [Archive] = []
  private var packedFiles: [ItemPath: PackedFile] = [:]
  private var freeNameBytes = ViewedTakeout.mostNameBytes
  private var memory: ShownMemory

  /// Makes the source of a folder, which is open as a place.
  ///
  /// - Parameters:
  ///   - root: The folder.
  ///   - task: What the viewer may open.
  ///   - workers: Read the archives; as many pictures are made at once at most.
  init(_ root: Descriptor, _ task: ViewerTask, by workers: PictureWorkers) {
    (self.root, self.task) = (root, task)
    names = PickCandidates(filter: task.filter, showsLeftOut: task.showsLeftOut, isThere: root.holds)
    reader = ArchiveReader(by: workers)
    memory = ShownMemory(count: workers.count)
  }

  // MARK: The list

  func list() -> (candidates: [PickCandidate], unlistedCount: Int)? {
    let walk = try? DirectoryWalker(
      root: root,
      names: names,
      crossMounts: task.crossMounts,
      isDescription: isDescription
    )
    guard var walk else { return nil }
    var candidates = walk.all()
    let unlistedCount = listArchives()
    candidates += packed()
    let descriptions = walk.descriptions + packedFiles.keys.filter(isDescription)
    if task.layout.hasLooseSidecars {
      var takeout = TakeoutCandidates(
        candidates,
        showsHidden: task.showsHidden,
        showsOthers: task.showsOthers,
        sidecars: descriptions
      )
      describe(&takeout)
      candidates = takeout.candidates
    } else {
      candidates = ICloudExportCandidates.described(
        candidates,
        by: index(of: descriptions),
        showsHidden: task.showsHidden
      )
    }
    packedFiles = packedFiles.filter { !isDescription($0.key) }
    return (candidates, walk.unlistedCount + unlistedCount)
  }

  /// Whether a file may tell something of others.
  private func isDescription(_ path: ItemPath) -> Bool {
    task.layout.hasLooseSidecars ? TakeoutNames.isSidecar(path.name) : ICloudExportNames.isTable(path)
  }

  /// Lists the archives.
  ///
  /// - Returns: The number of those that could not be listed.
  private func listArchives() -> Int {
    let entries: [FileSystem.Entry]
    do {
      let folder = try FileSystem.openForReading(
        beneath: root,
        [UInt8.dot],
        crossMounts: task.crossMounts,
        isFolder: true
      )
      entries = try FileSystem.entries(of: folder)
    } catch {
      return 1
    }
    let paths = entries.filter { $0.kind != .folder }.map { ItemPath(bytes: $0.name) }
    return paths.sorted().count { path in ArchiveFormat(of: path).map { !list(path, $0) } ?? false }
  }

  /// Lists an archive.
  ///
  /// - Returns: Whether its files are all entered.
  private func list(_ archive: ItemPath, _ format: ArchiveFormat) -> Bool {
    guard freeNameBytes > 0, let file = root.openForViewing(archive, task),
      let status = try? file.status()
    else { return false }
    let names = names
    let listing = reader.list(file, format, size: status.size) { entry in
      let path = ItemPath(bytes: entry.name)
      return isDescription(path) || names.mayShow(path)
    }
    guard let listing else { return false }
    archives.append(Archive(path: archive, status: status, points: format == .tgz ? listing.points : nil))
    var isWhole = true
    for (number, listed) in listing.entries.enumerated() {
      var entry = listed
      guard let inner = entry.path else {
        isWhole = false
        continue
      }
      let path = archive.appending(inner.bytes)
      // A path of 4096 bytes is none for the kernel, and so none for an answer.
      guard path.bytes.count < 4096, packedFiles[path] == nil, freeNameBytes > 0 else {
        isWhole = false
        continue
      }
      entry.name = []
      freeNameBytes -= path.bytes.count + 256
      packedFiles[path] = PackedFile(archive: archives.count - 1, entry: entry, text: listing.texts[number])
    }
    return isWhole
  }

  /// The candidates of the archives' files.
  private func packed() -> [PickCandidate] {
    names.all(inFolders: packedFiles.keys.filter(names.mayShow)).map { candidate in
      var candidate = candidate
      let entries = candidate.files.compactMap { packedFiles[$0]?.entry }
      candidate.size = PickCandidate.size(of: entries.lazy.map(\.size))
      candidate.modified = entries.first?.modified ?? 0
      return candidate
    }
  }

  /// Reads the JSON files of candidates, as far as there is time.
  private func describe(_ takeout: inout TakeoutCandidates) {
    let end = MonotonicClock.now + Self.longestReading
    var freeBytes = Self.mostDescriptionBytes
    var opened: (archive: Int?, file: Descriptor?)?
    for path in takeout.sidecars {
      guard MonotonicClock.now < end else { break }
      let packed = packedFiles[path]
      let isInflated = packed.map { archives[$0.archive].points != nil } ?? false
      if packed == nil || opened == nil || opened?.archive != packed?.archive {
        // The JSON files of folders have one worker, and those of each archive.
        if opened?.archive != packed?.archive { reader.endWorker() }
        let file =
          packed.map { isInflated ? nil : self.file(of: $0.archive) } ?? root.openForViewing(path, task)
        opened = (archive: packed?.archive, file: file)
      }
      let size = packed?.entry.size ?? (try? opened?.file?.status().size) ?? .max
      guard size <= ArchiveJob.maximumDescriptionSize, size <= freeBytes else { continue }
      freeBytes -= size
      // A JSON file of a `.tgz` whose text the list has not brought would have to be inflated.
      let description =
        isInflated
        ? packed?.text.flatMap(reader.description(at:))
        : opened?.file.flatMap { reader.description(of: packed?.entry, in: $0) }
      if let description { takeout.take(description, of: path) }
    }
    reader.endWorker()
    takeout.removeLeftOut()
  }

  /// Reads CSV files, as far as there is time.
  private func index(of tables: [ItemPath]) -> ICloudExportIndex {
    let end = MonotonicClock.now + Self.longestReading
    var freeBytes = Self.mostDescriptionBytes
    var index = ICloudExportIndex()
    for path in tables.sorted() {
      guard MonotonicClock.now < end else { break }
      guard let bytes = content(of: path, limit: freeBytes) else { continue }
      freeBytes -= Int64(bytes.count)
      index.read(bytes, of: path)
    }
    return index
  }

  /// The bytes of a file; nil where they are more than the limit.
  private func content(of path: ItemPath, limit: Int64) -> [UInt8]? {
    guard let packed = packedFiles[path] else {
      return root.openForViewing(path, task).flatMap { try? $0.readToEnd(limit: Int(limit)) }
    }
    defer { memory.end(path) }
    return copy(of: packed, at: path, limit: limit).flatMap { try? $0.readToEnd(limit: Int(limit)) }
  }

  /// Copies a file of an archive into memory, until that is taken back; nil for one of more bytes than the limit.
  private func copy(of packed: PackedFile, at path: ItemPath, limit: Int64) -> Descriptor? {
    guard packed.entry.size <= limit, let archive = file(of: packed.archive) else { return nil }
    let points = archives[packed.archive].points
    return memory.file(for: path) { reader.copy(packed.entry, of: archive, from: points, into: $0) }
  }

  /// Opens an archive again; nil when it is another one, or has changed.
  private func file(of number: Int) -> Descriptor? {
    let archive = archives[number]
    guard let file = root.openForViewing(archive.path, task),
      (try? file.status().isSameContent(as: archive.status)) == true
    else { return nil }
    return file
  }

  // MARK: A file

  func open(_ candidate: PickCandidate) -> Descriptor? {
    guard let path = candidate.files.first else { return nil }
    guard let packed = packedFiles[path] else { return root.openForViewing(path, task) }
    return copy(of: packed, at: path, limit: ShownMemory.mostBytes)
  }

  func openForTime(_ candidate: PickCandidate) -> Descriptor? {
    // What is in an archive would have to be inflated.
    guard let path = candidate.files.first, packedFiles[path] == nil else { return nil }
    return root.openForViewing(path, task)
  }

  func endShowing(_ candidate: PickCandidate) {
    if let path = candidate.files.first { memory.end(path) }
  }
}
