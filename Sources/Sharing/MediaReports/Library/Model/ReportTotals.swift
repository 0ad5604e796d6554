import MediaAudit
package import MediaModel

/// The totals over a number of records.
package struct ReportTotals: Sendable, Hashable {
  /// A kind of metadata that outputs no longer have.
  package struct Removed: Sendable, Hashable {
    /// How many times it was removed.
    package var count = 0
    /// The number of files it was removed from.
    package var files = 0
  }

  /// Items by outcome; a refused source adds nothing, but for items that were found before it was
  /// taken back.
  package private(set) var counts: [ItemOutcome: Int] = [:]
  /// How many of them have no record of their own, but one together: unchanged ones, and those that
  /// were found before their source was taken back.
  package private(set) var unlisted: [ItemOutcome: Int] = [:]
  /// Items by reason, where they have one.
  package private(set) var reasons: [ItemReason: Int] = [:]
  /// How many of the items an earlier run had dealt with, which was stopped before it could say so.
  package private(set) var recovered = 0
  package private(set) var degraded = 0
  package private(set) var thumbnails = 0
  /// The size of the originals that were written.
  package private(set) var outputBytes = 0
  /// Files that were about to be opened.
  package private(set) var accesses = 0
  /// By the container's own word.
  package private(set) var removed: [String: Removed] = [:]
  /// By what the values tell about; a container's own word is ``MetadataClass/other``.
  package private(set) var removedClasses: [MetadataClass: Removed] = [:]

  package init() {}

  /// Every item that was found: the sum of all outcomes.
  package var discovered: Int { counts.values.reduce(0, Quantity.sum) }

  package func count(_ outcome: ItemOutcome) -> Int { counts[outcome] ?? 0 }

  /// The outcomes of items without a record of their own, in the order in which outcomes are shown.
  package var groups: [(outcome: ItemOutcome, count: Int)] {
    ItemOutcome.allCases.compactMap { outcome in
      unlisted[outcome].flatMap { $0 > 0 ? (outcome: outcome, count: $0) : nil }
    }
  }

  /// The number of items that have a record of their own.
  package var listed: Int { discovered - unlisted.values.reduce(0, Quantity.sum) }

  /// Names come from files: so many are told apart, the others are counted together.
  private static let maximumKindCount = 200

  mutating func add(_ item: ReportItem) {
    add(1, item.outcome)
    if let reason = item.reason { reasons[reason, default: 0] += 1 }
    if item.recovered { recovered += 1 }
    if item.degraded { degraded += 1 }
    thumbnails += item.thumbnails.count
    outputBytes = Quantity.sum(outputBytes, item.output?.bytes ?? 0)
    var classes: [MetadataClass] = []
    for kind in item.removed {
      add(Removed(count: kind.count, files: 1), named: kind.name)
      let metadataClass = kind.metadataClass ?? .other
      let isFirst = !classes.contains(metadataClass)
      if isFirst { classes.append(metadataClass) }
      add(Removed(count: kind.count, files: isFirst ? 1 : 0), of: metadataClass)
    }
  }

  private mutating func add(_ number: Int, _ outcome: ItemOutcome) {
    counts[outcome] = Quantity.sum(counts[outcome] ?? 0, number)
  }

  /// Counts items that share one record.
  mutating func addUnlisted(_ number: Int, _ outcome: ItemOutcome) {
    add(number, outcome)
    unlisted[outcome] = Quantity.sum(unlisted[outcome] ?? 0, number)
  }

  /// Notes that one of the items that share a record is named all the same.
  mutating func name(_ item: ReportItem) {
    guard let count = unlisted[item.outcome] else { return }
    unlisted[item.outcome] = count > 1 ? count - 1 : nil
    if let reason = item.reason { reasons[reason, default: 0] += 1 }
  }

  mutating func addAccess() { accesses += 1 }

  mutating func add(_ other: ReportTotals) {
    for (outcome, number) in other.counts { add(number, outcome) }
    for (outcome, number) in other.unlisted {
      unlisted[outcome] = Quantity.sum(unlisted[outcome] ?? 0, number)
    }
    for (reason, number) in other.reasons { reasons[reason, default: 0] += number }
    recovered += other.recovered
    degraded += other.degraded
    thumbnails += other.thumbnails
    outputBytes = Quantity.sum(outputBytes, other.outputBytes)
    accesses += other.accesses
    for (name, kind) in other.removed.sorted(by: { $0.key < $1.key }) { add(kind, named: name) }
    for (kind, removed) in other.removedClasses { add(removed, of: kind) }
  }

  private mutating func add(_ removed: Removed, of kind: MetadataClass) {
    var sum = removedClasses[kind] ?? Removed()
    sum.count = Quantity.sum(sum.count, removed.count)
    sum.files += removed.files
    removedClasses[kind] = sum
  }

  private mutating func add(_ kind: Removed, named name: String) {
    let isNew = removed[name] == nil
    let key = isNew && removed.count >= Self.maximumKindCount ? "others" : name
    removed[key, default: Removed()].count = Quantity.sum(removed[key]?.count ?? 0, kind.count)
    removed[key, default: Removed()].files += kind.files
  }

  /// The kinds of metadata that were removed, the most frequent first.
  package var removedKinds: [(name: String, removed: Removed)] {
    removed.map { (name: $0.key, removed: $0.value) }.sorted {
      $0.removed.count == $1.removed.count
        ? $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
        : $0.removed.count > $1.removed.count
    }
  }
}
