internal import Glibc
internal import MediaFileSystem
internal import MediaModel
internal import Synchronization

/// Reads an audit file line by line and hashes a piece of it at a time, on as many threads as are
/// allowed, in constant memory; on several, the next piece while the lines of one are used.
struct HashedRecords {
  private let pieces: HashedPieces
  private let threads: Int
  private var lines: [HashedRecord] = []
  private var index = 0
  private var ahead: PieceAhead?

  /// `offset` is where a line begins; bytes from `limit` on are not there for this reader.
  init(_ source: any AuditBytes, from offset: Int = 0, limit: Int? = nil, threads: Int = 1) {
    pieces = HashedPieces(source, from: offset, limit: limit, threads: threads)
    self.threads = threads
  }

  /// The next line, or nil at the end.
  mutating func next() throws(AuditError) -> HashedRecord? {
    if index == lines.count {
      if let ahead { lines = try ahead.take().get() } else { lines = try pieces.next() }
      index = 0
      guard !lines.isEmpty else { return nil }
      ahead = threads > 1 && !pieces.isAtEnd ? PieceAhead(pieces) : nil
    }
    defer { index += 1 }
    return lines[index]
  }
}

/// A piece that a thread hashes; what has begun is waited for.
private final class PieceAhead {
  private final class Piece: Sendable {
    let result = Mutex<Result<[HashedRecord], AuditError>>(.success([]))
  }

  private let piece = Piece()
  private var thread: OwnThread?

  /// Nil without a thread.
  init?(_ pieces: HashedPieces) {
    // Nobody uses them before the thread has ended.
    nonisolated(unsafe) let pieces = pieces
    thread = OwnThread { [piece] in
      let result = Result { () throws(AuditError) in try pieces.next() }
      piece.result.withLock { $0 = result }
    }
    if thread == nil { return nil }
  }

  deinit { wait() }

  private func wait() {
    thread?.wait()
    thread = nil
  }

  func take() -> Result<[HashedRecord], AuditError> {
    wait()
    return piece.result.withLock(\.self)
  }
}

/// Reads an audit file piece by piece.
private final class HashedPieces {
  private let source: any AuditBytes
  private let limit: Int
  private let threads: Int
  /// The offset of the first byte that was not read.
  private var position: Int
  private var buffer: [UInt8] = []

  private static let pieceLength = 1 << 20
  /// Fewer bytes are hashed sooner than another thread starts.
  private static let stripeLength = 1 << 16

  init(_ source: any AuditBytes, from offset: Int, limit: Int?, threads: Int) {
    self.source = source
    self.limit = min(source.size, limit ?? source.size)
    self.threads = threads
    position = max(0, offset)
  }

  var isAtEnd: Bool { position >= limit }

  /// The lines of the next piece; none at the end.
  func next() throws(AuditError) -> [HashedRecord] {
    let count = min(Self.pieceLength, limit - position)
    guard count > 0 else { return [] }
    // Allocate only the needed size: most files are small.
    if buffer.count < count { buffer = [UInt8](repeating: 0, count: count) }
    let filled = try read(count)
    guard filled > 0 else { return [] }
    let ends = Self.lineEnds(in: buffer, count: filled)
    guard !ends.isEmpty else {
      // A line longer than a piece, or the file's end without a newline.
      var reader = AuditLines(source, from: position, limit: limit)
      guard let line = try reader.next() else { return [] }
      let digest = line.isTerminated ? line.bytes.withUnsafeBytes { HashedRecord.Digest($0) } : nil
      position = line.end
      return [
        HashedRecord(
          offset: line.offset,
          length: line.length,
          isTerminated: line.isTerminated,
          digest: digest
        )
      ]
    }
    defer { position += ends[ends.count - 1] + 1 }
    return digests(ends)
  }

  private func read(_ count: Int) throws(AuditError) -> Int {
    let source = source
    let position = position
    return try buffer.withUnsafeMutableBytes { bytes in
      Result { () throws(AuditError) in
        try source.read(at: position, into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<count]))
      }
    }.get()
  }

  private func digests(_ ends: [Int]) -> [HashedRecord] {
    let stripes = min(threads, 1 + (ends.last ?? 0) / Self.stripeLength, ends.count)
    let position = position
    return buffer.withUnsafeBytes { bytes in
      [HashedRecord](unsafeUninitializedCapacity: ends.count) { output, count in
        // Each stripe writes its own range of lines and reads bytes that no thread writes.
        nonisolated(unsafe) let output = output
        // Read only, and there until all stripes are done.
        nonisolated(unsafe) let bytes = bytes
        @Sendable func digest(stripe: Int) {
          let range = (ends.count * stripe / stripes)..<(ends.count * (stripe + 1) / stripes)
          for number in range {
            let start = number == 0 ? 0 : ends[number - 1] + 1
            let line = UnsafeRawBufferPointer(rebasing: bytes[start..<ends[number]])
            output.initializeElement(
              at: number,
              to: HashedRecord(
                offset: position + start,
                length: line.count + 1,
                isTerminated: true,
                digest: HashedRecord.Digest(line)
              )
            )
          }
        }
        OwnThread.forEach(stripes) { digest(stripe: $0) }
        count = ends.count
      }
    }
  }

  /// Where the newlines are.
  private static func lineEnds(in buffer: [UInt8], count: Int) -> [Int] {
    var ends: [Int] = []
    buffer.withUnsafeBytes { bytes in
      var start = 0
      while start < count, let base = bytes.baseAddress,
        let newline = memchr(base + start, Int32(UInt8.newline), count - start)
      {
        let end = UnsafeRawPointer(newline) - base
        ends.append(end)
        start = end + 1
      }
    }
    return ends
  }
}
