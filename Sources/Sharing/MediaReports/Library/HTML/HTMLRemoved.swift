internal import MediaModel
internal import MediaSyntax

/// What the copies no longer have: by class over all, and by file; never a value.
enum HTMLRemoved {
  /// The most files in the table.
  private static let fileLimit = 12
  /// The classes that each table has a column for.
  private static let columns: [MetadataClass] = [
    .location, .person, .device, .time, .text, .contentCredentials,
  ]

  static func removed(_ model: ReportModel) -> Markup {
    let classes = model.totals.removedClasses
    guard !classes.isEmpty else {
      return HTML.section(
        "removed",
        "What was removed from the copies",
        "<p>No metadata was removed: nothing was stripped, or there was nothing to remove.</p>\n"
      )
    }
    let importedCount = model.totals.count(.imported)
    let credentials = classes[.contentCredentials]?.files ?? 0
    var body: Markup =
      credentials == 0
      ? "<p>No file had content credentials (C2PA).</p>\n"
      : "<p>Content credentials (C2PA) were removed from \(Quantity.text(credentials, "file")).</p>\n"
    body += "<ul class=\"cards\">\n"
    for kind in [MetadataClass.location, .person, .device, .time] {
      let files = classes[kind]?.files ?? 0
      body += """
        <li><h3>\(HTML.icon(icon(of: kind)))\(ReportLabels.metadataClass(kind))</h3>\
        <p><b>\(HTML.number(files))</b> of \(Quantity.text(importedCount, "file"))</p>\
        \(HTMLChart.share(files, of: importedCount))</li>

        """
    }
    body += "</ul>\n\(matrix(model))"
    body += HTML.details(
      "Each kind",
      HTML.table(
        caption: "Kinds of metadata that the imported files no longer have; never their values",
        columns: [("kind", false), ("files", true), ("times", true)],
        rows: model.totals.removedKinds.map { kind in
          [
            HTML.path(kind.name), HTML.number(kind.removed.files), HTML.number(kind.removed.count),
          ]
        }
      )
    )
    return HTML.section("removed", "What was removed from the copies", body)
  }

  /// The first files of the page by the number of values of each class.
  private static func matrix(_ model: ReportModel) -> Markup {
    let items = model.imported.filter { !$0.removed.isEmpty }
    guard !items.isEmpty else { return "" }
    let others = [MetadataClass.other, .soundTrack].filter {
      model.totals.removedClasses[$0] != nil
    }
    let shown = columns + others
    let rows = items.prefix(fileLimit).map { item -> [Markup] in
      let counts = item.removedClasses
      return [HTML.path(item.shownPath)]
        + shown.map { kind in
          counts[kind].map { "<b>\(HTML.number($0))</b>" } ?? "<span aria-label=\"none\">–</span>"
        }
    }
    let table = HTML.table(
      caption: "How many values each file lost, of the first \(Quantity.text(rows.count, "file")) "
        + "of this page; the csv report has all",
      columns: [("file", false)] + shown.map { (ReportLabels.metadataClass($0), true) },
      rows: rows
    )
    return "<div class=\"matrix\">\(table)</div>\n"
  }

  /// The symbol of a class; empty for one that has none.
  private static func icon(of kind: MetadataClass) -> String {
    switch kind {
    case .location: "pin"
    case .person: "person"
    case .device: "chip"
    case .time: "clock"
    case .text: "text"
    case .contentCredentials: "shield"
    case .other, .soundTrack: ""
    }
  }

  /// The classes that an item lost, as words for screen readers, and as signs.
  static func signs(_ item: ReportItem) -> Markup {
    let counts = item.removedClasses
    let kinds = MetadataClass.allCases.filter { counts[$0] != nil }
    guard !kinds.isEmpty else { return "" }
    let words = kinds.map { kind in
      "\(ReportLabels.metadataClass(kind).lowercased()) (\(Quantity.grouped(counts[kind] ?? 0)))"
    }.joined(separator: ", ")
    let icons = kinds.map(icon).filter { !$0.isEmpty }.map(HTML.icon).joined()
    return "<span class=\"gone\"><span class=\"sr\">removed: \(words)</span>\(icons)</span>"
  }
}
