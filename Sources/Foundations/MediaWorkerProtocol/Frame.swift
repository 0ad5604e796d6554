/// Splits a byte stream into frames: a length of four bytes, little-endian, then that many bytes.
package struct FrameReader: Sendable {
  /// The maximum number of bytes in one frame, excluding its length.
  package static let maximumLength = 1 << 20

  private let longest: Int
  private var buffer: [UInt8] = []
  private var start = 0

  /// Makes a reader without bytes.
  ///
  /// - Parameter longest: The most bytes in one frame, for the few messages that may be longer than others.
  package init(longest: Int = Self.maximumLength) { self.longest = longest }

  /// Whether every received byte belongs to a frame that was returned.
  package var isEmpty: Bool { start == buffer.count }

  /// Adds received bytes.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if start > 0, start == buffer.count || start > Self.maximumLength {
      buffer.removeSubrange(..<start)
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Returns the next whole frame, or nil until more bytes are received.
  ///
  /// - Throws: ``ProtocolError`` for an empty frame and one that is too long, before its
  ///   bytes are received.
  package mutating func next() throws(ProtocolError) -> ArraySlice<UInt8>? {
    guard buffer.count - start >= 4 else { return nil }
    let length = (0..<4).reduce(0) { $0 | Int(buffer[start + $1]) << ($1 * 8) }
    guard length > 0, length <= longest else {
      throw ProtocolError("a frame of \(length) bytes")
    }
    guard buffer.count - start - 4 >= length else { return nil }
    defer { start += 4 + length }
    return buffer[(start + 4)..<(start + 4 + length)]
  }
}

extension WireWriter {
  /// Returns the message with its length before it.
  package var frame: [UInt8] {
    var length = WireWriter()
    length.put(UInt32(bytes.count))
    return length.bytes + bytes
  }
}
