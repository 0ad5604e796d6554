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
    let result = withCString(first) { first in
      withCString(second) { cfs_exchange(folder.raw, first, folder.raw, $0) }
    }
    guard result == 0 else { throw FileSystemError(call: "rename", path: second, errno: errno) }
  }

  /// Makes an empty file share the content of another one, which costs no room until one is changed.
  ///
  /// - Returns: False when the file system cannot do that, or the files are on two.
  package static func clone(_ from: Descriptor, to: Descriptor) throws(FileSystemError) -> Bool {
    if cfs_clone(from.raw, to.raw) == 0 { return true }
    guard [EOPNOTSUPP, EXDEV, EINVAL, ENOTTY, EBADF, EPERM].contains(errno) else {
      throw FileSystemError(call: "copy", path: to.path, errno: errno)
    }
    return false
  }

  /// Copies the content of a file from its current offset to its end.
  ///
  /// - Returns: The number of bytes.
  package static func copy(_ from: Descriptor, to: Descriptor) throws(FileSystemError) -> Int64 {
    var copied: Int64 = 0
    while true {
      let count = cfs_copy_range(from.raw, to.raw, 1 << 30)
      if count < 0, errno == EINTR { continue }
      // Between some file systems the kernel does not copy by itself.
      if count < 0, copied == 0, [EXDEV, EINVAL, EOPNOTSUPP, ENOSYS].contains(errno) { break }
      guard count >= 0 else {
        throw FileSystemError(call: "copy", path: to.path, errno: errno)
      }
      if count == 0 { return copied }
      copied += count
    }
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      let count = try from.readNext(&buffer)
      if count == 0 { return copied }
      try to.write(count == buffer.count ? buffer : Array(buffer[..<count]))
      copied += Int64(count)
    }
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
  /// Whether the file system does not know the way of renaming that was asked for.
  package var cannotExchange: Bool { errno == EINVAL || errno == ENOSYS }
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
