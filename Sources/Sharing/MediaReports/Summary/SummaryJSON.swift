package import MediaModel
package import MediaSyntax

/// The summary of a run for a program: exactly one JSON object.
///
///     {"audit":{"file":"Audit/000001-7d2c91f0.ndjson","head":"5f1c…","records":1084},
///      "counts":{"discovered":532,"duplicate":0,"failed":2,"imported":520,"refused":0,"skipped":0,
///      "unchanged":10,"unsupported":0},"elapsedSeconds":11.042,"enforcement":"kernel","exitCode":3,…}
///
/// Described by `Manifests/summary.schema.json`.
package enum SummaryJSON {
  /// The name and version of the shape.
  package static let schema = "mediabatch.run/1"

  /// The report in the shape of `mediabatch.run/1`; `audit` is null when the run wrote no log.
  ///
  /// Paths are percent-escaped where a byte is not printable, so that they can be read back; other
  /// text has its control and format characters escaped.
  package static func object(_ report: RunReport) -> JSONValue {
    guard case .object(var members) = always(report), let added = report.addedToPhotoLibrary else {
      return always(report)
    }
    members["addedToPhotoLibrary"] = JSONValue(added)
    return .object(members)
  }

  private static func always(_ report: RunReport) -> JSONValue {
    [
      "schema": .string(schema),
      "run": text(report.run),
      "manifest": [
        "path": path(report.manifestPath.utf8), "sha256": text(report.manifestSHA256),
      ],
      "library": path(report.library.utf8),
      "enforcement": .string(report.enforcement.rawValue),
      "exitCode": JSONValue(Int(report.exitCode.rawValue)),
      "problems": problems(report.problems),
      "rulesWithoutMatch": rules(report.problems.compactMap(\.rule)),
      "sources": .array(report.sources.map(source)),
      "counts": counts(report.discovered, report.counts),
      "failures": items(report.failures, in: report),
      "thumbnailMissing": items(report.thumbnailMissing, in: report),
      "unsupported": items(report.unsupported, in: report, haveSteps: false),
      "leftOut": .array(report.leftOut.map { leftOut($0, report.settings) }),
      "audit": report.auditFile.map {
        [
          "file": path($0.utf8), "records": JSONValue(report.auditRecords),
          "head": text(report.auditHead), "size": JSONValue(report.auditSize),
          "root": text(report.auditRoot), "signed": JSONValue(report.auditSignedHead),
        ]
      } ?? .null,
      "restored": JSONValue(report.restored),
      "newerVersions": JSONValue(report.newerVersions),
      "replaced": JSONValue(report.replaced),
      "unstripped": JSONValue(report.unstripped),
      "superseded": JSONValue(report.superseded),
      "elapsedSeconds": .decimal(thousandths: Int64(report.elapsedMilliseconds)),
    ]
  }

  /// The problems of a command, as the results of other commands have them too.
  package static func problems(_ problems: [RunReport.Problem]) -> JSONValue {
    .array(problems.map { ["code": text($0.code.rawValue), "message": text($0.message)] })
  }

  /// The rules of a manifest that nothing met, as the results of other commands have them too.
  package static func rules(_ rules: [UnmatchedRule]) -> JSONValue {
    .array(
      rules.map { rule in
        [
          "rule": .string(rule.kind.rawValue), "source": .string(rule.source.kind.rawValue),
          "sourceName": .string(rule.source.name), "text": text(rule.text), "count": JSONValue(rule.count),
        ]
      }
    )
  }

  /// The object of one source, which the results of `check` and `run --dry-run` also have.
  package static func source(_ source: RunReport.Source) -> JSONValue {
    var members = decision(source.decision)
    members["ignored"] = JSONValue(source.ignored)
    return .object(members)
  }

  /// What a summary and each report tell of a decision.
  static func decision(_ decision: SourceDecision) -> [String: JSONValue] {
    [
      "source": .string(decision.source.kind.rawValue),
      "sourceName": .string(decision.source.name),
      "availability": JSONValue(decision.availability?.rawValue),
      "authorizationStatus": .string(decision.authorizationStatus.name),
      "accessLevel": .string(decision.accessLevel.name),
      "decision": .string(decision.verdict.rawValue),
      "reason": .string(decision.reason.rawValue),
      "required": .bool(decision.required),
    ]
  }

  private static func items(
    _ items: [RunReport.Failure],
    in report: RunReport,
    haveSteps: Bool = true
  ) -> JSONValue {
    .array(
      items.map { item in
        let message = FailureAdvice.message(of: item, report.settings)
        var members: [String: JSONValue] = [
          "source": .string(item.source.kind.rawValue), "sourceName": .string(item.source.name),
          "path": path(item.path.bytes),
          "reason": .string(item.reason.rawValue), "message": text(message),
        ]
        if haveSteps { members["step"] = .string(item.step.rawValue) }
        return .object(members)
      }
    )
  }

  private static func leftOut(_ group: RunReport.LeftOut, _ settings: AdvisedSettings) -> JSONValue {
    [
      "source": .string(group.source.kind.rawValue), "sourceName": .string(group.source.name),
      "outcome": .string(group.reason.outcome.rawValue),
      "reason": .string(group.reason.rawValue),
      "count": JSONValue(group.count),
      "examples": .array(group.examples.map { path($0.bytes) }),
      "message": text(FailureAdvice.message(group, settings)),
    ]
  }

  /// The items by outcome, as the reports of a library have them too.
  static func counts(_ discovered: Int, _ outcomes: [ItemOutcome: Int]) -> JSONValue {
    var counts: [String: JSONValue] = ["discovered": JSONValue(discovered)]
    for outcome in ItemOutcome.allCases {
      counts[outcome.rawValue] = JSONValue(outcomes[outcome] ?? 0)
    }
    return .object(counts)
  }

  private static func text(_ text: String) -> JSONValue { .string(ReportText.line(text)) }

  private static func path(_ bytes: some Collection<UInt8>) -> JSONValue {
    .string(ReportText.path(bytes))
  }
}
