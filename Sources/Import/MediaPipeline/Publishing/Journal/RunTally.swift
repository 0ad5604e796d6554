internal import MediaLibrary
internal import MediaListing
package import MediaModel
package import MediaPermissions
package import MediaSandbox
internal import MediaSources

/// What a run has counted of its items so far.
package struct RunTally {
  package private(set) var counts: [SourceID: [ItemOutcome: Int]] = [:]
  /// What the report has of it as it is.
  package internal(set) var totals = RunReport.Totals()
  /// Paths of lost originals that were published again.
  private var restored: Set<String> = []
  /// Items that were imported although a date of theirs is before 1826, in the future or in no calendar: their number,
  /// and the paths of the first ones.
  package private(set) var implausibleDates: (count: Int, examples: [ItemPath]) = (0, [])
  /// The tags of these dates.
  package private(set) var implausibleTags: Set<String> = []
  /// Whether one of them is that of a camera's clock, in a file that has no better date of it.
  package private(set) var hasWrongClock = false
  /// Pictures that were imported although they state a movie that is not there: as ``implausibleDates``.
  package private(set) var misstatedMovies: (count: Int, examples: [ItemPath]) = (0, [])
  /// The number of them in which no whole movie was found.
  private(set) var moviesNotFound = 0
  /// The numbers of items of no known format that are media by their names, by the names' extensions.
  package private(set) var mediaNotTaken: [String: Int] = [:]
  /// The originals whose file system did not take a time, with the errno of the first one.
  package private(set) var untimed = FileTimes.Failures()
  /// Sources that were allowed when the run began and were taken back while it went on.
  package private(set) var revoked: [DecidedSource] = []
  /// The files that were added to the photo library, and the captured items that were not.
  package var additions = (added: 0, refused: 0, withoutSound: 0)

  /// The number of items with an outcome.
  package var endedCount: Int { counts.values.reduce(0) { $0 + $1.values.reduce(0, +) } }

  /// The items of all sources by outcome.
  var outcomes: [ItemOutcome: Int] {
    counts.values.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
  }

  /// Counts items that have the same outcome and were not opened.
  mutating func count(
    _ items: ListedPaths,
    of source: SourceID,
    as outcome: ItemOutcome,
    because reason: ItemReason?
  ) {
    if let reason {
      let examples = items.prefix(RunReport.LeftOut.maximumExamples)
      countLeftOut(source, reason, count: items.count, examples: Array(examples))
    }
    counts[source, default: [:]][outcome, default: 0] += items.count
  }

  /// Notes why the first of the items of a source failed before.
  mutating func note(failedBefore reasons: [ItemPath: ItemReason], of source: SourceID) {
    for (path, reason) in reasons.sorted(by: { $0.key < $1.key }) {
      var item = Outcome(source: source, path: path, outcome: .failedBefore)
      item.reason = reason
      totals.failedBefore.append(RunReport.Failure(item))
    }
  }

  /// Counts items that were found and not opened, because access to their source was revoked.
  package mutating func countRefused(_ number: Int, of source: SourceID) {
    if number > 0 { counts[source, default: [:]][.refused, default: 0] += number }
  }

  package mutating func countRevoked(_ source: DecidedSource) { revoked.append(source) }

  mutating func count(_ failures: FileTimes.Failures) { untimed.add(failures) }

  /// Counts the results of a batch; an earlier run did not import those of `repeated` either.
  mutating func count(_ results: [ItemResult], repeated: Set<ItemPath> = []) {
    for result in results { count(result, isRepeated: repeated.contains(result.item.path)) }
  }

  private mutating func count(_ result: ItemResult, isRepeated: Bool) {
    if result.isAgain { return }
    counts[result.item.source, default: [:]][result.outcome, default: 0] += 1
    if result.degraded { totals.degraded += 1 }
    if let path = result.restored?.published, restored.insert(path).inserted {
      totals.restored += 1
    }
    if result.olderVersion != nil { totals.newerVersions += 1 }
    if result.replaces != nil { totals.replaced += 1 }
    totals.thumbnails += result.thumbnails.count
    if result.outcome == .unsupported { countMedia(result.item.path) }
    if result.outcome == .unsupported, totals.unsupported.count < RunReport.maximumUnsupported {
      var unsupported = RunReport.Failure(result.details)
      (unsupported.format, unsupported.detail) = (nil, "")
      totals.unsupported.append(unsupported)
    }
    guard result.outcome == .failed || result.reason == .thumbnailMissing else {
      if let reason = result.reason {
        countLeftOut(
          result.item.source,
          reason,
          count: 1,
          examples: [result.item.path],
          areRepeated: isRepeated
        )
      }
      return
    }
    var failure = RunReport.Failure(result.details)
    failure.isRepeated = isRepeated
    if result.outcome == .failed {
      totals.failures.append(failure)
    } else {
      totals.thumbnailMissing.append(failure)
    }
  }

  /// Counts an item of no known format if it is media by its name; macOS's `._` beside a photo is none, and a text
  /// with a name that texts have too.
  private mutating func countMedia(_ path: ItemPath) {
    let name = path.fileExtension
    guard !path.name.starts(with: [UInt8.dot, UInt8.underscore]), MediaName.isMedia(fileExtension: name),
      !MediaName.isOfTexts(fileExtension: name)
    else { return }
    mediaNotTaken[name, default: 0] += 1
  }

  /// Counts the imported items of a batch whose files say what cannot be right.
  mutating func countFalseStatements(of batch: BatchWork, _ staged: StagedBatch) {
    for item in Self.count(batch, staged, in: &implausibleDates, where: { $0.implausibleDateTag != nil }) {
      guard let facts = item.facts, let tag = facts.description?.implausibleDateTag else { continue }
      implausibleTags.insert(tag)
      let used = facts.creationDate.map { $0.tag.prefix { $0 != "+" } } ?? ""
      if CaptureDate.tagsOfClocks.contains(tag), !CaptureDate.tagsOfClocks.contains(String(used)) {
        hasWrongClock = true
      }
    }
    let misstating = Self.count(batch, staged, in: &misstatedMovies) { $0.misstatesMovie == true }
    moviesNotFound += misstating.count { $0.facts?.embeddedMovie == nil }
  }

  private static func count(
    _ batch: BatchWork,
    _ staged: StagedBatch,
    in tally: inout (count: Int, examples: [ItemPath]),
    where isWanted: (MediaDescription) -> Bool
  ) -> [ItemWork] {
    var items = batch.items.filter { $0.facts?.description.map(isWanted) == true }
    if items.isEmpty { return [] }
    let imported = Set(staged.results.filter { $0.outcome == .imported }.map(\.item.path))
    items.removeAll { !imported.contains($0.planned.path) }
    tally.count += items.count
    let room = RunReport.LeftOut.maximumExamples - tally.examples.count
    tally.examples += items.prefix(room).map(\.planned.path)
    return items
  }

  private mutating func countLeftOut(
    _ source: SourceID,
    _ reason: ItemReason,
    count: Int,
    examples: [ItemPath],
    areRepeated: Bool = true
  ) {
    // An export of photos has one beside each of them.
    if reason == .sidecarRead {
      totals.sidecarsRead += count
      return
    }
    let existing = totals.leftOut.firstIndex { $0.source == source && $0.reason == reason }
    let index = existing ?? totals.leftOut.endIndex
    if existing == nil {
      totals.leftOut.append(RunReport.LeftOut(source: source, reason: reason, count: 0, examples: []))
    }
    totals.leftOut[index].count += count
    totals.leftOut[index].add(examples, areRepeated: areRepeated)
  }
}

/// What one run has counted and has to say while it goes on.
///
/// The listing, the journal and the watch count in it, and the report is made of it, also after an error.
package final class RunAccount {
  package var tally = RunTally()
  /// What a person has to know, in the order in which it was found.
  var problems: [RunReport.Problem] = []
  /// The rows of the files that were published before the run.
  var newestRows: Library.NewestRows?
  /// The numbers of files and folders that the rules of a source left out.
  var ignored: [SourceID: Int] = [:]
  /// The corrections of wrong clocks that some date met.
  let usedShifts = UsedShifts()
  /// The movies of live photos that were imported, or left out, without their stills.
  var loneHalves: [LoneHalf] = []
}
