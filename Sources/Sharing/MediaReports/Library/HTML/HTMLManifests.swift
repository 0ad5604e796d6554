internal import MediaModel
internal import MediaPages
internal import MediaSyntax

extension ReportManifest {
  /// The most bytes of a text that a page shows.
  private static let shownLimit = 1 << 20

  /// The manifest as a part of a page, with its digest above it.
  var markup: Markup {
    let more = runs.count - 20
    let start: Markup = """
      <h3>\(hash: sha256)</h3>
      <p>Of \(runs.count == 1 ? "run" : "runs") \(runs.prefix(20).map(Markup.run).joined(separator: ", "))\
      \(", and \(grouped: more) more", if: more > 0).</p>

      """
    guard let text else { return "\(start)<p>\(absence)</p>\n" }
    let isCut = text.utf8.count > Self.shownLimit
    let lines = text.prefix(isCut ? Self.shownLimit / 4 : .max)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { EscapedText.printable(String($0)) }
    // A scrolling region must be reachable by keyboard. Source: WCAG 2.1.1.
    return """
      \(start)<div class="scroll" tabindex="0" role="region" aria-label="The manifest \(String(sha256.prefix(8)))">\
      <pre dir="auto">\(lines.joined(separator: "\n"))</pre></div>
      \("<p>The rest is in the json report.</p>\n", if: isCut)
      """
  }
}
