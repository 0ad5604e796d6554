internal import MediaLibrary
package import MediaModel

/// Where an export puts the files of an asset: a path without an ending, with fields in braces.
///
///     {saved:yyyy}/{saved:yyyy-MM-dd}/{label}      2026/2026-11-21/IMG_0042
///
/// The fields are `{label}`, `{number}` or `{number:6}` (the place in the export, with so many digits),
/// `{album}` (a folder of the source, with the folders that it lies in, or a title), `{source}`, and the dates
/// `{saved:PATTERN}` and `{created:PATTERN}`; see ``DatePattern``. A folder whose name would be empty is left
/// out, so that assets of no album lie where the others have theirs.
package struct ExportLayout: Sendable, Hashable, CustomStringConvertible {
  /// The layout of an export for which no other one is named.
  package static let standard = "{saved:yyyy}/{saved:yyyy-MM-dd}/{label}"

  private static let allowed = [
    "{label}", "{number}", "{number:6}", "{album}", "{source}", "{saved:yyyy-MM-dd}",
    "{created:yyyy-MM-dd}",
  ]

  private enum Part: Sendable, Hashable {
    case text(String)
    case label
    case number(digits: Int)
    case album
    case source
    case saved(DatePattern)
    case created(DatePattern)
  }

  /// The values of an asset for the fields.
  package struct Values: Sendable, Hashable {
    package var label: String
    /// 1-based.
    package var number: Int
    /// Names of folders, the outermost first; empty for no album.
    package var album: [String]
    package var source: String
    /// `yyyy-MM-ddTHH:mm:ss` in UTC.
    package var saved: String
    /// In local time; nil when it is not known.
    package var created: String?

    package init(
      label: String,
      number: Int,
      album: [String] = [],
      source: String,
      saved: String,
      created: String? = nil
    ) {
      (self.label, self.number, self.album) = (label, number, album)
      (self.source, self.saved, self.created) = (source, saved, created)
    }
  }

  /// The notation.
  package let description: String
  private var parts: [Part] = []

  /// Parses the notation.
  ///
  /// - Throws: ``TemplateMistake`` for an unknown field, a mistake in a date, or a last part that would be
  ///   the same for all assets.
  package init(_ text: String) throws(TemplateMistake) {
    description = text
    for part in try FieldTemplate(text).parts {
      switch part {
      case .text(let text): parts.append(.text(text))
      case .field(let name, let argument): parts.append(try Self.field(name, argument))
      }
    }
    let end = parts.lastIndex { part in
      if case .text(let text) = part { text.utf8.contains(UInt8.slash) } else { false }
    }
    let tells = parts[((end ?? -1) + 1)...].contains { part in
      switch part {
      case .label, .number: true
      default: false
      }
    }
    guard tells else {
      throw TemplateMistake("the last part names the file, so it needs {label} or {number}")
    }
  }

  private static func field(_ name: String, _ argument: String?) throws(TemplateMistake) -> Part {
    switch (name, argument) {
    case ("label", nil): return .label
    case ("album", nil): return .album
    case ("source", nil): return .source
    case ("number", let digits): return .number(digits: try FieldTemplate.digits(digits))
    case ("saved", let pattern): return .saved(try FieldTemplate.date(pattern))
    case ("created", let pattern): return .created(try FieldTemplate.date(pattern))
    case ("label", _), ("album", _), ("source", _): throw FieldTemplate.withoutColon(name)
    default:
      throw TemplateMistake("unknown field \"\(EscapedText.printable(name, limit: 40))\"", allowed: allowed)
    }
  }

  /// Whether paths have names of albums.
  package var namesAlbums: Bool { parts.contains(.album) }

  /// Whether paths tell when a picture was taken.
  package var namesCreationDates: Bool {
    parts.contains { part in
      if case .created = part { true } else { false }
    }
  }

  /// The folders of an asset, and the name of its files without an ending; each is safe as a name.
  package func path(of values: Values) -> (folders: [String], name: String) {
    /// Names that were not yet made safe; `/` in a literal begins a new one.
    var names = [""]
    func add(_ text: String) {
      let pieces = text.split(separator: "/", omittingEmptySubsequences: false)
      names[names.count - 1] += pieces[0]
      names += pieces.dropFirst().map(String.init)
    }
    for part in parts {
      switch part {
      case .text(let text): add(text)
      case .label: names[names.count - 1] += Self.component(values.label)
      case .number(let digits):
        add(PaddedNumber.text(values.number, width: digits))
      case .album: add(values.album.map(Self.component).joined(separator: "/"))
      case .source: add(values.source)
      case .saved(let pattern): add(pattern.text(of: values.saved) ?? Self.undated)
      case .created(let pattern):
        add(values.created.flatMap { pattern.text(of: $0) } ?? Self.undated)
      }
    }
    let last = names.removeLast()
    // The year and the month of an unknown date are one folder.
    var folders: [String] = []
    for name in names where !name.allSatisfy(\.isWhitespace) {
      let folder = Label(name).text
      if folder != Self.undated || folders.last != folder { folders.append(folder) }
    }
    return (folders, Label(last).text)
  }

  private static let undated = "undated"

  /// A name in which `/` begins no folder.
  private static func component(_ name: String) -> String {
    String(name.map { $0 == "/" ? "-" : $0 })
  }
}
