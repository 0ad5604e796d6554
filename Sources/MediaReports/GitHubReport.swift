internal import MediaModel

/// A report for GitHub Actions: annotations as workflow commands, at most ten of each kind.
///
/// Source: actions/toolkit, "Problem matchers" and `core.command`; a step shows 10 errors, 10 warnings
/// and 10 notices.
package enum GitHubReport {
  /// How many annotations of one kind a step shows.
  package static let limit = 10

  /// - Throws: The sink's error.
  package static func write(_ model: ReportModel, to sink: ReportSink) throws {
    for level in ReportFinding.Level.allCases {
      let findings = model.findings.filter { $0.level == level }
      let shown = findings.count > limit ? limit - 1 : findings.count
      for finding in findings.prefix(shown) {
        sink.text(command(level, title: finding.title, message: finding.message))
      }
      let more = findings.count - shown
      if more > 0 {
        sink.text(
          command(
            level,
            title: "mediabatch",
            message: "\(Quantity.text(more, "more finding")) like these are in the report."
          )
        )
      }
    }
    if model.findings.allSatisfy({ $0.level != .note }) {
      sink.text(
        command(
          .note,
          title: "mediabatch",
          message: "\(ReportWording.result(model.result)): "
            + "\(Quantity.grouped(model.totals.count(.imported))) of "
            + "\(Quantity.text(model.totals.discovered, "item")) imported."
        )
      )
    }
    try sink.finish()
  }

  /// One workflow command, with its newline.
  static func command(_ level: ReportFinding.Level, title: String, message: String) -> String {
    let name = level == .note ? "notice" : level.rawValue
    let title = escaped(title).replacing(":", with: "%3A").replacing(",", with: "%2C")
    return "::\(name) title=\(title)::\(escaped(message))\n"
  }

  /// Source: actions/toolkit, `escapeData`.
  private static func escaped(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }
}
