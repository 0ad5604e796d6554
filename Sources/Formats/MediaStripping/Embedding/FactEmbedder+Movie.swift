import MediaContainers
import MediaMetadata
import MediaModel

extension FactEmbedder {
  /// The packet in a box behind all others, but ahead of an index of fragments, which players look for at the end; and
  /// what QuickTime has keys for, among those of the movie.
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
        for (range, bytes) in freed(box) { patches.replace(range, with: bytes) }
      }
    }
    // A length of 0 reaches to the end of the file, wherever that is.
    guard let last, last.range.upperBound == source.length,
      source.uint32(at: last.range.lowerBound) != 0
    else { throw MetadataError(.stripUnsupported, "a film whose last box has no end") }
    guard ISOBoxes.body(at: ["moov", "udta", "XMP_"], in: 0..<source.length, of: source) == nil
    else { throw MetadataError(.stripUnsupported, "XMP within the user data") }
    let packet = try packet(facts, into: existing)
    let place = facts.place
    let isSame = place.map { EarlierPlace.isSame(MovieValues.all(in: source).location, as: $0) } ?? true
    patchKeys(of: source, facts, replacesPlace: !isSame, &patches)
    let box = ISOWriter.box("uuid", MovieFile.xmpIdentifier + packet)
    patches.insert(box, at: last.type == "mfra" ? last.range.lowerBound : source.length)
    return patches
  }

  /// Returns the boxes of user data that say a place, which become free space.
  private static func places(in children: [ISOBox], of source: ByteSource) -> [ISOBox] {
    children.filter { $0.type == "udta" }.flatMap { ISOBoxes(source, in: $0.body).prefix(4096) }
      .filter { MovieValue.types[$0.type] == .location }
  }

  /// Returns what makes a box free space in which nothing of what stood there is left.
  private static func freed(_ box: ISOBox) -> [(range: Range<Int>, bytes: [UInt8])] {
    let type = box.range.lowerBound + 4
    return [
      (type..<(type + 4), Array("free".utf8)),
      (box.body, [UInt8](repeating: 0, count: box.body.count)),
    ]
  }

  /// The longest moov in bytes that is written again: that of some hours.
  private static let maximumMovieLength = 1 << 20

  /// Puts the facts among the movie's keys.
  ///
  /// A moov grows where it is, and with it the offsets of the samples behind it. Where those cannot, it becomes free
  /// space, and stands at the end with the keys. A movie in fragments, or one whose keys cannot be read, gets none.
  private static func patchKeys(
    of source: ByteSource,
    _ facts: EmbeddedFacts,
    replacesPlace: Bool,
    _ patches: inout BytePatches
  ) {
    var moov: ISOBox?
    var end = 0
    for box in ISOBoxes(source, in: 0..<source.length) {
      switch box.type {
      case "moov":
        if moov != nil { return }
        moov = box
      case "mdat": end = box.range.upperBound
      // What lies in fragments, or is found by offsets in the file, must not move.
      case "moof", "sidx", "mfra", "meta": return
      default: break
      }
    }
    guard let moov, moov.body.lowerBound == moov.range.lowerBound + 8,
      moov.range.count <= maximumMovieLength,
      let children = try? ISOBox.children(of: "moov", in: moov.body, of: source),
      !children.contains(where: { $0.type == "mvex" }),
      children.count(where: { $0.type == "meta" }) < 2
    else { return }
    let meta = children.first { $0.type == "meta" }
    guard let box = MovieDescription.box(of: facts, into: meta, of: source, replacesPlace: replacesPlace)
    else { return }
    let earlier = replacesPlace ? places(in: children, of: source) : []
    let insertion = children.last?.range.upperBound ?? moov.body.lowerBound
    let range = meta?.range ?? insertion..<insertion
    let size = (moov.range.count + box.count - range.count).bytes(4)
    let start = moov.range.lowerBound
    if start >= end {
      patches.replace(start..<(start + 4), with: size)
      patches.replace(range, with: box)
      for (range, bytes) in earlier.flatMap(freed) { patches.replace(range, with: bytes) }
    } else if var bytes = source.bytes(in: moov.range, limit: maximumMovieLength) {
      for (range, freed) in earlier.flatMap(freed) {
        bytes.replaceSubrange((range.lowerBound - start)..<(range.upperBound - start), with: freed)
      }
      let (head, tail) = (range.lowerBound - start, range.upperBound - start)
      let growth = box.count - range.count
      if let moved = ChunkOffsets.moved(bytes, from: start, by: growth) {
        return patches.replace(moov.range, with: size + moved[4..<head] + box + moved[tail...])
      }
      for (range, bytes) in freed(moov) { patches.replace(range, with: bytes) }
      patches.insert(size + bytes[4..<head] + box + bytes[tail...], at: source.length)
    }
  }
}
