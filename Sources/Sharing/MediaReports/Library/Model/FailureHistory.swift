internal import MediaAudit
internal import MediaModel
internal import MediaVerification

/// The failures that a run counts as `failedBefore`, which runs before it have recorded.
struct EarlierFailures: Sendable, Hashable {
  /// Where the record of a failure stands.
  struct Place: Sendable, Hashable, Comparable {
    /// The audit file, by its index in the log.
    var file: Int
    var sequence: Int

    static func < (left: Place, right: Place) -> Bool {
      (left.file, left.sequence) < (right.file, right.sequence)
    }
  }

  /// The records of all of them, in the order of the log; empty when the log does not tell which they are.
  var places: [Place] = []
  /// Where the log does not tell: the first files that they are among, each with its reason; escaped.
  var candidates: [String] = []
  /// The number of files that they are among.
  var candidateCount = 0

  /// The most candidates that are named.
  static let maximumCandidates = 10
}

/// The failures that runs have said, as they stand behind the audit files that were read.
///
/// The record of a run that counts earlier failures has their number and a digest of their paths. A file's failure is
/// its last outcome, if that cannot change by itself, of a run that has ended by saying so. A file that is gone from its
/// source since then is not among those that a run counts, and no record says so: the digest does.
struct FailureHistory {
  private struct Failure {
    var place: EarlierFailures.Place
    var reason: ItemReason
    /// All that it depends on besides its file.
    var conditions: String
  }

  /// The most failures that are told apart: memory does not grow with a library.
  private static let maximumCount = 100_000
  /// The most paths that are hashed to find which files are gone: half a second.
  private static let maximumHashedPaths = 4_000_000

  private let log: LogSnapshot
  private let placements: AssetPlacements
  /// The index of the first file that was not read.
  private var next = 0
  private var failures: [SourceID: [ItemPath: Failure]] = [:]
  private var count = 0
  /// The indexes of the files of runs that have ended with the code of failures.
  private var said: Set<Int> = []
  /// The conditions of the file that was read last.
  private var conditions: [SourceID: String] = [:]

  init(_ log: LogSnapshot, _ placements: AssetPlacements) {
    (self.log, self.placements) = (log, placements)
  }

  /// Reads on to the end of a file of the log.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  mutating func read(through file: AuditFileName) throws(AuditError) {
    while next < log.files.count, log.files[next].name <= file {
      try read(log.files[next])
      next += 1
    }
  }

  private mutating func read(_ file: LogSnapshot.File) throws(AuditError) {
    conditions = [:]
    try log.forEach(in: file, only: [.source, .candidates, .outcome, .end]) { entry in
      if let item = entry.item {
        if let item = placements.placed(item) { note(item, entry.sequence) }
      } else if let source = entry.source, let conditions = entry.conditions {
        self.conditions[source] = conditions
      } else if entry.exitCode == Int(RunExitCode.itemsFailed.rawValue) {
        said.insert(next)
      }
    }
  }

  private mutating func note(_ item: Outcome, _ sequence: Int) {
    let earlier = failures[item.source]?.removeValue(forKey: item.path)
    if earlier != nil { count -= 1 }
    guard item.outcome == .failed, !item.recovered, let reason = item.reason, reason.isLasting,
      let conditions = conditions[item.source], count < Self.maximumCount
    else { return }
    let place = EarlierFailures.Place(file: next, sequence: sequence)
    failures[item.source, default: [:]][item.path] = Failure(
      place: place,
      reason: reason,
      conditions: conditions
    )
    count += 1
  }

  /// The failures that a record of the file that was read last counts.
  func counted(in record: AuditCount) -> EarlierFailures {
    let countable = (failures[record.source] ?? [:]).filter { _, failure in
      failure.place.file < next - 1 && said.contains(failure.place.file)
        && failure.conditions == conditions[record.source]
    }
    let paths = countable.keys.sorted()
    var earlier = EarlierFailures()
    if let counted = Self.paths(of: record, among: paths) {
      earlier.places = counted.compactMap { countable[$0]?.place }.sorted()
    } else if paths.count > record.count {
      earlier.candidateCount = paths.count
      earlier.candidates = paths.prefix(EarlierFailures.maximumCandidates).map { path in
        let name = ReportText.path(path.bytes)
        return "\"\(name)\"" + (countable[path].map { " (\($0.reason.rawValue))" } ?? "")
      }
    }
    return earlier
  }

  /// The paths that a record counts.
  ///
  /// - Parameters:
  ///   - record: The number of the paths, and their digest.
  ///   - paths: Those that they are among, in ascending order.
  /// - Returns: Nil when that cannot be told.
  static func paths(of record: AuditCount, among paths: [ItemPath]) -> [ItemPath]? {
    guard record.count > 0, record.count <= paths.count else { return nil }
    guard let digest = record.listSHA256 else { return record.count == paths.count ? paths : nil }
    let goneCount = paths.count - record.count
    var trials = 1
    for number in 0..<goneCount {
      let (product, overflows) = trials.multipliedReportingOverflow(by: paths.count - number)
      trials = product / (number + 1)
      if overflows || trials > maximumHashedPaths / record.count { return nil }
    }
    var gone = Array(0..<goneCount)
    while true {
      var left = paths
      for index in gone.reversed() { left.remove(at: index) }
      if AuditRecord.listSHA256(left) == digest { return left }
      guard advance(&gone, below: paths.count) else { return nil }
    }
  }

  /// Makes ascending indexes the next ones in their order.
  ///
  /// - Returns: False behind the last ones.
  private static func advance(_ indexes: inout [Int], below count: Int) -> Bool {
    let movable = indexes.indices.last { indexes[$0] < count - (indexes.count - $0) }
    guard let movable else { return false }
    let start = indexes[movable] + 1
    for index in movable..<indexes.count { indexes[index] = start + index - movable }
    return true
  }
}
