internal import MediaModel

/// Holds the files that begin a log anew, as those of shards do, against the `merged` records of the merge that took
/// them over: a log that no merge took over is none of this library.
struct MergedLogs {
  private struct File {
    let name: AuditFileName
    let head: RecordHash
    let tree: AuditTreeHead
  }

  /// Those with a record, in their order.
  private var files: [File] = []
  /// How many of them a merge has to name.
  private var expectedCount = 0
  /// How many of them merges have named.
  private var namedCount = 0
  /// Whether the file that is read is that of a merge.
  private var isMerge = false

  init() {}

  /// Notes a `run` or `merged` record that fits.
  ///
  /// - Parameters:
  ///   - line: The record.
  ///   - event: Its event; of all others nothing is noted.
  /// - Returns: The difference, when it names another log than the next one.
  mutating func difference(at line: AuditLine, _ event: AuditEvent) -> AuditDifference? {
    guard let entry = AuditEntry(line: line.bytes) else { return nil }
    if event == .run { isMerge = entry.beginsMerge }
    guard event == .merged, isMerge, namedCount < expectedCount else { return nil }
    let file = files[namedCount]
    namedCount += 1
    if let merge = entry.body(of: AuditMerge.self, allowsGaps: true),
      [merge.file, merge.run, merge.head] == [file.name.text, file.name.run, file.head.text],
      merge.tree == file.tree
    {
      return nil
    }
    return AuditDifference(
      kind: .changed,
      file: file.name.text,
      detail: "a merge has taken over another log than this one"
    )
  }

  /// Notes a file without differences.
  mutating func add(_ check: AuditFileCheck) {
    guard check.records > 0 else { return }
    let tree = check.ownTree ?? check.tree
    files.append(File(name: check.name, head: check.head, tree: tree.head))
    if check.ownTree != nil { expectedCount = files.count }
  }

  /// Returns the difference when no merge has taken over a log that begins anew.
  func differenceAtEnd() -> AuditDifference? {
    guard namedCount < expectedCount else { return nil }
    return AuditDifference(
      kind: .added,
      file: files[namedCount].name.text,
      detail: "no merge has taken over the log"
    )
  }
}
