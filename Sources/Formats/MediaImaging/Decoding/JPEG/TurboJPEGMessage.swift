import CTurboJPEG
import MediaModel

/// The message of libjpeg-turbo about its last failure.
///
/// The messages are fixed English texts (jerror.h); there are no error numbers to compare.
///
/// Source: tjGetErrorStr2, tjGetErrorCode.
struct TurboJPEGMessage {
  let text: String

  /// Whether libjpeg-turbo decoded to the end nevertheless.
  let isWarning: Bool

  init(_ handle: tjhandle?) {
    isWarning = tjGetErrorCode(handle) == TJERR_WARNING.rawValue
    text = tjGetErrorStr2(handle).map { String(cString: $0) } ?? "libjpeg-turbo"
  }

  /// What a warning says of the picture; nil for what is none.
  var meaning: JPEGWarning.Meaning? { isWarning ? JPEGWarning.of(text)?.meaning ?? .missing : nil }

  var error: ImagingError {
    let overLimit = [
      "Insufficient memory", "Memory allocation failure", "more than 500 scans",
      "Maximum supported image dimension",
    ]
    let unsupported = [
      "Unsupported JPEG process", "Unsupported JPEG data precision", "Unsupported color conversion",
    ]
    if overLimit.contains(where: text.holds) { return ImagingError(.overLimit, text) }
    if unsupported.contains(where: text.holds) { return ImagingError(.unsupported, text) }
    return ImagingError(.damaged, text)
  }

  /// The error of a call on pixels of this process's own: memory may run out, and a file is not to blame for the rest.
  var ownError: ImagingError { error.code == .overLimit ? error : ImagingError(.internal, text) }
}
