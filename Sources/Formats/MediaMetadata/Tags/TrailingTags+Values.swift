package import MediaContainers

extension TrailingTags {
  /// Returns the values of all tags in file order, the first one taking precedence; ID3v1 comes
  /// last, since it cuts texts at 30 bytes.
  package func values(of source: ByteSource) -> KeptMetadata {
    var values = KeptMetadata()
    for tag in tags {
      if tag.name == "APE",
        let ape = APETag(of: source, endingAt: tag.range.upperBound, notBefore: 0)
      {
        values.fill(from: ape.values(of: source))
      } else if tag.name == "ID3v2", let id3 = ID3Tag(of: source, at: tag.range.lowerBound) {
        values.fill(from: ID3Values.read(id3, of: source))
      }
    }
    if let old = tags.first(where: { $0.name == "ID3v1" }),
      let bytes = source.bytes(in: old.range, limit: 128)
    {
      var short = KeptMetadata()
      short.title = MetadataText.checked(bytes[3..<33])
      short.creator = MetadataText.checked(bytes[33..<63])
      // After a zero, the last byte of the comment is a track number.
      short.caption = MetadataText.checked(bytes[97..<127])
      values.fill(from: short)
    }
    return values
  }
}
