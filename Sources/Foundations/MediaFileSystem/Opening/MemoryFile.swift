internal import CFileSystem
internal import Glibc

/// A file in memory alone, which one process fills and another one may read; what it held is lost with it.
///
/// The readable descriptor is a description of its own, by which no process can write. A process in which a filter of
/// system calls refuses memfd_create makes its files before it is confined.
package final class MemoryFile {
  /// Reads the file; it may be given to another process.
  package let readable: Descriptor
  /// Fills the file from its beginning; it may be given to another process.
  package let writable: Descriptor

  /// Makes an empty file.
  ///
  /// - Throws: ``FileSystemError``, also where /proc is missing. Source: memfd_create(2); proc(5), /proc/PID/fd.
  package init() throws(FileSystemError) {
    writable = try FileSystem.opened([], "create") { _ in cfs_memory_file() }
    let path = [UInt8]("/proc/self/fd/\(writable.raw)".utf8)
    // A process that has the readable descriptor cannot open the file anew for writing.
    guard fchmod(writable.raw, 0o400) == 0 else {
      throw FileSystemError(call: "chmod", path: path, errno: errno)
    }
    readable = try FileSystem.opened(path) { open($0, O_RDONLY | O_CLOEXEC) }
  }

  /// Adds bytes at the end.
  ///
  /// - Throws: ``FileSystemError``; some bytes may be written then. Beyond RLIMIT_FSIZE the process gets SIGXFSZ.
  package func append(_ bytes: [UInt8]) throws(FileSystemError) { try writable.write(bytes) }

  /// Removes all bytes, and gives their memory back; call it when no process reads the file any more.
  ///
  /// - Throws: ``FileSystemError``.
  package func clear() throws(FileSystemError) {
    try writable.setLength(0)
    try writable.seek(to: 0)
    try readable.seek(to: 0)
  }
}
