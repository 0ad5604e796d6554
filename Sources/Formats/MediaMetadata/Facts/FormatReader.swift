import MediaCodecs
import MediaContainers
import MediaModel

/// How files of one format are read: a row of ``table``.
struct FormatReader: Sendable {
  /// Reads the facts; throws `damaged` as ``MetadataReader/facts(of:format:)`` does.
  var facts: Reading
  /// Returns the name of a part that the container promises and the file lacks.
  var missingPart: @Sendable (ByteSource) -> String?
  /// Where the format keeps what a file says about itself.
  var metadata: Metadata

  /// Reads facts, for which the Exif block is read unless its facts are given.
  typealias Reading = @Sendable (ByteSource, ExifFacts?) throws(MetadataError) -> Facts

  /// What a file says about itself, by how it is stored.
  enum Metadata: Sendable {
    /// Nothing that is read.
    case none
    /// Exif, XMP and IPTC blocks. The flag asks for the description too.
    case blocks(@Sendable (ByteSource, Bool) -> FoundMetadata)
    /// Values in fields of the container's own.
    case values(@Sendable (ByteSource) -> KeptMetadata)
    /// Values in fields of a film's own, which states several dates.
    case film(@Sendable (ByteSource) -> (values: KeptMetadata, description: MediaDescription))
  }

  /// Makes a row; without `missingPart` the format states nothing about its end.
  init(
    _ facts: @escaping Reading,
    _ metadata: Metadata,
    missingPart: (@Sendable (ByteSource) -> String?)?
  ) {
    self.facts = facts
    self.metadata = metadata
    self.missingPart = missingPart ?? { _ in nil }
  }

  /// What a file says about itself.
  struct Statements {
    var values = KeptMetadata()
    /// What it says beside the values.
    var description = MediaDescription()
    /// The facts in the Exif block; nil for a format that has no blocks.
    var exif: ExifFacts?
    /// What an XMP packet states of a movie in the file.
    var motionPhoto: MotionPhotoStatement?
  }

  /// Returns what a file says, without what is malformed or missing.
  func statements(in source: ByteSource) -> Statements {
    switch metadata {
    case .none: return Statements()
    case .blocks(let find):
      let metadata = find(source, true)
      return Statements(
        values: metadata.merged,
        description: metadata.description ?? MediaDescription(),
        exif: metadata.exifFacts ?? ExifFacts(),
        motionPhoto: metadata.motionPhoto
      )
    case .values(let values): return Statements(values: values(source))
    case .film(let described):
      let (values, description) = described(source)
      return Statements(values: values, description: description)
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
      row(.jpeg, JPEGFacts.facts, .blocks(JPEGMetadata.find), missingPart: JPEGCompleteness.missingPart),
      row(
        .png,
        PNGFacts.facts,
        .blocks(PNGMetadata.find),
        missingPart: PictureCompleteness.missingPart(ofPNG:)
      ),
      row(
        .gif,
        plain(GIFFacts.facts),
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
      row(.bmp, plain(BMPFacts.facts), missingPart: PictureCompleteness.missingPart(ofBMP:)),
      (.psd, header(.psd, .blocks(PSDMetadata.find))),
      (.psb, header(.psb, .blocks(PSDMetadata.find))),
      (.jp2, header(.jp2, .blocks(JP2Metadata.find))),
      (.jxl, header(.jxl, .blocks(JXLMetadata.find))),
    ]
    + [MediaFormat.heic, .avif].map { format in
      row(
        format,
        { (source, exif) throws(MetadataError) in
          try HEIFFacts.facts(of: source, format: format, exif: exif)
        },
        .blocks(HEIFMetadata.find),
        missingPart: PictureCompleteness.missingPart(ofHEIF:)
      )
    }

  private static let rawPictures: [(MediaFormat, FormatReader)] =
    MediaFormat.allCases.filter(\.isRaw).map { format in
      row(
        format,
        { (source, exif) throws(MetadataError) in
          try RawFacts.facts(of: source, format: format, exif: exif)
        },
        .blocks { RawFacts.find(in: $0, format, describing: $1) },
        missingPart: { RawCompleteness.missingPart(of: $0, format: format) }
      )
    }

  /// The containers of films, of which some have sound alone.
  private static let films: [(MediaFormat, FormatReader)] =
    rows(
      [.mp4, .mov, .threeGP, .m4a, .threeGA],
      MovieFacts.facts,
      .film(MovieValues.described),
      missingPart: MovieCompleteness.missingPart
    )
    + rows(
      [.mkv, .webm, .mka, .weba],
      MatroskaFacts.facts,
      .film(MatroskaValues.described),
      missingPart: MatroskaCompleteness.missingPart
    )
    + rows([.wmv, .wma], ASFFacts.facts, missingPart: ASFCompleteness.missingPart)
    + rows([.ts, .m2ts], TransportStreamFacts.facts)
    + rows([.mpg, .m2v], ProgramStreamFacts.facts)
    + [
      row(.dv, plain(DVFacts.facts), missingPart: DVFacts.missingPart),
      row(.flv, plain(FLVFacts.facts), missingPart: FLVFacts.missingPart),
      row(
        .avi,
        plain(AVIFacts.facts),
        .film(AVIMetadata.described),
        missingPart: ChunkCompleteness.missingPart(ofAVI:)
      ),
    ]

  private static let sounds: [(MediaFormat, FormatReader)] =
    rows(
      [.ogg, .ogv],
      OggFacts.facts,
      .values(OggMetadata.values),
      missingPart: SoundCompleteness.missingPart(ofOgg:)
    )
    + [
      row(
        .mp3,
        plain(MP3Facts.facts),
        .values(MP3Metadata.values),
        missingPart: SoundCompleteness.missingPart(ofMP3:)
      ),
      row(
        .aac,
        plain(ADTSFacts.facts),
        .values(MP3Metadata.values),
        missingPart: SoundCompleteness.missingPart(ofADTS:)
      ),
      row(
        .wav,
        plain(WAVFacts.facts),
        .values(WAVMetadata.values),
        missingPart: ChunkCompleteness.missingPart(ofWAV:)
      ),
      row(
        .aiff,
        plain(AIFFFacts.facts),
        .values(AIFFMetadata.values),
        missingPart: ChunkCompleteness.missingPart(ofAIFF:)
      ),
      row(
        .flac,
        plain(FLACFacts.facts),
        .values(FLACMetadata.values),
        missingPart: SoundCompleteness.missingPart(ofFLAC:)
      ),
    ]

  private static func row(
    _ format: MediaFormat,
    _ facts: @escaping Reading,
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
        { (source, _) throws(MetadataError) in try facts(source, format) },
        metadata,
        missingPart: missingPart
      )
    }
  }

  /// Returns the reading of a format that has no Exif block which is read.
  private static func plain(
    _ facts: @escaping @Sendable (ByteSource) throws(MetadataError) -> Facts
  ) -> Reading {
    { (source, _) throws(MetadataError) in try facts(source) }
  }

  private static func header(_ format: MediaFormat, _ metadata: Metadata = .none) -> FormatReader {
    FormatReader(
      { (source, exif) throws(MetadataError) in
        try HeaderFacts.facts(of: source, format: format, metadata, exif: exif)
      },
      metadata,
      missingPart: { format.pictureHeader?.init(of: $0)?.missingPart(of: $0) }
    )
  }
}
