internal import MediaDigest
package import MediaLibrary
internal import MediaModel
internal import MediaPages
internal import MediaSyntax

/// A report for a person: one page that opens from a CI artifact without a network, and prints.
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
    let styles = String(decoding: PageParts.stylesheet + ReportParts.reportCSS, as: UTF8.self)
    sink.markup(
      .head(
        title,
        viewport: "",
        metas: """
          <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; \
          style-src 'unsafe-inline'; script-src 'sha256-\(raw: scriptDigest)'">
          <meta name="robots" content="noindex">

          """,
        files: "<style>\n\(raw: styles)</style>\n",
        symbols: ReportParts.symbolsSVG
      )
    )
    sink.markup(HTMLSections.header(model, title: title))
    sink.text("<main id=\"content\">\n")
    sink.markup(HTMLVerdict.verdict(model))
    sink.markup(HTMLVerdict.numbers(model))
    if let subject = model.subject { HTMLItems.write(subject, model, to: sink) }
    sink.markup(HTMLLeftOut.attention(model))
    sink.markup(HTMLLeftOut.groups(model))
    sink.markup(HTMLDecisions.decisions(model))
    sink.markup(HTMLQuestions.questions(model))
    sink.markup(HTMLAccesses.accesses(model))
    sink.markup(HTMLRemoved.removed(model))
    try HTMLItems.writeImported(model, to: sink, thumbnail: thumbnail)
    HTMLItems.writeLists(model, to: sink)
    if !model.manifests.isEmpty {
      sink.markup(.section("manifests", "Manifests", "\(model.manifests.map(\.markup))"))
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

  private static var script: [UInt8] { PageParts.script + ReportParts.reportJS }

  /// The digest by which the policy allows the script.
  ///
  /// Source: CSP Level 3, section 2.3.1, hash-source.
  private static var scriptDigest: String {
    Base64.text(SHA256.hash(script))
  }
}
