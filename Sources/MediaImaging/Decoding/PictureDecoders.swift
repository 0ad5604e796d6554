import MediaModel

/// The decoder of each format, created for its first file.
final class PictureDecoders {
  private let profiles: ProfileConverter
  private lazy var jpeg = JPEGPictureDecoder(profiles: profiles)
  private lazy var png = PNGDecoder(profiles: profiles)
  private lazy var gif = GIFDecoder()
  private lazy var tiff = TIFFDecoder(profiles: profiles, other: magick)
  private lazy var magick = MagickDecoder(profiles: profiles)
  private lazy var ico = ICODecoder(png: png, other: magick)
  private lazy var webp = WebPDecoder()
  private lazy var heif = HEIFDecoder()
  private lazy var jxl = JXLDecoder()
  private lazy var raw = RawDecoder(jpeg: jpeg)
  private lazy var poster = PosterDecoder()
  private lazy var waveform = WaveformDecoder()

  init(profiles: ProfileConverter) { self.profiles = profiles }

  subscript(format: MediaFormat) -> any MediaDecoder {
    switch format {
    case .jpeg: jpeg
    case .png: png
    case .gif: gif
    case .tiff: tiff
    case .webp: webp
    case .heic, .avif: heif
    case .bmp, .psd, .psb, .tga, .jp2, .j2k, .pnm, .pcx, .sgi, .dds, .xcf: magick
    case .ico: ico
    case .jxl: jxl
    case .dng, .cr2, .cr3, .nef, .arw, .raf, .rw2, .orf: raw
    case .mp4, .mov, .threeGP, .mkv, .webm, .avi, .wmv, .ts, .m2ts, .ogv: poster
    case .m4a, .mp3, .aac, .wav, .aiff, .flac, .ogg, .wma, .threeGA, .mka, .weba: waveform
    }
  }

  /// Returns whether the format's decoder applies the file's orientation itself.
  static func turns(_ format: MediaFormat) -> Bool {
    format == .heic || format == .avif || format.mediaType != .image
  }
}
