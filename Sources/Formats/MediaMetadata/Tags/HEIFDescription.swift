package import MediaContainers
package import MediaModel

/// The Exif block and the XMP packet that describe the primary item of an output.
package struct HEIFDescription {
  /// The Exif block from its TIFF header on.
  package var exif: [UInt8]?
  /// The XMP packet.
  package var xmp: [UInt8]?

  /// Creates an empty description.
  package init() {}

  /// Creates the description of kept values; orientation is never among them, since readers of
  /// this format ignore it and apply irot and imir.
  package init(_ kept: KeptMetadata) {
    exif = ExifWriter.block(orientation: 1, kept: kept)
    xmp = XMPWriter.packet(kept: kept)
  }

  /// Returns the description in an existing output.
  ///
  /// - Throws: `residue` when it is not what this program writes for values that `options` keep.
  package static func checked(
    of output: ByteSource,
    _ meta: HEIFMeta,
    options: StripOptions
  ) throws(MetadataError) -> HEIFDescription {
    let items = HEIFDescriptionItems(meta, of: output)
    var description = HEIFDescription()
    if let exif = items.exif {
      guard ExifWriter.isOwn(exif, under: options) else {
        throw MetadataError(.residue, "Exif item")
      }
      description.exif = exif
    }
    if let xmp = items.xmp {
      guard XMPWriter.isOwn(xmp, under: options, keepsProjection: true) else {
        throw MetadataError(.residue, "XMP item")
      }
      description.xmp = xmp
    }
    return description
  }
}

/// The items of a file that describe its primary item.
///
/// Source: ISO/IEC 23008-12 annexes A.2.1 (Exif) and A.3 (XMP).
package struct HEIFDescriptionItems {
  private let source: ByteSource
  /// The items in the order in which they count: the first of each kind is used, whatever its
  /// content.
  private let items: [HEIFItem]

  /// Finds the items.
  package init(_ meta: HEIFMeta, of source: ByteSource) {
    let described = meta.items.filter { item in
      meta.references[item.identifier]?.contains { reference in
        reference.type == "cdsc" && reference.to.contains(meta.primary)
      } ?? false
    }
    // Items that describe nothing are assumed to describe the primary item.
    let loose = meta.items.filter { item in
      meta.references[item.identifier]?.contains { $0.type == "cdsc" } != true
    }
    items = described + loose
    self.source = source
  }

  /// The item of the Exif block.
  package var exifItem: HEIFItem? { items.first { $0.type == "Exif" } }
  /// The item of the XMP packet.
  package var xmpItem: HEIFItem? { items.first(where: \.isXMP) }
  /// The Exif block from its TIFF header on.
  package var exif: [UInt8]? { data(of: exifItem).flatMap(Self.block) }
  /// The XMP packet.
  package var xmp: [UInt8]? { data(of: xmpItem) }
  /// The IPTC-IIM datasets.
  package var iptc: [UInt8]? { data(of: iptcItem) }

  private var iptcItem: HEIFItem? { items.first { $0.type == "iptc" } }

  /// Whether an item that is not used says a place.
  var othersStatePlace: Bool {
    let used = [exifItem, xmpItem, iptcItem].compactMap { $0?.identifier }
    return items.prefix(64).contains { item in
      guard !used.contains(item.identifier), item.type == "Exif" || item.type == "iptc" || item.isXMP,
        let data = data(of: item)
      else { return false }
      if item.type == "iptc" { return PlaceStatements.hold(iptc: data) }
      if item.isXMP { return PlaceStatements.hold(XMPProperties(data)) }
      return Self.block(data).map { PlaceStatements.hold(exif: $0) } ?? false
    }
  }

  private func data(of item: HEIFItem?) -> [UInt8]? {
    item.flatMap { Self.data(of: $0, in: source) }
  }

  /// Returns the bytes of an item, at most 1 MiB.
  package static func data(of item: HEIFItem, in source: ByteSource) -> [UInt8]? {
    let extents = ByteSource(joining: item.extents, of: source)
    guard !item.isElsewhere, !item.isProtected else { return nil }
    return extents.bytes(in: 0..<extents.length, limit: FoundMetadata.maximumBlockLength)
  }

  /// Returns the data from the TIFF header on, which some writers put at the start, without the four bytes that state
  /// where it is, or behind a head of JPEG's: its identifier, with or without the marker of a segment.
  package static func block(_ data: [UInt8]) -> [UInt8]? {
    block(in: 0..<data.count, of: ByteSource(data)).map { Array(data[$0]) }
  }

  /// Returns the range from the TIFF header on, as ``block(_:)``; what is stated where there is no header.
  static func block(in data: Range<Int>, of source: ByteSource) -> Range<Int>? {
    guard data.count > 4, let offset = source.uint32(at: data.lowerBound) else { return nil }
    for start in [4 + offset, 0, 4] where start < data.count {
      var block = data.dropFirst(start)
      if source.holds([0xFF, 0xE1], at: block.lowerBound) { block = block.dropFirst(4) }
      if source.holds("Exif\0\0", at: block.lowerBound) { block = block.dropFirst(6) }
      if source.holds([0x49, 0x49, 0x2A, 0], at: block.lowerBound)
        || source.holds([0x4D, 0x4D, 0, 0x2A], at: block.lowerBound)
      {
        return block
      }
    }
    return 4 + offset < data.count ? data.dropFirst(4 + offset) : nil
  }
}
