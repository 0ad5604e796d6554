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
    if let rename = entry.rename {
      let path = rename.output.path
      let label = Self.label(ofFile: path)
      add(ReportText.line(rename.asset, limit: 100), [label, ReportText.path(path.bytes)])
      return
    }
    guard let item = ReportItem(entry), let asset = item.localIdentifier else { return }
    add(asset, names(of: item))
  }

  /// The label that the name of a renamed file has: a thumbnail's begins with a time.
  private static func label(ofFile path: ItemPath) -> String {
    let stem = String(decoding: path.stem, as: UTF8.self)
    let isThumbnail = path.bytes.starts(with: "Thumbnails/".utf8)
    return ReportText.line(isThumbnail ? String(stem.drop { $0 != " " }.dropFirst()) : stem)
  }

  private mutating func add(_ asset: String, _ names: [String]) {
    if asset == word { isIdentifier = true }
    guard names.contains(word), !found.contains(asset) else { return }
    found.append(asset)
  }

  private func names(of item: ReportItem) -> [String] {
    [item.shownPath, item.label, item.output.map { ReportText.path($0.path.bytes) }]
      .compactMap(\.self) + (folders[item.source] ?? []).map { "\($0)/\(item.shownPath)" }
  }
}
