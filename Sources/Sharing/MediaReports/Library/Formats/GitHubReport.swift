internal import MediaModel

/// A report for GitHub Actions: annotations as workflow commands, at most ten of each kind.
///
/// Source: actions/toolkit, "Problem matchers" and `core.command`; a step shows 10 errors, 10 warnings
/// and 10 notices.
package enum GitHubReport {
  /// The number of annotations of one kind that a step shows.
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
            message: "The report has \(Quantity.text(more, "more finding")) like these."
          )
        )
      }
    }
    if model.findings.allSatisfy({ $0.level != .note }) {
      let failedBefore = model.failedBefore
      sink.text(
        command(
          .note,
          title: "mediabatch",
          message: "\(ReportWording.result(model.result)): "
            + ReportWording.imported(model.totals, of: "item")
            + (failedBefore > 0 ? ", \(Quantity.grouped(failedBefore)) failed earlier" : "")
            + (model.runs.count > 1
              ? ", in \(Quantity.text(model.runs.count, "run"))." : ".")
        )
      )
    }
    try sink.finish()
  }

  /// Returns a workflow command with its newline.
  static func command(_ level: ReportFinding.Level, title: String, message: String) -> String {
    let name = level == .note ? "notice" : level.rawValue
    return "::\(name) title=\(escaped(title, ":,"))::\(escaped(message))\n"
  }

  /// Scalar by scalar: CR LF is one character to Swift, and so is a colon with a mark above.
  ///
  /// Source: actions/toolkit, `escapeData` and `escapeProperty`.
  private static func escaped(_ text: String, _ delimiters: String = "") -> String {
    let escaped = "%\r\n\(delimiters)".unicodeScalars
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if escaped.contains(scalar) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result.append(contentsOf: (digits.utf8.count == 1 ? "%0" : "%").unicodeScalars)
        result.append(contentsOf: digits.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
