package import MediaContainers

/// Finds the Exif, XMP and IPTC items of a HEIF's primary item.
package enum HEIFMetadata {
  /// Returns the metadata of a HEIF.
  package static func find(
    in source: ByteSource,
    describing: Bool = false
  ) -> FoundMetadata {
    var found = FoundMetadata(describing: describing)
    guard let box = try? HEIFContainer(of: source).meta,
      let meta = try? HEIFMetaReader.read(box.body, of: source)
    else { return found }
    let items = HEIFDescriptionItems(meta, of: source)
    if let exif = items.exif { found.takeExif(exif) }
    if let xmp = items.xmp { found.takeXMP(xmp) }
    if let iptc = items.iptc { found.takeIPTC(iptc) }
    return found
  }
}
