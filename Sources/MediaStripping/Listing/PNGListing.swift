import MediaContainers
import MediaMetadata

extension PNGStripper {
  static func list(
    _ source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError) {
    let header = try PNGHeader(of: source)
    var parser = try PNGParser(source)
    var state = State()
    while let chunk = try parser.next() {
      let disposition = try PNGAllowList.judge(chunk, colorType: header.colorType, in: source)
      let isKept = try state.accepts(chunk, isWellFormed: disposition != .removed)
      switch disposition {
      case .profile where isKept:
        guard let name = PNGKeyword(chunk, in: source),
          let profile = try? name.bytes(of: source, limit: ICCProfile.maximumLength)
        else { continue }
        let text = source.bytes(in: name.range, limit: 79) ?? []
        listing.add("iCCP/name", at: name.range, isRemoved: text != Array("icc".utf8)) {
          MetadataListing.text(text)
        }
        listing.addProfile("iCCP", profile, at: chunk.data)
      case .kept where isKept: continue
      default: list(chunk, of: source, header: header, into: &listing)
      }
    }
    listing.addTrailer(from: parser.offset, of: source)
  }

  /// Lists a chunk that is not copied.
  static func list(
    _ chunk: PNGChunk,
    of source: ByteSource,
    header: PNGHeader,
    into listing: inout MetadataListing
  ) {
    let name = PNG.name(chunk.type)
    if chunk.type == "eXIf", let range = header.exif, chunk.data.contains(range.lowerBound) {
      return listing.addExif(name, in: range, of: source)
    }
    if let raw = header.rawProfile, raw.range == chunk.range,
      let block = PNGRawProfile.block(chunk, in: source)
    {
      let bytes = ByteSource(block)
      return listing.addExif("\(name) Exif", in: 0..<block.count, of: bytes, place: chunk.data)
    }
    if chunk.type == "iTXt", let packet = PNGMetadata.xmp(chunk, in: source) {
      return listing.addXMP("\(name) XMP", packet, at: chunk.data)
    }
    listing.add(name, at: chunk.data, isRemoved: true) {
      guard chunk.type == "tEXt" || chunk.type == "iTXt" else { return nil }
      let bytes = source.bytes(in: chunk.data.prefix(1024), limit: 1024) ?? []
      return MetadataListing.text(bytes.map { $0 == 0 ? 0x20 : $0 })
    }
  }
}
