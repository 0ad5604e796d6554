package import MediaContainers
package import MediaModel

extension MetadataReader {
  /// Returns what a file says about itself besides what showing it needs: dates, place, subtypes,
  /// rating, caption, keywords and burst.
  ///
  /// A block that is malformed or missing is not an error: what it would say is absent.
  package static func description(of source: ByteSource, format: MediaFormat) -> MediaDescription {
    switch format {
    case .mp4, .mov, .threeGP, .m4a, .threeGA:
      let movie = MovieValues.described(in: source)
      return completed(movie.description, movie.values)
    case .mkv, .webm, .mka, .weba, .wmv, .wma, .ts, .m2ts, .ogv, .aac, .bmp:
      return MediaDescription()
    case .tga, .j2k, .pnm, .ico, .pcx, .sgi, .dds, .xcf: return MediaDescription()
    case .avi: return completed(MediaDescription(), AVIMetadata.values(of: source))
    case .mp3: return completed(MediaDescription(), MP3Metadata.values(of: source))
    case .aiff: return completed(MediaDescription(), AIFFMetadata.values(of: source))
    case .wav: return completed(MediaDescription(), WAVMetadata.values(of: source))
    case .ogg: return completed(MediaDescription(), OggMetadata.values(of: source))
    case .flac: return completed(MediaDescription(), FLACMetadata.find(in: source).merged)
    case .jpeg, .png, .gif, .webp, .tiff, .heic, .avif, .dng, .cr2, .cr3, .nef, .arw, .raf, .rw2,
      .orf, .psd, .psb, .jp2, .jxl:
      let found = found(in: source, format: format)
      return completed(found.description ?? MediaDescription(), found.merged)
    }
  }

  /// Returns the facts of a file with its description; of a JPEG, the most common file, its Exif block is
  /// read once for both.
  ///
  /// - Throws: As ``facts(of:format:)``.
  package static func describedFacts(
    of source: ByteSource,
    format: MediaFormat
  ) throws(MetadataError) -> Facts {
    guard format == .jpeg else {
      var facts = try facts(of: source, format: format)
      facts.description = description(of: source, format: format)
      return facts
    }
    let found = JPEGMetadata.find(in: source, describing: true)
    var facts = try JPEGFacts.facts(of: source, exif: found.exifFacts ?? ExifFacts())
    facts.description = completed(found.description ?? MediaDescription(), found.merged)
    return facts
  }

  private static func found(in source: ByteSource, format: MediaFormat) -> FoundMetadata {
    switch format {
    case .jpeg: return JPEGMetadata.find(in: source, describing: true)
    case .png: return PNGMetadata.find(in: source, describing: true)
    case .gif: return GIFMetadata.find(in: source, describing: true)
    case .webp: return WebPMetadata.find(in: source, describing: true)
    case .heic, .avif: return HEIFMetadata.find(in: source, describing: true)
    case .psd, .psb: return PSDMetadata.find(in: source, describing: true)
    case .jxl: return JXLMetadata.find(in: source, describing: true)
    case .jp2: return JP2Metadata.find(in: source, describing: true)
    case .raf:
      guard let preview = RawFacts.preview(of: source, format: format) else { break }
      return JPEGMetadata.find(in: ByteSource(source, preview), describing: true)
    case .cr3:
      var found = FoundMetadata(describing: true)
      let boxes = CanonBoxes(source)
      if let range = boxes.directories[.image], let block = TIFFBlock(source, range) {
        found.take(boxes.exif(of: source), of: block)
      }
      return found
    default:
      guard let block = RawFacts.block(of: source, format: format) else { break }
      return TIFFMetadata.find(in: source, block, describing: true)
    }
    return FoundMetadata(describing: true)
  }

  static func completed(
    _ description: MediaDescription,
    _ values: KeptMetadata
  ) -> MediaDescription {
    var description = description
    description.rating = values.rating ?? description.rating
    description.caption = values.caption
    description.place = values.location.flatMap {
      MediaDescription.Place(latitude: $0.latitude, longitude: $0.longitude)
    }
    return description
  }
}
