internal import MediaAudit
internal import MediaLibrary
internal import MediaModel
internal import MediaSyntax

/// A report for a program: one JSON object with every item, as `docs/report.schema.json` says.
package enum JSONReport {
  package static let schema = "mediabatch.report/1"

  /// - Throws: `AuditError` when the log cannot be read, or the sink's error.
  package static func write(_ model: ReportModel, to sink: ReportSink) throws {
    var report = JSONPieces.object(sink)
    report.add("counts", counts(model.totals))
    report.add("degraded", JSONValue(model.totals.degraded))
    report.add("holdings", holdings(model.holdings))
    report.add("housekeeping", .array(model.housekeeping.map(command)))
    report.add("isAboutNothing", .bool(model.isAboutNothing))
    report.begin("items")
    var items = JSONPieces.array(sink)
    try model.forEachItem { items.add(item($0)) }
    items.close()
    report.add("library", .string(model.library))
    report.add("made", .string(model.creationTime))
    if model.options.showsManifests {
      report.add("manifests", .array(model.manifests.map(\.value)))
    }
    report.add("recovered", JSONValue(model.totals.recovered))
    report.add("removed", removed(model.totals))
    report.add("result", .string(model.result.rawValue))
    report.add("runs", .array(model.runs.map(run)))
    report.add("schema", .string(schema))
    report.add("scope", .string(model.scope.title))
    if let subject = model.subject {
      report.add("subject", Self.subject(subject, model))
    }
    report.add("tool", .string(model.tool))
    report.add("verification", verification(model))
    report.close()
    sink.text("\n")
    try sink.finish()
  }

  private static func counts(_ totals: ReportTotals) -> JSONValue {
    SummaryJSON.counts(totals.discovered, totals.counts)
  }

  private static func holdings(_ holdings: ReportHoldings) -> JSONValue {
    [
      "assets": JSONValue(holdings.assets), "originals": JSONValue(holdings.originals),
      "originalBytes": .integer(holdings.originalBytes),
      "thumbnails": JSONValue(holdings.thumbnails),
      "thumbnailBytes": .integer(holdings.thumbnailBytes),
    ]
  }

  private static func removed(_ totals: ReportTotals) -> JSONValue {
    .array(
      totals.removedKinds.map { kind in
        [
          "name": .string(kind.name), "count": JSONValue(kind.removed.count),
          "files": JSONValue(kind.removed.files),
        ]
      }
    )
  }

  private static func command(_ command: ReportRun) -> JSONValue {
    [
      "command": .string(command.command), "file": .string(command.file),
      "records": JSONValue(command.records), "head": JSONValue(command.head),
      "started": .string(command.started), "ended": .string(command.ended),
      "exitCode": JSONValue(command.exitCode), "tool": .string(command.tool),
      "host": .string(command.host), "user": .string(command.user),
    ]
  }

  private static func run(_ run: ReportRun) -> JSONValue {
    [
      "run": .string(run.identifier), "file": .string(run.file),
      "records": JSONValue(run.records), "head": JSONValue(run.head),
      "started": .string(run.started), "ended": .string(run.ended),
      "exitCode": JSONValue(run.exitCode), "exit": .string(ReportWording.exit(run.exitCode)),
      "result": .string(run.result.rawValue), "addsUp": .bool(run.addsUp),
      "client": [
        "identifier": .string(run.clientIdentifier), "name": .string(run.clientName),
      ],
      "manifestSHA256": .string(run.manifestSHA256), "signature": run.signature?.json ?? .null,
      "tool": .string(run.tool), "worker": JSONValue(run.worker),
      "host": .string(run.host), "user": .string(run.user),
      "enforcement": [
        "mode": .string(run.enforcement?.rawValue ?? "unknown"),
        "landlockABI": JSONValue(run.landlockABI), "seccomp": .bool(run.seccomp),
      ],
      "sources": .array(run.permissions.map(permission)),
      "transitions": .array(run.transitions.map(transition)),
      "questions": .array(run.questions.map(question)),
      "counts": counts(run.totals),
      "recovered": JSONValue(run.totals.recovered),
    ]
  }

  static func permission(_ permission: ReportPermission) -> JSONValue {
    let members: [String: JSONValue] = [
      "row": JSONValue(permission.row),
      "decidedBy": JSONValue(permission.decidedBy),
      "basis": JSONValue(permission.basis),
      "user": JSONValue(permission.user),
      "signedBy": JSONValue(permission.signature?.signedBy),
      "photosErrorCode": JSONValue(permission.reason.photosErrorCode),
      "usageKey": .string(permission.usageKey),
      "usageText": JSONValue(permission.usageText),
      "usageTextLanguage": JSONValue(permission.usageTextLanguage),
      "usageTextSHA256": JSONValue(permission.usageTextSHA256),
      "path": JSONValue(permission.path),
      "counts": counts(permission.totals),
    ]
    return .object(members.merging(SummaryJSON.decision(permission.decision)) { $1 })
  }

  private static func transition(_ transition: ReportTransition) -> JSONValue {
    [
      "time": .string(transition.time), "source": .string(transition.source.kind.rawValue),
      "sourceName": .string(transition.source.name),
      "from": .string(transition.from), "to": .string(transition.to),
      "reason": .string(transition.reason), "basis": JSONValue(transition.basis),
      "refusedItems": JSONValue(transition.refusedItems),
    ]
  }

  static func question(_ question: ReportQuestion) -> JSONValue {
    [
      "time": .string(question.time), "isEarlier": .bool(question.isEarlier),
      "source": .string(question.source.kind.rawValue),
      "sourceName": .string(question.source.name),
      "accessLevel": .string(question.accessLevel.name),
      "shownCount": JSONValue(question.shownCount), "basis": JSONValue(question.basis),
      "user": JSONValue(question.user), "answer": JSONValue(question.answer?.rawValue),
      "fileCount": JSONValue(question.fileCount),
      "files": .array(question.files.map { .string($0) }),
    ]
  }

  static func item(_ item: ReportItem) -> JSONValue {
    var members: [String: JSONValue] = [
      "run": .string(item.run), "seq": JSONValue(item.sequence), "time": .string(item.time),
      "message": JSONValue(item.message),
    ]
    for field in Outcome.fields(in: .report) {
      members[field.name] = field.form.value(
        in: item.details,
        path: { .string(ReportText.path($0.bytes)) },
        file: { file($0) },
        thumbnail: { file($0.file, named: $0.name) }
      )
    }
    return .object(members)
  }

  private static func file(_ file: OutputFile, named name: String? = nil) -> JSONValue {
    var members: [String: JSONValue] = [
      "path": .string(ReportText.path(file.path.bytes)), "bytes": JSONValue(file.bytes),
      "sha256": .string(file.sha256),
    ]
    if let name { members["name"] = .string(name) }
    return .object(members)
  }

  private static func subject(_ subject: ReportSubject, _ model: ReportModel) -> JSONValue {
    [
      "asset": .string(subject.asset),
      "files": .array(
        model.ofSubject.map { published in
          [
            "path": .string(ReportText.path(published.path.utf8)),
            "bytes": .integer(published.bytes), "sha256": .string(published.sha256),
          ]
        }
      ),
      "records": .array(subject.records.map(\.json)),
      "isCut": .bool(subject.isCut),
    ]
  }

  private static func signed(_ head: SignedHead) -> JSONValue {
    [
      "size": JSONValue(head.tree.size), "root": .string(ReportText.line(head.tree.root)),
      "head": .string(ReportText.line(head.head)), "time": .string(ReportText.line(head.time)),
      "keys": .array(ReportWording.keys(of: head).map { .string($0) }),
    ]
  }

  private static func verification(_ model: ReportModel) -> JSONValue {
    let verification = model.verification
    return [
      "ok": .bool(verification.difference == nil),
      "files": JSONValue(verification.files), "records": JSONValue(verification.records),
      "head": .string(verification.head), "size": JSONValue(verification.tree.size),
      "root": .string(verification.tree.root), "tornBytes": JSONValue(verification.tornBytes),
      "signature": .string(verification.signature.rawValue),
      "signed": verification.signedHead.map(signed) ?? .null,
      "difference": JSONValue(verification.difference.map { ReportText.line("\($0)") }),
      "kind": JSONValue(verification.difference?.kind.rawValue),
    ]
  }
}
