extension BMPHeader {
  /// Returns the cleared end of a row, or nil if only zeros follow its pixels.
  package func cleanPadding(_ padding: Range<Int>, of source: ByteSource) -> [UInt8]? {
    guard let value = source.unsigned(at: padding.lowerBound, count: padding.count) else {
      return nil
    }
    let usedBits = width * bitCount % 8
    let allBits = 8 * padding.count
    let mask: UInt64 = usedBits == 0 ? 0 : (1 << UInt64(usedBits) - 1) << UInt64(allBits - usedBits)
    guard value & ~mask != 0 else { return nil }
    return (value & mask).bytes(padding.count)
  }

  /// Returns which colors of the palette any pixel uses; all of them for run-length encoding, which
  /// may leave pixels out.
  ///
  /// - Throws: `damaged` when the pixels end early.
  package func usedColors(of source: ByteSource) throws(MetadataError) -> [Bool] {
    guard bitCount <= 8, !isRunLength else {
      return [Bool](repeating: true, count: 256)
    }
    var values = [Bool](repeating: false, count: 256)
    for row in 0..<height {
      let start = pixels.lowerBound + row * rowLength
      var position = start
      let end = start + width * bitCount / 8
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
      let usedBits = width * bitCount % 8
      if usedBits > 0, let last = source.uint8(at: end) {
        values[last & ~(0xFF >> usedBits)] = true
      }
    }
    guard bitCount < 8 else { return values }
    var used = [Bool](repeating: false, count: 256)
    let mask = 1 << bitCount - 1
    for byte in values.indices where values[byte] {
      for shift in stride(from: 0, to: 8, by: bitCount) { used[byte >> shift & mask] = true }
    }
    return used
  }
}
