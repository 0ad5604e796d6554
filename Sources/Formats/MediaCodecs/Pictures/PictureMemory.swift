internal import Glibc

/// Memory for the content of a picture, given back when the last use of it ends.
final class PictureMemory {
  /// The size of a large page. Source: Linux, Documentation/admin-guide/mm/transhuge.rst (x86-64).
  private static let largePage = 2 << 20

  let bytes: UnsafeMutableRawBufferPointer

  /// Allocates `count` bytes, which hold anything; nil when the process may not have that much.
  init?(_ count: Int) {
    var memory: UnsafeMutableRawPointer?
    let isLarge = count >= Self.largePage
    guard posix_memalign(&memory, isLarge ? Self.largePage : 64, max(count, 1)) == 0, let memory
    else { return nil }
    // Each small page costs as much time as inflating half of its content.
    if isLarge { madvise(memory, count / Self.largePage * Self.largePage, MADV_HUGEPAGE) }
    bytes = UnsafeMutableRawBufferPointer(start: memory, count: count)
  }

  deinit { free(bytes.baseAddress) }
}
