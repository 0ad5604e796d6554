internal import MediaModel
internal import MediaSyntax

/// The result of reading a manifest.
package struct ManifestReading: Sendable {
  /// Nil if and only if there are issues.
  package var manifest: Manifest?
  /// Sorted by position.
  package var issues: [ManifestIssue]
}

/// Reads a manifest.
package enum ManifestReader {
  /// Finds the manifest in a text, or every mistake in it at once.
  ///
  /// Pure: looks at nothing but the bytes. A missing or empty usage description is no mistake here,
  /// since only deciding knows which ones are needed; nor are two folders that overlap, for which
  /// see ``SourcesOverlap``.
  ///
  /// - Parameter bytes: The whole file, at most 16 MiB.
  /// - Returns: The manifest, or the mistakes in the order of their places, at most 1,000.
  package static func read(_ bytes: [UInt8]) -> ManifestReading {
    let parsed = JSONParser.parse(bytes)
    var checker = ManifestChecker()
    var manifest = ManifestKeys.blank
    if let root = parsed.root {
      checker.read(Field(root: root), ManifestKeys.manifest, into: &manifest)
    }
    let issues = issues(of: parsed, checker, found: parsed.root != nil)
    return ManifestReading(manifest: issues.isEmpty ? manifest : nil, issues: issues)
  }

  /// All mistakes of a text and its values, in the order of their places; at least one when nothing
  /// was found.
  static func issues(
    of parsed: JSONParser.Result,
    _ checker: ManifestChecker,
    found: Bool
  ) -> [ManifestIssue] {
    let checked = checker.issues.filter { !(parsed.isPartial && $0.code == .missingKey) }
    // Stable: two mistakes at one place stay in the order in which they were found.
    let all = (parsed.issues.map { ManifestIssue($0) } + checked).enumerated()
      .sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }
      .map(\.element)
    return all.isEmpty && !found ? [unreadable] : cut(all)
  }

  /// A guard against this room's own mistakes: nothing is refused without a reason that says why.
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
