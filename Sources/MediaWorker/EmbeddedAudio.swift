internal import Glibc

/// Sound wherever it lies in a file: a motion photo's, a sequence's, that of a movie behind a movie.
enum EmbeddedAudio {
  /// How many handler boxes of sound tracks there are anywhere in the file, whatever holds them.
  ///
  /// Source: ISO/IEC 14496-12 section 8.4.3, hdlr: the handler type stands 12 bytes behind the box's
  /// type.
  static func trackCount(in bytes: UnsafeRawBufferPointer) -> Int {
    var count = 0
    let handler = Array("hdlr".utf8)
    guard var candidate = bytes.baseAddress else { return 0 }
    let end = candidate + bytes.count
    while end - candidate >= 16, let found = memchr(candidate, Int32(handler[0]), end - candidate - 15) {
      candidate = UnsafeRawPointer(found)
      if memcmp(candidate, handler, 4) == 0, memcmp(candidate + 12, "soun", 4) == 0 { count += 1 }
      candidate += 1
    }
    return count
  }
}
