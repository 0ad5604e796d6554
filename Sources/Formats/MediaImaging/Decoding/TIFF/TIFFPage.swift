import CTIFF
import MediaModel

/// The storage format of a TIFF's first page.
///
/// Source: TIFF 6.0 sections 8, 16 and 18; tiff.h (libtiff 4.5).
struct TIFFPage {
  var size: PixelSize
  var layout = PixelLayout.rgb
  var bitDepth: Int
  /// The number of samples per pixel as stored, extra samples included.
  var samplesPerPixel: Int
  var isInverted = false
  var isMultiplied = false
  /// The red, green and blue samples of each palette entry.
  var palette: [UInt8] = []
  var rowsPerStrip: Int
  var rowByteCount = 0
  var tile: PixelSize?
  var profile: ColorProfile?
  /// Whether ``TIFFDecoder`` supports this format.
  var isPlain = true

  /// Reads the tags of the first page.
  ///
  /// - Throws: `damaged` when there is no page, `overLimit` for pixels and profile.
  init(_ file: LibTIFFFile, limits: ImagingLimits) throws(ImagingError) {
    guard let handle = file.handle else {
      throw file.error(isComplete: false) ?? ImagingError(.damaged, "no page")
    }
    size = PixelSize(
      width: Int(ctiff_field_32(handle, UInt32(TIFFTAG_IMAGEWIDTH), 0)),
      height: Int(ctiff_field_32(handle, UInt32(TIFFTAG_IMAGELENGTH), 0))
    )
    try limits.check(width: size.width, height: size.height)
    func field(_ tag: Int32, _ missing: Int32) -> Int32 {
      Int32(ctiff_field_16(handle, UInt32(tag), UInt32(missing)))
    }
    bitDepth = Int(field(TIFFTAG_BITSPERSAMPLE, 1))
    samplesPerPixel = Int(field(TIFFTAG_SAMPLESPERPIXEL, 1))
    rowsPerStrip = Int(ctiff_field_32(handle, UInt32(TIFFTAG_ROWSPERSTRIP), UInt32.max))
    rowsPerStrip = min(max(rowsPerStrip, 1), size.height)
    if TIFFIsTiled(handle) != 0 {
      tile = PixelSize(
        width: Int(ctiff_field_32(handle, UInt32(TIFFTAG_TILEWIDTH), 0)),
        height: Int(ctiff_field_32(handle, UInt32(TIFFTAG_TILELENGTH), 0))
      )
    }
    let compression = field(TIFFTAG_COMPRESSION, COMPRESSION_NONE)
    var photometric = field(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISWHITE)
    if photometric == PHOTOMETRIC_YCBCR, compression == COMPRESSION_JPEG {
      ctiff_ask_for_rgb(handle)
      photometric = PHOTOMETRIC_RGB
    }
    let isContiguous =
      samplesPerPixel == 1
      || field(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_CONTIG
    let isWhole = field(TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT) == SAMPLEFORMAT_UINT
    let isOld = compression == COMPRESSION_OJPEG
    let extra = ctiff_first_extra_sample(handle)
    isPlain =
      isContiguous && isWhole && !isOld && [1, 2, 4, 8, 16].contains(bitDepth)
      && (1...16).contains(samplesPerPixel) && (tile.map { $0.width > 0 && $0.height > 0 } ?? true)
    readColors(handle, photometric, extra)
    rowByteCount = (size.width * samplesPerPixel * bitDepth + 7) / 8
    // Both are libtiff's own values: if they differ, it packs rows in another way.
    if isPlain, tile == nil, TIFFScanlineSize(handle) != rowByteCount { isPlain = false }
    var count: UInt32 = 0
    if let bytes = ctiff_profile(handle, &count) {
      try limits.check(profileByteCount: Int(count))
      profile = ColorProfile(Array(UnsafeRawBufferPointer(start: bytes, count: Int(count))))
    }
  }

  private mutating func readColors(_ handle: OpaquePointer, _ photometric: Int32, _ extra: Int32) {
    let isAssociated = extra == EXTRASAMPLE_ASSOCALPHA
    let hasAlpha = isAssociated || extra == EXTRASAMPLE_UNASSALPHA
    isMultiplied = isAssociated
    switch photometric {
    case PHOTOMETRIC_MINISBLACK, PHOTOMETRIC_MINISWHITE:
      isInverted = photometric == PHOTOMETRIC_MINISWHITE
      layout = hasAlpha && samplesPerPixel >= 2 ? .grayAlpha : .gray
      if samplesPerPixel > 1, bitDepth < 8 || isInverted { isPlain = false }
    case PHOTOMETRIC_RGB:
      layout = hasAlpha && samplesPerPixel >= 4 ? .rgba : .rgb
      if samplesPerPixel < 3 || bitDepth < 8 { isPlain = false }
    case PHOTOMETRIC_SEPARATED:
      layout = .cmyk
      isMultiplied = false
      let isCMYK = ctiff_field_16(handle, UInt32(TIFFTAG_INKSET), 1) == UInt32(INKSET_CMYK)
      if samplesPerPixel < 4 || bitDepth < 8 || !isCMYK { isPlain = false }
    case PHOTOMETRIC_PALETTE:
      var (red, green, blue):
        (
          UnsafeMutablePointer<UInt16>?, UnsafeMutablePointer<UInt16>?,
          UnsafeMutablePointer<UInt16>?
        )
      guard bitDepth <= 8, samplesPerPixel == 1,
        ctiff_color_map(handle, &red, &green, &blue) != 0, let red, let green, let blue
      else {
        isPlain = false
        return
      }
      let count = 1 << bitDepth
      // Some writers store 8-bit values where the format requires 16 bits.
      let isEight = (0..<count).allSatisfy { red[$0] < 256 && green[$0] < 256 && blue[$0] < 256 }
      palette = (0..<count).flatMap { index in
        [red[index], green[index], blue[index]].map {
          isEight ? UInt8(truncatingIfNeeded: $0) : UInt8((UInt32($0) * 255 + 32_767) / 65_535)
        }
      }
    default: isPlain = false
    }
  }
}

/// Converts the rows of a page to pixels: palettes, low bit depths, extra samples.
final class TIFFExpander {
  let depth: SampleDepth
  private let page: TIFFPage
  private let buffer = PlaneBuffer()
  private let row: UnsafeMutablePointer<UInt8>
  private let table: [UInt8]
  private let isUnchanged: Bool

  /// Creates an expander.
  ///
  /// - Throws: `overLimit` if memory runs out.
  init(_ page: TIFFPage) throws(ImagingError) {
    self.page = page
    depth = page.bitDepth == 16 ? .sixteen : .eight
    let isGrayTable =
      page.layout == .gray && page.bitDepth <= 8 && page.samplesPerPixel == 1
      && (page.bitDepth < 8 || page.isInverted)
    if !page.palette.isEmpty {
      table = page.palette
    } else if isGrayTable {
      let largest = (1 << page.bitDepth) - 1
      table = (0...largest).map { UInt8((page.isInverted ? largest - $0 : $0) * 255 / largest) }
    } else {
      table = []
    }
    isUnchanged =
      table.isEmpty && page.samplesPerPixel == page.layout.channelCount && !page.isInverted
    row = try buffer.reserve(page.size.width * page.layout.channelCount * depth.byteCount)
  }

  /// Expands one row.
  ///
  /// - Returns: The pixels in the page's layout, valid until the next row.
  func expand(_ samples: UnsafePointer<UInt8>) -> UnsafeRawPointer {
    if isUnchanged { return UnsafeRawPointer(samples) }
    let count = page.layout.channelCount
    if !table.isEmpty {
      let bits = page.bitDepth
      let mask = (1 << bits) - 1
      table.withUnsafeBufferPointer { table in
        for x in 0..<page.size.width {
          let bit = x &* bits
          let value = Int(samples[bit &>> 3]) &>> (8 &- bits &- bit & 7) & mask
          for channel in 0..<count { row[x &* count &+ channel] = table[value &* count &+ channel] }
        }
      }
      return UnsafeRawPointer(row)
    }
    let (from, to) = (page.samplesPerPixel * depth.byteCount, count * depth.byteCount)
    let flip: UInt8 = page.isInverted ? 255 : 0
    for x in 0..<page.size.width {
      for index in 0..<to { row[x &* to &+ index] = samples[x &* from &+ index] ^ flip }
    }
    return UnsafeRawPointer(row)
  }
}
