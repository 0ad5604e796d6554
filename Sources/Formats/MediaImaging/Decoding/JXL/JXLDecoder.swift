import CJXL
import MediaCodecs
import MediaContainers
import MediaModel

/// Decodes the first picture of a JPEG XL, as it is stored.
///
/// The orientation in the codestream is not applied by libjxl here: it is the file's, and thumbnails
/// are turned by it as those of other formats are.
///
/// Source: libjxl 0.7 to 0.11 (decode.h).
final class JXLDecoder: PictureDecoder {
  private let reducer = PixelReducer()
  private let pixels = PlaneBuffer()

  /// The bytes for each pixel that libjxl holds beside the output, in samples of 4 bytes.
  private static let workingByteCount = 12
  /// The bytes of the worker's memory that a picture may take.
  private static let maximumByteCount = 448 << 20

  /// The loader's message if libjxl is missing; computed once.
  private static let loadFailure: String? = cjxl_load().map { String(cString: $0) }

  func trim(above byteCount: Int) {
    if pixels.capacity > byteCount { pixels.release() }
    reducer.trim(above: byteCount)
  }

  func decode(_ request: DecodeRequest) throws(ImagingError) -> DecodedPicture? {
    if let failure = Self.loadFailure {
      throw ImagingError(.decoderMissing, "\(String(cString: cjxl_package)): \(failure)")
    }
    guard let header = JXLHeader(of: ByteSource(request.bytes)) else {
      throw ImagingError(.damaged, "no header")
    }
    try request.limits.check(width: header.size.width, height: header.size.height)
    let size = header.size
    let needed = size.width * size.height * (Self.workingByteCount + 4)
    guard needed <= Self.maximumByteCount else {
      throw ImagingError(.overLimit, "pixels: \(size.width)x\(size.height) do not fit in memory")
    }
    guard let start = request.bytes.baseAddress,
      let decoder = cjxl_open(start.assumingMemoryBound(to: UInt8.self), request.bytes.count)
    else { throw ImagingError(.overLimit, "JxlDecoderCreate") }
    defer { cjxl_close(decoder) }
    var info = cjxl_info()
    try Self.check(cjxl_read_info(decoder, &info), "the header")
    guard Int(info.width) == size.width, Int(info.height) == size.height else {
      throw ImagingError(.damaged, "a picture of another size than its header states")
    }
    let profile = try Self.profile(of: decoder, request.limits)
    let isGray = info.color_channels == 1
    let layout: PixelLayout =
      isGray ? (info.has_alpha ? .grayAlpha : .gray) : (info.has_alpha ? .rgba : .rgb)
    let channels = layout.channelCount
    let row = size.width * channels
    let memory = try pixels.reserve(row * size.height)
    try Self.check(cjxl_decode(decoder, UInt32(channels), memory, row * size.height), "the picture")
    let scale = request.demand.scale(for: size)
    guard scale > 0 else { return nil }
    try reducer.begin(size: size, layout: layout, factor: PixelReducer.factor(for: scale))
    try reducer.add(memory, stride: row, count: size.height)
    return DecodedPicture(planar: try reducer.finish(), size: size, profile: profile)
  }

  private static func profile(
    of decoder: OpaquePointer,
    _ limits: ImagingLimits
  ) throws(ImagingError) -> ColorProfile? {
    var length = 0
    try check(cjxl_read_profile_length(decoder, &length), "the colors")
    guard length > 0 else { return nil }
    try limits.check(profileByteCount: length)
    var bytes = [UInt8](repeating: 0, count: length)
    try check(cjxl_copy_profile(decoder, &bytes, length), "the color profile")
    return ColorProfile(bytes)
  }

  private static func check(_ status: cjxl_status, _ part: String) throws(ImagingError) {
    switch status {
    case CJXL_DONE: return
    case CJXL_NO_MEMORY: throw ImagingError(.overLimit, "memory for \(part)")
    default: throw ImagingError(.damaged, part)
    }
  }
}
