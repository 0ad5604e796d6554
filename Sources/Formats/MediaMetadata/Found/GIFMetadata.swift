package import MediaContainers

/// Finds the XMP packet of a GIF.
package enum GIFMetadata {
  /// Returns the XMP packet, which a GIF stores in an application extension without sub-blocks.
  package static func find(
    in source: ByteSource,
    describing: Bool = false
  ) -> FoundMetadata {
    var metadata = FoundMetadata(describing: describing)
    guard var parser = try? GIFParser(source) else { return metadata }
    while let block = try? parser.next() {
      if case .xmp(_, let packet) = block { metadata.takeXMP(in: packet, of: source) }
    }
    return metadata
  }
}
