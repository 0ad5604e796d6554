internal import Glibc

/// Whether a picture carries a movie with sound: a motion photo, an animation with a sound track.
enum EmbeddedSound {
  /// Looks for the handler box of a sound track anywhere in the file, whatever holds it.
  ///
  /// Source: ISO/IEC 14496-12 section 8.4.3, hdlr: the handler type stands 12 bytes behind the box's
  /// type.
  static func isThere(in bytes: UnsafeRawBufferPointer) -> Bool {
    let handler = Array("hdlr".utf8)
    guard var place = bytes.baseAddress else { return false }
    let end = place + bytes.count
    while end - place >= 16, let found = memchr(place, Int32(handler[0]), end - place - 15) {
      place = UnsafeRawPointer(found)
      if memcmp(place, handler, 4) == 0, memcmp(place + 12, "soun", 4) == 0 { return true }
      place += 1
    }
    return false
  }
}
