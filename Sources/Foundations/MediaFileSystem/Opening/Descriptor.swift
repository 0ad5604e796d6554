internal import CFileSystem
internal import Glibc

/// An open file or folder, closed with the last reference to it.
package final class Descriptor: Sendable {
  /// The number of the descriptor, valid as long as this object lives.
  package let raw: Int32
  /// The path or name that it was opened with, for messages.
  package let path: [UInt8]

  /// Takes ownership of an open descriptor.
  package init(owning raw: Int32, path: [UInt8]) {
    self.raw = raw
    self.path = path
  }

  deinit {
    close(raw)
  }

  /// Returns the current status of this file.
  package func status() throws(FileSystemError) -> FileStatus {
    try FileSystem.status(in: self, name: [])
  }

  /// Writes all of `bytes` at the current offset, retrying after short writes and interruptions.
  ///
  /// - Throws: ``FileSystemError``, `ENOSPC` among others; some bytes may be written then.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
    var written = 0
    var interruptions = Interruptions()
    while written < bytes.count {
      let unwritten = UnsafeRawBufferPointer(rebasing: bytes[written...])
      let count = Glibc.write(raw, unwritten.baseAddress, unwritten.count)
      if count < 0, errno == EINTR, interruptions.mayRetry() { continue }
      guard count > 0 else {
        throw FileSystemError(call: "write", path: path, errno: count < 0 ? errno : ENOSPC)
      }
      written += count
      interruptions = Interruptions()
    }
  }

  /// Writes all of `bytes`, as ``write(_:)-(UnsafeRawBufferPointer)`` does.
  package func write(_ bytes: [UInt8]) throws(FileSystemError) {
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(FileSystemError) in try write(bytes) }
    }.get()
  }

  /// Leaves a hole of `count` bytes at the current offset, which reads as zeros.
  ///
  /// The file ends behind it only after ``setLength(_:)`` or a later write. Source: lseek(2).
  package func skip(_ count: Int) throws(FileSystemError) {
    guard lseek(raw, off_t(count), SEEK_CUR) >= 0 else {
      throw FileSystemError(call: "seek", path: path, errno: errno)
    }
  }

  /// Sets the current offset in bytes. Source: lseek(2).
  package func seek(to offset: Int64) throws(FileSystemError) {
    guard lseek(raw, off_t(offset), SEEK_SET) >= 0 else {
      throw FileSystemError(call: "seek", path: path, errno: errno)
    }
  }

  /// Returns the current offset in bytes. Source: lseek(2).
  func offset() throws(FileSystemError) -> Int64 {
    let offset = lseek(raw, 0, SEEK_CUR)
    guard offset >= 0 else { throw FileSystemError(call: "seek", path: path, errno: errno) }
    return Int64(offset)
  }

  /// Sets the file's length in bytes. Source: ftruncate(2).
  package func setLength(_ length: Int64) throws(FileSystemError) {
    guard ftruncate(raw, off_t(length)) == 0 else {
      throw FileSystemError(call: "truncate", path: path, errno: errno)
    }
  }

  /// Returns where the hole that contains `offset` ends, or nil if there is data at `offset` or the
  /// file system does not tell. Source: lseek(2), SEEK_DATA.
  package func endOfHole(at offset: UInt64, length: UInt64) -> UInt64? {
    let next = cfs_next_data(raw, Int64(clamping: offset))
    if next < 0 { return errno == ENXIO ? length : nil }
    return UInt64(next) > offset ? UInt64(next) : nil
  }

  /// Returns where the data at `offset` ends and the next hole begins. Source: lseek(2), SEEK_HOLE.
  package func endOfData(at offset: UInt64, length: UInt64) -> UInt64 {
    let next = cfs_next_hole(raw, Int64(clamping: offset))
    return next < 0 ? length : UInt64(next)
  }

  /// Fills `buffer` with the bytes at `offset`.
  ///
  /// - Returns: The number of bytes read, less than asked for only at the end of the file.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: UInt64
  ) throws(FileSystemError) -> Int {
    var done = 0
    var interruptions = Interruptions()
    while done < buffer.count {
      let unread = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = pread(raw, unread.baseAddress, unread.count, off_t(clamping: offset) + off_t(done))
      if count < 0, errno == EINTR, interruptions.mayRetry() { continue }
      if count < 0 { throw FileSystemError(call: "read", path: path, errno: errno) }
      if count == 0 { break }
      done += count
      interruptions = Interruptions()
    }
    return done
  }

  /// Reads a file whose status tells no length, such as those of `/proc`.
  ///
  /// - Throws: `EFBIG` beyond `limit` bytes.
  package func readToEnd(limit: Int) throws(FileSystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try readNext(&buffer)
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      if bytes.count > limit { throw FileSystemError(call: "read", path: path, errno: EFBIG) }
    }
  }

  /// Reads the next bytes from the current offset, or of a pipe, into the beginning of `buffer`.
  ///
  /// - Returns: The number of bytes; 0 at the end.
  func readNext(_ buffer: inout [UInt8]) throws(FileSystemError) -> Int {
    while true {
      // A pipe that does not block reads as if it had ended until somebody writes into it.
      var wait = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
      if poll(&wait, 1, -1) < 0 && errno == EINTR { continue }
      let count = Glibc.read(raw, &buffer, buffer.count)
      if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      if count < 0 { throw FileSystemError(call: "read", path: path, errno: errno) }
      return count
    }
  }

  /// Flushes this file's content and the metadata needed to read it. Source: fdatasync(2).
  package func flush() throws(FileSystemError) {
    var interruptions = Interruptions()
    while fdatasync(raw) != 0 {
      guard errno == EINTR, interruptions.mayRetry() else {
        throw FileSystemError(call: "fdatasync", path: path, errno: errno)
      }
    }
  }

  /// Starts writing this file out without waiting, so that a later flush has less to do.
  ///
  /// A failure is ignored, because the flush reports it. Source: sync_file_range(2).
  package func startWriteOut() {
    _ = cfs_start_write_out(raw)
  }

  /// Takes the write lock that belongs to this open file; the kernel frees it when the file closes.
  ///
  /// - Returns: False when another process holds it. Source: F_OFD_SETLK, fcntl(2).
  package func tryLock() throws(FileSystemError) -> Bool {
    if cfs_try_lock(raw) == 0 { return true }
    guard errno == EAGAIN || errno == EACCES else {
      throw FileSystemError(call: "lock", path: path, errno: errno)
    }
    return false
  }

  /// Returns whether another process holds a lock on this file; takes none, and the file may be open
  /// for reading only. False where the file system does not tell. Source: F_OFD_GETLK, fcntl(2).
  package func isLockedElsewhere() -> Bool { cfs_is_locked(raw) == 1 }

  /// A lock on one byte of an open file.
  package enum ByteLock: Sendable {
    /// Several descriptions may hold it.
    case shared
    /// A single description may hold it; the file has to be open for writing.
    case exclusive
    /// No lock.
    case none
  }

  /// Sets the lock of this open file description on a byte, which need not exist.
  ///
  /// - Returns: False when another description holds it. Source: F_OFD_SETLK, fcntl(2).
  package func lock(byteAt offset: Int64, _ lock: ByteLock) throws(FileSystemError) -> Bool {
    let type =
      switch lock {
      case .shared: F_RDLCK
      case .exclusive: F_WRLCK
      case .none: F_UNLCK
      }
    if cfs_lock_byte(raw, offset, Int16(type)) == 0 { return true }
    guard errno == EAGAIN || errno == EACCES else {
      throw FileSystemError(call: "lock", path: path, errno: errno)
    }
    return false
  }
}

/// The status of a file, as the kernel reports it.
package struct FileStatus: Sendable, Hashable {
  /// The kind of a file.
  package enum Kind: String, Sendable, Hashable {
    case regular
    case folder
    case symbolicLink
    /// A FIFO, a socket or a device: never opened.
    case other
  }

  /// The file's kind.
  package var kind: Kind
  /// The number of the device.
  package var device: UInt64
  /// The number of the inode on the device.
  package var inode: UInt64
  /// The mount through which the file is reached; 0 if the kernel does not report it.
  package var mount: UInt64
  /// The file's length in bytes.
  package var size: Int64
  /// The bytes that the file takes on its file system; less than ``size`` when it has holes, or is
  /// compressed. Nil when the kernel has not reported it.
  package var allocated: Int64?
  /// The time of the last change of its content, in nanoseconds since 1970.
  package var modified: Int64
  /// The time of the last change of its status, in nanoseconds since 1970. A program cannot set it.
  package var changed: Int64
  /// The number of hard links.
  package var linkCount: UInt32

  /// Makes a status that the kernel has not reported: for a missing file, or in a test.
  package init(
    kind: Kind,
    device: UInt64 = 0,
    inode: UInt64 = 0,
    mount: UInt64 = 0,
    size: Int64 = 0,
    modified: Int64 = 0,
    changed: Int64 = 0,
    linkCount: UInt32 = 0
  ) {
    self.kind = kind
    self.device = device
    self.inode = inode
    self.mount = mount
    self.size = size
    self.modified = modified
    self.changed = changed
    self.linkCount = linkCount
  }

  /// Returns whether a mount lies between this and `other`.
  ///
  /// The device counts only where the kernel tells no mount: in an overlay each file may have the
  /// device of the layer that it comes from.
  package func isOnOtherMount(than other: FileStatus) -> Bool {
    mount == 0 || other.mount == 0 ? device != other.device : mount != other.mount
  }

  /// The bytes of the content that are stored, without holes; at most ``size``.
  package var storedBytes: Int64 { min(size, allocated ?? size) }

  /// Returns whether both are the status of one file or folder, whatever its name.
  package func isSameInode(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }

  /// Returns whether both are of the same content of one file, as far as the kernel tells.
  package func isSameContent(as other: FileStatus) -> Bool {
    isSameInode(as: other) && size == other.size && modified == other.modified
      && changed == other.changed
  }

  init(_ raw: cfs_file_status) {
    switch raw.mode & UInt32(S_IFMT) {
    case UInt32(S_IFREG): kind = .regular
    case UInt32(S_IFDIR): kind = .folder
    case UInt32(S_IFLNK): kind = .symbolicLink
    default: kind = .other
    }
    device = raw.device
    inode = raw.inode
    mount = raw.mount
    size = raw.size
    allocated = raw.allocated
    modified = raw.modified_ns
    changed = raw.changed_ns
    linkCount = raw.links
  }
}
