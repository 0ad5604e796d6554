internal import MediaModel
internal import MediaPages
internal import MediaSyntax

/// What the pages of a report have beside the pieces of all pages.
extension Markup {
  /// A path, a name or a label, isolated from the direction of what surrounds it.
  static func path(_ text: String) -> Markup {
    "<span class=\"path\" dir=\"auto\">\(text)</span>"
  }

  static func hash(_ text: String) -> Markup { "<span class=\"hash\">\(text)</span>" }

  /// A run's identifier, which is short: on one line, so that a column is no narrower.
  static func run(_ identifier: String) -> Markup { "<code class=\"run\">\(identifier)</code>" }

  /// A record's time, to the second for a person and to the millisecond for a program, which is what
  /// HTML has room for.
  static func time(_ text: String) -> Markup {
    guard text.utf8.count == 27 else { return "\(text)" }
    let shown = text.prefix(10) + " " + text.dropFirst(11).prefix(8)
    return "<time datetime=\"\(text.prefix(23) + "Z")\">\(String(shown))</time>"
  }

  /// The attributes by which the page's script finds an item; no reason is an empty text.
  static func attributes(of item: ReportItem) -> Markup {
    """
     data-outcome="\(item.outcome.rawValue)" data-source="\(item.source.displayName)" \
    data-reason="\(item.reason?.rawValue ?? "")"
    """
  }
}

extension Markup.StringInterpolation {
  mutating func appendInterpolation(path text: String) { appendInterpolation(Markup.path(text)) }
  mutating func appendInterpolation(hash text: String) { appendInterpolation(Markup.hash(text)) }
  mutating func appendInterpolation(run text: String) { appendInterpolation(Markup.run(text)) }
  mutating func appendInterpolation(time text: String) { appendInterpolation(Markup.time(text)) }
}
