import CWebP
import MediaModel

/// A bitstream to decode.
struct WebPJob {
  let data: UnsafeRawBufferPointer
  let features: WebPBitstreamFeatures
  let acceptDamaged: Bool

  var size: PixelSize {
    PixelSize(width: Int(features.width), height: Int(features.height))
  }

  /// Whether the picture is lossy and opaque, and can be decoded to luma and chroma.
  var isPlanar: Bool { features.format == 1 && features.has_alpha == 0 }

  /// Returns the number of squares with a side of `factor` that cover the picture.
  func reduced(by factor: Int) -> PixelSize {
    PixelSize(width: (size.width + factor - 1) / factor, height: (size.height + factor - 1) / factor)
  }

  /// Decodes to luma and two planes of chroma, in limited range.
  func decode(to planes: [PixelPlane], size: PixelSize) throws(ImagingError) {
    if acceptDamaged {
      for plane in planes {
        for y in 0..<plane.height { plane.row(y).update(repeating: 128, count: plane.width) }
      }
    }
    try decode(size: size) { output in
      output.colorspace = MODE_YUV
      output.u.YUVA = WebPYUVABuffer(
        y: planes[0].base,
        u: planes[1].base,
        v: planes[2].base,
        a: nil,
        y_stride: Int32(planes[0].stride),
        u_stride: Int32(planes[1].stride),
        v_stride: Int32(planes[2].stride),
        a_stride: 0,
        y_size: planes[0].stride * planes[0].height,
        u_size: planes[1].stride * planes[1].height,
        v_size: planes[2].stride * planes[2].height,
        a_size: 0
      )
    }
  }

  /// Decodes to red, green, blue and alpha, interleaved, row by row.
  func decode(to pixels: UnsafeMutablePointer<UInt8>, size: PixelSize) throws(ImagingError) {
    let byteCount = 4 * size.width * size.height
    if acceptDamaged { pixels.update(repeating: 128, count: byteCount) }
    try decode(size: size) { output in
      output.colorspace = MODE_RGBA
      output.u.RGBA = WebPRGBABuffer(rgba: pixels, stride: Int32(4 * size.width), size: byteCount)
    }
  }

  private func decode(
    size: PixelSize,
    _ set: (inout WebPDecBuffer) -> Void
  ) throws(ImagingError) {
    var configuration = WebPDecoderConfig()
    guard WebPInitDecoderConfig(&configuration) != 0 else {
      throw ImagingError(.internal, "WebPInitDecoderConfig")
    }
    if size != self.size {
      configuration.options.use_scaling = 1
      configuration.options.scaled_width = Int32(size.width)
      configuration.options.scaled_height = Int32(size.height)
    }
    configuration.output.is_external_memory = 1
    set(&configuration.output)
    let status = WebPDecode(
      data.baseAddress?.assumingMemoryBound(to: UInt8.self),
      data.count,
      &configuration
    )
    switch status {
    case VP8_STATUS_OK: return
    case VP8_STATUS_OUT_OF_MEMORY: throw ImagingError(.overLimit, "no memory to decode WebP")
    case VP8_STATUS_UNSUPPORTED_FEATURE: throw ImagingError(.unsupported, "a WebP feature")
    case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED, VP8_STATUS_BITSTREAM_ERROR:
      if acceptDamaged { return }
      fallthrough
    default: throw ImagingError(.damaged, "WebPDecode: status \(status.rawValue)")
    }
  }
}
