internal import MediaLibrary
internal import MediaManifest
internal import MediaModel

/// Finds the still and the movie of each live photo in a batch.
///
/// The two have the same folder, the same name without its extension and the same content
/// identifier. An equal name alone does not make a pair.
struct LivePhotoPairing {
  private var movies: [Int: ItemWork] = [:]
  private var stills: [Int: ItemWork] = [:]
  /// Items whose counterpart failed before its content identifier was known.
  private var unpaired: Set<Int> = []

  init(_ items: [ItemWork]) {
    var groups: [[UInt8]: [ItemWork]] = [:]
    for item in items where item.isOpened {
      groups[item.planned.path.pairingKey, default: []].append(item)
    }
    for group in groups.values where group.count > 1 {
      for still in group where still.facts?.format.mediaType == .image {
        guard let identifier = still.facts?.contentIdentifier, !identifier.isEmpty else { continue }
        let movie = group.first { candidate in
          candidate.facts?.format.mediaType == .video
            && candidate.facts?.contentIdentifier == identifier
            && stills[candidate.index] == nil
        }
        if let movie {
          movies[still.index] = movie
          stills[movie.index] = still
        }
      }
      let isSilent = group.contains { $0.facts == nil && $0.ending?.reason.outcome == .failed }
      for item in group where isSilent && item.facts?.contentIdentifier != nil {
        if movies[item.index] == nil && stills[item.index] == nil { unpaired.insert(item.index) }
      }
    }
  }

  /// Returns the still that a movie belongs to.
  func still(of movie: ItemWork) -> ItemWork? { stills[movie.index] }

  /// Returns the movie that belongs to a still.
  func movie(of still: ItemWork) -> ItemWork? { movies[still.index] }

  /// Whether an item's counterpart was found and is not published with it.
  func lacksCounterpart(_ item: ItemWork) -> Bool {
    unpaired.contains(item.index) || stills[item.index] != nil || belongsToPublishedStill(item)
  }

  /// Whether the item is the movie of a still that an earlier run has published alone.
  private func belongsToPublishedStill(_ item: ItemWork) -> Bool {
    item.pending.hasUnchangedCounterpart && item.facts?.format.mediaType == .video
      && item.facts?.contentIdentifier != nil
  }

  /// Returns why the plan or a permission excludes an item whose format is known, or nil.
  func reasonToLeaveOut(_ item: ItemWork) -> ItemReason? {
    guard let type = item.facts?.format.mediaType, let mode = item.source.captureMode else {
      // The movie of a live photo is excluded with its still.
      if let still = stills[item.index], !still.isAccepted { return .mediaTypeExcluded }
      return nil
    }
    let isPaired =
      movies[item.index] != nil || stills[item.index] != nil || belongsToPublishedStill(item)
    switch mode {
    case .photo:
      return type == .image ? nil : .mediaTypeExcluded
    case .photoAndLivePhoto:
      if isPaired {
        switch item.source.audioRefusal {
        case nil: return nil
        case .refuse: return .microphoneRefused
        // The still has no sound of its own.
        case .stillOnly: return type == .image ? nil : .microphoneRefused
        case .mute: return type == .image ? nil : audioReason(item)
        }
      }
      return type == .image ? nil : .mediaTypeExcluded
    case .photoAndVideo:
      if type == .video, isPaired { return .mediaTypeExcluded }
      if type == .video { return audioReason(item) }
      return type == .image ? nil : .mediaTypeExcluded
    }
  }

  /// Returns why the sound of a video excludes it; nil when its sound is allowed or was removed.
  private func audioReason(_ item: ItemWork) -> ItemReason? {
    switch item.source.audioRefusal {
    case nil: nil
    case .mute: item.isMuted || item.known != nil ? nil : .microphoneRefused
    case .refuse, .stillOnly: .microphoneRefused
    }
  }
}
