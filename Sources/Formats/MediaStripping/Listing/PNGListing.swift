import MediaContainers
import MediaMetadata
import MediaModel

extension PNGStripper {
  /// Lists the profile that is written anew, by its tags.
  static func listProfile(
    _ chunk: PNGChunk,
    of source: ByteSource,
    to listing: inout MetadataListing
  ) {
    let limit = ICCProfile.maximumLength
    guard let name = PNGKeyword(chunk, in: source),
      let profile = try? name.bytes(of: source, limit: limit, needsChecksum: false)
    else { return }
    let text = source.bytes(in: name.range, limit: 79) ?? []
    listing.add("iCCP/name", at: name.range, isRemoved: text != Array("icc".utf8)) {
      MetadataListing.text(text)
    }
    listing.addProfile("iCCP", profile, at: chunk.data)
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
    if chunk.type == "caBX" {
      return listing.addCredentials(name, at: chunk.data, of: source)
    }
    guard ["tEXt", "zTXt", "iTXt"].contains(chunk.type),
      let keyword = PNGKeyword(chunk, in: source), !keyword.range.isEmpty
    else { return listing.add(name, at: chunk.data, isRemoved: true) }
    let isMarked = source.holds("XML:com.adobe.xmp\0", at: chunk.data.lowerBound)
    if chunk.type == "iTXt" || isMarked && listing.takesBlock(),
      let packet = PNGMetadata.xmp(chunk, in: source)
    {
      let isUsed = chunk.type == "iTXt"
      let path = "\(name) XMP"
      return listing.addXMP(path, packet, at: chunk.data, isUsed: isUsed, keepsProjection: isUsed)
    }
    if PNGRawProfile.isBlock(chunk, in: source), listing.takesBlock() {
      let isUsed = header.rawProfile?.range == chunk.range
      if list(block: chunk, name, isUsed: isUsed, of: source, into: &listing) { return }
    }
    let word = String(decoding: source.bytes(in: keyword.range.prefix(79), limit: 79) ?? [], as: UTF8.self)
    let label = EscapedText.printable(word.substituting("/", by: "_"), limit: 80)
    let isRemoved = listing.removes(PNGMetadata.exceptions[word.lowercased()])
    listing.add("\(name)/\(label)", at: keyword.content, isRemoved: isRemoved) {
      keyword.isCompressed ? nil : MetadataListing.text(in: keyword.content, of: source)
    }
  }

  /// Lists a block in hexadecimal; returns whether it is one.
  private static func list(
    block chunk: PNGChunk,
    _ name: String,
    isUsed: Bool,
    of source: ByteSource,
    into listing: inout MetadataListing
  ) -> Bool {
    let before = listing.count
    switch PNGTextBlock(chunk, in: source) {
    case .exif(let block):
      listing.addExif(
        "\(name) Exif",
        in: 0..<block.count,
        of: ByteSource(block),
        range: chunk.data,
        isUsed: isUsed
      )
    case .xmp(let packet): listing.addXMP("\(name) XMP", packet, at: chunk.data, isUsed: false)
    case .photoshop(let resources):
      listing.addPhotoshop("\(name) Photoshop", resources, at: chunk.data.lowerBound, isUsed: false)
    case .iptc(let datasets):
      listing.addIPTC("\(name) IPTC", datasets, at: chunk.data.lowerBound, isUsed: false)
    case nil: return false
    }
    return listing.count > before
  }
}
