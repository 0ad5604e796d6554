internal import Foundation

/// The whole content of a file.
package func readBytes(_ path: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
}

/// The lowest `count` bytes of a number, the highest first.
package func big(_ value: Int, _ count: Int = 4) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
}

/// The lowest `count` bytes of a number, the lowest first.
package func little(_ value: Int, _ count: Int = 4) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}
