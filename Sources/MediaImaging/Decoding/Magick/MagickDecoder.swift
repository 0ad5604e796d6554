import CMagickWand
import MediaContainers
import MediaModel

/// Decodes what no other decoder takes.
///
/// Source: MagickReadImageBlob, MagickExportImagePixels, MagickTransformImageColorspace (MagickWand 6).
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
    guard let coder = MagickRuntime.coderName(of: request.format) else {
      throw ImagingError(.unsupported, request.format.rawValue)
    }
    let headerSize = request.format == .bmp ? Self.bitmapSize(request.bytes) : nil
    if let headerSize { try check(headerSize, request.limits) }
    let bytes = headerSize == nil ? request.bytes : try bitmap(request.bytes)
    if headerSize == nil { try ping(coder, bytes, request.limits) }
    let picture = try Self.handle(for: coder)
    let isRead = MagickReadImageBlob(picture.wand, bytes.baseAddress, bytes.count) == MagickTrue
    for message in picture.messages {
      guard let error = message.error else { continue }
      if request.acceptDamaged, error.code == .damaged, isRead { continue }
      throw error
    }
    guard isRead else { throw ImagingError(.damaged, "no picture") }
    let size = picture.size
    try request.limits.check(width: size.width, height: size.height)
    let scale = request.demand.scale(for: size)
    guard scale > 0 else { return nil }
    return try reduce(picture, size, factor: PixelReducer.factor(for: scale), request.limits)
  }

  /// Returns a wand that reads the first picture with one coder.
  ///
  /// The name has a prefix and no path, so the content cannot choose another coder.
  private static func handle(for coder: String) throws(ImagingError) -> MagickHandle {
    let handle = try MagickHandle()
    MagickSetFilename(handle.wand, "\(coder):picture[0]")
    return handle
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
    _ coder: String,
    _ bytes: UnsafeRawBufferPointer,
    _ limits: ImagingLimits
  ) throws(ImagingError) {
    let picture = try Self.handle(for: coder)
    guard MagickPingImageBlob(picture.wand, bytes.baseAddress, bytes.count) == MagickTrue else {
      throw picture.error ?? ImagingError(.damaged, "no picture")
    }
    try check(picture.size, limits)
  }

  /// Refuses what will not fit: ImageMagick loses some of its memory's account when it has to refuse.
  private func check(_ size: PixelSize, _ limits: ImagingLimits) throws(ImagingError) {
    try limits.check(width: size.width, height: size.height)
    guard MagickRuntime.allows(size) else {
      throw ImagingError(
        .overLimit,
        "pixels: \(size.width)x\(size.height), ImageMagick's policy allows fewer"
      )
    }
  }

  private func reduce(
    _ picture: borrowing MagickHandle,
    _ size: PixelSize,
    factor: Int,
    _ limits: ImagingLimits
  ) throws(ImagingError) -> DecodedPicture {
    let icc = picture.profile("icc")
    try limits.check(profileByteCount: icc.count)
    var profile = ColorProfile(icc)
    var space = MagickGetImageColorspace(picture.wand)
    var isInk = space == CMYKColorspace
    let ink = isInk ? profile.flatMap { profiles.transform(from: $0, layout: .cmyk) } : nil
    // A picture without transparency has no alpha: what stands in its place is whatever the memory
    // held before, another picture perhaps.
    let hasAlpha = picture.hasAlpha
    if isInk, ink == nil || hasAlpha {
      MagickTransformImageColorspace(picture.wand, sRGBColorspace)
      space = MagickGetImageColorspace(picture.wand)
      isInk = false
    }
    let isGray = space == GRAYColorspace
    if !isInk, !isGray, space != sRGBColorspace {
      MagickTransformImageColorspace(picture.wand, sRGBColorspace)
      profile = nil
    }
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
      let status = MagickExportImagePixels(
        picture.wand,
        0,
        y,
        size.width,
        1,
        map,
        CharPixel,
        row
      )
      guard status == MagickTrue else {
        throw picture.error ?? ImagingError(.internal, "MagickExportImagePixels")
      }
      try reducer.add(row)
    }
    return DecodedPicture(
      planar: try reducer.finish(),
      size: size,
      profile: isInk ? nil : profile
    )
  }
}
