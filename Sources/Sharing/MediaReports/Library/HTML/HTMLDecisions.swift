internal import MediaAudit
internal import MediaModel
internal import MediaPages
internal import MediaSyntax

/// Who asked for what and why, and what was decided, as sentences.
enum HTMLDecisions {
  /// Beyond it decisions are counted, not listed.
  private static let limit = 50

  static func decisions(_ model: ReportModel) -> Markup {
    var clients: [Markup] = []
    for run in model.runs.reversed() where !run.isHousekeeping {
      let client: Markup = """
        <b dir="auto">\(run.clientName)</b> (\(path: run.clientIdentifier)), run by the user \(isolated: run.user) \
        on the machine \(isolated: run.host)\(run.signature.map { ", with a manifest signed by \(isolated: $0.signedBy)" })
        """
      if clients.count < 20, !clients.contains(client) { clients.append(client) }
    }
    let decisions = ReportDecision.alike(model.runs)
    let rows = decisions.prefix(limit).map { row($0, of: model.runs.count) }
    let more = decisions.count - limit
    let refusals =
      decisions.contains { $0.permission.verdict == .refuse }
      ? " A refused source is never listed or opened, so nothing in it is counted here." : ""
    return .section(
      "why",
      "Who asked, and what was decided",
      """
      <p>\(clients.isEmpty ? "Nobody asked" : clients.joined(separator: "; ")).\(refusals)</p>
      \(rows.isEmpty ? "<p>No source was decided on.</p>\n" : "<ul class=\"said\">\n\(rows)</ul>\n" as Markup)\
      \("<p>And \(more, "earlier decision").</p>\n", if: more > 0)\(details(model))
      """
    )
  }

  private static func row(_ decision: ReportDecision, of runCount: Int) -> Markup {
    let permission = decision.permission
    let verb: Markup =
      switch (permission.source, permission.accessLevel) {
      case (.microphone, _): "use"
      case (_, .addOnly): "add to"
      default: "read"
      }
    let totals = decision.totals
    let numbers: Markup =
      permission.verdict == .refuse
      ? "Never opened"
      : "\(grouped: totals.discovered) found<br>\(grouped: totals.count(.imported)) imported"
    return """
      <li><span class="tile">\(icon: icon(of: permission.source.kind))</span>
      <div><p>It asked to \(verb) the <b>\(permission.source.displayName)</b>\
      \(permission.path.map { " (\(path: $0))" }), \
      \(usage(permission))</p><p>\(answer(permission)) \(time(of: decision, runCount))</p></div>
      <div class="out">\(tag(permission))<p>\(numbers)</p></div></li>

      """
  }

  static func icon(of source: SourceKind) -> String {
    switch source {
    case .camera: "camera"
    case .library: "photo"
    case .microphone: "mic"
    }
  }

  /// Which sentence a client gave for a source.
  private static func usage(_ permission: ReportPermission) -> Markup {
    if let text = permission.usageText {
      let language = permission.usageTextLanguage ?? ""
      return "because <q dir=\"auto\"\(" lang=\"\(language)\"", if: !language.isEmpty)>\(text)</q>"
    }
    guard let digest = permission.usageTextSHA256 else { return "and gave no reason." }
    return "with a reason of which the log has only the SHA-256, \(hash: digest)."
  }

  private static func answer(_ permission: ReportPermission) -> String {
    let verdict = permission.verdict == .allow ? "allowed" : "refused"
    var sentences: [String] = []
    if permission.decidedBy != nil {
      sentences.append("It was \(verdict) by \(ReportWording.decider(permission)).")
    }
    if sentences.isEmpty || ![.authorized, .denied].contains(permission.reason) {
      sentences.append(ReportWording.reason(permission.reason))
    }
    if permission.isFailure { sentences.append("The manifest requires it.") }
    return sentences.joined(separator: " ")
  }

  /// When a decision was in force, where the report has several runs.
  private static func time(of decision: ReportDecision, _ runCount: Int) -> Markup {
    guard runCount > 1, let last = decision.runs.first?.started,
      let first = decision.runs.last?.started
    else { return "" }
    let count = decision.runs.count
    return count > 1
      ? "In \(count, "run"), from \(time: first) to \(time: last) UTC."
      : "In one run, \(time: last) UTC."
  }

  /// A decision in one word, with a sign.
  static func tag(_ permission: ReportPermission) -> Markup {
    permission.verdict == .refuse
      ? "<span class=\"tag bad\">\(icon: "close")\(permission.decidedBy == nil ? "Undecided" : "Refused")</span>"
      : permission.isRead
        ? "<span class=\"tag good\">\(icon: "check")Allowed</span>"
        : "<span class=\"tag warn\">Allowed, not there</span>"
  }

  /// Statuses, codes and digests, which a person needs who compares the report with the log.
  private static func details(_ model: ReportModel) -> Markup {
    let rows = model.runs.suffix(limit).reversed().flatMap { run in
      run.permissions.map { permission -> [Markup] in
        [
          .plain(permission.source.displayName), .run(run.identifier),
          .plain(permission.authorizationStatus.name), .plain(code(permission)),
          .path(permission.usageKey), permission.required ? "yes" : "no",
        ]
      }
    }
    guard let run = model.lastRun, !rows.isEmpty else { return "" }
    let table = PageTable(
      "Each decision in the words of the log, the newest run first",
      ["source", "run", "status", "reason", "usage description", "required"]
    )
    return .details(
      "Statuses, codes and the manifest",
      """
      \(table(rows))<p class="faint">Manifest SHA-256 \(hash: run.manifestSHA256); \
      \(run.tool) as \(run.user) on \(run.host); guarded by \(enforcement(of: run))\
      \(model.runs.count > 1 ? ", in the last run" : "").\
      \(run.signature.map { " The manifest is signed by \(ReportWording.signer($0))." })</p>

      """
    )
  }

  private static func code(_ permission: ReportPermission) -> String {
    let number = permission.reason.photosErrorCode.map { ", \($0)" } ?? ""
    let row = permission.row.map { ", row \($0)" } ?? ""
    return "\(permission.reason.rawValue)\(number)\(row)"
  }

  /// What enforced the decisions of a run.
  private static func enforcement(of run: ReportRun) -> String {
    guard run.enforcement == .kernel else { return "the process only, not the kernel" }
    let version = run.landlockABI.map { "\($0)" } ?? "unknown"
    return "the kernel (Landlock ABI \(version)\(run.seccomp ? ", seccomp" : ""))"
  }
}
