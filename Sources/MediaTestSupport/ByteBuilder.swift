// Parts of files for tests, written without the code under test.

/// The lowest `count` bytes of a number, the highest first.
package func big(_ value: Int, _ count: Int = 4) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
}

/// The lowest `count` bytes of a number, the lowest first.
package func little(_ value: Int, _ count: Int = 4) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}
