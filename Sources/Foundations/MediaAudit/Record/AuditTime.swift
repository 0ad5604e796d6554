internal import MediaModel

/// An instant as a record says it: `2026-11-21T01:44:39.123456Z`.
///
/// Source: RFC 3339 section 5.6, always UTC, always six digits behind the point.
package struct AuditTime: Sendable, Hashable {
  /// Since 1970-01-01T00:00:00Z, without leap seconds.
  package var microseconds: Int64

  /// The system's clock, which a person may set back: the log's order is `seq`, never `time`.
  package static var now: AuditTime { AuditTime(microseconds: SaveTime.now.microseconds) }

  /// Whether it is in one of the years in which this program writes.
  var isWritten: Bool { SaveTime.years.contains(SaveTime(microseconds: microseconds).year) }

  /// 27 characters for the years 0 to 9999.
  package var text: String { CalendarTime(microsecondsSince1970: microseconds).timestamp }

  /// Whether a text is a time in the form of ``text``, of the years 1 to 9999.
  static func isTime(_ text: String) -> Bool {
    SaveTime(timestamp: text) != nil && !text.hasPrefix("0000")
  }
}
