internal import MediaListing
package import MediaModel
internal import MediaSources

/// The movie of a live photo of which a run has not found the still.
package struct LoneHalf: Sendable, Hashable {
  /// An item of the run, with its number.
  package struct Item: Sendable, Hashable {
    package var path: ItemPath
    package var number: Int

    package init(path: ItemPath, number: Int) {
      (self.path, self.number) = (path, number)
    }
  }

  package var source: SourceID
  package var movie: Item
  package var sidecars: [Item]
  /// The keyed digest of the content identifier, 16 bytes.
  package var digest: [UInt8]

  package init(source: SourceID, movie: Item, sidecars: [Item], digest: [UInt8]) {
    self.source = source
    self.movie = movie
    self.sidecars = sidecars
    self.digest = digest
  }

  /// Nil for a half that was found together with its other one, and for a still.
  init?(_ half: WaitingHalf, as item: PendingItem) {
    guard case .alone? = item.late, !half.isStill else { return nil }
    self.init(
      source: half.source,
      movie: Item(item),
      sidecars: half.sidecars.map { Item($0) },
      digest: half.digest
    )
  }
}

extension LoneHalf.Item {
  fileprivate init(_ item: PendingItem) {
    self.init(path: item.listed.path, number: item.number)
  }
}
