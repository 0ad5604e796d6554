import MediaCodecs
import MediaContainers
import MediaModel

/// How files of one format are read: a row of ``table``.
struct FormatReader: Sendable {
  /// Reads the facts; throws `damaged` as ``MetadataReader/facts(of:format:)`` does.
  var facts: @Sendable (ByteSource) throws(MetadataError) -> Facts
  /// Returns the name of a part that the container promises and the file lacks.
  var missingPart: @Sendable (ByteSource) -> String?
  /// Where the format keeps what a file says about itself.
  var metadata: Metadata

  /// What a file says about itself, by how it is stored.
  enum Metadata: Sendable {
    /// Nothing that is read.
    case none
    /// Exif, XMP and IPTC blocks. The flag asks for the description too.
    case blocks(@Sendable (ByteSource, Bool) -> FoundMetadata)
    /// Values in fields of the container's own.
    case values(@Sendable (ByteSource) -> KeptMetadata)
    /// The boxes of a movie.
    case movie
  }

  /// Makes a row; without `missingPart` the format states nothing about its end.
  init(
    _ facts: @escaping @Sendable (ByteSource) throws(MetadataError) -> Facts,
    _ metadata: Metadata = .none,
    missingPart: @escaping @Sendable (ByteSource) -> String? = { _ in nil }
  ) {
    self.facts = facts
    self.metadata = metadata
    self.missingPart = missingPart
  }

  /// Makes the row of a format whose facts are read as those of others.
  init(
    _ facts: @escaping @Sendable (ByteSource, MediaFormat) throws(MetadataError) -> Facts,
    of format: MediaFormat,
    _ metadata: Metadata = .none,
    missingPart: @escaping @Sendable (ByteSource) -> String? = { _ in nil }
  ) {
    self.init(
      { (source) throws(MetadataError) in try facts(source, format) },
      metadata,
      missingPart: missingPart
    )
  }

  /// Returns the description, without what is malformed or missing.
  func description(of source: ByteSource) -> MediaDescription {
    switch metadata {
    case .none: return MediaDescription()
    case .blocks(let find):
      let found = find(source, true)
      return (found.description ?? MediaDescription()).completed(found.merged)
    case .values(let values): return MediaDescription().completed(values(source))
    case .movie:
      let movie = MovieValues.described(in: source)
      return movie.description.completed(movie.values)
    }
  }
}

// MARK: The table

extension FormatReader {
  /// The reader of a format.
  ///
  /// A format without a row is a picture whose header is all that is read of it.
  static func of(_ format: MediaFormat) -> FormatReader { readers[format] ?? header(format) }

  private static let readers = Dictionary(table, uniquingKeysWith: { first, _ in first })

  /// A row for each format that has more than a ``MediaCodecs/PictureHeader``.
  static let table: [(MediaFormat, FormatReader)] =
    pictures + streams
    + [.psd, .psb].map { ($0, header($0, .blocks(PSDMetadata.find))) }
    + [(.jp2, header(.jp2, .blocks(JP2Metadata.find)))]
    + [(.jxl, header(.jxl, .blocks(JXLMetadata.find)))]
    + [.heic, .avif].map { ($0, still($0)) }
    + [.dng, .cr2, .cr3, .nef, .arw, .raf, .rw2, .orf].map { ($0, raw($0)) }
    + [.mp4, .mov, .threeGP, .m4a, .threeGA].map { ($0, movie($0)) }
    + [.mkv, .webm, .mka, .weba].map { ($0, matroska($0)) }
    + [.wmv, .wma].map { ($0, windowsMedia($0)) }
    + [.ts, .m2ts].map { ($0, transportStream($0)) }
    + [(.ogg, ogg(.ogg, .values(OggMetadata.values))), (.ogv, ogg(.ogv, .none))]

  private static let pictures: [(MediaFormat, FormatReader)] = [
    (
      .jpeg,
      FormatReader(
        { (source) throws(MetadataError) in try JPEGFacts.facts(of: source) },
        .blocks(JPEGMetadata.find),
        missingPart: JPEGCompleteness.missingPart
      )
    ),
    (
      .png,
      FormatReader(
        PNGFacts.facts,
        .blocks(PNGMetadata.find),
        missingPart: PictureCompleteness.missingPart(ofPNG:)
      )
    ),
    (
      .gif,
      FormatReader(
        GIFFacts.facts,
        .blocks(GIFMetadata.find),
        missingPart: PictureCompleteness.missingPart(ofGIF:)
      )
    ),
    (
      .webp,
      FormatReader(
        WebPFacts.facts,
        .blocks(WebPMetadata.find),
        missingPart: PictureCompleteness.missingPart(ofWebP:)
      )
    ),
    (
      .tiff,
      FormatReader(TIFFFacts.facts, .blocks({ RawFacts.found(in: $0, .tiff, describing: $1) })) {
        TIFFCompleteness.missingPart(of: $0, format: .tiff)
      }
    ),
    (.bmp, FormatReader(BMPFacts.facts, missingPart: PictureCompleteness.missingPart(ofBMP:))),
  ]

  private static let streams: [(MediaFormat, FormatReader)] = [
    (
      .avi,
      FormatReader(
        AVIFacts.facts,
        .values(AVIMetadata.values),
        missingPart: ChunkCompleteness.missingPart(ofAVI:)
      )
    ),
    (
      .mp3,
      FormatReader(
        MP3Facts.facts,
        .values(MP3Metadata.values),
        missingPart: SoundCompleteness.missingPart(ofMP3:)
      )
    ),
    // Frames state nothing about their end.
    (.aac, FormatReader(ADTSFacts.facts)),
    (
      .wav,
      FormatReader(
        WAVFacts.facts,
        .values(WAVMetadata.values),
        missingPart: ChunkCompleteness.missingPart(ofWAV:)
      )
    ),
    (
      .aiff,
      FormatReader(
        AIFFFacts.facts,
        .values(AIFFMetadata.values),
        missingPart: ChunkCompleteness.missingPart(ofAIFF:)
      )
    ),
    (
      .flac,
      FormatReader(
        FLACFacts.facts,
        .values({ FLACMetadata.find(in: $0).merged }),
        missingPart: SoundCompleteness.missingPart(ofFLAC:)
      )
    ),
  ]

  private static func header(_ format: MediaFormat, _ metadata: Metadata = .none) -> FormatReader {
    FormatReader(
      { (source) throws(MetadataError) in
        try HeaderFacts.facts(of: source, format: format, metadata)
      },
      metadata
    ) { format.pictureHeader?.init(of: $0)?.missingPart(of: $0) }
  }

  private static func still(_ format: MediaFormat) -> FormatReader {
    FormatReader(
      HEIFFacts.facts,
      of: format,
      .blocks(HEIFMetadata.find),
      missingPart: PictureCompleteness.missingPart(ofHEIF:)
    )
  }

  private static func raw(_ format: MediaFormat) -> FormatReader {
    FormatReader(
      RawFacts.facts,
      of: format,
      .blocks { RawFacts.found(in: $0, format, describing: $1) }
    ) { source in
      switch format {
      case .raf: TIFFCompleteness.missingPart(ofRAF: source)
      case .cr3: MovieCompleteness.missingPart(of: source)
      default: TIFFCompleteness.missingPart(of: source, format: format)
      }
    }
  }

  private static func movie(_ format: MediaFormat) -> FormatReader {
    FormatReader(
      MovieFacts.facts,
      of: format,
      .movie,
      missingPart: MovieCompleteness.missingPart
    )
  }

  private static func matroska(_ format: MediaFormat) -> FormatReader {
    FormatReader(
      MatroskaFacts.facts,
      of: format,
      missingPart: MatroskaCompleteness.missingPart(of:)
    )
  }

  private static func windowsMedia(_ format: MediaFormat) -> FormatReader {
    FormatReader(
      ASFFacts.facts,
      of: format,
      missingPart: ASFCompleteness.missingPart
    )
  }

  private static func transportStream(_ format: MediaFormat) -> FormatReader {
    FormatReader(TransportStreamFacts.facts, of: format)
  }

  private static func ogg(_ format: MediaFormat, _ metadata: Metadata) -> FormatReader {
    FormatReader(
      OggFacts.facts,
      of: format,
      metadata,
      missingPart: SoundCompleteness.missingPart(ofOgg:)
    )
  }
}
