/// Numbers in as few bytes each as their range needs, each of which is read by itself.
///
/// Of each the distance from the least is kept, in units of what divides all distances: whole seconds or blocks of a
/// disk take fewer bytes than nanoseconds or bytes would.
struct PackedNumbers: Sendable {
  private let least: Int64
  private let unit: UInt64
  /// The bytes of a number, 0 where all are the same.
  private let width: Int
  private let bytes: [UInt8]

  init(_ numbers: [Int64]) {
    let least = numbers.min() ?? 0
    // The greatest distance is that of two numbers of 64 bits with a sign, which has 64 bits without one.
    let distances = numbers.map { UInt64(bitPattern: $0) &- UInt64(bitPattern: least) }
    var unit: UInt64 = 0
    for distance in distances {
      if unit == 1 { break }
      unit = Self.greatestDivisor(unit, distance)
    }
    let divisor = max(1, unit)
    let greatest = (distances.max() ?? 0) / divisor
    let width = (64 - greatest.leadingZeroBitCount + 7) / 8
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * numbers.count)
    for distance in distances where width > 0 {
      var unpacked = distance / divisor
      for _ in 0..<width {
        bytes.append(UInt8(truncatingIfNeeded: unpacked))
        unpacked >>= 8
      }
    }
    (self.least, self.unit, self.width, self.bytes) = (least, divisor, width, bytes)
  }

  /// The greatest number that divides both. Source: Euclid's algorithm.
  private static func greatestDivisor(_ left: UInt64, _ right: UInt64) -> UInt64 {
    var (left, right) = (left, right)
    while right != 0 { (left, right) = (right, left % right) }
    return left
  }

  subscript(index: Int) -> Int64 {
    var distance: UInt64 = 0
    var position = (index + 1) * width
    for _ in 0..<width {
      position -= 1
      distance = distance << 8 | UInt64(bytes[position])
    }
    return Int64(bitPattern: UInt64(bitPattern: least) &+ distance &* unit)
  }

  /// In memory, besides the value itself.
  var byteCount: Int { bytes.capacity }
}
