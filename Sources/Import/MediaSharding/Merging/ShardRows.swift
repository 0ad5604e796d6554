internal import GRDB

/// The assets of a shard, by the numbers that they have there.
struct ShardRows {
  let db: Database
  /// The new number of a kept asset; of a duplicate the number of the other one, negative; 0 for one that is left
  /// out.
  private var assets: [Int64] = []
  /// The localIdentifiers of the assets that were not taken over.
  private(set) var dropped: Set<String> = []
  /// The new folders of those that have moved, as `2026-11-21/014439.123456`.
  var moved: [String: String] = [:]

  init(_ db: Database) { self.db = db }

  mutating func keep(_ old: Int64, as new: Int64) { set(old, new) }

  mutating func drop(_ old: Int64, _ identifier: String, for other: Int64? = nil) {
    set(old, other.map { -$0 } ?? 0)
    dropped.insert(identifier)
  }

  private mutating func set(_ old: Int64, _ value: Int64) {
    guard let index = Int(exactly: old), index >= 0, index < 1 << 32 else { return }
    while assets.count <= index { assets.append(0) }
    assets[index] = value
  }

  private func value(_ old: Int64?) -> Int64? {
    guard let old, let index = Int(exactly: old), assets.indices.contains(index) else { return nil }
    return assets[index]
  }

  /// The new number of an asset; nil for one that was not taken over.
  func newAsset(_ old: Int64?) -> Int64? { value(old).flatMap { $0 > 0 ? $0 : nil } }

  /// The number of the asset that has the content of one that was not taken over; nil for any other.
  func duplicated(_ old: Int64?) -> Int64? { value(old).flatMap { $0 < 0 ? -$0 : nil } }
}
