import CTurboJPEG
import MediaModel

/// A small upright picture of interleaved 8-bit samples, without gaps between rows.
struct PixelPicture {
  let base: UnsafeMutablePointer<UInt8>
  let size: PixelSize
  /// Gray or RGB, alone or with alpha.
  let layout: PixelLayout
  /// The buffer that owns the memory.
  let owner: PlaneBuffer

  var pixelCount: Int { size.width * size.height }

  init(size: PixelSize, layout: PixelLayout, in buffer: PlaneBuffer) throws(ImagingError) {
    self.size = size
    self.layout = layout
    // Some libraries read four bytes at the last pixel.
    base = try buffer.reserve(size.width * size.height * layout.channelCount + 16)
    owner = buffer
  }
}

/// Converts planes to pixels and back, for operations that need interleaved pixels.
///
/// Source: tjDecodeYUVPlanes, tjEncodeYUVPlanes (libjpeg-turbo 2.1).
final class PixelConverter {
  private let decoder = tjInitDecompress()
  private let encoder = tjInitCompress()

  deinit {
    if let decoder { tjDestroy(decoder) }
    if let encoder { tjDestroy(encoder) }
  }

  /// Returns gray or RGB pixels without alpha; premultiplied planes give premultiplied pixels.
  func pixels(of picture: PlanarPicture) throws(ImagingError) -> PixelPicture {
    let planes = picture.planes
    let size = PixelSize(width: planes[0].width, height: planes[0].height)
    let isGray = planes.count == 1
    let pixels = try PixelPicture(size: size, layout: isGray ? .gray : .rgb, in: PlaneBuffer())
    if isGray {
      for y in 0..<size.height {
        (pixels.base + y * size.width).update(from: planes[0].row(y), count: size.width)
      }
      return pixels
    }
    planes[0].fillToEven()
    let isHalved = planes[1].width < size.width || planes[1].height < size.height
    var pointers: [UnsafePointer<UInt8>?] = planes.map { UnsafePointer($0.base) }
    var strides = planes.map { Int32($0.stride) }
    guard
      tjDecodeYUVPlanes(
        decoder,
        &pointers,
        &strides,
        Int32((isHalved ? TJSAMP_420 : TJSAMP_444).rawValue),
        pixels.base,
        Int32(size.width),
        0,
        Int32(size.height),
        TJPF_RGB.rawValue,
        0
      ) == 0
    else { throw TurboJPEGMessage(decoder).ownError }
    return pixels
  }

  /// Returns the planes of gray or RGB pixels, with chroma at half the size.
  func planes(of pixels: PixelPicture) throws(ImagingError) -> [PixelPlane] {
    let size = pixels.size
    let isGray = pixels.layout == .gray
    let half = (width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    let planes = try PlaneBuffer().planes(
      [(width: size.width, height: size.height)] + (isGray ? [] : [half, half])
    )
    if isGray {
      for y in 0..<size.height {
        planes[0].row(y).update(from: pixels.base + y * size.width, count: size.width)
      }
      return planes
    }
    var pointers: [UnsafeMutablePointer<UInt8>?] = planes.map(\.base)
    var strides = planes.map { Int32($0.stride) }
    guard
      tjEncodeYUVPlanes(
        encoder,
        pixels.base,
        Int32(size.width),
        0,
        Int32(size.height),
        TJPF_RGB.rawValue,
        &pointers,
        &strides,
        Int32(TJSAMP_420.rawValue),
        0
      ) == 0
    else { throw TurboJPEGMessage(encoder).ownError }
    return planes
  }
}

extension PixelPicture {
  /// Divides colors by alpha, which reverses the premultiplication of ``PlanarPicture/alpha``.
  func divide(by alpha: PixelPlane) {
    replace(below: alpha) { sample, cover, _ in
      cover == 0 ? 0 : (sample * 255 + cover / 2) / cover
    }
  }

  /// Multiplies colors by alpha.
  func multiply(by alpha: PixelPlane) {
    replace(below: alpha) { sample, cover, _ in (sample * cover + 127) / 255 }
  }

  /// Composites premultiplied pixels over a background color.
  func flatten(_ alpha: PixelPlane, on background: [UInt8]) {
    replace(below: alpha) { sample, cover, channel in
      sample + (UInt32(background[channel]) * (255 - cover) + 127) / 255
    }
  }

  /// Replaces the samples of each pixel that is not opaque; a result above 255 becomes 255.
  @inline(__always)
  private func replace(
    below alpha: PixelPlane,
    _ value: (_ sample: UInt32, _ cover: UInt32, _ channel: Int) -> UInt32
  ) {
    let count = layout.channelCount
    for y in 0..<size.height {
      let (row, cover) = (base + y * size.width * count, alpha.row(y))
      for x in 0..<size.width where cover[x] != 255 {
        for channel in 0..<count {
          let at = x * count + channel
          row[at] = UInt8(min(value(UInt32(row[at]), UInt32(cover[x]), channel), 255))
        }
      }
    }
  }

  /// Returns the same pixels with an alpha sample after each color.
  func joined(with alpha: PixelPlane) throws(ImagingError) -> PixelPicture {
    let count = layout.channelCount
    let joined = try PixelPicture(
      size: size,
      layout: layout == .gray ? .grayAlpha : .rgba,
      in: PlaneBuffer()
    )
    for y in 0..<size.height {
      let source = base + y * size.width * count
      let target = joined.base + y * size.width * (count + 1)
      let cover = alpha.row(y)
      for x in 0..<size.width {
        for channel in 0..<count {
          target[x * (count + 1) + channel] = source[x * count + channel]
        }
        target[x * (count + 1) + count] = cover[x]
      }
    }
    return joined
  }

  /// Returns RGB pixels, with each gray sample repeated three times.
  func colored() throws(ImagingError) -> PixelPicture {
    guard layout == .gray || layout == .grayAlpha else { return self }
    let count = layout.channelCount
    let colored = try PixelPicture(size: size, layout: layout == .gray ? .rgb : .rgba, in: PlaneBuffer())
    for index in 0..<pixelCount {
      let (source, target) = (base + index * count, colored.base + index * (count + 2))
      for channel in 0..<3 { target[channel] = source[0] }
      if count == 2 { target[3] = source[1] }
    }
    return colored
  }
}
