import CZlib

/// Inflates a zlib stream, or raw deflate data, piece by piece; the memory it takes does not depend on
/// the stream.
///
/// The header and the checksum are read here, and zlib reads the raw data in between, so that a
/// stream that lacks only its checksum is known to be complete.
///
/// Source: RFC 1950; RFC 1951; inflate (zlib 1.2).
package final class ZlibStream {
  /// How far a stream was read.
  package enum State {
    case running
    case ended
    /// The data are invalid or end early, or the checksum is another.
    case malformed
  }

  /// Large enough for zlib, which copies the last 32 KiB of every piece, to work at full speed.
  private static let pieceLength = 256 << 10

  /// How far the stream was read.
  package private(set) var state = State.running
  /// The number of bytes read; at the end, with the checksum, although the source may lack it.
  package private(set) var position: Int

  private let source: ByteSource
  private let isRaw: Bool
  private let checksAdler: Bool
  private var adler: uLong = 1
  private let stream: UnsafeMutablePointer<z_stream>

  /// Starts at the first byte of `source`; bytes after the stream are ignored. It is nil when memory
  /// runs out.
  ///
  /// - Parameters:
  ///   - source: The bytes of the stream.
  ///   - isRaw: Whether it has neither a header nor a checksum.
  ///   - checksAdler: Whether a wrong checksum makes the stream malformed.
  package init?(_ source: ByteSource, isRaw: Bool = false, checksAdler: Bool = true) {
    self.source = source
    self.isRaw = isRaw
    self.checksAdler = checksAdler && !isRaw
    position = isRaw ? 0 : 2
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, size) == Z_OK else { return nil }
    if isRaw { return }
    let header = source.uint16(at: 0) ?? 0
    // Method 8, without a preset dictionary.
    if header % 31 != 0 || header & 0x0F20 != 0x0800 { state = .malformed }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Fills `output` and returns the number of bytes; fewer than it has room for at the end.
  package func read(into output: UnsafeMutableBufferPointer<UInt8>) -> Int {
    stream.pointee.next_out = output.baseAddress
    stream.pointee.avail_out = UInt32(clamping: output.count)
    var status = Z_OK
    while state == .running, status == Z_OK, stream.pointee.avail_out > 0 {
      status = stream.inflate(source, at: &position)
    }
    let count = output.count - Int(stream.pointee.avail_out)
    if checksAdler { adler = adler32_z(adler, output.baseAddress, count) }
    if status == Z_STREAM_END {
      let stored = source.uint32(at: position)
      if !isRaw { position += 4 }
      state = checksAdler && stored != nil && stored != Int(adler) ? .malformed : .ended
    } else if status != Z_OK {
      state = .malformed
    }
    return count
  }

  /// Inflates without keeping the content, until more than `limit` bytes are known, and returns
  /// their number.
  package func count(limit: Int) -> Int { pieces(limit: limit) { _ in } }

  /// Returns the content of the stream at the start of `source`.
  ///
  /// - Throws: `overLimit` for more than `limit` bytes; `damaged` when the stream is malformed, or
  ///   its checksum is missing, unless that may be.
  package static func content(
    of source: ByteSource,
    limit: Int,
    needsChecksum: Bool = true
  ) throws(MetadataError) -> [UInt8] {
    var content: [UInt8] = []
    guard let stream = ZlibStream(source), stream.pieces(limit: limit, { content += $0 }) <= limit
    else { throw MetadataError(.overLimit, "a zlib stream of more than \(limit) bytes") }
    guard stream.state == .ended, stream.position <= source.length || !needsChecksum else {
      throw MetadataError(.damaged, "a zlib stream that is malformed")
    }
    return content
  }

  /// Calls `body` with the content, a piece after the other, until more than `limit` bytes are known.
  ///
  /// - Returns: The number of bytes that are known.
  func pieces(limit: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Int {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.pieceLength) { piece in
      var sum = 0
      while state == .running, sum <= limit {
        let count = read(into: piece)
        sum += count
        if count > 0, sum <= limit {
          body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(piece)[..<count]))
        }
      }
      return sum
    }
  }
}

extension UnsafeMutablePointer<z_stream> {
  /// Inflates as much as is in one piece of a source.
  ///
  /// - Parameters:
  ///   - source: The compressed bytes.
  ///   - position: The first byte that is not used up.
  ///   - flush: Where zlib stops before the output is full.
  /// - Returns: zlib's status; `Z_BUF_ERROR` at the end of the source.
  func inflate(_ source: ByteSource, at position: inout Int, flush: Int32 = Z_NO_FLUSH) -> Int32 {
    source.withRun(from: position) { run in
      let bytes = run.assumingMemoryBound(to: UInt8.self)
      let count = UInt32(clamping: bytes.count)
      pointee.next_in = UnsafeMutablePointer<UInt8>(mutating: bytes.baseAddress)
      pointee.avail_in = count
      defer { position += Int(count - pointee.avail_in) }
      return bytes.isEmpty ? Z_BUF_ERROR : CZlib.inflate(self, flush)
    }
  }
}
