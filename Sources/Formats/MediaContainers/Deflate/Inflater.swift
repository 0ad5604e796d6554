import CDeflate

/// Inflates zlib streams that are in memory as a whole, in half of the time that zlib takes.
///
/// Only a stream whose content has the expected length is inflated. For all others there is zlib,
/// which goes on piece by piece and says where a stream ends.
///
/// Source: RFC 1950; libdeflate_deflate_decompress_ex (libdeflate 1.14).
package final class Inflater {
  /// The end of a stream that was inflated.
  package struct End {
    /// The number of bytes of the stream, with its checksum, although that may be missing.
    package let length: Int
    /// Whether the checksum is there, and is that of the content.
    package let hasChecksum: Bool
  }

  private let decompressor: OpaquePointer

  /// Creates an inflater; nil when memory runs out.
  package init?() {
    guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
    self.decompressor = decompressor
  }

  deinit { libdeflate_free_decompressor(decompressor) }

  /// Inflates the stream at the start of `bytes`; bytes after the stream are ignored.
  ///
  /// - Parameters:
  ///   - bytes: The stream, in one piece.
  ///   - content: Room for exactly the content.
  /// - Returns: Nil for a stream that is malformed, or has less or more content; what `content`
  ///   holds then is undefined.
  package func inflate(
    _ bytes: UnsafeRawBufferPointer,
    into content: UnsafeMutableRawBufferPointer
  ) -> End? {
    guard bytes.count > 2, !content.isEmpty else { return nil }
    let header = Int(bytes[0]) << 8 | Int(bytes[1])
    // Method 8, without a preset dictionary.
    guard header % 31 == 0, header & 0x0F20 == 0x0800 else { return nil }
    let data = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(2))
    var length = 0
    let status = libdeflate_deflate_decompress_ex(
      decompressor,
      data.baseAddress,
      data.count,
      content.baseAddress,
      content.count,
      &length,
      nil
    )
    guard status == LIBDEFLATE_SUCCESS else { return nil }
    let end = length + 2
    guard bytes.count - end >= 4 else { return End(length: end + 4, hasChecksum: false) }
    let stored = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: end, as: UInt32.self))
    let sum = libdeflate_adler32(1, content.baseAddress, content.count)
    return End(length: end + 4, hasChecksum: stored == sum)
  }
}
