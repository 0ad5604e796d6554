/// A message of ImageMagick, classified.
///
/// Source: ExceptionType in magick/exception.h (warnings from 300, errors from 400, fatal from
/// 700).
struct MagickMessage: Hashable {
  var severity: Int
  var reason: String
  var description: String

  private enum Severity {
    static let corruptImageWarning = 325
    static let resourceLimit = 400
    static let missingDelegate = 420
    static let cache = 445
    static let coder = 450
    static let policy = 499
  }

  /// The error that the message means; nil if the picture is whole nevertheless.
  var error: ImagingError? {
    if isHarmless { return nil }
    let detail = "\(severity) \(reason) (\(description))"
    // Fatal severities are 300 above the corresponding errors.
    switch severity >= 700 ? severity - 300 : severity {
    case ..<300: return nil
    case Severity.resourceLimit, Severity.cache: return ImagingError(.overLimit, detail)
    case Severity.missingDelegate, Severity.policy: return ImagingError(.unsupported, detail)
    case 400... where reason.hasPrefix("width or height exceeds limit"):
      return ImagingError(.overLimit, detail)
    case 400...: return ImagingError(.damaged, detail)
    default: return saysDamage ? ImagingError(.damaged, detail) : nil
    }
  }

  /// Whether the message concerns an unknown private tag, which libtiff reports as an error; the
  /// pixels do not need it.
  private var isHarmless: Bool {
    reason.contains("TIFF_SETGET_UNDEFINED") || reason.hasPrefix("CorruptImageProfile")
  }

  /// Whether a warning means that bytes are missing or contradict each other. All other warnings
  /// are ignored (unknown TIFF tags, tags out of order, unterminated ASCII, unusual iCCP, gAMA or
  /// sRGB chunks, invalid XMP, a profile that does not match).
  private var saysDamage: Bool {
    if severity == Severity.corruptImageWarning { return true }
    let words = [
      "Read error", "IO error", "Premature", "premature", "runcated", "Not enough", "not enough",
      "Corrupt JPEG data", "nsufficient", "ncomplete", "beyond end", "nexpected end",
      "Fractional scanline", "corrupt image",
    ]
    return words.contains { reason.contains($0) }
  }
}
