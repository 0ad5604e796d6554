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

  deinit {
    if let address = bytes.baseAddress {
      munmap(UnsafeMutableRawPointer(mutating: address), bytes.count)
    }
    close(descriptor)
  }
}
