internal import MediaFileSystem
internal import MediaLibrary
package import MediaModel
package import MediaPredicate
internal import MediaSources

extension ItemWork {
  /// What its source says of its standing, beside the file: its JSON file, or that of an equal file.
  package var standings: [Standing] {
    sidecars.flatMap { $0.read?.description.standings ?? [] }
      + [source.media.standing(ofCopy: planned.path)].compactMap(\.self)
  }

  /// Why the item is left out by its ``standings``; it is not opened then, and each run looks again at what tells them.
  package var reasonOfStanding: ItemReason? {
    standings.lazy.compactMap { [self] standing in
      guard standing == .thrownAway || isNewToFetch else { return nil }
      return standing.reason(
        includesHidden: source.fetch.includesHiddenAssets,
        includesOthers: source.fetch.includesPartnerSharing
      )
    }.first
  }

  /// Whether fetch options decide about it: what is in the library already stays.
  private var isNewToFetch: Bool {
    stored == nil && !pending.isRewritten && pending.lost == nil && pending.late?.isPublished != true
  }

  /// Whether the item meets those fetch options of its source that only the open file decides; what is in
  /// the library already does.
  package func isFetched(_ facts: Facts) -> Bool {
    let options = source.fetch
    guard options.needsContent, isNewToFetch else { return true }
    let description = facts.description
    if !options.includesHiddenAssets, description?.isHidden == true { return false }
    // All pictures of a burst are fetched if they do not say which is the pick.
    if !options.includesAllBurstAssets, description?.burst != nil,
      description?.isBurstPick == false
    {
      return false
    }
    return options.contentPredicate?.matches { value(of: $0, facts) } ?? true
  }

  /// The value of a key by which it is sorted: that of a date has the fraction of a second.
  package func sortValue(of key: PredicateKey, _ facts: Facts) -> PredicateValue {
    guard key == .creationDate, let date = facts.creationDate else { return value(of: key, facts) }
    return .text(date.sortText)
  }

  /// The value of a key, as far as the file tells.
  package func value(of key: PredicateKey, _ facts: Facts) -> PredicateValue {
    switch key {
    case .mediaType:
      return PredicateWord.mediaTypes[facts.format.mediaType.rawValue].map { .integer($0) } ?? .null
    case .format: return .text(facts.format.rawValue)
    case .pixelWidth, .pixelHeight:
      guard let size = facts.pixelSize else { return .null }
      let isWidth = (key == .pixelWidth) == (facts.orientation <= 4)
      return .integer(Int64(isWidth ? size.width : size.height))
    case .duration:
      return facts.durationMilliseconds.map { .real(Double($0) / 1000) } ?? .null
    case .path: return .text(String(decoding: planned.path.bytes, as: UTF8.self))
    case .name: return .text(String(decoding: planned.path.name, as: UTF8.self))
    case .size: return .integer(planned.status.size)
    case .modificationDate: return .integer(planned.status.modified)
    case .source: return .text(source.id.kind.rawValue)
    case .mediaSubtypes:
      // Which movie a still belongs to is not known yet; its content identifier says that there was one.
      var subtypes = facts.subtypes
      let holdsMovie = facts.embeddedMovie != nil && !source.policy.strips
      if facts.format.mediaType == .image, facts.contentIdentifier != nil || holdsMovie {
        subtypes.insert(.photoLive)
      }
      return .integer(Int64(subtypes.rawValue))
    default:
      guard let fact = key.fact else { return .null }
      let value = fact.value(of: facts)
      guard value == .null else { return value }
      return fact.kind == .flag ? .integer(0) : fact.kind == .list ? .list([]) : .null
    }
  }
}
