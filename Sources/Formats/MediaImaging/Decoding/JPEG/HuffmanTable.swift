/// A Huffman table of a JPEG, optimized for reading few coefficients and skipping the
/// rest.
///
/// Lookups of an eighth of a picture are indexed by so few bits that the tables of all components
/// stay in the processor's first cache together.
///
/// Source: ITU-T T.81 annex C (codes), annex F.2.2 (decoding).
final class HuffmanTable {
  /// The number of bits that one lookup of the skipping table uses.
  static let stepBits = 13
  /// The number of bits that one lookup of a difference uses.
  static let differenceBits = 12

  /// Indexed by the next 16 bits: the code's length in bits, times 256, plus its symbol; 0 is no
  /// code.
  let symbols = UnsafeMutablePointer<UInt16>.allocate(capacity: 1 << 16)
  /// Indexed by the next ``stepBits`` bits, for as many whole AC coefficients as fit.
  let steps = UnsafeMutablePointer<Step>.allocate(capacity: 1 << stepBits)
  /// Indexed by the next ``stepBits`` bits, for one whole AC coefficient: the bits it takes in all
  /// (5 bits), the number of coefficients it advances in the block (5 bits), whether it is the end
  /// of the block (1 bit), and from bit 16 on its value; 0 if it does not fit.
  let coefficients = UnsafeMutablePointer<Int32>.allocate(capacity: 1 << stepBits)
  /// Indexed by the next ``differenceBits`` bits, for a whole DC difference: the bits it takes in
  /// all (4 bits), and its value; 0 if it does not fit.
  let differences = UnsafeMutablePointer<Int16>.allocate(capacity: 1 << differenceBits)

  /// The codes that the table holds: pictures of one camera often have the same tables.
  private var content: (counts: [Int], values: [UInt8], isAC: Bool)?

  deinit {
    symbols.deallocate()
    steps.deallocate()
    coefficients.deallocate()
    differences.deallocate()
  }

  /// Fills the table.
  ///
  /// - Parameters:
  ///   - counts: The number of codes of 1, 2, … 16 bits.
  ///   - values: The symbols, shortest code first.
  ///   - isAC: Whether a symbol is a run and a size, instead of a size alone.
  /// - Returns: Whether the table is valid, such that a decoder accepts it without a warning.
  func fill(counts: [Int], values: [UInt8], isAC: Bool) -> Bool {
    if let content, content == (counts, values, isAC) { return true }
    content = nil
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
    if isAC {
      for index in 0..<(1 << Self.stepBits) {
        coefficients[index] = coefficient(at: index)
        steps[index] = step(at: index)
      }
    } else {
      for index in 0..<(1 << Self.differenceBits) { differences[index] = difference(at: index) }
    }
    content = (counts, values, isAC)
    return true
  }

  private func step(at index: Int) -> Step {
    var (used, advance) = (0, 0)
    while true {
      let entry = Int(symbols[index << (16 - Self.stepBits + used) & 0xFFFF])
      let (run, size) = (entry >> 4 & 15, entry & 15)
      let length = entry >> 8 + size
      guard entry != 0, used + length <= Self.stepBits else { break }
      used += length
      if size == 0, run != 15 { return Step(bitCount: used, advance: advance, isEnd: true) }
      advance += run + 1
    }
    return used == 0 ? .none : Step(bitCount: used, advance: advance, isEnd: false)
  }

  private func coefficient(at index: Int) -> Int32 {
    let entry = Int(symbols[index << (16 - Self.stepBits)])
    let (run, size) = (entry >> 4 & 15, entry & 15)
    let length = entry >> 8 + size
    guard entry != 0, length <= Self.stepBits else { return 0 }
    if size == 0 { return Int32(length | (run == 15 ? 16 << 5 : 1 << 10)) }
    let value = Self.value(of: index >> (Self.stepBits - length) & (1 << size - 1), size: size)
    return value << 16 | Int32((run + 1) << 5 | length)
  }

  private func difference(at index: Int) -> Int16 {
    let entry = Int(symbols[index << (16 - Self.differenceBits)])
    let (size, length) = (entry & 15, entry >> 8 + entry & 15)
    guard entry != 0, length <= Self.differenceBits else { return 0 }
    let value = Self.value(of: index >> (Self.differenceBits - length) & (1 << size - 1), size: size)
    return Int16(truncatingIfNeeded: value << 4 | Int32(length))
  }

  /// Returns the value that `size` bits stand for.
  ///
  /// Source: ITU-T T.81 figure F.12 (EXTEND).
  @inline(__always)
  static func value(of bits: Int, size: Int) -> Int32 {
    if size == 0 { return 0 }
    let bits = Int32(truncatingIfNeeded: bits)
    let half = Int32(1) &<< Int32(truncatingIfNeeded: size &- 1)
    return bits < half ? bits &- (half &<< 1) &+ 1 : bits
  }
}

extension HuffmanTable {
  /// The AC coefficients that are skipped at once, in 16 bits: the number of bits they take
  /// (6 bits), whether the last one ends the block (1 bit), the number of coefficients they
  /// advance in the block, at most 64 (from bit 8 on), and whether no more of the block can be
  /// skipped after them (bit 15).
  struct Step {
    /// Not one coefficient fits.
    static let none = Step(entry: 1 << 15)

    private let entry: UInt16

    private init(entry: UInt16) { self.entry = entry }

    fileprivate init(bitCount: Int, advance: Int, isEnd: Bool) {
      let entry = bitCount | min(advance, 64) << 8 | (isEnd ? 1 << 6 | 1 << 15 : 0)
      self.entry = UInt16(truncatingIfNeeded: entry)
    }

    @inline(__always) var bitCount: Int { Int(entry & 63) }
    @inline(__always) var isEnd: Bool { entry & 1 << 6 != 0 }
    /// The number of coefficients, at least 128 where something else follows: no block has as many,
    /// so that one comparison finds both.
    @inline(__always) var advance: Int { Int(entry &>> 8) }
    /// The number of coefficients that the step skips, in any case.
    @inline(__always) var skipped: Int { Int(entry &>> 8 & 127) }
  }
}
