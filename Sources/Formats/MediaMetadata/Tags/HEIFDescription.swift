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
  package var iptc: [UInt8]? { data(of: items.first { $0.type == "iptc" }) }

  private func data(of item: HEIFItem?) -> [UInt8]? {
    item.flatMap { Self.data(of: $0, in: source) }
  }

  /// Returns the bytes of an item, at most 1 MiB.
  package static func data(of item: HEIFItem, in source: ByteSource) -> [UInt8]? {
    let extents = ByteSource(joining: item.extents, of: source)
    guard !item.isElsewhere, !item.isProtected else { return nil }
    return extents.bytes(in: 0..<extents.length, limit: FoundMetadata.maximumBlockLength)
  }

  /// Returns the data from the TIFF header on.
  package static func block(_ data: [UInt8]) -> [UInt8]? {
    guard data.count > 4 else { return nil }
    // Some writers leave out the four bytes in front of the header.
    if data.starts(with: [0x49, 0x49, 0x2A, 0]) || data.starts(with: [0x4D, 0x4D, 0, 0x2A]) {
      return data
    }
    let skipped = data[..<4].reduce(0) { $0 << 8 | Int($1) }
    guard skipped < data.count - 4 else { return nil }
    return Array(data[(4 + skipped)...])
  }
}
