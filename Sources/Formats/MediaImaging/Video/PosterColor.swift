internal import CAV
import MediaModel

/// The color encoding of a video's picture, and its conversion to sRGB.
///
/// Source: ISO/IEC 23091-2 (code points of primaries, transfer characteristics, matrix).
struct PosterColor {
  /// The MatrixCoefficients code point, never "unspecified".
  let matrix: Int32
  let isFullRange: Bool
  /// The conversion of R'G'B' to sRGB; nil for BT.601 and BT.709, which players show as sRGB.
  let conversion: PosterColorConversion.Kind?

  private enum Code {
    static let bt709: Int32 = 1
    static let unspecified: Int32 = 2
    static let bt601: Int32 = 6
    static let bt2020: Int32 = 9
    static let p3: ClosedRange<Int32> = 11...12
    static let pq: Int32 = 16
    static let hlg: Int32 = 18
  }

  init(_ picture: cav_picture) {
    let isHDR = picture.transfer == Code.pq || picture.transfer == Code.hlg
    if picture.matrix != Code.unspecified {
      matrix = picture.matrix
    } else if isHDR || picture.primaries == Code.bt2020 {
      matrix = Code.bt2020
    } else {
      // This is the default of FFmpeg's own tools, which write untagged pictures, as do MJPEG, DV
      // and VP8.
      matrix = picture.primaries == Code.bt709 ? Code.bt709 : Code.bt601
    }
    isFullRange = picture.is_full_range
    let gamut: PosterColorConversion.Gamut? =
      if picture.primaries == Code.bt2020 || (isHDR && picture.primaries == Code.unspecified) {
        .bt2020
      } else if Code.p3.contains(picture.primaries) {
        .p3
      } else {
        nil
      }
    let transfer: PosterColorConversion.Transfer =
      switch picture.transfer {
      case Code.pq: .pq(peakNits: picture.peak_nits > 0 ? Double(picture.peak_nits) : 1000)
      case Code.hlg: .hlg
      default: .sRGB
      }
    conversion =
      isHDR || gamut != nil
      ? PosterColorConversion.Kind(transfer: transfer, gamut: gamut ?? .bt709) : nil
  }
}
