internal import CFileSystem
internal import Glibc

/// The file system with names as bytes and every step relative to an open folder.
///
/// Swift's String compares by Unicode equivalence and Foundation replaces bytes that are not UTF-8:
/// either loses files, so neither is a key or a way to open one here.
package enum FileSystem {
  /// Opens a folder by any path, symbolic links followed.
  package static func openFolder(_ path: [UInt8]) throws(FileSystemError) -> Descriptor {
    let raw = withCString(path) { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK) }
    return try owned(raw, "open", path)
  }

  /// Opens a folder only as a place to start from: nothing can be read through it.
  package static func openPath(_ path: [UInt8]) throws(FileSystemError) -> Descriptor {
    let raw = withCString(path) { open($0, cfs_o_path | O_CLOEXEC) }
    return try owned(raw, "open", path)
  }

  /// What stands beneath `folder`, as a place only; no symbolic link is followed.
  package static func openPath(
    beneath folder: Descriptor,
    _ path: [UInt8],
    crossMounts: Bool = true
  ) throws(FileSystemError) -> Descriptor {
    let raw = withCString(path) {
      cfs_open_beneath(folder.raw, $0, cfs_o_path, crossMounts ? 0 : 1)
    }
    return try owned(raw, "open", path)
  }

  /// Opens a file or folder beneath `folder` for reading; no symbolic link is followed, and a FIFO
  /// or a device does not make it wait.
  ///
  /// - Throws: ``FileSystemError``; `ELOOP` for a symbolic link, `EXDEV` for a way out, or for
  ///   another file system unless `crossMounts`. Source: openat2(2).
  package static func openForReading(
    beneath folder: Descriptor,
    _ path: [UInt8],
    crossMounts: Bool,
    isFolder: Bool = false
  ) throws(FileSystemError) -> Descriptor {
    let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | (isFolder ? O_DIRECTORY : 0)
    let raw = withCString(path) {
      cfs_open_beneath(folder.raw, $0, flags, crossMounts ? 0 : 1)
    }
    return try owned(raw, "open", path)
  }

  /// Makes a new file for writing; one that is there already is an error.
  package static func createFile(
    in folder: Descriptor,
    _ name: [UInt8],
    mode: UInt32 = 0o644
  ) throws(FileSystemError) -> Descriptor {
    let raw = withCString(name) { cfs_create(folder.raw, $0, mode) }
    return try owned(raw, "create", name)
  }

  /// Opens a file for reading and writing by any path, made if it is not there.
  package static func openOrCreate(
    in folder: Descriptor,
    _ name: [UInt8],
    mode: UInt32
  ) throws(FileSystemError) -> Descriptor {
    let raw = withCString(name) {
      openat(folder.raw, $0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode)
    }
    return try owned(raw, "open", name)
  }

  /// Opens a device such as `/dev/null` for reading and writing.
  package static func openDevice(_ path: [UInt8]) throws(FileSystemError) -> Descriptor {
    let raw = withCString(path) { open($0, O_RDWR | O_CLOEXEC | O_NOCTTY) }
    return try owned(raw, "open", path)
  }

  /// What the kernel says of `name` in `folder`, a symbolic link not followed; an empty name means
  /// the folder itself.
  package static func status(
    in folder: Descriptor,
    name: [UInt8]
  ) throws(FileSystemError) -> FileStatus {
    var status = cfs_file_status()
    guard withCString(name, { cfs_status(folder.raw, $0, 0, &status) }) == 0 else {
      throw FileSystemError(call: "stat", path: name.isEmpty ? folder.path : name, errno: errno)
    }
    return FileStatus(status)
  }

  /// What the kernel says of a path, symbolic links followed; nothing is opened.
  package static func status(ofPath path: [UInt8]) throws(FileSystemError) -> FileStatus {
    var status = cfs_file_status()
    guard withCString(path, { cfs_status(AT_FDCWD, $0, 1, &status) }) == 0 else {
      throw FileSystemError(call: "stat", path: path, errno: errno)
    }
    return FileStatus(status)
  }

  /// Whether a path leads to anything, symbolic links followed.
  package static func exists(_ path: [UInt8]) -> Bool {
    withCString(path) { access($0, F_OK) } == 0
  }

  /// Makes a folder; one that is there already is no error.
  ///
  /// - Returns: Whether it was made now.
  @discardableResult
  package static func makeFolder(
    in folder: Descriptor,
    _ name: [UInt8],
    mode: UInt32 = 0o755
  ) throws(FileSystemError) -> Bool {
    if withCString(name, { mkdirat(folder.raw, $0, mode) }) == 0 { return true }
    guard errno == EEXIST else { throw FileSystemError(call: "mkdir", path: name, errno: errno) }
    return false
  }

  /// Renames within one file system; an existing target is `EEXIST`, never replaced.
  package static func rename(
    from: Descriptor,
    _ old: [UInt8],
    to: Descriptor,
    _ new: [UInt8]
  ) throws(FileSystemError) {
    let result = withCString(old) { old in
      withCString(new) { cfs_rename_no_replace(from.raw, old, to.raw, $0) }
    }
    guard result == 0 else { throw FileSystemError(call: "rename", path: new, errno: errno) }
  }

  /// Gives a file a second name; an existing target is `EEXIST`. Source: linkat(2).
  package static func link(
    from: Descriptor,
    _ old: [UInt8],
    to: Descriptor,
    _ new: [UInt8]
  ) throws(FileSystemError) {
    let result = withCString(old) { old in
      withCString(new) { linkat(from.raw, old, to.raw, $0, 0) }
    }
    guard result == 0 else { throw FileSystemError(call: "link", path: new, errno: errno) }
  }

  /// Removes a file; one that is not there is no error.
  package static func removeFile(
    in folder: Descriptor,
    _ name: [UInt8]
  ) throws(FileSystemError) {
    guard withCString(name, { unlinkat(folder.raw, $0, 0) }) == 0 || errno == ENOENT else {
      throw FileSystemError(call: "remove", path: name, errno: errno)
    }
  }

  /// Removes an empty folder; one that is not there is no error.
  package static func removeFolder(
    in folder: Descriptor,
    _ name: [UInt8]
  ) throws(FileSystemError) {
    guard withCString(name, { unlinkat(folder.raw, $0, AT_REMOVEDIR) }) == 0 || errno == ENOENT
    else { throw FileSystemError(call: "remove", path: name, errno: errno) }
  }

  /// Removes all that stands in a folder, and keeps the folder.
  ///
  /// Symbolic links are removed, never followed; only for folders that mediabatch made itself.
  package static func empty(_ folder: Descriptor) throws(FileSystemError) {
    for entry in try entries(of: folder) {
      let status: FileStatus
      do {
        status = try Self.status(in: folder, name: entry.name)
      } catch  where error.isMissing {
        continue
      }
      if status.kind == .folder {
        let child = try openForReading(
          beneath: folder,
          entry.name,
          crossMounts: false,
          isFolder: true
        )
        try empty(child)
        try removeFolder(in: folder, entry.name)
      } else {
        try removeFile(in: folder, entry.name)
      }
    }
  }

  /// One name in a folder.
  package struct Entry: Sendable {
    package var name: [UInt8]
    /// What the folder says of it, without a look at the file; nil when it does not say.
    package var kind: FileStatus.Kind?
  }

  /// The names in a folder, in no order, without `.` and `..`.
  package static func entries(of folder: Descriptor) throws(FileSystemError) -> [Entry] {
    // A stream of its own: reading a folder moves the position of the descriptor it was given.
    let copy = openat(folder.raw, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { throw FileSystemError(call: "list", path: folder.path, errno: errno) }
    guard let stream = fdopendir(copy) else {
      let number = errno
      close(copy)
      throw FileSystemError(call: "list", path: folder.path, errno: number)
    }
    defer { closedir(stream) }
    var entries: [Entry] = []
    var name: UnsafePointer<CChar>?
    var length = 0
    var type: UInt8 = 0
    while true {
      let result = cfs_next_entry(stream, &name, &length, &type)
      if result == 0 { return entries }
      guard result == 1, let name else {
        throw FileSystemError(call: "list", path: folder.path, errno: errno)
      }
      let bytes = UnsafeRawBufferPointer(start: name, count: length)
      entries.append(Entry(name: [UInt8](bytes), kind: kind(ofEntryType: type)))
    }
  }

  /// Flushes all that was written to the file system of `folder`: one call for a whole batch.
  ///
  /// - Throws: ``FileSystemError``, also when an earlier write-out of any file failed since the
  ///   folder was opened. Source: syncfs(2).
  package static func flush(fileSystemOf folder: Descriptor) throws(FileSystemError) {
    guard cfs_sync_file_system(folder.raw) == 0 else {
      throw FileSystemError(call: "syncfs", path: folder.path, errno: errno)
    }
  }

  /// The whole content of a small regular file, symbolic links followed.
  ///
  /// - Throws: `EFBIG` beyond `limit` bytes, `EINVAL` for what is no regular file.
  package static func readSmallFile(
    _ path: [UInt8],
    limit: Int
  ) throws(FileSystemError) -> [UInt8] {
    try readSmallFile(openFile(path), limit: limit)
  }

  /// Opens a file for reading, symbolic links followed; a FIFO or a device does not make it wait.
  package static func openFile(_ path: [UInt8]) throws(FileSystemError) -> Descriptor {
    let raw = withCString(path) { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    return try owned(raw, "open", path)
  }

  /// As ``readSmallFile(_:limit:)``, of a file that is open.
  package static func readSmallFile(
    _ file: Descriptor,
    limit: Int
  ) throws(FileSystemError) -> [UInt8] {
    let path = file.path
    let status = try file.status()
    guard status.kind == .regular else {
      throw FileSystemError(call: "read", path: path, errno: EINVAL)
    }
    guard status.size <= limit else {
      throw FileSystemError(call: "read", path: path, errno: EFBIG)
    }
    // One byte more than it had, to see it grow.
    var bytes = [UInt8](repeating: 0, count: Int(status.size) + 1)
    let count = try bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(FileSystemError) in try file.read(into: buffer, at: 0) }
    }.get()
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// What stands at a path and at every folder above it, links followed once; the path itself first,
  /// the root last. Empty for a path that leads nowhere. Nothing is opened.
  package static func ancestry(ofPath path: [UInt8]) -> [FileStatus] {
    guard let resolved = resolved(path) else { return [] }
    var ancestry: [FileStatus] = []
    var rest = resolved[...]
    while true {
      let name = rest.isEmpty ? [UInt8(ascii: "/")] : Array(rest)
      guard let status = try? status(ofPath: name) else { return ancestry }
      ancestry.append(status)
      guard !rest.isEmpty, let slash = rest.lastIndex(of: UInt8(ascii: "/")) else {
        return ancestry
      }
      rest = rest[..<slash]
    }
  }

  /// The path with every symbolic link resolved, or nil when it leads nowhere. Source: realpath(3).
  package static func resolved(_ path: [UInt8]) -> [UInt8]? {
    withCString(path) { path -> [UInt8]? in
      guard let resolved = realpath(path, nil) else { return nil }
      defer { free(resolved) }
      return [UInt8](UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    }
  }

  private static func kind(ofEntryType type: UInt8) -> FileStatus.Kind? {
    switch Int(type) {
    case 8: .regular  // DT_REG
    case 4: .folder  // DT_DIR
    case 10: .symbolicLink  // DT_LNK
    case 0: nil  // DT_UNKNOWN
    default: .other
    }
  }

  private static func owned(
    _ raw: Int32,
    _ call: String,
    _ path: [UInt8]
  ) throws(FileSystemError) -> Descriptor {
    guard raw >= 0 else { throw FileSystemError(call: call, path: path, errno: errno) }
    return Descriptor(owning: raw, path: path)
  }

  /// Calls `body` with the bytes and a NUL behind them; a name that holds one is cut there, which
  /// no name from the kernel does.
  private static func withCString<Result>(
    _ bytes: [UInt8],
    _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { buffer in
      bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(buffer).copyMemory(from: $0) }
      buffer[bytes.count] = 0
      guard let start = buffer.baseAddress else { return body("") }
      return body(start)
    }
  }
}
