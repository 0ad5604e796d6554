/// How the samples of one pixel stand side by side; alpha is last, and not multiplied in.
enum PixelLayout: Hashable {
  case gray, grayAlpha, rgb, rgba
  /// Ink: 0 is none.
  case cmyk
  /// As Adobe's programs write it into JPEG: 255 is none.
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

/// How one sample is stored.
enum SampleDepth: Hashable {
  case eight
  /// Two bytes, as this machine orders them.
  case sixteen
  case sixteenBigEndian

  var byteCount: Int { self == .eight ? 1 : 2 }
}
