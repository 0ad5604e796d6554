import CMagickWand
import MediaContainers
import MediaModel

/// Decodes what no other decoder takes.
///
/// Source: BlobToImage, ExportImagePixels, TransformImageColorspace (MagickCore 6).
final class MagickDecoder: PictureDecoder {
  private let reducer = PixelReducer()
  private let rowBuffer = PlaneBuffer()
  /// A bitmap with the right length in its header.
  private let bitmapBuffer = PlaneBuffer()
  private let profiles: ProfileConverter

  init(profiles: ProfileConverter) { self.profiles = profiles }

  func trim(above byteCount: Int) {
    reducer.trim(above: byteCount)
    if rowBuffer.capacity > byteCount { rowBuffer.release() }
    if bitmapBuffer.capacity > byteCount { bitmapBuffer.release() }
  }

  /// Decodes the first picture; warnings that leave it whole are none.
  func decode(_ request: DecodeRequest) throws(ImagingError) -> DecodedPicture? {
    guard MagickRuntime.isStarted else { throw ImagingError(.internal, "MagickCoreGenesis") }
    guard let coder = MagickRuntime.coderName(of: request.format) else {
      throw ImagingError(.unsupported, request.format.rawValue)
    }
    let headerSize = request.format == .bmp ? Self.bitmapSize(request.bytes) : nil
    if let headerSize { try check(headerSize, request.limits) }
    let bytes = headerSize == nil ? request.bytes : try bitmap(request.bytes)
    let exceptions = MagickExceptions()
    guard let info = AcquireImageInfo() else { throw ImagingError(.overLimit, "AcquireImageInfo") }
    defer { DestroyImageInfo(info) }
    // Prefix and name: never a path, and the content cannot choose another coder.
    cmagick_set_filename(info, "\(coder):picture")
    info.pointee.scene = 0
    info.pointee.number_scenes = 1
    if headerSize == nil { try ping(info, bytes, request.limits) }
    let image = BlobToImage(info, bytes.baseAddress, bytes.count, exceptions.pointer)
    defer { if let image { DestroyImageList(image) } }
    for message in exceptions.messages {
      guard let error = message.error else { continue }
      if request.acceptDamaged, error.code == .damaged, image != nil { continue }
      throw error
    }
    guard let image else { throw ImagingError(.damaged, "no picture") }
    let size = Self.size(of: image)
    try request.limits.check(width: size.width, height: size.height)
    let scale = request.demand.scale(for: size)
    guard scale > 0 else { return nil }
    return try reduce(
      image,
      size,
      factor: PixelReducer.factor(for: scale),
      request.limits,
      exceptions
    )
  }

  /// Returns a bitmap that ends with its picture and says so, if it stated another length or more
  /// colors than it has: ImageMagick takes either for damage, and other decoders do not.
  ///
  /// - Throws: `overLimit` if memory runs out.
  private func bitmap(_ bytes: UnsafeRawBufferPointer) throws(ImagingError)
    -> UnsafeRawBufferPointer
  {
    let source = ByteSource(bytes)
    guard let header = try? BMPHeader(of: source) else { return bytes }
    let colorCount = header.palette.count / header.paletteEntryLength
    let hasColors =
      header.length < 40 || header.bitCount > 8
      || BMPHeader.number(header.bytes, 32, 4) <= colorCount
    guard source.uint32(at: 2, order: .little) != bytes.count || !hasColors else { return bytes }
    let end = max(header.pixels.upperBound, header.profile?.upperBound ?? 0)
    let memory = try bitmapBuffer.reserve(end)
    let copy = UnsafeMutableRawBufferPointer(start: memory, count: end)
    copy.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<end]))
    copy.storeBytes(
      of: UInt32(truncatingIfNeeded: end).littleEndian,
      toByteOffset: 2,
      as: UInt32.self
    )
    if !hasColors {
      copy.storeBytes(of: UInt32(colorCount).littleEndian, toByteOffset: 46, as: UInt32.self)
    }
    return UnsafeRawBufferPointer(copy)
  }

  /// What a bitmap's header says: its decoder takes memory before it is asked whether it may.
  ///
  /// Source: BITMAPCOREHEADER, BITMAPINFOHEADER (wingdi.h).
  private static func bitmapSize(_ bytes: UnsafeRawBufferPointer) -> PixelSize? {
    let source = ByteSource(bytes)
    guard source.holds("BM", at: 0),
      let headerLength = source.number(at: 14, count: 4, order: .little)
    else { return nil }
    let count = headerLength == 12 ? 2 : 4
    guard let width = source.number(at: 18, count: count, order: .little),
      let height = source.number(at: 18 + count, count: count, order: .little)
    else { return nil }
    // A negative height means rows from the top.
    let rows = height < 1 << 31 ? height : (1 << 32) - height
    return width > 0 && rows > 0 ? PixelSize(width: width, height: rows) : nil
  }

  /// Asks a decoder that does not decode for it what the picture will take.
  private func ping(
    _ info: UnsafeMutablePointer<ImageInfo>,
    _ bytes: UnsafeRawBufferPointer,
    _ limits: ImagingLimits
  ) throws(ImagingError) {
    let exceptions = MagickExceptions()
    guard let image = PingBlob(info, bytes.baseAddress, bytes.count, exceptions.pointer) else {
      throw exceptions.messages.compactMap(\.error).first ?? ImagingError(.damaged, "no picture")
    }
    defer { DestroyImageList(image) }
    try check(Self.size(of: image), limits)
  }

  private static func size(of image: UnsafeMutablePointer<Image>) -> PixelSize {
    PixelSize(
      width: Int(clamping: image.pointee.columns),
      height: Int(clamping: image.pointee.rows)
    )
  }

  /// Refuses what will not fit: ImageMagick loses some of its memory's account when it has to refuse.
  private func check(_ size: PixelSize, _ limits: ImagingLimits) throws(ImagingError) {
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
        "pixels: \(size.width)x\(size.height), ImageMagick's policy allows fewer"
      )
    }
  }

  private func reduce(
    _ image: UnsafeMutablePointer<Image>,
    _ size: PixelSize,
    factor: Int,
    _ limits: ImagingLimits,
    _ exceptions: borrowing MagickExceptions
  ) throws(ImagingError) -> DecodedPicture {
    let icc = iccBytes(of: image)
    try limits.check(profileByteCount: icc.count)
    var profile = ColorProfile(icc)
    var isInk = image.pointee.colorspace == CMYKColorspace
    let ink = isInk ? profile.flatMap { profiles.transform(from: $0, layout: .cmyk) } : nil
    if isInk, ink == nil || image.pointee.matte != MagickFalse {
      TransformImageColorspace(image, sRGBColorspace)
      isInk = false
    }
    let isGray = image.pointee.colorspace == GRAYColorspace
    if !isInk, !isGray, image.pointee.colorspace != sRGBColorspace {
      TransformImageColorspace(image, sRGBColorspace)
      profile = nil
    }
    // A picture without transparency has no alpha: what stands in its place is whatever the memory
    // held before, another picture perhaps.
    let hasAlpha = image.pointee.matte != MagickFalse
    let layout: PixelLayout =
      isInk ? .cmyk : isGray ? (hasAlpha ? .grayAlpha : .gray) : (hasAlpha ? .rgba : .rgb)
    try reducer.begin(size: size, layout: layout, factor: factor, ink: ink)
    let map =
      switch layout {
      case .cmyk, .invertedCMYK: "CMYK"
      case .gray: "R"
      case .grayAlpha: "RA"
      case .rgb: "RGB"
      case .rgba: "RGBA"
      }
    let row = try rowBuffer.reserve(size.width * layout.channelCount)
    for y in 0..<size.height {
      let status = ExportImagePixels(
        image,
        0,
        y,
        size.width,
        1,
        map,
        CharPixel,
        row,
        exceptions.pointer
      )
      guard status == MagickTrue else {
        throw exceptions.messages.compactMap(\.error).first
          ?? ImagingError(.internal, "ExportImagePixels")
      }
      try reducer.add(row)
    }
    return DecodedPicture(
      planar: try reducer.finish(),
      size: size,
      profile: isInk ? nil : profile
    )
  }

  private func iccBytes(of image: UnsafeMutablePointer<Image>) -> [UInt8] {
    guard let profile = GetImageProfile(image, "icc"), let start = GetStringInfoDatum(profile)
    else { return [] }
    return Array(UnsafeBufferPointer(start: start, count: GetStringInfoLength(profile)))
  }
}
