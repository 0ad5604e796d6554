/// Finds the end of a FLAC frame by parsing its subframes without decoding samples.
///
/// Only the last frame needs this: a frame has no length field, and a checksum alone would match
/// one offset in 65,536 by chance.
///
/// Source: RFC 9639 sections 9.2 and 9.3.
package struct FLACFrameEnd {
  /// The maximum length of a frame in bytes: 65,536 samples of 8 channels with 33 bits each, and
  /// their headers.
  private static let maximumLength = 4 << 20

  private let bytes: [UInt8]
  private var bit: Int

  /// Returns the offset after the frame at `offset`, with its checksum; nil when it does not fit
  /// before `limit` or is invalid.
  package static func find(
    _ frame: FLACFrame,
    of source: ByteSource,
    at offset: Int,
    limit: Int,
    bitsPerSample: Int
  ) -> Int? {
    let range = (offset..<limit).prefix(maximumLength)
    guard let bytes = source.bytes(in: range, limit: maximumLength) else { return nil }
    var reader = FLACFrameEnd(bytes: bytes, bit: frame.headerLength * 8)
    let depth = frame.bitsPerSample > 0 ? frame.bitsPerSample : bitsPerSample
    for channel in 0..<frame.channelCount {
      let isDifference = frame.channels == 9 ? channel == 0 : frame.channels > 7 && channel == 1
      guard reader.passSubframe(blockSize: frame.blockSize, bits: depth + (isDifference ? 1 : 0))
      else { return nil }
    }
    let end = (reader.bit + 7) / 8 + 2
    return end <= bytes.count ? offset + end : nil
  }

  private init(bytes: [UInt8], bit: Int) {
    self.bytes = bytes
    self.bit = bit
  }

  private mutating func passSubframe(blockSize: Int, bits: Int) -> Bool {
    guard let head = read(8), head & 0x80 == 0 else { return false }
    let type = head >> 1 & 0x3F
    var bits = bits
    if head & 1 != 0 {
      guard let zeros = unary() else { return false }
      bits -= zeros + 1
    }
    guard bits > 0 else { return false }
    switch type {
    case 0: return pass(bits)
    case 1: return pass(bits * blockSize)
    case 8...12: return pass((type - 8) * bits) && passResidual(blockSize, order: type - 8)
    case 32...63:
      let order = type - 31
      guard pass(order * bits), let precision = read(4), precision < 15, pass(5) else {
        return false
      }
      return pass(order * (precision + 1)) && passResidual(blockSize, order: order)
    default: return false
    }
  }

  private mutating func passResidual(_ blockSize: Int, order: Int) -> Bool {
    guard let method = read(2), method < 2, let partitionOrder = read(4) else { return false }
    let width = method == 0 ? 4 : 5
    for partition in 0..<(1 << partitionOrder) {
      let count = blockSize >> partitionOrder - (partition == 0 ? order : 0)
      guard count >= 0, let parameter = read(width) else { return false }
      if parameter == 1 << width - 1 {
        guard let size = read(5), pass(size * count) else { return false }
        continue
      }
      for _ in 0..<count {
        guard unary() != nil, pass(parameter) else { return false }
      }
    }
    return true
  }

  private mutating func pass(_ count: Int) -> Bool {
    bit += count
    return bit <= bytes.count * 8
  }

  private mutating func read(_ count: Int) -> Int? {
    guard bit + count <= bytes.count * 8 else { return nil }
    var value = 0
    for position in bit..<(bit + count) {
      value = value << 1 | Int(bytes[position >> 3] >> UInt8(7 - position & 7) & 1)
    }
    bit += count
    return value
  }

  /// Returns the number of zeros before the next one bit.
  private mutating func unary() -> Int? {
    let start = bit
    while bit < bytes.count * 8 {
      let isOne = bytes[bit >> 3] >> UInt8(7 - bit & 7) & 1 == 1
      bit += 1
      if isOne { return bit - 1 - start }
    }
    return nil
  }
}
