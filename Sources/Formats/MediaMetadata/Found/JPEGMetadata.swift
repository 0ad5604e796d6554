package import MediaContainers

/// Finds a JPEG's metadata blocks: Exif and XMP in APP1, IPTC within Photoshop's APP13 or behind the picture,
/// and CIFF in APP0.
package enum JPEGMetadata: MetadataBlocks {
  /// The identifier of an APP1 segment with an XMP packet.
  package static let xmpIdentifier = "http://ns.adobe.com/xap/1.0/\0"
  /// The identifier of an APP13 segment with Photoshop's resources.
  package static let photoshopIdentifier = "Photoshop 3.0\0"

  /// Reads the blocks before the first scan, and those at the end of the file.
  package static func read(_ source: ByteSource, into metadata: inout FoundMetadata) {
    readSegments(of: source, into: &metadata)
    metadata.takeTrailers(of: source)
  }

  /// Whether datasets of IPTC-IIM stand before the first scan, so that those behind the picture are not read.
  package static func hasIPTC(_ source: ByteSource) -> Bool {
    var metadata = FoundMetadata()
    readSegments(of: source, into: &metadata)
    return metadata.iptc != nil
  }

  private static func readSegments(of source: ByteSource, into metadata: inout FoundMetadata) {
    var photoshop: [UInt8] = []
    var hasExtension = false
    var credentials = JPEGContentCredentials()
    for segment in JPEGSegments(source) {
      let start = segment.body.lowerBound
      switch segment.marker {
      case JPEGMarker.app0: metadata.takeCIFF(in: segment.body, of: source)
      case JPEGMarker.app1:
        if source.holds("Exif\0", at: start), segment.body.count > 6 {
          metadata.takeExif(in: segment.body.dropFirst(6), of: source)
        } else if source.holds(xmpIdentifier, at: start) {
          metadata.takeXMP(in: segment.body.dropFirst(xmpIdentifier.utf8.count), of: source)
        } else if source.holds(extensionIdentifier, at: start) {
          hasExtension = true
        }
      case JPEGMarker.app11 where credentials.part(segment, in: source) == .start:
        metadata.notePlace(
          PlaceStatements.hold(credentials: JPEGContentCredentials.store(from: segment, in: source))
        )
      case JPEGMarker.app13:
        // The resources may continue in the next segment.
        let data = segment.body.dropFirst(photoshopIdentifier.utf8.count)
        if source.holds(photoshopIdentifier, at: start),
          photoshop.count + data.count <= FoundMetadata.maximumBlockLength
        {
          photoshop += source.bytes(in: data, limit: data.count) ?? []
        }
      default: break
      }
    }
    metadata.takePhotoshop(photoshop)
    if hasExtension {
      metadata.notePlace(
        extendedPackets(of: source).prefix(16).contains { PlaceStatements.hold(XMPProperties($0)) }
      )
    }
  }

  private static let extensionIdentifier = "http://ns.adobe.com/xmp/extension/\0"

  /// Returns the extended packets whose parts are in segments before the first scan, in the order of their
  /// digests in the file, each as far as it has no gap.
  ///
  /// Source: XMP part 3, section 1.1.3.1: identifier, 32 bytes of a digest, length, offset, data.
  package static func extendedPackets(of source: ByteSource) -> [[UInt8]] {
    var digests: [[UInt8]] = []
    var parts: [[UInt8]: [(offset: Int, range: Range<Int>)]] = [:]
    for segment in JPEGSegments(source) where segment.marker == JPEGMarker.app1 {
      let digest = segment.body.lowerBound + extensionIdentifier.utf8.count
      guard source.holds(extensionIdentifier, at: segment.body.lowerBound),
        segment.body.upperBound > digest + 40,
        let name = source.bytes(in: digest..<(digest + 32), limit: 32),
        let offset = source.uint32(at: digest + 36)
      else { continue }
      if parts[name] == nil { digests.append(name) }
      parts[name, default: []].append((offset, (digest + 40)..<segment.body.upperBound))
    }
    return digests.map { name in
      var packet: [UInt8] = []
      for part in (parts[name] ?? []).sorted(by: { $0.offset < $1.offset })
      where part.offset == packet.count && packet.count <= FoundMetadata.maximumBlockLength {
        packet += source.bytes(in: part.range, limit: 1 << 16) ?? []
      }
      return packet
    }
  }
}
