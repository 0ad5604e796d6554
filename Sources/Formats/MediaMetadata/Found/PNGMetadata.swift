package import MediaContainers

/// Finds the eXIf chunk of a PNG, an XMP text, and the older texts in hexadecimal.
package enum PNGMetadata: MetadataBlocks {
  package static func read(_ source: ByteSource, into metadata: inout FoundMetadata) {
    guard let header = try? PNGHeader(of: source) else { return }
    if let range = header.exif {
      metadata.takeExif(in: range, of: source)
    } else if let chunk = header.rawProfile, let block = PNGRawProfile.block(chunk, in: source) {
      metadata.takeExif(block)
    }
    guard var parser = try? PNGParser(source) else { return }
    var olderPacket: [UInt8]?
    while let chunk = try? parser.next() {
      if chunk.type == "iTXt" {
        if let packet = xmp(chunk, in: source) { metadata.takeXMP(packet) }
      } else if olderPacket == nil, chunk.type == "zTXt" || chunk.type == "tEXt" {
        olderPacket = xmp(chunk, in: source)
      }
    }
    // A packet in a text of another kind is read where there is no other one.
    if let olderPacket { metadata.takeXMP(olderPacket) }
  }

  /// The start of an iTXt chunk with XMP: the keyword, no compression, no language, no translation.
  package static let xmpHead = Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0]

  /// Returns the packet of a text that holds XMP, compressed or not.
  package static func xmp(
    _ chunk: PNGChunk,
    in source: ByteSource
  ) -> [UInt8]? {
    let limit = FoundMetadata.maximumBlockLength
    guard source.holds("XML:com.adobe.xmp\0", at: chunk.data.lowerBound),
      chunk.data.count <= limit
    else { return nil }
    return try? PNGKeyword(chunk, in: source)?.bytes(of: source, limit: limit)
  }
}
