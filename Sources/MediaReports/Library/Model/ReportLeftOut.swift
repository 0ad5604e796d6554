package import MediaModel

/// The items of a source that ended in one way for one reason, or that lack thumbnails for one.
package struct ReportLeftOut: Sendable, Hashable {
  /// What tells one group from another.
  struct Key: Hashable {
    var source: SourceKind
    var reason: ItemReason
  }

  /// The most items that are named.
  static let maximumExamples = 3

  package var source: SourceKind
  package var reason: ItemReason
  /// How they ended, which the reason says but for a duplicate without thumbnails.
  package var outcome: ItemOutcome { reason.outcome }
  package var count = 0
  /// The paths of the first items within their source, each once, at most ``maximumExamples``;
  /// escaped.
  package var examples: [String] = []
  /// How many of the items have one of these names.
  package private(set) var namedCount = 0
  /// The format of their content where all that are known have the same, for the remedy.
  package var format: MediaFormat?
  private var hasFormats = false

  init(_ key: Key) {
    (source, reason) = (key.source, key.reason)
  }

  mutating func add(_ item: ReportItem) {
    count += 1
    let name = item.shownPath
    // A file counts once in each run that found it, and its name says no more the second time.
    if examples.contains(name) {
      namedCount += 1
    } else if examples.count < Self.maximumExamples {
      examples.append(name)
      namedCount += 1
    }
    guard let failed = item.failedFormat else { return }
    format = hasFormats && format != failed ? nil : failed
    hasFormats = true
  }

  /// The groups in the order in which a person has to look at them: failures, refusals, unknown formats,
  /// what is there without thumbnails, and what a rule left out; the largest first.
  static func ordered(_ groups: some Sequence<ReportLeftOut>) -> [ReportLeftOut] {
    let order: [ItemOutcome] = [.failed, .refused, .unsupported, .imported, .skipped]
    func rank(_ group: ReportLeftOut) -> Int { order.firstIndex(of: group.outcome) ?? order.count }
    return groups.sorted { left, right in
      let (leftRank, rightRank) = (rank(left), rank(right))
      if leftRank != rightRank { return leftRank < rightRank }
      if left.count != right.count { return left.count > right.count }
      return left.reason == right.reason
        ? left.source < right.source : left.reason.rawValue < right.reason.rawValue
    }
  }
}
