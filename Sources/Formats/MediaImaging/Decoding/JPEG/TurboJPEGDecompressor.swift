import CTurboJPEG
import MediaContainers

/// Owns the state of libjpeg-turbo's decoder, which no failed file outlives.
///
/// libjpeg-turbo keeps the position inside a header that it could not read, and takes the next file
/// for its continuation. It also keeps all tables, and reads a file that lacks some by those of the file before.
/// A new state costs some 10 µs, and only a file with a failure or a warning, or with tables that it may lack.
///
/// Source: tjDecompressHeader3 (libjpeg-turbo 2.1) returns without jpeg_abort_decompress; jpeg_abort of jcomapi.c
/// leaves the tables.
final class TurboJPEGDecompressor {
  private var handle = tjInitDecompress()
  /// A file with the usual values in the place of odd ones.
  private let usual = PlaneBuffer()

  deinit {
    if let handle { tjDestroy(handle) }
  }

  /// Runs one call of libjpeg-turbo, which returns its status.
  ///
  /// - Returns: The message of a call that failed or warned; nil after any other.
  func run(_ call: (tjhandle?) -> Int32) -> TurboJPEGMessage? {
    guard call(handle) != 0 else { return nil }
    let message = TurboJPEGMessage(handle)
    renew()
    return message
  }

  private func renew() {
    if let handle { tjDestroy(handle) }
    handle = tjInitDecompress()
  }

  /// Decodes by `call`, which passes bytes, their number and flags on, and judges libjpeg's messages.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - header: The header of the file.
  ///   - acceptDamaged: Whether to keep libjpeg's result for a damaged file.
  ///   - call: Decodes a whole file with a state and flags, and returns the status.
  /// - Throws: `damaged` on a warning that samples are missing, see ``JPEGWarning``; `overLimit`, `unsupported`.
  func decode(
    _ bytes: UnsafeRawBufferPointer,
    header: JPEGHeader,
    acceptDamaged: Bool,
    _ call: (tjhandle?, UnsafePointer<UInt8>?, UInt, Int32) -> Int32
  ) throws(ImagingError) {
    let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    func decode(_ flags: Int32) -> TurboJPEGMessage? {
      run { call($0, start, UInt(bytes.count), flags | TJFLAG_LIMITSCANS) }
    }
    if !header.definesTables(in: bytes) { renew() }
    guard let message = decode(TJFLAG_STOPONWARNING) else { return }
    // libjpeg tells only its first warning. One about a header would hide those about samples; behind padding before
    // the end marker there are none.
    if message.meaning == .oddValue, let usual = try JPEGHeader.withUsualValues(bytes, usual) {
      defer { self.usual.release() }
      return try self.decode(usual, header: header, acceptDamaged: acceptDamaged, call)
    }
    let error = message.error
    let isWhole = message.meaning == .harmless || message.meaning == .oddValue
    guard isWhole || (acceptDamaged && error.code == .damaged) else { throw error }
    if let message = decode(0), !message.isWarning { throw message.error }
  }
}
