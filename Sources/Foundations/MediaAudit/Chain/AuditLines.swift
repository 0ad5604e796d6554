internal import Glibc
internal import MediaModel

/// A line of an audit file.
struct AuditLine {
  /// The offset of its first byte in the file.
  let offset: Int
  /// Without the newline; empty for a line that is longer than a record can be.
  let bytes: [UInt8]
  /// Its length in bytes, including the newline.
  let length: Int
  /// Whether a newline ends it; only a file's last line has none.
  let isTerminated: Bool

  var end: Int { offset + length }
  var hash: RecordHash { bytes.withUnsafeBytes { RecordHash(hashing: $0) } }
}

/// Reads an audit file line by line in constant memory.
struct AuditLines {
  /// The longest record that is read, in bytes: ten times what our own can become.
  static let maximumRecordBytes = 1 << 20

  private let source: any AuditBytes
  private let limit: Int
  private var buffer: [UInt8] = []
  private var start = 0
  private var bufferOffset: Int

  /// `offset` is where a line begins; bytes from `limit` on are not there for this reader.
  init(_ source: any AuditBytes, from offset: Int = 0, limit: Int? = nil) {
    self.source = source
    self.limit = min(source.size, limit ?? source.size)
    bufferOffset = max(0, offset)
  }

  /// The next line, or nil at the end.
  mutating func next() throws(AuditError) -> AuditLine? {
    let offset = bufferOffset + start
    var searched = start
    while true {
      if let newline = firstNewline(from: searched) {
        let bytes = Array(buffer[start..<newline])
        start = newline + 1
        return line(offset, bytes, length: bytes.count + 1, isTerminated: true)
      }
      searched = buffer.count
      if searched - start > Self.maximumRecordBytes {
        return try skipLongLine(offset)
      }
      let held = buffer.count - start
      guard try fill() else {
        guard held > 0 else { return nil }
        let bytes = Array(buffer[start...])
        start = buffer.count
        return line(offset, bytes, length: bytes.count, isTerminated: false)
      }
      searched = start + held
    }
  }

  private func line(
    _ offset: Int,
    _ bytes: [UInt8],
    length: Int,
    isTerminated: Bool
  ) -> AuditLine {
    AuditLine(
      offset: offset,
      bytes: bytes.count > Self.maximumRecordBytes ? [] : bytes,
      length: length,
      isTerminated: isTerminated
    )
  }

  /// Drops what is held until the newline is found: a line that no record can be is never kept.
  private mutating func skipLongLine(_ offset: Int) throws(AuditError) -> AuditLine {
    while true {
      start = buffer.count
      guard try fill() else {
        return line(offset, [], length: bufferOffset + start - offset, isTerminated: false)
      }
      if let newline = firstNewline(from: start) {
        start = newline + 1
        return line(offset, [], length: bufferOffset + start - offset, isTerminated: true)
      }
    }
  }

  /// Reads on behind what is held; false at the end of the file.
  private mutating func fill() throws(AuditError) -> Bool {
    let position = bufferOffset + buffer.count
    let count = min(1 << 18, limit - position)
    guard count > 0 else { return false }
    // Moved only when a whole read has been used up, so each byte moves at most a few times.
    buffer.removeFirst(start)
    bufferOffset += start
    start = 0
    let held = buffer.count
    let source = source
    buffer += [UInt8](repeating: 0, count: count)
    var failure: AuditError?
    let filled = buffer.withUnsafeMutableBytes { bytes in
      do throws(AuditError) {
        return try source.read(at: position, into: UnsafeMutableRawBufferPointer(rebasing: bytes[held...]))
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    buffer.removeLast(count - min(count, max(0, filled)))
    return filled > 0
  }

  private func firstNewline(from index: Int) -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard index < bytes.count, let base = bytes.baseAddress,
        let newline = memchr(base + index, Int32(UInt8.newline), bytes.count - index)
      else { return nil }
      return UnsafeRawPointer(newline) - base
    }
  }
}
