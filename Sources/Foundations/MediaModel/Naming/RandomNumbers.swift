internal import Glibc
internal import Synchronization

/// The kernel's random numbers, fetched 32 at a time: a call for each would be six for a small file.
///
/// Source: getentropy(3), which gives up to 256 bytes at once.
package struct RandomNumbers: RandomNumberGenerator, Sendable {
  private static let shared = Mutex(RandomNumbers())
  private var unused: [UInt64] = []

  private init() {}

  /// Calls `body` with the numbers that this process has not used yet.
  package static func with<Value: Sendable>(_ body: (inout RandomNumbers) -> Value) -> Value {
    shared.withLock { body(&$0) }
  }

  package mutating func next() -> UInt64 {
    if let number = unused.popLast() { return number }
    var system = SystemRandomNumberGenerator()
    var numbers = [UInt64](repeating: 0, count: 32)
    let result = numbers.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map { getentropy($0, bytes.count) } ?? -1
    }
    guard result == 0 else { return system.next() }
    unused = numbers
    return unused.removeLast()
  }
}
