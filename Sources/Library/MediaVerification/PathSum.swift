/// The sum of a hash of each path of a set: the same for the same paths, whatever their order.
///
/// The hash has a seed of this process's own, so that no names can be prepared that have a given sum. It
/// has two words of 64 bits, so that no sums are equal by chance.
struct PathSum: Hashable {
  private var count = 0
  private var first: UInt64 = 0
  private var second: UInt64 = 0

  mutating func add(_ path: [UInt8]) {
    count += 1
    first &+= Self.hash(path, 1)
    second &+= Self.hash(path, 2)
  }

  private static func hash(_ path: [UInt8], _ number: UInt8) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(number)
    path.withUnsafeBytes { hasher.combine(bytes: $0) }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
