import MediaTestSupport

/// Streams that unpack to more than a thousand times their own length.
enum Deflated {
  /// A zlib stream of one byte repeated: 1,032 bytes unpacked for each of its own.
  ///
  /// One block with a code of its own: a repetition of 258 bytes takes two bits, both 0.
  /// Source: RFC 1950, RFC 1951 section 3.2.7.
  static func zlib(repeating byte: UInt8, count: Int) -> [UInt8] {
    var bits = Bits()
    bits.put(0x78, count: 8)
    bits.put(0x01, count: 8)
    // The last block; codes of its own; 286 literal and length codes, 1 distance, 18 code lengths.
    bits.put(1, count: 1)
    bits.put(2, count: 2)
    bits.put(29, count: 5)
    bits.put(0, count: 5)
    bits.put(14, count: 4)
    // In the order 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1: a run of zeros has
    // the code 0, a length of 1 has 10, a length of 2 has 11.
    for length in [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2] {
      bits.put(length, count: 3)
    }
    bits.putZeros(Int(byte))
    bits.putCode([1, 1])
    bits.putZeros(255 - Int(byte))
    bits.putCode([1, 1])
    bits.putZeros(28)
    bits.putCode([1, 0])
    bits.putCode([1, 0])
    // The byte itself is 10, the end of the block 11, 258 more of it 0 and the distance 0.
    let repetitions = (count - 1) / 258
    for _ in 0..<(count - 258 * repetitions) { bits.putCode([1, 0]) }
    bits.putZeroBits(2 * repetitions)
    bits.putCode([1, 1])
    bits.align()
    let (low, high) = adler32(repeating: Int(byte), count: count)
    return bits.bytes
      + big(high, 2) + big(low, 2)
  }

  private static func adler32(repeating byte: Int, count: Int) -> (low: Int, high: Int) {
    // The sums of a constant: no loop over hundreds of millions.
    let low = (1 + count % 65_521 * byte) % 65_521
    let pairs = count % 2 == 0 ? (count / 2, count + 1) : (count, (count + 1) / 2)
    let triangle = pairs.0 % 65_521 * (pairs.1 % 65_521) % 65_521
    return (low, (count % 65_521 + triangle * byte) % 65_521)
  }
}

/// Bits as DEFLATE packs them: the first is the lowest of its byte.
private struct Bits {
  var bytes: [UInt8] = []
  private var used = 0

  mutating func put(_ value: Int, count: Int) {
    for shift in 0..<count { putBit(value >> shift & 1) }
  }

  /// A code of Huffman's, its first bit first.
  mutating func putCode(_ code: [Int]) {
    for bit in code { putBit(bit) }
  }

  /// Runs of 11 to 138 zeros: the code of a run, and seven bits of its length.
  mutating func putZeros(_ count: Int) {
    var left = count
    while left > 0 {
      // No rest that is shorter than a run can be.
      let run = left > 138 && left < 149 ? 100 : min(left, 138)
      putCode([0])
      put(run - 11, count: 7)
      left -= run
    }
  }

  mutating func putZeroBits(_ count: Int) {
    var left = count
    while left > 0, used % 8 != 0 {
      putBit(0)
      left -= 1
    }
    bytes += [UInt8](repeating: 0, count: left / 8)
    used += left / 8 * 8
    for _ in 0..<(left % 8) { putBit(0) }
  }

  mutating func align() { used = bytes.count * 8 }

  private mutating func putBit(_ bit: Int) {
    if used % 8 == 0 { bytes.append(0) }
    bytes[bytes.count - 1] |= UInt8(bit) << (used % 8)
    used += 1
  }
}
