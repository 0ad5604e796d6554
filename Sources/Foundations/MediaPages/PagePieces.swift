internal import MediaModel
package import MediaSyntax

/// What pages are made of, each with a label in an interpolation.
extension Markup.StringInterpolation {
  /// Appends parts behind each other.
  package mutating func appendInterpolation(_ parts: [Markup]) {
    for part in parts { appendInterpolation(part) }
  }

  /// Appends a part, or nothing for nil.
  package mutating func appendInterpolation(_ part: Markup?) {
    if let part { appendLiteral(part.text) }
  }

  /// Appends a part if a condition is met.
  package mutating func appendInterpolation(
    _ part: @autoclosure () -> Markup,
    if condition: Bool
  ) {
    if condition { appendInterpolation(part()) }
  }

  /// Appends one of the page's symbols, beside words that say the same; a file of its own would not load from a
  /// folder.
  package mutating func appendInterpolation(icon name: String) {
    appendInterpolation("<svg class=\"i\" aria-hidden=\"true\"><use href=\"#i-\(name)\"/></svg>" as Markup)
  }

  /// Appends a text of a file or a person, isolated from the direction of what surrounds it.
  package mutating func appendInterpolation(isolated text: String) {
    appendInterpolation(Markup.isolated(text))
  }

  /// Appends a number with a comma between thousands.
  package mutating func appendInterpolation(grouped number: Int) {
    appendLiteral(Quantity.grouped(number))
  }

  /// Appends a number and what it counts, such as `2 files`.
  package mutating func appendInterpolation(_ number: Int, _ noun: String) {
    appendInterpolation(Quantity.text(number, noun))
  }

  /// Appends the field of a search, with its placeholder and the label that a screen reader says.
  package mutating func appendInterpolation(search attributes: Markup, class name: String = "field") {
    let field: Markup = """
      <div class="\(name)">\(icon: "search")<input id="search" type="search"\(attributes) autocomplete="off"></div>
      """
    appendInterpolation(field)
  }
}

extension Markup {
  /// A text, escaped.
  package static func plain(_ text: String) -> Markup { "\(text)" }

  /// A number with a comma between thousands.
  package static func number(_ number: Int) -> Markup { "\(grouped: number)" }

  /// The beginning of a page, up to the link past what its body has on top.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - language: That of a page whose sentences can be exchanged; nil of one in English.
  ///   - viewport: What the viewport has beside its width and scale.
  ///   - metas: Lines for the browser.
  ///   - files: The icon, styles and scripts, each with its line's end.
  ///   - attributes: The attributes of the body, with a space before each.
  ///   - symbols: The drawings that icons name, as SVG.
  ///   - content: The identifier of the element that the link leads to.
  /// - Returns: The beginning.
  package static func head(
    _ title: String,
    in language: PageLanguage? = nil,
    viewport: String = ", viewport-fit=cover",
    metas: Markup,
    files: Markup,
    body attributes: Markup = "",
    symbols: [UInt8],
    content: String = "content"
  ) -> Markup {
    """
    <!DOCTYPE html>
    <html \(language?.attributes ?? "lang=\"en\"")>
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1\(viewport)">
    \(metas)<title>\(title)</title>
    \(files)</head>
    <body\(attributes)>
    \(raw: String(decoding: symbols, as: UTF8.self))<a class="skip" href="#\(content)">\(language?.element("skip") ?? "Skip to the content")</a>

    """
  }

  /// A section with its heading.
  package static func section(_ identifier: String, _ title: String, _ body: Markup) -> Markup {
    """
    <section aria-labelledby="\(identifier)">
    <h2 id="\(identifier)">\(title)</h2>
    \(body)</section>

    """
  }

  /// What is for those who look for it; paper does not have it.
  package static func details(_ title: String, _ body: Markup) -> Markup {
    "<details><summary>\(title)</summary>\n\(body)</details>\n"
  }
}

/// A table whose first cell of each row is its header; it can be written a row at a time.
package struct PageTable {
  private let caption: String
  private let columns: [String]
  private let numbers: Range<Int>

  /// Makes a table; `numbers` are the positions of the columns that have numbers.
  package init(_ caption: String, _ columns: [String], numbers: Range<Int> = 0..<0) {
    (self.caption, self.columns, self.numbers) = (caption, columns, numbers)
  }

  /// The table up to its first row.
  package var start: Markup {
    let cells = columns.enumerated().map { column, title -> Markup in
      "<th scope=\"col\"\(look(column))>\(title)</th>"
    }
    // A scrolling region must be reachable by keyboard. Source: WCAG 2.1.1.
    return """
      <div class="scroller" tabindex="0" role="region" aria-label="\(caption)"><table>
      <caption>\(caption)</caption>
      <thead><tr>\(cells)</tr></thead>
      <tbody>

      """
  }

  /// A row, with attributes of its own.
  package func row(_ cells: [Markup], attributes: Markup = "") -> Markup {
    let data = cells.enumerated().dropFirst().map { column, cell -> Markup in
      "<td\(look(column))>\(cell)</td>"
    }
    return "<tr\(attributes)><th scope=\"row\">\(cells.first)</th>\(data)</tr>\n"
  }

  /// What is behind the last row.
  package static let end: Markup = "</tbody>\n</table></div>\n"

  /// The whole table.
  package func callAsFunction(_ rows: [[Markup]]) -> Markup {
    "\(start)\(rows.map { row($0) })\(Self.end)"
  }

  private func look(_ column: Int) -> Markup { numbers.contains(column) ? " class=\"n\"" : "" }
}
