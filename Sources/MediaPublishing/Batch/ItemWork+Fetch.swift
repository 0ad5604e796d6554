internal import MediaFileSystem
internal import MediaLibrary
package import MediaModel
package import MediaPredicate
internal import MediaSources

extension ItemWork {
  /// Whether the item meets those fetch options of its source that only the open file decides; what is in
  /// the library already does.
  package func isFetched(_ facts: Facts) -> Bool {
    let options = source.fetch
    guard options.needsContent, stored == nil, !pending.isRewritten, pending.lost == nil,
      pending.late?.isPublished != true
    else { return true }
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

  /// The value of a key, as far as the file tells.
  package func value(of key: PredicateKey, _ facts: Facts) -> PredicateValue {
    func integer(_ value: Int?) -> PredicateValue { value.map { .integer(Int64($0)) } ?? .null }
    func text(_ value: String?) -> PredicateValue { value.map { .text($0) } ?? .null }
    let size = facts.pixelSize
    let isTurned = facts.orientation > 4
    switch key {
    case .mediaType:
      return integer(PredicateWord.mediaTypes[facts.format.mediaType.rawValue].map { Int($0) })
    case .format: return .text(facts.format.rawValue)
    case .creationDate: return text(facts.creationDate?.local)
    case .creationDateOffsetMinutes: return integer(facts.creationDate?.offsetMinutes)
    case .duration:
      return facts.durationMilliseconds.map { .real(Double($0) / 1000) } ?? .null
    case .pixelWidth: return integer(isTurned ? size?.height : size?.width)
    case .pixelHeight: return integer(isTurned ? size?.width : size?.height)
    case .camera: return text(facts.camera)
    case .hasLocation: return .integer(facts.hasLocation ? 1 : 0)
    case .path: return .text(String(decoding: planned.path.bytes, as: UTF8.self))
    case .name: return .text(String(decoding: planned.path.name, as: UTF8.self))
    case .size: return .integer(planned.status.size)
    case .modificationDate: return .integer(planned.status.modified)
    case .source: return .text(source.kind.rawValue)
    case .mediaSubtypes:
      // Which movie a still belongs to is not known yet; its content identifier says that there was one.
      var subtypes = facts.subtypes
      let holdsMovie = facts.embeddedMovie != nil && !source.policy.strips
      if facts.format.mediaType == .image, facts.contentIdentifier != nil || holdsMovie {
        subtypes.insert(.photoLive)
      }
      return .integer(Int64(subtypes.rawValue))
    case .isFavorite: return .integer(facts.description?.isFavorite == true ? 1 : 0)
    case .isHidden: return .integer(facts.description?.isHidden == true ? 1 : 0)
    case .burstIdentifier: return text(facts.description?.burst)
    case .rating: return integer(facts.description?.rating)
    case .caption: return text(facts.description?.caption)
    case .keywords: return .list(facts.description?.keywords ?? [])
    case .people: return .list(facts.description?.people ?? [])
    case .city: return text(facts.description?.placeName?.city)
    case .region: return text(facts.description?.placeName?.region)
    case .country: return text(facts.description?.placeName?.country)
    case .latitude: return degrees(facts.description?.place?.latitude)
    case .longitude: return degrees(facts.description?.place?.longitude)
    case .localIdentifier, .addedDate, .label, .isDegraded, .metadataPolicy, .isThumbnailMissing:
      return .null
    }
  }

  /// A value that a description has in units of 10⁻⁷ degrees.
  private func degrees(_ units: Int?) -> PredicateValue {
    units.map { .real(Double($0) / 10_000_000) } ?? .null
  }
}
