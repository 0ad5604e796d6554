import MediaAudit
internal import MediaLibrary
internal import MediaModel
internal import MediaPages
internal import MediaSyntax
internal import MediaVerification

/// The lists of items on a page.
enum HTMLItems {
  /// Writes a page of imported items, with their thumbnails.
  static func writeImported(
    _ model: ReportModel,
    to sink: ReportSink,
    thumbnail: (Catalogue.PublishedFile) -> [UInt8]?
  ) throws {
    let count = model.totals.count(.imported)
    sink.markup(
      """
      <section aria-labelledby="items">
      <h2 id="items">Items</h2>
      <p class="paper">Paper has the names of items that failed, were refused or have no known format, at most 400 \
      of each. The complete list is on the page on a screen, and in <code>mediabatch report LIBRARY \
      --format csv</code>.</p>
      <h3 class="screen">\(ReportLabels.outcome(.imported)): \(grouped: count)</h3>

      """
    )
    guard count > 0 else { return }
    if model.imported.isEmpty {
      sink.markup("<p class=\"screen\">This page has no pictures of them.</p>\n")
      return
    }
    if model.pageCount > 1 {
      sink.markup(
        """
        <p class="screen">Page \(grouped: model.options.page) of \(grouped: model.pageCount). \
        <code>mediabatch report LIBRARY --page N</code> makes another; \
        <code>--thumbnails N</code> sets how many are on one.</p>

        """
      )
    }
    sink.markup("<ul class=\"gallery\">\n")
    for item in model.imported { writeCard(of: item, model, to: sink, thumbnail: thumbnail) }
    sink.markup("</ul>\n")
  }

  /// Writes an imported item: its picture, its name, and what it lost.
  private static func writeCard(
    of item: ReportItem,
    _ model: ReportModel,
    to sink: ReportSink,
    thumbnail: (Catalogue.PublishedFile) -> [UInt8]?
  ) {
    let name = item.label ?? item.shownPath
    sink.markup("<li\(.attributes(of: item))><figure><div class=\"frame\">")
    if item.role != .pairedVideo,
      let file = item.localIdentifier.flatMap({ model.thumbnails[$0] }),
      let bytes = thumbnail(file), let type = mediaType(of: bytes)
    {
      sink.markup("<img alt=\"Thumbnail of \(name)\" src=\"data:\(type);base64,")
      sink.bytes(Base64.encoded(bytes))
      sink.markup("\">")
    } else {
      sink.markup("<span class=\"faint\">\(item.role.map(ReportLabels.role) ?? "No thumbnail")</span>")
    }
    let badges = item.localIdentifier.flatMap { model.badges[$0] } ?? []
    var notes: [String] = item.degraded ? ["The asset is incomplete"] : []
    if let version = ReportWording.version(item.details) { notes.append("It is \(version)") }
    if item.reason == .thumbnailMissing { notes.append("No thumbnail could be made") }
    sink.markup(
      """
      \("<span class=\"badges\">\(badges.map { "<span>\($0)</span>" })</span>", if: !badges.isEmpty)</div>\
      <figcaption><b dir="auto">\(name)</b>\
      <small>\(item.source.displayName): \(path: item.shownPath)</small>\(HTMLRemoved.signs(item))\
      \(notes.map { "<small>\($0)</small>" })</figcaption></figure></li>

      """
    )
  }

  /// Writes the other outcomes, those that need attention first.
  static func writeLists(_ model: ReportModel, to sink: ReportSink) {
    let outcomes: [ItemOutcome] = [
      .failed, .failedBefore, .refused, .unsupported, .skipped, .duplicate, .unchanged,
    ]
    for outcome in outcomes {
      let count = model.totals.count(outcome)
      // Where none is named, what was left out says all.
      guard count > 0, outcome != .failedBefore || model.listed[outcome] != nil else { continue }
      sink.markup(
        """
        <div class="of \(raw: outcome.rawValue)">
        <h3>\(ReportLabels.outcome(outcome)): \(grouped: count)</h3>

        """
      )
      let items = model.listed[outcome] ?? []
      if !items.isEmpty { writeTable(of: items, that: outcome, to: sink) }
      let together = model.totals.groups.first { $0.outcome == outcome }?.count ?? 0
      if together > 0 {
        sink.markup(
          """
          <p>\(Quantity.text(together, items.isEmpty ? "item" : "more item", "was", "were")) not opened; one record \
          has their number.</p>

          """
        )
      }
      let more = count - items.count - together
      if more > 0 {
        sink.markup(
          """
          <p>And \(grouped: more) more; <code>--format csv</code> and <code>--format json</code> list all.</p>

          """
        )
      }
      sink.text("</div>\n")
    }
    if model.remaining.count < model.remainingCount {
      sink.markup(
        """
        <p>The search looks at the first \(grouped: model.shownCount + model.remaining.count) items of the log; \
        <code>--format csv</code> lists all.</p>

        """
      )
    }
    if model.remaining.count > 0 {
      sink.markup(
        """
        <noscript><p>\(Quantity.text(model.remaining.count, "more item", "is", "are")) shown where scripts run; \
        <code>--format csv</code> lists them too.</p></noscript>

        """
      )
    }
    sink.markup("<div id=\"after-items\"></div>\n</section>\n")
  }

  /// Writes a table of the items that ended in one way.
  private static func writeTable(
    of items: [ReportItem],
    that outcome: ItemOutcome,
    to sink: ReportSink
  ) {
    let table = PageTable("Each item \(ReportLabels.sentence(outcome)).", ["path", "source", "why"])
    sink.markup(table.start)
    for item in items {
      sink.markup(
        table.row(
          [.path(item.shownPath), .plain(item.source.displayName), .plain(item.message ?? "")],
          attributes: .attributes(of: item)
        )
      )
    }
    sink.markup(PageTable.end)
  }

  /// Writes the items that have no place of their own on the page, as data for its script.
  static func writeRows(_ model: ReportModel, to sink: ReportSink) throws {
    let totals = model.totals
    let outcomes = ItemOutcome.allCases.compactMap { outcome in
      let count = totals.count(outcome) - (totals.unlisted[outcome] ?? 0)
      return count > 0 ? choice(outcome.rawValue, ReportLabels.outcome(outcome), count) : nil
    }
    let sources = Set(model.runs.flatMap(\.permissions).filter { $0.totals.discovered > 0 }.map(\.source))
    let reasons = totals.reasons.sorted { $0.key.rawValue < $1.key.rawValue }
    let choices: [JSONValue] = [
      .array(outcomes),
      .array(sources.sorted().map { choice($0.displayName, $0.displayName, 0) }),
      .array(reasons.map { choice($0.key.rawValue, ReportLabels.reason($0.key), $0.value) }),
    ]
    sink.text("<script type=\"application/json\" id=\"choices\">")
    sink.bytes(scriptText(.array(choices)))
    sink.text(
      "</script>\n<script type=\"application/json\" id=\"rows\" data-count=\"\(model.remaining.count)\">["
    )
    var isFirst = true
    try model.remaining.forEach { row in
      sink.text((isFirst ? "\n" : ",\n") + row)
      isFirst = false
    }
    sink.text("]</script>\n")
  }

  /// A choice of the form: the word of the data, the words on the page, and how many items it has.
  private static func choice(_ word: String, _ label: String, _ count: Int) -> JSONValue {
    .array([.string(word), .string(label), .integer(Int64(count))])
  }

  /// The row of an item: outcome, source, reason, path, label, badges, message.
  ///
  /// The path stands once: a label that is its name is left out, and the message has U+0001 in its place.
  static func row(_ item: ReportItem, badges: [String]) -> String {
    let name = ReportText.line(String(decoding: item.path.stem, as: UTF8.self))
    let path = item.shownPath
    var message = item.message ?? ""
    let quoted = "\"\(path)\""
    if message.utf8.starts(with: quoted.utf8) {
      message = "\u{1}" + String(decoding: message.utf8.dropFirst(quoted.utf8.count), as: UTF8.self)
    }
    let label = item.label.flatMap { $0 == name ? nil : $0 } ?? ""
    let texts = [
      item.outcome.rawValue, item.source.displayName, item.reason?.rawValue ?? "", path, label,
      badges.joined(separator: ", "), message,
    ]
    return String(decoding: scriptText(.array(texts.map { .string($0) })), as: UTF8.self)
  }

  /// JSON that ends no script element: it has no "<".
  private static func scriptText(_ value: JSONValue) -> [UInt8] {
    value.serialized.flatMap { byte in
      byte == UInt8(ascii: "<") ? Array("\\u003c".utf8) : [byte]
    }
  }

  /// Every record about one asset.
  static func write(_ subject: ReportSubject, _ model: ReportModel, to sink: ReportSink) {
    let files = model.ofSubject.map { file -> [Markup] in
      [
        .path(ReportText.path(file.path.utf8)), .number(Int(file.bytes)), .hash(file.sha256),
      ]
    }
    let held = PageTable("Files of the asset", ["file", "bytes", "SHA-256"], numbers: 1..<2)
    let table = PageTable("Every record about the asset", ["record", "time (UTC)", "what it says"])
    sink.markup(
      """
      <section aria-labelledby="records">
      <h2 id="records">Records</h2>
      <p>Asset \(path: subject.asset). The library \
      \(files.isEmpty ? "no longer holds it" : "holds \(files.count, "file") of it" as Markup).</p>
      \(held(files), if: !files.isEmpty)\(table.start)
      """
    )
    for record in subject.records {
      sink.markup(
        table.row([
          "\(run: record.run) \(record.sequence)", .time(record.time), .plain(record.text),
        ])
      )
    }
    sink.markup(PageTable.end)
    if subject.isCut { sink.markup("<p>The asset has more records than are listed.</p>\n") }
    sink.markup("</section>\n")
  }

  /// Returns the media type by the first bytes; nil for a format that a page does not show.
  private static func mediaType(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    let isWebP = bytes.count >= 12 && bytes.starts(with: "RIFF".utf8)
    return isWebP && bytes[8..<12].elementsEqual("WEBP".utf8) ? "image/webp" : nil
  }
}
