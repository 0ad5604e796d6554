package import MediaModel

/// How the label of an asset is made from what is known about it.
///
/// Text stands for itself, `{{` and `}}` for a brace; `{originalName}`, `{source}`, `{number}` or
/// `{number:4}` (digits, padded with zeros), `{creationDate}` or `{creationDate:yyyy-MM-dd}`. A
/// date pattern knows `yyyy`, `MM`, `dd`, `HH`, `mm`, `ss`; every other letter has to stand in
/// `'…'`.
///
/// A rendered sample: `2026-11-21 IMG_0042`.
///
/// Source: Unicode Technical Standard 35, part 4, date field symbols, of which this is a part.
package struct LabelTemplate: Sendable, Hashable {
  /// The maximum length in Unicode scalars.
  package static let maximumLength = 1000
  /// The label of a capture without a date.
  package static let undated = "undated"

  /// The text in the manifest.
  package var text: String
  var parts: [Part]

  enum Part: Sendable, Hashable {
    case text(String)
    case originalName
    case source
    case number(digits: Int)
    case creationDate(DatePattern)
  }

  /// Parses the notation.
  ///
  /// - Throws: ``ValueIssue`` `.invalidTemplate`: empty, an unknown field, a brace that is not
  ///   closed, a date pattern that is not known, a `/`.
  package init(_ text: String) throws(ValueIssue) {
    self.text = text
    parts = try LabelTemplateParser.parse(text)
  }

  /// Whether labels tell when a picture was taken, whatever is stripped from it.
  package var publishesCreationDate: Bool {
    parts.contains { part in
      if case .creationDate = part { true } else { false }
    }
  }

  /// Whether labels tell what the source's file was called.
  package var publishesOriginalName: Bool { parts.contains(.originalName) }

  /// Whether labels tell the number of their item in the run.
  package var publishesNumber: Bool {
    parts.contains { part in
      if case .number = part { true } else { false }
    }
  }

  /// Whether labels tell which item of the run they belong to, by its name or its number.
  package var publishesItem: Bool { publishesNumber || publishesOriginalName }

  /// The label as text; pure. It is not yet safe as a file name: the library sees to that.
  ///
  /// - Parameters:
  ///   - originalName: The source file's name without its extension, escaped.
  ///   - creationDate: Taken as it is, in the capture's own local time; nil gives `undated`, and so
  ///     does a date without a time of day where the pattern has only that.
  ///   - source: Written as in the manifest.
  ///   - number: Which item of the run this is, 1-based.
  /// - Returns: Text of any length, with whatever characters the original name has.
  package func render(
    originalName: String,
    creationDate: CaptureDate?,
    source: SourceKind,
    number: Int
  ) -> String {
    var label = ""
    for part in parts {
      switch part {
      case .text(let text): label += text
      case .originalName: label += originalName
      case .source: label += source.rawValue
      case .number(let digits): label += PaddedNumber.text(number, width: digits)
      case .creationDate(let pattern):
        label += creationDate.flatMap { pattern.text(of: $0.local) } ?? Self.undated
      }
    }
    return label
  }
}
