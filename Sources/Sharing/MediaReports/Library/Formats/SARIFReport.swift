internal import MediaAudit
internal import MediaModel
internal import MediaSyntax

/// A report for code scanning: each finding at the line of the audit file that says so.
///
/// A manifest's mistakes are at their own lines, from `check --format sarif`; this is what came of a
/// manifest that was good.
package enum SARIFReport {
  /// The newest runs of which the log's properties say who acted and who signed.
  private static let runLimit = 100

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
    let runs = model.runs.suffix(runLimit).map { run in
      [
        "run": .string(run.identifier), "user": .string(run.user), "host": .string(run.host),
        "signature": run.signature?.json ?? .null,
      ] as JSONValue
    }
    sink.value(SARIFLog(tool: model.tool, results: results, properties: ["runs": .array(runs)]).value)
    sink.text("\n")
    try sink.finish()
  }
}
