internal import MediaLibrary
internal import MediaModel
internal import MediaSyntax

/// A list that is written entry by entry, in any of the formats.
struct ListingFrame {
  let form: ListingForm
  private let sink: ReportSink
  /// The bytes of the names that were written, where names are: two that look the same may be those of two files.
  private var names: Set<[UInt8]> = []
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
    form = ListingForm(format, library: library)
    self.sink = sink
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

  /// Writes an entry that ``form`` has made.
  mutating func add(_ entry: ListingEntry) {
    if form.format == .json {
      array?.add(serialized: entry.bytes)
    } else {
      sink.bytes(entry.bytes)
    }
    for name in entry.names { add(name: name) }
  }

  private mutating func add(name: String) {
    let isFirst = names.isEmpty
    guard names.insert(Array(name.utf8)).inserted else { return }
    sink.text(isFirst ? name : ", " + name)
  }

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
