package import MediaModel
package import MediaPredicate
package import MediaSyntax

/// What a manifest says of the clocks of the devices that made the files of one source.
package struct SourceDates: Sendable, Hashable {
  /// The name of a zone of the IANA time zone database; nil when nothing is said. Whether there is such a
  /// zone, the system knows.
  package var timeZone: String?
  /// The position of the zone's name in the manifest.
  package var timeZonePosition: TextPosition = .start
  /// Clocks that were wrong; the first that a file meets counts.
  package var shifts: [DateShift] = []
  /// Dates that a person states of files; the first whose pattern a file meets counts.
  package var about: [StatedDate] = []
}

/// A correction of dates that a wrong clock gave.
package struct DateShift: Sendable, Hashable {
  /// The most shifts of a source.
  static let maximumCount = 1000

  /// The seconds that are added.
  package var seconds = 0
  /// What a file meets whose date is corrected; nil for every file.
  package var predicate: FetchPredicate?
  /// The first date that is corrected, as the clock gave it: `yyyy-MM-dd` or `yyyy-MM-ddTHH:mm:ss`.
  package var from: String?
  /// The last date that is corrected, of the same form; a day is the whole of it.
  package var to: String?

  /// The shift in words, such as `+01:02:30 where camera == "TZ7" from 2019-07-01`.
  package var text: String {
    let conditions = [
      predicate.map { "where \($0.text)" }, from.map { "from \($0)" }, to.map { "to \($0)" },
    ]
    return ([ClockShift.text(seconds)] + conditions.compactMap(\.self)).joined(separator: " ")
  }

  /// Whether a date of a clock lies between the two dates.
  package func holds(_ date: CaptureDate) -> Bool {
    // Texts of this form are in the order of time.
    if let from, date.local < from.prefix(date.local.utf8.count) { return false }
    if let to, date.local.prefix(to.utf8.count) > to { return false }
    return true
  }

  /// Whether a date that a file's clock gave is corrected.
  ///
  /// - Parameters:
  ///   - date: The date.
  ///   - value: The values of the file.
  /// - Returns: Whether it lies between the two dates, and the file meets the condition.
  package func applies(
    to date: CaptureDate,
    _ value: (PredicateKey) -> PredicateValue
  ) -> Bool {
    holds(date) && predicate?.matches(value) ?? true
  }
}

extension SourceDates {
  /// The issue of a time zone that the system does not have.
  package func unknownTimeZone(_ name: String, at path: String) -> ManifestIssue {
    ManifestIssue(
      position: timeZonePosition,
      path: path + ".dates.timeZone",
      issue: ValueIssue(
        .unknownValue,
        "the system's time zone database (package tzdata) has no \"\(name)\"; names are such as "
          + "\"Europe/Berlin\""
      )
    )
  }
}
