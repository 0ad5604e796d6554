package import MediaModel

/// Makes thumbnails of pictures, one after the other, and keeps what the next one can use again.
///
/// One decode serves all sizes. Not safe to share between threads: each worker has its own.
package final class ImageThumbnailer {
  private let limits: ImagingLimits
  private let jpegDecoder = JPEGDecoder()
  private lazy var magickDecoder = MagickDecoder(limits: limits)
  private let encoder = JPEGEncoder()
  private let scaler = PlaneScaler()

  /// Memory that is kept for the next picture, for each buffer.
  private static let keptByteCount = 32 << 20

  /// Takes no time: decoders other than JPEG's start with the first picture that needs them.
  package init(limits: ImagingLimits = ImagingLimits()) {
    self.limits = limits
  }

  /// Starts every decoder and has it decode a picture once, so that it opens no file later.
  ///
  /// - Returns: The formats that have no working decoder here, empty when all is well.
  package func preload() -> [MediaFormat] {
    let demand = ThumbnailDemand(
      specifications: [
        ThumbnailSpec(
          name: "sample",
          size: PixelSize(width: 2, height: 2),
          contentMode: .aspectFit
        )
      ],
      orientation: .upright
    )
    return DecoderSamples.all.compactMap { sample in
      let thumbnails = try? sample.bytes.withUnsafeBytes { bytes in
        try magickThumbnails(of: bytes, format: sample.format, demand: demand)
      }
      return thumbnails?.count == 1 ? nil : sample.format
    }
  }

  /// Decodes a picture once and makes each thumbnail that is asked for.
  ///
  /// Thumbnails are upright, never larger than the picture, on white where it is transparent. They
  /// carry the picture's ICC profile, or are sRGB; no other metadata. Of an animation, or of many
  /// pages, the first.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; read during the call only.
  ///   - format: What its content says; no other decoder is tried.
  ///   - orientation: EXIF's value, 1 to 8; not used for HEIC and AVIF, whose decoder turns them.
  ///   - specifications: When empty, the picture is decoded only to know that it can be.
  /// - Returns: One thumbnail for each specification, in their order.
  /// - Throws: ``ImagingError`` `damaged` for a file that ends early or contradicts itself, though a
  ///   decoder might show some of it; `overLimit`; `unsupported` for formats without a decoder, and
  ///   all that are no pictures. A picture smaller than the thumbnail is not an error.
  ///
  /// Source: design section 9; EXIF 2.32 tag 274; PHImageContentMode.
  package func thumbnails(
    of bytes: UnsafeRawBufferPointer,
    format: MediaFormat,
    orientation: Int,
    specifications: [ThumbnailSpec]
  ) throws(ImagingError) -> [Thumbnail] {
    defer {
      jpegDecoder.trim(above: Self.keptByteCount)
      encoder.trim(above: Self.keptByteCount)
    }
    guard bytes.count > 0 else { throw ImagingError(.damaged, "an empty file") }
    let isTurnedByDecoder = format == .heic || format == .avif
    let demand = ThumbnailDemand(
      specifications: specifications,
      orientation: Orientation(isTurnedByDecoder ? 1 : orientation)
    )
    if format == .jpeg { return try jpegThumbnails(of: bytes, demand: demand) }
    return try magickThumbnails(of: bytes, format: format, demand: demand)
  }

  private func jpegThumbnails(
    of bytes: UnsafeRawBufferPointer,
    demand: ThumbnailDemand
  ) throws(ImagingError) -> [Thumbnail] {
    let header = try JPEGHeader(bytes)
    try limits.check(header, in: bytes)
    if header.strayByteCount > 0 {
      // libjpeg tells only its first warning, and this harmless one would hide a real one.
      let clean = header.withoutStrayBytes(bytes)
      return try clean.withUnsafeBufferPointer { (clean) throws(ImagingError) -> [Thumbnail] in
        let bytes = UnsafeRawBufferPointer(clean)
        return try jpegThumbnails(of: bytes, header: try JPEGHeader(bytes), demand: demand)
      }
    }
    return try jpegThumbnails(of: bytes, header: header, demand: demand)
  }

  private func jpegThumbnails(
    of bytes: UnsafeRawBufferPointer,
    header: JPEGHeader,
    demand: ThumbnailDemand
  ) throws(ImagingError) -> [Thumbnail] {
    let profile = header.profile.flatMap(ColorProfile.init)
    let isGray = header.components.count == 1
    let fits = profile?.space == (isGray ? .gray : .rgb)
    let isTooLarge = fits && (profile?.bytes.count ?? 0) > limits.maximumProfileBytes
    guard case .planes(let subsampling) = try jpegDecoder.kind(of: bytes),
      !isTooLarge || demand.specifications.isEmpty
    else {
      // ImageMagick tells only the first warning too, so the picture is checked here.
      try jpegDecoder.check(bytes, header: header)
      return try magickThumbnails(of: bytes, format: .jpeg, demand: demand)
    }
    let size = PixelSize(width: header.width, height: header.height)
    let eighths = max(1, min(8, Int((8 * demand.scale(for: size)).rounded(.up))))
    let planar = try jpegDecoder.decode(
      bytes,
      header: header,
      subsampling: subsampling,
      eighths: eighths
    )
    return try ThumbnailRenderer(scaler: scaler, encoder: encoder).thumbnails(
      of: planar,
      size: size,
      demand: demand,
      profile: fits ? profile : nil
    )
  }

  private func magickThumbnails(
    of bytes: UnsafeRawBufferPointer,
    format: MediaFormat,
    demand: ThumbnailDemand
  ) throws(ImagingError) -> [Thumbnail] {
    defer { magickDecoder.trim(above: Self.keptByteCount) }
    guard let picture = try magickDecoder.decode(bytes, format: format, demand: demand) else {
      return []
    }
    return try ThumbnailRenderer(scaler: scaler, encoder: encoder).thumbnails(
      of: picture.planar,
      size: picture.size,
      demand: demand,
      profile: picture.profile
    )
  }
}

extension ImagingLimits {
  fileprivate func check(
    _ header: JPEGHeader,
    in bytes: UnsafeRawBufferPointer
  ) throws(ImagingError) {
    guard header.isDecodable, header.precision == 8 else {
      throw ImagingError(.unsupported, "JPEG process, \(header.precision) bits a sample")
    }
    try check(width: header.width, height: header.height)
    guard header.isProgressive else { return }
    let blocks = header.blockCount
    // A coefficient is two bytes, a block has 64.
    guard blocks * 128 <= maximumCoefficientBytes else {
      throw ImagingError(.overLimit, "\(blocks) blocks of coefficients")
    }
    let scans = header.scanCount(in: bytes)
    guard scans * blocks <= maximumBlockPasses else {
      throw ImagingError(.overLimit, "\(scans) scans of \(blocks) blocks")
    }
  }
}
