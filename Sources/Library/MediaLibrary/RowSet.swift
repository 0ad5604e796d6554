/// A set of the numbers of rows: of rows without gaps it takes about half a byte each.
package struct RowSet: Sendable {
  /// A bit for each of 64 neighbors, by the number without its last six bits.
  private var words: [Int64: UInt64] = [:]
  package private(set) var count = 0

  package init() {}

  package mutating func insert(_ row: Int64) {
    let bit: UInt64 = 1 << UInt64(row & 63)
    let old = words[row >> 6] ?? 0
    if old & bit != 0 { return }
    words[row >> 6] = old | bit
    count += 1
  }

  package func contains(_ row: Int64) -> Bool {
    (words[row >> 6] ?? 0) >> UInt64(row & 63) & 1 != 0
  }
}
