import MediaModel

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
    static let coderWarning = 350
    static let resourceLimit = 400
    static let missingDelegate = 420
    static let fileOpen = 430
    static let cache = 445
    static let coder = 450
    static let policy = 499
  }

  /// The error that the message means; nil if the picture is whole nevertheless.
  var error: ImagingError? {
    if reason.hasPrefix("CorruptImageProfile") { return nil }
    if let message = tiffMessage, !message.isDamage { return nil }
    let detail = words
    // Fatal severities are 300 above the corresponding errors.
    switch severity >= 700 ? severity - 300 : severity {
    case ..<300: return nil
    case Severity.resourceLimit, Severity.cache: return ImagingError(.overLimit, detail)
    case Severity.missingDelegate, Severity.policy: return ImagingError(.unsupported, detail)
    // A coder that wants a temporary file, which a worker may not have: that of Lab TIFFs in 7.1.
    case Severity.fileOpen: return ImagingError(.unsupported, detail)
    case 400... where reason.hasPrefix("width or height exceeds limit"):
      return ImagingError(.overLimit, detail)
    case 400... where Self.kinds.contains(where: { reason.lowercased().hasPrefix($0) }):
      return ImagingError(.unsupported, detail)
    case 400...: return ImagingError(.damaged, detail)
    case Severity.corruptImageWarning: return ImagingError(.damaged, detail)
    default: return tiffMessage == nil ? nil : ImagingError(.damaged, detail)
    }
  }

  /// The starts of messages about kinds of a format that a coder does not read.
  private static let kinds = [
    "image type not supported", "irregular channel geometry not supported",
  ]

  /// The words for the error, without the file's name and the place in the library's source that follow it:
  /// `length and filesize do not match` of ``length and filesize do not match `picture' @
  /// error/bmp.c/ReadBMPImage/857``.
  ///
  /// Source: ThrowMagickExceptionList in magick/exception.c.
  private var words: String {
    var words = reason[...]
    if let suffix = words.lastRange(of: " @ ") { words = words[..<suffix.lowerBound] }
    if words.last == "'", let quoted = words.lastRange(of: " `") {
      words = words[..<quoted.lowerBound]
    }
    return words.isEmpty ? "ImageMagick says \(severity)" : String(words)
  }

  /// The message of libtiff that this one repeats: its text, the module's name in quotation marks, and
  /// the function of ImageMagick that received it.
  ///
  /// Source: TIFFErrors and TIFFWarnings in coders/tiff.c.
  private var tiffMessage: TIFFMessage? {
    guard severity == Severity.coder || severity == Severity.coderWarning,
      let end = reason.lastRange(of: "' @ "),
      let start = reason[..<end.lowerBound].lastIndex(of: "`")
    else { return nil }
    let receiver = reason[end.upperBound...]
    guard
      receiver.hasPrefix("error/tiff.c/TIFFErrors/")
        || receiver.hasPrefix("warning/tiff.c/TIFFWarnings/")
    else { return nil }
    return TIFFMessage(
      module: String(reason[reason.index(after: start)..<end.lowerBound]),
      text: String(reason[..<start]),
      isError: severity == Severity.coder
    )
  }
}
