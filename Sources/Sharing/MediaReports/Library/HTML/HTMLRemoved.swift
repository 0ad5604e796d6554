internal import MediaModel
internal import MediaPages
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
    return .section(
      "removed",
      "What was removed from the copies",
      classes.isEmpty
        ? "<p>No metadata was removed: nothing was stripped, or there was nothing to remove.</p>\n"
        : byClass(model, classes)
    )
  }

  private static func byClass(
    _ model: ReportModel,
    _ classes: [MetadataClass: ReportTotals.Removed]
  ) -> Markup {
    let importedCount = model.totals.count(.imported)
    let credentials = classes[.contentCredentials]?.files ?? 0
    let cards = [MetadataClass.location, .person, .device, .time].compactMap { kind -> Markup? in
      guard let files = classes[kind]?.files, files > 0 else { return nil }
      return """
        <li><h3>\(icon: icon(of: kind))\(ReportLabels.metadataClass(kind))</h3>\
        <p><b>\(grouped: files)</b> of \(importedCount, "file")</p>\
        \(HTMLChart.share(files, of: importedCount))</li>

        """
    }
    let table = PageTable(
      "Kinds of metadata that were removed, without their values",
      ["kind", "files", "times"],
      numbers: 1..<3
    )
    let kinds = model.totals.removedKinds.map { kind -> [Markup] in
      [.path(kind.name), .number(kind.removed.files), .number(kind.removed.count)]
    }
    return """
      \("<p>Content credentials (C2PA) were removed from \(credentials, "file").</p>\n", if: credentials > 0)\
      \("<ul class=\"cards\">\n\(cards)</ul>\n", if: !cards.isEmpty)\
      \(matrix(model))\(.details("Each kind", table(kinds)))
      """
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
      return [.path(item.shownPath)]
        + shown.map { kind in
          counts[kind].map { "<b>\(grouped: $0)</b>" } ?? "<span aria-label=\"none\">–</span>"
        }
    }
    let table = PageTable(
      "Values removed from the first \(Quantity.text(rows.count, "file")) of this page; the csv report has all",
      ["file"] + shown.map(ReportLabels.metadataClass),
      numbers: 1..<shown.count + 1
    )
    return "<div class=\"matrix\">\(table(rows))</div>\n"
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
    let icons = kinds.map(icon).filter { !$0.isEmpty }.map { "\(icon: $0)" as Markup }
    return "<span class=\"gone\"><span class=\"sr\">removed: \(words)</span>\(icons)</span>"
  }
}
