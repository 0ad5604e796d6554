internal import MediaDigest
internal import MediaModel

/// The content identifier that the still and the movie of a stripped live photo share.
///
/// The camera's identifier is known to the phone's library and to every copy; a fresh one that
/// only this library can make connects still and movie and reveals nothing else.
package enum LivePhotoIdentifier {
  /// Returns the identifier, which is the same for still and movie and in every worker.
  ///
  /// - Parameters:
  ///   - original: The content identifier of the source file; compared as text, without case.
  ///   - key: A key of the library, 32 bytes.
  /// - Returns: The first 128 bits of HMAC-SHA256 as a UUID of version 8, in upper case.
  ///
  /// Source: RFC 2104; RFC 9562 section 5.8.
  package static func fresh(original: String, key: [UInt8]) -> String {
    let message = Array(original.uppercased().utf8)
    var bytes = Array(SHA256.authenticationCode(for: message, key: key).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    var text: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append(UInt8.hyphen) }
      text.append(digit(byte >> 4))
      text.append(digit(byte & 0x0F))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns whether `text` has the form of a result of ``fresh(original:key:)``.
  package static func isFresh(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 36, bytes[14] == UInt8(ascii: "8"), "89AB".utf8.contains(bytes[19]) else {
      return false
    }
    for (index, byte) in bytes.enumerated() {
      let isHyphen = [8, 13, 18, 23].contains(index)
      guard isHyphen ? byte == .hyphen : "0123456789ABCDEF".utf8.contains(byte) else {
        return false
      }
    }
    return true
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
