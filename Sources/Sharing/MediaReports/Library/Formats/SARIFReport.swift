internal import MediaModel

/// A report for code scanning: each finding at the line of the audit file that says so.
///
/// A manifest's mistakes are at their own lines, from `check --format sarif`; this is what came of a
/// manifest that was good.
package enum SARIFReport {
  /// - Throws: The sink's error.
  package static func write(_ model: ReportModel, to sink: ReportSink) throws {
    let results = model.findings.map { finding in
      SARIFLog.Result(
        rule: finding.code,
        level: SARIFLog.Result.Level(rawValue: finding.level.rawValue) ?? .note,
        message: finding.message,
        path: Array("Audit/\(finding.file ?? model.auditFiles.last?.file ?? "")".utf8),
        line: finding.line,
        identity: finding.identity
      )
    }
    sink.value(SARIFLog(tool: model.tool, results: results).value)
    sink.text("\n")
    try sink.finish()
  }
}
