package import MediaContainers

/// Finds a GIF's XMP packet.
package enum GIFMetadata {
  /// A GIF can hold an XMP packet, in an application extension without sub-blocks of its own.
  package static func find(in source: ByteSource) -> FoundMetadata {
    var found = FoundMetadata()
    guard var parser = try? GIFParser(source) else { return found }
    while let block = try? parser.next() {
      if case .xmp(_, let packet) = block { found.takeXMP(in: packet, of: source) }
    }
    return found
  }
}
