/// A Huffman table of a baseline JPEG, optimized for reading few coefficients and skipping the
/// rest.
///
/// Source: ITU-T T.81 annex C (codes), annex F.2.2 (decoding).
struct HuffmanTable {
  /// The number of bits that one lookup of the skipping table uses.
  static let stepBits = 13

  /// Indexed by the next 16 bits: the code's length in bits, times 256, plus its symbol; 0 is no
  /// code.
  let symbols: UnsafeMutablePointer<UInt16>
  /// Indexed by the next ``stepBits`` bits, for as many whole AC coefficients as fit: the bits they
  /// take in all (8 bits), the number of coefficients they advance in the block (8 bits), whether
  /// the last one ends the block (1 bit); 0 if not even one fits.
  let steps: UnsafeMutablePointer<UInt32>

  /// Indexed by the next ``stepBits`` bits, for one whole AC coefficient: the bits it takes in all
  /// (5 bits), the number of coefficients it advances in the block (5 bits), whether it is the end
  /// of the block (1 bit), and from bit 16 on its value; 0 if it does not fit.
  let coefficients: UnsafeMutablePointer<Int32>

  static func allocate() -> HuffmanTable {
    HuffmanTable(
      symbols: .allocate(capacity: 1 << 16),
      steps: .allocate(capacity: 1 << stepBits),
      coefficients: .allocate(capacity: 1 << stepBits)
    )
  }

  func deallocate() {
    symbols.deallocate()
    steps.deallocate()
    coefficients.deallocate()
  }

  /// Fills the table.
  ///
  /// - Parameters:
  ///   - counts: The number of codes of 1, 2, … 16 bits.
  ///   - values: The symbols, shortest code first.
  ///   - isAC: Whether a symbol is a run and a size, instead of a size alone.
  /// - Returns: Whether the table is valid, such that a decoder accepts it without a warning.
  func fill(counts: [Int], values: [UInt8], isAC: Bool) -> Bool {
    guard counts.count == 16, counts.reduce(0, +) == values.count, values.count <= 256 else {
      return false
    }
    symbols.update(repeating: 0, count: 1 << 16)
    var (code, next) = (0, 0)
    for length in 1...16 {
      for _ in 0..<counts[length - 1] {
        // A code of all ones is not allowed, and a table with too many codes for their lengths is
        // invalid.
        guard code < (1 << length) - 1 else { return false }
        guard isAC || values[next] <= 11 else { return false }
        let entry = UInt16(length) << 8 | UInt16(values[next])
        (symbols + code << (16 - length)).update(repeating: entry, count: 1 << (16 - length))
        code += 1
        next += 1
      }
      code <<= 1
    }
    if isAC { fillSteps() }
    return true
  }

  private func fillSteps() {
    for index in 0..<(1 << Self.stepBits) {
      coefficients[index] = coefficient(at: index)
      var (used, advance, isEnd) = (0, 0, false)
      while !isEnd {
        let entry = Int(symbols[index << (16 - Self.stepBits + used) & 0xFFFF])
        let (run, size) = (entry >> 4 & 15, entry & 15)
        let length = entry >> 8 + size
        guard entry != 0, used + length <= Self.stepBits else { break }
        used += length
        if size == 0, run != 15 {
          isEnd = true
        } else {
          advance += run + 1
        }
      }
      steps[index] = UInt32(used | advance << 8) | (isEnd ? 1 << 16 : 0)
    }
  }

  private func coefficient(at index: Int) -> Int32 {
    let entry = Int(symbols[index << (16 - Self.stepBits)])
    let (run, size) = (entry >> 4 & 15, entry & 15)
    let length = entry >> 8 + size
    guard entry != 0, length <= Self.stepBits else { return 0 }
    if size == 0 { return Int32(length | (run == 15 ? 16 << 5 : 1 << 10)) }
    let bits = index >> (Self.stepBits - length) & (1 << size - 1)
    let value = bits < 1 << (size - 1) ? bits - 1 << size + 1 : bits
    return Int32(truncatingIfNeeded: value << 16 | (run + 1) << 5 | length)
  }
}
