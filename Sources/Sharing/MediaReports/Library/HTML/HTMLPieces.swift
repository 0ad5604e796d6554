internal import MediaModel
internal import MediaSyntax

/// The pieces that pages are made of.
enum HTML {
  /// A path, a name or a label, isolated from the direction of what surrounds it.
  static func path(_ text: String) -> Markup {
    "<span class=\"path\" dir=\"auto\">\(text)</span>"
  }

  static func hash(_ text: String) -> Markup { "<span class=\"hash\">\(text)</span>" }

  /// A run's identifier, which is short: on one line, so that a column is no narrower.
  static func identifier(_ text: String) -> Markup { "<code class=\"run\">\(text)</code>" }

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
      "<div class=\"scroller\" tabindex=\"0\" role=\"region\" aria-label=\"\(caption)\">"
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
}
