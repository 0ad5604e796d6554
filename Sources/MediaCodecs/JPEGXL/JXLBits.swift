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
    /// The bits to read, and what to add to them, by the selector.
    let choices: [(bits: Int, offset: Int)]

    init(_ choices: (bits: Int, offset: Int)...) { self.choices = choices }
  }

  private let source: ByteSource
  /// The number of bits that were read.
  private(set) var position: Int
  /// The bytes that were written; the last may have room for further bits.
  private(set) var written: [UInt8] = []
  private var writtenBits = 0
  /// Whether what is read is not written.
  var isTaking = false

  init(_ source: ByteSource, from byte: Int) { (self.source, position) = (source, 8 * byte) }

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
    for bit in 0..<count {
      if writtenBits % 8 == 0 { written.append(0) }
      if value >> bit & 1 == 1 { written[writtenBits / 8] |= 1 << UInt8(writtenBits % 8) }
      writtenBits += 1
    }
  }

  mutating func flag() throws(MetadataError) -> Bool { try read(1) == 1 }

  /// Reads a number in one of four forms.
  mutating func number(_ distribution: Distribution) throws(MetadataError) -> Int {
    let choice = distribution.choices[try read(2)]
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
