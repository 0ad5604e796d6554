internal import MediaLibrary
internal import MediaListing
internal import MediaManifest
internal import MediaModel
internal import MediaSources

/// Finds the still and the movie of each live photo in a batch, and the copies of them.
///
/// The two have the same content identifier. Names decide only which movie belongs to which still
/// where several have one identifier: those that share folder and stem, then the first of each in the
/// batch's order. The movie of a motion photo that lies beside its still has no identifier, but a name of
/// its own kind, see `MotionPhotoName`.
struct LivePhotoPairing {
  private var movies: [Int: ItemWork] = [:]
  private var stills: [Int: ItemWork] = [:]
  /// Items whose counterpart failed before its content identifier was known.
  private var unpaired: Set<Int> = []
  /// Items with the same bytes as one that has a movie or sidecars, as the workers' digests say: to that one.
  private var fullerCopies: [Int: ItemWork] = [:]

  init(_ items: [ItemWork]) {
    var groups: [String: [ItemWork]] = [:]
    for item in items where item.isOpened {
      guard let identifier = item.contentIdentifier else { continue }
      groups[identifier, default: []].append(item)
    }
    for group in groups.values where group.count > 1 { pair(group) }
    pairMotionPhotos(items)
    findFullerCopies(items)
    if groups.isEmpty { return }
    let silent = Set(
      items.lazy
        .filter { $0.isOpened && $0.facts == nil && $0.ending?.reason.outcome == .failed }
        .map(\.planned.path.pairingKey)
    )
    if silent.isEmpty { return }
    for item in groups.values.joined()
    where !isPaired(item) && silent.contains(item.planned.path.pairingKey) {
      unpaired.insert(item.index)
    }
  }

  /// Pairs the items of one content identifier.
  private mutating func pair(_ group: [ItemWork]) {
    let stillItems = group.filter { $0.facts?.format.mediaType == .image }
    let movieItems = group.filter { $0.facts?.format.mediaType == .video }
    for sharesName in [true, false] {
      for still in stillItems where movies[still.index] == nil {
        let movie = movieItems.first { candidate in
          stills[candidate.index] == nil
            && (!sharesName
              || candidate.planned.path.pairingKey == still.planned.path.pairingKey)
        }
        guard let movie else { continue }
        movies[still.index] = movie
        stills[movie.index] = still
      }
    }
  }

  /// Pairs movies such as `PXL_1.MP` with their stills: `PXL_1.MP.jpg` before `PXL_1.jpg`.
  private mutating func pairMotionPhotos(_ items: [ItemWork]) {
    let motionMovies = items.filter { item in
      item.isOpened && item.facts?.format.mediaType == .video && item.contentIdentifier == nil
        && MotionPhotoName.stem(of: item.planned.path.name) != nil
    }
    for movie in motionMovies {
      let key = movie.planned.path.pairingKey
      let candidates = items.filter { item in
        item.isOpened && item.facts?.format.mediaType == .image && movies[item.index] == nil
          && item.planned.path.pairingKey == key
      }
      let still =
        candidates.first { MotionPhotoName.stem(of: $0.planned.path.stem) != nil }
        ?? candidates.first
      guard let still else { continue }
      movies[still.index] = movie
      stills[movie.index] = still
    }
  }

  private mutating func findFullerCopies(_ items: [ItemWork]) {
    var fuller: [[UInt8]: ItemWork] = [:]
    for item in items where stills[item.index] == nil {
      guard let digest = item.product?.claim.digest else { continue }
      let hasMovie = movies[item.index] != nil
      guard hasMovie || item.sidecars.contains(where: { $0.read != nil }) else { continue }
      if let other = fuller[digest], !hasMovie || movies[other.index] != nil { continue }
      fuller[digest] = item
    }
    if fuller.isEmpty { return }
    for item in items where !isPaired(item) {
      guard let digest = item.product?.claim.digest, let copy = fuller[digest], copy !== item
      else { continue }
      fullerCopies[item.index] = copy
    }
  }

  private func isPaired(_ item: ItemWork) -> Bool {
    movies[item.index] != nil || stills[item.index] != nil
  }

  /// Returns the still that a movie belongs to.
  func still(of movie: ItemWork) -> ItemWork? { stills[movie.index] }

  /// Returns the movie that belongs to a still.
  func movie(of still: ItemWork) -> ItemWork? { movies[still.index] }

  /// Returns the item with the same bytes that has a movie or sidecars. It is staged first, so that they do not
  /// lose their file to a copy without them.
  func fullerCopy(of item: ItemWork) -> ItemWork? { fullerCopies[item.index] }

  /// Whether an item's counterpart was found and is not published with it.
  func lacksCounterpart(_ item: ItemWork) -> Bool {
    unpaired.contains(item.index) || stills[item.index] != nil || belongsToPublishedStill(item)
  }

  /// Whether the item is half of a live photo whose other half is not in this batch, and did not fail
  /// here.
  func isHalf(_ item: ItemWork) -> Bool {
    item.contentIdentifier != nil && !isPaired(item) && !unpaired.contains(item.index)
  }

  /// Whether the item is the movie of a still that was published alone and cannot be read again.
  private func belongsToPublishedStill(_ item: ItemWork) -> Bool {
    item.pending.late == .alone(hasPublishedStill: true)
      && item.facts?.format.mediaType == .video
  }

  /// Returns why the plan or a permission excludes an item whose format is known, or nil.
  func reasonToLeaveOut(_ item: ItemWork) -> ItemReason? {
    // The movie of a live photo is fetched with its still.
    if !(stills[item.index] ?? item).isFetched { return .notFetched }
    guard let type = item.facts?.format.mediaType, let mode = item.source.captureMode else {
      // The movie of a live photo is excluded with its still.
      if let still = stills[item.index], !still.isAccepted { return .mediaTypeExcluded }
      return nil
    }
    let isPaired = isPaired(item) || belongsToPublishedStill(item)
    switch mode {
    case .photo:
      return type == .image ? nil : .mediaTypeExcluded
    case .photoAndLivePhoto, .photoAndVideo:
      if isPaired {
        switch item.source.audioRefusal {
        case nil: return nil
        case .refuse: return .microphoneRefused
        // The still has no sound of its own.
        case .stillOnly: return type == .image ? nil : .microphoneRefused
        case .mute: return type == .image ? nil : audioReason(item)
        }
      }
      if type == .video, mode == .photoAndVideo { return audioReason(item) }
      return type == .image ? nil : .mediaTypeExcluded
    }
  }

  /// Returns why the sound of a video excludes it; nil when its sound is allowed or was removed.
  private func audioReason(_ item: ItemWork) -> ItemReason? {
    switch item.source.audioRefusal {
    case nil: nil
    case .mute: item.isMuted || item.stored != nil ? nil : .microphoneRefused
    case .refuse, .stillOnly: .microphoneRefused
    }
  }
}
