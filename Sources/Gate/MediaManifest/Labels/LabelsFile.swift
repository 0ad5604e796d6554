package import MediaModel
internal import MediaSyntax

/// Labels that people gave to single files, from a comma-separated file.
///
/// A sample:
///
///     source,path,label
///     camera,100APPLE/IMG_0042.JPG,Harbour at dawn
///     library,2026/caf%E9.jpg,"Nets, drying"
package struct LabelsFile: Sendable, Hashable {
  /// A row of the file, which has several lines when its label has line breaks.
  package struct Row: Sendable, Hashable {
    package var source: SourceID
    package var path: ItemPath
    package var label: String
    /// 1-based, where the row starts.
    package var line: Int
  }

  /// In the order of the file.
  package var rows: [Row]
  /// The label of each file that has one.
  package var labels: [SourceID: [ItemPath: String]]

  /// 64 MiB.
  package static let maximumByteCount = 64 << 20
  /// The maximum number of rows behind the header.
  package static let maximumRowCount = 1_000_000

  /// Reads a labels file, or finds every error in it.
  ///
  /// Fields may be quoted and then hold commas, quotes (doubled) and line breaks; a line ends in
  /// CR LF or LF; the last line end may be missing. The path is relative to its source, with `%XX`
  /// for a byte that is not UTF-8.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - sources: Those of the manifest, which a row has by their names; the words of kinds of which it has none are known
  ///     besides.
  /// - Returns: The file, nil if and only if there are mistakes; their `path` takes the rows behind the
  ///   header for a list of objects: `$[0].label`.
  ///
  /// Source: RFC 4180.
  package static func read(
    _ bytes: [UInt8],
    sources: [SourceID] = []
  ) -> (file: LabelsFile?, issues: [ManifestIssue]) {
    var reader = LabelsReader(sources)
    guard bytes.count <= maximumByteCount else {
      reader.report(.tooLarge, "the file is larger than 64 MiB", line: 1)
      return (nil, reader.issues)
    }
    var parser = CSVParser(bytes)
    var isFirst = true
    while let record = parser.next() {
      if isFirst { reader.header(record) } else { reader.row(record) }
      isFirst = false
      if reader.file.rows.count > maximumRowCount {
        reader.report(.tooManyValues, "more than \(maximumRowCount) rows", line: record.line)
        break
      }
      if reader.isFull { break }
    }
    if isFirst { reader.header(CSVRecord(line: 1)) }
    return reader.issues.isEmpty ? (reader.file, []) : (nil, reader.issues)
  }
}

/// Checks one record after the other.
private struct LabelsReader {
  static let columns = ["source", "path", "label"]

  private(set) var issues: [ManifestIssue] = []
  private(set) var file = LabelsFile(rows: [], labels: [:])
  private let sources: [SourceID]
  private var lines: [SourceID: [ItemPath: Int]] = [:]
  /// The number of rows behind the header that were read.
  private var rowCount = 0

  init(_ sources: [SourceID]) {
    let undeclared = SourceKind.allCases.filter { kind in !sources.contains { $0.kind == kind } }
    self.sources = sources + undeclared.map { SourceID($0) }
  }

  var isFull: Bool { issues.count >= SyntaxIssue.maximumCount }

  mutating func report(
    _ code: ManifestIssueCode,
    _ message: String,
    line: Int,
    column: Int = 1,
    path: String = JSONPath.root,
    allowed: [String] = [],
    suggestion: String? = nil
  ) {
    guard !isFull else { return }
    issues.append(
      ManifestIssue(
        position: TextPosition(line: line, column: column),
        path: path,
        issue: ValueIssue(code, message, allowed: allowed, suggestion: suggestion)
      )
    )
  }

  mutating func header(_ record: CSVRecord) {
    if record.startsWithByteOrderMark {
      report(
        .byteOrderMark,
        "the file starts with a byte order mark; save it as UTF-8 without one",
        line: 1
      )
    }
    let isRight =
      record.fieldCount == Self.columns.count
      && zip(record.fields, Self.columns).allSatisfy { $0.bytes.elementsEqual($1.utf8) }
    if !isRight || record.issue != nil {
      report(
        .wrongHeader,
        "the first line has to be \"\(Self.columns.joined(separator: ","))\"",
        line: record.line
      )
    }
  }

  /// The path of a field of the current row, or of the row itself.
  private func fieldPath(_ column: Int? = nil) -> String {
    let row = JSONPath.element(JSONPath.root, rowCount)
    return column.map { JSONPath.member(row, Self.columns[$0]) } ?? row
  }

  mutating func row(_ record: CSVRecord) {
    defer { rowCount += 1 }
    if let issue = record.issue {
      report(.badQuote, issue, line: record.line, path: fieldPath())
      return
    }
    guard record.fieldCount == Self.columns.count else {
      report(
        .wrongFieldCount,
        record.isEmpty
          ? "an empty line"
          : "\(Quantity.text(record.fieldCount, "field")) where 3 are expected; a field with a "
            + "comma needs double quotes",
        line: record.line,
        path: fieldPath(),
        allowed: Self.columns
      )
      return
    }
    let source = self.source(record)
    let path = self.path(record)
    let label = self.label(record)
    guard let source, let path, let label else { return }
    if let first = lines[source, default: [:]].updateValue(record.line, forKey: path) {
      report(
        .duplicateRow,
        "a second label for \"\(path.text)\" of the \(source.displayName), which has one in line "
          + "\(first)",
        line: record.line,
        column: record.fields[1].column,
        path: fieldPath(1)
      )
      return
    }
    file.rows.append(LabelsFile.Row(source: source, path: path, label: label, line: record.line))
    file.labels[source, default: [:]][path] = label
  }

  /// The text of a field, or nil when it was reported.
  private mutating func text(_ record: CSVRecord, _ index: Int) -> String? {
    let field = record.fields[index]
    guard let text = String(validating: field.bytes, as: UTF8.self) else {
      report(
        .invalidUTF8,
        "the field is not UTF-8",
        line: record.line,
        column: field.column,
        path: fieldPath(index)
      )
      return nil
    }
    if field.bytes.contains(0) {
      report(
        .nul,
        "the field has a NUL byte",
        line: record.line,
        column: field.column,
        path: fieldPath(index)
      )
      return nil
    }
    return text
  }

  private mutating func source(_ record: CSVRecord) -> SourceID? {
    guard let text = text(record, 0) else { return nil }
    if let source = sources.first(where: { $0.isCalled(text) }) { return source }
    let words = sources.map(\.name)
    report(
      .unknownSource,
      "unknown source \(Spelling.quoted(text))",
      line: record.line,
      column: record.fields[0].column,
      path: fieldPath(0),
      allowed: words,
      suggestion: Spelling.nearest(to: text, among: words)
    )
    return nil
  }

  private mutating func path(_ record: CSVRecord) -> ItemPath? {
    guard let text = text(record, 1) else { return nil }
    let bytes = EscapedText.bytes(percentEscaped: text)
    let names = bytes.split(separator: UInt8.slash, omittingEmptySubsequences: false)
    let isSound =
      !bytes.contains(0)
      && names.allSatisfy { name in
        !name.isEmpty && !name.elementsEqual(".".utf8) && !name.elementsEqual("..".utf8)
      }
    if isSound { return ItemPath(bytes: bytes) }
    report(
      .invalidPath,
      "the path has to be relative to its source, without \"//\", \".\" and \"..\"",
      line: record.line,
      column: record.fields[1].column,
      path: fieldPath(1)
    )
    return nil
  }

  private mutating func label(_ record: CSVRecord) -> String? {
    guard let text = text(record, 2) else { return nil }
    if !Blank.isBlank(text) { return text }
    report(
      .invalidText,
      "the label is empty",
      line: record.line,
      column: record.fields[2].column,
      path: fieldPath(2)
    )
    return nil
  }
}
