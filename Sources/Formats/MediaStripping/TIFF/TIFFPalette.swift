import MediaContainers

private typealias Tag = TIFFTag

/// The palette of a TIFF: the red parts of all colors, then the green and the blue ones, of two bytes
/// each.
///
/// Source: TIFF 6.0, ColorMap.
enum TIFFPalette {
  /// Returns a palette in which the colors that no pixel uses are zero.
  ///
  /// One of compressed pixels, of pixels with further samples or of more than 8 bits, and of pixels
  /// whose bits stand in reverse, stays as it is.
  ///
  /// - Parameters:
  ///   - palette: The value of the tag.
  ///   - numbers: The numbers of the page's tags.
  ///   - pieces: The strips or tiles, without bytes behind their rows.
  ///   - source: The file.
  /// - Returns: The palette, as long as before.
  /// - Throws: `damaged` when the pixels end early.
  static func plain(
    _ palette: [UInt8],
    _ numbers: [Int: [Int]],
    pieces: [Range<Int>],
    of source: ByteSource
  ) throws(MetadataError) -> [UInt8] {
    let bits = numbers[Tag.bitsPerSample]?.first ?? 1
    guard [1, 2, 4, 8].contains(bits), palette.count == 6 << bits,
      numbers[Tag.compression]?.first ?? 1 == 1, numbers[Tag.samplesPerPixel]?.first ?? 1 == 1,
      bits == 8 || numbers[Tag.fillOrder]?.first ?? 1 == 1
    else { return palette }
    var values = [Bool](repeating: false, count: 256)
    for piece in pieces {
      var position = piece.lowerBound
      while position < piece.upperBound {
        let wanted = piece.upperBound - position
        let count = source.withRun(from: position) { run in
          for byte in run.prefix(wanted) { values[Int(byte)] = true }
          return min(wanted, run.count)
        }
        guard count > 0 else { throw MetadataError(.damaged, "pixels that end early") }
        position += count
      }
    }
    // Bits behind the last pixel of a row count as pixels: they are copied, too.
    var used = [Bool](repeating: false, count: 1 << bits)
    for byte in values.indices where values[byte] {
      for shift in stride(from: 0, to: 8, by: bits) { used[byte >> shift & (1 << bits - 1)] = true }
    }
    var plain = palette
    for index in used.indices where !used[index] {
      for part in 0..<3 {
        let offset = 2 * (part << bits + index)
        (plain[offset], plain[offset + 1]) = (0, 0)
      }
    }
    return plain
  }
}
