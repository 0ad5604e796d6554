internal import MediaAudit
internal import MediaModel

/// The page that GitHub Actions shows for a step: Markdown, well under its limit of 1 MiB.
///
/// Every character of a name that Markdown or HTML could take for more than itself is written as a
/// character reference.
///
/// Source: GitHub Docs, "Adding a job summary"; CommonMark 0.31 section 2.5.
package enum StepSummary {
  /// In bytes; the rest of the limit is for what else the step writes there.
  package static let byteLimit = 900_000

  package static func text(_ model: ReportModel) -> String {
    var text = "## Media access: \(ReportWording.result(model.result))\n\n"
    text += "About \(plain(model.scope.title)) of library \(plain(model.library)).\n\n"
    if let difference = model.verification.difference {
      text += "**The log is not what was written.** \(plain("\(difference)"))\n\n"
    }
    let rest = counts(model) + sources(model) + proof(model)
    let findings = model.findings.filter { $0.level != .note }
    if !findings.isEmpty {
      text += "### What needs a person\n\n"
      for (index, finding) in findings.enumerated() {
        let line = "- **\(plain(finding.title))**: \(plain(finding.message))\n"
        guard text.utf8.count + line.utf8.count + rest.utf8.count < byteLimit else {
          text += "- and \(Quantity.grouped(findings.count - index)) more\n"
          break
        }
        text += line
      }
      text += "\n"
    }
    return text + rest
  }

  private static func counts(_ model: ReportModel) -> String {
    var text = ""
    if model.runs.count > 1, !model.isAboutAsset {
      text += "The library holds \(Quantity.text(model.holdings.assets, "asset"))"
      text += model.scope == .all ? "" : " of these runs"
      text += ". The numbers add up \(Quantity.text(model.runs.count, "run")): a file counts once "
      text += "in each run that found it.\n\n"
    }
    text += "| " + (["found"] + ItemOutcome.allCases.map(\.rawValue)).joined(separator: " | ")
    text += " |\n|" + String(repeating: " ---: |", count: ItemOutcome.allCases.count + 1) + "\n| "
    text += ([model.totals.discovered] + ItemOutcome.allCases.map(model.totals.count))
      .map(Quantity.grouped).joined(separator: " | ")
    return text + " |\n\n"
  }

  private static func proof(_ model: ReportModel) -> String {
    var text = "### Proof\n\n\(plain(ReportWording.verification(model.verification)))\n\n"
    text += plain(ReportWording.signature(model.verification)) + "\n\n"
    text += "Head: `\(hexadecimal(model.verification.head))`\n\n"
    text += "Keep it outside the library; later it proves that the log was only added to: "
    text +=
      "`mediabatch audit verify LIBRARY --expect-head \(hexadecimal(model.verification.head))`\n"
    return text
  }

  private static func sources(_ model: ReportModel) -> String {
    let columns = ["run", "by", "source", "decision", "decided by", "why it was asked for"]
    var text = "### Sources\n\n| \(columns.joined(separator: " | ")) |\n|"
    text += String(repeating: " --- |", count: columns.count) + "\n"
    for run in model.runs.suffix(20) {
      for permission in run.permissions {
        let verdict =
          permission.verdict == .allow
          ? "allowed" : [.notDetermined, .expired].contains(permission.reason) ? "undecided" : "refused"
        let decision = verdict + (permission.isFailure ? ", and required" : "")
        let cells = [
          run.identifier, "\(run.user) on \(run.host)", permission.source.displayName,
          decision, ReportWording.decider(permission),
          permission.usageText ?? permission.usageKey,
        ]
        text += "| " + cells.map(plain).joined(separator: " | ") + " |\n"
      }
    }
    let more = model.runs.count - 20
    if more > 0 { text += "\nand \(Quantity.text(more, "earlier run")).\n" }
    return text + "\n"
  }

  /// Text that is nothing but text.
  static func plain(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", " ", ",": result.unicodeScalars.append(scalar)
      default:
        if scalar.isASCII {
          result += "&#\(scalar.value);"
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }

  private static func hexadecimal(_ text: String) -> String {
    String(text.filter { $0.isASCII && $0.isHexDigit })
  }
}
