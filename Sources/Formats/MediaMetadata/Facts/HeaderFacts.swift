import MediaCodecs
import MediaContainers
import MediaModel

/// Reads the facts of pictures that only their decoder takes apart: the size of their header, and of
/// Photoshop documents and JPEG 2000 files what their Exif block says.
///
/// TGA states where its first pixel stands. The orientation in an Exif block documents the capture: programs that show these formats do not apply
/// it.
enum HeaderFacts {
  static func facts(
    of source: ByteSource,
    format: MediaFormat,
    _ metadata: FormatReader.Metadata,
    exif read: ExifFacts?
  ) throws(MetadataError) -> Facts {
    guard let header = format.pictureHeader?.init(of: source), header.size.width > 0,
      header.size.height > 0
    else { throw MetadataError(.damaged, "no header with a size") }
    var exif = read ?? ExifFacts()
    if read == nil, case .blocks(let find) = metadata { exif = find(source, true).exifFacts ?? exif }
    exif.orientation = header.orientation
    return Facts(format: format, pixelSize: header.size, exif: exif)
  }
}
