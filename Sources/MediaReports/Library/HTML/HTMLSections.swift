internal import MediaAudit
internal import MediaModel
internal import MediaSyntax

/// The sections of a page other than the lists of items.
enum HTMLSections {
  /// Beyond it older runs are counted, not listed.
  private static let runLimit = 50

  static func header(_ model: ReportModel, title: String) -> Markup {
    """
    <header>
    <h1>\(title)</h1>
    <p>Library \(HTML.path(model.library)), as it was \(HTML.time(model.made)) UTC.</p>
    <nav aria-label="Sections"><ul>\
    <li><a href="#why">Who and why</a></li><li><a href="#sources">Sources</a></li>\
    <li><a href="#items">Items</a></li><li><a href="#removed">Removed metadata</a></li>\
    <li><a href="#timeline">Timeline</a></li><li><a href="#accesses">Accesses</a></li><li><a href="#proof">Proof</a></li></ul></nav>
    </header>

    """
  }

  static func overview(_ model: ReportModel) -> Markup {
    let totals = model.totals
    var body: Markup = "<div class=\"banner \(model.result.rawValue)\"><strong>"
    body += "\(ReportWording.result(model.result))</strong>"
    if model.isAboutAsset {
      body += "\(Quantity.text(model.runs.count, "run")) dealt with the asset."
    } else if model.isAboutNothing {
      body += HTML.text(ReportWording.nothing(model.scope))
    } else if let run = model.runs.last, model.runs.count == 1 {
      body += HTML.text(ReportWording.exit(run.exitCode))
      if let code = run.exitCode { body += " Exit code \(code)." }
    } else {
      let failed = model.runs.filter { $0.result == .failed }.count
      body += "\(Quantity.text(model.runs.count, "run")), \(HTML.number(failed)) of them failed."
    }
    if model.verification.difference != nil {
      body += " <b>The audit log is not what was written; see Proof.</b>"
    }
    if model.catalogueDiffers {
      body += " <b>\(ReportWording.catalogueDiffers)</b>"
    }
    body += "</div>\n"
    if model.runs.count > 1, !model.isAboutAsset {
      let holdings = model.holdings
      body += "<p><b>The library holds \(Quantity.text(holdings.assets, "asset"))"
      body += model.scope == .all ? "" : " of these runs"
      body += "</b>: \(Quantity.text(holdings.originals, "original")) and "
      body += "\(Quantity.text(holdings.thumbnails, "thumbnail")). The numbers below add up "
      body += "\(Quantity.text(model.runs.count, "run")): a file counts once in each run that "
      body += "found it.</p>\n"
    }
    var tiles = [(name: "found", value: HTML.number(totals.discovered))]
    for outcome in ItemOutcome.allCases {
      tiles.append((name: outcome.rawValue, value: HTML.number(totals.count(outcome))))
    }
    tiles.append((name: "thumbnails made", value: HTML.number(totals.thumbnails)))
    body += HTML.tiles(tiles)
    body += HTMLChart.outcomes(totals)
    if totals.recovered > 0 {
      body += "<p>\(Quantity.text(totals.recovered, "item")) had been dealt with by a run that was "
      body += "stopped before it could say so; the next run recorded them.</p>\n"
    }
    if totals.degraded > 0 {
      body +=
        "<p>\(Quantity.text(totals.degraded, "item")) belong to an asset that is not whole: it "
      body += "lacks a resource which its source had, or its file ends early.</p>\n"
    }
    return HTML.section("overview", "Overview", body)
  }

  /// Which client asked, and which sentences it gave.
  static func purpose(_ model: ReportModel) -> Markup {
    var clients: [Markup] = []
    var usages: [[Markup]] = []
    for run in model.runs.reversed() where !run.isHousekeeping {
      let client: Markup =
        "<b dir=\"auto\">\(run.clientName)</b> (\(HTML.path(run.clientIdentifier)))"
      if clients.count < 20, !clients.contains(client) { clients.append(client) }
      for permission in run.permissions {
        let row = [
          HTML.text(permission.source.displayName), HTML.path(permission.usageKey),
          usage(permission),
        ]
        if usages.count < 40, !usages.contains(row) { usages.append(row) }
      }
    }
    let names = clients.isEmpty ? "none" : clients.joined(separator: ", ")
    var body: Markup = "<p>Client: \(names).</p>\n"
    if !usages.isEmpty {
      body += HTML.table(
        caption: "Why each source was asked for",
        columns: [("source", false), ("usage description", false), ("what it says", false)],
        rows: usages
      )
    }
    if let run = model.lastRun {
      body += "<p class=\"faint\">Manifest SHA-256 \(HTML.hash(run.manifestSHA256)); "
      body += "\(run.tool) as \(run.user) on \(run.host); guarded by \(enforcement(of: run))"
      body += model.runs.count > 1 ? ", in the last run.</p>\n" : ".</p>\n"
    }
    return HTML.section("why", "Who and why", body)
  }

  /// Which sentence a client gave for a source.
  private static func usage(_ permission: ReportPermission) -> Markup {
    if let text = permission.usageText { return "<q dir=\"auto\">\(text)</q>" }
    guard let digest = permission.usageTextSHA256 else { return "None was given." }
    return "Its text is not in the log; its SHA-256 is \(HTML.hash(digest))"
  }

  /// What enforced the decisions of a run.
  private static func enforcement(of run: ReportRun) -> String {
    guard run.enforcement == "kernel" else { return "the process alone, not the kernel" }
    let version = run.landlockABI.map { "\($0)" } ?? "unknown"
    return "the kernel (Landlock ABI \(version)\(run.seccomp ? ", seccomp" : ""))"
  }

  static func sources(_ model: ReportModel) -> Markup {
    let isOne = model.runs.count == 1
    var columns: [(title: String, isNumber: Bool)] = [
      ("source", false), ("status", false), ("decision", false), ("reason", false),
      ("said by", false), ("required", false), ("found", true), ("imported", true),
    ]
    if !isOne { columns.insert(("run", false), at: 1) }
    var rows: [[Markup]] = []
    for run in model.runs.suffix(runLimit).reversed() {
      for permission in run.permissions {
        var source = HTML.text(permission.source.displayName)
        if let path = permission.path { source += "<br>\(HTML.path(path))" }
        let reason: Markup = """
          \(ReportWording.reason(permission.reason)) <span class="faint">\(code(permission))</span>
          """
        var row: [Markup] = [
          source, HTML.text(permission.authorizationStatus.name), pill(permission), reason,
          HTML.text(ReportWording.decider(permission)), permission.required ? "yes" : "no",
          HTML.number(permission.totals.discovered),
          HTML.number(permission.totals.count(.imported)),
        ]
        if !isOne { row.insert(HTML.identifier(run.identifier), at: 1) }
        rows.append(row)
      }
    }
    var body: Markup =
      rows.isEmpty
      ? "<p>No source was decided on.</p>\n"
      : HTML.table(
        caption: isOne
          ? "What was decided for each source" : "What was decided, the newest run first",
        columns: columns,
        rows: rows
      )
    let more = model.runs.count - runLimit
    if more > 0 { body += "<p>And \(Quantity.text(more, "earlier run")).</p>\n" }
    body += "<p class=\"faint\">A refused source is never opened or listed, so nothing in it is "
    body += "counted or shown here.</p>\n"
    return HTML.section("sources", "Sources", body)
  }

  private static func pill(_ permission: ReportPermission) -> Markup {
    permission.verdict == .refuse
      ? "<span class=\"pill refuse\">refused</span>"
      : permission.isRead
        ? "<span class=\"pill allow\">allowed</span>"
        : "<span class=\"pill rest\">allowed, not there</span>"
  }

  private static func code(_ permission: ReportPermission) -> String {
    let number = permission.photosErrorCode.map { ", \($0)" } ?? ""
    let row = permission.row.map { ", row \($0)" } ?? ""
    return "(\(permission.reason.rawValue)\(number)\(row))"
  }

  static func removed(_ model: ReportModel) -> Markup {
    let kinds = model.totals.removedKinds
    guard !kinds.isEmpty else {
      return HTML.section(
        "removed",
        "Removed metadata",
        "<p>No metadata was removed: nothing was stripped, or there was nothing to remove.</p>\n"
      )
    }
    var body = HTMLChart.removed(kinds)
    body += HTML.table(
      caption: "Kinds of metadata that the imported files no longer have; never their values",
      columns: [("kind", false), ("files", true), ("times", true)],
      rows: kinds.map { kind in
        [
          HTML.path(kind.name), HTML.number(kind.removed.files), HTML.number(kind.removed.count),
        ]
      }
    )
    return HTML.section("removed", "Removed metadata", body)
  }

  static func timeline(_ model: ReportModel) -> Markup {
    var body =
      model.runs.count > 1 ? HTMLChart.runs(model.runs) : HTMLChart.timeline(model.timeline)
    var events: [(time: String, text: Markup)] = []
    for run in model.runs.suffix(runLimit) {
      events.append(
        (
          run.started,
          "Run \(HTML.identifier(run.identifier)) began for \(run.clientName)."
        )
      )
      for transition in run.transitions {
        events.append((transition.time, HTML.text(ReportWording.transition(transition))))
      }
      let end = run.exitCode.map { "ended with exit code \($0)" } ?? "has its last record"
      let ended: Markup = """
        Run \(HTML.identifier(run.identifier)) \(end): \(HTML.number(run.totals.discovered)) found, \
        \(HTML.number(run.totals.count(.imported))) imported. \(ReportWording.exit(run.exitCode))
        """
      events.append((run.ended, ended))
    }
    for command in model.housekeeping.suffix(runLimit) {
      let end = command.exitCode.map { "ended with exit code \($0)" } ?? "has not come to its end"
      let kept: Markup = """
        <code>mediabatch \(command.command)</code> kept house, imported nothing, and \(end).
        """
      events.append((command.started, kept))
    }
    events.sort { $0.time.utf8.lexicographicallyPrecedes($1.time.utf8) }
    let more = model.runs.count - runLimit
    if more > 0 { body += "<p>\(Quantity.text(more, "earlier run")) are not listed.</p>\n" }
    body += "<ol class=\"events\">\n"
    for event in events { body += "<li>\(HTML.time(event.time)) UTC: \(event.text)</li>\n" }
    return HTML.section("timeline", "Timeline", body + "</ol>\n")
  }

  /// Which source was read when, and when one was refused.
  static func accesses(_ model: ReportModel) -> Markup {
    let timeline = model.accesses
    guard let start = timeline.start, !model.isAboutAsset else {
      return HTML.section(
        "accesses",
        "Accesses",
        "<p>No access is in the records of this report.</p>\n"
      )
    }
    var rows: [[Markup]] = []
    for (index, slot) in timeline.slots.enumerated() {
      let from = CalendarTime(microsecondsSince1970: start &+ timeline.width &* Int64(index))
      for access in slot.keys.sorted() {
        rows.append([
          HTML.time(from.timestamp), HTML.text(access.source.displayName),
          access.isRefusal
            ? "<span class=\"pill refuse\">refused</span>"
            : "<span class=\"pill allow\">allowed</span>",
          access.isRefusal ? "0" : HTML.number(slot[access] ?? 0),
          access.isRefusal ? HTML.number(slot[access] ?? 0) : "0",
        ])
      }
    }
    let width = Quantity.text(Int(timeline.width / 1_000_000), "second")
    var body: Markup =
      "<p>Each file is recorded before it is opened; a refused source has its decision alone.</p>\n"
    body += HTMLChart.accesses(timeline)
    body += HTML.table(
      caption: "Accesses in periods of \(width) (UTC)",
      columns: [
        ("period from", false), ("source", false), ("decision", false), ("files", true),
        ("refusals", true),
      ],
      rows: rows
    )
    return HTML.section("accesses", "Accesses", body)
  }

  static func proof(_ model: ReportModel) -> Markup {
    let verification = model.verification
    let isWhole = verification.difference == nil
    var body: Markup = "<div class=\"banner \(isWhole ? "passed" : "failed")\"><strong>"
    body += isWhole ? "The log is whole" : "The log is not what was written"
    body += "</strong>\(ReportWording.verification(verification))</div>\n"
    if verification.tornBytes > 0 {
      body +=
        "<p>\(Quantity.text(verification.tornBytes, "byte")) of a torn last line are there, as "
      body += "a power cut leaves them.</p>\n"
    }
    body += "<p>\(ReportWording.signature(verification))</p>\n"
    body += "<p>Head: \(HTML.hash(verification.head))<br>Root of the tree over all records: "
    body += "\(HTML.hash(verification.tree.root)), of "
    body += "\(Quantity.text(verification.tree.size, "record"))</p>\n"
    body +=
      "<p>Keep the head where nobody who can write the library can change it. It proves the log "
    body += "up to here: <code>mediabatch audit verify LIBRARY --expect-head "
    body += "\(verification.head)</code></p>\n"
    let holdings = model.holdings
    body += "<p>The library holds \(Quantity.text(holdings.assets, "asset"))"
    body += model.scope == .all ? "" : " in this report"
    body += ": \(Quantity.text(holdings.originals, "original")), "
    body += "\(ByteCount.text(holdings.originalBytes)), and "
    body += "\(Quantity.text(holdings.thumbnails, "thumbnail")), "
    body += "\(ByteCount.text(holdings.thumbnailBytes)). "
    body += "<code>mediabatch verify LIBRARY</code> compares each with its digest.</p>\n"
    let rows = model.auditFiles.suffix(runLimit).reversed().map { run -> [Markup] in
      var name = HTML.identifier(run.identifier)
      if run.isHousekeeping { name += " (\(run.command), no run)" }
      return [
        name, HTML.path("Audit/\(run.file)"), HTML.number(run.records),
        run.head.map { HTML.hash($0) } ?? "unknown",
      ]
    }
    if !rows.isEmpty {
      body += HTML.table(
        caption: "Audit files of this report",
        columns: [("run", false), ("file", false), ("records", true), ("head", false)],
        rows: rows
      )
    }
    return HTML.section("proof", "Proof", body)
  }

  static func footer(_ model: ReportModel) -> Markup {
    """
    <footer class="faint"><p>Made \(HTML.time(model.made)) UTC by mediabatch \
    \(model.tool) from the library's log and catalogue. The log shows a change and does not \
    prevent one, and it says nothing of a record that was never written.</p></footer>

    """
  }
}

/// Sizes as a person reads them.
enum ByteCount {
  /// `812 bytes`, `4.2 MB`: powers of 1000, one digit behind the point.
  static func text(_ bytes: Int64) -> String {
    guard bytes >= 1000 else { return "\(max(0, bytes)) bytes" }
    var unit = 0
    var size = Double(bytes) / 1000
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
    // Rounded as it is shown, so that no 1000.0 kB is.
    while size >= 999.95, unit < units.count - 1 {
      size /= 1000
      unit += 1
    }
    let tenths = Int((size * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
