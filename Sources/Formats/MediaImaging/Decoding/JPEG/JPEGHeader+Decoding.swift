import MediaContainers
import MediaModel

extension JPEGHeader {
  /// Reads the header of a picture that will be decoded.
  ///
  /// - Throws: `damaged` if the frame header or the scan is missing or impossible.
  init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) {
    do throws(MetadataError) {
      self = try JPEGHeader(of: ByteSource(bytes))
    } catch {
      throw ImagingError(.damaged, error.detail)
    }
    guard scan != nil else { throw ImagingError(.damaged, "no scan") }
    guard frame.areFactorsValid else { throw ImagingError(.damaged, "sampling factors") }
  }

  /// The number of 8×8 blocks of all components, as stored.
  var blockCount: Int {
    guard let widest = frame.components.map(\.horizontal).max(),
      let tallest = frame.components.map(\.vertical).max()
    else { return 0 }
    let columns = (pixelSize.width + 8 * widest - 1) / (8 * widest)
    let rows = (pixelSize.height + 8 * tallest - 1) / (8 * tallest)
    return frame.components.reduce(0) { $0 + columns * rows * $1.horizontal * $1.vertical }
  }

  /// Returns the number of scans, by counting SOS markers; entropy-coded data holds no such marker.
  func scanCount(in bytes: UnsafeRawBufferPointer) -> Int {
    var count = 0
    var offset = scan?.range.lowerBound ?? bytes.count
    while offset + 1 < bytes.count {
      if bytes[offset] == 0xFF, bytes[offset + 1] == JPEGMarker.sos { count += 1 }
      offset += 1
    }
    return count
  }

  /// Copies the file without the bytes between the segments before its first scan.
  ///
  /// - Returns: The copy, valid as long as the buffer holds it.
  /// - Throws: `overLimit` if memory runs out.
  func withoutStrayBytes(
    _ bytes: UnsafeRawBufferPointer,
    _ buffer: PlaneBuffer
  ) throws(ImagingError) -> UnsafeRawBufferPointer {
    let memory = try buffer.reserve(bytes.count)
    let clean = UnsafeMutableRawBufferPointer(start: memory, count: bytes.count)
    var count = 0
    func append(_ range: Range<Int>) {
      UnsafeMutableRawBufferPointer(rebasing: clean[count...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
      count += range.count
    }
    append(0..<2)
    for segment in JPEGSegments(ByteSource(bytes)) { append(segment.range) }
    append((scan?.range.lowerBound ?? bytes.count)..<bytes.count)
    return UnsafeRawBufferPointer(rebasing: clean[..<count])
  }
}
