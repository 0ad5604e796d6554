import CZlib

/// Counts the bytes of text in a PNG without holding them.
///
/// A text of 200 KB can decompress to 200 MB: it is decompressed into a small window and counted,
/// up to the limit.
///
/// Source: PNG specification (third edition) section 11.3.3.
struct PNGText {
  private let limits: ImagingLimits
  private var byteCount = 0

  init(limits: ImagingLimits) { self.limits = limits }

  /// Counts the text of a chunk.
  ///
  /// - Throws: `overLimit` as soon as the text exceeds the limit.
  mutating func add(
    _ type: String,
    _ bytes: UnsafeRawBufferPointer,
    _ body: Range<Int>
  ) throws(ImagingError) {
    byteCount += body.count
    try limits.check(textByteCount: byteCount)
    guard let start = Self.compressed(type, bytes, body), let base = bytes.baseAddress else {
      return
    }
    var stream = z_stream()
    guard inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw ImagingError(.overLimit, "no memory to unpack text")
    }
    defer { inflateEnd(&stream) }
    stream.next_in = UnsafeMutablePointer(
      mutating: (base + start).assumingMemoryBound(to: UInt8.self)
    )
    stream.avail_in = UInt32(clamping: body.upperBound - start)
    var window = [UInt8](repeating: 0, count: 32 << 10)
    var status = Z_OK
    while status == Z_OK {
      window.withUnsafeMutableBufferPointer { window in
        stream.next_out = window.baseAddress
        stream.avail_out = UInt32(window.count)
        status = inflate(&stream, Z_NO_FLUSH)
      }
      byteCount += window.count - Int(stream.avail_out)
      try limits.check(textByteCount: byteCount)
      if status == Z_OK, stream.avail_in == 0, stream.avail_out > 0 { return }
    }
  }

  /// Returns the offset of the compressed text; nil for text that is not compressed.
  private static func compressed(
    _ type: String,
    _ bytes: UnsafeRawBufferPointer,
    _ body: Range<Int>
  ) -> Int? {
    guard type != "tEXt", let end = bytes[body].firstIndex(of: 0) else { return nil }
    if type == "zTXt" { return end + 2 < body.upperBound ? end + 2 : nil }
    // Compression flag and method, then a terminated language and a terminated translated keyword.
    guard end + 3 < body.upperBound, bytes[end + 1] == 1,
      let language = bytes[(end + 3)..<body.upperBound].firstIndex(of: 0),
      let keyword = bytes[(language + 1)..<body.upperBound].firstIndex(of: 0)
    else { return nil }
    return keyword + 1
  }
}
