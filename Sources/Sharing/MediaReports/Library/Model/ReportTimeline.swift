package import MediaModel

/// Counts of what happened by time, in slots of equal width, which doubles when the time grows beyond them.
package struct ReportTimeline<Key: Hashable & Sendable>: Sendable, Hashable {
  /// The highest number of slots.
  package let slotLimit: Int

  /// Microseconds since 1970-01-01T00:00:00Z of the first slot's start.
  package private(set) var start: Int64?
  /// Microseconds that a slot takes.
  package private(set) var width: Int64 = 1_000_000
  package private(set) var slots: [[Key: Int]] = []

  /// The microseconds to a multiple of which the first slot's start is rounded down.
  private let step: Int64

  package init(slotLimit: Int = 60) { (self.slotLimit, step) = (slotLimit, 1) }

  /// Makes slots of days in UTC, and of several days where there are more than so many.
  package init(ofDays slotLimit: Int) {
    (self.slotLimit, step) = (slotLimit, Self.day)
    width = Self.day
  }

  private static var day: Int64 { 86_400_000_000 }

  /// Counts one at the time of its record, or not at all where that is no time.
  mutating func add(_ key: Key, at time: String) {
    if let microseconds = ReportTime.microseconds(of: time) { add(key, at: microseconds) }
  }

  /// Counts one at a time in microseconds since 1970; one that is before the first, since a clock can be
  /// set back, counts with the first.
  mutating func add(_ key: Key, at microseconds: Int64) {
    let start = self.start ?? microseconds - (microseconds % step + step) % step
    self.start = start
    var index = max(0, microseconds &- start) / width
    while index >= Int64(slotLimit) {
      halve()
      index = max(0, microseconds &- start) / width
    }
    while slots.count <= Int(index) { slots.append([:]) }
    slots[Int(index)][key, default: 0] += 1
  }

  private mutating func halve() {
    width *= 2
    var merged: [[Key: Int]] = []
    for index in stride(from: 0, to: slots.count, by: 2) {
      var slot = slots[index]
      if index + 1 < slots.count { slot.merge(slots[index + 1], uniquingKeysWith: +) }
      merged.append(slot)
    }
    slots = merged
  }
}

/// The times of records.
enum ReportTime {
  /// Microseconds since 1970 of `2026-11-21T01:44:39.123456Z`; nil for any other form.
  static func microseconds(of time: String) -> Int64? {
    let bytes = Array(time.utf8)
    guard bytes.count == 27 else { return nil }
    func number(_ range: Range<Int>) -> Int64? {
      Int64(String(decoding: bytes[range], as: UTF8.self))
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      let fraction = number(20..<26), (1...12).contains(month), (1...31).contains(day),
      [year, hour, minute, second, fraction].allSatisfy({ $0 >= 0 })
    else { return nil }
    let days = CalendarTime.days(year: year, month: month, day: day)
    return ((days * 24 + hour) * 60 + minute) * 60_000_000 + second * 1_000_000 + fraction
  }
}

/// The accesses that a timeline counts.
package struct ReportAccess: Sendable, Hashable, Comparable {
  package var source: SourceID
  /// Whether it is a decision that refused the source; otherwise it is a file that was about to be opened.
  package var isRefusal: Bool

  /// Orders by source, the files first.
  package static func < (left: ReportAccess, right: ReportAccess) -> Bool {
    left.source == right.source ? !left.isRefusal && right.isRefusal : left.source < right.source
  }
}
