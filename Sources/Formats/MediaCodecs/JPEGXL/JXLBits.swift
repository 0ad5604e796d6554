import MediaContainers

/// Reads and writes the bits of a JPEG XL codestream, the lowest of each byte first.
///
/// What is read is written too, unless it is taken out: so a header comes out as it went in, without
/// the fields that were taken.
///
/// Source: ISO/IEC 18181-1 annex B.
struct JXLBits {
  /// The number of values, or of bits and an offset, that one of four selectors stands for.
  struct Distribution {
    /// The bits to read, and what to add to them.
    typealias Choice = (bits: Int, offset: Int)

    private let choices: (Choice, Choice, Choice, Choice)

    init(_ first: Choice, _ second: Choice, _ third: Choice, _ fourth: Choice) {
      choices = (first, second, third, fourth)
    }

    /// The choice of a selector, 0 to 3.
    subscript(selector: Int) -> Choice {
      switch selector {
      case 0: choices.0
      case 1: choices.1
      case 2: choices.2
      default: choices.3
      }
    }
  }

  private let source: ByteSource
  /// The number of bits that were read.
  private(set) var position: Int
  /// The bytes that were written; the last may have room for further bits.
  private(set) var written: [UInt8] = []
  private var writtenBits = 0
  /// Whether what is read is not written.
  var isTaking = false
  /// The symbols that the codes which are read may still have, together.
  private(set) var symbolsLeft: Int

  /// The most symbols of all codes of a codestream: ten bytes define 32,768, and a decoder makes a table
  /// of them. An order of sections takes a few hundred a frame, a color profile some thousand.
  static let maximumSymbols = 1 << 22

  init(_ source: ByteSource, from byte: Int, symbols: Int = maximumSymbols) {
    (self.source, position, symbolsLeft) = (source, 8 * byte, symbols)
  }

  /// The error at the end of the source.
  static let ended = MetadataError(.damaged, "a codestream that ends early")

  /// The bits that can still be read.
  var left: Int { 8 * source.length - position }

  /// Reads and writes a number of at most 32 bits.
  ///
  /// - Throws: `damaged` at the end.
  mutating func read(_ count: Int) throws(MetadataError) -> Int {
    guard count > 0 else { return 0 }
    let byte = position / 8
    let available = min(8, source.length - byte)
    guard count <= 8 * available - position % 8,
      let bits = source.unsigned(at: byte, count: available, order: .little)
    else { throw Self.ended }
    let value = Int(bits >> UInt64(position % 8) & (1 << UInt64(count) - 1))
    position += count
    if !isTaking { write(value, count) }
    return value
  }

  /// Reads a number without writing it.
  mutating func take(_ count: Int) throws(MetadataError) -> Int {
    let wasTaking = isTaking
    isTaking = true
    defer { isTaking = wasTaking }
    return try read(count)
  }

  /// Writes the lowest bits of a number.
  mutating func write(_ value: Int, _ count: Int) {
    var (unwritten, left) = (value & (1 << count - 1), count)
    while left > 0 {
      let used = writtenBits % 8
      if used == 0 { written.append(0) }
      written[writtenBits / 8] |= UInt8(truncatingIfNeeded: unwritten << used)
      let part = min(8 - used, left)
      writtenBits += part
      left -= part
      unwritten >>= part
    }
  }

  /// Counts the symbols of a code that is read.
  ///
  /// - Throws: `overLimit` if a codestream has more than ``maximumSymbols``.
  mutating func count(symbols: Int) throws(MetadataError) {
    symbolsLeft -= symbols
    guard symbolsLeft >= 0 else {
      throw MetadataError(.overLimit, "codes of more than 4 million symbols")
    }
  }

  mutating func flag() throws(MetadataError) -> Bool { try read(1) == 1 }

  /// Reads a number in one of four forms.
  mutating func number(_ distribution: Distribution) throws(MetadataError) -> Int {
    let choice = distribution[try read(2)]
    return try read(choice.bits) + choice.offset
  }

  /// Reads the number of an enumeration.
  mutating func word() throws(MetadataError) -> Int {
    try number(Distribution((0, 0), (0, 1), (4, 2), (6, 18)))
  }

  /// Reads a number of up to 64 bits; nil above what `Int` holds.
  mutating func long() throws(MetadataError) -> Int? {
    switch try read(2) {
    case 0: return 0
    case 1: return try read(4) + 1
    case 2: return try read(8) + 17
    default:
      var value = try read(12)
      var shift = 12
      while try flag() {
        if shift == 60 { return try read(4) == 0 ? value : nil }
        value |= try read(8) << shift
        shift += 8
      }
      return value
    }
  }

  /// Reads floating-point numbers of 16 bits.
  mutating func floats(_ count: Int) throws(MetadataError) {
    for _ in 0..<count { _ = try read(16) }
  }

  /// Reads up to the next byte; the bits between are written as zeros.
  mutating func align() throws(MetadataError) {
    _ = try take((8 - position % 8) % 8)
    writtenBits = 8 * written.count
  }
}
