import MediaContainers
import MediaMetadata

/// One tag of an output, with its value in the file's own byte order.
struct TIFFPageTag {
  var tag: Int
  var type: Int
  var count: Int
  var value: [UInt8]

  init(tag: Int, type: Int, count: Int, value: [UInt8]) {
    self.tag = tag
    self.type = type
    self.count = count
    self.value = value
  }

  /// Converts a field that was written big-endian.
  init(_ field: TIFFField, order: ByteOrder) {
    self.init(tag: field.tag, type: field.type, count: field.count, value: field.value)
    // A fraction is two numbers of four bytes.
    let width = field.type == 5 ? 4 : TIFFFile.size(ofType: field.type) ?? 1
    guard order == .little, width > 1 else { return }
    value = stride(from: 0, to: value.count, by: width).flatMap {
      field.value[$0..<($0 + width)].reversed()
    }
  }
}

/// One page of a TIFF: the tags that are needed to show it, and the ranges of its pixels.
struct TIFFPage {
  static let maximumPieces = 1 << 20

  /// The tags in ascending order, without offsets and byte counts.
  var tags: [TIFFPageTag]
  var isTiled: Bool
  /// The range of each strip or tile in the source; an empty one is a tile that was not written.
  var pieces: [Range<Int>]
  var isJPEG: Bool
  /// The subdirectories of the page by the tag that points to them: Exif, GPS.
  var directories: [(pointer: Int, tags: [TIFFPageTag])] = []
  var removed: [String]

  /// Adds kept values that are written anew as Exif fields and as an XMP packet.
  mutating func add(_ kept: KeptMetadata, order: ByteOrder) {
    tags += ExifWriter.textFields(of: kept).map { TIFFPageTag($0, order: order) }
    if let packet = XMPWriter.packet(kept: kept) {
      tags.append(TIFFPageTag(tag: 0x02BC, type: 1, count: packet.count, value: packet))
    }
    let exif = ExifWriter.exifFields(of: kept)
    let location = kept.location.map(ExifWriter.locationFields) ?? []
    for (pointer, fields) in [
      (ExifTagNumber.exifDirectory, exif), (ExifTagNumber.locationDirectory, location),
    ] where !fields.isEmpty {
      directories.append((pointer, fields.map { TIFFPageTag($0, order: order) }))
    }
  }
}
