internal import MediaDigest
internal import MediaLibrary
internal import MediaModel

extension BatchStager {
  /// The identifier of the burst that a picture is of, from its metadata or its name.
  func burst(_ facts: Facts, of item: ItemWork) -> String? {
    guard facts.format.mediaType == .image else { return nil }
    return facts.description?.burst ?? facts.burstIdentifier
      ?? FileNameFacts(Array(item.planned.path.name)).burst
  }

  /// Replaces the identifier of a burst by a keyed digest: it still ties the burst's pictures together,
  /// and matches none that a reader has.
  func withKeyedBurst(_ facts: Facts) -> Facts {
    guard let burst = facts.description?.burst else { return facts }
    var facts = facts
    facts.description?.burst = Hexadecimal.text(identifiers.digest(ofBurst: burst))
    return facts
  }
}
