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
    sink.text(
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; \
      style-src 'unsafe-inline'; script-src 'sha256-\(scriptDigest)'">
      <meta name="robots" content="noindex">
      <title>\(XMLText.escaped(title))</title>
      <style>
      \(String(decoding: PageParts.stylesheet + PackageResources.report_css, as: UTF8.self))</style>
      </head>
      <body>
      <a class="skip" href="#content">Skip to the content</a>

      """
    )
    sink.text(HTMLSections.header(model, title: title))
    sink.text("<main id=\"content\">\n")
    sink.text(HTMLSections.overview(model))
    if let subject = model.subject { HTMLItems.write(subject, model, to: sink) }
    sink.text(HTMLSections.purpose(model))
    sink.text(HTMLSections.sources(model))
    HTMLItems.writeAttention(model, to: sink)
    try HTMLItems.writeImported(model, to: sink, thumbnail: thumbnail)
    HTMLItems.writeLists(model, to: sink)
    sink.text(HTMLSections.removed(model))
    sink.text(HTMLSections.timeline(model))
    sink.text(HTMLSections.accesses(model))
    sink.text(HTMLSections.proof(model))
    sink.text("</main>\n")
    sink.text(HTMLSections.footer(model))
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

/// The pieces that pages are made of; text is escaped here and nowhere else.
enum HTML {
  static func text(_ text: String) -> String { XMLText.escaped(text) }

  /// A path, a name or a label, isolated from the direction of what surrounds it.
  static func path(_ text: String) -> String {
    "<span class=\"path\" dir=\"auto\">\(XMLText.escaped(text))</span>"
  }

  static func hash(_ text: String) -> String {
    "<span class=\"hash\">\(XMLText.escaped(text))</span>"
  }

  /// A run's identifier, which is short: on one line, so that a column is no narrower.
  static func identifier(_ text: String) -> String { "<code>\(XMLText.escaped(text))</code>" }

  static func number(_ value: Int) -> String { Quantity.grouped(value) }

  /// A record's time, to the second for a person and to the millisecond for a program, which is what
  /// HTML has room for.
  static func time(_ text: String) -> String {
    guard text.utf8.count == 27 else { return XMLText.escaped(text) }
    let shown = text.prefix(10) + " " + text.dropFirst(11).prefix(8)
    return "<time datetime=\"\(XMLText.escaped(text.prefix(23) + "Z"))\">"
      + "\(XMLText.escaped(String(shown)))</time>"
  }

  static func section(_ identifier: String, _ title: String, _ body: String) -> String {
    "<section aria-labelledby=\"\(identifier)\">\n<h2 id=\"\(identifier)\">\(title)</h2>\n\(body)"
      + "</section>\n"
  }

  /// A table whose first cell of each row is its header; cells are HTML.
  static func table(
    caption: String,
    columns: [(title: String, isNumber: Bool)],
    rows: [[String]]
  ) -> String {
    var html = tableStart(caption: caption, columns: columns)
    for row in rows { html += tableRow(row, columns) }
    return html + tableEnd
  }

  static func tableStart(
    caption: String,
    columns: [(title: String, isNumber: Bool)]
  ) -> String {
    // A scrolling region must be reachable by keyboard. Source: WCAG 2.1.1.
    var html =
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"\(text(caption))\">"
    html += "<table>\n<caption>\(text(caption))</caption>\n<thead><tr>"
    for column in columns {
      html += "<th scope=\"col\"\(column.isNumber ? " class=\"n\"" : "")>\(text(column.title))</th>"
    }
    return html + "</tr></thead>\n<tbody>\n"
  }

  /// The attributes by which the page's script finds an item; no reason is an empty text.
  static func filterAttributes(outcome: String, source: String, reason: String) -> String {
    " data-outcome=\"\(text(outcome))\" data-source=\"\(text(source))\" "
      + "data-reason=\"\(text(reason))\""
  }

  static func tableRow(
    _ row: [String],
    _ columns: [(title: String, isNumber: Bool)],
    attributes: String = ""
  ) -> String {
    var html = "<tr\(attributes)>"
    for (index, cell) in row.enumerated() {
      html +=
        index == 0
        ? "<th scope=\"row\">\(cell)</th>"
        : "<td\(columns[index].isNumber ? " class=\"n\"" : "")>\(cell)</td>"
    }
    return html + "</tr>\n"
  }

  static let tableEnd = "</tbody>\n</table></div>\n"

  /// Tiles of a name and a number.
  static func tiles(_ tiles: [(name: String, value: String)]) -> String {
    "<ul class=\"tiles\">"
      + tiles.map { "<li>\(text($0.name)) <b>\(text($0.value))</b></li>" }.joined()
      + "</ul>\n"
  }
}
