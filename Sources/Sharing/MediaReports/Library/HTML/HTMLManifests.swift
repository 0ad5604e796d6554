internal import MediaModel
internal import MediaSyntax

extension ReportManifest {
  /// The most bytes of a text that a page shows.
  private static let shownLimit = 1 << 20

  /// The manifest as a part of a page, with its digest above it.
  var markup: Markup {
    var markup: Markup = "<h3>\(HTML.hash(sha256))</h3>\n<p>Of "
    markup += "\(runs.count == 1 ? "run" : "runs") "
    markup += runs.prefix(20).map(HTML.identifier).joined(separator: ", ")
    markup += runs.count > 20 ? ", and \(Quantity.grouped(runs.count - 20)) more.</p>\n" : ".</p>\n"
    guard let text else { return markup + "<p>\(absence)</p>\n" }
    let isCut = text.utf8.count > Self.shownLimit
    let lines = text.prefix(isCut ? Self.shownLimit / 4 : .max)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { EscapedText.printable(String($0)) }
    // A scrolling region must be reachable by keyboard. Source: WCAG 2.1.1.
    markup += "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
    markup += "aria-label=\"The manifest \(String(sha256.prefix(8)))\">"
    markup += "<pre dir=\"auto\">\(lines.joined(separator: "\n"))</pre></div>\n"
    return isCut ? markup + "<p>It goes on; --format json has all of it.</p>\n" : markup
  }
}
