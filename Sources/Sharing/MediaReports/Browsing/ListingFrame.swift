internal import MediaLibrary
internal import MediaModel
internal import MediaSyntax

/// A list that is written entry by entry, in any of the formats.
struct ListingFrame {
  private let format: ListingFormat
  private let sink: ReportSink
  private let paths: PathWriter
  /// The names that were written, where names are.
  private var names: Set<String> = []
  private var object: JSONPieces?
  private var array: JSONPieces?

  /// Writes what comes before the first entry.
  ///
  /// - Parameters:
  ///   - name: The name of the list in JSON.
  ///   - format: How.
  ///   - library: The library's path as it was given, before which paths stand.
  ///   - sink: Where to.
  ///   - table: The first line of a table.
  ///   - csv: The cells of the first line.
  init(
    of name: String,
    _ format: ListingFormat,
    library: [UInt8],
    to sink: ReportSink,
    table: String,
    csv: [String]
  ) {
    self.format = format
    self.sink = sink
    paths = PathWriter(library: library, isTerminatedByNUL: format == .paths0, to: sink)
    switch format {
    case .table: sink.text(table)
    case .csv: sink.text(CSVReport.line(csv))
    case .json:
      var object = JSONPieces.object(sink)
      object.begin(name)
      array = JSONPieces.array(sink)
      self.object = object
    case .ndjson, .paths, .paths0, .lightroom: break
    }
  }

  /// Writes an entry, of which only the format that is wanted is made.
  ///
  /// - Parameters:
  ///   - table: Whole lines.
  ///   - csv: The cells of each line.
  ///   - object: The object of JSON.
  ///   - paths: Those of its files, below the library.
  ///   - assets: Those whose names are wanted.
  mutating func add(
    table: () -> [String],
    csv: () -> [[String]],
    object: () -> JSONValue,
    paths: () -> [String],
    assets: () -> [ListedAsset]
  ) {
    switch format {
    case .table: for line in table() { sink.text(line) }
    case .csv: for cells in csv() { sink.text(CSVReport.line(cells)) }
    case .json: array?.add(object())
    case .ndjson:
      sink.value(object())
      sink.text("\n")
    case .paths, .paths0: for path in paths() { add(path: path) }
    case .lightroom: for asset in assets() { add(name: asset.originalName ?? asset.label) }
    }
  }

  private mutating func add(name: String) {
    let isFirst = names.isEmpty
    guard names.insert(name).inserted else { return }
    sink.text(isFirst ? name : ", " + name)
  }

  /// Writes a path below the library, in a list of paths alone.
  func add(path: String) { paths.add(path) }

  /// Writes what comes behind the last entry.
  ///
  /// - Parameter schema: The schema that the object of JSON names.
  /// - Throws: The first error of writing.
  mutating func finish(schema: String) throws {
    if !names.isEmpty { sink.text("\n") }
    if var object {
      array?.close()
      object.add("schema", .string(schema))
      object.close()
      sink.text("\n")
    }
    try sink.finish()
  }
}
