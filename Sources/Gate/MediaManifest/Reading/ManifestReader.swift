internal import MediaModel
internal import MediaSyntax

/// The result of reading a manifest.
package struct ManifestReading: Sendable {
  /// Nil if and only if there are issues.
  package var manifest: Manifest?
  /// The values that have no issue, with defaults for the others; nil where the text is no whole JSON
  /// object. It serves to find further mistakes, and is never run.
  package var readable: Manifest?
  /// Sorted by position.
  package var issues: [ManifestIssue]
}

/// Reads a manifest.
package enum ManifestReader {
  /// Reads a manifest, or finds every error in it.
  ///
  /// A pure function of the bytes. A missing or empty usage description is not an error here,
  /// since only deciding knows which ones are needed; nor are folders that overlap, for which
  /// see ``SourcesOverlap``.
  ///
  /// - Parameter bytes: The whole file, at most 16 MiB.
  /// - Returns: The manifest, or the mistakes in the order of their places, at most 1,000.
  package static func read(_ bytes: [UInt8]) -> ManifestReading {
    let parsed = JSONParser.parse(bytes)
    var checker = ManifestChecker()
    var manifest = Manifest.blank
    if let root = parsed.root {
      ManifestKeys.manifest.read(&checker, Field(root: root), into: &manifest)
    }
    let issues = checker.issues(of: parsed, hasResult: parsed.root != nil)
    let isWhole = parsed.root != nil && !parsed.isPartial
    return ManifestReading(
      manifest: issues.isEmpty ? manifest : nil,
      readable: isWhole ? manifest : nil,
      issues: issues
    )
  }
}

extension ManifestChecker {
  /// All issues of a text and its values, sorted by position; at least one when nothing
  /// was found.
  func issues(of parsed: JSONParser.Result, hasResult: Bool) -> [ManifestIssue] {
    let checked = issues.filter { !(parsed.isPartial && $0.code == .missingKey) }
    // The sort is stable: issues at one position stay in the order in which they were found.
    let all = (parsed.issues.map { ManifestIssue($0) } + checked).enumerated()
      .sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }
      .map(\.element)
    return all.isEmpty && !hasResult ? [Self.unreadable] : Self.cut(all)
  }

  /// The issue of last resort, so that nothing is refused without a reason.
  private static let unreadable = ManifestIssue(
    position: .start,
    path: JSONPath.root,
    issue: ValueIssue(.syntax, "the text cannot be understood")
  )

  private static func cut(_ issues: [ManifestIssue]) -> [ManifestIssue] {
    let limit = SyntaxIssue.maximumCount
    guard issues.count >= limit else { return issues }
    var kept = Array(issues.prefix(limit - 1))
    kept.append(
      ManifestIssue(
        position: issues[limit - 1].position,
        path: JSONPath.root,
        issue: ValueIssue(.tooManyMistakes, "there are more mistakes than are listed here")
      )
    )
    return kept
  }
}
