/// The setup header of Vorbis, read to find where it ends.
///
/// Source: Vorbis I sections 3.2.1 (codebooks), 4.2.4, 6.2.1, 7.2.2 and 8.6.1.
package struct VorbisSetup {
  private let bytes: [UInt8]
  private var position = 0
  private let channels: Int

  /// Returns the bytes of a header, whose name takes the first seven, up to its framing bit; nil for one
  /// that cannot be read, or in whose last byte other bits follow.
  package static func length(of bytes: [UInt8], channels: Int) -> Int? {
    var setup = VorbisSetup(bytes, channels)
    return setup.read()
  }

  private init(_ bytes: [UInt8], _ channels: Int) {
    (self.bytes, self.channels) = (bytes, channels)
    position = 8 * 7
  }

  /// Reads a number whose lowest bit comes first; nil where some are missing.
  private mutating func number(_ count: Int) -> Int? {
    guard position + count <= 8 * bytes.count else { return nil }
    var value = 0
    for index in 0..<count {
      let bit = position + index
      value |= Int(bytes[bit / 8] >> UInt8(bit % 8) & 1) << index
    }
    position += count
    return value
  }

  private mutating func skip(_ count: Int) -> Bool {
    position += count
    return count >= 0 && position <= 8 * bytes.count
  }

  /// The bits of a number: ilog of the specification.
  private static func width(_ number: Int) -> Int { Int.bitWidth - number.leadingZeroBitCount }

  private mutating func read() -> Int? {
    guard let books = number(8) else { return nil }
    for _ in 0...books where !passBook() { return nil }
    // Time domain transforms, of which there is none.
    guard let times = number(6), skip(16 * (times + 1)), let floors = number(6) else { return nil }
    for _ in 0...floors where !passFloor() { return nil }
    guard let residues = number(6) else { return nil }
    for _ in 0...residues where !passResidue() { return nil }
    guard let mappings = number(6) else { return nil }
    for _ in 0...mappings where !passMapping() { return nil }
    guard let modes = number(6), skip(41 * (modes + 1)), number(1) == 1 else { return nil }
    let padding = (8 - position % 8) % 8
    return number(padding) == 0 ? position / 8 : nil
  }

  private mutating func passBook() -> Bool {
    guard number(24) == 0x564342, let dimensions = number(16), let entries = number(24),
      let isOrdered = number(1), entries <= 8 * bytes.count
    else { return false }
    if isOrdered == 1 {
      guard skip(5) else { return false }
      var current = 0
      while current < entries {
        guard let count = number(Self.width(entries - current)) else { return false }
        current += count
      }
      guard current == entries else { return false }
    } else {
      guard let isSparse = number(1) else { return false }
      for _ in 0..<entries {
        guard let isUsed = isSparse == 1 ? number(1) : 1, skip(5 * isUsed) else { return false }
      }
    }
    guard let lookup = number(4), lookup < 3 else { return false }
    guard lookup > 0 else { return true }
    // The least value and the step, then the bits of a value, and whether values add up.
    guard dimensions > 0, skip(64), let bits = number(4), skip(1) else { return false }
    let count = lookup == 2 ? entries * dimensions : Self.values(entries, dimensions)
    return skip(count * (bits + 1))
  }

  /// The greatest number whose power of `dimensions` is at most `entries`.
  private static func values(_ entries: Int, _ dimensions: Int) -> Int {
    var value = 0
    while true {
      var power = 1
      for _ in 0..<dimensions where power <= entries { power *= value + 1 }
      if power > entries { return value }
      value += 1
    }
  }

  private mutating func passFloor() -> Bool {
    guard let type = number(16), type < 2 else { return false }
    guard type == 1 else {
      // Order, rate, map, bits and offset of the amplitude, and books.
      return skip(8 + 16 + 16 + 6 + 8) && number(4).map { skip(8 * ($0 + 1)) } == true
    }
    guard let partitions = number(5) else { return false }
    var classes: [Int] = []
    for _ in 0..<partitions {
      guard let kind = number(4) else { return false }
      classes.append(kind)
    }
    var dimensions: [Int] = []
    for _ in 0..<((classes.max() ?? -1) + 1) {
      guard let size = number(3), let subclasses = number(2),
        skip((subclasses > 0 ? 8 : 0) + 8 << subclasses)
      else { return false }
      dimensions.append(size + 1)
    }
    guard skip(2), let bits = number(4) else { return false }
    return skip(classes.reduce(0) { $0 + dimensions[$1] } * bits)
  }

  private mutating func passResidue() -> Bool {
    guard let type = number(16), type < 3, skip(24 + 24 + 24), let classes = number(6), skip(8)
    else { return false }
    var books = 0
    for _ in 0...classes {
      guard let low = number(3), let isLong = number(1), let high = number(5 * isLong) else {
        return false
      }
      books += low.nonzeroBitCount + high.nonzeroBitCount
    }
    return skip(8 * books)
  }

  private mutating func passMapping() -> Bool {
    guard number(16) == 0, let hasSubmaps = number(1), let lastSubmap = number(4 * hasSubmaps),
      let isCoupled = number(1)
    else { return false }
    if isCoupled == 1 {
      guard let steps = number(8), skip(2 * (steps + 1) * Self.width(max(0, channels - 1))) else {
        return false
      }
    }
    return number(2) == 0 && skip((lastSubmap > 0 ? 4 * channels : 0) + 24 * (lastSubmap + 1))
  }
}
