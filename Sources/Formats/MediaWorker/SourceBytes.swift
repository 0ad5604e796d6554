internal import Glibc

/// The bytes of a source file: those of a small one are read, those of another one mapped. Its deinitialization gives
/// them up and closes the descriptor.
///
/// A file that is truncated while it is mapped ends the process with SIGBUS; the coordinator
/// retries the item with a new worker.
///
/// Source: mmap(2), pread(2).
struct SourceBytes: ~Copyable {
  let bytes: UnsafeRawBufferPointer
  private let descriptor: Int32
  private let isMapped: Bool

  /// The bytes up to which a file is read: mapping it would take three calls more, and a fault for each page.
  static let longestRead = 1 << 16

  /// Takes ownership of the descriptor.
  ///
  /// - Returns: Nil when it cannot be read or mapped; the descriptor is closed then.
  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size >= 0 else {
      close(descriptor)
      return nil
    }
    let length = Int(status.st_size)
    let isMapped = length > Self.longestRead
    if length == 0 {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    } else if !isMapped {
      guard let content = Self.read(length, from: descriptor) else {
        close(descriptor)
        return nil
      }
      bytes = content
    } else {
      guard let address = mmap(nil, length, PROT_READ, MAP_PRIVATE, descriptor, 0),
        address != MAP_FAILED
      else {
        close(descriptor)
        return nil
      }
      madvise(address, length, MADV_SEQUENTIAL)
      let stored = Int(status.st_blocks) * 512
      guard
        length - stored < Self.shortestHole
          || Self.coverHoles(of: descriptor, at: address, length)
      else {
        munmap(address, length)
        close(descriptor)
        return nil
      }
      bytes = UnsafeRawBufferPointer(start: address, count: length)
    }
    self.descriptor = descriptor
    self.isMapped = isMapped
  }

  /// Reads the first `length` bytes, or those that are there.
  ///
  /// - Returns: Memory that is to be freed; nil when the file cannot be read.
  private static func read(_ length: Int, from descriptor: Int32) -> UnsafeRawBufferPointer? {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 16)
    var done = 0
    while done < length {
      let count = pread(descriptor, buffer.baseAddress?.advanced(by: done), length - done, off_t(done))
      if count == 0 { break }
      if count > 0 {
        done += count
      } else if errno != EINTR {
        buffer.deallocate()
        return nil
      }
    }
    return UnsafeRawBufferPointer(start: buffer.baseAddress, count: done)
  }

  /// Calls `body` with the content, a piece after the other.
  ///
  /// The pages of a piece that is done are given back, so that no more than a window of a long file is
  /// in memory. Source: madvise(2), MADV_DONTNEED.
  borrowing func forEachPiece(_ body: (UnsafeRawBufferPointer) -> Void) {
    guard let base = bytes.baseAddress, bytes.count > Self.window else { return body(bytes) }
    for offset in stride(from: 0, to: bytes.count, by: Self.window) {
      let piece = UnsafeRawBufferPointer(rebasing: bytes[offset...].prefix(Self.window))
      body(piece)
      madvise(UnsafeMutableRawPointer(mutating: base + offset), piece.count, MADV_DONTNEED)
    }
  }

  /// Maps zeros that take no memory over each long hole, since the kernel keeps a page in memory for
  /// each page of a hole that is read through the file.
  ///
  /// - Returns: False when a hole cannot be mapped; the mapping is to be undone then.
  /// - Source: lseek(2), SEEK_HOLE; mmap(2), MAP_ANONYMOUS.
  private static func coverHoles(
    of descriptor: Int32,
    at address: UnsafeMutableRawPointer,
    _ length: Int
  ) -> Bool {
    var offset = 0
    for _ in 0..<mostHoles where offset < length {
      let hole = Int(lseek(descriptor, off_t(offset), seekHole))
      guard hole >= 0, hole < length else { return true }
      let data = Int(lseek(descriptor, off_t(hole), seekData))
      guard data >= 0 || errno == ENXIO else { return true }
      offset = data < 0 ? length : data
      // Whole pages only: a page that holds data at either end stays the file's.
      let first = (hole + pageSize - 1) / pageSize * pageSize
      let last = offset == length ? length : offset / pageSize * pageSize
      guard last - first >= shortestHole else { continue }
      let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED
      guard mmap(address + first, last - first, PROT_READ, flags, -1, 0) != MAP_FAILED else {
        return false
      }
      madvise(address + first, last - first, MADV_HUGEPAGE)
    }
    return true
  }

  /// The bytes from which on a hole is mapped as zeros.
  private static let shortestHole = 1 << 20

  /// The holes of a file that are looked for: a process may have 65,530 mappings.
  private static let mostHoles = 10_000

  private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

  /// The bytes of a file that are in memory at a time.
  private static let window = 64 << 20

  deinit {
    if let address = UnsafeMutableRawPointer(mutating: bytes.baseAddress) {
      if isMapped { munmap(address, bytes.count) } else { address.deallocate() }
    }
    close(descriptor)
  }
}

// SEEK_DATA and SEEK_HOLE, which Swift does not import. Source: linux/fs.h.
private let seekData: Int32 = 3
private let seekHole: Int32 = 4
