internal import MediaListing
internal import MediaModel
package import MediaSources

/// Pending items that have to be in one batch, as positions, in some four bytes each.
///
/// Files of one folder whose names differ only in their extension (ASCII case aside) are a group, in
/// their order; of more than `limit` of them every `limit` are one. Groups are in the order of their first
/// items.
package struct ItemGroups {
  /// All positions, one group after the other.
  private var order: [UInt32] = []
  /// Whether the position is its group's last.
  private var isLast = Bits()
  private var next = 0

  package init(of pending: PendingItems, limit: Int) {
    /// An item by its key's hash. Two keys of one hash would only be in one batch.
    struct Key {
      var hash: Int
      var position: UInt32
    }
    // For each item the next one of its group; itself when there is none.
    var following = pending.indices.map { UInt32($0) }
    var isLater = Bits()
    // Of many items only some are in memory by their hashes at a time.
    let partCount = pending.count > 1 << 16 ? 4 : 1
    for part in 0..<partCount {
      var keys: [Key] = []
      for position in pending.indices {
        let hash = pending.groupHash(at: position)
        if hash & (partCount - 1) == part {
          keys.append(Key(hash: hash, position: UInt32(position)))
        }
      }
      keys.sort { ($0.hash, $0.position) < ($1.hash, $1.position) }
      var size = 1
      for (key, previous) in zip(keys.dropFirst(), keys) {
        guard key.hash == previous.hash, size < limit else {
          size = 1
          continue
        }
        size += 1
        following[Int(previous.position)] = key.position
        isLater.insert(Int(key.position))
      }
    }
    order.reserveCapacity(pending.count)
    for position in pending.indices where !isLater.contains(position) {
      var current = UInt32(position)
      while true {
        let after = following[Int(current)]
        if after == current { isLast.insert(order.count) }
        order.append(current)
        if after == current { break }
        current = after
      }
    }
  }

  package var isAtEnd: Bool { next == order.count }

  /// The positions of the next group; empty at the end.
  package var first: ArraySlice<UInt32> {
    var end = next
    while end < order.count {
      end += 1
      if isLast.contains(end - 1) { break }
    }
    return order[next..<end]
  }

  /// Goes on behind the next group.
  package mutating func dropFirst() { next = first.endIndex }

  /// Leaves out the items of the groups to come that are not to be kept.
  ///
  /// - Returns: Their number.
  package mutating func keep(where isKept: (_ position: Int) -> Bool) -> Int {
    var keptOrder: [UInt32] = []
    var ends = Bits()
    let count = order.count - next
    while !isAtEnd {
      let kept = first.filter { isKept(Int($0)) }
      keptOrder += kept
      if !kept.isEmpty { ends.insert(keptOrder.count - 1) }
      dropFirst()
    }
    (order, isLast, next) = (keptOrder, ends, 0)
    return count - keptOrder.count
  }
}

/// A set of small numbers, in a bit for each.
private struct Bits {
  private var words: [UInt64] = []

  mutating func insert(_ number: Int) {
    if number / 64 >= words.count {
      words += repeatElement(0, count: number / 64 + 1 - words.count)
    }
    words[number / 64] |= 1 << UInt64(number % 64)
  }

  func contains(_ number: Int) -> Bool {
    number / 64 < words.count && words[number / 64] & 1 << UInt64(number % 64) != 0
  }
}
