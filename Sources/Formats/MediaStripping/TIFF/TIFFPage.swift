import MediaContainers
import MediaMetadata

/// One page of a TIFF: the tags that are needed to show it, and the ranges of its pixels.
struct TIFFPage {
  static let maximumPieces = 1 << 20

  /// The tags in ascending order, without offsets and byte counts.
  var tags: [TIFFField] = []
  var isTiled = false
  /// The range of each strip or tile in the source; an empty one is a tile that was not written.
  var pieces: [Range<Int>] = []
  var isJPEG = false
  /// The subdirectories of the page by the tag that points to them: Exif, GPS.
  var directories: [(pointer: Int, fields: [TIFFField])] = []
  var removed: [String] = []

  /// Adds kept values that are written anew as Exif fields and as an XMP packet.
  mutating func add(_ kept: KeptMetadata, order: ByteOrder) {
    let exif = ExifWriter.fields(of: kept, order: order)
    tags += exif.image
    if let packet = XMPWriter.packet(kept: kept) {
      tags.append(TIFFField(tag: TIFFTag.xmp, type: 1, count: packet.count, value: packet))
    }
    directories += exif.directories
  }
}
