import CMagickWand
import MediaModel

/// Decodes what is not a plain JPEG, and reduces it to planes.
///
/// Source: BlobToImage, ExportImagePixels, ProfileImage, TransformImageColorspace (MagickCore 6).
final class MagickDecoder {
  struct Picture {
    /// Valid until the next decode.
    var planar: PlanarPicture
    /// Before reduction.
    var size: PixelSize
    var profile: ColorProfile?
  }

  private let limits: ImagingLimits
  private let reducer = PictureReducer()

  init(limits: ImagingLimits) { self.limits = limits }

  /// Decodes the first picture of a file.
  ///
  /// - Returns: Nil when nothing is wanted of it but that it decodes.
  /// - Throws: `damaged`, `overLimit`, `unsupported`; warnings that leave the picture whole are none.
  func decode(
    _ bytes: UnsafeRawBufferPointer,
    format: MediaFormat,
    demand: ThumbnailDemand
  ) throws(ImagingError) -> Picture? {
    guard MagickRuntime.isStarted else { throw ImagingError(.internal, "MagickCoreGenesis") }
    guard let coder = MagickRuntime.coderName(of: format) else {
      throw ImagingError(.unsupported, format.rawValue)
    }
    let structure = try PictureStructure(bytes, format: format)
    if let size = structure.size { try check(size) }
    if let replacement = structure.replacement {
      return try replacement.withUnsafeBufferPointer { (clean) throws(ImagingError) -> Picture? in
        try decode(
          UnsafeRawBufferPointer(clean),
          format: format,
          coder: coder,
          size: structure.size,
          demand: demand
        )
      }
    }
    return try decode(bytes, format: format, coder: coder, size: structure.size, demand: demand)
  }

  private func decode(
    _ bytes: UnsafeRawBufferPointer,
    format: MediaFormat,
    coder: String,
    size: PixelSize?,
    demand: ThumbnailDemand
  ) throws(ImagingError) -> Picture? {
    let exceptions = MagickExceptions()
    guard let info = AcquireImageInfo() else { throw ImagingError(.overLimit, "AcquireImageInfo") }
    defer { DestroyImageInfo(info) }
    // Prefix and name: never a path, and the content cannot choose another coder.
    cmagick_set_filename(info, "\(coder):picture")
    info.pointee.scene = 0
    info.pointee.number_scenes = 1
    if [.tiff, .heic, .avif].contains(format) { try ping(info, bytes) }
    let image = BlobToImage(info, bytes.baseAddress, bytes.count, exceptions.pointer)
    defer { if let image { DestroyImageList(image) } }
    for message in exceptions.messages { if let error = message.error { throw error } }
    guard let image else {
      // The PNG coder keeps its reasons to itself; with a palette it takes 10 bytes a pixel.
      let pixels = size.map { $0.width * $0.height } ?? 0
      let mayBeTooLarge = pixels > GetMagickResourceLimit(MemoryResource) / 10
      throw ImagingError(mayBeTooLarge ? .overLimit : .damaged, "no picture")
    }
    let canvas = Canvas(image, format: format)
    try limits.check(width: canvas.size.width, height: canvas.size.height)
    let scale = demand.scale(for: canvas.size)
    guard scale > 0 else { return nil }
    let profile = convertColor(of: image)
    // Above 16 nothing is gained, and rows of squares take memory.
    let factor = min(max(1, Int(1 / scale)), 16)
    let planar = try reducer.reduce(image, canvas: canvas, factor: factor, exceptions: exceptions)
    return Picture(planar: planar, size: canvas.size, profile: profile)
  }

  /// Asks a decoder that does not decode for it what the picture will take.
  private func ping(
    _ info: UnsafeMutablePointer<ImageInfo>,
    _ bytes: UnsafeRawBufferPointer
  ) throws(ImagingError) {
    let exceptions = MagickExceptions()
    guard let image = PingBlob(info, bytes.baseAddress, bytes.count, exceptions.pointer) else {
      throw exceptions.messages.compactMap(\.error).first ?? ImagingError(.damaged, "no picture")
    }
    defer { DestroyImageList(image) }
    try check(
      PixelSize(
        width: Int(clamping: image.pointee.columns),
        height: Int(clamping: image.pointee.rows)
      )
    )
  }

  /// Refuses what will not fit: ImageMagick loses some of its memory's account when it has to refuse.
  private func check(_ size: PixelSize) throws(ImagingError) {
    try limits.check(width: size.width, height: size.height)
    let pixels = size.width * size.height
    // Four samples of 16 bits.
    guard pixels <= GetMagickResourceLimit(MemoryResource) / 8,
      pixels <= GetMagickResourceLimit(AreaResource),
      size.width <= GetMagickResourceLimit(WidthResource),
      size.height <= GetMagickResourceLimit(HeightResource)
    else {
      throw ImagingError(
        .overLimit,
        "\(size.width)x\(size.height) pixels; ImageMagick's policy allows fewer"
      )
    }
  }

  /// Gives a large picture's memory back.
  func trim(above byteCount: Int) { reducer.trim(above: byteCount) }

  /// Makes pixels gray or RGB, and says which profile describes them.
  private func convertColor(of image: UnsafeMutablePointer<Image>) -> ColorProfile? {
    let isGray = image.pointee.colorspace == GRAYColorspace
    let isRGB = image.pointee.colorspace == sRGBColorspace
    let profile = ColorProfile(iccBytes(of: image))
    let fits = isGray ? profile?.space == .gray : isRGB && profile?.space == .rgb
    if let profile, fits, profile.bytes.count <= limits.maximumProfileBytes { return profile }
    let isConvertible =
      fits || (image.pointee.colorspace == CMYKColorspace && profile?.space == .cmyk)
    if isConvertible {
      ProfileImage(image, "icc", ColorProfile.sRGB, ColorProfile.sRGB.count, MagickTrue)
    }
    let isPlain = [GRAYColorspace, sRGBColorspace].contains(image.pointee.colorspace)
    if !isPlain { TransformImageColorspace(image, sRGBColorspace) }
    return nil
  }

  private func iccBytes(of image: UnsafeMutablePointer<Image>) -> [UInt8] {
    guard let profile = GetImageProfile(image, "icc"), let start = GetStringInfoDatum(profile)
    else { return [] }
    return Array(UnsafeBufferPointer(start: start, count: GetStringInfoLength(profile)))
  }
}
