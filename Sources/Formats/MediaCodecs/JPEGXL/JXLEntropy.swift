import MediaContainers

/// Decodes the entropy-coded numbers of a JPEG XL header: the order of sections, and the color
/// profile.
///
/// Source: ISO/IEC 18181-1 annex C (entropy coding).
struct JXLEntropy {
  /// How a token and bits behind it make a number.
  private struct NumberForm {
    let split: Int
    let high: Int
    let low: Int

    init(_ bits: inout JXLBits, alphabetBits: Int) throws(MetadataError) {
      split = try bits.read(Self.width(alphabetBits + 1))
      guard split != alphabetBits else {
        (high, low) = (0, 0)
        return
      }
      high = try bits.read(Self.width(split + 1))
      guard high <= split else { throw JXLEntropy.damaged }
      low = try bits.read(Self.width(split - high + 1))
      guard high + low <= split else { throw JXLEntropy.damaged }
    }

    /// The bits that numbers below `count` take.
    private static func width(_ count: Int) -> Int {
      Int.bitWidth - (count - 1).leadingZeroBitCount
    }

    func number(_ token: Int, _ bits: inout JXLBits) throws(MetadataError) -> Int {
      guard token >= 1 << split else { return token }
      let fixed = high + low
      let count = split - fixed + (token - 1 << split) >> fixed
      guard count <= 31 else { throw JXLEntropy.damaged }
      let middle = try bits.read(count)
      let head = 1 << high | token >> low & (1 << high - 1)
      return (head << count | middle) << low | token & (1 << low - 1)
    }
  }

  /// The code of one cluster of contexts.
  private enum Code {
    case prefix(JXLPrefixCode)
    case alias(JXLAliasTable)
  }

  static let damaged = MetadataError(.damaged, "entropy-coded data of a codestream")
  /// How far back a copy reaches.
  private static let window = 1 << 20

  private var clusters: [Int]
  private var forms: [NumberForm] = []
  private var codes: [Code] = []
  private var state: UInt32 = 0x13_0000
  private let isPrefix: Bool
  /// Copies: the first token that stands for a length, the shortest length, and how lengths are read.
  private var copies: (token: Int, length: Int, form: NumberForm)?
  /// The numbers so far, for copies.
  private var numbers: [Int] = []
  private var left = 0
  private var position = 0

  /// Reads the codes of `contextCount` contexts.
  ///
  /// - Throws: `damaged` for codes that cannot be.
  init(
    _ bits: inout JXLBits,
    contextCount: Int,
    allowsCopies: Bool = true
  ) throws(MetadataError) {
    var contextCount = contextCount
    if try bits.flag() {
      guard allowsCopies else { throw Self.damaged }
      let token = try bits.number(.init((0, 224), (0, 512), (0, 4096), (15, 8)))
      let length = try bits.number(.init((0, 3), (0, 4), (2, 5), (8, 9)))
      copies = (token, length, try NumberForm(&bits, alphabetBits: 8))
      contextCount += 1
    }
    clusters = [Int](repeating: 0, count: contextCount)
    if contextCount > 1 { clusters = try Self.clusters(&bits, contextCount) }
    let count = (clusters.max() ?? 0) + 1
    guard Set(clusters).count == count else { throw Self.damaged }
    isPrefix = try bits.flag()
    let alphabetBits = isPrefix ? 15 : try bits.read(2) + 5
    for _ in 0..<count { forms.append(try NumberForm(&bits, alphabetBits: alphabetBits)) }
    if isPrefix {
      var sizes: [Int] = []
      for _ in 0..<count { sizes.append(try Self.length(&bits, widthBits: 4) + 1) }
      for size in sizes {
        guard size <= 1 << 15 else { throw Self.damaged }
        try bits.count(symbols: size)
        codes.append(.prefix(try JXLPrefixCode.read(&bits, symbolCount: size)))
      }
    } else {
      for _ in 0..<count {
        try bits.count(symbols: 1 << alphabetBits)
        codes.append(.alias(try JXLAliasTable(&bits, alphabetBits: alphabetBits)))
      }
      state = UInt32(try bits.read(32))
    }
  }

  /// Reads a number whose own length in bits comes first.
  static func length(_ bits: inout JXLBits, widthBits: Int) throws(MetadataError) -> Int {
    guard try bits.flag() else { return 0 }
    let width = try bits.read(widthBits)
    return try bits.read(width) + 1 << width
  }

  /// Reads which contexts share a code.
  private static func clusters(
    _ bits: inout JXLBits,
    _ count: Int
  ) throws(MetadataError) -> [Int] {
    var clusters: [Int] = []
    if try bits.flag() {
      let width = try bits.read(2)
      for _ in 0..<count { clusters.append(try bits.read(width)) }
      return clusters
    }
    let isMoved = try bits.flag()
    var entropy = try JXLEntropy(&bits, contextCount: 1, allowsCopies: count > 2)
    var order = Array(0..<256)
    for _ in 0..<count {
      let value = try entropy.next(&bits, context: 0)
      guard value < 256 else { throw damaged }
      guard isMoved else {
        clusters.append(value)
        continue
      }
      let cluster = order.remove(at: value)
      order.insert(cluster, at: 0)
      clusters.append(cluster)
    }
    try entropy.finish()
    return clusters
  }

  /// Reads the next number.
  ///
  /// - Throws: `damaged` for a code that cannot be.
  mutating func next(_ bits: inout JXLBits, context: Int) throws(MetadataError) -> Int {
    if left == 0 {
      let cluster = clusters[context]
      let token = try symbol(&bits, cluster)
      guard let copies, token >= copies.token else {
        let number = try forms[cluster].number(token, &bits)
        if copies != nil { numbers.append(number) }
        return number
      }
      left = try copies.form.number(token - copies.token, &bits) + copies.length
      let last = clusters[clusters.count - 1]
      let distance = try forms[last].number(try symbol(&bits, last), &bits) + 1
      position = numbers.count - min(distance, numbers.count, Self.window)
    }
    left -= 1
    // A copy before anything was decoded gives zeros.
    let number = position < numbers.count ? numbers[position] : 0
    position += 1
    numbers.append(number)
    return number
  }

  private mutating func symbol(_ bits: inout JXLBits, _ cluster: Int) throws(MetadataError) -> Int {
    switch codes[cluster] {
    case .prefix(let code): return try code.symbol(&bits)
    case .alias(let table):
      let (symbol, offset, frequency) = table.entry(Int(state & 0xFFF))
      state = UInt32(frequency) * (state >> 12) + UInt32(offset)
      if state < 1 << 16 { state = state << 16 | UInt32(try bits.read(16)) }
      return symbol
    }
  }

  /// Checks the state after the last number.
  ///
  /// - Throws: `damaged` if it is not the one that every stream ends with.
  func finish() throws(MetadataError) {
    guard isPrefix || state == 0x13_0000 else { throw Self.damaged }
  }
}
