internal import MediaAudit
internal import MediaLibrary
internal import MediaModel
internal import MediaSyntax
internal import MediaVerification

/// A report for a policy engine: an in-toto statement with a test-result predicate.
///
/// Subjects are the files that the library holds and a record in the scope names, by their SHA-256, and
/// the audit files, by the digest of their last record. Tests are `run/ID`, `permission/ID/SOURCE`,
/// `log`, `catalogue`, `runs` (which fails where no run is in the scope), and `item/SOURCE/PATH` for each
/// item that was not imported; the imported ones are subjects. `failedBefore/ID/SOURCE` is a warning: the
/// run found items whose failure an earlier one has said. About one asset there is no `run/ID`, which is
/// about others too. It is not signed here: `DSSEEnvelope` wraps it.
///
/// Source: in-toto attestation framework, Statement v1 and test-result v0.1.
package enum InTotoReport {
  /// Writes the statement about a model that ``ReportOptions/listsFiles``.
  ///
  /// - Throws: `AuditError` when the log cannot be read, or the sink's error.
  package static func write(_ model: ReportModel, to sink: ReportSink) throws {
    var statement = JSONPieces.object(sink)
    statement.add("_type", "https://in-toto.io/Statement/v1")
    statement.begin("predicate")
    var predicate = JSONPieces.object(sink)
    predicate.add("configuration", configuration(model))
    for (key, result) in [
      ("failedTests", ReportResult.failed), ("passedTests", .passed),
    ] {
      predicate.begin(key)
      try writeTests(result, of: model, to: sink)
    }
    predicate.add("result", .string(model.result.rawValue.uppercased()))
    predicate.begin("warnedTests")
    try writeTests(.warned, of: model, to: sink)
    predicate.close()
    statement.add("predicateType", "https://in-toto.io/attestation/test-result/v0.1")
    statement.begin("subject")
    var subjects = JSONPieces.array(sink)
    try model.published.forEach { file in
      subjects.add([
        "name": .string(ReportText.path(file.path.utf8)),
        "digest": ["sha256": .string(ReportText.line(file.sha256, limit: 100))],
      ])
    }
    for run in model.auditFiles {
      guard let head = run.head else { continue }
      // Not of the file's bytes, so not under the name of a plain digest.
      subjects.add([
        "name": .string("Audit/" + run.file), "digest": ["mediabatchHead": .string(head)],
      ])
    }
    // The standard asks for a subject: of a report about nothing it is the log, by its head.
    if model.isAboutNothing {
      subjects.add([
        "name": "Audit", "digest": ["mediabatchHead": .string(model.verification.head)],
      ])
    }
    subjects.close()
    statement.close()
    sink.text("\n")
    try sink.finish()
  }

  /// Returns the configuration of the runs, each digest once.
  private static func configuration(_ model: ReportModel) -> JSONValue {
    var seen: Set<JSONValue> = []
    var values: [JSONValue] = []
    func add(_ name: String, _ sha256: String?, _ annotations: JSONValue? = nil) {
      guard let sha256, !sha256.isEmpty else { return }
      var members: [String: JSONValue] = ["name": .string(name), "digest": ["sha256": .string(sha256)]]
      members["annotations"] = annotations
      guard seen.insert(.object(members)).inserted else { return }
      values.append(.object(members))
    }
    for run in model.runs where !run.isHousekeeping {
      var annotations: [String: JSONValue] = ["user": .string(run.user), "host": .string(run.host)]
      annotations["signature"] = run.signature?.json
      add("manifest", run.manifestSHA256, .object(annotations))
      add("labels", run.labelsSHA256)
      add("infoPlist", run.infoPlistSHA256)
      for policy in run.policySHA256s { add("policy", policy) }
    }
    return .array(values)
  }

  private static func writeTests(
    _ result: ReportResult,
    of model: ReportModel,
    to sink: ReportSink
  ) throws {
    var tests = JSONPieces.array(sink)
    let log: ReportResult = model.verification.difference == nil ? .passed : .failed
    if log == result { tests.add("log") }
    let catalogue: ReportResult = model.catalogueDiffers ? .failed : .passed
    if catalogue == result { tests.add("catalogue") }
    if model.isAboutNothing, result == .failed { tests.add("runs") }
    for run in model.runs {
      if run.result == result, !model.isAboutAsset { tests.add(.string("run/\(run.identifier)")) }
      for permission in run.permissions where self.result(permission) == result {
        tests.add(.string("permission/\(run.identifier)/\(permission.source.name)"))
      }
      for permission in run.permissions
      where result == .warned && permission.totals.count(.failedBefore) > 0 {
        tests.add(.string("failedBefore/\(run.identifier)/\(permission.source.name)"))
      }
    }
    if result != .passed {
      try model.forEachItem { item in
        if self.result(item.outcome) == result {
          tests.add(.string("item/\(item.source.name)/\(item.shownPath)"))
        }
      }
    }
    tests.close()
  }

  private static func result(_ permission: ReportPermission) -> ReportResult {
    permission.isFailure ? .failed : permission.isRead ? .passed : .warned
  }

  private static func result(_ outcome: ItemOutcome) -> ReportResult {
    switch outcome {
    case .imported, .unchanged, .duplicate, .skipped: .passed
    case .refused, .unsupported, .failedBefore: .warned
    case .failed: .failed
    }
  }
}
