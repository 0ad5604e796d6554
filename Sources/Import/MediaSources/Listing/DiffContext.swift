internal import MediaFileSystem
package import MediaLibrary
package import MediaListing
package import MediaModel

/// What the items of a listing are compared with.
package struct DiffContext {
  package var source: SourceID
  /// The items of earlier runs; without it every item is pending.
  package var catalogue: (any CatalogueItems)?
  /// The policy and thumbnails of this run, see `WrittenUnder`.
  package var writtenUnder: String
  /// The conditions of failures in this run; with nil, every failure is tried again.
  package var failingUnder: String?
  /// The number of the first pending item in the run, 1-based.
  package var firstNumber: Int
  /// Whether labels have these numbers, so that items of one stack share them.
  package var sharesNumbers: Bool
  /// The items that a plan gives to the run, with their numbers; nil when it lists by itself.
  package var assigned: AssignedItems?
  /// Makes items pending again that were written under a looser policy.
  package var reprocesses: Bool
  /// Published files that are gone: their items are pending again, under the same policy.
  package var lost: LostFiles?
  /// Whether the source says another thing of an item than it did; nil where that is no reason to read it.
  package var isDescribedAnew: ((ItemPath) -> Bool)?

  /// Makes a context.
  package init(
    of source: SourceID,
    catalogue: (any CatalogueItems)?,
    writtenUnder: String,
    failingUnder: String? = nil,
    firstNumber: Int,
    sharesNumbers: Bool = false,
    assigned: AssignedItems? = nil,
    reprocesses: Bool = false,
    lost: LostFiles? = nil,
    isDescribedAnew: ((ItemPath) -> Bool)? = nil
  ) {
    self.source = source
    self.catalogue = catalogue
    self.writtenUnder = writtenUnder
    self.failingUnder = failingUnder
    self.firstNumber = firstNumber
    self.sharesNumbers = sharesNumbers
    self.assigned = assigned
    self.reprocesses = reprocesses
    self.lost = lost
    self.isDescribedAnew = isDescribedAnew
  }
}

/// What a comparison says of one item.
enum DiffVerdict {
  case unchanged
  /// It was written under another metadata policy and stays as it is.
  case underAnotherPolicy
  /// An earlier run has said its failure, and it would fail the same again.
  case failedBefore
  case notFetched
  case withdrawn
  case pending(PendingMarks)
}

/// What is known of a pending item from earlier runs; see ``PendingItem``.
struct PendingMarks {
  var previousAsset: Int64?
  var earlierByteCount: Int64?
  var lost: LostFiles.Parts?
  var getsThumbnailsOnly = false
  var isRewritten = false
  /// The same file was skipped or unsupported in an earlier run.
  var wasLeftOut = false
  var wasUnsupported = false
  /// The same file failed or was refused in an earlier run.
  var hasFailed = false
}

/// Compares the items of a listing with what earlier runs have made of them.
struct Comparison {
  let items: ListedItems
  let context: DiffContext
  /// The metadata policy of this run.
  private let policy: MetadataPolicy?
  /// The fingerprints of the thumbnails of this run, by name.
  private let wanted: [String: String]
  /// The indexes of items whose failure does not count.
  var retried: Set<Int> = []
  /// The indexes of unchanged items that are read again.
  var readAgain: Set<Int> = []

  init(of items: ListedItems, with context: DiffContext) {
    self.items = items
    self.context = context
    policy = WrittenUnder.policy(of: context.writtenUnder)
    wanted = WrittenUnder.fingerprints(of: context.writtenUnder)
  }

  /// Whether a sidecar has the size and the time of modification that it had: it was copied or moved. The catalogue
  /// has no digest of one that is not published.
  private func isTouchedSidecar(at index: Int, _ row: CatalogueItem) -> Bool {
    let status = items.status(at: index)
    return items.isSidecar(at: index) && row.size == status.size && row.modified == status.modified
  }

  /// Whether the asset of an item was written under a looser policy than that of this run.
  private func isLooser(_ row: CatalogueItem) -> Bool {
    guard row.asset != nil, !row.isWithdrawn, let policy, let writtenUnder = row.writtenUnder else {
      return false
    }
    return WrittenUnder.policy(of: writtenUnder)?.isAtLeastAsStrict(as: policy) != true
  }

  /// What becomes of an item.
  ///
  /// - Parameters:
  ///   - index: Its index in the listing.
  ///   - row: What earlier runs have made of this path; nil for nothing.
  /// - Returns: The verdict.
  func verdict(of index: Int, row: CatalogueItem?) -> DiffVerdict {
    if items.reason(at: index) == .notFetched { return .notFetched }
    guard let row else { return .pending(PendingMarks()) }
    let isReadable = items.reason(at: index) == nil
    let status = items.status(at: index)
    var marks = PendingMarks(previousAsset: row.asset)
    if isReadable { marks.lost = row.asset.flatMap { context.lost?.parts(ofAsset: $0) } }
    if isReadable, row.isWithdrawn, row.isSameContent(as: status) {
      guard context.reprocesses else { return .withdrawn }
      marks.isRewritten = true
    } else if isReadable, row.asset != nil, row.isSameFile(as: status) {
      if let verdict = verdict(ofSameFileAt: index, row, &marks) { return verdict }
    } else if row.asset != nil, !isTouchedSidecar(at: index, row) {
      marks.earlierByteCount = row.size
    }
    if isReadable, !marks.isRewritten, let failure = row.failure,
      let verdict = verdict(ofFailureAt: index, failure, marks)
    {
      return verdict
    }
    let isSameContent = row.isSameContent(as: status)
    marks.wasUnsupported = row.isUnsupported && isSameContent
    marks.hasFailed = row.hasFailed && isSameContent
    marks.wasLeftOut =
      row.isLeftOut && isSameContent && !(row.isUnsupported && items.isSidecar(at: index))
    return .pending(marks)
  }

  /// The verdict of a file of which an asset was made and which has not changed; nil when it is read again.
  private func verdict(
    ofSameFileAt index: Int,
    _ row: CatalogueItem,
    _ marks: inout PendingMarks
  ) -> DiffVerdict? {
    let restores = marks.lost?.originals.isEmpty == false
    let mends = restores || marks.lost?.thumbnails.keys.contains { wanted[$0] != nil } ?? false
    let isReadAgain = readAgain.contains(index)
    if let writtenUnder = row.writtenUnder {
      let policyOfRow = WrittenUnder.policy(of: writtenUnder)
      if context.reprocesses, isLooser(row) {
        marks.isRewritten = true
        return nil
      }
      if policyOfRow != policy { return .underAnotherPolicy }
      let present = WrittenUnder.fingerprints(of: writtenUnder)
      let isWhole = wanted.allSatisfy { present[$0.key] == $0.value }
      if isWhole, !mends, !isReadAgain { return .unchanged }
    } else if !mends, !isReadAgain {
      return .unchanged
    }
    marks.getsThumbnailsOnly = !restores && !isReadAgain
    return nil
  }

  /// The verdict of a file whose failure an earlier run has said; nil when it is tried again.
  private func verdict(
    ofFailureAt index: Int,
    _ failure: CatalogueFailure,
    _ marks: PendingMarks
  ) -> DiffVerdict? {
    guard failure.isSameFile(as: items.status(at: index)), !retried.contains(index),
      marks.getsThumbnailsOnly || !failure.isThumbnailMissing
    else { return nil }
    if failure.isThumbnailMissing { return .unchanged }
    return failure.isNotFetched ? .notFetched : .failedBefore
  }
}
