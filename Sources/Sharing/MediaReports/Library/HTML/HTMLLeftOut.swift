internal import MediaModel
internal import MediaPages
internal import MediaSyntax

/// What was left out, and what helps.
enum HTMLLeftOut {
  /// Writes what a person has to see first about the runs.
  static func attention(_ model: ReportModel) -> Markup {
    let needs = model.needs
    guard !needs.isEmpty else { return "" }
    let items = needs.prefix(100).map { "<li>\(withCommands($0))</li>\n" as Markup }
    return .section("attention", "What needs a person", "<ul class=\"attention\">\n\(items)</ul>\n")
  }

  /// The items that are not in the library, and those without thumbnails, by reason.
  static func groups(_ model: ReportModel) -> Markup {
    let rows = model.leftOutRows.map(row)
    guard !rows.isEmpty else { return "" }
    return .section(
      "leftout",
      "What was left out, and what helps",
      "<ul class=\"reasons\">\n\(rows)</ul>\n"
    )
  }

  private static func row(_ row: LeftOutRow) -> Markup {
    let names = names(row.examples, of: row.count)
    return """
      <li><b class="n">\(grouped: row.count)</b><div><p>\(row.sentence)</p><p>\(withCommands(row.remedy))</p>\
      \("<p>\(names)</p>", if: !names.isEmpty)</div></li>

      """
  }

  /// A text whose commands stand between backticks.
  private static func withCommands(_ text: String) -> Markup {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
    return "\(parts.enumerated().map { $0 % 2 == 0 ? .plain($1) : "<code>\($1)</code>" })"
  }

  /// The first names of some items; nothing where none is known.
  private static func names(_ examples: [String], of count: Int) -> Markup {
    let more = count - examples.count
    return examples.isEmpty
      ? ""
      : """
      \(examples.map(Markup.path).joined(separator: ", "))\(", and \(grouped: more) more", if: more > 0)
      """
  }
}
