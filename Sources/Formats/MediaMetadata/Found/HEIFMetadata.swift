package import MediaContainers
import MediaModel

/// Finds the Exif, XMP and IPTC items of a HEIF's primary item.
package enum HEIFMetadata: MetadataBlocks {
  package static func read(_ source: ByteSource, into metadata: inout FoundMetadata) {
    guard let meta = metadata.isDescribing ? described(source) : checked(source) else { return }
    let items = HEIFDescriptionItems(meta, of: source)
    if let exif = items.exif { metadata.takeExif(exif) }
    if let xmp = items.xmp { metadata.takeXMP(xmp) }
    if let iptc = items.iptc { metadata.takeIPTC(iptc) }
    guard metadata.isDescribing else { return }
    metadata.notePlace(items.othersStatePlace)
    metadata.notePlace(PlaceStatements.hold(credentials: credentials(of: source)))
    metadata.take(subtypes(of: meta, in: source))
  }

  private static func credentials(of source: ByteSource) -> [UInt8] {
    let container = try? HEIFContainer(of: source)
    return container?.credentials.flatMap { source.bytes(in: $0, limit: ContentCredentials.maximumLength) }
      ?? []
  }

  private static func checked(_ source: ByteSource) -> HEIFMeta? {
    (try? HEIFContainer(of: source).meta).flatMap { try? HEIFMetaReader.read($0.body, of: source) }
  }

  /// As for the facts, what can be read of a file counts that does not follow its format.
  private static func described(_ source: ByteSource) -> HEIFMeta? {
    ISOBoxes.first("meta", in: 0..<source.length, of: source)
      .map { HEIFMetaReader.readLeniently($0.body, of: source) }
  }

  /// Returns what other pictures belong to the primary one: a depth map, or the other eye of a pair.
  ///
  /// Source: ISO/IEC 23008-12 sections 6.5.8 (auxC) and 6.8.5 (the group `ster`).
  private static func subtypes(of meta: HEIFMeta, in source: ByteSource) -> MediaSubtypes {
    var subtypes: MediaSubtypes = []
    let hasDepth = meta.items.contains { item in
      guard meta.targets(of: item.identifier, "auxl").contains(meta.primary),
        let box = meta.property("auxC", of: item)
      else { return false }
      return HEIFAuxiliary(urn: HEIFAuxiliary.urn(in: box.body, of: source)).isDepth
    }
    if hasDepth { subtypes.insert(.photoDepthEffect) }
    let groups = meta.boxes.first { $0.type == "grpl" }?.body ?? 0..<0
    for group in ISOBoxes(source, in: groups) where group.type == "ster" {
      // Version and flags, the group's identifier, and the number of its pictures, which is two, come
      // first.
      let start = group.body.lowerBound + 12
      let isPair = source.uint32(at: start - 4) == 2 && group.body.upperBound - start >= 8
      if isPair, [start, start + 4].contains(where: { source.uint32(at: $0) == meta.primary }) {
        subtypes.insert(.spatialMedia)
      }
    }
    return subtypes
  }
}
