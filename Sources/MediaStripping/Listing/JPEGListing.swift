import MediaContainers
import MediaMetadata
import MediaModel

extension JPEGStripper {
  static func list(
    _ source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError) {
    let hasMap = listing.options.except.contains(.hdrGainMap)
    let map = hasMap ? try gainMap(of: source) : nil
    if map == nil { listing.noteNoGainMap() }
    let parts: Set = ["APP2 MPF", "APP2 gain map"]
    let end = try list(source, rewritten: map == nil ? [] : parts, into: &listing)
    guard let map else { return listing.addTrailer(from: end, of: source) }
    if end < map.range.lowerBound {
      listing.add("trailer", at: end..<map.range.lowerBound, isRemoved: true)
    }
    let second = ByteSource(source, map.range)
    var inner = listing.nested(options: StripOptions(except: [.hdrGainMap]))
    let innerEnd = try list(second, rewritten: ["APP2 gain map"], into: &inner)
    inner.addTrailer(from: innerEnd, of: second)
    listing.add(inner, path: "gain map", at: map.range.lowerBound)
  }

  /// Lists one picture, to its EOI; segments whose name is in `rewritten` are written anew from
  /// their numbers.
  ///
  /// - Returns: The offset after the EOI.
  private static func list(
    _ source: ByteSource,
    rewritten: Set<String>,
    into listing: inout MetadataListing
  ) throws(MetadataError) -> Int {
    let header = try JPEGHeader(of: source)
    var seen: Set<String> = []
    var parser = try JPEGParser(source)
    var state = State(needsNumberOfLines: header.pixelSize.height == 0)
    var credentials = JPEGContentCredentials()
    var listedProfile = false
    while let element = try parser.next() {
      switch element {
      case .entropyCodedData: break
      case .skipped(let range, _):
        listing.add("bytes between segments", at: range, isRemoved: true)
      case .segment(let segment):
        if try state.keeps(segment, in: source) { continue }
        if let part = credentials.part(segment, in: source) {
          let isRemoved = state.sawScan || listing.removes(.contentCredentials)
          guard part == .start else { continue }
          listing.addCredentials("APP11", at: segment.range, isRemoved: isRemoved) {
            JPEGContentCredentials.store(from: segment, in: source)
          }
        } else if segment.marker == JPEGMarker.app2, header.profile.isWhole,
          JPEGColorProfile.Chunk(segment, in: source) != nil
        {
          if !listedProfile, let profile = try header.profile.bytes(in: source) {
            listing.addProfile("APP2 ICC_PROFILE", profile, at: segment.body.dropFirst(14))
          }
          listedProfile = true
        } else {
          let name = JPEGMarker.removedName(segment, in: source)
          if rewritten.contains(name), !state.sawScan, !seen.contains(name) {
            listing.add(name, at: segment.body, isRemoved: false)
          } else {
            let isUsed = !seen.contains(name)
            list(segment, name, of: source, isAfterScan: state.sawScan, isUsed, into: &listing)
          }
          seen.insert(name)
        }
      }
    }
    return parser.offset
  }

  /// Returns the extended packet whose first part is in `first`, and the others in the segments that
  /// follow; as far as it goes on.
  ///
  /// Source: XMP part 3, section 1.1.3.1: identifier, 32 bytes of a digest, length, offset, data.
  private static func extendedPacket(from first: JPEGSegment, of source: ByteSource) -> [UInt8] {
    let identifier = "http://ns.adobe.com/xmp/extension/\0"
    let head = 4 + identifier.utf8.count
    var packet: [UInt8] = []
    var start = first.range.lowerBound
    while packet.count <= FoundMetadata.maximumBlockLength, source.uint16(at: start) == 0xFFE1,
      source.holds(identifier, at: start + 4), let length = source.uint16(at: start + 2),
      source.uint32(at: start + head + 36) == packet.count, length > head + 38,
      let part = source.bytes(in: (start + head + 40)..<(start + 2 + length), limit: 1 << 16)
    {
      packet += part
      start += 2 + length
    }
    return packet
  }

  /// Lists a segment that is not copied; `isUsed` is false for a second one of its name.
  static func list(
    _ segment: JPEGSegment,
    _ name: String,
    of source: ByteSource,
    isAfterScan: Bool,
    _ isUsed: Bool,
    into listing: inout MetadataListing
  ) {
    let body = segment.body
    let bytes = { (prefix: String) in
      source.bytes(in: body.dropFirst(prefix.utf8.count), limit: 1 << 16) ?? []
    }
    switch name {
    case "APP1 Exif" where !isAfterScan && body.count > 6:
      listing.addExif(name, in: body.dropFirst(6), of: source, isUsed: isUsed)
    case "APP1 XMP" where !isAfterScan:
      let packet = bytes(JPEGMetadata.xmpIdentifier)
      listing.addXMP(name, packet, at: body, isUsed: isUsed, keepsProjection: true)
    case "APP1 ExtendedXMP" where !isAfterScan && isUsed:
      listing.addXMP(name, extendedPacket(from: segment, of: source), at: body, isUsed: false)
    case "APP13 Photoshop":
      let identifier = JPEGMetadata.photoshopIdentifier
      listing.addPhotoshop(
        name,
        bytes(identifier),
        at: body.lowerBound + identifier.utf8.count
      )
    case "APP0 JFIF", "APP14 Adobe":
      // Written anew, except for what strip reports: a thumbnail, dots per inch.
      listing.add(name, at: body, isRemoved: isAfterScan)
    case "COM":
      listing.add(name, at: body, isRemoved: true) { MetadataListing.text(bytes("")) }
    default: listing.add(name, at: body, isRemoved: true)
    }
  }
}
