internal import Glibc

/// Finds audio at any offset of a file: in a motion photo, an image sequence, or a movie after
/// another movie.
enum EmbeddedAudio {
  /// Counts the handler boxes of audio tracks anywhere in the file, whatever contains them.
  ///
  /// Source: ISO/IEC 14496-12 section 8.4.3, hdlr: the handler type follows 12 bytes after the
  /// box's type.
  static func trackCount(in bytes: UnsafeRawBufferPointer) -> Int {
    var count = 0
    let handler = Array("hdlr".utf8)
    guard var next = bytes.baseAddress else { return 0 }
    let end = next + bytes.count
    while end - next >= 16, let match = memchr(next, Int32(handler[0]), end - next - 15) {
      next = UnsafeRawPointer(match)
      if memcmp(next, handler, 4) == 0, memcmp(next + 12, "soun", 4) == 0 { count += 1 }
      next += 1
    }
    return count
  }
}
