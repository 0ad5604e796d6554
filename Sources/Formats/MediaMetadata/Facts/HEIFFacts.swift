import MediaContainers
import MediaModel

/// Reads the facts of a HEIC or AVIF.
///
/// Orientation is that of the file's own transformations (irot, imir), which decoders apply; by
/// the standard, the orientation in its Exif block only documents the capture.
///
/// Source: ISO/IEC 23008-12 sections 6.5 and 9.3; ISO/IEC 14496-12 section 8.11.
enum HEIFFacts {
  /// Reads the facts; `read` is those of the Exif block where it was read already.
  static func facts(
    of source: ByteSource,
    format: MediaFormat,
    exif read: ExifFacts? = nil
  ) throws(MetadataError) -> Facts {
    guard let box = ISOBoxes.first("meta", in: 0..<source.length, of: source),
      case let meta = HEIFMetaReader.readLeniently(box.body, of: source),
      let primary = meta.item(meta.primary),
      let size = meta.pixelSize(of: primary, in: source), size.width > 0, size.height > 0
    else {
      // A sequence may have no still picture.
      guard let movie = try? MovieFacts.facts(of: source, format: format), movie.pixelSize != nil
      else { throw MetadataError(.damaged, "no primary item of known size") }
      return movie
    }
    var exif = read ?? ExifFacts()
    if read == nil, let block = HEIFDescriptionItems(meta, of: source).exif {
      exif = ExifReader.facts(of: ByteSource(block), in: 0..<block.count)
    }
    var turn = Turn()
    for property in meta.properties(of: primary) { turn.add(property, of: source) }
    exif.orientation = turn.orientation
    var facts = Facts(format: format, pixelSize: size, exif: exif)
    facts.embeddedMovie = MotionPhoto.movie(in: source, format: format)
    return facts
  }
}
