import MediaContainers
import MediaModel

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
    guard let start = Self.compressed(type, bytes, body) else { return }
    guard let stream = ZlibStream(ByteSource(ByteSource(bytes), start..<body.upperBound)) else {
      throw ImagingError(.overLimit, "no memory to unpack text")
    }
    byteCount += stream.count(limit: limits.item.textBytes - byteCount)
    try limits.check(textByteCount: byteCount)
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
