/// An Exif block that holds the orientation of a picture and nothing else.
///
/// Source: TIFF 6.0 section 2; Exif 2.32 table 3.
enum MinimalExif {
  /// Returns 26 big-endian bytes: one directory with one entry, Orientation (0x0112), SHORT, 1
  /// value.
  static func block(orientation: Int) -> [UInt8] {
    [0x4D, 0x4D, 0x00, 0x2A, 0, 0, 0, 8]
      + [0, 1]
      + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(truncatingIfNeeded: orientation), 0, 0]
      + [0, 0, 0, 0]
  }
}
