internal import Glibc
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
package import MediaSandbox

/// A folder that is made from a library for somebody else, in one step.
///
/// It is made beside its place, with hard links to the unchanged files of an earlier one, and then given
/// that one's name; a reader sees the old folder or the new one. A folder that this did not make, or
/// in which a person has changed something, is refused.
package final class ExportFolder {
  /// How files of the library get into the folder.
  package enum Method: String, CaseIterable, Sendable {
    /// A copy that shares its content with the library until one of both is changed, where the file system
    /// has that; else a copy.
    case reflink
    case copy
    /// The library's own file: changing it there changes the library.
    case hardlink
    /// A link by the library's absolute path.
    case symlink
  }

  /// Its path in quotation marks, escaped.
  package let shown: String
  let parent: Descriptor
  let name: [UInt8]
  let partialName: [UInt8]
  /// The name that the earlier folder has for a moment, where the file system cannot exchange two names.
  let earlierName: [UInt8]
  let staging: Descriptor
  /// The folder in it where files are written, before they are moved to their place: a file that the library
  /// shares cannot be opened for writing in the rest.
  let work: Descriptor
  /// The begun list, which has the lock and is closed before it is replaced.
  private var listFile: Descriptor?
  /// The records of the list, elsewhere and without a name: on rclone's mounts, the first process that is started
  /// ends the writing of every file that is open.
  let records: Descriptor
  let method: Method
  private let replacesChanges: Bool
  private let libraryPath: [UInt8]
  let library: Descriptor
  /// The folder that is there now.
  let old: Descriptor?
  /// Its list; nil again when the folder is renamed.
  var oldList: ExportList?
  private let isThere: Bool
  /// Whether each file of the folder that is there now is as it was written.
  private let isUntouched: Bool
  let list: ExportList
  private var pending: [UInt8] = []
  /// The folder of the file that was written last, in the new folder and in the old one.
  private var lastFolders: (path: ArraySlice<UInt8>, new: Descriptor, old: Descriptor?)?
  /// The number of files that were taken over from the earlier folder.
  package private(set) var kept = 0
  /// The number of files that were copied or linked from the library, or made of its files.
  package private(set) var added = 0
  /// How many of them are of each kind, by their names.
  package private(set) var addedKinds: [AddedKind: Int] = [:]
  /// The number of files that say where they were taken, as the library's do.
  package private(set) var placed = 0
  /// The files of the library that are not as its catalogue says, by their paths there, each with what is wrong,
  /// escaped; none is in the new folder.
  package internal(set) var damaged: [[UInt8]: String] = [:]
  /// The files that the file system of the folder cannot hold, by their paths in it, each with the reason, escaped.
  package private(set) var refused: [[UInt8]: String] = [:]
  /// The paths that files of the library have, by those in the catalogue, where they are being renamed.
  package var renamed: [[UInt8]: [UInt8]] = [:]
  /// What seals each file by a password, but those that are written as plain; nil for a folder without one.
  package var seal: FolderSeal?
  /// The second, in nanoseconds since 1970, in which all sealed files seem to be written; nil before the first one.
  var sealedAt: Int64?
  /// Whether files that are taken over are read too, since their digests are in a file of the folder.
  var readsKeptFiles = false
  var buffer = [UInt8](repeating: 0, count: FileDigest.bufferLength)
  /// Bytes: a file that is longer, and is copied, is hashed meanwhile, so many of its bytes at a time.
  var partLength: Int64 = 64 << 20

  /// Prepares a folder; nothing is visible before ``commit()``.
  ///
  /// - Parameters:
  ///   - path: Its place.
  ///   - libraryPath: The library's path.
  ///   - method: How files of the library get into it.
  ///   - kind: The command that makes it; a folder that another one made is refused.
  ///   - replacesChanges: Whether what a person has changed in it is written over.
  /// - Throws: ``ExportError``.
  package init(
    at path: [UInt8],
    library libraryPath: [UInt8],
    method: Method,
    kind: String,
    replacesChanges: Bool
  ) throws(ExportError) {
    let shown = "\"\(EscapedText.percentEscaped(path))\""
    self.shown = shown
    self.method = method
    self.replacesChanges = replacesChanges
    do {
      let slash = UInt8.slash
      var trimmed = path[...]
      while trimmed.count > 1, trimmed.last == slash { trimmed.removeLast() }
      let split = trimmed.lastIndex(of: slash)
      name = Array(split.map { trimmed[($0 + 1)...] } ?? trimmed)
      let parentPath =
        split.map { $0 == 0 ? [slash] : Array(trimmed[..<$0]) } ?? [UInt8.dot]
      guard !name.isEmpty, name != Array(".".utf8), name != Array("..".utf8) else {
        throw ExportError(.notOurs, "\(shown) cannot be a new folder. Name a folder in it.")
      }
      parent = try FileSystem.openFolder(parentPath)
      library = try FileSystem.openFolder(libraryPath)
      self.libraryPath = FileSystem.resolved(libraryPath) ?? libraryPath
      try Self.checkApart(parentPath, name, self.libraryPath, library, shown)
      partialName = Self.hidden(name, "partial")
      earlierName = Self.hidden(name, "earlier")
      try Self.settle(parent, earlierName, name, shown)
      (old, oldList, isThere) = try Self.existing(parent, name, kind, shown)
      if let old {
        isUntouched = try Self.check(old, oldList, shown, replacesChanges: replacesChanges)
      } else {
        isUntouched = false
      }
      (staging, listFile) = try Self.makeStaging(parent, partialName, kind, shown)
      records = try (try? FileSystem.temporaryFile()) ?? FileSystem.unlinkedFile(in: staging)
      try records.write(ExportList(kind: kind, state: "").head)
      // A folder that others cannot read stays one.
      if let old { try Self.setMode(of: staging, old.ownership().mode) }
      work = try FileSystem.openOrMakeFolder(in: staging, Self.workName, mode: 0o700, crossMounts: false)
    } catch {
      throw ExportError(wrapping: error, shown)
    }
    list = ExportList(kind: kind, state: "")
  }

  /// The name beside the folder under which it grows, escaped.
  package var growingName: String { EscapedText.percentEscaped(partialName) }

  /// Whether the folder that is there was made in this state, and has all of its files, so that nothing is to do.
  package func isCurrent(_ state: String) -> Bool { isUntouched && oldList?.state == state }

  /// Confines this process, on its only thread, to reading the library and making the new folder.
  ///
  /// In the folder around it, folders can be made, removed and renamed; nothing else. A file can be opened
  /// for writing only where it is not yet in its place: Landlock lets a file be linked only to where it has
  /// no more rights than before.
  ///
  /// Source: Linux Documentation/userspace-api/landlock.rst, "Filesystem flags".
  /// - Parameter rules: The further rules that the command needs.
  /// - Throws: `SandboxError`; some of it may be in force then.
  package func confine(_ rules: [PathRule] = []) throws(SandboxError) {
    let layer = try LandlockLayer()
    for rule in rules { try layer.allow(rule) }
    let arranging: LandlockRights = [
      .readFile, .listFolder, .makeFile, .makeFolder, .makeSymbolicLink, .removeFile, .removeFolder,
      .refer,
    ]
    try layer.allow(arranging, descriptor: staging.raw, subject: shown)
    try layer.allow([.writeFile, .truncate], descriptor: work.raw, subject: shown)
    try layer.allow([.makeFolder, .removeFolder], descriptor: parent.raw, subject: shown)
    if let old { try layer.allow(arranging, descriptor: old.raw, subject: shown) }
    let linking: LandlockRights = method == .hardlink ? .refer : []
    try layer.allow(LandlockRights.readAndList.union(linking), descriptor: library.raw, subject: "library")
    // A run that begins meanwhile makes SQLite open the catalogue again, and take its locks in this file.
    for name in Library.lockFiles {
      let path = libraryPath + [UInt8.slash] + Array(name.utf8)
      try layer.allow(PathRule(path: path, rights: [.readFile, .writeFile], isOptional: true))
    }
    // SQLite asks for random numbers.
    try layer.allow(PathRule(path: "/dev/urandom", rights: .readFile, isOptional: true))
    try layer.enforce()
  }

  // MARK: - Writing

  /// Writes a file of these bytes.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - path: Below the folder; no part is empty, `.` or `..`.
  ///   - recipe: The digest of what it was made from, by which ``keep(_:isLink:at:)`` knows it; empty for a file
  ///     that is written anew each time.
  ///   - modified: The time of its last change, in nanoseconds since 1970; nil for now.
  ///   - isPlain: Whether it is not sealed.
  /// - Returns: Whether it is there; if not, it is in ``refused``.
  /// - Throws: ``ExportError``.
  @discardableResult
  package func write(
    _ bytes: [UInt8],
    to path: [UInt8],
    recipe: String = "",
    modified: Int64? = nil,
    isPlain: Bool = false
  ) throws(ExportError) -> Bool {
    try write(to: path, recipe: recipe, modified: modified, isPlain: isPlain) { try $0.write(bytes) }
  }

  /// Writes a file by a function, which is given the new file.
  ///
  /// - Returns: Whether it is there; if not, it is in ``refused``.
  /// - Throws: ``ExportError``.
  @discardableResult
  func write(
    to path: [UInt8],
    recipe: String = "",
    modified: Int64? = nil,
    isPlain: Bool = false,
    _ fill: (Descriptor) throws -> Void
  ) throws(ExportError) -> Bool {
    if let seal, !isPlain {
      return try writeSealed(to: path, recipe: recipe, by: seal) {
        let plain = try seal.emptied()
        try fill(plain)
        return (plain, 0..<(try plain.status().size))
      }
    }
    return try writing(path, counts: !recipe.isEmpty) { folders, name in
      let file = try FileSystem.createFile(in: work, Self.newName)
      try fill(file)
      let status = try move(file, to: folders.new, name, modified: modified ?? sealedAt)
      return ExportList.File(sha256: recipe, size: status.size, modified: status.modified)
    }
  }

  /// Takes a file over from the earlier folder, if it is the same there.
  ///
  /// - Parameters:
  ///   - digest: The digest of its content, or of what it was made from.
  ///   - isLink: Whether it is a symbolic link.
  ///   - path: Below the folder.
  ///   - isTrue: Whether the earlier file, by its folder and name, is what is wanted.
  /// - Returns: Whether it was taken over.
  /// - Throws: ``ExportError``.
  func keep(
    _ digest: String,
    isLink: Bool = false,
    at path: [UInt8],
    if isTrue: (Descriptor, _ name: [UInt8], FileStatus) throws -> Bool = { _, _, _ in true }
  ) throws(ExportError) -> Bool {
    let digest = seal?.recipe(digest, of: path) ?? digest
    let path = seal.map { FolderSeal.path(of: $0.name(of: path)) } ?? path
    let (folder, name) = Self.split(path)
    do {
      guard let earlier = try oldList?.file(at: path), earlier.sha256 == digest,
        earlier.isLink == isLink
      else { return false }
      let folders = try self.folders(folder)
      guard let oldFolder = folders.old,
        let status = try? FileSystem.status(in: oldFolder, name: name),
        Self.isSame(status, earlier),
        try isTrue(oldFolder, name, status)
      else { return false }
      do {
        try FileSystem.link(from: oldFolder, name, to: folders.new, name)
      } catch {
        // The number of names of a file is limited, and some file systems have none but one.
        return false
      }
      kept += 1
      try note(path, earlier)
      return true
    } catch {
      throw ExportError(wrapping: error, shown)
    }
  }

  /// Puts a file of the library into the folder, with the time of its last change. A part of a file is always
  /// a copy.
  ///
  /// - Returns: Whether it is there: a file that is not as the catalogue says is left out, and in ``damaged``;
  ///   one that the file system of the folder cannot hold is in ``refused``.
  /// - Throws: ``ExportError``.
  @discardableResult
  package func add(_ source: Source, at path: [UInt8]) throws(ExportError) -> Bool {
    let isThere = try put(source, at: path)
    if isThere, source.statesPlace { countPlace() }
    return isThere
  }

  /// Counts a file that is there and says where it was taken.
  func countPlace() { placed += 1 }

  private func put(_ source: Source, at path: [UInt8]) throws(ExportError) -> Bool {
    if seal != nil || source.part != nil {
      if try keep(source.digest, at: path) { return true }
      guard let (file, status) = try open(source) else { return false }
      let part = source.part ?? 0..<source.bytes
      if let seal { return try writeSealed(to: path, recipe: source.digest, by: seal) { (file, part) } }
      return try write(to: path, recipe: source.digest, modified: status.modified) { copy in
        try file.seek(to: part.lowerBound)
        _ = try FileSystem.copy(file, to: copy, most: Int64(part.count))
      }
    }
    // A link has the bytes that the library has by now, whatever they were when it was made.
    let isShared = method == .hardlink || method == .symlink
    var opened: (file: Descriptor, status: FileStatus)?
    if isShared {
      opened = try open(source)
      if opened == nil { return false }
    }
    let isKept = try keep(source.sha256, isLink: method == .symlink, at: path) {
      folder,
      name,
      status in
      if method == .hardlink { return opened.map { status.isSameInode(as: $0.status) } == true }
      if method == .symlink || !readsKeptFiles { return true }
      return (try? FileDigest.of(name, beneath: folder))?.sha256 == source.sha256
    }
    if isKept { return true }
    let isLong = !isShared && source.bytes > partLength
    if !isShared { opened = try open(source, isReadLater: isLong) }
    guard let (file, status) = opened else { return false }
    return try writing(path, counts: true) { folders, name in
      if method == .symlink {
        let target = libraryPath + [UInt8.slash] + place(of: source)
        try FileSystem.makeSymbolicLink(to: target, in: folders.new, name)
        return ExportList.File(sha256: source.sha256, size: Int64(target.count), modified: 0, isLink: true)
      }
      if method == .hardlink {
        try FileSystem.link(from: library, place(of: source), to: folders.new, name)
      } else {
        let copy = try FileSystem.createFile(in: work, Self.newName)
        try self.copy(file, of: source, to: copy, isHashed: !isLong)
        let own = try move(copy, to: folders.new, name, modified: status.modified)
        guard own.size == status.size else {
          throw FileSystemError(call: "copy", path: name, errno: EIO)
        }
        return ExportList.File(sha256: source.sha256, size: own.size, modified: own.modified)
      }
      return ExportList.File(sha256: source.sha256, size: status.size, modified: status.modified)
    }
  }

  private static func split(_ path: [UInt8]) -> (folder: ArraySlice<UInt8>, name: [UInt8]) {
    let slash = path.lastIndex(of: UInt8.slash)
    return (slash.map { path[..<$0] } ?? [], Array(slash.map { path[($0 + 1)...] } ?? path[...]))
  }

  /// Writes a file of a path by a function, which is given its folder and its name there.
  ///
  /// - Parameters:
  ///   - path: What it is called when it is refused.
  ///   - place: Where it lies; nil for the path.
  ///   - counts: Whether it is one of those that were added.
  ///   - body: Writes it.
  /// - Returns: Whether it is there; if not, it is in ``refused`` or ``damaged``.
  /// - Throws: ``ExportError``.
  func writing(
    _ path: [UInt8],
    at place: [UInt8]? = nil,
    counts: Bool,
    _ body: ((new: Descriptor, old: Descriptor?), _ name: [UInt8]) throws -> ExportList.File
  ) throws(ExportError) -> Bool {
    let place = place ?? path
    let (folder, name) = Self.split(place)
    do {
      let file: ExportList.File
      do {
        file = try body(try folders(folder), name)
      } catch let error as FileSystemError {
        refused[path] = try reason(of: error)
        try FileSystem.removeFile(in: work, Self.newName)
        return false
      } catch let error as Damage {
        damaged[error.path] = error.detail
        try FileSystem.removeFile(in: work, Self.newName)
        return false
      } catch let error as FolderSeal.TooLong {
        refused[path] = error.reason
        try FileSystem.removeFile(in: work, Self.newName)
        return false
      }
      try note(place, file)
      if counts {
        added += 1
        addedKinds[AddedKind(path), default: 0] += 1
      }
      return true
    } catch {
      throw ExportError(wrapping: error, shown)
    }
  }

  private func note(_ path: [UInt8], _ file: ExportList.File) throws(FileSystemError) {
    pending += ExportList.record(path, file)
    if pending.count > 1 << 16 { try flushList() }
  }

  func flushList() throws(FileSystemError) {
    try records.write(pending)
    pending = []
  }

  private func folders(
    _ path: ArraySlice<UInt8>
  ) throws(FileSystemError) -> (new: Descriptor, old: Descriptor?) {
    if let lastFolders, lastFolders.path.elementsEqual(path) {
      return (lastFolders.new, lastFolders.old)
    }
    var folder = staging
    for part in path.split(separator: UInt8.slash) {
      folder = try FileSystem.openOrMakeFolder(in: folder, Array(part), crossMounts: false)
    }
    let earlier = old.flatMap { old in
      path.isEmpty
        ? old
        : try? FileSystem.openForReading(beneath: old, Array(path), crossMounts: false, isFolder: true)
    }
    lastFolders = (path, folder, earlier)
    return (folder, earlier)
  }

  // MARK: - Ending

  /// Gives the folder its name; it is flushed before, so that it is whole after a power cut too.
  ///
  /// - Throws: ``ExportError``.
  package func commit(_ state: String) throws(ExportError) {
    do {
      try finishList(state)
      lastFolders = nil
      // A folder without a list would be a stranger's to the next command, if this one ends here.
      try FileSystem.replace(from: work, Self.newName, to: staging, ExportList.name)
      try Self.removeFolder(Self.workName, in: staging)
      hideTimes()
      try FileSystem.flush(fileSystemOf: staging)
      try confirmFiles()
      // A person may have put something into the earlier folder meanwhile, which is removed next.
      if let old { _ = try Self.check(old, oldList, shown, replacesChanges: replacesChanges) }
      // A file that is open when it is removed stays in its folder on NFS and FUSE.
      oldList = nil
      let earlier = try takePlace(isThere: isThere)
      try confirmPlace(state)
      try finish(removing: old, earlier)
    } catch {
      throw ExportError(wrapping: error, shown)
    }
  }

  /// Writes the list with its state into a new file.
  ///
  /// The begun one is closed then: NFS and FUSE keep a file that is open beside that which replaces it.
  private func finishList(_ state: String) throws {
    try flushList()
    listFile = nil
    let whole = try FileSystem.createFile(in: work, Self.newName)
    // The list was begun without these, so that a folder that was not finished has no state.
    try whole.write(ExportList(kind: list.kind, state: state).head)
    if seal == nil {
      try records.seek(to: Int64(list.head.count))
      _ = try FileSystem.copy(records, to: whole)
    } else {
      try made().forEachByHash { try whole.write($0) }
    }
    // FUSE does not hear of syncfs(2); exFAT's and NTFS's write all of a disk out for one file.
    try Self.flush(whole)
  }

  /// Removes what was written, unless it has the folder's name by now; the earlier folder stays.
  package func discard() {
    listFile = nil
    guard let status = try? FileSystem.status(in: parent, name: partialName),
      (try? staging.status())?.isSameInode(as: status) == true
    else { return }
    try? Self.remove(staging, partialName, in: parent)
  }

  /// Removes a folder that this has made; its list goes last, so that the rest is known for what it is when
  /// the process is ended meanwhile.
  static func remove(
    _ folder: Descriptor,
    _ name: [UInt8],
    in parent: Descriptor
  ) throws(FileSystemError) {
    for entry in try FileSystem.entries(of: folder) where entry.name != ExportList.name {
      let status = try FileSystem.status(in: folder, name: entry.name)
      guard status.kind == .folder else {
        try FileSystem.removeFile(in: folder, entry.name)
        continue
      }
      let child = try FileSystem.openForReading(
        beneath: folder,
        entry.name,
        crossMounts: false,
        isFolder: true
      )
      try FileSystem.empty(child)
      try removeFolder(entry.name, in: folder)
    }
    try FileSystem.removeFile(in: folder, ExportList.name)
    try removeFolder(name, in: parent)
  }

  private static let workName = [UInt8](".mediabatch-work".utf8)
  static let newName = [UInt8]("new".utf8)
}
