import CZlib
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
///
/// Source: inflate (zlib 1.2).
final class PNGStreamedRows: PNGRowSource {
  private let stream: UnsafeMutablePointer<z_stream>
  private let buffers = [PlaneBuffer(), PlaneBuffer()]
  private var index = 0
  private let bytes: UnsafeRawBufferPointer
  private var ranges: [Range<Int>]

  /// Creates a stream of all ranges of the bytes, one after the other.
  init(_ bytes: UnsafeRawBufferPointer, _ ranges: [Range<Int>]) throws(ImagingError) {
    self.bytes = bytes
    self.ranges = ranges.reversed()
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard inflateInit_(stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw ImagingError(.overLimit, "no memory to inflate")
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  func next(_ count: Int) -> UnsafeMutablePointer<UInt8>? {
    index = 1 - index
    guard let row = try? buffers[index].reserve(count + 1) else { return nil }
    stream.pointee.next_out = row
    stream.pointee.avail_out = UInt32(clamping: count + 1)
    while stream.pointee.avail_out > 0 {
      if stream.pointee.avail_in == 0 {
        guard let range = ranges.popLast(), let base = bytes.baseAddress else { return nil }
        stream.pointee.next_in = UnsafeMutablePointer(
          mutating: (base + range.lowerBound).assumingMemoryBound(to: UInt8.self)
        )
        stream.pointee.avail_in = UInt32(clamping: range.count)
        continue
      }
      let status = inflate(stream, Z_NO_FLUSH)
      guard status == Z_OK else {
        return status == Z_STREAM_END && stream.pointee.avail_out == 0 ? row : nil
      }
    }
    return row
  }
}

/// One of the seven passes of an interlaced picture, or the only pass of one that is not.
///
/// Source: PNG specification (third edition) section 8.2.
struct PNGPass {
  var left = 0
  var top = 0
  var stepX = 1
  var stepY = 1
  var width: Int
  var height: Int
  var rowByteCount: Int

  /// The number of bytes of the pass, filter bytes included.
  var byteCount: Int { width > 0 ? (rowByteCount + 1) * height : 0 }

  static func all(of structure: PNGStructure) -> [PNGPass] {
    let size = structure.size
    guard structure.isInterlaced else {
      return [
        PNGPass(
          width: size.width,
          height: size.height,
          rowByteCount: structure.rowByteCount(width: size.width)
        )
      ]
    }
    return [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
      (0, 1, 1, 2),
    ].map { left, top, stepX, stepY in
      let width = (size.width - left + stepX - 1) / stepX
      return PNGPass(
        left: left,
        top: top,
        stepX: stepX,
        stepY: stepY,
        width: width,
        height: (size.height - top + stepY - 1) / stepY,
        rowByteCount: structure.rowByteCount(width: width)
      )
    }
  }
}
