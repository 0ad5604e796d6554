package import MediaContainers

/// Reads the comment of an Ogg's first audio stream.
package enum OggMetadata {
  /// Returns the metadata of an Ogg.
  package static func find(in source: ByteSource) -> FoundMetadata {
    FoundMetadata(tags: values(of: source))
  }

  /// Returns the values of the first audio stream's comment.
  package static func values(of source: ByteSource) -> KeptMetadata {
    guard let headers = headers(of: source), let tags = headers.comment(of: source) else {
      return KeptMetadata()
    }
    return tags.comment.values(of: tags.packet)
  }

  /// Returns the headers of the first audio stream.
  package static func headers(of source: ByteSource) -> OggHeaders? {
    var streams = OggStreams(isLenient: true)
    var pages = OggPages(source)
    while let part = try? pages.next() {
      guard case .page(let page) = part else { continue }
      guard let position = try? streams.position(of: page, in: source) else { return nil }
      if case .lastHeader(let headers) = position { return headers }
    }
    return nil
  }
}
