internal import GRDB
internal import MediaModel

/// The changes of a batch in the history.
extension Catalogue {
  /// Notes the assets of a batch: one statement for all that are new, which is those behind the asset that
  /// was the `last` before it.
  static func noteChanges(
    of assets: [StagedAsset],
    after last: Int64,
    run: String,
    in db: Database
  ) throws {
    try noteInserted(after: last, in: db)
    for asset in assets {
      guard let part = asset.changedPart else { continue }
      try note(.updated, asset.localIdentifier, part, run: run, in: db)
    }
  }
}

extension StagedAsset {
  /// The part of a known asset that publishing changes; nil for a new asset.
  fileprivate var changedPart: ChangedPart? {
    if isRewritten ?? false { return .files }
    guard isKnown else { return nil }
    return restoredFolder == nil ? .thumbnails : .originals
  }
}
