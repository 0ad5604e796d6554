package import MediaContainers

/// Finds the eXIf chunk of a PNG, an XMP text, and the older texts in hexadecimal.
package enum PNGMetadata {
  /// Returns the metadata of a PNG.
  package static func find(in source: ByteSource) -> FoundMetadata {
    var found = FoundMetadata()
    guard let header = try? PNGHeader(of: source) else { return found }
    if let range = header.exif {
      found.takeExif(in: range, of: source)
    } else if let chunk = header.rawProfile, let block = PNGRawProfile.block(chunk, in: source) {
      found.takeExif(block)
    }
    guard var parser = try? PNGParser(source) else { return found }
    while let chunk = try? parser.next() {
      guard chunk.type == "iTXt", let packet = xmp(chunk, in: source) else { continue }
      found.takeXMP(packet)
    }
    return found
  }

  /// Returns the packet of an iTXt chunk that holds XMP, compressed or not.
  package static func xmp(
    _ chunk: PNGChunk,
    in source: ByteSource
  ) -> [UInt8]? {
    let limit = FoundMetadata.maximumBlockLength
    guard source.holds("XML:com.adobe.xmp\0", at: chunk.data.lowerBound),
      let bytes = source.bytes(in: chunk.data, limit: limit)
    else { return nil }
    let flags = bytes.dropFirst(18)
    guard let isCompressed = flags.first, flags.count > 2,
      let language = flags.dropFirst(2).firstIndex(of: 0),
      let translation = bytes[(language + 1)...].firstIndex(of: 0)
    else { return nil }
    let text = Array(bytes[(translation + 1)...])
    if isCompressed == 0 { return text }
    return try? ZlibStream.content(of: ByteSource(text), limit: limit)
  }
}
