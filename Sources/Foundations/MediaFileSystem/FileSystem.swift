internal import CFileSystem
internal import Glibc
internal import MediaModel

/// File system calls with names as bytes and paths relative to an open folder.
///
/// Swift's String compares by Unicode equivalence and Foundation replaces bytes that are not UTF-8.
/// Either loses files, so paths are never strings here.
package enum FileSystem {
  /// Opens a folder by any path, symbolic links followed.
  package static func openFolder(_ path: [UInt8]) throws(FileSystemError) -> Descriptor {
    try opened(path) { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK) }
  }

  /// Opens a file or folder with O_PATH: it can be a starting point, but cannot be read.
  package static func openPath(_ path: [UInt8]) throws(FileSystemError) -> Descriptor {
    try opened(path) { open($0, cfs_o_path | O_CLOEXEC) }
  }

  /// Opens a path beneath `folder` with O_PATH; no symbolic link is followed.
  package static func openPath(
    beneath folder: Descriptor,
    _ path: [UInt8],
    crossMounts: Bool = true
  ) throws(FileSystemError) -> Descriptor {
    try opened(path) { cfs_open_beneath(folder.raw, $0, cfs_o_path, crossMounts ? 0 : 1) }
  }

  /// Opens a file or folder beneath `folder` for reading. No symbolic link is followed, and opening
  /// a FIFO or a device does not block.
  ///
  /// - Throws: ``FileSystemError``; `ELOOP` for a symbolic link, `EXDEV` for a path that leaves
  ///   `folder`, or another file system unless `crossMounts`. Source: openat2(2).
  package static func openForReading(
    beneath folder: Descriptor,
    _ path: [UInt8],
    crossMounts: Bool,
    isFolder: Bool = false
  ) throws(FileSystemError) -> Descriptor {
    let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | (isFolder ? O_DIRECTORY : 0)
    return try opened(path) { cfs_open_beneath(folder.raw, $0, flags, crossMounts ? 0 : 1) }
  }

  /// Creates a file for writing at a path beneath `folder`; an existing file is an error, and no symbolic link is
  /// followed. Source: openat2(2).
  package static func createFile(
    in folder: Descriptor,
    _ path: [UInt8],
    mode: UInt32 = 0o644
  ) throws(FileSystemError) -> Descriptor {
    try opened(path, "create") { cfs_create(folder.raw, $0, mode) }
  }

  /// Opens a file for reading and writing, and creates it if it does not exist.
  package static func openOrCreate(
    in folder: Descriptor,
    _ name: [UInt8],
    mode: UInt32
  ) throws(FileSystemError) -> Descriptor {
    try opened(name) {
      openat(folder.raw, $0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode)
    }
  }

  /// Opens a device such as `/dev/null` for reading and writing.
  package static func openDevice(_ path: [UInt8]) throws(FileSystemError) -> Descriptor {
    try opened(path) { open($0, O_RDWR | O_CLOEXEC | O_NOCTTY) }
  }

  /// Returns the status of `name` in `folder`, without following a symbolic link; an empty name
  /// means the folder itself.
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

  /// Returns the status of a path, following symbolic links; nothing is opened.
  package static func status(ofPath path: [UInt8]) throws(FileSystemError) -> FileStatus {
    var status = cfs_file_status()
    guard withCString(path, { cfs_status(AT_FDCWD, $0, 1, &status) }) == 0 else {
      throw FileSystemError(call: "stat", path: path, errno: errno)
    }
    return FileStatus(status)
  }

  /// Returns whether a file exists at a path, following symbolic links.
  package static func exists(_ path: [UInt8]) -> Bool {
    withCString(path) { access($0, F_OK) } == 0
  }

  /// Returns whether this process may write at a path, such as make files in a folder.
  package static func isWritable(_ path: [UInt8]) -> Bool {
    withCString(path) { access($0, W_OK) } == 0
  }

  /// Returns whether something has a path beneath an open folder, without opening it: a link that leads nowhere, too.
  ///
  /// Any answer of the kernel but that a part of the path is missing counts as yes.
  package static func exists(
    beneath folder: Descriptor,
    _ path: UnsafeRawBufferPointer
  ) -> Bool {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: path.count + 1) { buffer in
      UnsafeMutableRawBufferPointer(buffer).copyMemory(from: path)
      buffer[path.count] = 0
      guard let start = buffer.baseAddress else { return true }
      if faccessat(folder.raw, start, F_OK, 0) == 0 { return true }
      var status = cfs_file_status()
      return errno != ENOENT && errno != ENOTDIR
        || cfs_status(folder.raw, start, 0, &status) == 0
    }
  }

  /// Creates a folder; an existing one is no error.
  ///
  /// - Returns: Whether it was created by this call.
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

  /// Opens a folder for reading, and creates it if it does not exist.
  ///
  /// - Throws: `EXDEV` for a folder on another mount, unless `crossMounts`.
  package static func openOrMakeFolder(
    in folder: Descriptor,
    _ name: [UInt8],
    mode: UInt32 = 0o755,
    crossMounts: Bool
  ) throws(FileSystemError) -> Descriptor {
    try makeFolder(in: folder, name, mode: mode)
    return try openForReading(beneath: folder, name, crossMounts: crossMounts, isFolder: true)
  }

  /// Creates a folder and those above it, mode 0700, where they are missing.
  ///
  /// Source: XDG Base Directory Specification, "Referencing this specification".
  package static func makePrivateFolders(_ path: [UInt8]) throws(FileSystemError) {
    var folder = try openPath([UInt8.slash])
    var walked: [UInt8] = []
    for component in path.split(separator: UInt8.slash) {
      walked += [UInt8.slash] + component
      if !exists(walked) {
        try makeFolder(in: folder, Array(component), mode: 0o700)
        // The umask may have taken bits away, without which nothing could be made in it.
        withCString(Array(component)) { _ = fchmodat(folder.raw, $0, 0o700, 0) }
      }
      folder = try openPath(walked)
    }
  }

  /// Renames within one file system; an existing target is `EEXIST`, never replaced.
  package static func rename(
    from: Descriptor,
    _ old: [UInt8],
    to: Descriptor,
    _ new: [UInt8]
  ) throws(FileSystemError) {
    try call("rename", from, old, to, new, cfs_rename_no_replace)
  }

  /// Renames a file within one file system; an existing target is replaced in one step.
  ///
  /// Source: renameat(2).
  package static func replace(
    from: Descriptor,
    _ old: [UInt8],
    to: Descriptor,
    _ new: [UInt8]
  ) throws(FileSystemError) {
    try call("rename", from, old, to, new, renameat)
  }

  /// Gives a file a second name; an existing target is `EEXIST`. Source: linkat(2).
  package static func link(
    from: Descriptor,
    _ old: [UInt8],
    to: Descriptor,
    _ new: [UInt8]
  ) throws(FileSystemError) {
    try call("link", from, old, to, new) { linkat($0, $1, $2, $3, 0) }
  }

  /// Makes a system call that takes a name in each of two folders, and returns 0 where it succeeds.
  static func call(
    _ name: String,
    _ from: Descriptor,
    _ old: [UInt8],
    _ to: Descriptor,
    _ new: [UInt8],
    _ body: (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>) -> Int32
  ) throws(FileSystemError) {
    let result = withCString(old) { old in
      withCString(new) { body(from.raw, old, to.raw, $0) }
    }
    guard result == 0 else { throw FileSystemError(call: name, path: new, errno: errno) }
  }

  /// Removes a file; a missing one is no error.
  package static func removeFile(
    in folder: Descriptor,
    _ name: [UInt8]
  ) throws(FileSystemError) {
    guard withCString(name, { unlinkat(folder.raw, $0, 0) }) == 0 || errno == ENOENT else {
      throw FileSystemError(call: "remove", path: name, errno: errno)
    }
  }

  /// Removes an empty folder; a missing one is no error.
  package static func removeFolder(
    in folder: Descriptor,
    _ name: [UInt8]
  ) throws(FileSystemError) {
    guard withCString(name, { unlinkat(folder.raw, $0, AT_REMOVEDIR) }) == 0 || errno == ENOENT
    else { throw FileSystemError(call: "remove", path: name, errno: errno) }
  }

  /// Removes everything in a folder, and keeps the folder.
  ///
  /// Symbolic links are removed, never followed. Call only for folders that mediabatch created.
  package static func empty(_ folder: Descriptor) throws(FileSystemError) {
    for entry in try entries(of: folder) {
      let status: FileStatus
      do {
        status = try Self.status(in: folder, name: entry.name)
      } catch  where error.isMissing {
        continue
      }
      if status.kind == .folder {
        let child = try openForReading(beneath: folder, entry.name, crossMounts: false, isFolder: true)
        try empty(child)
        try removeFolder(in: folder, entry.name)
      } else {
        try removeFile(in: folder, entry.name)
      }
    }
  }

  /// The folder that `TMPDIR` names; nil where it names none.
  package static var givenTemporaryFolder: [UInt8]? {
    getenv("TMPDIR").map { [UInt8](UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }

  /// Makes a file without a name, open for reading and writing, that is gone when it is closed.
  ///
  /// It lies where `TMPDIR` says; otherwise in `/var/tmp`, which is on a disk, or else in `/tmp`, which
  /// may be memory. Source: open(2), O_TMPFILE; file-hierarchy(7).
  ///
  /// - Throws: ``FileSystemError`` of the last place where none could be made.
  package static func temporaryFile() throws(FileSystemError) -> Descriptor {
    let given = givenTemporaryFolder
    var failure = FileSystemError(call: "create", path: [], errno: ENOENT)
    for folder in [given, [UInt8]("/var/tmp".utf8), [UInt8]("/tmp".utf8)].compactMap(\.self) {
      do {
        return try opened(folder, "create") { cfs_temporary_file($0) }
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// Makes a file without a name on a folder's file system, open for reading and writing.
  ///
  /// Where the file system makes none, such as NFS, it has a name for a moment. Source: open(2), O_TMPFILE.
  ///
  /// - Parameter folder: A folder in which files may be made and removed.
  /// - Returns: The file, empty; it is gone when it is closed.
  /// - Throws: ``FileSystemError``.
  package static func unlinkedFile(in folder: Descriptor) throws(FileSystemError) -> Descriptor {
    try opened([UInt8.dot], "create") { _ in cfs_unlinked_file(folder.raw) }
  }

  /// The room on a file system for a user other than root.
  package struct Room: Sendable, Hashable {
    package var bytes: UInt64
    package var files: UInt64
  }

  /// Returns the room that is left on the file system of `folder`. Source: fstatvfs(3).
  package static func room(fileSystemOf folder: Descriptor) throws(FileSystemError) -> Room {
    var status = statvfs()
    guard fstatvfs(folder.raw, &status) == 0 else {
      throw FileSystemError(call: "statvfs", path: folder.path, errno: errno)
    }
    let (bytes, overflows) = UInt64(status.f_bavail)
      .multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return Room(bytes: overflows ? .max : bytes, files: UInt64(status.f_ffree))
  }

  /// Flushes everything written to the file system of `folder`: one call for a whole batch.
  ///
  /// - Throws: ``FileSystemError``, also when an earlier write-out of any file failed since the
  ///   folder was opened. Source: syncfs(2).
  package static func flush(fileSystemOf folder: Descriptor) throws(FileSystemError) {
    guard flush(fileSystemOf: folder.raw) == 0 else {
      throw FileSystemError(call: "syncfs", path: folder.path, errno: errno)
    }
  }

  /// Flushes everything written to the file system of an open file, as above.
  ///
  /// - Returns: 0, or −1 with the C library's `errno`.
  package static func flush(fileSystemOf descriptor: Int32) -> Int32 {
    cfs_sync_file_system(descriptor)
  }

  /// Reads the whole content of a small regular file, following symbolic links.
  ///
  /// - Throws: `EFBIG` beyond `limit` bytes, `EINVAL` if it is not a regular file.
  package static func readSmallFile(
    _ path: [UInt8],
    limit: Int
  ) throws(FileSystemError) -> [UInt8] {
    try readSmallFile(openFile(path), limit: limit)
  }

  /// Opens a file for reading, following symbolic links; a FIFO or a device does not block.
  package static func openFile(_ path: [UInt8]) throws(FileSystemError) -> Descriptor {
    try opened(path) { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
  }

  /// Opens a file or a pipe that a person named, following symbolic links, for reading at any offset:
  /// what comes through a pipe is first copied to a temporary file.
  ///
  /// Waits until somebody writes into a pipe, and until they have closed it.
  ///
  /// - Throws: `EINVAL` for a folder, a socket or a device. Source: pipe(7), fifo(7).
  package static func openSeekable(_ path: [UInt8]) throws(FileSystemError) -> Descriptor {
    let stream = try openStream(path)
    if try stream.status().kind == .regular { return stream }
    let copy = try temporaryFile()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try stream.readNext(&buffer)
      if count == 0 { return copy }
      try copy.write(Array(buffer[..<count]))
    }
  }

  /// Reads all of a small file or pipe that a person named, following symbolic links.
  ///
  /// - Throws: `EFBIG` beyond `limit` bytes, `EINVAL` for a folder, a socket or a device.
  package static func readSmallStream(
    _ path: [UInt8],
    limit: Int
  ) throws(FileSystemError) -> [UInt8] {
    try openStream(path).readToEnd(limit: limit)
  }

  private static func openStream(_ path: [UInt8]) throws(FileSystemError) -> Descriptor {
    let file = try openFile(path)
    var status = stat()
    guard fstat(file.raw, &status) == 0, [S_IFREG, S_IFIFO].contains(status.st_mode & S_IFMT)
    else { throw FileSystemError(call: "read", path: path, errno: EINVAL) }
    return file
  }

  /// Opens a file for reading and writing, following symbolic links.
  package static func openForUpdating(_ path: [UInt8]) throws(FileSystemError) -> Descriptor {
    try opened(path) { open($0, O_RDWR | O_CLOEXEC | O_NOCTTY) }
  }

  /// Opens a regular file that was opened with O_PATH for reading, wherever its name leads now.
  ///
  /// - Throws: `EINVAL` if it is not a regular file. Source: proc_pid_fd(5).
  package static func openForReading(_ file: Descriptor) throws(FileSystemError) -> Descriptor {
    guard try file.status().kind == .regular else {
      throw FileSystemError(call: "open", path: file.path, errno: EINVAL)
    }
    return try openFile([UInt8]("/proc/self/fd/\(file.raw)".utf8))
  }

  /// Reads the whole content of an open small file.
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
    // One byte more than the file has, to notice that it grows.
    var bytes = [UInt8](repeating: 0, count: Int(status.size) + 1)
    var count = 0
    while true {
      count += try bytes.withUnsafeMutableBytes { buffer in
        let tail = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
        return Result { () throws(FileSystemError) in try file.read(into: tail, at: UInt64(count)) }
      }.get()
      if count < bytes.count { break }
      guard count <= limit else {
        throw FileSystemError(call: "read", path: path, errno: EFBIG)
      }
      bytes += [UInt8](repeating: 0, count: min(count, limit - count) + 1)
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// Returns the status of a path and of every folder above it, from the path itself to the root,
  /// after links were resolved once. Empty for a path that does not exist. Nothing is opened.
  package static func ancestry(ofPath path: [UInt8]) -> [FileStatus] {
    guard let resolved = resolved(path) else { return [] }
    var ancestry: [FileStatus] = []
    var folder = resolved[...]
    while true {
      let name = folder.isEmpty ? [UInt8.slash] : Array(folder)
      guard let status = try? status(ofPath: name) else { return ancestry }
      ancestry.append(status)
      guard !folder.isEmpty, let slash = folder.lastIndex(of: UInt8.slash) else {
        return ancestry
      }
      folder = folder[..<slash]
    }
  }

  /// Returns the path with every symbolic link resolved, or nil if it does not exist.
  /// Source: realpath(3), which gets its memory here: a failing malloc would be a path that does not exist.
  package static func resolved(_ path: [UInt8]) -> [UInt8]? {
    withCString(path) { path -> [UInt8]? in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
        guard let resolved = realpath(path, buffer.baseAddress) else { return nil }
        return [UInt8](UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
      }
    }
  }

  /// Owns the descriptor that `call` returns for a path.
  static func opened(
    _ path: [UInt8],
    _ name: String = "open",
    _ call: (UnsafePointer<CChar>) -> Int32
  ) throws(FileSystemError) -> Descriptor {
    let raw = withCString(path, call)
    guard raw >= 0 else { throw FileSystemError(call: name, path: path, errno: errno) }
    return Descriptor(owning: raw, path: path)
  }

  /// Calls `body` with the bytes and a NUL after them. A name that contains a NUL is cut there; the
  /// kernel returns no such name.
  static func withCString<Result>(
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
