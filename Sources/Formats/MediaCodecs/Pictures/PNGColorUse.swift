package import MediaContainers

/// The colors of a palette that the pixels of a PNG use.
///
/// Source: PNG (3rd edition) sections 7.2 and 9.
package struct PNGColorUse {
  /// Whether each of 256 colors is used.
  package var isUsed = [Bool](repeating: false, count: 256)

  /// No color is used.
  package init() {}

  /// All colors count as used, where pixels cannot be read.
  static let all = {
    var use = PNGColorUse()
    use.isUsed = [Bool](repeating: true, count: 256)
    return use
  }()

  /// Reads the rows of a picture's passes, in which a pixel has 1 to 8 bits.
  ///
  /// - Parameters:
  ///   - passes: The passes in which the picture is stored.
  ///   - bitDepth: The bits of a pixel.
  ///   - next: Fills a row with its filter byte; false when it is missing.
  init(_ passes: [PNGPass], bitDepth: Int, next: (UnsafeMutableRawBufferPointer) -> Bool) {
    let length = passes.reduce(0) { max($0, $1.rowByteCount) } + 1
    guard let memory = PictureMemory(2 * length) else {
      self = .all
      return
    }
    // The bytes of whole groups of pixels; of the last byte of a row, only its first pixels count.
    var bytes = [Bool](repeating: false, count: 256)
    for pass in passes where pass.width > 0 {
      var above: UnsafePointer<UInt8>?
      for index in 0..<pass.height {
        let start = index % 2 * length
        let row = UnsafeMutableRawBufferPointer(
          rebasing: memory.bytes[start..<(start + pass.rowByteCount + 1)]
        )
        let samples = row.bindMemory(to: UInt8.self)
        guard next(row), let base = samples.baseAddress,
          PNGFilter.undo(base, above: above, count: pass.rowByteCount, step: 1)
        else {
          self = .all
          return
        }
        let lastBits = pass.width * bitDepth % 8
        for byte in samples.dropFirst().dropLast(lastBits > 0 ? 1 : 0) { bytes[Int(byte)] = true }
        if lastBits > 0 { mark(samples[pass.rowByteCount], bitDepth: bitDepth, bitCount: lastBits) }
        above = UnsafePointer(base + 1)
      }
    }
    for byte in 0..<256 where bytes[byte] {
      mark(UInt8(byte), bitDepth: bitDepth, bitCount: 8)
    }
  }

  /// Marks the pixels in the first bits of a byte.
  private mutating func mark(_ byte: UInt8, bitDepth: Int, bitCount: Int) {
    for end in stride(from: bitDepth, through: bitCount, by: bitDepth) {
      isUsed[Int(byte) >> (8 - end) & (1 << bitDepth - 1)] = true
    }
  }

  /// Marks the colors that `other` uses.
  mutating func add(_ other: PNGColorUse) {
    for index in isUsed.indices where other.isUsed[index] { isUsed[index] = true }
  }

  /// Returns the content of a palette's chunk without the colors that no pixel uses: in PLTE they are
  /// black, in tRNS opaque.
  ///
  /// - Throws: `damaged` when the chunk is longer than 256 colors.
  package func cleared(
    _ chunk: PNGChunk,
    of source: ByteSource
  ) throws(MetadataError) -> [UInt8] {
    let (width, value): (Int, UInt8) = chunk.type == "PLTE" ? (3, 0) : (1, 0xFF)
    guard chunk.data.count <= 256 * width,
      var bytes = source.bytes(in: chunk.data, limit: 256 * width)
    else { throw MetadataError(.damaged, "a palette of more than 256 colors") }
    for index in bytes.indices where !isUsed[index / width] { bytes[index] = value }
    return bytes
  }
}
