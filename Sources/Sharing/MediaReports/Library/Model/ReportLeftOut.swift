package import MediaModel

/// The items of a source that ended in one way for one reason, or that lack thumbnails for one.
package struct ReportLeftOut: Sendable, Hashable {
  /// What tells one group from another.
  struct Key: Hashable {
    var source: SourceID
    var reason: ItemReason
  }

  /// The most files that are told apart, since memory does not grow with a library.
  private static let maximumKnown = 10_000

  /// The most items that are named.
  static let maximumExamples = 3

  package var source: SourceID
  package var reason: ItemReason
  /// How they ended, which the reason says but for a duplicate without thumbnails.
  package var outcome: ItemOutcome { reason.outcome }
  /// The number of files, each once however many runs met it; from ``maximumKnown`` on, of items.
  package var count: Int { max(isKnown ? nameHashes.count : items, unnamed) }
  /// The most files of one run that have one record together, which another run may have named.
  private var unnamed = 0
  /// Whether its files are told apart.
  private var isKnown: Bool { nameHashes.count < Self.maximumKnown }
  /// The number of items: a file counts once in each run that found it.
  package private(set) var items = 0
  /// The paths of the first items within their source, each once, at most ``maximumExamples``;
  /// escaped.
  package var examples: [String] = []
  /// Hashes of the paths that were met.
  private var nameHashes: Set<Int> = []
  /// The format of their content where all that are known have the same, for the remedy.
  package var format: MediaFormat?
  private var hasFormats = false
  /// What the manifest of the newest run had set already.
  private(set) var settings = AdvisedSettings()

  init(_ key: Key) {
    (source, reason) = (key.source, key.reason)
  }

  /// Notes that a run has one record of so many files.
  mutating func add(unnamed number: Int, _ settings: AdvisedSettings) {
    unnamed = max(unnamed, number)
    self.settings = settings
  }

  mutating func add(_ item: ReportItem) {
    items += 1
    settings = item.settings
    let name = item.shownPath
    if nameHashes.count < Self.maximumKnown, nameHashes.insert(Array(name.utf8).hashValue).inserted,
      examples.count < Self.maximumExamples
    {
      examples.append(name)
    }
    guard let failed = item.failedFormat else { return }
    format = hasFormats && format != failed ? nil : failed
    hasFormats = true
  }

  /// The number of files in some groups: one that is in several, for another reason in each run, counts once.
  static func files(of groups: [ReportLeftOut]) -> Int {
    let distinct = Dictionary(grouping: groups.filter(\.isKnown), by: \.source).values
      .reduce(0) { $0 + $1.reduce(into: Set<Int>()) { $0.formUnion($1.nameHashes) }.count }
    return groups.reduce(distinct) { $1.isKnown ? $0 : $0 + $1.items }
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

/// The files that were left out for one cause, as a report tells them to a person.
struct LeftOutRow {
  var count: Int
  /// What became of them and why, without their number.
  var sentence: String
  /// What helps; a command stands between backticks.
  var remedy: String
  /// The paths of the first files, escaped; empty where none is known.
  var examples: [String]

  init(_ count: Int, _ sentence: String, _ remedy: String, _ examples: [String] = []) {
    (self.count, self.sentence, self.remedy, self.examples) = (count, sentence, remedy, examples)
  }

  /// The files of one reason.
  init(_ group: ReportLeftOut) {
    let (sentence, remedy) = FailureAdvice.sentences(
      of: group.count,
      reason: group.reason,
      source: group.source,
      format: group.format,
      settings: group.settings
    )
    let names = group.examples.isEmpty ? " The log does not name \(group.count == 1 ? "it" : "them")." : ""
    self.init(group.count, sentence + names, remedy, group.examples)
  }
}

extension ReportModel {
  /// The files that are not in the library, and those without thumbnails, in the order in which a person looks at them:
  /// by reason, then those that have one record together, and those that failed before.
  var leftOutRows: [LeftOutRow] {
    var rows = ReportLeftOut.ordered(leftOut.values).map { LeftOutRow($0) }
    if let refused = totals.unlisted[.refused], refused > 0 {
      rows.append(
        LeftOutRow(
          refused,
          "\(refused == 1 ? "file" : "files") found but not opened: the permission was taken back during the run.",
          "To import them, allow the source again, then run again."
        )
      )
    }
    guard failedBefore > 0 else { return rows }
    let named = listed[.failedBefore] ?? []
    let why = named.isEmpty ? "The report of the run that met them says why." : "The list of items says why."
    rows.append(
      LeftOutRow(
        failedBefore,
        "\(failedBefore == 1 ? "file" : "files") failed in an earlier run. Nothing about them has changed, "
          + "so they were not read again.",
        "\(why) `mediabatch run --retry-failed` reads them again.",
        named.prefix(ReportLeftOut.maximumExamples).map(\.shownPath)
      )
    )
    return rows
  }
}
