package import MediaContainers

/// Finds the metadata of a TIFF's first page: its tags with Exif and GPS, XMP, IPTC and
/// Photoshop's resources.
package enum TIFFMetadata {
  /// Returns the metadata of a TIFF.
  package static func find(in source: ByteSource) -> FoundMetadata {
    var found = FoundMetadata()
    guard let block = TIFFBlock(file: source) else { return found }
    found.takeExif(block)
    let limit = FoundMetadata.maximumBlockLength
    var iptc: [UInt8]?
    var photoshop: [UInt8]?
    block.forEachEntry(ofDirectoryAt: block.firstDirectory) { entry in
      switch entry.tag {
      case 0x02BC: found.takeXMP(in: entry.value, of: source)
      case 0x83BB where iptc == nil: iptc = source.bytes(in: entry.value, limit: limit)
      case 0x8649 where photoshop == nil: photoshop = source.bytes(in: entry.value, limit: limit)
      default: break
      }
    }
    if let iptc { found.takeIPTC(iptc) }
    if let photoshop { found.takePhotoshop(photoshop) }
    return found
  }
}
