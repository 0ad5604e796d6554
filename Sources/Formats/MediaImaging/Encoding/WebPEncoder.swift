import CWebP
import MediaContainers
import MediaModel

/// Encodes upright planes or pixels as a lossy WebP.
///
/// Source: WebPEncode (libwebp 1.2); RFC 9649.
final class WebPEncoder {
  /// The compression method, 0 to 6; higher ones give slightly smaller files and take much longer.
  private static let method: Int32 = 3

  /// Encodes planes.
  ///
  /// - Parameters:
  ///   - planes: Luma of the picture's size; chroma, if any, of half that size, rounded up.
  ///   - quality: 1 to 100.
  ///   - profile: The profile to embed, unchanged.
  /// - Returns: A whole WebP file.
  /// - Throws: `internal` if a library call fails, `overLimit` if memory runs out.
  func encode(
    _ planes: [PixelPlane],
    quality: Int,
    profile: ColorProfile?
  ) throws(ImagingError) -> [UInt8] {
    let luma = planes[0]
    let half = (width: (luma.width + 1) / 2, height: (luma.height + 1) / 2)
    let limited = try PlaneBuffer().planes([(width: luma.width, height: luma.height), half, half])
    Self.scale(luma, to: limited[0], origin: 0, span: 219, target: 16)
    for index in 1...2 {
      if planes.count == 3 {
        Self.scale(planes[index], to: limited[index], origin: 128, span: 224, target: 128)
      } else {
        for y in 0..<half.height {
          limited[index].row(y).update(repeating: 128, count: half.width)
        }
      }
    }
    return try encode(width: luma.width, height: luma.height, quality, profile) { picture in
      picture.pointee.y = limited[0].base
      picture.pointee.u = limited[1].base
      picture.pointee.v = limited[2].base
      picture.pointee.y_stride = Int32(limited[0].stride)
      picture.pointee.uv_stride = Int32(limited[1].stride)
      return true
    }
  }

  /// Encodes RGB or RGBA pixels, with the same parameters otherwise.
  func encode(
    _ pixels: PixelPicture,
    quality: Int,
    profile: ColorProfile?
  ) throws(ImagingError) -> [UInt8] {
    let stride = Int32(pixels.size.width * pixels.layout.channelCount)
    return try encode(width: pixels.size.width, height: pixels.size.height, quality, profile) { picture in
      let status =
        pixels.layout == .rgba
        ? WebPPictureImportRGBA(picture, pixels.base, stride)
        : WebPPictureImportRGB(picture, pixels.base, stride)
      return status != 0
    }
  }

  private func encode(
    width: Int,
    height: Int,
    _ quality: Int,
    _ profile: ColorProfile?,
    fill: (UnsafeMutablePointer<WebPPicture>) -> Bool
  ) throws(ImagingError) -> [UInt8] {
    guard width <= WEBP_MAX_DIMENSION, height <= WEBP_MAX_DIMENSION else {
      throw ImagingError(.overLimit, "WebP of \(width)x\(height) pixels")
    }
    var configuration = WebPConfig()
    var picture = WebPPicture()
    var writer = WebPMemoryWriter()
    guard
      WebPConfigPreset(&configuration, WEBP_PRESET_DEFAULT, Float(min(max(quality, 1), 100))) != 0,
      WebPPictureInit(&picture) != 0
    else { throw ImagingError(.internal, "WebPPictureInit") }
    configuration.method = Self.method
    picture.width = Int32(width)
    picture.height = Int32(height)
    WebPMemoryWriterInit(&writer)
    defer {
      WebPPictureFree(&picture)
      WebPMemoryWriterClear(&writer)
    }
    let isEncoded = withUnsafeMutablePointer(to: &writer) { writer in
      picture.writer = WebPMemoryWrite
      picture.custom_ptr = UnsafeMutableRawPointer(writer)
      return fill(&picture) && WebPEncode(&configuration, &picture) != 0
    }
    guard isEncoded, let memory = writer.mem else {
      let isMemory = [VP8_ENC_ERROR_OUT_OF_MEMORY, VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY]
        .contains(picture.error_code)
      throw ImagingError(isMemory ? .overLimit : .internal, "WebPEncode \(picture.error_code.rawValue)")
    }
    let bytes = Array(UnsafeBufferPointer(start: memory, count: writer.size))
    guard let profile else { return bytes }
    return Self.file(bytes, with: profile, width: width, height: height)
  }

  /// Converts JFIF's full range to BT.601's limited range.
  private static func scale(
    _ source: PixelPlane,
    to plane: PixelPlane,
    origin: Int,
    span: Int,
    target: Int
  ) {
    let table = (0..<256).map { value in
      UInt8(target + Int((Double((value - origin) * span) / 255).rounded()))
    }
    for y in 0..<plane.height {
      let (from, to) = (source.row(y), plane.row(y))
      for x in 0..<plane.width { to[x] = table[Int(from[x])] }
    }
  }

  /// Returns a WebP file with the profile in a chunk of its own.
  ///
  /// Source: RFC 9649 section 2.7 (`VP8X` first, then `ICCP`).
  private static func file(
    _ bytes: [UInt8],
    with profile: ColorProfile,
    width: Int,
    height: Int
  ) -> [UInt8] {
    guard bytes.count > 30 else { return bytes }
    let isExtended = bytes[12..<16].elementsEqual("VP8X".utf8)
    let flags = (isExtended ? bytes[20] : 0) | 0x20
    let size = (width - 1).bytes(3, .little) + (height - 1).bytes(3, .little)
    let body =
      Array("WEBP".utf8) + RIFFChunk.bytes("VP8X", [flags, 0, 0, 0] + size)
      + RIFFChunk.bytes("ICCP", profile.bytes) + bytes[(isExtended ? 30 : 12)...]
    return RIFFChunk.header("RIFF", length: body.count) + body
  }
}
