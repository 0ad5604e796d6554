import CWebP
import MediaContainers
import MediaModel

/// Decodes WebP, and reduces it during decoding.
///
/// Opaque lossy pictures are decoded to planes, without conversion to RGB; transparent or lossless
/// ones to pixels. Of an animation, the first frame is decoded, on its canvas.
///
/// Source: WebPDecode, WebPGetFeatures (libwebp 1.2); RFC 9649; RFC 6386 section 9.2 (BT.601,
/// limited range).
final class WebPDecoder: PictureDecoder {
  private let buffer = PlaneBuffer()
  private let pixels = PixelReducer()

  func decode(_ request: DecodeRequest) throws(ImagingError) -> DecodedPicture? {
    let source = ByteSource(request.bytes)
    guard let container = try? WebPContainer(of: source, isLenient: true),
      let frame = container.firstFrame
    else { throw ImagingError(.damaged, "no WebP header, or no picture") }
    if container.isCut, !request.acceptDamaged { throw ImagingError(.damaged, "ends early") }
    try request.limits.check(frameCount: container.frameCount)
    let data = UnsafeRawBufferPointer(rebasing: request.bytes[frame.data])
    let job = WebPJob(
      data: data,
      features: try Self.features(of: data),
      acceptDamaged: request.acceptDamaged
    )
    let size = container.canvas ?? job.size
    try request.limits.check(width: size.width, height: size.height)
    try request.limits.check(width: job.size.width, height: job.size.height)
    guard frame.left + job.size.width <= size.width, frame.top + job.size.height <= size.height
    else { throw ImagingError(.damaged, "a frame outside of its canvas") }
    var profile: ColorProfile?
    if let range = container.profile?.data {
      try request.limits.check(profileByteCount: range.count)
      profile = ColorProfile(Array(request.bytes[range]))
    }
    let scale = request.demand.scale(for: size)
    let factor = PixelReducer.factor(for: scale)
    let planar: PlanarPicture
    if job.size != size {
      planar = try pixels(of: job, on: size, left: frame.left, top: frame.top, factor: factor)
    } else if job.isPlanar {
      planar = try planes(of: job, factor: factor)
    } else {
      planar = try pixels(of: job, factor: factor)
    }
    return scale > 0 ? DecodedPicture(planar: planar, size: size, profile: profile) : nil
  }

  func trim(above byteCount: Int) {
    if buffer.capacity > byteCount { buffer.release() }
    pixels.trim(above: byteCount)
  }

  private static func features(
    of data: UnsafeRawBufferPointer
  ) throws(ImagingError) -> WebPBitstreamFeatures {
    var features = WebPBitstreamFeatures()
    let status = WebPGetFeatures(
      data.baseAddress?.assumingMemoryBound(to: UInt8.self),
      data.count,
      &features
    )
    guard status == VP8_STATUS_OK else {
      throw ImagingError(.damaged, "WebPGetFeatures: status \(status.rawValue)")
    }
    return features
  }

  private func planes(of job: WebPJob, factor: Int) throws(ImagingError) -> PlanarPicture {
    let size = job.reduced(by: factor)
    let half = (width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    let planes = try buffer.planes([(width: size.width, height: size.height), half, half])
    try job.decode(to: planes, size: size)
    let picture = PlanarPicture(
      planes: planes,
      width: Double(size.width),
      height: Double(size.height),
      chromaWidth: 2,
      chromaHeight: 2
    )
    YCbCrEncoding(matrix: 6, isFullRange: false)?.convertToJFIF(picture)
    return picture
  }

  /// Decodes a frame that covers its canvas, as nearly all do; the decoder reduces it.
  private func pixels(of job: WebPJob, factor: Int) throws(ImagingError) -> PlanarPicture {
    let size = job.reduced(by: factor)
    let rows = try buffer.reserve(4 * size.width * size.height)
    try job.decode(to: rows, size: size)
    try pixels.begin(size: size, layout: .rgba, factor: 1)
    try pixels.add(rows, stride: 4 * size.width, count: size.height)
    return try pixels.finish()
  }

  /// Decodes a frame that leaves a part of its canvas transparent.
  private func pixels(
    of job: WebPJob,
    on canvas: PixelSize,
    left: Int,
    top: Int,
    factor: Int
  ) throws(ImagingError) -> PlanarPicture {
    let frame = job.size
    let stride = 4 * frame.width
    let memory = try buffer.reserve(stride * frame.height + 4 * canvas.width)
    try job.decode(to: memory, size: frame)
    let row = memory + stride * frame.height
    try pixels.begin(size: canvas, layout: .rgba, factor: factor)
    for y in 0..<canvas.height {
      row.update(repeating: 0, count: 4 * canvas.width)
      if y >= top, y < top + frame.height {
        (row + 4 * left).update(from: memory + (y - top) * stride, count: stride)
      }
      try pixels.add(row)
    }
    return try pixels.finish()
  }
}
