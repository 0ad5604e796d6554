import MediaContainers
import MediaModel

/// Reads the facts of a HEIC or AVIF.
///
/// Orientation is that of the file's own transformations (irot, imir), which decoders apply; by
/// the standard, the orientation in its Exif block only documents the capture.
///
/// Source: ISO/IEC 23008-12 sections 6.5 and 9.3; ISO/IEC 14496-12 section 8.11.
enum HEIFFacts {
  static func facts(
    of source: ByteSource,
    format: MediaFormat
  ) throws(MetadataError) -> Facts {
    let whole = 0..<source.length
    guard let meta = ISOBoxes.first("meta", in: whole, of: source)?.body, meta.count >= 4,
      let primary = HEIFPrimaryItem(of: source, in: meta.dropFirst(4))
    else {
      // A sequence may have no still picture.
      guard let movie = try? MovieFacts.facts(of: source, format: format), movie.pixelSize != nil
      else { throw MetadataError(.damaged, "no primary item of known size") }
      return movie
    }
    var exif = ExifFacts()
    if let block = HEIFExifItem.block(of: source, in: meta.dropFirst(4)) {
      exif = block.withUnsafeBytes { bytes in
        ExifReader.facts(of: ByteSource(bytes), in: 0..<bytes.count)
      }
    }
    exif.orientation = primary.orientation
    return Facts(format: format, pixelSize: primary.pixelSize, exif: exif)
  }
}

/// The primary item with its stored size and orientation.
struct HEIFPrimaryItem {
  var pixelSize: PixelSize
  /// The EXIF orientation, 1 to 8.
  package var orientation = 1

  init?(of source: ByteSource, in meta: Range<Int>) {
    guard let pitm = ISOBoxes.first("pitm", in: meta, of: source)?.body,
      let version = source.byte(at: pitm.lowerBound),
      let item = version == 0
        ? source.uint16(at: pitm.lowerBound + 4) : source.uint32(at: pitm.lowerBound + 4),
      let iprp = ISOBoxes.first("iprp", in: meta, of: source)?.body,
      let ipco = ISOBoxes.first("ipco", in: iprp, of: source)?.body
    else { return nil }
    let properties = Array(ISOBoxes(source, in: ipco))
    var size: PixelSize?
    var turn = Turn()
    for index in Self.associations(of: item, in: iprp, of: source) {
      // The index is 1-based; 0 means no property.
      guard index > 0, index <= properties.count else { continue }
      let body = properties[index - 1].body
      switch properties[index - 1].type {
      case "ispe":
        if size == nil, let width = source.uint32(at: body.lowerBound + 4),
          let height = source.uint32(at: body.lowerBound + 8), width > 0, height > 0
        {
          size = PixelSize(width: width, height: height)
        }
      case "irot":
        if let angle = source.uint8(at: body.lowerBound) { turn.rotate(clockwise: 4 - angle & 3) }
      case "imir":
        if let axis = source.uint8(at: body.lowerBound) { turn.mirror(leftRight: axis & 1 == 1) }
      default: break
      }
    }
    guard let size else { return nil }
    pixelSize = size
    orientation = turn.orientation
  }

  /// Returns the indices of the properties of `item`, in the order in which they apply.
  private static func associations(
    of item: Int,
    in iprp: Range<Int>,
    of source: ByteSource
  ) -> [Int] {
    var result: [Int] = []
    for box in ISOBoxes(source, in: iprp) where box.type == "ipma" {
      guard let head = source.uint32(at: box.body.lowerBound),
        let entries = source.uint32(at: box.body.lowerBound + 4)
      else { continue }
      let hasLongItem = head >> 24 >= 1
      let hasLongIndex = head & 1 == 1
      var offset = box.body.lowerBound + 8
      for _ in 0..<entries {
        let identifier = hasLongItem ? source.uint32(at: offset) : source.uint16(at: offset)
        offset += hasLongItem ? 4 : 2
        guard offset < box.body.upperBound, let identifier, let count = source.uint8(at: offset)
        else { break }
        offset += 1
        let step = hasLongIndex ? 2 : 1
        if identifier == item, result.isEmpty {
          result = (0..<count).compactMap { place in
            hasLongIndex
              ? source.uint16(at: offset + 2 * place).map { $0 & 0x7FFF }
              : source.uint8(at: offset + place).map { $0 & 0x7F }
          }
        }
        offset += step * count
      }
    }
    return result
  }
}
