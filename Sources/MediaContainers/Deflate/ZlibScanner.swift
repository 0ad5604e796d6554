/// Finds the end of a zlib stream without decompressing it.
///
/// Only lengths are tracked, without a window or a checksum of the content. That takes a fraction
/// of the time of inflating.
///
/// Source: RFC 1950; RFC 1951.
struct ZlibScanner {
  /// The result of a scan.
  struct Result {
    /// The number of bytes of the stream, with its checksum.
    var consumed: Int
    /// The number of bytes of the decompressed content.
    var inflated: Int
  }

  private struct Malformed: Error {}

  private static var bufferLength: Int { 1 << 16 }

  private let source: ByteSource
  private let parts: [Range<Int>]
  private var part = 0
  private var offset = 0
  private var input: [UInt8] = []
  private var next = 0
  /// The number of stream bytes loaded before the current buffer.
  private var loaded = 0
  private var bits: UInt64 = 0
  private var bitCount = 0
  private var inflated = 0

  /// Scans the stream formed by `parts` of the source, in order.
  ///
  /// - Returns: Nil when it is not a zlib stream, or ends before its last block does; its checksum
  ///   may be missing.
  static func scan(_ parts: [Range<Int>], of source: ByteSource) -> Result? {
    var scanner = ZlibScanner(source, parts)
    guard (try? scanner.run()) != nil else { return nil }
    let end = scanner.loaded + scanner.next - scanner.bitCount / 8
    let length = parts.reduce(0) { $0 + $1.count }
    return Result(consumed: min(length, end + 4), inflated: scanner.inflated)
  }

  private init(_ source: ByteSource, _ parts: [Range<Int>]) {
    self.source = source
    self.parts = parts
    offset = parts.first?.lowerBound ?? 0
  }

  private mutating func run() throws(Malformed) {
    let header = Int(try take(8)) << 8 | Int(try take(8))
    guard header % 31 == 0, header >> 8 & 0x0F == 8, header & 0x20 == 0 else { throw Malformed() }
    var isLast = false
    while !isLast {
      isLast = try take(1) == 1
      switch try take(2) {
      case 0: try stored()
      case 1: try block(Self.fixedLengths, Self.fixedDistances)
      case 2:
        let (lengths, distances) = try codes()
        try block(lengths, distances)
      default: throw Malformed()
      }
    }
  }

  // MARK: Bits

  /// Consumes and returns up to 16 bits.
  private mutating func take(_ count: Int) throws(Malformed) -> UInt64 {
    if bitCount < count { refill() }
    guard bitCount >= count else { throw Malformed() }
    let value = bits & (1 << UInt64(count) - 1)
    bits >>= UInt64(count)
    bitCount -= count
    return value
  }

  private mutating func refill() {
    while bitCount <= 56 {
      if next == input.count, !load() { return }
      bits |= UInt64(input[next]) << UInt64(bitCount)
      next += 1
      bitCount += 8
    }
  }

  private mutating func load() -> Bool {
    loaded += input.count
    next = 0
    input.removeAll(keepingCapacity: true)
    while part < parts.count {
      let wanted = min(parts[part].upperBound - offset, Self.bufferLength)
      if wanted > 0 {
        let bytes = source.withRun(from: offset) { Array($0.prefix(wanted)) }
        guard !bytes.isEmpty else { return false }
        offset += bytes.count
        input = bytes
        return true
      }
      part += 1
      if part < parts.count { offset = parts[part].lowerBound }
    }
    return false
  }

  // MARK: Blocks

  private mutating func stored() throws(Malformed) {
    _ = try take(bitCount % 8)
    let length = Int(try take(16))
    guard length ^ 0xFFFF == Int(try take(16)) else { throw Malformed() }
    inflated += length
    for _ in 0..<length { _ = try take(8) }
  }

  /// Scans one block; the state is kept in locals, which makes the loop fast.
  private mutating func block(_ lengths: ZlibCodes, _ distances: ZlibCodes) throws(Malformed) {
    var held = bits
    var count = bitCount
    var made = inflated
    let ended = lengths.table.withUnsafeBufferPointer { lengthTable in
      distances.table.withUnsafeBufferPointer { distanceTable in
        while true {
          // A length with its distance has at most 48 bits.
          if count < 48 { (held, count) = refilled(held, count) }
          let entry = Int(lengthTable[Int(held & lengths.mask)])
          let width = entry & 15
          guard width > 0, width <= count else { return false }
          held >>= UInt64(width)
          count -= width
          let symbol = entry >> 4
          if symbol < 256 {
            made += 1
            continue
          }
          if symbol == 256 { return true }
          guard symbol < 286 else { return false }
          let extra = ZlibCodes.lengthBits[symbol - 257]
          let length = ZlibCodes.lengthBases[symbol - 257] + Int(held & (1 << UInt64(extra) - 1))
          held >>= UInt64(extra)
          count -= extra
          let distanceEntry = Int(distanceTable[Int(held & distances.mask)])
          let distanceWidth = distanceEntry & 15
          let code = distanceEntry >> 4
          guard distanceWidth > 0, code < 30 else { return false }
          held >>= UInt64(distanceWidth)
          let moreBits = code < 4 ? 0 : code / 2 - 1
          let base = code < 4 ? code + 1 : (2 + code % 2) << moreBits + 1
          let distance = base + Int(held & (1 << UInt64(moreBits) - 1))
          held >>= UInt64(moreBits)
          count -= distanceWidth + moreBits
          guard count >= 0, distance <= made else { return false }
          made += length
        }
      }
    }
    (bits, bitCount, inflated) = (held, count, made)
    guard ended else { throw Malformed() }
  }

  /// Returns the bits with more input appended, as far as there is more.
  private mutating func refilled(_ held: UInt64, _ count: Int) -> (UInt64, Int) {
    if input.count - next >= 8 {
      let word = input.withUnsafeBytes {
        UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: next, as: UInt64.self))
      }
      let bytes = (63 - count) / 8
      next += bytes
      let kept = bytes == 8 ? word : word & (1 << UInt64(8 * bytes) - 1)
      return (held | kept << UInt64(count), count + 8 * bytes)
    }
    (bits, bitCount) = (held, count)
    refill()
    return (bits, bitCount)
  }

  private mutating func symbol(_ codes: ZlibCodes) throws(Malformed) -> Int {
    if bitCount < 15 { refill() }
    let entry = codes.table[Int(bits & codes.mask)]
    let length = Int(entry & 15)
    guard length > 0, length <= bitCount else { throw Malformed() }
    bits >>= UInt64(length)
    bitCount -= length
    return Int(entry >> 4)
  }

  private mutating func codes() throws(Malformed) -> (lengths: ZlibCodes, distances: ZlibCodes) {
    let lengthCount = Int(try take(5)) + 257
    let distanceCount = Int(try take(5)) + 1
    let orderCount = Int(try take(4)) + 4
    var orders = [UInt8](repeating: 0, count: 19)
    for index in 0..<orderCount { orders[ZlibCodes.order[index]] = UInt8(try take(3)) }
    guard let orderCodes = ZlibCodes(orders[...]) else { throw Malformed() }
    var lengths: [UInt8] = []
    while lengths.count < lengthCount + distanceCount {
      let symbol = try self.symbol(orderCodes)
      switch symbol {
      case 0..<16: lengths.append(UInt8(symbol))
      case 16:
        guard let last = lengths.last else { throw Malformed() }
        lengths += [UInt8](repeating: last, count: 3 + Int(try take(2)))
      case 17: lengths += [UInt8](repeating: 0, count: 3 + Int(try take(3)))
      default: lengths += [UInt8](repeating: 0, count: 11 + Int(try take(7)))
      }
    }
    guard lengths.count == lengthCount + distanceCount,
      let lengthCodes = ZlibCodes(lengths[..<lengthCount]),
      let distanceCodes = ZlibCodes(lengths[lengthCount...])
    else { throw Malformed() }
    return (lengthCodes, distanceCodes)
  }

  private static var fixedLengths: ZlibCodes { ZlibCodes.fixedLengths }
  private static var fixedDistances: ZlibCodes { ZlibCodes.fixedDistances }
}

/// Huffman codes as one table: the next bits of the stream select symbol and length.
struct ZlibCodes {
  /// The entries: the symbol above, the length in the lowest four bits; 0 for unassigned bits.
  fileprivate let table: [UInt16]
  fileprivate let mask: UInt64

  /// Builds the table from the length of each code.
  ///
  /// - Returns: Nil for an over-subscribed set of lengths.
  init?(_ lengths: ArraySlice<UInt8>) {
    var counts = [Int](repeating: 0, count: 16)
    for length in lengths { counts[Int(length)] += 1 }
    counts[0] = 0
    let longest = counts.lastIndex { $0 > 0 } ?? 1
    var next = [Int](repeating: 0, count: 17)
    var code = 0
    for length in 1...15 {
      next[length] = code
      code = (code + counts[length]) << 1
      guard next[length] + counts[length] <= 1 << length else { return nil }
    }
    var table = [UInt16](repeating: 0, count: 1 << longest)
    for (symbol, length) in lengths.enumerated() where length > 0 {
      let length = Int(length)
      var reversed = 0
      for bit in 0..<length where next[length] >> bit & 1 == 1 {
        reversed |= 1 << (length - 1 - bit)
      }
      next[length] += 1
      let entry = UInt16(symbol << 4 | length)
      for index in stride(from: reversed, to: table.count, by: 1 << length) { table[index] = entry }
    }
    self.table = table
    mask = UInt64(table.count - 1)
  }

  private init(fixed lengths: [UInt8]) {
    self = ZlibCodes(lengths[...]) ?? ZlibCodes(table: [0], mask: 0)
  }

  private init(table: [UInt16], mask: UInt64) {
    self.table = table
    self.mask = mask
  }

  fileprivate static let fixedLengths = ZlibCodes(
    fixed: [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112)
      + [UInt8](repeating: 7, count: 24) + [UInt8](repeating: 8, count: 8)
  )
  fileprivate static let fixedDistances = ZlibCodes(fixed: [UInt8](repeating: 5, count: 30))

  fileprivate static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  fileprivate static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  fileprivate static let order = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]
}
