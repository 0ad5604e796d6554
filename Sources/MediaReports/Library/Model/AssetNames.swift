internal import MediaAudit
internal import MediaModel

/// Finds the assets that a word of the command line means: a localIdentifier, a label, or the path of a
/// file in its source or in the library.
struct AssetNames {
  private let word: String
  /// Whether an asset has the word as its identifier: then it means nothing else.
  private(set) var isIdentifier = false
  /// The assets that have the word as a label or a path, each once, in the order of the log; escaped.
  private(set) var found: [String] = []
  /// The folders of the sources, in the words of the manifest and resolved, as the run that is read has
  /// them.
  private var folders: [SourceKind: [String]] = [:]

  /// - Parameter word: In the form in which reports print paths, or plain.
  init(_ word: String) { self.word = word }

  mutating func look(at entry: AuditEntry) {
    if entry.event == .run { folders = [:] }
    if entry.event == .source, let source = entry.source {
      let fields = ReportFields(entry.fields)
      folders[source] = ["path", "resolvedPath"].compactMap { name in
        fields.path(name).map { ReportText.path($0.bytes) }
      }
    }
    guard let item = ReportItem(entry), let asset = item.asset else { return }
    if asset == word { isIdentifier = true }
    guard names(of: item).contains(word), !found.contains(asset) else { return }
    found.append(asset)
  }

  private func names(of item: ReportItem) -> [String] {
    [item.shownPath, item.label, item.output.map { ReportText.path($0.path.bytes) }]
      .compactMap(\.self) + (folders[item.source] ?? []).map { "\($0)/\(item.shownPath)" }
  }
}
