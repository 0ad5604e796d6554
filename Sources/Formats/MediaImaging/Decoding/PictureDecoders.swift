import MediaModel

/// The decoder of each format, created for its first file.
final class PictureDecoders {
  private let profiles: ProfileConverter
  fileprivate lazy var jpeg = JPEGPictureDecoder(profiles: profiles)
  fileprivate lazy var png = PNGDecoder(profiles: profiles)
  fileprivate lazy var gif = GIFDecoder()
  fileprivate lazy var tiff = TIFFDecoder(profiles: profiles, other: magick)
  fileprivate lazy var magick = MagickDecoder(profiles: profiles)
  fileprivate lazy var ico = ICODecoder(png: png, other: magick)
  fileprivate lazy var webp = WebPDecoder()
  fileprivate lazy var heif = HEIFDecoder()
  fileprivate lazy var jxl = JXLDecoder()
  fileprivate lazy var qoi = QOIDecoder()
  fileprivate lazy var raw = RawDecoder(jpeg: jpeg)
  fileprivate lazy var poster = PosterDecoder()
  fileprivate lazy var waveform = WaveformDecoder()

  init(profiles: ProfileConverter) { self.profiles = profiles }

  /// The decoder of a format; ImageMagick's, which refuses it, for one without a row.
  subscript(format: MediaFormat) -> any MediaDecoder { Self.table[format]?.decoder(self) ?? magick }

  /// Returns whether the format's decoder applies the file's orientation itself.
  static func turns(_ format: MediaFormat) -> Bool {
    format == .heic || format == .avif || format.mediaType != .image
  }
}

// MARK: The table

extension PictureDecoders {
  /// What decodes a format.
  struct Row: Sendable {
    fileprivate var decoder: @Sendable (PictureDecoders) -> any MediaDecoder
    /// The library's own name of the format: the coder of ImageMagick, or the demuxer of FFmpeg, which
    /// alone may read it.
    var libraryName: String?

    fileprivate init(
      _ libraryName: String? = nil,
      _ decoder: @escaping @Sendable (PictureDecoders) -> any MediaDecoder
    ) {
      (self.libraryName, self.decoder) = (libraryName, decoder)
    }

    fileprivate static let heif = Row { $0.heif }
    fileprivate static let raw = Row { $0.raw }
    fileprivate static func magick(_ coder: String) -> Row { Row(coder) { $0.magick } }
    fileprivate static func poster(_ demuxer: String) -> Row { Row(demuxer) { $0.poster } }
    fileprivate static func waveform(_ demuxer: String) -> Row { Row(demuxer) { $0.waveform } }
  }

  /// A row for each format.
  static let table: [MediaFormat: Row] = [
    .jpeg: Row { $0.jpeg }, .png: Row { $0.png }, .gif: Row { $0.gif }, .webp: Row { $0.webp },
    .heic: .heif, .avif: .heif, .jxl: Row { $0.jxl }, .qoi: Row { $0.qoi },
    .tiff: Row("TIFF") { $0.tiff },
    .ico: Row("ICO") { $0.ico }, .bmp: .magick("BMP"), .psd: .magick("PSD"), .psb: .magick("PSB"),
    .tga: .magick("TGA"), .jp2: .magick("JP2"), .j2k: .magick("J2K"), .pnm: .magick("PNM"),
    .pcx: .magick("PCX"), .sgi: .magick("SGI"), .dds: .magick("DDS"), .xcf: .magick("XCF"),
    .dng: .raw, .cr2: .raw, .cr3: .raw, .nef: .raw, .arw: .raw, .raf: .raw, .rw2: .raw, .orf: .raw,
    .crw: .raw, .pef: .raw, .srw: .raw, .threeFR: .raw, .iiq: .raw, .dcr: .raw, .kdc: .raw,
    .erf: .raw, .mef: .raw, .mos: .raw, .mrw: .raw, .x3f: .raw, .raw: .raw,
    .mp4: .poster("mov"), .mov: .poster("mov"), .threeGP: .poster("mov"),
    .mkv: .poster("matroska"), .webm: .poster("matroska"), .avi: .poster("avi"),
    .wmv: .poster("asf"), .ts: .poster("mpegts"), .m2ts: .poster("mpegts"), .ogv: .poster("ogg"),
    .mpg: .poster("mpeg"), .m2v: .poster("mpegvideo"), .dv: .poster("dv"), .flv: .poster("flv"),
    .m4a: .waveform("mov"), .threeGA: .waveform("mov"), .mka: .waveform("matroska"),
    .weba: .waveform("matroska"), .mp3: .waveform("mp3"), .aac: .waveform("aac"),
    .wav: .waveform("wav"), .aiff: .waveform("aiff"), .flac: .waveform("flac"),
    .ogg: .waveform("ogg"), .wma: .waveform("asf"),
  ]
}
