/// Decompresses a zlib stream into memory, up to a limit.
///
/// It works bit by bit, like zlib's contrib/puff: the streams read here are small, and every
/// length is checked before it is used.
///
/// Source: RFC 1950; RFC 1951.
package struct Inflate {
  private struct Malformed: Error {}

  /// Canonical Huffman codes: the number of codes of each length, and their symbols in order.
  private struct Codes {
    var counts = [Int](repeating: 0, count: 16)
    var symbols: [Int] = []

    /// Builds the codes from the length of each.
    ///
    /// - Throws: For an over-subscribed set of lengths. An incomplete set is an error only when an
    ///   unassigned code is read.
    init(_ lengths: ArraySlice<Int>) throws(Malformed) {
      for length in lengths { counts[length] += 1 }
      counts[0] = 0
      var left = 1
      for length in 1...15 {
        left = left * 2 - counts[length]
        if left < 0 { throw Malformed() }
      }
      var offsets = [Int](repeating: 0, count: 16)
      for length in 1..<15 { offsets[length + 1] = offsets[length] + counts[length] }
      symbols = [Int](repeating: 0, count: lengths.count)
      for (symbol, length) in lengths.enumerated() where length > 0 {
        symbols[offsets[length]] = symbol
        offsets[length] += 1
      }
    }
  }

  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let lengthExtraBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let codeLengthOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  private let input: [UInt8]
  private let limit: Int
  private var position = 2
  private var bitBuffer = 0
  private var bitCount = 0
  private var output: [UInt8] = []

  /// Decompresses the zlib stream at the start of `input` and returns its content and the number
  /// of bytes that the stream occupies; nil when it is malformed, its checksum is wrong, or its
  /// content exceeds `limit` bytes.
  package static func zlib(_ input: [UInt8], limit: Int) -> (output: [UInt8], consumed: Int)? {
    guard input.count >= 8, input[0] & 0x0F == 8, input[1] & 0x20 == 0,
      (Int(input[0]) << 8 | Int(input[1])) % 31 == 0
    else { return nil }
    var inflate = Inflate(input: input, limit: limit)
    guard (try? inflate.run()) != nil, input.count - inflate.position >= 4 else { return nil }
    let end = inflate.position + 4
    let checksum = input[inflate.position..<end].reduce(0) { $0 << 8 | Int($1) }
    guard checksum == adler32(inflate.output) else { return nil }
    return (inflate.output, end)
  }

  /// Returns a zlib stream that stores `bytes` without compression.
  package static func stored(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var rest = bytes
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(65_535)
      let length = [UInt8(block.count & 0xFF), UInt8(block.count >> 8)]
      stream.append(rest.isEmpty ? 1 : 0)
      stream += length + length.map { ~$0 }
      stream += block
    } while !rest.isEmpty
    return stream + adler32(bytes).bytes(4)
  }

  private init(input: [UInt8], limit: Int) {
    self.input = input
    self.limit = limit
  }

  private static func adler32(_ bytes: some Sequence<UInt8>) -> Int {
    var low = 1
    var high = 0
    for byte in bytes {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }

  private mutating func run() throws(Malformed) {
    var isLast = false
    while !isLast {
      isLast = try bits(1) == 1
      switch try bits(2) {
      case 0: try storedBlock()
      case 1:
        let lengths =
          [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112)
          + [Int](repeating: 7, count: 24) + [Int](repeating: 8, count: 8)
        try block(Codes(lengths[...]), Codes([Int](repeating: 5, count: 30)[...]))
      case 2: try dynamicBlock()
      default: throw Malformed()
      }
    }
  }

  private mutating func storedBlock() throws(Malformed) {
    bitBuffer = 0
    bitCount = 0
    guard input.count - position >= 4 else { throw Malformed() }
    let length = Int(input[position]) | Int(input[position + 1]) << 8
    let check = Int(input[position + 2]) | Int(input[position + 3]) << 8
    position += 4
    guard length ^ 0xFFFF == check, input.count - position >= length,
      limit - output.count >= length
    else { throw Malformed() }
    output += input[position..<(position + length)]
    position += length
  }

  private mutating func dynamicBlock() throws(Malformed) {
    let literals = try bits(5) + 257
    let distances = try bits(5) + 1
    let codes = try bits(4) + 4
    guard literals <= 286, distances <= 30 else { throw Malformed() }
    var codeLengths = [Int](repeating: 0, count: 19)
    for index in 0..<codes { codeLengths[Self.codeLengthOrder[index]] = try bits(3) }
    let lengthCodes = try Codes(codeLengths[...])
    var lengths: [Int] = []
    while lengths.count < literals + distances {
      switch try symbol(lengthCodes) {
      case let length where length < 16: lengths.append(length)
      case 16:
        guard let last = lengths.last else { throw Malformed() }
        lengths += [Int](repeating: last, count: try bits(2) + 3)
      case 17: lengths += [Int](repeating: 0, count: try bits(3) + 3)
      default: lengths += [Int](repeating: 0, count: try bits(7) + 11)
      }
    }
    guard lengths.count == literals + distances, lengths[256] > 0 else { throw Malformed() }
    try block(Codes(lengths[..<literals]), Codes(lengths[literals...]))
  }

  private mutating func block(_ literals: Codes, _ distances: Codes) throws(Malformed) {
    while true {
      let code = try symbol(literals)
      if code == 256 { return }
      if code < 256 {
        guard output.count < limit else { throw Malformed() }
        output.append(UInt8(truncatingIfNeeded: code))
        continue
      }
      guard code - 257 < Self.lengthBases.count else { throw Malformed() }
      let length = Self.lengthBases[code - 257] + (try bits(Self.lengthExtraBits[code - 257]))
      let distanceCode = try symbol(distances)
      guard distanceCode < 30 else { throw Malformed() }
      let extraBits = distanceCode < 4 ? 0 : distanceCode / 2 - 1
      let base = distanceCode < 4 ? distanceCode + 1 : (2 + distanceCode % 2) << extraBits + 1
      let distance = base + (try bits(extraBits))
      guard distance <= output.count, limit - output.count >= length else { throw Malformed() }
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
  }

  private mutating func bits(_ count: Int) throws(Malformed) -> Int {
    while bitCount < count {
      guard position < input.count else { throw Malformed() }
      bitBuffer |= Int(input[position]) << bitCount
      position += 1
      bitCount += 8
    }
    let value = bitBuffer & (1 << count - 1)
    bitBuffer >>= count
    bitCount -= count
    return value
  }

  private mutating func symbol(_ codes: Codes) throws(Malformed) -> Int {
    var code = 0
    var first = 0
    var index = 0
    for length in 1...15 {
      code |= try bits(1)
      let count = codes.counts[length]
      if code - count < first { return codes.symbols[index + (code - first)] }
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    throw Malformed()
  }
}
