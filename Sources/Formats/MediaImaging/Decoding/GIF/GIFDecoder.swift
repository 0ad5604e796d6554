import MediaCodecs
import MediaContainers
import MediaModel

/// Decodes the first picture of a GIF.
///
/// Source: GIF89a specification, sections 18 to 27 and appendix F.
final class GIFDecoder: PictureDecoder {
  private let reducer = PixelReducer()
  private let indices = PlaneBuffer()
  private let rowBuffer = PlaneBuffer()
  private let codes = GIFCodes()

  func trim(above byteCount: Int) {
    for buffer in [indices, rowBuffer] where buffer.capacity > byteCount { buffer.release() }
    reducer.trim(above: byteCount)
  }

  func decode(_ request: DecodeRequest) throws(ImagingError) -> DecodedPicture? {
    let structure = try GIFStructure(
      request.bytes,
      limits: request.limits,
      acceptDamaged: request.acceptDamaged
    )
    let (size, image, frame) = (structure.size, structure.image, structure.image.size)
    let samples = try samples(of: image, request, hiddenIndex: structure.hiddenIndex)
    let isCovered = image.left == 0 && image.top == 0 && frame == size
    let layout: PixelLayout = structure.hiddenIndex == nil && isCovered ? .rgb : .rgba
    try reducer.begin(
      size: size,
      layout: layout,
      factor: PixelReducer.factor(for: request.demand.scale(for: size))
    )
    let channels = layout.channelCount
    let row = try rowBuffer.reserve(size.width * channels)
    row.update(repeating: 0, count: size.width * channels)
    let colors = structure.colors(channels: channels)
    for y in 0..<size.height {
      let inside = y - image.top
      if inside >= 0, inside < frame.height {
        let source = samples + structure.storedRow(inside) * frame.width
        let target = row + image.left * channels
        colors.withUnsafeBufferPointer { colors in
          for x in 0..<frame.width {
            let from = Int(source[x]) &* channels
            for channel in 0..<channels {
              target[x &* channels &+ channel] = colors[from &+ channel]
            }
          }
        }
      } else {
        row.update(repeating: 0, count: size.width * channels)
      }
      try reducer.add(row)
    }
    return DecodedPicture(planar: try reducer.finish(), size: size, profile: nil)
  }

  /// Returns the index of each pixel, row by row as stored; pixels that are missing are hidden.
  private func samples(
    of image: GIFImage,
    _ request: DecodeRequest,
    hiddenIndex: Int?
  ) throws(ImagingError) -> UnsafeMutablePointer<UInt8> {
    let source = ByteSource(request.bytes)
    if let cached = request.cache.indices(of: image, in: source) { return cached }
    let area = image.pixelCount
    let samples = try indices.reserve(area)
    _ = codes.read(image, of: source, into: samples)
    let count = codes.pixelCount
    guard count == area || (request.acceptDamaged && count > 0) else {
      throw ImagingError(.damaged, "\(count) of \(area) pixels")
    }
    (samples + count).update(repeating: UInt8(hiddenIndex ?? 0), count: area - count)
    return samples
  }
}
