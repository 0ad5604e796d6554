import CRaw
import MediaModel

/// A raw file that LibRaw has opened; what it gives is valid as long as it is.
struct RawFile: ~Copyable {
  private let pointer: OpaquePointer
  private let byteCount: Int

  private init(pointer: OpaquePointer, byteCount: Int) {
    self.pointer = pointer
    self.byteCount = byteCount
  }

  deinit { craw_close(pointer) }

  /// - Parameter bytes: Must outlive the result.
  /// - Returns: The file, which is closed with it.
  /// - Throws: `unsupported` for a camera that LibRaw does not know, `damaged`, `overLimit`.
  static func open(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) -> RawFile {
    var status = craw_success
    guard let pointer = craw_open(bytes.baseAddress, bytes.count, &status) else {
      throw error(status, "LibRaw cannot open it")
    }
    return RawFile(pointer: pointer, byteCount: bytes.count)
  }

  var orientation: Orientation { Orientation(Int(craw_orientation(pointer))) }

  /// The largest preview; nil when there is none, or none that is a JPEG or plain pixels.
  ///
  /// - Throws: `damaged` when it is not where the file says.
  func preview() throws(ImagingError) -> craw_picture? {
    let length = craw_preview_length(pointer)
    // LibRaw takes the memory first, and reads then.
    guard length <= byteCount else { throw ImagingError(.damaged, "a preview of \(length) bytes") }
    var picture = craw_picture()
    let status = craw_preview(pointer, &picture)
    if status == craw_no_preview { return nil }
    guard status == craw_success else { throw Self.error(status, "LibRaw cannot read its preview") }
    return picture
  }

  /// The sensor's data at half its size.
  ///
  /// - Throws: `overLimit` before it is taken, `damaged`, `unsupported`.
  func develop(limits: ImagingLimits) throws(ImagingError) -> craw_picture {
    var (width, height): (Int32, Int32) = (0, 0)
    craw_sensor_size(pointer, &width, &height)
    try limits.check(width: Int(width), height: Int(height))
    var picture = craw_picture()
    // Two bytes a pixel as read, and as much again while it is developed.
    let megabytes = limits.item.pixels >> 18 + 1
    let status = craw_develop(pointer, UInt32(clamping: megabytes), &picture)
    guard status == craw_success else { throw Self.error(status, "LibRaw cannot develop it") }
    return picture
  }

  private static func error(_ status: craw_status, _ words: String) -> ImagingError {
    switch status {
    case craw_unsupported: ImagingError(.unsupported, words)
    case craw_over_limit: ImagingError(.overLimit, words)
    default: ImagingError(.damaged, words)
    }
  }
}
