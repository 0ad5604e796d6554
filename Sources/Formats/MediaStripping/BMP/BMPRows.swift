import MediaContainers

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
      guard let clean = header.cleanPadding(padding, of: source) else { continue }
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
}
