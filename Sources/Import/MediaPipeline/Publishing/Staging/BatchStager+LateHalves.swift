internal import MediaDigest
internal import MediaLibrary
internal import MediaModel
internal import MediaSources

/// Live photos whose halves were not processed together, or were stripped as files of their own.
extension BatchStager {
  /// Lets an item wait whose other half may be met later in the run or was published alone.
  ///
  /// A movie always waits: what it is depends on its still. A still waits only for a movie that is in the
  /// catalogue, since many are exported without theirs.
  ///
  /// - Returns: False when the item is processed now.
  mutating func waits(_ item: ItemWork, _ pairs: LivePhotoPairing) throws -> Bool {
    guard item.pending.late == nil, item.stored == nil, item.pending.lost == nil,
      item.isAccepted, item.product != nil, pairs.isHalf(item),
      let identifier = item.contentIdentifier, let format = item.facts?.format,
      item.source.acceptedMediaTypes.isSuperset(of: [.image, .video])
    else { return false }
    let digest = identifiers.digest(of: identifier)
    let isStill = format.mediaType == .image
    guard isStill || format.mediaType == .video else { return false }
    if isStill, try !isRewrittenPair(item) {
      guard item.source.publishesLivePhotos,
        try !catalogue.publishedHalves(
          contentDigest: digest,
          source: item.source.id,
          policy: item.source.policy,
          mediaType: .video
        ).isEmpty
      else { return false }
    }
    // A file that was only touched is what it was.
    if item.pending.previousAsset != nil, try !refutes(item), try recordAsKnown(item) {
      return true
    }
    if result(of: item) != nil { return true }
    try StagedFile.discard(item, in: batch)
    let half = WaitingHalf(
      source: item.source.id,
      pending: item.pending,
      isStill: isStill,
      digest: digest,
      sidecars: item.sidecars.map(\.pending)
    )
    settle(item, .waits(half))
    for sidecar in item.sidecars { settle(sidecar, .withoutResult) }
    return true
  }

  /// Whether the item's asset is a live photo that is to be written anew, both halves at once.
  private func isRewrittenPair(_ item: ItemWork) throws -> Bool {
    guard item.pending.isRewritten, let row = item.pending.previousAsset else { return false }
    return try catalogue.asset(row: row)?.resources.contains { $0.role == .pairedVideo } ?? false
  }

  /// Publishes an asset anew with both halves, of which one was published alone.
  ///
  /// - Returns: False when one of them cannot be published now, or is not what it was.
  mutating func join(
    _ still: ItemWork,
    _ movie: ItemWork,
    _ pairs: LivePhotoPairing
  ) throws -> Bool {
    let published = still.pending.late?.isPublished == true ? still : movie
    guard publishableMovie(of: still, pairs) === movie, result(of: movie) == nil,
      let row = published.pending.previousAsset, let previous = try catalogue.asset(row: row),
      previous.policy == still.source.policy, !losesSidecar(previous, [still, movie]),
      !assets.contains(where: { $0.localIdentifier == previous.localIdentifier }),
      try !refutes(still), try !refutes(movie),
      previous.sourceDigests.contains(sourceDigest(of: published, isMuted: published.isMuted))
    else { return false }
    try makeAsset(of: still, with: movie, isDegraded: false, replacing: previous)
    return true
  }

  /// Leaves a published half as it is: its outcome is the one that it had.
  mutating func leave(_ item: ItemWork) throws {
    try StagedFile.discard(item, in: batch)
    settle(item, .withoutResult)
  }

  /// Has the halves of a live photo stripped again that were stripped as files of their own.
  ///
  /// - Returns: False when there is none.
  mutating func restripAsPair(_ still: ItemWork, _ pairs: LivePhotoPairing) throws -> Bool {
    guard still.source.policy.strips, still.source.publishesLivePhotos,
      let movie = pairs.movie(of: still), movie.product?.claim.isAccepted == true,
      pairs.reasonToLeaveOut(movie) == nil
    else { return false }
    let halves = [still, movie].filter { !$0.isPairable }
    guard !halves.isEmpty, halves.allSatisfy({ $0.restripCount == 0 }),
      try !recordAsKnown(movie)
    else { return false }
    restrip(halves)
    return true
  }

  /// Has a lost half of a live photo stripped again as it was published.
  ///
  /// - Returns: False when it was not stripped as a file of its own.
  mutating func restripLost(_ item: ItemWork, _ previous: KnownAsset) -> Bool {
    guard isRenewed(item), !item.isPairable, item.restripCount == 0,
      previous.resources.contains(where: { $0.role == .pairedVideo })
    else { return false }
    restrip([item])
    return true
  }
}
