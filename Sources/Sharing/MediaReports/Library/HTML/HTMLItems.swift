import MediaAudit
internal import MediaLibrary
internal import MediaModel
internal import MediaSyntax
internal import MediaVerification

/// The lists of items on a page.
enum HTMLItems {
  private typealias Column = (title: String, isNumber: Bool)

  /// Writes a page of imported items, with their thumbnails.
  static func writeImported(
    _ model: ReportModel,
    to sink: ReportSink,
    thumbnail: (Catalogue.PublishedFile) -> [UInt8]?
  ) throws {
    sink.markup("<section aria-labelledby=\"items\">\n<h2 id=\"items\">Items</h2>\n")
    sink.markup(
      "<p class=\"paper\">On paper are the names of items that failed, were refused, or have no known format, at "
        + "most 400 of each. The complete list is on the page on a screen, and in <code>mediabatch report "
        + "LIBRARY --format csv</code> and <code>json</code>.</p>\n"
    )
    let count = model.totals.count(.imported)
    sink.markup(
      "<h3 class=\"screen\">\(ReportLabels.outcome(.imported)): \(HTML.number(count))</h3>\n"
    )
    guard count > 0 else { return }
    if model.imported.isEmpty {
      sink.markup("<p class=\"screen\">They have no picture on this page.</p>\n")
      return
    }
    if model.pageCount > 1 {
      sink.markup(
        "<p class=\"screen\">Page \(HTML.number(model.options.page)) of \(HTML.number(model.pageCount)). "
          + "<code>mediabatch report LIBRARY --page N</code> makes another; "
          + "<code>--thumbnails N</code> sets how many are on one.</p>\n"
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
    let attributes = HTML.filterAttributes(
      outcome: ItemOutcome.imported.rawValue,
      source: item.source.displayName,
      reason: item.reason?.rawValue ?? ""
    )
    sink.markup("<li\(attributes)><figure><div class=\"frame\">")
    if item.role != .pairedVideo,
      let file = item.localIdentifier.flatMap({ model.thumbnails[$0] }),
      let bytes = thumbnail(file), let type = mediaType(of: bytes)
    {
      sink.markup("<img alt=\"Thumbnail of \(name)\" src=\"data:\(type);base64,")
      sink.bytes(Base64.encoded(bytes))
      sink.markup("\">")
    } else {
      let role = item.role.map(ReportLabels.role) ?? "No thumbnail"
      sink.markup("<span class=\"faint\">\(role)</span>")
    }
    let badges = item.localIdentifier.flatMap { model.badges[$0] } ?? []
    if !badges.isEmpty {
      let words = badges.map { badge -> Markup in "<span>\(badge)</span>" }.joined()
      sink.markup("<span class=\"badges\">\(words)</span>")
    }
    sink.markup("</div><figcaption><b dir=\"auto\">\(name)</b>")
    sink.markup("<small>\(item.source.displayName): \(HTML.path(item.shownPath))</small>")
    sink.markup(HTMLRemoved.signs(item))
    var notes: [String] = item.degraded ? ["The asset is not whole"] : []
    if let version = ReportWording.version(item.details) { notes.append("It is \(version)") }
    if item.reason == .thumbnailMissing { notes.append("No thumbnail could be made") }
    for note in notes { sink.markup("<small>\(note)</small>") }
    sink.markup("</figcaption></figure></li>\n")
  }

  /// Writes the other outcomes, those that need attention first.
  static func writeLists(_ model: ReportModel, to sink: ReportSink) {
    for outcome in [ItemOutcome.failed, .refused, .unsupported, .skipped, .duplicate, .unchanged] {
      let count = model.totals.count(outcome)
      guard count > 0 else { continue }
      sink.markup("<div class=\"of \(raw: outcome.rawValue)\">\n")
      sink.markup("<h3>\(ReportLabels.outcome(outcome)): \(HTML.number(count))</h3>\n")
      let items = model.listed[outcome] ?? []
      if !items.isEmpty { writeTable(of: items, that: outcome, to: sink) }
      let together = model.totals.groups.first { $0.outcome == outcome }?.count ?? 0
      if together > 0 {
        sink.markup(
          "<p>Without being opened: \(Quantity.text(together, "item", "has", "have")) one record together"
            + "\(items.isEmpty ? "" : ", beside those that are listed").</p>\n"
        )
      }
      let more = count - items.count - together
      if more > 0 {
        sink.markup(
          "<p>And \(HTML.number(more)) more; <code>--format csv</code> and "
            + "<code>--format json</code> list all.</p>\n"
        )
      }
      sink.text("</div>\n")
    }
    if model.remaining.count < model.remainingCount {
      sink.markup(
        "<p>A search on this page looks at \(HTML.number(model.shownCount + model.remaining.count)) items, the "
          + "first in the order of the log; <code>--format csv</code> lists all.</p>\n"
      )
    }
    if model.remaining.count > 0 {
      sink.markup(
        "<noscript><p>\(Quantity.text(model.remaining.count, "more item", "is", "are")) in this page as data, which "
          + "its script shows; <code>--format csv</code> lists them too.</p></noscript>\n"
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
    let columns: [Column] = [("path", false), ("source", false), ("why", false)]
    sink.markup(
      HTML.tableStart(caption: "Each item \(ReportLabels.sentence(outcome)).", columns: columns)
    )
    for item in items {
      sink.markup(
        HTML.tableRow(
          [
            HTML.path(item.shownPath), HTML.text(item.source.displayName),
            HTML.text(item.message ?? ""),
          ],
          columns,
          attributes: HTML.filterAttributes(
            outcome: outcome.rawValue,
            source: item.source.displayName,
            reason: item.reason?.rawValue ?? ""
          )
        )
      )
    }
    sink.markup(HTML.tableEnd)
  }

  /// Writes the items that have no place of their own on the page, as data for its script.
  static func writeRows(_ model: ReportModel, to sink: ReportSink) throws {
    let totals = model.totals
    let outcomes = ItemOutcome.allCases.compactMap { outcome in
      let count = totals.count(outcome) - (totals.unlisted[outcome] ?? 0)
      return count > 0 ? choice(outcome.rawValue, ReportLabels.outcome(outcome), count) : nil
    }
    let sources = Set(
      model.runs.flatMap(\.permissions).filter { $0.totals.discovered > 0 }.map(\.source)
    )
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
    var body: Markup = "<p>Asset \(HTML.path(subject.asset)). "
    body +=
      model.ofSubject.isEmpty
      ? "The library no longer holds it.</p>\n"
      : "The library holds \(Quantity.text(model.ofSubject.count, "file")) of it.</p>\n"
    if !model.ofSubject.isEmpty {
      body += HTML.table(
        caption: "Files of the asset",
        columns: [("file", false), ("bytes", true), ("SHA-256", false)],
        rows: model.ofSubject.map { file in
          [
            HTML.path(ReportText.path(file.path.utf8)), HTML.number(Int(file.bytes)),
            HTML.hash(file.sha256),
          ]
        }
      )
    }
    let columns: [Column] = [("record", false), ("time (UTC)", false), ("what it says", false)]
    sink.markup("<section aria-labelledby=\"records\">\n<h2 id=\"records\">Records</h2>\n\(body)")
    sink.markup(HTML.tableStart(caption: "Every record about the asset", columns: columns))
    for record in subject.records {
      sink.markup(
        HTML.tableRow(
          [
            "\(HTML.identifier(record.run)) \(record.sequence)", HTML.time(record.time),
            HTML.text(record.text),
          ],
          columns
        )
      )
    }
    sink.markup(HTML.tableEnd)
    if subject.isCut { sink.markup("<p>There are more records than are listed.</p>\n") }
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
