import MediaContainers

/// Tells whether a Matroska or WebM has the bytes of elements whose length is known.
///
/// An element of unknown length, as a recorder writes it, ends with the file. One of known length
/// within it does not.
///
/// Source: RFC 8794 sections 6.2 and 7; RFC 9559 section 5.1.
enum MatroskaCompleteness {
  static func missingPart(of source: ByteSource) -> String? {
    var position = 0
    while let element = EBMLElement(source, at: position, before: source.length) {
      if element.type == .segment {
        if element.hasLength { return element.isCut ? element.name : nil }
        return missingPart(in: element, of: source)
      }
      guard element.hasLength, !element.isCut else { return nil }
      position = element.range.upperBound
    }
    return nil
  }

  /// Returns the element of known length that is cut, in one of unknown length. Elements that are in
  /// no table are bytes behind the end of a recording.
  private static func missingPart(in parent: EBMLElement, of source: ByteSource) -> String? {
    var position = parent.data.lowerBound
    var hasTracks = false
    while let element = EBMLElement(source, at: position, before: parent.data.upperBound) {
      guard let type = element.type else { return nil }
      if element.isCut { return element.name }
      hasTracks = hasTracks || type == .tracks
      // The children of a cluster of unknown length follow like elements of the segment.
      position = element.hasLength ? element.range.upperBound : element.data.lowerBound
    }
    return hasTracks ? nil : MatroskaID.tracks.name
  }
}
