internal import CSQLite
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

  /// Hashes a row; `values` are those of ``DigestedTable/columns``, in their order.
  init(_ table: String, _ values: ArraySlice<DatabaseValue>) {
    self.init(table) { bytes in
      for (column, value) in values.enumerated() { Self.append(value, column, to: &bytes) }
    }
  }

  /// Hashes the row at which a statement of all columns is, with `changes` in place of its own values, where there are
  /// any; the column at the index `left` is that of the digest.
  init(
    _ table: String,
    _ row: SQLiteStatement,
    _ changes: [DatabaseValue?],
    leavingOut left: Int
  ) {
    self.init(table) { bytes in
      for (index, change) in changes.enumerated() where index != left {
        let column = index > left ? index - 1 : index
        if let change {
          Self.append(change, column, to: &bytes)
        } else {
          Self.append(row, CInt(index), column, to: &bytes)
        }
      }
    }
  }

  private init(_ table: String, _ append: (inout [UInt8]) -> Void) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512)
    bytes.append(contentsOf: table.utf8)
    append(&bytes)
    var hash = SHA256()
    hash.update(bytes)
    words = hash.finalizeAsWords()
  }

  private static func append(_ value: DatabaseValue, _ column: Int, to bytes: inout [UInt8]) {
    switch value.storage {
    case .null: break
    case .int64(let number):
      begin(column, type: 1, number, in: &bytes)
    case .double(let number):
      begin(column, type: 2, Int64(bitPattern: number.bitPattern), in: &bytes)
    case .string(let text):
      begin(column, type: 3, Int64(text.utf8.count), in: &bytes)
      bytes.append(contentsOf: text.utf8)
    case .blob(let data):
      begin(column, type: 4, Int64(data.count), in: &bytes)
      data.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }
  }

  /// Appends a value as it is in the database, where a text is the UTF-8 that it was written with.
  private static func append(
    _ row: SQLiteStatement,
    _ index: CInt,
    _ column: Int,
    to bytes: inout [UInt8]
  ) {
    let content: UnsafeRawPointer?
    let type = sqlite3_column_type(row, index)
    switch type {
    case SQLITE_INTEGER:
      return begin(column, type: 1, sqlite3_column_int64(row, index), in: &bytes)
    case SQLITE_FLOAT:
      let number = sqlite3_column_double(row, index)
      return begin(column, type: 2, Int64(bitPattern: number.bitPattern), in: &bytes)
    case SQLITE_TEXT: content = UnsafeRawPointer(sqlite3_column_text(row, index))
    case SQLITE_BLOB: content = sqlite3_column_blob(row, index)
    default: return
    }
    let count = Int(sqlite3_column_bytes(row, index))
    begin(column, type: type == SQLITE_TEXT ? 3 : 4, Int64(count), in: &bytes)
    bytes.append(contentsOf: UnsafeRawBufferPointer(start: content, count: content == nil ? 0 : count))
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
