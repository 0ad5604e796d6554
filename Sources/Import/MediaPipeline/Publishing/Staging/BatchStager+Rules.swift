internal import MediaLibrary
internal import MediaModel
internal import MediaSources

extension BatchStager {
  /// What has been decided about an item of a batch.
  enum Disposition {
    case open
    case result(ItemResult)
    /// Its output has the content identifier of a pair and it has no counterpart, or the other way round: it
    /// has to be stripped again.
    case restrip
    /// Its copy for the photo library failed.
    case reread(Reread)
    /// Another item of its asset has to be read again.
    case held
    /// It gets its result with its other half, in a later batch.
    case waits(WaitingHalf)
    /// It gets no result in this batch.
    case withoutResult

    var isOpen: Bool {
      if case .open = self { true } else { false }
    }

    /// Whether it is decided anew when the batch is staged again.
    var isForOneRound: Bool {
      switch self {
      case .restrip, .reread, .held: true
      case .open, .result, .waits, .withoutResult: false
      }
    }

    var isRestrip: Bool {
      if case .restrip = self { true } else { false }
    }

    var result: ItemResult? {
      if case .result(let result) = self { result } else { nil }
    }

    var reread: Reread? {
      if case .reread(let item) = self { item } else { nil }
    }

    var waitingHalf: WaitingHalf? {
      if case .waits(let half) = self { half } else { nil }
    }
  }

  /// The rules about an item that is no sidecar, in their order: the first one that decides about it counts.
  private enum Rule: CaseIterable {
    /// A half that was published alone is joined with its other half, or stays as it is.
    case publishedHalf
    /// Half of a live photo waits for the other one, which may be met later.
    case waitingHalf
    /// The plan or a permission excludes it.
    case leftOut
    /// It has ended without an output.
    case ended
    /// Its media type is not asked for.
    case otherMediaType
    /// Its digest is not what its worker claimed.
    case refuted
    /// The file is unchanged, and its asset gets thumbnails.
    case thumbnails
    /// A lost original comes back.
    case lostOriginal
    /// Halves of a live photo that were stripped as files of their own are stripped again.
    case restrippedHalves
    /// An asset that has lost all of its originals is written anew.
    case lostAsset
    /// An asset under a looser policy, or one that was withdrawn, is written anew.
    case looserPolicy
    /// An asset with a new sidecar, or of which its source says another thing, is written anew.
    case newDescription
    /// The still of a movie that was published alone is joined with it.
    case publishedMovie
    /// The movie or the sidecar of a file whose copy was published alone is joined with it.
    case publishedCopy
    /// The library has its content, of which its source says more than another one did.
    case describedCopy
    /// The library has its content.
    case duplicate
    /// Its content is new.
    case newContent
  }

  /// Decides about an item by the first rule that does.
  mutating func stage(_ item: ItemWork, _ pairs: LivePhotoPairing) throws {
    for rule in Rule.allCases {
      // A rule that leaves an item to the others may have ended it, as one whose digest is refuted.
      if try decides(rule, item, pairs) || result(of: item) != nil { return }
    }
  }

  /// Whether a rule has decided about an item.
  private mutating func decides(
    _ rule: Rule,
    _ item: ItemWork,
    _ pairs: LivePhotoPairing
  ) throws -> Bool {
    switch rule {
    case .publishedHalf: try joinOrLeave(item, pairs)
    case .waitingHalf: try waits(item, pairs)
    case .leftOut: try leaveOut(item, pairs)
    case .ended: endWithoutProduct(item)
    case .otherMediaType: excludeMediaType(item)
    case .refuted: try refutes(item)
    case .thumbnails: try addThumbnails(item)
    case .lostOriginal: try restoreLost(item)
    case .restrippedHalves: try restripAsPair(item, pairs)
    case .lostAsset: try rewriteLost(item, pairs)
    case .looserPolicy: try rewrite(item, pairs)
    case .newDescription: try refresh(item, pairs)
    case .publishedMovie: try joinPublishedMovie(item, pairs)
    case .publishedCopy: try joinPublishedCopy(item, pairs)
    case .describedCopy: try describeCopy(item, pairs)
    case .duplicate: try recordAsKnown(item)
    case .newContent: try makeNew(item, pairs)
    }
  }

  private mutating func joinOrLeave(_ item: ItemWork, _ pairs: LivePhotoPairing) throws -> Bool {
    guard item.pending.late?.isPublished == true else { return false }
    if let movie = pairs.movie(of: item), try join(item, movie, pairs) { return true }
    try leave(item)
    return true
  }

  private mutating func leaveOut(_ item: ItemWork, _ pairs: LivePhotoPairing) throws -> Bool {
    guard let reason = pairs.reasonToLeaveOut(item) else { return false }
    try drop(item, reason)
    return true
  }

  private mutating func endWithoutProduct(_ item: ItemWork) -> Bool {
    if item.product != nil { return false }
    settle(item, .result(result(item, item.ending?.reason ?? .cannotRead)))
    return true
  }

  private mutating func excludeMediaType(_ item: ItemWork) -> Bool {
    if item.isAccepted { return false }
    settle(item, .result(result(item, .mediaTypeExcluded)))
    return true
  }

  private mutating func restoreLost(_ item: ItemWork) throws -> Bool {
    guard item.pending.lost != nil, let row = item.pending.previousAsset else { return false }
    return try restore(item, toAsset: row)
  }

  private mutating func joinPublishedMovie(
    _ item: ItemWork,
    _ pairs: LivePhotoPairing
  ) throws -> Bool {
    guard let movie = pairs.movie(of: item), movie.pending.late?.isPublished == true else {
      return false
    }
    return try join(item, movie, pairs)
  }

  private mutating func joinPublishedCopy(
    _ item: ItemWork,
    _ pairs: LivePhotoPairing
  ) throws -> Bool {
    let movie = publishableMovie(of: item, pairs)
    let hasSidecar = item.sidecars.contains { sidecar in
      sidecar.read.map { publishes(sidecar, $0) } ?? false
    }
    guard movie != nil || hasSidecar, let product = item.product, let copy = try loneCopy(of: item),
      try isKnownBySource(item) || isOwnDigest(of: item, product)
    else { return false }
    guard let movie else {
      try makeAsset(of: item, isDegraded: copy.degraded, replacing: copy)
      return true
    }
    guard movie.pending.late?.isPublished != true, result(of: movie) == nil,
      try !refutes(movie), try belongsToOtherStill(movie) || !recordAsKnown(movie)
    else { return false }
    try makeAsset(of: item, with: movie, isDegraded: false, replacing: copy)
    return true
  }

  /// The asset of the same source that is the content of an item and nothing else.
  private func loneCopy(of item: ItemWork) throws -> KnownAsset? {
    guard item.pending.previousAsset == nil, let output = item.product?.output else { return nil }
    let digest = sourceDigest(of: item, isMuted: item.isMuted)
    let sha256 = Hexadecimal.text(output.digest)
    for content in try catalogue.content(sourceDigest: digest, policy: item.source.policy)
    where content.sha256 == sha256 || isRenewed(item) {
      guard let asset = try catalogue.asset(row: content.asset), !asset.isWithdrawn,
        asset.resources.count == 1, asset.resources[0].source == item.source.id,
        asset.policy == item.source.policy,
        !assets.contains(where: { $0.localIdentifier == asset.localIdentifier })
      else { continue }
      return asset
    }
    return nil
  }

  private mutating func makeNew(_ item: ItemWork, _ pairs: LivePhotoPairing) throws -> Bool {
    let isDegraded = pairs.lacksCounterpart(item)
    guard let movie = publishableMovie(of: item, pairs), movie.pending.late?.isPublished != true,
      try !refutes(movie), try belongsToOtherStill(movie) || !recordAsKnown(movie)
    else {
      try makeVersion(of: item, isDegraded: isDegraded || pairs.movie(of: item) != nil)
      return true
    }
    try makeVersion(of: item, with: movie, isDegraded: false)
    return true
  }

  /// Whether a movie that is met for the first time has the content of another still's movie: two versions
  /// of one still may each lie beside the same movie, and each is a live photo.
  private func belongsToOtherStill(_ movie: ItemWork) throws -> Bool {
    guard movie.pending.previousAsset == nil, let output = movie.product?.output else {
      return false
    }
    let digest = sourceDigest(of: movie, isMuted: movie.isMuted)
    let sha256 = Hexadecimal.text(output.digest)
    let earlier = try catalogue.content(sourceDigest: digest, policy: movie.source.policy)
      .filter { $0.sha256 == sha256 || isRenewed(movie) }
    guard earlier.allSatisfy({ $0.role == .pairedVideo && !$0.isWithdrawn }) else { return false }
    guard let inBatch = seen[digest], inBatch.sha256 == sha256 || isRenewed(movie) else {
      return !earlier.isEmpty
    }
    return inBatch.role == .pairedVideo
  }
}
