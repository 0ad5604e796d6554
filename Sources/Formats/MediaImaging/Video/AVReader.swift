internal import CAV
import MediaModel

/// A video or a sound in memory, opened by FFmpeg.
///
/// Reads the bytes that it is given and nothing else: what a file names outside itself is not opened.
///
/// Source: avformat_open_input, avio_alloc_context, avcodec_send_packet, sws_scale (FFmpeg 5.1).
final class AVReader {
  /// How ``nextPicture(before:)`` goes on after a seek.
  enum Mode: Int32 {
    /// Each key frame, decoded alone; the frames between cost nothing.
    case keyFrames = 0
    case allFrames = 1
    /// Those too whose references are missing.
    case brokenFrames = 2
  }

  private let library: AVLibrary
  let pointer: OpaquePointer
  private var isProbed = false

  private init(library: AVLibrary, pointer: OpaquePointer) {
    self.library = library
    self.pointer = pointer
  }

  deinit { cav_close(pointer) }

  /// Reads a file's headers.
  ///
  /// - Parameters:
  ///   - request: Its bytes must outlive the reader; only the demuxer of its format is tried, and
  ///     pictures above its limit of pixels are refused, whenever one comes.
  ///   - library: Does the work.
  ///   - demuxer: FFmpeg's name of the format, if it is not that of a video or a sound.
  /// - Returns: A reader that has no stream selected.
  /// - Throws: `damaged`, `overLimit`; `unsupported` for what is no video or sound.
  static func open(
    _ request: DecodeRequest,
    library: AVLibrary,
    demuxer: String? = nil
  ) throws(ImagingError) -> AVReader {
    let bytes = request.bytes
    guard let demuxer = demuxer ?? request.libraryName, let base = bytes.baseAddress else {
      throw ImagingError(bytes.isEmpty ? .damaged : .unsupported, request.format.rawValue)
    }
    var result: Int32 = 0
    let pointer = cav_open(
      library.pointer,
      base.assumingMemoryBound(to: UInt8.self),
      bytes.count,
      demuxer,
      Int64(request.limits.item.pixels),
      &result
    )
    guard let pointer else { throw error(result, "the container (\(demuxer))") }
    return AVReader(library: library, pointer: pointer)
  }

  static func error(_ result: Int32, _ step: String) -> ImagingError {
    switch UInt32(bitPattern: result) {
    case CAV_UNSUPPORTED.rawValue: ImagingError(.unsupported, step)
    case CAV_OVER_LIMIT.rawValue: ImagingError(.overLimit, step)
    default: ImagingError(.damaged, step)
    }
  }

  /// What the container says of each stream, in its order.
  var streams: [cav_stream] {
    (0..<cav_stream_count(pointer)).map { index in
      var stream = cav_stream()
      cav_describe(pointer, index, &stream)
      return stream
    }
  }

  /// Of the whole file; nil when it does not say.
  var durationMilliseconds: Int? {
    let duration = cav_duration_ms(pointer)
    return duration > 0 ? Int(duration) : nil
  }

  /// Learns from the first packets what the headers do not say; later calls do nothing.
  ///
  /// A second avformat_find_stream_info of FFmpeg 5.1 reads through a null pointer where a stream has no decoder,
  /// such as a track of text.
  func probe() {
    if isProbed { return }
    isProbed = true
    cav_probe(pointer)
  }

  /// How a stream's pictures are turned; nil when it does not say.
  func orientation(of index: Int) -> Orientation? {
    var matrix: [Int32] = [0, 0, 0, 0]
    guard cav_display_matrix(pointer, Int32(index), &matrix) else { return nil }
    return Orientation(displayMatrix: matrix)
  }

  /// Opens one stream's decoder.
  ///
  /// - Parameters:
  ///   - index: Of ``streams``.
  ///   - eighths: The smallest scale that is enough; few decoders can make use of it.
  /// - Throws: `unsupported`, `overLimit`, `damaged`.
  func select(_ index: Int, eighths: Int = 8) throws(ImagingError) {
    let result = cav_select(pointer, Int32(index), Int32(eighths))
    guard result == 0 else { throw Self.error(result, streams[index].name) }
  }

  /// Decodes all pictures from here on, none of which a seek may pass over.
  func readAll() { cav_read_all(pointer) }

  /// Goes to the last key frame that is not later than `milliseconds`.
  ///
  /// - Returns: Whether there is one.
  func seek(to milliseconds: Int, mode: Mode) -> Bool {
    cav_seek(pointer, Int64(milliseconds), mode.rawValue) == 0
  }

  /// Decodes the next picture.
  ///
  /// - Parameter end: In milliseconds from the start; no picture of a later packet is decoded.
  /// - Returns: Nil after the last.
  /// - Throws: `overLimit` without memory. Damage is passed over.
  func nextPicture(before end: Int) throws(ImagingError) -> cav_picture? {
    var picture = cav_picture()
    let result = cav_next_picture(pointer, Int64(end), &picture)
    if result == Int32(CAV_OVER_LIMIT.rawValue) { throw Self.error(result, "memory for decoding") }
    return result == 0 ? picture : nil
  }

  /// Whether there was nothing but key frames since the last seek.
  var sawOnlyKeyFrames: Bool { cav_saw_only_key_frames(pointer) }

  /// Resizes the last picture.
  ///
  /// - Parameters:
  ///   - matrix: Of ISO/IEC 23091-2.
  ///   - isFullRange: Whether black is 0, not 16.
  ///   - bits: Of a sample of the result, 8 or 16.
  ///   - size: Of the result.
  ///   - pixels: Room for rows of R'G'B'A without gaps.
  /// - Throws: `unsupported` for pixels that cannot be read, `overLimit`, `damaged`.
  func resize(
    matrix: Int32,
    isFullRange: Bool,
    bits: Int,
    to size: PixelSize,
    into pixels: UnsafeMutableRawPointer
  ) throws(ImagingError) {
    let result = cav_resize(
      pointer,
      matrix,
      isFullRange,
      Int32(bits),
      Int32(size.width),
      Int32(size.height),
      pixels,
      Int32(size.width * bits / 2)
    )
    guard result == 0 else { throw Self.error(result, "the conversion of its pixels") }
  }

  /// Decodes the next frame of sound.
  ///
  /// - Parameters:
  ///   - period: Milliseconds; with 0 everything is decoded.
  ///   - part: Of each period, its first milliseconds are decoded.
  /// - Returns: Nil after the last.
  /// - Throws: `overLimit` without memory. Damage is passed over.
  func nextAudio(period: Int = 0, part: Int = 0) throws(ImagingError) -> cav_audio? {
    var audio = cav_audio()
    let result = cav_next_audio(pointer, Int64(period), Int64(part), &audio)
    if result == Int32(CAV_OVER_LIMIT.rawValue) { throw Self.error(result, "memory for decoding") }
    return result == 0 ? audio : nil
  }

  /// Measures samples of the last sound, all channels together.
  func level(from first: Int, count: Int) -> cav_level {
    cav_measure(pointer, Int32(first), Int32(count))
  }
}

extension Orientation {
  /// From the upper left of a display matrix: where the stored x and y axis go.
  ///
  /// Turns that are no multiple of 90° are taken for the nearest one, as players do.
  ///
  /// Source: ISO/IEC 14496-12 section 6.2.2 (matrix a, b, u, c, d, v, x, y, w).
  init(displayMatrix matrix: [Int32]) {
    let (a, b, c, d) = (Int(matrix[0]), Int(matrix[1]), Int(matrix[2]), Int(matrix[3]))
    let isTransposed = abs(b) + abs(c) > abs(a) + abs(d)
    switch (isTransposed, isTransposed ? c < 0 : a < 0, isTransposed ? b < 0 : d < 0) {
    case (false, false, false): self.init(1)
    case (false, true, false): self.init(2)
    case (false, true, true): self.init(3)
    case (false, false, true): self.init(4)
    case (true, false, false): self.init(5)
    case (true, true, false): self.init(6)
    case (true, true, true): self.init(7)
    case (true, false, true): self.init(8)
    }
  }
}

extension cav_stream {
  /// FFmpeg's name of the codec, at most 31 printable characters; empty when it knows none.
  var name: String {
    withUnsafeBytes(of: codec) { bytes in
      String(decoding: bytes.prefix { (0x21...0x7E).contains($0) }, as: UTF8.self)
    }
  }
}
