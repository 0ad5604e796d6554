import MediaContainers
import MediaMetadata
import MediaModel

extension FactEmbedder {
  /// The packet in a box behind all others, but ahead of an index of fragments, which players look for at the end.
  ///
  /// A packet that is there becomes free space: what lies behind it must not move, since samples are found by their
  /// offsets in the file.
  ///
  /// Source: XMP specification part 3, section 1.2.7.1; ISO/IEC 14496-12 sections 4.2, 8.1.2 and 8.8.9.
  static func movie(
    _ source: ByteSource,
    _ facts: EmbeddedFacts
  ) throws(MetadataError) -> BytePatches {
    var patches = BytePatches()
    var existing: [UInt8]?
    var last: ISOBox?
    for box in ISOBoxes(source, in: 0..<source.length) {
      last = box
      if box.type == "uuid", source.holds(MovieFile.xmpIdentifier, at: box.body.lowerBound) {
        let packet = box.body.dropFirst(MovieFile.xmpIdentifier.count)
        existing = existing ?? source.bytes(in: packet, limit: FoundMetadata.maximumBlockLength)
        let offset = box.range.lowerBound + 4
        patches.replace(offset..<(offset + 4), with: Array("free".utf8))
      }
    }
    // A length of 0 reaches to the end of the file, wherever that is.
    guard let last, last.range.upperBound == source.length,
      source.uint32(at: last.range.lowerBound) != 0
    else { throw MetadataError(.stripUnsupported, "a film whose last box has no end") }
    guard ISOBoxes.body(at: ["moov", "udta", "XMP_"], in: 0..<source.length, of: source) == nil
    else { throw MetadataError(.stripUnsupported, "XMP within the user data") }
    let packet = try packet(facts, into: existing)
    let box = ISOWriter.box("uuid", MovieFile.xmpIdentifier + packet)
    patches.insert(box, at: last.type == "mfra" ? last.range.lowerBound : source.length)
    return patches
  }
}
