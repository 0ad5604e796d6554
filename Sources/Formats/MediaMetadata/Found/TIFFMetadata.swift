package import MediaContainers
import MediaModel

/// Finds the metadata of a TIFF's first page: its tags with Exif and GPS, XMP, IPTC and
/// Photoshop's resources.
package enum TIFFMetadata: MetadataBlocks {
  /// Passes the blocks of a TIFF's first page to `metadata`; none of a file that is no TIFF.
  package static func read(_ source: ByteSource, into metadata: inout FoundMetadata) {
    if let block = TIFFBlock(file: source) { metadata.take(block, of: source) }
  }

  /// Returns the metadata of a TIFF structure whose header another reader has parsed.
  static func find(
    in source: ByteSource,
    _ block: TIFFBlock,
    describing: Bool
  ) -> FoundMetadata {
    var metadata = FoundMetadata(describing: describing)
    metadata.take(block, of: source)
    return metadata
  }
}

extension FoundMetadata {
  fileprivate mutating func take(_ block: TIFFBlock, of source: ByteSource) {
    takeExif(block)
    let limit = FoundMetadata.maximumBlockLength
    var iptc: [UInt8]?
    var photoshop: [UInt8]?
    block.forEachEntry(ofDirectoryAt: block.firstDirectory) { entry in
      switch entry.tag {
      case TIFFTag.xmp: takeXMP(in: entry.value, of: source)
      case TIFFTag.iptc where iptc == nil: iptc = source.bytes(in: entry.value, limit: limit)
      case TIFFTag.photoshop where photoshop == nil:
        photoshop = source.bytes(in: entry.value, limit: limit)
      case TIFFTag.contentCredentials: takeCredentials(in: entry.value, of: source)
      // A map says where it lies.
      default: notePlace(ExifTagNames.tag(entry.tag, isLocation: false).saysPlace)
      }
    }
    if let iptc { takeIPTC(iptc) }
    if let photoshop { takePhotoshop(photoshop) }
  }
}
