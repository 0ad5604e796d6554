internal import Glibc
internal import MediaFileSystem

/// The bytes of one audit file, read a piece at a time, since a file may have a million records.
package protocol AuditBytes {
  /// In bytes, taken once, so that a run that appends meanwhile changes nothing.
  var size: Int { get }

  /// Fills the buffer from an offset; fewer bytes than it holds only at the end of the file.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AuditError) -> Int
}

/// An audit file that is in memory.
package struct MemoryAuditBytes: AuditBytes, Sendable {
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  package var size: Int { bytes.count }

  package func read(
    at offset: Int,
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(AuditError) -> Int {
    guard offset >= 0, offset < bytes.count else { return 0 }
    let count = min(buffer.count, bytes.count - offset)
    bytes.withUnsafeBytes { source in
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[offset..<(offset + count)]))
    }
    return count
  }
}

/// An audit file behind a descriptor, which is closed with the last reference.
final class DescriptorAuditBytes: AuditBytes {
  let size: Int
  private let descriptor: Int32
  private let file: String

  /// Opens a regular file in a folder; a symlink, a FIFO or a device is not one.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`.
  init(folder: Int32, file: String) throws(AuditError) {
    self.file = file
    descriptor = openat(folder, file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG
    else {
      size = 0
      throw AuditError(.cannotRead, file: file, errorNumber: descriptor < 0 ? errno : EINVAL)
    }
    size = Int(status.st_size)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  func read(
    at offset: Int,
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(AuditError) -> Int {
    let wanted = min(buffer.count, max(0, size - offset))
    var filled = 0
    var interruptions = Interruptions()
    while filled < wanted {
      let count = pread(
        descriptor,
        buffer.baseAddress.map { $0 + filled },
        wanted - filled,
        off_t(offset + filled)
      )
      if count < 0, errno == EINTR, interruptions.mayRetry() { continue }
      guard count >= 0 else { throw AuditError(.cannotRead, file: file, errorNumber: errno) }
      if count == 0 { break }
      filled += count
    }
    return filled
  }
}
