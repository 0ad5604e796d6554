import MediaContainers
import MediaEditing

/// Copies the rows of a BMP and clears the bytes that pad each row to a multiple of four.
enum BMPRows {
  /// The length in bytes below which a row is written anew with its padding, so that it takes one
  /// operation.
  private static let shortRow = 256

  /// Appends the pixels; padding becomes zero, as do the unused bits of a row's last byte.
  ///
  /// - Throws: `overLimit` when too many rows would have to be written anew.
  static func append(
    _ header: BMPHeader,
    of source: ByteSource,
    to builder: inout EditListBuilder
  ) throws(MetadataError) {
    guard !header.isRunLength else { return try builder.copy(header.pixels) }
    let firstPadding = header.width * header.bitCount / 8
    guard firstPadding < header.rowLength else { return try builder.copy(header.pixels) }
    var copied = header.pixels.lowerBound
    var cleaned = 0
    for row in 0..<header.height {
      let start = header.pixels.lowerBound + row * header.rowLength
      let padding = (start + firstPadding)..<(start + header.rowLength)
      guard let clean = cleanPadding(padding, header: header, of: source) else { continue }
      cleaned += 1
      let isShort = header.rowLength < shortRow
      let kept = isShort ? max(copied, start) : padding.lowerBound
      try builder.copy(copied..<kept)
      if isShort, let pixels = source.bytes(in: kept..<padding.lowerBound, limit: shortRow) {
        try builder.literal(pixels)
      }
      try builder.literal(clean)
      copied = padding.upperBound
    }
    try builder.copy(copied..<header.pixels.upperBound)
    if cleaned > 0 { builder.remove("bytes behind a row", count: cleaned) }
  }

  /// Returns the cleared end of a row, or nil if only zeros follow its pixels.
  static func cleanPadding(
    _ padding: Range<Int>,
    header: BMPHeader,
    of source: ByteSource
  ) -> [UInt8]? {
    guard let value = source.unsigned(at: padding.lowerBound, count: padding.count) else {
      return nil
    }
    let usedBits = header.width * header.bitCount % 8
    let allBits = 8 * padding.count
    let mask: UInt64 = usedBits == 0 ? 0 : (1 << UInt64(usedBits) - 1) << UInt64(allBits - usedBits)
    guard value & ~mask != 0 else { return nil }
    return (value & mask).bytes(padding.count)
  }

  /// Returns which colors of the palette any pixel uses; all of them for run-length encoding, which
  /// may leave pixels out.
  static func usedColors(
    _ header: BMPHeader,
    of source: ByteSource
  ) throws(MetadataError) -> [Bool] {
    guard header.bitCount <= 8, !header.isRunLength else {
      return [Bool](repeating: true, count: 256)
    }
    var values = [Bool](repeating: false, count: 256)
    for row in 0..<header.height {
      let start = header.pixels.lowerBound + row * header.rowLength
      var position = start
      let end = start + header.width * header.bitCount / 8
      while position < end {
        let wanted = end - position
        let count = source.withRun(from: position) { run in
          for byte in run.prefix(wanted) { values[Int(byte)] = true }
          return min(wanted, run.count)
        }
        guard count > 0 else { throw MetadataError(.damaged, "pixels that end early") }
        position += count
      }
      // The unused bits of the last byte become zero, so the color with that index counts as used.
      let usedBits = header.width * header.bitCount % 8
      if usedBits > 0, let last = source.uint8(at: end) {
        values[last & ~(0xFF >> usedBits)] = true
      }
    }
    guard header.bitCount < 8 else { return values }
    var used = [Bool](repeating: false, count: 256)
    let mask = 1 << header.bitCount - 1
    for byte in values.indices where values[byte] {
      for shift in stride(from: 0, to: 8, by: header.bitCount) { used[byte >> shift & mask] = true }
    }
    return used
  }
}
