package import MediaContainers

extension APETag {
  /// Returns the values that may be kept.
  package func values(of source: ByteSource) -> KeptMetadata {
    var values = KeptMetadata()
    forEachItem(of: source) { key, range in
      guard let bytes = source.bytes(in: range.prefix(Self.maximumValue), limit: 1 << 16) else {
        return
      }
      if PlaceStatements.holds("APE", key, bytes) { values.hasUnreadPlace = true }
      switch key.lowercased() {
      case "title": values.title = values.title ?? MetadataText.checked(bytes)
      case "artist": values.creator = values.creator ?? MetadataText.checked(bytes)
      case "copyright": values.copyright = values.copyright ?? MetadataText.checked(bytes)
      case "comment": values.caption = values.caption ?? MetadataText.checked(bytes)
      case "record date":
        values.creationDate =
          values.creationDate ?? MetadataText.checked(bytes).flatMap(DateText.date(iso:))
      default: break
      }
    }
    return values
  }
}
