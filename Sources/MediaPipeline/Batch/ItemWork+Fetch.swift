internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaPredicate

extension ItemWork {
  /// Whether the item meets a predicate of its source that only the open file decides; what is in the
  /// library already does.
  func meetsPredicate(_ facts: Facts) -> Bool {
    guard let predicate = source.fetch.contentPredicate, known == nil, !pending.isRewritten,
      pending.lost == nil, pending.late?.isPublished != true
    else { return true }
    return predicate.matches { value(of: $0, facts) }
  }

  private func value(of key: PredicateKey, _ facts: Facts) -> PredicateValue {
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
    case .localIdentifier, .mediaSubtypes, .addedDate, .isFavorite, .isHidden, .burstIdentifier,
      .rating,
      .caption, .keywords, .latitude, .longitude, .label, .isDegraded:
      return .null
    }
  }
}
