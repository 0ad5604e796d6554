internal import Glibc
internal import MediaAudit
package import MediaFileSystem
package import MediaLibrary
internal import MediaModel

/// Compares every file of a library with what its catalogue says; changes nothing.
///
/// A run may be writing the library meanwhile: what differs from the catalogue of one moment counts
/// only if it differs from that of a later moment too.
///
/// Memory does not grow with the library. The catalogue is read a part at a time, and whether the
/// folders hold other files than it names is seen by a sum; only when the sums differ is each file
/// of the folders looked up.
package struct LibraryFileCheck {
  package enum Kind: String, Sendable, CaseIterable {
    case missing
    case changed
    /// In the library's folders, and not in the catalogue.
    case unknown
    /// A batch that a run is working on, or left in the middle; that run or the next one finishes it.
    case unfinished
    /// To be removed by the next run.
    case superseded
    /// Not read, and so not compared: this user may not.
    case unread

    /// What a file or folder is that could not be opened.
    init(_ error: FileSystemError) {
      self = ManifestTexts.isUnreadable(error) ? .unread : .changed
    }
  }

  package struct Finding: Sendable, Hashable {
    package var kind: Kind
    /// Below the library, escaped.
    package var path: String
    package var detail: String

    /// Whether this is a difference and no mere remark.
    package var isDifference: Bool { ![.superseded, .unfinished, .unread].contains(kind) }
  }

  /// Files that were read and compared.
  package private(set) var files = 0
  package private(set) var bytes: Int64 = 0
  package let findings = Spool<Finding>()
  /// The number of findings that are differences.
  package private(set) var differenceCount = 0
  /// The number of files and folders that could not be read, and so were not compared.
  package private(set) var unreadCount = 0

  private let root: Descriptor
  /// Nil, as ``snapshot``, where files are compared with the log.
  private let catalogue: CatalogueReader?
  private let snapshot: CatalogueSnapshot?
  /// The words about a batch that is not done.
  private let unfinished: String
  /// The paths of files that are not there or not what they were.
  private let damaged = Spool<String>()
  /// The files that the catalogue has, or had when it was read.
  private var expected = PathSum()

  /// Reads every file of the library at `root` once.
  ///
  /// - Parameters:
  ///   - root: The library's folder.
  ///   - catalogue: Where the files are read from, and looked up again when something differs.
  ///   - snapshot: What the catalogue said before of the batches that are not done.
  ///   - isHeld: Whether a run holds the library.
  ///   - threads: How many threads may hash at a time; with more than one, up to four times as many read files.
  /// - Throws: `LibraryError` when the library cannot be read at all; a difference is a finding.
  package init(
    root: Descriptor,
    catalogue: CatalogueReader,
    snapshot: CatalogueSnapshot,
    isHeld: Bool = false,
    threads: Int = 1
  ) throws {
    self.root = root
    self.catalogue = catalogue
    self.snapshot = snapshot
    unfinished =
      isHeld ? "a run is working on it" : "a run was interrupted; the next one finishes it"
    try catalogue.forEachPage(superseded: false) { try compare($0, threads: threads) }
    try catalogue.forEachPage(superseded: true) { page in
      for file in page {
        expect([UInt8](file.path.utf8))
        try report(.superseded, file.path, "the next run removes it")
      }
    }
    for path in snapshot.unentered {
      try report(.unfinished, String(decoding: path, as: UTF8.self), unfinished)
    }
    var actual = PathSum()
    try lookAtFolders { path in
      if !snapshot.unfinished.contains(path) { actual.add(path) }
    }
    try lookAtStaging()
    try lookAgain()
    guard actual != expected else { return }
    try unknownFiles().forEach { try report(.unknown, $0, "the catalogue has no such file") }
  }

  /// Reads every file in the folders of the library at `root` once, and compares it with the log, for a library whose
  /// catalogue is damaged. Lost files are not found.
  init(root: Descriptor, log: VerifiedLog, isHeld: Bool) throws {
    (self.root, catalogue, snapshot) = (root, nil, nil)
    unfinished = ""
    let paths = Spool<String>()
    var failure: (any Error)?
    try lookAtFolders { path in
      do { try paths.append(EscapedText.percentEscaped(path)) } catch { failure = error }
    }
    if let failure { throw failure }
    var group: [[UInt8]] = []
    try paths.forEach { path in
      group.append(EscapedText.bytes(percentEscaped: path))
      guard group.count == Self.logGroupCount else { return }
      try compare(group, log, isHeld)
      group = []
    }
    try compare(group, log, isHeld)
  }

  /// The number of files for which the log is read once.
  private static let logGroupCount = 1 << 16

  /// Reads some files, and reports those that no record of the log names like this.
  private mutating func compare(_ paths: [[UInt8]], _ log: VerifiedLog, _ isHeld: Bool) throws {
    let recorded = try log.recordedFiles(among: Set(paths))
    for path in paths where !log.isUnfinished(path) {
      let shown = EscapedText.percentEscaped(path)
      do {
        let digest = try FileDigest.of(path, beneath: root)
        count(digest.bytes)
        if recorded.has(path, sha256: digest.sha256) { continue }
        let kind = recorded.has(path) ? Kind.changed : isHeld ? .unfinished : .unknown
        try report(kind, shown, "the log has no record that it was written like this")
      } catch let error as FileSystemError {
        if !error.isMissing { try noteUnread(shown, error.reason(besides: shown), Kind(error)) }
      }
    }
  }

  /// Adds the remark that a file of a batch which is not done has no outcome record yet.
  package mutating func noteUnrecorded(_ path: String) throws {
    try report(.unfinished, path, "the log has no record of it yet: " + unfinished)
  }

  /// Adds the remark that a file or folder could not be read, or is of another kind.
  package mutating func noteUnread(
    _ path: String,
    _ detail: String,
    _ kind: Kind = .unread
  ) throws {
    let isUnread = kind == .unread
    if isUnread { unreadCount += 1 }
    let detail = EscapedText.printable(detail)
    try report(kind, path, isUnread ? "it could not be read, and was not compared: \(detail)" : detail)
  }

  private mutating func report(_ kind: Kind, _ path: String, _ detail: String) throws {
    let finding = Finding(kind: kind, path: EscapedText.printable(path), detail: detail)
    if finding.isDifference { differenceCount += 1 }
    try findings.append(finding)
  }

  /// Counts a path among those that the folders should hold, unless its batch is not done.
  private mutating func expect(_ path: [UInt8]) {
    if snapshot?.unfinished.contains(path) != true { expected.add(path) }
  }

  // MARK: The first look

  /// The result of a look at a file.
  private enum Look: Equatable {
    case same(bytes: Int64)
    /// Changed, or not read.
    case different
    case missing
  }

  /// The readers for each thread, where there may be several: a small file that is not in memory is a wait for the
  /// disk, which answers many at once.
  private static let readersOfAThread = 4

  /// Each has a file open, and a process may be allowed 64.
  private static let maximumReaders = 32

  /// Reads some files, and notes those that are not what they were, in their order.
  private mutating func compare(_ page: [Catalogue.PublishedFile], threads: Int) throws {
    let readers = threads > 1 ? min(threads * Self.readersOfAThread, Self.maximumReaders) : 1
    let stripes = min(readers, page.count)
    let root = root
    let looks = [Look](unsafeUninitializedCapacity: page.count) { output, count in
      // Each stripe writes its own range, and all are done before this closure returns.
      nonisolated(unsafe) let output = output
      @Sendable func look(stripe: Int) {
        var buffer = [UInt8](repeating: 0, count: FileDigest.bufferLength)
        let range = (page.count * stripe / stripes)..<(page.count * (stripe + 1) / stripes)
        for index in range {
          output.initializeElement(at: index, to: Self.look(at: page[index], root, &buffer))
        }
      }
      OwnThread.forEach(stripes) { look(stripe: $0) }
      count = page.count
    }
    for (file, look) in zip(page, looks) {
      if look != .missing { expect([UInt8](file.path.utf8)) }
      if case .same(let bytes) = look { count(bytes) } else { try damaged.append(file.path) }
    }
  }

  /// Counts a file that was read and compared.
  private mutating func count(_ bytes: Int64) {
    files += 1
    self.bytes += bytes
  }

  private static func look(
    at file: Catalogue.PublishedFile,
    _ root: Descriptor,
    _ buffer: inout [UInt8]
  ) -> Look {
    do throws(FileSystemError) {
      let opened = try FileSystem.openForReading(beneath: root, [UInt8](file.path.utf8), crossMounts: true)
      let digest = try FileDigest.of(opened, &buffer)
      return digest.sha256 == file.sha256 && digest.bytes == file.bytes
        ? .same(bytes: digest.bytes) : .different
    } catch {
      return error.isMissing ? .missing : .different
    }
  }

  /// Calls `body` with the path of each file in the library's folders; notes folders that cannot be read.
  private mutating func lookAtFolders(_ body: ([UInt8]) -> Void) throws {
    var failure: (any Error)?
    for name in ["Originals", "Thumbnails"] {
      try FileSystem.forEachFile(
        beneath: root,
        [UInt8](name.utf8),
        unread: { path, error in
          do { try noteFolder(path, error) } catch { failure = error }
        },
        body
      )
    }
    if let failure { throw failure }
  }

  /// Notes a folder that cannot be read; the files that the catalogue has in it are reported by themselves.
  private mutating func noteFolder(_ path: [UInt8], _ error: FileSystemError) throws {
    let path = EscapedText.percentEscaped(path)
    if error.errno == ENOENT {
      return try report(.unfinished, path, "the folder is missing; the next run makes it")
    }
    let kind = Kind(error)
    let reason = error.reason(besides: path)
    try noteUnread(path, kind == .unread ? reason : reason + "; put the folder back", kind)
  }

  private mutating func lookAtStaging() throws {
    let entries: [FileSystem.Entry]
    do throws(FileSystemError) {
      let staging = try FileSystem.openForReading(
        beneath: root,
        [UInt8](".staging".utf8),
        crossMounts: true,
        isFolder: true
      )
      entries = try FileSystem.entries(of: staging)
    } catch {
      return try noteFolder([UInt8](".staging".utf8), error)
    }
    for entry in entries {
      try report(.unfinished, ".staging/" + EscapedText.percentEscaped(entry.name), unfinished)
    }
  }

  // MARK: The second look

  /// The number of paths that are looked up in one transaction.
  private static let groupCount = 512

  /// Reports the files that differ from the catalogue as it is by now too.
  private mutating func lookAgain() throws {
    var group: [String] = []
    // Nothing is added while it is read.
    try damaged.forEach { path in
      group.append(path)
      if group.count == Self.groupCount {
        try compareAgain(group)
        group = []
      }
    }
    try compareAgain(group)
  }

  private mutating func compareAgain(_ paths: [String]) throws {
    let files = try catalogue?.look(up: paths.map { [UInt8]($0.utf8) }) ?? []
    for case .published(let file) in files { try compareAgain(file) }
  }

  /// Reads a file once more, and reports what differs.
  private mutating func compareAgain(_ file: Catalogue.PublishedFile) throws {
    var kind = Kind.changed
    var detail: String?
    do throws(FileSystemError) {
      let digest = try FileDigest.of([UInt8](file.path.utf8), beneath: root)
      // One that could not be opened at first may be by now, where descriptors had run out.
      count(digest.bytes)
      if digest.bytes != file.bytes {
        detail = "it was changed: \(digest.bytes) bytes in place of \(file.bytes)"
      } else if digest.sha256 != file.sha256 {
        detail = "it was changed: the catalogue has another SHA-256"
      }
    } catch {
      guard error.isMissing else {
        return try noteUnread(file.path, error.reason(besides: file.path), Kind(error))
      }
      kind = .missing
      detail = "the file is gone; the catalogue has it"
    }
    if let detail { try report(kind, file.path, detail) }
  }

  /// Finds the files of the folders that the catalogue does not have; their paths are escaped.
  ///
  /// A file is in its folder before its batch is `published`, and its batch is `staged` before that;
  /// it is superseded before it is removed, and removed before it is forgotten. So a catalogue that is
  /// read after a file was seen knows of everything that a run did to it.
  private func unknownFiles() throws -> Spool<String> {
    let unknown = Spool<String>()
    var group: [[UInt8]] = []
    var failure: (any Error)?
    func lookUp() {
      defer { group.removeAll(keepingCapacity: true) }
      guard failure == nil else { return }
      do {
        for (path, file) in zip(group, try catalogue?.look(up: group) ?? [])
        where file == .unknown && isThere(path) {
          try unknown.append(EscapedText.percentEscaped(path))
        }
      } catch {
        failure = error
      }
    }
    for name in ["Originals", "Thumbnails"] {
      // Folders that cannot be read are noted by now.
      try FileSystem.forEachFile(beneath: root, [UInt8](name.utf8), unread: { _, _ in }) { path in
        group.append(path)
        if group.count == Self.groupCount { lookUp() }
      }
    }
    lookUp()
    if let failure { throw failure }
    return unknown
  }

  private func isThere(_ path: [UInt8]) -> Bool {
    guard let slash = path.lastIndex(of: UInt8.slash),
      let folder = try? FileSystem.openForReading(
        beneath: root,
        [UInt8](path[..<slash]),
        crossMounts: true,
        isFolder: true
      )
    else { return false }
    return (try? FileSystem.status(in: folder, name: [UInt8](path[(slash + 1)...]))) != nil
  }
}

extension LibraryFileCheck.Finding: Spooled {
  package var spooled: [UInt8] { Array("\(kind.rawValue)\0\(path)\0\(detail)".utf8) }

  package init(spooled: ArraySlice<UInt8>) {
    let parts = spooled.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    func part(_ index: Int) -> String { index < parts.count ? parts[index] : "" }
    self.init(kind: LibraryFileCheck.Kind(rawValue: part(0)) ?? .changed, path: part(1), detail: part(2))
  }
}
