internal import MediaModel
internal import MediaPredicate
internal import MediaSyntax

/// The keys of a clock that was wrong.
enum ShiftKeys {
  private typealias Key = ManifestKey<DateShift>

  private static var all: ObjectKeys<DateShift> {
    ObjectKeys(
      blank: DateShift(),
      keys: [
        Key("by", \.seconds, .clockShift, changed: "").required(such: #""+01:00""#),
        Key("where", \.predicate, .optional(.predicate), changed: ""),
        Key("from", \.from, .optional(.localTime), changed: ""),
        Key("to", \.to, .optional(.localTime), changed: ""),
      ],
      check: { checker, object, shift in
        guard let from = shift.from, let to = shift.to, let field = object["to"],
          from > to, !from.hasPrefix(to)
        else { return }
        checker.report(.outOfRange, "\"to\" is before \"from\"", at: field)
      }
    )
  }

  /// A list of clocks that were wrong.
  static var list: ValueType<[DateShift]> {
    all.list(.shifts, limit: DateShift.maximumCount, of: "shifts") { shift in
      [
        ("by", ClockShift.text(shift.seconds)), ("where", shift.predicate?.text),
        ("from", shift.from), ("to", shift.to),
      ]
    }
  }
}

extension ValueType<Int> {
  /// By how much a clock was wrong, in seconds.
  fileprivate static var clockShift: Self {
    Self(.anyText, json: { ComparisonText.quoted(ClockShift.text($0)) }) { checker, field in
      guard let text = checker.text(field, limit: 255) else { return nil }
      if let seconds = ClockShift.seconds(text) { return seconds }
      checker.report(
        .invalidText,
        "a time with a sign is expected, such as \"+01:02:30\" or \"-26280:00\": hours of at most "
          + "six digits, minutes and seconds that are added",
        at: field
      )
      return nil
    }
  }
}

extension ValueType<String> {
  /// A local time, or a day.
  fileprivate static var localTime: Self {
    Self(shape: .anyText, read: readLocalTime, json: ComparisonText.quoted) { $0 == $1 }
  }

  private static func readLocalTime(_ checker: inout ManifestChecker, _ field: Field) -> String? {
    guard let text = checker.text(field, limit: 255) else { return nil }
    let seconds = CivilDate.seconds(text).flatMap(CivilDate.local)
    if let seconds, text.utf8.count >= 10, seconds.hasPrefix(text) { return text }
    checker.report(
      .invalidText,
      "a local time is expected, such as \"2019-07-04\" or \"2019-07-04T10:15:30\"",
      at: field
    )
    return nil
  }
}
