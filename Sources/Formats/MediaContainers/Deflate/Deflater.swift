import CDeflate

/// Makes zlib streams of bytes that are in memory as a whole.
///
/// Source: RFC 1950; libdeflate_zlib_compress (libdeflate 1.14).
package final class Deflater {
  private let compressor: OpaquePointer

  /// Creates a deflater; nil when memory runs out.
  ///
  /// - Parameter level: The effort, 0 to 12.
  package init?(level: Int) {
    guard let compressor = libdeflate_alloc_compressor(Int32(clamping: level)) else { return nil }
    self.compressor = compressor
  }

  deinit { libdeflate_free_compressor(compressor) }

  /// Returns the stream whose content is `bytes`.
  package func stream(of bytes: [UInt8]) -> [UInt8] {
    let bound = libdeflate_zlib_compress_bound(compressor, bytes.count)
    return [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
      count = libdeflate_zlib_compress(compressor, bytes, bytes.count, buffer.baseAddress, buffer.count)
    }
  }
}
