internal import Foundation
internal import GRDB
internal import MediaDigest

/// The SHA-256 of a row: of the name of its table, and of each value that is not NULL with the number
/// of its column and its type.
///
/// A column that is added later and is NULL does not change it.
package struct RowDigest: Sendable, Hashable {
  /// The hash as four words, which a ``RowSum`` adds.
  let words: SIMD4<UInt64>

  /// Hashes a row; `values` are those of ``DigestedTable/columns``, in their order, and between them at the index `left`
  /// one that is none of these.
  init(_ table: String, _ values: ArraySlice<DatabaseValue>, leavingOut left: Int? = nil) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512)
    bytes.append(contentsOf: table.utf8)
    for (index, value) in values.enumerated() where index != left {
      let column = left.map { index > $0 ? index - 1 : index } ?? index
      switch value.storage {
      case .null: continue
      case .int64(let number):
        Self.begin(column, type: 1, number, in: &bytes)
      case .double(let number):
        Self.begin(column, type: 2, Int64(bitPattern: number.bitPattern), in: &bytes)
      case .string(let text):
        Self.begin(column, type: 3, Int64(text.utf8.count), in: &bytes)
        bytes.append(contentsOf: text.utf8)
      case .blob(let data):
        Self.begin(column, type: 4, Int64(data.count), in: &bytes)
        data.withUnsafeBytes { bytes.append(contentsOf: $0) }
      }
    }
    var hash = SHA256()
    hash.update(bytes)
    words = hash.finalize { $0.loadUnaligned(as: SIMD4<UInt64>.self) }
  }

  /// The part of the hash that stands in the row's column `digest`: 64 bits against a mistake that
  /// nobody made on purpose.
  package var stored: Int64 { Int64(bitPattern: UInt64(littleEndian: words.x)) }

  private static func begin(_ column: Int, type: UInt8, _ number: Int64, in bytes: inout [UInt8]) {
    bytes.append(0)
    bytes.append(UInt8(truncatingIfNeeded: column))
    bytes.append(type)
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }
}

/// The number of a table's rows, and the sum of their digests: the same for the same set of rows,
/// whatever their order, and kept right with constant work for each row that changes.
///
/// Each of the four words is added modulo 2^64. It shows that rows were lost, added or changed by
/// accident; an attacker can find other rows with the same sum.
package struct RowSum: Sendable, Hashable {
  private(set) var rows: Int64 = 0
  private(set) var words = SIMD4<UInt64>(repeating: 0)

  package init() {}

  /// Reads a sum as ``bytes`` has it; nil when it has another length.
  init?(rows: Int64, bytes: Data) {
    guard bytes.count == 32 else { return nil }
    self.rows = rows
    words = bytes.withUnsafeBytes { $0.loadUnaligned(as: SIMD4<UInt64>.self) }
  }

  var isEmpty: Bool { rows == 0 && words == SIMD4(repeating: 0) }

  /// The four words, 32 bytes.
  var bytes: Data { withUnsafeBytes(of: words) { Data($0) } }

  package mutating func add(_ digest: RowDigest) {
    rows &+= 1
    words &+= digest.words
  }

  mutating func remove(_ digest: RowDigest) {
    rows &-= 1
    words &-= digest.words
  }

  static func + (lhs: RowSum, rhs: RowSum) -> RowSum {
    var sum = lhs
    sum.rows &+= rhs.rows
    sum.words &+= rhs.words
    return sum
  }
}
