internal import MediaAudit
internal import MediaModel

/// A report for a spreadsheet: a row for each question to a person, each decision, each item and each other file
/// that was opened, or one that says that it is about nothing.
///
/// Lines end with CR LF and every cell is quoted. A cell that a spreadsheet would calculate begins
/// with an apostrophe; everything behind it is the text.
///
/// Source: RFC 4180; OWASP, "CSV Injection".
package enum CSVReport {
  /// The first row: the fields of an item that reports have, each with what is told only here behind it.
  package static let columns: [String] =
    ["kind", "run", "time", "seq"]
    + Outcome.fields(in: .report).flatMap { columns(of: $0) + (besides[$0.name] ?? []) }
    + ["authorizationStatus", "required", "usageKey", "usageText", "user", "host", "signedBy"]

  private static let besides = ["outcome": ["count"], "step": ["message"]]

  /// - Throws: `AuditError` when the log cannot be read, or the sink's error.
  package static func write(_ model: ReportModel, to sink: ReportSink) throws {
    sink.text(line(columns))
    if model.isAboutNothing {
      sink.text(
        line([
          "kind": "report", "time": model.creationTime, "outcome": model.result.rawValue,
          "reason": "no-run", "message": ReportWording.nothing(model.scope),
        ])
      )
    }
    for run in model.runs {
      for question in run.questions { sink.text(row(question, of: run)) }
      for permission in run.permissions { sink.text(row(permission, of: run)) }
      for row in try writeItems(of: run, model, to: sink) { sink.text(row) }
      for permission in run.permissions {
        for group in permission.totals.groups {
          sink.text(row(group.count, group.outcome, of: permission.source, in: run))
        }
      }
    }
    try sink.finish()
  }

  /// Whole rows as a terminal may show them. A file and a pipe get the texts as they are.
  package static func shown(_ rows: [UInt8]) -> [UInt8] {
    let rows = String(decoding: rows, as: UTF8.self).split(
      separator: "\r\n",
      omittingEmptySubsequences: false
    )
    return Array(rows.map { EscapedText.printable(String($0)) }.joined(separator: "\r\n").utf8)
  }

  /// Returns a cell in the form of the file.
  static func cell(_ text: String) -> String {
    let start = text.unicodeScalars.first { !$0.properties.isWhitespace }
    let isFormula = start.map { "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains($0) }
    var cell = isFormula == true && !isNegativeNumber(text) ? "\"'" : "\""
    guard text.utf8.contains(UInt8(ascii: "\"")) else { return cell + text + "\"" }
    for scalar in text.unicodeScalars {
      if scalar == "\"" { cell.unicodeScalars.append(scalar) }
      cell.unicodeScalars.append(scalar)
    }
    return cell + "\""
  }

  /// Whether a text is a minus sign and a number with digits and at most one point, such as a longitude, which is a value.
  private static func isNegativeNumber(_ text: String) -> Bool {
    let digits = text.utf8.dropFirst()
    let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return text.utf8.first == UInt8(ascii: "-") && parts.count <= 2
      && parts.allSatisfy { part in !part.isEmpty && part.allSatisfy(\.isASCIIDigit) }
  }

  /// Returns a row.
  static func line(_ cells: [String]) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1024)
    let mark = UInt8(ascii: "\"")
    for var text in cells {
      let isPlain = text.withUTF8 { text in
        guard text.first?.isASCIIAlphanumeric != false, !text.contains(mark) else { return false }
        bytes.append(mark)
        bytes.append(contentsOf: text)
        bytes.append(mark)
        return true
      }
      if !isPlain { bytes.append(contentsOf: cell(text).utf8) }
      bytes.append(UInt8.comma)
    }
    // In the place of the last comma.
    return String(decoding: bytes.dropLast(), as: UTF8.self) + "\r\n"
  }

  private static func line(_ cells: [String: String]) -> String {
    line(columns.map { cells[$0] ?? "" })
  }

  /// The count is that of the names that were shown.
  private static func row(_ question: ReportQuestion, of run: ReportRun) -> String {
    var message = ReportWording.question(question)
    if let selection = ReportWording.selection(question) {
      message += " " + selection + question.files.joined(separator: ", ")
    }
    return line([
      "kind": "question", "run": run.identifier, "time": question.time,
      "source": question.source.kind.rawValue, "sourceName": question.source.name,
      "outcome": question.answer?.rawValue ?? "",
      "reason": question.basis ?? "", "count": question.shownCount.map { "\($0)" } ?? "",
      "message": message, "user": run.user, "host": run.host,
    ])
  }

  private static func row(_ permission: ReportPermission, of run: ReportRun) -> String {
    line([
      "kind": "decision", "run": run.identifier, "time": run.started,
      "source": permission.source.kind.rawValue, "sourceName": permission.source.name,
      "path": permission.path ?? "",
      "outcome": permission.verdict.rawValue, "reason": permission.reason.rawValue,
      "message": ReportWording.permission(permission),
      "authorizationStatus": permission.authorizationStatus.name,
      "required": "\(permission.required)", "usageKey": permission.usageKey,
      "usageText": permission.usageText ?? "", "user": run.user, "host": run.host,
      "signedBy": permission.signature?.signedBy ?? "",
    ])
  }

  static func row(_ item: ReportItem) -> String {
    var row = [
      "kind": "item", "run": item.run, "time": item.time, "seq": "\(item.sequence)", "count": "1",
      "message": item.message ?? "",
    ]
    for field in Outcome.fields(in: .report) {
      for (column, text) in zip(columns(of: field), cells(of: field.form, in: item.details)) {
        row[column] = text
      }
    }
    return line(row)
  }

  /// The columns of a field: three of a file.
  static func columns(of field: Outcome.NamedField) -> [String] {
    if case .file = field.form { [field.name, "bytes", "sha256"] } else { [field.name] }
  }

  private static func cells(of form: Outcome.Form, in item: Outcome) -> [String] {
    switch form {
    case .word(let word): [word.text(item) ?? ""]
    case .text(let text): [item[keyPath: text] ?? ""]
    case .flag(let flag): [item[keyPath: flag] ? "true" : ""]
    case .digest(let digest): [item[keyPath: digest].map { Hexadecimal.text($0) } ?? ""]
    case .file(let file):
      item[keyPath: file].map { [ReportText.path($0.path.bytes), "\($0.bytes)", $0.sha256] } ?? []
    case .path: [ReportText.path(item.path.bytes)]
    case .sourceDigest(let isKeyed): [ReportWording.sourceDigest(of: item, isKeyed: isKeyed) ?? ""]
    case .removed: [ReportWording.removed(item.removed)]
    case .mutedTracks: [item.mutedTrackCount.map { "\($0)" } ?? ""]
    case .trailerRemoved: [item.isTrailerRemoved ? "true" : ""]
    case .thumbnails: [item.thumbnails.map(\.name).joined(separator: " ")]
    }
  }

  /// Writes the rows of the items of a run.
  ///
  /// - Returns: The rows of the other files that were opened, in the order of the log: archives, tracks and
  ///   databases, and what a run that was stopped has said no outcome of. None in a report on one asset.
  /// - Throws: `AuditError` when the log cannot be read.
  private static func writeItems(
    of run: ReportRun,
    _ model: ReportModel,
    to sink: ReportSink
  ) throws(AuditError) -> [String] {
    var opened: [SourceID: [ItemPath: AuditEntry]] = [:]
    try model.forEachRecord(of: run) { entry in
      guard let source = entry.source, let path = entry.path else { return }
      // The second record of a track tells what the first one opened.
      if entry.event == .access, !model.isAboutAsset,
        entry.body(of: AuditAccess.self)?.sha256 == nil
      {
        opened[source, default: [:]][path] = entry
      } else if entry.event == .outcome {
        opened[source]?[path] = nil
      }
    } item: {
      sink.text(row($0))
    }
    return opened.values.flatMap(\.values).sorted { $0.sequence < $1.sequence }.map { entry in
      let access: AuditAccess? = entry.body()
      return line([
        "kind": "access", "run": run.identifier, "time": entry.shownTime,
        "seq": "\(entry.sequence)", "source": entry.source?.kind.rawValue ?? "",
        "sourceName": entry.source?.name ?? "",
        "path": entry.path.map { ReportText.path($0.bytes) } ?? "",
        "bytes": access.map { "\(Int($0.size).bounded)" } ?? "",
        "message": ReportWording.record(entry) ?? "",
      ])
    }
  }

  /// Items that have no record of their own.
  private static func row(
    _ count: Int,
    _ outcome: ItemOutcome,
    of source: SourceID,
    in run: ReportRun
  ) -> String {
    line([
      "kind": "items", "run": run.identifier, "time": run.ended, "source": source.kind.rawValue,
      "sourceName": source.name, "outcome": outcome.rawValue, "count": "\(count)",
    ])
  }
}
