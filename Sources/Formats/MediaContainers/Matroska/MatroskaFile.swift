/// The top level of a Matroska or WebM: the header, one segment, and the elements in it.
///
/// The elements of a recording that was interrupted may have no length, and the last one may be
/// cut.
///
/// Source: RFC 9559 sections 4 and 5; RFC 8794 section 6.2 for unknown lengths.
package struct MatroskaFile {
  /// The maximum number of elements in a segment: a day of clusters of a tenth of a second.
  private static let maximumParts = 1 << 20

  /// The header.
  package let header: EBMLElement
  /// The segment.
  package let segment: EBMLElement
  /// The elements of the segment, in order; a cluster of unknown length ends with its last child.
  package private(set) var parts: [EBMLElement] = []
  /// Whether the file ends within an element.
  package private(set) var isCut = false
  /// The ranges of bytes before and after the segment that belong to no element of it.
  package private(set) var others: [Range<Int>] = []

  /// Reads the elements of the first segment.
  ///
  /// - Throws: `damaged` for bytes that are no element; `stripUnsupported` for a second segment;
  ///   `overLimit` for too many elements.
  package init(of source: ByteSource) throws(MetadataError) {
    guard let header = EBMLElement(source, at: 0, before: source.length),
      header.type == .eBML, header.hasLength, !header.isCut
    else { throw MetadataError(.damaged, "no EBML header") }
    var position = header.range.upperBound
    var segment: EBMLElement?
    while segment == nil {
      guard let element = EBMLElement(source, at: position, before: source.length) else {
        throw MetadataError(.damaged, "no Segment")
      }
      if element.type == .segment {
        segment = element
      } else {
        guard element.type == .void, element.hasLength else {
          throw MetadataError(.damaged, "no Segment")
        }
        others.append(element.range)
        position = element.range.upperBound
      }
    }
    guard let segment else { throw MetadataError(.damaged, "no Segment") }
    (self.header, self.segment, isCut) = (header, segment, segment.isCut)
    try readParts(of: source)
    if segment.range.upperBound < source.length {
      let trailer = segment.range.upperBound..<source.length
      let next = EBMLElement(source, at: trailer.lowerBound, before: source.length)
      guard next?.type != .eBML, next?.type != .segment else { throw Self.twoSegments }
      others.append(trailer)
    }
  }

  private static let twoSegments = MetadataError(.stripUnsupported, "a second segment")

  private mutating func readParts(of source: ByteSource) throws(MetadataError) {
    let end = segment.data.upperBound
    var position = segment.data.lowerBound
    while position < end {
      guard var part = EBMLElement(source, at: position, before: end) else {
        // Identifier and length have at most twelve bytes.
        guard end - position < 12, isCut || !segment.hasLength else {
          throw MetadataError(.damaged, "bytes that are no element")
        }
        isCut = true
        return
      }
      guard part.type != .eBML, part.type != .segment else { throw Self.twoSegments }
      guard parts.count < Self.maximumParts else {
        throw MetadataError(.overLimit, "too many elements in a segment")
      }
      if !part.hasLength {
        guard part.type == .cluster else {
          throw MetadataError(.damaged, "\(part.name) without a length")
        }
        let last = MatroskaClusterElements.end(of: part, in: source)
        part.data = part.data.lowerBound..<last
        part.range = part.range.lowerBound..<last
      } else if part.isCut {
        guard isCut || !segment.hasLength else {
          throw MetadataError(.damaged, "\(part.name) that ends early")
        }
        isCut = true
      }
      parts.append(part)
      position = part.range.upperBound
    }
  }
}

/// The children of a cluster, in order; one that is cut is left out.
package struct MatroskaClusterElements: Sequence, IteratorProtocol {
  private let source: ByteSource
  private let end: Int
  /// The offset after the last child that was returned.
  package private(set) var position: Int

  /// Starts at the first child.
  package init(_ cluster: EBMLElement, of source: ByteSource) {
    self.source = source
    (position, end) = (cluster.data.lowerBound, cluster.data.upperBound)
  }

  /// Whether all bytes of the cluster belong to children that were returned.
  package var isAtEnd: Bool { position == end }

  /// Returns the next whole child, or nil.
  package mutating func next() -> EBMLElement? {
    guard let child = EBMLElement(source, at: position, before: end), child.hasLength, !child.isCut
    else { return nil }
    position = child.range.upperBound
    return child
  }

  /// Returns where a cluster of unknown length ends: ahead of the next element that belongs to the
  /// segment.
  static func end(of cluster: EBMLElement, in source: ByteSource) -> Int {
    var position = cluster.data.lowerBound
    let end = cluster.data.upperBound
    while let child = EBMLElement(source, at: position, before: end) {
      if let type = child.type, MatroskaID.ofSegment.contains(type) || type == .eBML {
        return position
      }
      position = child.range.upperBound
    }
    return end
  }
}
