internal import Glibc
internal import MediaFileSystem
internal import MediaModel

/// Reads an audit file line by line and hashes a piece of it at a time, on as many threads as are
/// allowed, in constant memory.
struct HashedRecords {
  private let source: any AuditBytes
  private let limit: Int
  private let threads: Int
  /// The offset of the first byte that is not in `lines`.
  private var position: Int
  private var lines: [HashedRecord] = []
  private var index = 0
  private var buffer: [UInt8] = []

  private static let pieceLength = 1 << 20
  /// Fewer bytes are hashed sooner than another thread starts.
  private static let stripeLength = 1 << 16

  /// `offset` is where a line begins; bytes from `limit` on are not there for this reader.
  init(_ source: any AuditBytes, from offset: Int = 0, limit: Int? = nil, threads: Int = 1) {
    self.source = source
    self.limit = min(source.size, limit ?? source.size)
    self.threads = threads
    position = max(0, offset)
  }

  /// The next line, or nil at the end.
  mutating func next() throws(AuditError) -> HashedRecord? {
    if index == lines.count {
      try fill()
      guard index < lines.count else { return nil }
    }
    defer { index += 1 }
    return lines[index]
  }

  private mutating func fill() throws(AuditError) {
    lines.removeAll(keepingCapacity: true)
    index = 0
    let count = min(Self.pieceLength, limit - position)
    guard count > 0 else { return }
    // Allocate only the needed size: most files are small.
    if buffer.count < count { buffer = [UInt8](repeating: 0, count: count) }
    let filled = try read(count)
    guard filled > 0 else { return }
    let ends = Self.lineEnds(in: buffer, count: filled)
    guard !ends.isEmpty else {
      // A line longer than a piece, or the file's end without a newline.
      var reader = AuditLines(source, from: position, limit: limit)
      guard let line = try reader.next() else { return }
      let digest = line.isTerminated ? line.bytes.withUnsafeBytes { HashedRecord.Digest($0) } : nil
      lines = [
        HashedRecord(
          offset: line.offset,
          length: line.length,
          isTerminated: line.isTerminated,
          digest: digest
        )
      ]
      position = line.end
      return
    }
    digest(ends)
    position += ends[ends.count - 1] + 1
  }

  private mutating func read(_ count: Int) throws(AuditError) -> Int {
    let source = source
    let position = position
    return try buffer.withUnsafeMutableBytes { bytes in
      Result { () throws(AuditError) in
        try source.read(at: position, into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<count]))
      }
    }.get()
  }

  private mutating func digest(_ ends: [Int]) {
    let stripes = min(threads, 1 + (ends.last ?? 0) / Self.stripeLength, ends.count)
    let position = position
    lines = buffer.withUnsafeBytes { bytes in
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
