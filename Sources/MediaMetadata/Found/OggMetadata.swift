package import MediaContainers

/// Reads the comment of an Ogg's first audio stream.
package enum OggMetadata {
  package static func find(in source: ByteSource) -> FoundMetadata {
    FoundMetadata(tags: values(of: source))
  }

  /// What the first sound's comment says.
  package static func values(of source: ByteSource) -> KeptMetadata {
    guard let headers = headers(of: source), let found = headers.comment(of: source) else {
      return KeptMetadata()
    }
    return found.comment.values(of: found.packet)
  }

  /// The headers of the first sound.
  package static func headers(of source: ByteSource) -> OggHeaders? {
    var streams = OggStreams()
    var pages = OggPages(source)
    while let part = try? pages.next() {
      guard case .page(let page) = part else { continue }
      guard let place = try? streams.place(of: page, in: source) else { return nil }
      if case .lastHeader(let headers) = place { return headers }
    }
    return nil
  }
}
