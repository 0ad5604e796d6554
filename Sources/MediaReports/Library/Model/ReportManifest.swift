internal import MediaAudit
internal import MediaModel
internal import MediaSyntax
internal import MediaVerification

/// A manifest by which runs of a report were made.
package struct ReportManifest: Sendable, Hashable {
  /// As the runs' first records name it; escaped.
  package var sha256: String
  /// The identifiers of these runs, in the order of the log; escaped.
  package var runs: [String]
  /// The manifest's own text, byte for byte; nil where the log has none with this digest.
  package var text: String?
  /// The reason why it has none; empty where it has one.
  package var absence: String

  /// The manifests of some runs, each once, in the order of the log; those of commands are left out.
  static func all(of runs: [ReportRun], in log: LibraryLog) -> [ReportManifest] {
    var manifests: [ReportManifest] = []
    for run in runs where !run.isHousekeeping {
      if let index = manifests.firstIndex(where: { $0.sha256 == run.manifestSHA256 }) {
        manifests[index].runs.append(run.identifier)
        continue
      }
      var manifest = ReportManifest(
        sha256: run.manifestSHA256,
        runs: [run.identifier],
        text: nil,
        absence: ""
      )
      switch log.manifest(run.manifestSHA256) {
      case .whole(let bytes): manifest.text = String(decoding: bytes, as: UTF8.self)
      case .changed:
        manifest.absence = "Its text was changed since, and is not shown."
      case .missing:
        manifest.absence = "The log has no text of it, as of runs of earlier versions."
      case .unreadable: manifest.absence = "Its text may be read by the library's owner alone."
      }
      manifests.append(manifest)
    }
    return manifests
  }

  /// As a member of a report in JSON.
  var value: JSONValue {
    [
      "sha256": .string(sha256), "runs": .array(runs.map { .string($0) }),
      "text": JSONValue(text), "absence": absence.isEmpty ? .null : .string(absence),
    ]
  }

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
