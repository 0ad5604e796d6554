package import MediaModel
internal import MediaSyntax

/// The date that a person states of the files of a source whose paths meet a pattern.
package struct StatedDate: Sendable, Hashable {
  /// The most of a source.
  static let maximumCount = 10_000

  /// Which files it is of, relative to the source's folder; nil of one with a mistake alone.
  package var pattern: SelectionPattern?
  /// The date; nil of one with a mistake alone.
  package var date: AboutDate?

  /// It in words, such as `Scans/1978/**: 1978~`.
  package var text: String { "\(pattern?.text ?? ""): \(date?.text ?? "")" }
}

extension SourceDates {
  /// The date that a person stated of a file: that of the first pattern which its path meets.
  package func about(_ path: ItemPath) -> AboutDate? {
    about.first { $0.pattern?.matches(path) == true }?.date
  }
}

/// The keys of a date that a person states.
enum AboutKeys {
  private typealias Key = ManifestKey<StatedDate>

  private static var all: ObjectKeys<StatedDate> {
    ObjectKeys(
      blank: StatedDate(),
      keys: [
        Key("path", \.pattern, .optional(.pattern), changed: "").required(such: #""Scans/1978/**""#),
        Key("date", \.date, .optional(.aboutDate), changed: "").required(such: #""1978~""#),
      ]
    )
  }

  /// A list of dates that a person states.
  static var list: ValueType<[StatedDate]> {
    all.list(.statedDates, limit: StatedDate.maximumCount, of: "dates") { stated in
      [("path", stated.pattern?.text ?? ""), ("date", stated.date?.text ?? "")]
    }
  }
}

extension ValueType<SelectionPattern> {
  /// A pattern relative to the source's folder.
  fileprivate static var pattern: Self {
    Self(.anyText, json: { ComparisonText.quoted($0.text) }) { checker, field in
      checker.text(field) { text throws(ValueIssue) in try SelectionPattern(text) }
    }
  }
}

extension ValueType<AboutDate> {
  fileprivate static var aboutDate: Self {
    Self(.anyText, json: { ComparisonText.quoted($0.text) }) { checker, field in
      guard let text = checker.text(field, limit: 255) else { return nil }
      if let date = AboutDate(text) { return date }
      checker.report(
        .invalidText,
        "a year, a month or a day is expected, such as \"1978\", \"1978-06\" or \"1978-06-05\", with \"~\" behind it "
          + "where it is approximate",
        at: field
      )
      return nil
    }
  }
}
