package import MediaCatalogue
internal import MediaDigest
package import MediaLibrary
internal import MediaModel
internal import MediaPages
internal import MediaSyntax

/// A report for a person: one page that opens from a CI artefact without a network, and prints.
///
/// Pictures are in the page; its policy lets a browser load nothing, and run the one script that searches the
/// items, which is known by its digest. Items without a place of their own are rows of data, which the script
/// shows a part at a time. Every text that comes from a file or a person is escaped, and
/// isolated so that no direction of writing leaks.
package enum HTMLReport {
  /// Writes the page; `thumbnail` gives the bytes of a published thumbnail, or nil when they cannot be
  /// shown.
  ///
  /// - Throws: The sink's error.
  package static func write(
    _ model: ReportModel,
    to sink: ReportSink,
    thumbnail: (Catalogue.PublishedFile) -> [UInt8]?
  ) throws {
    let title = "Media access report: \(model.scope.title)"
    let styles = String(
      decoding: PageParts.plainStylesheet + PackageResources.report_css,
      as: UTF8.self
    )
    sink.markup(
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; \
      style-src 'unsafe-inline'; script-src 'sha256-\(raw: scriptDigest)'">
      <meta name="robots" content="noindex">
      <title>\(title)</title>
      <style>
      \(raw: styles)</style>
      </head>
      <body>
      <a class="skip" href="#content">Skip to the content</a>

      """
    )
    sink.markup(HTMLSections.header(model, title: title))
    sink.text("<main id=\"content\">\n")
    sink.markup(HTMLSections.overview(model))
    if let subject = model.subject { HTMLItems.write(subject, model, to: sink) }
    sink.markup(HTMLSections.purpose(model))
    sink.markup(HTMLSections.sources(model))
    HTMLItems.writeAttention(model, to: sink)
    try HTMLItems.writeImported(model, to: sink, thumbnail: thumbnail)
    HTMLItems.writeLists(model, to: sink)
    sink.markup(HTMLSections.removed(model))
    sink.markup(HTMLSections.timeline(model))
    sink.markup(HTMLSections.accesses(model))
    if !model.manifests.isEmpty {
      let texts = model.manifests.map(\.markup).joined()
      sink.markup(HTML.section("manifests", "Manifests", texts))
    }
    sink.markup(HTMLSections.proof(model))
    sink.text("</main>\n")
    sink.markup(HTMLSections.footer(model))
    try HTMLItems.writeRows(model, to: sink)
    sink.text("<script id=\"script\">")
    sink.bytes(script)
    sink.text("</script>\n</body>\n</html>\n")
    try sink.finish()
  }

  private static var script: [UInt8] { PageParts.script + PackageResources.report_js }

  /// The digest by which the policy allows the script.
  ///
  /// Source: CSP Level 3, section 2.3.1, hash-source.
  private static var scriptDigest: String {
    Base64.text(SHA256.hash(script))
  }
}

/// The pieces that pages are made of.
enum HTML {
  /// A path, a name or a label, isolated from the direction of what surrounds it.
  static func path(_ text: String) -> Markup {
    "<span class=\"path\" dir=\"auto\">\(text)</span>"
  }

  static func hash(_ text: String) -> Markup { "<span class=\"hash\">\(text)</span>" }

  /// A run's identifier, which is short: on one line, so that a column is no narrower.
  static func identifier(_ text: String) -> Markup { "<code>\(text)</code>" }

  /// Plain text.
  static func text(_ text: String) -> Markup { "\(text)" }

  static func number(_ value: Int) -> Markup { "\(Quantity.grouped(value))" }

  /// A record's time, to the second for a person and to the millisecond for a program, which is what
  /// HTML has room for.
  static func time(_ text: String) -> Markup {
    guard text.utf8.count == 27 else { return "\(text)" }
    let shown = text.prefix(10) + " " + text.dropFirst(11).prefix(8)
    let stamp = text.prefix(23) + "Z"
    return "<time datetime=\"\(String(stamp))\">\(String(shown))</time>"
  }

  static func section(_ identifier: String, _ title: String, _ body: Markup) -> Markup {
    """
    <section aria-labelledby="\(identifier)">
    <h2 id="\(identifier)">\(title)</h2>
    \(body)</section>

    """
  }

  /// A table whose first cell of each row is its header.
  static func table(
    caption: String,
    columns: [(title: String, isNumber: Bool)],
    rows: [[Markup]]
  ) -> Markup {
    var html = tableStart(caption: caption, columns: columns)
    for row in rows { html += tableRow(row, columns) }
    return html + tableEnd
  }

  static func tableStart(
    caption: String,
    columns: [(title: String, isNumber: Bool)]
  ) -> Markup {
    // A scrolling region must be reachable by keyboard. Source: WCAG 2.1.1.
    var html: Markup =
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"\(caption)\">"
    html += "<table>\n<caption>\(caption)</caption>\n<thead><tr>"
    for column in columns {
      html += "<th scope=\"col\"\(numberClass(column.isNumber))>\(column.title)</th>"
    }
    return html + "</tr></thead>\n<tbody>\n"
  }

  private static func numberClass(_ isNumber: Bool) -> Markup { isNumber ? " class=\"n\"" : "" }

  /// The attributes by which the page's script finds an item; no reason is an empty text.
  static func filterAttributes(outcome: String, source: String, reason: String) -> Markup {
    " data-outcome=\"\(outcome)\" data-source=\"\(source)\" data-reason=\"\(reason)\""
  }

  static func tableRow(
    _ row: [Markup],
    _ columns: [(title: String, isNumber: Bool)],
    attributes: Markup = ""
  ) -> Markup {
    var html: Markup = "<tr\(attributes)>"
    for (index, cell) in row.enumerated() {
      if index == 0 {
        html += "<th scope=\"row\">\(cell)</th>"
      } else {
        html += "<td\(numberClass(columns[index].isNumber))>\(cell)</td>"
      }
    }
    return html + "</tr>\n"
  }

  static let tableEnd: Markup = "</tbody>\n</table></div>\n"

  /// One of the page's symbols, beside words that say the same.
  static func icon(_ name: String) -> Markup {
    "<svg class=\"i\" aria-hidden=\"true\"><use href=\"#i-\(name)\"/></svg>"
  }

  /// What is for those who look for it; paper does not have it.
  static func details(_ title: String, _ body: Markup) -> Markup {
    "<details><summary>\(title)</summary>\n\(body)</details>\n"
  }

  /// Tiles of a name and a number.
  static func tiles(_ tiles: [(name: String, value: Markup)]) -> Markup {
    let items = tiles.map { tile -> Markup in "<li>\(tile.name) <b>\(tile.value)</b></li>" }
    return "<ul class=\"tiles\">\(items.joined())</ul>\n"
  }
}
