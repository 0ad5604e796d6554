import MediaContainers
import MediaModel

/// Reads the facts of a camera's raw file.
///
/// Source: TIFF/EP (ISO 12234-2); DNG 1.6; exiftool `lib/Image/ExifTool/FujiFilm.pm` (RAF),
/// `PanasonicRaw.pm`, `Canon.pm` and `QuickTime.pm` (CR3), `CanonRaw.pm` (CRW).
enum RawFacts {
  /// Returns the facts of a raw file.
  ///
  /// The pixel size of a DNG is that of its main picture, as exiftool says it. Any other raw file
  /// describes its sensor in tags of its maker: its size is that of the largest preview, which is
  /// visible without developing the file, or without a preview that of the largest picture that the
  /// file describes.
  ///
  /// - Throws: `damaged` when the file does not have the structure of a raw file.
  static func facts(
    of source: ByteSource,
    format: MediaFormat,
    exif read: ExifFacts? = nil
  ) throws(MetadataError) -> Facts {
    switch format {
    case .raf: return try facts(ofRAF: source, exif: read)
    case .cr3: return try facts(ofCR3: source, exif: read)
    case .crw:
      guard let block = CIFFBlock(raw: source) else { throw MetadataError(.damaged, "no header") }
      let size = block.preview.flatMap { RawPreviews.size(of: ByteSource(source, $0)) }
      return facts(format, size, block.facts)
    case .x3f:
      guard let file = SigmaRaw(of: source) else { throw MetadataError(.damaged, "no header") }
      let preview = preview(of: source, format: format).map { ByteSource(source, $0) }
      return facts(
        format,
        preview.flatMap { RawPreviews.size(of: $0) } ?? file.size,
        read ?? preview.map { JPEGFacts.exif(of: $0) } ?? ExifFacts()
      )
    default:
      guard let block = block(of: source, format: format) else {
        throw MetadataError(.damaged, "no TIFF header")
      }
      let previews = RawPreviews(block)
      var exif = read ?? ExifReader.facts(of: block)
      // Panasonic stores the dates only in the Exif block of the preview.
      if read == nil, exif.creationDate == nil, let preview = previews.largest {
        exif.creationDate = JPEGFacts.exif(of: ByteSource(source, preview.range)).creationDate
      }
      let described = format == .mrw ? MinoltaRaw(of: source)?.size : previews.describedSize
      let size = previews.largest?.size ?? described
      return facts(format, format == .dng ? previews.mainSize ?? size : size, exif)
    }
  }

  /// Returns the range of the largest JPEG preview; nil when there is none, and for a CR3.
  static func preview(of source: ByteSource, format: MediaFormat) -> Range<Int>? {
    switch format {
    case .raf:
      guard let start = source.uint32(at: 84), let length = source.uint32(at: 88), start > 0,
        start < source.length
      else { return nil }
      return start..<min(start + length, source.length)
    case .cr3: return nil
    case .crw: return CIFFBlock(raw: source)?.preview
    case .x3f:
      let previews = SigmaRaw(of: source)?.previews ?? []
      return previews.max { $0.count < $1.count }
    default: return block(of: source, format: format).flatMap { RawPreviews($0).largest?.range }
    }
  }

  /// Returns the Exif, XMP and IPTC blocks of a raw file or a TIFF, of a RAF and an X3F those of its preview;
  /// of a CRW its CIFF.
  static func find(
    in source: ByteSource,
    _ format: MediaFormat,
    describing: Bool
  ) -> FoundMetadata {
    switch format {
    case .raf, .x3f:
      guard let preview = preview(of: source, format: format) else { break }
      return JPEGMetadata.find(in: ByteSource(source, preview), describing: describing)
    case .crw:
      var metadata = FoundMetadata(describing: describing)
      if let block = CIFFBlock(raw: source) { metadata.take(block) }
      return metadata
    case .cr3:
      var metadata = FoundMetadata(describing: describing)
      let boxes = CanonBoxes(source)
      if let range = boxes.directories[.image], let block = TIFFBlock(source, range) {
        metadata.take(boxes.exif(of: source), of: block)
      }
      // Canon's cameras write the rating there.
      for box in ISOBoxes(source, in: 0..<source.length)
      where box.type == "uuid" && source.holds(JP2Metadata.xmp, at: box.body.lowerBound) {
        metadata.takeXMP(in: box.body.dropFirst(16), of: source)
      }
      return metadata
    default:
      guard let block = block(of: source, format: format) else { break }
      var metadata = TIFFMetadata.find(in: source, block, describing: describing)
      // Panasonic stores the dates only in the Exif block of the preview.
      if describing, ![.tiff, .dng].contains(format), metadata.merged.creationDate == nil,
        let preview = RawPreviews(block).largest
      {
        metadata.takeDate(of: JPEGMetadata.find(in: ByteSource(source, preview.range), describing: true))
      }
      return metadata
    }
    return FoundMetadata(describing: describing)
  }

  private static func facts(
    _ format: MediaFormat,
    _ size: PixelSize?,
    _ exif: ExifFacts
  ) -> Facts {
    var facts = Facts(format: format, pixelSize: PixelSize(width: 1, height: 1), exif: exif)
    facts.pixelSize = size
    return facts
  }

  /// Returns the TIFF structure; Panasonic and Olympus write their own numbers instead of TIFF's
  /// 42.
  static func block(
    of source: ByteSource,
    format: MediaFormat
  ) -> TIFFBlock? {
    let range = 0..<source.length
    if format == .tiff { return TIFFBlock(file: source) }
    if format == .mrw { return MinoltaRaw(of: source)?.tiff.flatMap { TIFFBlock(source, $0) } }
    guard format == .rw2 || format == .orf else { return TIFFBlock(source, range) }
    if let block = TIFFBlock(source, range) { return block }
    let order: ByteOrder = source.holds("MM", at: 0) ? .big : .little
    guard let first = source.uint32(at: 4, order: order) else { return nil }
    return TIFFBlock(source, range, order: order, firstDirectory: first)
  }

  /// Returns the facts of the embedded JPEG, whose location is at a fixed offset.
  private static func facts(
    ofRAF source: ByteSource,
    exif: ExifFacts?
  ) throws(MetadataError) -> Facts {
    guard let start = source.uint32(at: 84), let length = source.uint32(at: 88), start > 0 else {
      throw MetadataError(.damaged, "no RAF header")
    }
    let preview = ByteSource(source, start..<max(start, min(start + length, source.length)))
    return facts(.raf, RawPreviews.size(of: preview), exif ?? JPEGFacts.exif(of: preview))
  }

  private static func facts(
    ofCR3 source: ByteSource,
    exif: ExifFacts?
  ) throws(MetadataError) -> Facts {
    let boxes = CanonBoxes(source)
    guard boxes.directories[.image] != nil else {
      throw MetadataError(.damaged, "no CMT1 box")
    }
    return facts(.cr3, boxes.previewSize, exif ?? boxes.exif(of: source).facts)
  }
}
