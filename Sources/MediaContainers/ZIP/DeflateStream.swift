import CZlib

/// Inflates raw deflate data piece by piece, in memory that does not depend on their length.
///
/// Source: RFC 1951; inflate (zlib 1.2).
final class DeflateStream {
  private static let pieceLength = 256 << 10

  private let source: ByteSource
  private let stream: UnsafeMutablePointer<z_stream>

  /// Starts at the first byte of `source`; nil when memory runs out.
  init?(_ source: ByteSource) {
    self.source = source
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, size) == Z_OK else {
      stream.deallocate()
      return nil
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Calls `body` with the content, a piece after the other.
  ///
  /// - Parameters:
  ///   - limit: The bytes after which it stops, besides a part of a piece.
  ///   - body: Takes a piece.
  /// - Returns: Whether the data have an end, and the content is not longer than `limit`.
  func pieces(limit: Int64, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.pieceLength) { piece in
      var position = 0
      var sum: Int64 = 0
      var status = Z_OK
      while status == Z_OK {
        stream.pointee.next_out = piece.baseAddress
        stream.pointee.avail_out = UInt32(piece.count)
        while status == Z_OK, stream.pointee.avail_out > 0 {
          status = source.withRun(from: position) { run in
            let bytes = run.assumingMemoryBound(to: UInt8.self)
            let count = UInt32(clamping: bytes.count)
            stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
            stream.pointee.avail_in = count
            defer { position += Int(count - stream.pointee.avail_in) }
            return bytes.isEmpty ? Z_BUF_ERROR : inflate(stream, Z_NO_FLUSH)
          }
        }
        let count = piece.count - Int(stream.pointee.avail_out)
        sum += Int64(count)
        if sum > limit { return false }
        if count > 0 {
          body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(piece)[..<count]))
        }
      }
      return status == Z_STREAM_END
    }
  }
}
