internal import MediaModel

/// The short descriptions of the rules of a SARIF log, which code scanning shows beside a result.
enum SARIFRules {
  /// Returns one sentence about a rule; for one without a sentence of its own, the words of its name.
  static func description(of rule: String) -> String {
    if let sentence = sentences[rule] { return sentence }
    if let reason = ItemReason(rawValue: rule) { return FailureAdvice.sentence(reason) }
    if let reason = DecisionReason(rawValue: rule) {
      return "A source was not read. " + ReportWording.reason(reason)
    }
    if let code = rule.split(separator: "-").last.flatMap({ Int($0) }), rule.hasPrefix("exit-") {
      return "A run ended with exit code \(code). " + ReportWording.exit(code)
    }
    if let outcome = ItemOutcome(rawValue: rule) {
      return "More items that ended as \(outcome.rawValue) than are listed."
    }
    if rule.hasPrefix("log-") { return "The audit log is not what was written." }
    return words(of: rule)
  }

  private static let sentences = [
    "accounting": "A run has more or fewer outcome records than its last record says.",
    "catalogue-differs": ReportWording.catalogueDiffers,
    "failedBefore": "Files that failed in an earlier run were not read again.",
    "more": "There are more results than are listed.",
    "no-end": "A run has not ended: it is still running, or it was stopped.",
    "no-run": "The report has no run.",
    "signature-differs": ReportWording.signatureDiffers,
    "transition": "An answer about a source changed while a run went on.",
    "widened": "A manifest allows more than the one before.",
  ]

  /// `unknownKey` as "Unknown key."
  private static func words(of rule: String) -> String {
    var words = ""
    for scalar in rule.unicodeScalars {
      if scalar.properties.isUppercase, !words.isEmpty {
        words += " " + scalar.properties.lowercaseMapping
      } else {
        words += words.isEmpty ? scalar.properties.uppercaseMapping : String(scalar)
      }
    }
    return words + "."
  }
}
