package import MediaCodecs
package import MediaModel

/// Makes thumbnails of pictures, one after the other, and reuses memory and tables.
///
/// One decode serves all sizes. An instance is not safe to share between threads: each worker has
/// its own.
package final class ImageThumbnailer {
  private let limits: ImagingLimits
  private let decoders: PictureDecoders
  private let profiles: ProfileConverter
  private let renderer: ThumbnailRenderer

  /// The number of bytes that each buffer keeps for the next picture.
  private static let keptByteCount = 32 << 20

  /// Creates a thumbnailer, which takes no time: decoders other than JPEG's are created for the
  /// first picture that needs them.
  ///
  /// - Parameters:
  ///   - limits: The limits, which are checked before memory is allocated.
  ///   - cleanedProfile: Returns the part of a profile that may be embedded: its colors, without
  ///     the metadata of its maker; nil for a profile that is converted instead.
  package init(
    limits: ImagingLimits = ImagingLimits(),
    cleanedProfile: @escaping ([UInt8]) -> [UInt8]? = { $0 }
  ) {
    self.limits = limits
    profiles = ProfileConverter()
    decoders = PictureDecoders(profiles: profiles)
    renderer = ThumbnailRenderer(profiles: profiles, cleanedProfile: cleanedProfile)
  }

  /// Makes every decoder load its library, and decode a sample where there is one.
  ///
  /// - Returns: Each format that has no working decoder here, with the reason, which begins with
  ///   the Debian package where one is missing; empty if all decoders work.
  package func missingDecoders() -> [MediaFormat: String] {
    let specification = ThumbnailSpec(
      name: "sample",
      size: PixelSize(width: 2, height: 2),
      contentMode: .aspectFit
    )
    var missing: [MediaFormat: String] = [:]
    for format in MediaFormat.allCases {
      let sample = DecoderSamples.all.first { $0.format == format }?.bytes
      let result = (sample ?? [UInt8](repeating: 0, count: 64)).withUnsafeBytes { bytes in
        Result { () throws(ImagingError) in
          try thumbnails(of: bytes, format: format, orientation: 1, specifications: [specification])
        }
      }
      guard case .failure(let error) = result, sample != nil || error.code == .decoderMissing else {
        continue
      }
      missing[format] = error.detail
    }
    return missing
  }

  /// Decodes a picture once and makes each requested thumbnail.
  ///
  /// Thumbnails are upright and never larger than the picture; in JPEG, transparent areas show the
  /// specification's background. They carry an ICC profile or are sRGB; no other metadata. For an
  /// animation or a file of several pages, the first picture is used.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; read during the call only.
  ///   - format: The format found by content; no other decoder is tried.
  ///   - orientation: The Exif orientation, 1 to 8; not used for formats whose decoder applies it.
  ///   - rotation: The degrees by which the upright picture is turned, clockwise: 0, 90, 180 or 270.
  ///   - specifications: The requested thumbnails; if empty, the picture is decoded only to check
  ///     it.
  ///   - acceptDamaged: Whether a thumbnail may show the decodable part of a damaged file.
  ///   - allowsAudio: Whether a video without pictures may be shown by its audio's waveform.
  ///   - isStripped: Whether the file's metadata is stripped, including its embedded thumbnail.
  ///   - cache: What stripping has read of the file's coded pictures.
  /// - Returns: One thumbnail for each specification, in their order.
  /// - Throws: ``ImagingError`` `damaged` for a file that ends early or contradicts itself, even if
  ///   a decoder could show some of it; `overLimit`; `decoderMissing`; `unsupported` for formats
  ///   without a decoder. A picture smaller than the thumbnail is not an error.
  ///
  /// Source: design section 9; EXIF 2.32 tag 274; PHImageContentMode.
  package func thumbnails(
    of bytes: UnsafeRawBufferPointer,
    format: MediaFormat,
    orientation: Int,
    rotation: Int = 0,
    specifications: [ThumbnailSpec],
    acceptDamaged: Bool = false,
    allowsAudio: Bool = true,
    isStripped: Bool = false,
    cache: PictureDataCache = PictureDataCache()
  ) throws(ImagingError) -> [Thumbnail] {
    var demand = ThumbnailDemand(
      specifications: specifications,
      orientation: Orientation(PictureDecoders.turns(format) ? 1 : orientation)
    )
    demand.rotation = rotation
    demand.allowsAudio = allowsAudio
    demand.allowsEmbedded = !isStripped
    var thumbnails: [Thumbnail] = []
    let request = DecodeRequest(
      bytes: bytes,
      format: format,
      libraryName: PictureDecoders.table[format]?.libraryName,
      demand: demand,
      limits: limits,
      acceptDamaged: acceptDamaged,
      cache: cache
    )
    try decode(request, keeping: Self.keptByteCount) { (picture, demand) throws(ImagingError) in
      thumbnails += try renderer.thumbnails(of: picture, demand: demand)
    }
    return thumbnails
  }

  /// Decodes a picture to upright, opaque sRGB pixels.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; read during the call only.
  ///   - format: The format found by content.
  ///   - orientation: The Exif orientation, 1 to 8; not used for formats whose decoder applies it.
  ///   - rotation: The degrees by which the upright picture is turned, clockwise: 0, 90, 180 or 270.
  ///   - box: The box in pixels into which a larger picture is reduced, as a whole.
  ///   - background: The color behind transparent areas.
  /// - Returns: Gray or RGB pixels without a profile.
  /// - Throws: As ``thumbnails(of:format:orientation:rotation:specifications:acceptDamaged:allowsAudio:isStripped:cache:)``.
  func opaquePicture(
    of bytes: UnsafeRawBufferPointer,
    format: MediaFormat,
    orientation: Int,
    rotation: Int = 0,
    box: PixelSize,
    background: RGBColor
  ) throws(ImagingError) -> PixelPicture {
    let whole = ThumbnailSpec(name: "pixels", size: box, contentMode: .aspectFit, background: background)
    var demand = ThumbnailDemand(
      specifications: [whole],
      orientation: Orientation(PictureDecoders.turns(format) ? 1 : orientation)
    )
    demand.rotation = rotation
    demand.keepsChroma = true
    var pictures: [PixelPicture] = []
    let request = DecodeRequest(
      bytes: bytes,
      format: format,
      libraryName: PictureDecoders.table[format]?.libraryName,
      demand: demand,
      limits: limits,
      acceptDamaged: false
    )
    // The pixels of a whole picture need the memory of its decoder's buffers.
    try decode(request, keeping: 0) { (picture, demand) throws(ImagingError) in
      pictures += try renderer.opaquePictures(of: picture, demand: demand)
    }
    guard let picture = pictures.first else { throw ImagingError(.damaged, "no picture") }
    return picture
  }

  /// Decodes a picture, and then gives back the buffers that are larger than `keptByteCount`.
  private func decode(
    _ request: DecodeRequest,
    keeping keptByteCount: Int,
    _ render: (DecodedPicture, ThumbnailDemand) throws(ImagingError) -> Void
  ) throws(ImagingError) {
    guard request.bytes.count > 0 else { throw ImagingError(.damaged, "an empty file") }
    try limits.check(byteCount: request.bytes.count)
    // Of an accepted damaged picture a part may never be written: it must not show what a decoder has in
    // its buffers of the picture before.
    let decoders = request.acceptDamaged ? PictureDecoders(profiles: profiles) : decoders
    let decoder = decoders[request.format]
    defer {
      decoder.trim(above: keptByteCount)
      renderer.finisher.trim(above: keptByteCount)
    }
    try decoder.decode(request, render)
  }
}
