internal import MediaAudit
internal import MediaModel
internal import MediaPages
internal import MediaSyntax

/// The head of a page, its proof, and its foot.
enum HTMLSections {
  /// Beyond it older runs are counted, not listed.
  private static let runLimit = 50

  static func header(_ model: ReportModel, title: String) -> Markup {
    """
    <header class="mast">
    <p><b>\(title)</b> Library \(path: model.library), as it was \
    \(time: model.creationTime) UTC.</p>
    <nav aria-label="Sections"><ul>\
    <li><a href="#why">Decisions</a></li><li><a href="#accesses">Timeline</a></li>\
    <li><a href="#removed">Removed</a></li><li><a href="#items">Items</a></li>\
    <li><a href="#proof">Proof</a></li></ul></nav>
    </header>

    """
  }

  static func proof(_ model: ReportModel) -> Markup {
    let verification = model.verification
    let isWhole = verification.difference == nil
    let heading = isWhole ? "The log is whole" : "The log is not what was written"
    let torn: Markup = """
      <p>The last line is cut after \(verification.tornBytes, "byte"), as a power cut leaves it.</p>

      """
    return """
      <section class="proof\(raw: isWhole ? "" : " broken")" aria-labelledby="proof">
      <h2 id="proof">\(icon: isWhole ? "shield" : "close")\(heading)</h2>
      <p>\(ReportWording.verification(verification))</p>
      \(torn, if: verification.tornBytes > 0)\
      <dl><dt>Records</dt><dd>\(grouped: verification.records)</dd>\
      <dt>Head</dt><dd>\(hash: verification.head)</dd>\
      <dt>Root</dt><dd>\(hash: verification.tree.root), of \(verification.tree.size, "record")</dd>\
      <dt>Key</dt><dd>\(ReportWording.signature(verification))</dd></dl>
      <p>Keep the head where nobody who can write to the library can change it: it proves the log up to here.</p>
      \(steps(model))\(.details("Audit files", files(model)), if: !model.auditFiles.isEmpty)</section>

      """
  }

  /// What a person does who believes no report.
  private static func steps(_ model: ReportModel) -> Markup {
    let holdings = model.holdings
    let files =
      "Compare each file with its digest: \(Quantity.text(holdings.originals, "original")), "
      + "\(ByteCount.text(holdings.originalBytes)), and "
      + "\(Quantity.text(holdings.thumbnails, "thumbnail")), "
      + "\(ByteCount.text(holdings.thumbnailBytes)), of \(Quantity.text(holdings.assets, "asset"))"
      + (model.scope == .all ? "" : " in this report") + "."
    let commands: [(purpose: String, command: String)] = [
      (
        "Check the log, and that it has only grown since the head above.",
        "mediabatch audit verify LIBRARY --expect-head \(model.verification.head)"
      ),
      (files, "mediabatch verify LIBRARY"),
      (
        "Write a proof of one file, which anybody can check without the library.",
        "mediabatch audit prove LIBRARY --path FILE >proof.json"
      ),
    ]
    let items = commands.map { step -> Markup in
      "<li><span>\(step.purpose)</span> <code>\(step.command)</code></li>\n"
    }
    return "<ol>\n\(items)</ol>\n"
  }

  private static func files(_ model: ReportModel) -> Markup {
    let rows = model.auditFiles.suffix(runLimit).reversed().map { run -> [Markup] in
      [
        "\(run: run.identifier)\(" (\(run.typedCommand), no run)", if: run.isHousekeeping)",
        .path("Audit/\(run.file)"), .number(run.records), run.head.map(Markup.hash) ?? "unknown",
      ]
    }
    return PageTable("Audit files of this report", ["run", "file", "records", "head"], numbers: 2..<3)(rows)
  }

  static func footer(_ model: ReportModel) -> Markup {
    """
    <footer class="faint"><p>Made \(time: model.creationTime) UTC by mediabatch \
    \(model.tool) from the library's log and catalogue. The log reveals a change but does not \
    prevent one, and cannot show what was never recorded.</p></footer>

    """
  }
}
