/// A blurred picture in 17 to 25 bytes, which a page shows until the thumbnail itself is there.
///
/// Its bytes are the average color and the strongest waves of brightness, color and opacity; its aspect
/// ratio is approximate.
///
/// Source: ThumbHash (evanw.github.io/thumbhash), as its reference implementation writes it.
package struct ThumbHash: Sendable, Hashable, Codable {
  package let bytes: [UInt8]

  /// Creates a hash of bytes that are one; nil for other bytes, such as those of another length than their
  /// header states.
  package init?(bytes: [UInt8]) {
    guard bytes.count >= 5 else { return nil }
    let hasAlpha = bytes[2] & 0x80 != 0
    let isLandscape = bytes[4] & 0x80 != 0
    let longSide = hasAlpha ? 5 : 7
    let shortSide = Int(bytes[3] & 7)
    guard (1...longSide).contains(shortSide) else { return nil }
    let size = isLandscape ? (longSide, shortSide) : (shortSide, longSide)
    guard bytes.count == Self.byteCount(columns: size.0, rows: size.1, hasAlpha: hasAlpha) else {
      return nil
    }
    self.bytes = bytes
  }

  /// The number of bytes of a hash whose brightness has so many waves across and down, 1 to 7 each.
  package static func byteCount(columns: Int, rows: Int, hasAlpha: Bool) -> Int {
    let brightness = waveCount(columns: max(3, columns), rows: max(3, rows)) - 1
    let color = waveCount(columns: 3, rows: 3) - 1
    let opacity = hasAlpha ? waveCount(columns: 5, rows: 5) - 1 : 0
    return (hasAlpha ? 6 : 5) + (brightness + 2 * color + opacity + 1) / 2
  }

  /// The number of waves in the corner of low frequencies, the constant one among them.
  private static func waveCount(columns: Int, rows: Int) -> Int {
    (0..<rows).reduce(0) { $0 + columnCount(inRow: $1, columns: columns, rows: rows) }
  }

  /// The number of columns of the corner in one of its rows.
  package static func columnCount(inRow row: Int, columns: Int, rows: Int) -> Int {
    (columns * (rows - row) + rows - 1) / rows
  }
}
