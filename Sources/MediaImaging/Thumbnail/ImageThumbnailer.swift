package import MediaModel

/// Makes thumbnails of pictures, one after the other, and keeps what the next one can use again.
///
/// One decode serves all sizes. Not safe to share between threads: each worker has its own.
package final class ImageThumbnailer {
  private let limits: ImagingLimits
  private let decoders: PictureDecoders
  private let renderer: ThumbnailRenderer

  /// Memory that is kept for the next picture, for each buffer.
  private static let keptByteCount = 32 << 20

  /// Takes no time: decoders other than JPEG's start with the first picture that needs them.
  ///
  /// - Parameters:
  ///   - limits: Checked before memory is taken.
  ///   - cleanedProfile: What of a profile's bytes may travel along: its colors, not what it says
  ///     of its maker; nil for one that is converted instead.
  package init(
    limits: ImagingLimits = ImagingLimits(),
    cleanedProfile: @escaping ([UInt8]) -> [UInt8]? = { $0 }
  ) {
    self.limits = limits
    let profiles = ProfileConverter()
    decoders = PictureDecoders(profiles: profiles)
    renderer = ThumbnailRenderer(
      scaler: PlaneScaler(),
      finisher: ThumbnailFinisher(profiles: profiles, cleanedProfile: cleanedProfile)
    )
  }

  /// Has every decoder load its library, and decode a sample where there is one.
  ///
  /// - Returns: Each format that has no working decoder here, with the reason, which begins with the
  ///   Debian package where one is missing; empty when all is well.
  package func missingDecoders() -> [MediaFormat: String] {
    let specification = ThumbnailSpec(
      name: "sample",
      size: PixelSize(width: 2, height: 2),
      contentMode: .aspectFit
    )
    var missing: [MediaFormat: String] = [:]
    for format in MediaFormat.allCases {
      let sample = DecoderSamples.all.first { $0.format == format }?.bytes
      let made = (sample ?? [UInt8](repeating: 0, count: 64)).withUnsafeBytes { bytes in
        Result { () throws(ImagingError) in
          try thumbnails(
            of: bytes,
            format: format,
            orientation: 1,
            specifications: [specification]
          )
        }
      }
      guard case .failure(let error) = made, sample != nil || error.code == .decoderMissing else {
        continue
      }
      missing[format] = error.detail
    }
    return missing
  }

  /// Decodes a picture once and makes each thumbnail that is asked for.
  ///
  /// Thumbnails are upright and never larger than the picture; in JPEG, what is transparent shows
  /// the specification's background. They carry an ICC profile or are sRGB; no other metadata. Of an
  /// animation, or of many pages, the first.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; read during the call only.
  ///   - format: What its content says; no other decoder is tried.
  ///   - orientation: EXIF's value, 1 to 8; not used for formats whose decoder turns them.
  ///   - specifications: When empty, the picture is decoded only to know that it can be.
  ///   - acceptDamaged: Whether a thumbnail may show what could be decoded of a damaged file.
  ///   - allowsAudio: Whether a video without pictures may be shown by its sound.
  ///   - isStripped: Whether the file's metadata is stripped, and with it the thumbnail within.
  /// - Returns: One thumbnail for each specification, in their order.
  /// - Throws: ``ImagingError`` `damaged` for a file that ends early or contradicts itself, though a
  ///   decoder might show some of it; `overLimit`; `decoderMissing`; `unsupported` for formats
  ///   without a decoder. A picture smaller than the thumbnail is not an error.
  ///
  /// Source: design section 9; EXIF 2.32 tag 274; PHImageContentMode.
  package func thumbnails(
    of bytes: UnsafeRawBufferPointer,
    format: MediaFormat,
    orientation: Int,
    specifications: [ThumbnailSpec],
    acceptDamaged: Bool = false,
    allowsAudio: Bool = true,
    isStripped: Bool = false
  ) throws(ImagingError) -> [Thumbnail] {
    guard bytes.count > 0 else { throw ImagingError(.damaged, "an empty file") }
    try limits.check(byteCount: bytes.count)
    let decoder = decoders[format]
    defer {
      decoder.trim(above: Self.keptByteCount)
      renderer.finisher.trim(above: Self.keptByteCount)
    }
    var demand = ThumbnailDemand(
      specifications: specifications,
      orientation: Orientation(PictureDecoders.turns(format) ? 1 : orientation)
    )
    demand.allowsAudio = allowsAudio
    demand.allowsEmbedded = !isStripped
    var thumbnails: [Thumbnail] = []
    let request = DecodeRequest(
      bytes: bytes,
      format: format,
      demand: demand,
      limits: limits,
      acceptDamaged: acceptDamaged
    )
    try decoder.decode(request) { (picture, demand) throws(ImagingError) in
      thumbnails += try renderer.thumbnails(of: picture, demand: demand)
    }
    return thumbnails
  }
}
