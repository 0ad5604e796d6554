import CHEIF

/// A decoder of coded pictures that share a configuration.
///
/// Source: CHEIFStill.h.
struct HEIFStill: ~Copyable {
  /// The reduction factor from which on the codec's smoothing of block edges is skipped.
  static let roughFactor = 4

  struct Options {
    var coding: cstill_coding
    /// The content of hvcC, without its box header; nil for other codings.
    var configuration: UnsafeRawBufferPointer?
    var maximumPixelCount: Int
    var isStrict: Bool
    var isRough: Bool
  }

  private let pointer: OpaquePointer

  private init(pointer: OpaquePointer) { self.pointer = pointer }

  deinit { cstill_close(pointer) }

  /// Opens a decoder.
  ///
  /// - Parameter options: The options, whose configuration must outlive the result.
  /// - Returns: The decoder; nil without the library.
  /// - Throws: `damaged` for an invalid configuration.
  static func open(_ options: Options) throws(ImagingError) -> HEIFStill? {
    var options = cstill_options(
      coding: options.coding,
      configuration: options.configuration?.baseAddress?.assumingMemoryBound(to: UInt8.self),
      configuration_length: options.configuration?.count ?? 0,
      maximum_pixel_count: Int64(options.maximumPixelCount),
      is_strict: options.isStrict,
      is_rough: options.isRough
    )
    var status = cstill_success
    guard let pointer = cstill_open(&options, &status) else {
      if status == cstill_missing { return nil }
      throw error(status)
    }
    return HEIFStill(pointer: pointer)
  }

  /// Decodes a coded picture.
  ///
  /// - Returns: Planes that are valid until the next picture; nil if the library does not support
  ///   the picture.
  func decode(_ data: UnsafeRawBufferPointer) throws(ImagingError) -> cstill_picture? {
    var picture = cstill_picture()
    let status = cstill_decode(
      pointer,
      data.baseAddress?.assumingMemoryBound(to: UInt8.self),
      data.count,
      &picture
    )
    if status == cstill_unsupported { return nil }
    guard status == cstill_success else { throw Self.error(status) }
    return picture
  }

  private static func error(_ status: cstill_status) -> ImagingError {
    status == cstill_over_limit
      ? ImagingError(.overLimit, "pixels of a coded picture, or memory for them")
      : ImagingError(.damaged, "a coded picture that cannot be decoded")
  }
}

extension HEIFItems {
  /// Calls `body` with an item's bytes, joined if they have several ranges.
  ///
  /// - Throws: `damaged` if bytes are missing, or more than the file has; the errors of `body`.
  func withData<Value>(
    of item: Int,
    _ body: (UnsafeRawBufferPointer) throws(ImagingError) -> Value
  ) throws(ImagingError) -> Value {
    guard let ranges = ranges(of: item), let first = ranges.first else {
      throw ImagingError(.damaged, "the file ends before its picture does")
    }
    if ranges.count == 1 {
      return try body(UnsafeRawBufferPointer(rebasing: bytes[first]))
    }
    // Ranges may overlap; a picture larger than the file is invalid.
    let count = ranges.reduce(0) { $0 + $1.count }
    guard count <= bytes.count else {
      throw ImagingError(.damaged, "a picture of \(count) bytes in \(bytes.count)")
    }
    let joined = ranges.flatMap { bytes[$0] }
    return try joined.withUnsafeBufferPointer { (joined) throws(ImagingError) in
      try body(UnsafeRawBufferPointer(joined))
    }
  }
}
