internal import Glibc

/// The bytes of a source file, mapped for reading. Its deinitialization unmaps them and closes the
/// descriptor.
///
/// A file that is truncated while it is mapped ends the process with SIGBUS; the coordinator
/// retries the item with a new worker.
///
/// Source: mmap(2).
struct MappedFile: ~Copyable {
  let bytes: UnsafeRawBufferPointer
  private let descriptor: Int32

  /// Takes ownership of the descriptor.
  ///
  /// - Returns: Nil when it cannot be mapped; the descriptor is closed then.
  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size >= 0 else {
      close(descriptor)
      return nil
    }
    let length = Int(status.st_size)
    if length == 0 {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    } else {
      guard let address = mmap(nil, length, PROT_READ, MAP_PRIVATE, descriptor, 0),
        address != MAP_FAILED
      else {
        close(descriptor)
        return nil
      }
      madvise(address, length, MADV_SEQUENTIAL)
      bytes = UnsafeRawBufferPointer(start: address, count: length)
    }
    self.descriptor = descriptor
  }

  /// Calls `body` with the content, a piece after the other.
  ///
  /// A hole is given as zeros of another place, and the pages of a piece that is done are given back,
  /// so that no more than a window of a long file is in memory. Source: lseek(2), SEEK_DATA;
  /// madvise(2), MADV_DONTNEED.
  borrowing func forEachPiece(_ body: (UnsafeRawBufferPointer) -> Void) {
    guard let base = bytes.baseAddress, bytes.count > Self.window else { return body(bytes) }
    let zeros = [UInt8](repeating: 0, count: 1 << 16)
    var offset = 0
    while offset < bytes.count {
      let data = Int(lseek(descriptor, off_t(offset), seekData))
      var hole = (data < 0 ? (errno == ENXIO ? bytes.count : offset) : data) - offset
      while hole > 0 {
        let count = min(hole, zeros.count)
        zeros.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        hole -= count
        offset += count
      }
      guard offset < bytes.count else { return }
      let next = Int(lseek(descriptor, off_t(offset), seekHole))
      let end = min(next < 0 ? bytes.count : next, bytes.count, offset + Self.window)
      body(UnsafeRawBufferPointer(rebasing: bytes[offset..<end]))
      // Whole pages only; a page that is given back by mistake is read again.
      let first = offset & ~4095
      madvise(UnsafeMutableRawPointer(mutating: base + first), end - first, MADV_DONTNEED)
      offset = end
    }
  }

  /// The bytes of a file that are in memory at a time.
  private static let window = 64 << 20

  deinit {
    if let address = bytes.baseAddress {
      munmap(UnsafeMutableRawPointer(mutating: address), bytes.count)
    }
    close(descriptor)
  }
}

// SEEK_DATA and SEEK_HOLE, which Swift does not import. Source: linux/fs.h.
private let seekData: Int32 = 3
private let seekHole: Int32 = 4
