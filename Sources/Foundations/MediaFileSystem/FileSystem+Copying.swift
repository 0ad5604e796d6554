internal import CFileSystem
internal import Glibc

extension FileSystem {
  /// Gives two names of folders or files to each other in one step, so that both always exist.
  ///
  /// Source: renameat2(2), RENAME_EXCHANGE.
  package static func exchange(
    _ first: [UInt8],
    in folder: Descriptor,
    with second: [UInt8]
  ) throws(FileSystemError) {
    try call("rename", folder, first, folder, second, cfs_exchange)
  }

  /// Renames as ``rename(from:_:to:_:)`` does, also where the file system knows no flags of renaming, as FUSE's,
  /// NFS's and exFAT's do not.
  ///
  /// There it looks for the target before, which is a step of its own: only for names that no other program
  /// takes meanwhile. A folder replaces nothing but an empty one. Source: rename(2).
  package static func move(
    from: Descriptor,
    _ old: [UInt8],
    to: Descriptor,
    _ new: [UInt8]
  ) throws(FileSystemError) {
    do {
      return try rename(from: from, old, to: to, new)
    } catch {
      guard error.isUnsupported else { throw error }
    }
    guard (try? status(in: to, name: new)) == nil else {
      throw FileSystemError(call: "rename", path: new, errno: EEXIST)
    }
    try replace(from: from, old, to: to, new)
  }

  /// Makes an empty file share the content of another one, which costs no room until one is changed.
  ///
  /// - Returns: False when the file system cannot do that, or the files are on two.
  package static func clone(_ from: Descriptor, to: Descriptor) throws(FileSystemError) -> Bool {
    if cfs_clone(from.raw, to.raw) == 0 { return true }
    guard [EOPNOTSUPP, EXDEV, EINVAL, ENOSYS, ENOTTY, EBADF, EPERM].contains(errno) else {
      throw FileSystemError(call: "copy", path: to.path, errno: errno)
    }
    return false
  }

  /// Copies the content of a file from its current offset to its end, or at most so many bytes of it; a long
  /// hole stays a hole.
  ///
  /// - Returns: The number of bytes.
  package static func copy(
    _ from: Descriptor,
    to: Descriptor,
    most limit: Int64 = .max
  ) throws(FileSystemError) -> Int64 {
    let start = try from.offset()
    var copied: Int64 = 0
    var endsInHole = false
    var buffer: [UInt8]?
    var holes = SparseReader(from)
    while copied < limit {
      let (runLength, isHole) = try holes.run(at: UInt64(start + copied))
      let length = min(runLength, UInt64(limit - copied))
      if isHole {
        try to.skip(Int(length))
        copied += Int64(length)
        endsInHole = true
        continue
      }
      // To ask for holes moves the offset.
      try from.seek(to: start + copied)
      let count = try copyNext(from, to, most: Int(min(length, 1 << 30)), &buffer)
      if count == 0 { break }
      copied += Int64(count)
      endsInHole = false
    }
    if endsInHole { try to.setLength(to.offset()) }
    return copied
  }

  /// Copies at most so many bytes from one file's offset to the other's: in the kernel, or through a buffer,
  /// which is there from the time on that the kernel does not copy by itself between these files.
  ///
  /// - Returns: The number of bytes, 0 at the end of the file.
  private static func copyNext(
    _ from: Descriptor,
    _ to: Descriptor,
    most: Int,
    _ buffer: inout [UInt8]?
  ) throws(FileSystemError) -> Int {
    var interruptions = Interruptions()
    while buffer == nil {
      let count = cfs_copy_range(from.raw, to.raw, Int64(most))
      if count >= 0 { return Int(count) }
      if errno == EINTR, interruptions.mayRetry() { continue }
      guard [EXDEV, EINVAL, EOPNOTSUPP, ENOSYS, EPERM].contains(errno) else {
        throw FileSystemError(call: "copy", path: to.path, errno: errno)
      }
      buffer = [UInt8](repeating: 0, count: 256 << 10)
    }
    var bytes = buffer ?? []
    buffer = []
    let count = try from.readNext(&bytes)
    try to.write(count == bytes.count ? bytes : Array(bytes[..<count]))
    buffer = bytes
    return count
  }

  /// Makes a symbolic link; an existing name is `EEXIST`.
  package static func makeSymbolicLink(
    to target: [UInt8],
    in folder: Descriptor,
    _ name: [UInt8]
  ) throws(FileSystemError) {
    let result = withCString(target) { target in
      withCString(name) { symlinkat(target, folder.raw, $0) }
    }
    guard result == 0 else { throw FileSystemError(call: "symlink", path: name, errno: errno) }
  }
}

extension FileSystemError {
  /// Whether the file system, or what filters system calls, does not have what was asked for, such as a way of
  /// renaming.
  package var isUnsupported: Bool { [EINVAL, ENOSYS, EOPNOTSUPP, EPERM].contains(errno) }
}

extension Descriptor {
  /// Sets the time of the last modification, in nanoseconds since 1970.
  package func setModified(_ time: Int64) throws(FileSystemError) {
    guard cfs_set_modified(raw, time) == 0 else {
      throw FileSystemError(call: "set the time of", path: path, errno: errno)
    }
  }

  /// Sets the permissions, which the umask does not change.
  package func setMode(_ mode: UInt32) throws(FileSystemError) {
    guard fchmod(raw, mode) == 0 else {
      throw FileSystemError(call: "set the permissions of", path: path, errno: errno)
    }
  }
}
