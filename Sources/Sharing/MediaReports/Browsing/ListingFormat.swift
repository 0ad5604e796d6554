internal import MediaModel
internal import MediaSyntax

/// The formats in which assets and albums are listed.
package enum ListingFormat: String, CaseIterable, Sendable {
  case table
  /// Exactly one object.
  case json
  /// An object a line.
  case ndjson
  case csv
  /// A path a line, with the bytes that it has.
  case paths
  /// Paths that end with a NUL each.
  case paths0
  /// The names of the sources' files without extensions, each once, in one line with a comma and a space between: the
  /// filters of Lightroom and Capture One find a raw file by the same name as its JPEG.
  case lightroom

  /// Whether nothing but paths is printed.
  package var hasPathsAlone: Bool { self == .paths || self == .paths0 }
}

/// How an entry of a list becomes bytes, which any thread can do.
struct ListingForm: Sendable {
  let format: ListingFormat
  private let prefix: [UInt8]

  /// - Parameters:
  ///   - format: How.
  ///   - library: The library's path as it was given, before which paths stand.
  init(_ format: ListingFormat, library: [UInt8]) {
    self.format = format
    prefix = library.last == .slash ? library : library + [UInt8.slash]
  }

  /// Makes an entry, of which only the format that is wanted is made.
  ///
  /// - Parameters:
  ///   - table: Whole lines.
  ///   - csv: The cells of each line.
  ///   - object: The object of JSON.
  ///   - paths: Those of its files, below the library.
  ///   - assets: Those whose names are wanted.
  /// - Returns: The entry.
  func entry(
    table: () -> [String],
    csv: () -> [[String]],
    object: () -> JSONValue,
    paths: () -> [String],
    assets: () -> [ListedAsset]
  ) -> ListingEntry {
    switch format {
    case .table: ListingEntry(bytes: table().flatMap(\.utf8))
    case .csv: ListingEntry(bytes: csv().flatMap { CSVReport.line($0).utf8 })
    case .json: ListingEntry(bytes: object().displayed)
    case .ndjson: ListingEntry(bytes: object().displayed + [UInt8.newline])
    case .paths, .paths0: entry(paths: paths())
    case .lightroom: ListingEntry(names: assets().map { $0.originalName ?? $0.label })
    }
  }

  /// Makes an entry of paths of files below the library.
  func entry(paths: [String]) -> ListingEntry {
    let end = format == .paths0 ? 0 : UInt8.newline
    var entry = ListingEntry()
    for path in paths {
      entry.bytes += prefix
      entry.bytes += path.utf8
      entry.bytes.append(end)
    }
    return entry
  }
}

/// An entry of a list as it is written.
package struct ListingEntry: Sendable {
  var bytes: [UInt8] = []
  /// The names, each of which is written once.
  var names: [String] = []
}
