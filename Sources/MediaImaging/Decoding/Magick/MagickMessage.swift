/// One thing that ImageMagick said, judged.
///
/// Source: ExceptionType in magick/exception.h (warnings from 300, errors from 400, fatal from 700).
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

  /// Nil when the picture is whole all the same.
  var error: ImagingError? {
    if isHarmless { return nil }
    let detail = "\(severity) \(reason) (\(description))"
    // Fatal severities are 300 more than their errors.
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

  /// libtiff calls a private tag that it does not know an error; the pixels do not need it.
  private var isHarmless: Bool {
    reason.contains("TIFF_SETGET_UNDEFINED") || reason.hasPrefix("CorruptImageProfile")
  }

  /// Warnings pass (unknown TIFF tags, tags out of order, ASCII without an end, odd iCCP, gAMA or
  /// sRGB chunks, XMP that does not parse, a profile that does not fit), but for those that say
  /// that bytes are missing or contradict each other.
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
