/// The order of a pixel's samples; alpha is last and not premultiplied.
enum PixelLayout: Hashable {
  case gray, grayAlpha, rgb, rgba
  /// CMYK in which 0 means no ink.
  case cmyk
  /// CMYK in which 255 means no ink, as Adobe's programs write it into JPEG.
  case invertedCMYK

  var channelCount: Int {
    switch self {
    case .gray: 1
    case .grayAlpha: 2
    case .rgb: 3
    case .rgba, .cmyk, .invertedCMYK: 4
    }
  }

  var hasAlpha: Bool { self == .grayAlpha || self == .rgba }
  var isInk: Bool { self == .cmyk || self == .invertedCMYK }
}

/// The storage format of one sample.
enum SampleDepth: Hashable {
  case eight
  /// Two bytes, in native byte order.
  case sixteen
  case sixteenBigEndian

  var byteCount: Int { self == .eight ? 1 : 2 }
}
