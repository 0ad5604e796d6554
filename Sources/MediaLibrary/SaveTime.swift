internal import Glibc
internal import MediaModel

/// When an asset was saved, in UTC: the name of its folder.
///
/// `2026-11-21/014439.123456` below `Originals`; no two assets of a library share one.
package struct SaveTime: Sendable, Hashable, Comparable, Codable {
  /// Since 1970-01-01 00:00 UTC.
  package var microseconds: Int64

  package init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The wall clock's time.
  package static var now: SaveTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return SaveTime(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }

  package static func < (lhs: SaveTime, rhs: SaveTime) -> Bool {
    lhs.microseconds < rhs.microseconds
  }

  private var calendar: CalendarTime { CalendarTime(microsecondsSince1970: microseconds) }

  /// `2026-11-21`
  package var date: String { calendar.date }

  /// `014439.123456`
  package var time: String { calendar.time(separator: "") }

  /// `2026-11-21/014439.123456`
  package var folder: String { date + "/" + time }

  /// `2026-11-21T01:44:39.123456Z`, as RFC 3339 writes it.
  package var timestamp: String { calendar.timestamp }
}
