import MediaContainers

/// A prefix code, as Brotli has them.
///
/// Source: ISO/IEC 18181-1 section C.2.4; RFC 7932 section 3.
struct JXLPrefixCode {
  /// The symbols in the order of their codes.
  private var symbols: [Int] = []
  /// The number of codes of each length.
  private var counts = [Int](repeating: 0, count: 16)

  private static let lengthOrder = [1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15]

  /// Reads a code for symbols below `symbolCount`; a single symbol takes no bits.
  static func read(_ bits: inout JXLBits, symbolCount: Int) throws(MetadataError) -> Self {
    guard symbolCount > 1 else { return Self(lengths: []) }
    let skipped = try bits.read(2)
    if skipped == 1 { return try simple(&bits, symbolCount) }
    var lengths = [Int](repeating: 0, count: 18)
    var space = 32
    for symbol in lengthOrder[skipped...] where space > 0 {
      lengths[symbol] = try lengthOfLength(&bits)
      if lengths[symbol] > 0 { space -= 32 >> lengths[symbol] }
    }
    guard space == 0 || lengths.count(where: { $0 > 0 }) == 1 else { throw JXLEntropy.damaged }
    return Self(lengths: try Self.lengths(&bits, symbolCount, Self(lengths: lengths)))
  }

  /// Makes the code that lengths define; one symbol alone takes no bits.
  private init(lengths: [Int]) {
    for length in lengths where length > 0 { counts[length] += 1 }
    // Counts give each length its places, so that nothing is sorted: a code may have 32,768 symbols.
    var starts = counts.indices.map { counts[..<$0].reduce(0, +) }
    symbols = [Int](repeating: 0, count: counts.reduce(0, +))
    for (symbol, length) in lengths.enumerated() where length > 0 {
      symbols[starts[length]] = symbol
      starts[length] += 1
    }
  }

  /// Reads one of six lengths: 0, 3 and 4 in two bits, 2 in three, 1 and 5 in four.
  private static func lengthOfLength(_ bits: inout JXLBits) throws(MetadataError) -> Int {
    switch try bits.read(2) {
    case 0: return 0
    case 1: return 4
    case 2: return 3
    default:
      guard try bits.flag() else { return 2 }
      return try bits.flag() ? 5 : 1
    }
  }

  private static func lengths(
    _ bits: inout JXLBits,
    _ count: Int,
    _ code: Self
  ) throws(MetadataError) -> [Int] {
    var lengths: [Int] = []
    var (space, last, repeated, repeatedLength) = (32_768, 8, 0, 0)
    while lengths.count < count, space > 0 {
      let symbol = try code.symbol(&bits)
      guard symbol >= 16 else {
        repeated = 0
        lengths.append(symbol)
        if symbol > 0 {
          last = symbol
          space -= 32_768 >> symbol
        }
        continue
      }
      let length = symbol == 16 ? last : 0
      if repeatedLength != length { (repeated, repeatedLength) = (0, length) }
      let before = repeated
      if repeated > 0 { repeated = (repeated - 2) << (symbol - 14) }
      repeated += try bits.read(symbol - 14) + 3
      let added = repeated - before
      guard lengths.count + added <= count else { throw JXLEntropy.damaged }
      lengths += [Int](repeating: length, count: added)
      if length > 0 { space -= added << (15 - length) }
    }
    guard space == 0 else { throw JXLEntropy.damaged }
    return lengths
  }

  /// Reads a code of at most four symbols.
  private static func simple(
    _ bits: inout JXLBits,
    _ symbolCount: Int
  ) throws(MetadataError) -> Self {
    let width = Int.bitWidth - (symbolCount - 1).leadingZeroBitCount
    let count = try bits.read(2) + 1
    var read: [Int] = []
    for _ in 0..<count { read.append(try bits.read(width)) }
    guard Set(read).count == count, read.allSatisfy({ $0 < symbolCount }) else {
      throw JXLEntropy.damaged
    }
    var code = Self(lengths: [])
    switch count {
    case 1: code.symbols = read
    case 2:
      code.symbols = read.sorted()
      code.counts[1] = 2
    case 3:
      code.symbols = read.prefix(1) + read.suffix(2).sorted()
      (code.counts[1], code.counts[2]) = (1, 2)
    case _ where try bits.flag():
      code.symbols = read.prefix(2) + read.suffix(2).sorted()
      (code.counts[1], code.counts[2], code.counts[3]) = (1, 1, 2)
    default:
      code.symbols = read.sorted()
      code.counts[2] = 4
    }
    return code
  }

  /// Reads the next symbol; one alone takes no bits, and 0 stands for none.
  func symbol(_ bits: inout JXLBits) throws(MetadataError) -> Int {
    guard symbols.count > 1 else { return symbols.first ?? 0 }
    var (code, first, index) = (0, 0, 0)
    for length in 1...15 {
      code |= try bits.read(1)
      let count = counts[length]
      if code - first < count { return symbols[index + code - first] }
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    throw JXLEntropy.damaged
  }
}

/// The distribution of symbols of an ANS code, as a table of 4,096 places.
///
/// Source: ISO/IEC 18181-1 section C.2.5 and C.2.6.
struct JXLAliasTable {
  private struct Entry {
    var cutoff = 0
    var symbol = 0
    var offset = 0
  }

  private static let range = 4096
  private var counts: [Int]
  private var entries: [Entry]
  private let entryBits: Int

  /// Reads a distribution of at most `1 << alphabetBits` symbols.
  init(_ bits: inout JXLBits, alphabetBits: Int) throws(MetadataError) {
    counts = try Self.counts(&bits)
    while counts.last == 0 { counts.removeLast() }
    let size = 1 << alphabetBits
    guard counts.count <= size, !counts.isEmpty, counts.allSatisfy({ $0 >= 0 }),
      counts.reduce(0, +) == Self.range
    else { throw JXLEntropy.damaged }
    entryBits = 12 - alphabetBits
    entries = [Entry](repeating: Entry(), count: size)
    let entrySize = 1 << entryBits
    if let single = counts.firstIndex(of: Self.range) {
      for index in entries.indices {
        entries[index] = Entry(cutoff: 0, symbol: single, offset: entrySize * index)
      }
      return
    }
    var cutoffs = counts + [Int](repeating: 0, count: size - counts.count)
    var low = cutoffs.indices.filter { cutoffs[$0] < entrySize }
    var high = cutoffs.indices.filter { cutoffs[$0] > entrySize }
    while let over = high.popLast() {
      guard let under = low.popLast() else { throw JXLEntropy.damaged }
      cutoffs[over] -= entrySize - cutoffs[under]
      entries[under].symbol = over
      entries[under].offset = cutoffs[over]
      if cutoffs[over] < entrySize {
        low.append(over)
      } else if cutoffs[over] > entrySize {
        high.append(over)
      }
    }
    for index in entries.indices {
      if cutoffs[index] == entrySize {
        entries[index] = Entry(cutoff: 0, symbol: index, offset: 0)
      } else {
        entries[index].offset -= cutoffs[index]
        entries[index].cutoff = cutoffs[index]
      }
    }
  }

  /// Returns the symbol at a place below 4,096, its offset there, and its frequency.
  func entry(_ state: Int) -> (symbol: Int, offset: Int, frequency: Int) {
    let index = state >> entryBits
    let position = state & (1 << entryBits - 1)
    let entry = entries[index]
    let isRight = position >= entry.cutoff
    let symbol = isRight ? entry.symbol : index
    let frequency = symbol < counts.count ? counts[symbol] : 0
    return (symbol, position + (isRight ? entry.offset : 0), frequency)
  }

  private static func counts(_ bits: inout JXLBits) throws(MetadataError) -> [Int] {
    if try bits.flag() {
      let isPair = try bits.flag()
      let first = try JXLEntropy.length(&bits, widthBits: 3)
      let second = isPair ? try JXLEntropy.length(&bits, widthBits: 3) : first
      var counts = [Int](repeating: 0, count: max(first, second) + 1)
      counts[first] = range
      guard isPair else { return counts }
      guard first != second else { throw JXLEntropy.damaged }
      counts[first] = try bits.read(12)
      counts[second] = range - counts[first]
      return counts
    }
    if try bits.flag() {
      let count = try JXLEntropy.length(&bits, widthBits: 3) + 1
      return (0..<count).map { range / count + ($0 < range % count ? 1 : 0) }
    }
    return try logarithmicCounts(&bits)
  }

  /// Reads counts by their number of bits; that of the largest is left out.
  private static func logarithmicCounts(_ bits: inout JXLBits) throws(MetadataError) -> [Int] {
    var log = 0
    while log < 3, try bits.flag() { log += 1 }
    let shift = (try bits.read(log) | 1 << log) - 1
    guard shift <= 13 else { throw JXLEntropy.damaged }
    let length = try JXLEntropy.length(&bits, widthBits: 3) + 3
    var widths = [Int](repeating: 0, count: length)
    var repeats = [Int](repeating: 0, count: length)
    var largest: Int?
    var index = 0
    while index < length {
      widths[index] = try width(&bits)
      if widths[index] == 13 {
        let count = try JXLEntropy.length(&bits, widthBits: 3)
        repeats[index] = count + 4
        index += count + 4
        continue
      }
      if largest.map({ widths[index] > widths[$0] }) ?? true { largest = index }
      index += 1
    }
    guard let largest else { throw JXLEntropy.damaged }
    var counts = [Int](repeating: 0, count: length)
    var (same, last) = (0, 0)
    for index in counts.indices {
      if repeats[index] > 0 { (same, last) = (repeats[index], index > 0 ? counts[index - 1] : 0) }
      if same > 0 {
        counts[index] = last
        same -= 1
      } else if index != largest, widths[index] > 0 {
        let width = widths[index] - 1
        let count = max(0, min(width, shift - (12 - width) >> 1))
        counts[index] = 1 << width + (width == 0 ? 0 : try bits.read(count) << (width - count))
      }
    }
    counts[largest] = range - counts.reduce(0, +)
    guard counts[largest] > 0 else { throw JXLEntropy.damaged }
    return counts
  }

  /// Reads the number of bits of a count, or 13 for a repetition: a prefix code of up to seven bits.
  private static func width(_ bits: inout JXLBits) throws(MetadataError) -> Int {
    switch try bits.read(3) {
    case 0: return 10
    case 2: return 7
    case 4: return 6
    case 5: return 8
    case 6: return 9
    case 3: return try bits.flag() ? 1 : 3
    case 7: return try bits.flag() ? 2 : 5
    default:
      if try bits.flag() { return 4 }
      if try bits.flag() { return 0 }
      if try bits.flag() { return 11 }
      return try bits.flag() ? 13 : 12
    }
  }
}
