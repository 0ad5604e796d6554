import CTurboJPEG

/// Owns the state of libjpeg-turbo's decoder, which no failed file outlives.
///
/// libjpeg-turbo keeps the position inside a header that it could not read, and takes the next file
/// for its continuation. A new state costs some 10 µs, and only a file with a failure or a warning.
///
/// Source: tjDecompressHeader3 (libjpeg-turbo 2.1) returns without jpeg_abort_decompress.
final class TurboJPEGDecompressor {
  private var handle = tjInitDecompress()

  deinit {
    if let handle { tjDestroy(handle) }
  }

  /// Runs one call of libjpeg-turbo, which returns its status.
  ///
  /// - Returns: The message of a call that failed or warned; nil after any other.
  func run(_ call: (tjhandle?) -> Int32) -> TurboJPEGMessage? {
    guard call(handle) != 0 else { return nil }
    let message = TurboJPEGMessage(handle)
    if let handle { tjDestroy(handle) }
    handle = tjInitDecompress()
    return message
  }

  /// Decodes by `call`, which passes the given flags on, and judges libjpeg's messages.
  ///
  /// - Parameters:
  ///   - acceptDamaged: Whether to keep libjpeg's result for a damaged file.
  ///   - call: Decodes the whole file with a state and flags, and returns the status.
  /// - Throws: `damaged` on any warning except for extra bytes before the end marker; `overLimit`,
  ///   `unsupported`.
  func decode(
    acceptDamaged: Bool,
    _ call: (tjhandle?, Int32) -> Int32
  ) throws(ImagingError) {
    guard let message = run({ call($0, TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS) }) else { return }
    // Padding after the picture means that every sample was present: libjpeg reports its first
    // warning, and no picture data can follow the end marker.
    let error = message.error
    guard message.isPaddingBeforeEnd || (acceptDamaged && error.code == .damaged) else {
      throw error
    }
    if let message = run({ call($0, TJFLAG_LIMITSCANS) }), !message.isWarning {
      throw message.error
    }
  }
}
