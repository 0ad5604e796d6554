import MediaContainers
import MediaModel

/// Provides a PNG's filtered rows, from the first.
protocol PNGRowSource: AnyObject {
  /// Returns the next row.
  ///
  /// - Parameter count: The number of bytes in the row without its filter byte.
  /// - Returns: The filter byte and the row, which the caller changes in place; nil if the row is
  ///   missing. Valid until the row after the next is requested.
  func next(_ count: Int) -> UnsafeMutablePointer<UInt8>?
}

/// Provides rows that are all in memory.
final class PNGWholeRows: PNGRowSource {
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private var offset = 0

  init(_ bytes: UnsafeMutableBufferPointer<UInt8>) { self.bytes = bytes }

  func next(_ count: Int) -> UnsafeMutablePointer<UInt8>? {
    guard offset + count + 1 <= bytes.count else { return nil }
    defer { offset += count + 1 }
    return bytes.baseAddress.map { $0 + offset }
  }
}

/// Provides rows that are inflated one by one.
final class PNGStreamedRows: PNGRowSource {
  private let stream: ZlibStream
  private let buffers = [PlaneBuffer(), PlaneBuffer()]
  private var index = 0

  /// Creates a stream over the picture's data.
  init(_ data: ByteSource) throws(ImagingError) {
    guard let stream = ZlibStream(data) else {
      throw ImagingError(.overLimit, "no memory to inflate")
    }
    self.stream = stream
  }

  func next(_ count: Int) -> UnsafeMutablePointer<UInt8>? {
    index = 1 - index
    guard let row = try? buffers[index].reserve(count + 1) else { return nil }
    let room = UnsafeMutableBufferPointer(start: row, count: count + 1)
    return stream.read(into: room) == room.count && stream.state != .malformed ? row : nil
  }
}
