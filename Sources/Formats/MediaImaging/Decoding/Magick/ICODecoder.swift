import MediaCodecs
import MediaContainers
import MediaModel

/// Decodes the largest picture of an icon.
///
/// ImageMagick decodes all pictures of an icon, a PNG among them by another of its coders. So a PNG goes
/// to our own decoder, and ImageMagick is given an icon with the one bitmap that is wanted.
final class ICODecoder: PictureDecoder {
  private let png: any PictureDecoder
  private let other: any PictureDecoder

  /// - Parameters:
  ///   - png: Decodes a picture that is a PNG.
  ///   - other: Decodes an icon with one bitmap.
  init(png: any PictureDecoder, other: any PictureDecoder) {
    (self.png, self.other) = (png, other)
  }

  func trim(above byteCount: Int) {
    png.trim(above: byteCount)
    other.trim(above: byteCount)
  }

  func decode(_ request: DecodeRequest) throws(ImagingError) -> DecodedPicture? {
    let source = ByteSource(request.bytes)
    guard let entry = ICOHeader(of: source)?.largest else {
      throw ImagingError(.damaged, "no picture in the icon")
    }
    try request.limits.check(width: entry.size.width, height: entry.size.height)
    var request = request
    request.cache = PictureDataCache()
    if entry.isPNG {
      request.format = .png
      request.bytes = UnsafeRawBufferPointer(rebasing: request.bytes[entry.range])
      return try png.decode(request)
    }
    guard let directory = source.bytes(in: entry.directory, limit: 16) else {
      throw ImagingError(.damaged, "no picture in the icon")
    }
    var icon: [UInt8] = [0, 0, 1, 0, 1, 0] + directory.prefix(8)
    icon += entry.range.count.bytes(4, .little) + 22.bytes(4, .little)
    icon += request.bytes[entry.range]
    // A throwing closure of withUnsafeBytes loses its error's type.
    let result = icon.withUnsafeBytes { bytes in
      request.bytes = bytes
      return Result { () throws(ImagingError) in try other.decode(request) }
    }
    return try result.get()
  }
}
