internal import Glibc

/// The memory that a worker is still allowed to have.
///
/// An array that cannot be allocated ends the process, so what takes much is asked for before.
enum AvailableMemory {
  /// - Throws: `overLimit` when so many bytes cannot be had now.
  ///
  /// Source: mmap(2); setrlimit(2), RLIMIT_DATA. The compiler leaves out a malloc that is freed at once.
  static func require(_ byteCount: Int) throws(ImagingError) {
    let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory, memory != MAP_FAILED else {
      throw ImagingError(
        .overLimit,
        "memory: \(byteCount >> 20) MiB more are needed than a worker may have"
      )
    }
    munmap(memory, byteCount)
  }
}
