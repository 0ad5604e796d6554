extension BinaryInteger {
  /// Returns the lowest `count` bytes of the number in two's complement.
  package func bytes(_ count: Int, _ order: ByteOrder = .big) -> [UInt8] {
    let little = (0..<count).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
    return order == .little ? little : little.reversed()
  }
}
