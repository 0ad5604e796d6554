/// Writes boxes.
///
/// Source: ISO/IEC 14496-12 section 4.2.
package enum ISOWriter {
  /// Returns a box with the given body.
  package static func box(_ type: FourCharacterCode, _ body: [UInt8]) -> [UInt8] {
    (8 + body.count).bytes(4) + type.bytes + body
  }

  /// Returns a box with a version and flags.
  package static func full(
    _ type: FourCharacterCode,
    version: UInt8 = 0,
    flags: Int = 0,
    _ body: [UInt8]
  ) -> [UInt8] {
    box(type, (Int(version) << 24 | flags).bytes(4) + body)
  }

  /// Returns a handler box without a name, for pictures or the alpha plane of a track.
  package static func handler(_ type: FourCharacterCode) -> [UInt8] {
    full("hdlr", 0.bytes(4) + type.bytes + [UInt8](repeating: 0, count: 13))
  }
}
