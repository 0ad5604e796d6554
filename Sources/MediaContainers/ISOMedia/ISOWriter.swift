/// Writes boxes and the numbers in them.
///
/// Source: ISO/IEC 14496-12 section 4.2.
package enum ISOWriter {
  /// Returns a box with the given body.
  package static func box(_ type: FourCharacterCode, _ body: [UInt8]) -> [UInt8] {
    uint32(8 + body.count) + type.bytes + body
  }

  /// Returns a box with a version and flags.
  package static func full(
    _ type: FourCharacterCode,
    version: UInt8 = 0,
    flags: Int = 0,
    _ body: [UInt8]
  ) -> [UInt8] {
    box(type, uint32(Int(version) << 24 | flags) + body)
  }

  /// Returns a big-endian 16-bit number.
  package static func uint16(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }

  /// Returns a big-endian 32-bit number.
  package static func uint32(_ value: Int) -> [UInt8] {
    uint16(value >> 16) + uint16(value)
  }

  /// Returns a big-endian 64-bit number.
  package static func uint64(_ value: Int) -> [UInt8] {
    uint32(value >> 32) + uint32(value)
  }

  /// Returns a handler box without a name, for pictures or the alpha plane of a track.
  package static func handler(_ type: FourCharacterCode) -> [UInt8] {
    full("hdlr", uint32(0) + type.bytes + [UInt8](repeating: 0, count: 13))
  }
}
