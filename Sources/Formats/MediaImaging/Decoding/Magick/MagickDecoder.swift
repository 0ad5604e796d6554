import CMagickWand
import MediaCodecs
import MediaContainers
import MediaModel

/// Decodes what no other decoder takes.
///
/// Source: MagickReadImageBlob, MagickSetExtract, MagickExportImagePixels, MagickTransformImageColorspace
/// (MagickWand 6).
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
    guard let coder = request.libraryName else {
      throw ImagingError(.unsupported, request.format.rawValue)
    }
    let header = request.format.pictureHeader?.init(of: ByteSource(request.bytes))
    let bytes = try checked(request, header, coder)
    let levels = Self.omittedLevels(request, header)
    do throws(ImagingError) {
      return try decode(request, header, bytes, coder, omittedLevels: levels)
    } catch {
      // A tile may have fewer levels than the main header states.
      guard levels > 0, error.code == .damaged else { throw error }
      return try decode(request, header, bytes, coder, omittedLevels: 0)
    }
  }

  /// How many more coefficients than means of pixels a side of a thumbnail needs: with as many it is 1 to 4 dB farther
  /// from a reduction of all pixels.
  private static let coefficientScale = 2.0

  /// How many of the finest wavelet levels of a JPEG 2000 its thumbnails do not need.
  ///
  /// Coefficients of a palette's indices are no colors, and those of transparent pixels are not weighted.
  private static func omittedLevels(
    _ request: DecodeRequest,
    _ header: (any PictureHeader)?
  ) -> Int {
    let file = header as? JP2Header
    guard let header = file?.codestream ?? header as? J2KHeader, file?.isPaletted != true,
      [1, 3].contains(header.componentCount), header.origin == (0, 0), !request.acceptDamaged
    else { return 0 }
    let factor = PixelReducer.factor(for: coefficientScale * request.demand.scale(for: header.size))
    let needed = Int.bitWidth - 1 - factor.leadingZeroBitCount
    return min(needed, header.levelCount(of: ByteSource(request.bytes)))
  }

  private func decode(
    _ request: DecodeRequest,
    _ header: (any PictureHeader)?,
    _ bytes: UnsafeRawBufferPointer,
    _ coder: String,
    omittedLevels: Int
  ) throws(ImagingError) -> DecodedPicture? {
    var picture = try Self.handle(for: coder, isWhole: request.format == .xcf)
    Self.setArea(of: picture, header, omittedLevels: omittedLevels)
    let isRead = MagickReadImageBlob(picture.wand, bytes.baseAddress, bytes.count) == MagickTrue
    for message in picture.messages {
      guard let error = message.error else { continue }
      if request.acceptDamaged, error.code == .damaged, isRead { continue }
      throw error
    }
    guard isRead else { throw ImagingError(.damaged, "no picture") }
    if let header = header as? XCFHeader { picture = try picture.flattened(on: header.size) }
    Self.correct(picture, header)
    let size = picture.size
    try check(size, request.limits)
    let whole = header?.size ?? size
    guard size == whole.reduced(byLevels: omittedLevels) else {
      throw ImagingError(.damaged, "a picture of another size than its header states")
    }
    let step = Double(1 << omittedLevels)
    let scale = request.demand.scale(for: whole) * step
    guard scale > 0 else { return nil }
    let factor = PixelReducer.factor(for: omittedLevels > 0 ? Self.coefficientScale * scale : scale)
    var decoded = try reduce(picture, size, factor: factor, request.limits)
    guard omittedLevels > 0 else { return decoded }
    decoded.size = whole
    decoded.isOfMeans = factor > 1
    decoded.planar.width = Double(whole.width) / (step * Double(factor))
    decoded.planar.height = Double(whole.height) / (step * Double(factor))
    // A sample is that of the first pixel of a square, and not of its center.
    decoded.planar.left = (1 - 1 / step) / 2 / Double(factor)
    decoded.planar.top = decoded.planar.left
    return decoded
  }

  /// Names the area of the reference grid that the picture of a JPEG 2000 takes: by itself, the coder would
  /// decode as much from the start of the grid as the decoded picture is large, which is a part of it.
  private static func setArea(
    of picture: borrowing MagickHandle,
    _ header: (any PictureHeader)?,
    omittedLevels: Int
  ) {
    guard let header = header as? J2KHeader ?? (header as? JP2Header)?.codestream,
      header.origin != (0, 0) || omittedLevels > 0
    else { return }
    if omittedLevels > 0 {
      MagickSetOption(picture.wand, "jp2:reduce-factor", "\(omittedLevels)")
    }
    let (size, origin) = (header.size, header.origin)
    MagickSetExtract(picture.wand, "\(size.width)x\(size.height)+\(origin.x)+\(origin.y)")
  }

  /// Corrects what ImageMagick 6 takes for something else than the format's specification and other
  /// readers do.
  private static func correct(_ picture: borrowing MagickHandle, _ header: (any PictureHeader)?) {
    // It shows 1 bits black, and the bytes of a TGA without alpha bits as its alpha.
    if (header as? PCXHeader)?.isBilevel == true { MagickNegateImage(picture.wand, MagickFalse) }
    guard let header = header as? TGAHeader else { return }
    if !header.hasAlpha { cmagick_remove_alpha(picture.wand) }
    // Thumbnails are turned by the orientation that the header states, as of all formats.
    cmagick_turn_tga_back(
      picture.wand,
      [3, 4].contains(header.orientation),
      [2, 3].contains(header.orientation)
    )
  }

  /// Returns a wand that reads the first picture with one coder.
  ///
  /// The name has a prefix and no path, so the content cannot choose another coder. `isWhole` asks for
  /// all pictures, which are the layers of a document.
  private static func handle(
    for coder: String,
    isWhole: Bool = false
  ) throws(ImagingError) -> MagickHandle {
    let handle = try MagickHandle()
    MagickSetFilename(handle.wand, "\(coder):picture" + (isWhole ? "" : "[0]"))
    return handle
  }

  /// Checks what a file's header states before any decoder takes memory for it.
  ///
  /// - Returns: The bytes to decode.
  /// - Throws: `overLimit`; `damaged` without a header; `unsupported` for a kind of the format that the
  ///   coder does not read.
  private func checked(
    _ request: DecodeRequest,
    _ header: (any PictureHeader)?,
    _ coder: String
  ) throws(ImagingError) -> UnsafeRawBufferPointer {
    if request.format.pictureHeader != nil {
      guard let header else { throw ImagingError(.damaged, "no header") }
      try check(header.size, request.limits, besides: header.layerPixelCount)
      try Self.checkKind(header)
      return request.bytes
    }
    if request.format == .bmp, let size = Self.bitmapSize(request.bytes) {
      try check(size, request.limits)
      return try bitmap(request.bytes)
    }
    try ping(coder, request.bytes, request.limits)
    return request.bytes
  }

  /// Refuses a picture of which ImageMagick's coder would show a part: it takes the size of the picture for
  /// that of the area of the reference grid to decode.
  private static func checkGrid(_ header: J2KHeader?) throws(ImagingError) {
    guard header?.isSubsampled == true else { return }
    throw ImagingError(.unsupported, "JPEG 2000 with subsampling")
  }

  /// Refuses kinds that ImageMagick 6 does not decode, which it would call damaged.
  private static func checkKind(_ header: any PictureHeader) throws(ImagingError) {
    switch header {
    case let header as DDSHeader:
      let decoded: Set<FourCharacterCode> = ["DXT1", "DXT3", "DXT5"]
      guard let compression = header.compression, !decoded.contains(compression) else { return }
      throw ImagingError(.unsupported, "DDS with \(compression.displayName)")
    case let header as XCFHeader where !header.isRunLength:
      throw ImagingError(.unsupported, "XCF without run-length encoding")
    case let header as TGAHeader where header.isGrayAlpha:
      throw ImagingError(.unsupported, "TGA of gray with alpha")
    case let header as JP2Header:
      try checkComponents(header.componentCount)
      try checkGrid(header.codestream)
    case let header as J2KHeader:
      try checkComponents(header.componentCount)
      try checkGrid(header)
    default: return
    }
  }

  /// Refuses more components than CMYK with transparency has: each takes four bytes of every pixel.
  private static func checkComponents(_ count: Int) throws(ImagingError) {
    guard count <= 5 else { throw ImagingError(.unsupported, "\(count) components") }
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
    copy.storeBytes(of: UInt32(truncatingIfNeeded: end).littleEndian, toByteOffset: 2, as: UInt32.self)
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
  ///
  /// - Parameters:
  ///   - size: The picture's size.
  ///   - limits: The limits of the item.
  ///   - layers: The pixels that are held at the same time beside those of the picture.
  /// - Throws: `overLimit`.
  private func check(
    _ size: PixelSize,
    _ limits: ImagingLimits,
    besides layers: Int = 0
  ) throws(ImagingError) {
    try limits.check(width: size.width, height: size.height)
    guard MagickRuntime.allows(size, besides: layers) else {
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
      let status = MagickExportImagePixels(picture.wand, 0, y, size.width, 1, map, CharPixel, row)
      guard status == MagickTrue else {
        throw picture.error ?? ImagingError(.internal, "MagickExportImagePixels")
      }
      try reducer.add(row)
    }
    return DecodedPicture(planar: try reducer.finish(), size: size, profile: isInk ? nil : profile)
  }
}

extension PixelSize {
  /// The size without the finest wavelet levels. Source: ISO/IEC 15444-1 equation B-14.
  fileprivate func reduced(byLevels count: Int) -> PixelSize {
    PixelSize(width: (width + (1 << count) - 1) >> count, height: (height + (1 << count) - 1) >> count)
  }
}
