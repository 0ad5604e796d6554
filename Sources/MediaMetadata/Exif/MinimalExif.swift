/// An Exif block that says how a picture is to be turned, and nothing else.
///
/// Source: TIFF 6.0 section 2; Exif 2.32 table 3.
enum MinimalExif {
  /// Big-endian, one directory, one entry: Orientation (0x0112), SHORT, 1 value. 26 bytes.
  static func block(orientation: Int) -> [UInt8] {
    [0x4D, 0x4D, 0x00, 0x2A, 0, 0, 0, 8]
      + [0, 1]
      + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(truncatingIfNeeded: orientation), 0, 0]
      + [0, 0, 0, 0]
  }

  /// Whether `block` is one of those that ``block(orientation:)`` makes.
  static func isMinimal(_ bytes: [UInt8]) -> Bool {
    (2...8).contains { block(orientation: $0) == bytes }
  }
}
