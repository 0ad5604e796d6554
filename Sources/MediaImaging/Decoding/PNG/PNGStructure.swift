import CDeflate
import MediaContainers
import MediaModel

/// The chunks of a PNG that decoding its first picture needs.
///
/// Source: PNG specification (third edition) sections 5, 11 and 13.
struct PNGStructure {
  enum ColorType: Int {
    case gray = 0, rgb = 2, palette = 3, grayAlpha = 4, rgba = 6
  }

  var size = PixelSize(width: 0, height: 0)
  var bitDepth = 8
  var colorType = ColorType.rgb
  var isInterlaced = false
  /// The red, green and blue samples of each palette entry.
  var palette: [UInt8] = []
  /// The data of `tRNS`.
  var transparency: [UInt8] = []
  /// The ranges of compressed pixels, in order.
  var data: [Range<Int>] = []
  /// The profile from iCCP, from code points or from chromaticities; nil is sRGB.
  var profile: ColorProfile?
  /// Whether a chunk is missing or ends early, which is an error unless damaged files are accepted.
  var isCutShort = false

  var channelCount: Int {
    switch colorType {
    case .gray, .palette: 1
    case .grayAlpha: 2
    case .rgb: 3
    case .rgba: 4
    }
  }

  var isGray: Bool { colorType == .gray || colorType == .grayAlpha }

  /// The number of bytes from a sample to the same one of the next pixel, at least 1.
  var pixelByteCount: Int { max(1, channelCount * bitDepth / 8) }

  func rowByteCount(width: Int) -> Int { (width * channelCount * bitDepth + 7) / 8 }

  /// Reads the chunks.
  ///
  /// - Throws: `damaged`, and `overLimit` for pixels, frames, text and profile.
  init(
    _ bytes: UnsafeRawBufferPointer,
    limits: ImagingLimits,
    acceptDamaged: Bool
  ) throws(ImagingError) {
    let source = ByteSource(bytes)
    guard source.holds(PNG.signature, at: 0), source.holds("IHDR", at: 12)
    else { throw ImagingError(.damaged, "no PNG header") }
    var colors = PNGColors()
    var text = PNGText(limits: limits)
    var offset = 8
    while true {
      guard let length = source.number(at: offset, count: 4),
        let letters = source.bytes(in: (offset + 4)..<(offset + 8), limit: 4)
      else {
        isCutShort = true
        break
      }
      let type = String(decoding: letters, as: UTF8.self)
      let end = min(offset + 8 + length, bytes.count)
      let body = (offset + 8)..<end
      let isWhole = length <= bytes.count - offset - 12
      if !isWhole { isCutShort = true }
      let isCritical = bytes[offset + 4] & 0x20 == 0
      let isIntact = isWhole && Self.isIntact(bytes, offset, length)
      if isCritical, !isIntact, !acceptDamaged {
        throw ImagingError(.damaged, "\(type) ends early or has a wrong checksum")
      }
      switch type {
      case "IHDR": try readHeader(bytes, body, limits)
      case "PLTE": palette = Array(bytes[body])
      case "IDAT": data.append(body)
      case "IEND", "tRNS", "acTL", "iCCP", "cICP", "sRGB", "gAMA", "cHRM":
        guard isIntact else { break }
        if type == "tRNS" { transparency = Array(bytes[body]) }
        if type == "acTL" {
          try limits.check(frameCount: source.number(at: body.lowerBound, count: 4) ?? 0)
        }
        try colors.read(type, bytes, body, limits)
      case "tEXt", "zTXt", "iTXt": try text.add(type, bytes, body)
      default:
        guard !isCritical || acceptDamaged else {
          throw ImagingError(.unsupported, "chunk \(type)")
        }
      }
      offset = end + 4
      if type == "IEND" || !isWhole { break }
    }
    if isCutShort, !acceptDamaged { throw ImagingError(.damaged, "ends before IEND") }
    guard !data.isEmpty, colorType != .palette || palette.count >= 3 else {
      throw ImagingError(.damaged, "no pixels, or no palette for them")
    }
    profile = colors.profile(isGray: isGray)
  }

  private static func isIntact(_ bytes: UnsafeRawBufferPointer, _ offset: Int, _ length: Int)
    -> Bool
  {
    guard let base = bytes.baseAddress else { return false }
    let sum = libdeflate_crc32(0, base + offset + 4, length + 4)
    return ByteSource(bytes).number(at: offset + 8 + length, count: 4) == Int(sum)
  }

  private mutating func readHeader(
    _ bytes: UnsafeRawBufferPointer,
    _ body: Range<Int>,
    _ limits: ImagingLimits
  ) throws(ImagingError) {
    let source = ByteSource(bytes)
    let start = body.lowerBound
    guard body.count >= 13, let width = source.number(at: start, count: 4),
      let height = source.number(at: start + 4, count: 4),
      let colorType = ColorType(rawValue: Int(bytes[start + 9]))
    else { throw ImagingError(.damaged, "IHDR") }
    let depths: [ColorType: Set<Int>] = [
      .gray: [1, 2, 4, 8, 16], .palette: [1, 2, 4, 8],
    ]
    bitDepth = Int(bytes[start + 8])
    guard (depths[colorType] ?? [8, 16]).contains(bitDepth), bytes[start + 10] == 0,
      bytes[start + 11] == 0, bytes[start + 12] <= 1
    else { throw ImagingError(.damaged, "IHDR: depth, method or interlacing") }
    self.colorType = colorType
    isInterlaced = bytes[start + 12] == 1
    size = PixelSize(width: width, height: height)
    try limits.check(width: width, height: height)
  }
}
