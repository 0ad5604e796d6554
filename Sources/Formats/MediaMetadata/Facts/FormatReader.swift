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
    _ metadata: Metadata,
    missingPart: (@Sendable (ByteSource) -> String?)?
  ) {
    self.facts = facts
    self.metadata = metadata
    self.missingPart = missingPart ?? { _ in nil }
  }

  /// Returns the values, and what a file says besides, without what is malformed or missing.
  func described(of source: ByteSource) -> (values: KeptMetadata, description: MediaDescription) {
    switch metadata {
    case .none: return (KeptMetadata(), MediaDescription())
    case .blocks(let find):
      let metadata = find(source, true)
      return (metadata.merged, metadata.description ?? MediaDescription())
    case .values(let values): return (values(source), MediaDescription())
    case .movie: return MovieValues.described(in: source)
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
  static let table: [(MediaFormat, FormatReader)] = pictures + rawPictures + films + sounds

  private static let pictures: [(MediaFormat, FormatReader)] =
    [
      row(
        .jpeg,
        { (source) throws(MetadataError) in try JPEGFacts.facts(of: source) },
        .blocks(JPEGMetadata.find),
        missingPart: JPEGCompleteness.missingPart
      ),
      row(
        .png,
        PNGFacts.facts,
        .blocks(PNGMetadata.find),
        missingPart: PictureCompleteness.missingPart(ofPNG:)
      ),
      row(
        .gif,
        GIFFacts.facts,
        .blocks(GIFMetadata.find),
        missingPart: PictureCompleteness.missingPart(ofGIF:)
      ),
      row(
        .webp,
        WebPFacts.facts,
        .blocks(WebPMetadata.find),
        missingPart: PictureCompleteness.missingPart(ofWebP:)
      ),
      row(.tiff, TIFFFacts.facts, .blocks { RawFacts.find(in: $0, .tiff, describing: $1) }) {
        TIFFCompleteness.missingPart(of: $0, format: .tiff)
      },
      row(.bmp, BMPFacts.facts, missingPart: PictureCompleteness.missingPart(ofBMP:)),
      (.psd, header(.psd, .blocks(PSDMetadata.find))),
      (.psb, header(.psb, .blocks(PSDMetadata.find))),
      (.jp2, header(.jp2, .blocks(JP2Metadata.find))),
      (.jxl, header(.jxl, .blocks(JXLMetadata.find))),
    ]
    + rows(
      [.heic, .avif],
      HEIFFacts.facts,
      .blocks(HEIFMetadata.find),
      missingPart: PictureCompleteness.missingPart(ofHEIF:)
    )

  private static let rawPictures: [(MediaFormat, FormatReader)] =
    MediaFormat.allCases.filter(\.isRaw).map { format in
      row(
        format,
        { (source) throws(MetadataError) in try RawFacts.facts(of: source, format: format) },
        .blocks { RawFacts.find(in: $0, format, describing: $1) },
        missingPart: { RawCompleteness.missingPart(of: $0, format: format) }
      )
    }

  /// The containers of films, of which some have sound alone.
  private static let films: [(MediaFormat, FormatReader)] =
    rows(
      [.mp4, .mov, .threeGP, .m4a, .threeGA],
      MovieFacts.facts,
      .movie,
      missingPart: MovieCompleteness.missingPart
    )
    + rows(
      [.mkv, .webm, .mka, .weba],
      MatroskaFacts.facts,
      .values(MatroskaValues.values),
      missingPart: MatroskaCompleteness.missingPart
    )
    + rows([.wmv, .wma], ASFFacts.facts, missingPart: ASFCompleteness.missingPart)
    + rows([.ts, .m2ts], TransportStreamFacts.facts)
    + rows([.ogv], OggFacts.facts, missingPart: SoundCompleteness.missingPart(ofOgg:))
    + [
      row(
        .avi,
        AVIFacts.facts,
        .values(AVIMetadata.values),
        missingPart: ChunkCompleteness.missingPart(ofAVI:)
      )
    ]

  private static let sounds: [(MediaFormat, FormatReader)] =
    rows(
      [.ogg],
      OggFacts.facts,
      .values(OggMetadata.values),
      missingPart: SoundCompleteness.missingPart(ofOgg:)
    )
    + [
      row(
        .mp3,
        MP3Facts.facts,
        .values(MP3Metadata.values),
        missingPart: SoundCompleteness.missingPart(ofMP3:)
      ),
      row(.aac, ADTSFacts.facts, missingPart: SoundCompleteness.missingPart(ofADTS:)),
      row(
        .wav,
        WAVFacts.facts,
        .values(WAVMetadata.values),
        missingPart: ChunkCompleteness.missingPart(ofWAV:)
      ),
      row(
        .aiff,
        AIFFFacts.facts,
        .values(AIFFMetadata.values),
        missingPart: ChunkCompleteness.missingPart(ofAIFF:)
      ),
      row(
        .flac,
        FLACFacts.facts,
        .values { FLACMetadata.find(in: $0).merged },
        missingPart: SoundCompleteness.missingPart(ofFLAC:)
      ),
    ]

  private static func row(
    _ format: MediaFormat,
    _ facts: @escaping @Sendable (ByteSource) throws(MetadataError) -> Facts,
    _ metadata: Metadata = .none,
    missingPart: (@Sendable (ByteSource) -> String?)? = nil
  ) -> (MediaFormat, FormatReader) {
    (format, FormatReader(facts, metadata, missingPart: missingPart))
  }

  /// Returns the rows of formats whose facts are read in one way.
  private static func rows(
    _ formats: [MediaFormat],
    _ facts: @escaping @Sendable (ByteSource, MediaFormat) throws(MetadataError) -> Facts,
    _ metadata: Metadata = .none,
    missingPart: (@Sendable (ByteSource) -> String?)? = nil
  ) -> [(MediaFormat, FormatReader)] {
    formats.map { format in
      row(
        format,
        { (source) throws(MetadataError) in try facts(source, format) },
        metadata,
        missingPart: missingPart
      )
    }
  }

  private static func header(_ format: MediaFormat, _ metadata: Metadata = .none) -> FormatReader {
    FormatReader(
      { (source) throws(MetadataError) in
        try HeaderFacts.facts(of: source, format: format, metadata)
      },
      metadata,
      missingPart: { format.pictureHeader?.init(of: $0)?.missingPart(of: $0) }
    )
  }
}
