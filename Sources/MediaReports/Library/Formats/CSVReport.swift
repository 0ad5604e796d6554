internal import MediaAudit
internal import MediaModel

/// A report for a spreadsheet: a row for each decision and each item, or one that says that it is about
/// nothing.
///
/// Lines end with CR LF and every cell is quoted. A cell that a spreadsheet would calculate begins
/// with an apostrophe; everything behind it is the text.
///
/// Source: RFC 4180; OWASP, "CSV Injection".
package enum CSVReport {
  /// The first row.
  package static let columns = [
    "kind", "run", "time", "seq", "source", "path", "outcome", "count", "reason", "step", "message",
    "asset", "role", "output", "bytes", "sha256", "sourceSHA256", "sourceHMAC", "metadataPolicy",
    "removed", "thumbnails", "degraded", "recovered", "authorizationStatus", "required", "usageKey",
    "usageText",
  ]

  /// - Throws: `AuditError` when the log cannot be read, or the sink's error.
  package static func write(_ model: ReportModel, to sink: ReportSink) throws {
    sink.text(line(columns))
    if model.isAboutNothing {
      sink.text(
        line([
          "kind": "report", "time": model.made, "outcome": model.result.rawValue,
          "reason": "no-run", "message": ReportWording.nothing(model.scope),
        ])
      )
    }
    for run in model.runs {
      for permission in run.permissions { sink.text(row(permission, of: run)) }
      try model.forEachItem(of: run) { sink.text(row($0)) }
      for permission in run.permissions {
        for group in permission.totals.groups {
          sink.text(row(group.count, group.outcome, of: permission.source, in: run))
        }
      }
    }
    try sink.finish()
  }

  /// Returns a cell in the form of the file.
  static func cell(_ text: String) -> String {
    let start = text.unicodeScalars.first { !$0.properties.isWhitespace }
    let isFormula = start.map { "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains($0) }
    var cell = isFormula == true ? "\"'" : "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { cell.unicodeScalars.append(scalar) }
      cell.unicodeScalars.append(scalar)
    }
    return cell + "\""
  }

  /// Returns a row.
  static func line(_ cells: [String]) -> String {
    cells.map(cell).joined(separator: ",") + "\r\n"
  }

  private static func line(_ cells: [String: String]) -> String {
    line(columns.map { cells[$0] ?? "" })
  }

  private static func row(_ permission: ReportPermission, of run: ReportRun) -> String {
    line([
      "kind": "decision", "run": run.identifier, "time": run.started,
      "source": permission.source.rawValue, "path": permission.path ?? "",
      "outcome": permission.verdict.rawValue, "reason": permission.reason.rawValue,
      "message": ReportWording.permission(permission),
      "authorizationStatus": permission.authorizationStatus.name,
      "required": "\(permission.required)", "usageKey": permission.usageKey,
      "usageText": permission.usageText ?? "",
    ])
  }

  private static func row(_ item: ReportItem) -> String {
    line([
      "kind": "item", "run": item.run, "time": item.time, "seq": "\(item.sequence)",
      "source": item.source.rawValue, "path": item.shownPath, "outcome": item.outcome.rawValue,
      "count": "1", "reason": item.reason?.rawValue ?? "", "step": item.step?.rawValue ?? "",
      "message": item.message ?? "", "asset": item.asset ?? "", "role": item.role?.rawValue ?? "",
      "output": item.output.map { ReportText.path($0.path.bytes) } ?? "",
      "bytes": item.output.map { "\($0.bytes)" } ?? "", "sha256": item.output?.sha256 ?? "",
      "sourceSHA256": item.sourceSHA256 ?? "", "sourceHMAC": item.sourceHMAC ?? "",
      "metadataPolicy": item.metadataPolicy?.rawValue ?? "",
      "removed": ReportWording.removed(item.removed),
      "thumbnails": item.thumbnails.map(\.name).joined(separator: " "),
      "degraded": item.degraded ? "true" : "", "recovered": item.recovered ? "true" : "",
    ])
  }

  /// Items that have no record of their own.
  private static func row(
    _ count: Int,
    _ outcome: ItemOutcome,
    of source: SourceKind,
    in run: ReportRun
  ) -> String {
    line([
      "kind": "items", "run": run.identifier, "time": run.ended, "source": source.rawValue,
      "outcome": outcome.rawValue, "count": "\(count)",
    ])
  }
}
