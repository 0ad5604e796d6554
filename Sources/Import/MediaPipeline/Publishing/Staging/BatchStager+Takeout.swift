internal import MediaDigest
internal import MediaLibrary
internal import MediaModel
internal import MediaSources

/// The JSON files of a Google Takeout, which are read and never published.
extension BatchStager {
  /// Whether a sidecar is published beside its file.
  func publishes(_ sidecar: ItemWork, _ read: ItemWork.ReadSidecar) -> Bool {
    read.format.isPublished && !sidecar.source.policy.strips
  }

  /// Notes which pictures the JSON files of this batch describe, so that those of album folders without the
  /// picture find its asset.
  func noteDescribed() throws {
    let described = batch.items.compactMap { item -> (path: ItemPath, picture: [UInt8])? in
      guard case .picture(let words)? = item.read?.description.subject, !isLoose(item) else {
        return nil
      }
      return (item.planned.path, identifiers.digest(ofDescribed: words))
    }
    if let source = batch.source { try catalogue.note(described: described, of: source) }
  }

  /// Whether a sidecar belongs to no file of its folder.
  func isLoose(_ sidecar: ItemWork) -> Bool { sidecar.pending.owner == sidecar.planned.path }

  /// Determines the result of a JSON file that no asset of this batch has taken.
  mutating func settle(_ sidecar: ItemWork, takeout read: ItemWork.ReadSidecar) throws {
    var result = result(sidecar, .sidecarRead)
    if !isLoose(sidecar) {
      // Its file may be a duplicate: an album has the same picture as a year.
      let owner = batch.items.first { $0.planned.path == sidecar.pending.owner }
      result.localIdentifier = owner.flatMap { self.result(of: $0)?.localIdentifier }
      if result.localIdentifier == nil, let row = sidecar.pending.previousAsset {
        result.localIdentifier = try catalogue.asset(row: row)?.localIdentifier
      }
    } else if case .picture(let words)? = read.description.subject {
      let asset = try catalogue.assetDescribed(
        as: identifiers.digest(ofDescribed: words),
        in: sidecar.source.id
      )
      if asset == nil { result = self.result(sidecar, .sidecarOrphaned) }
      result.localIdentifier = asset
    }
    settle(sidecar, .result(result))
  }
}
