/// Reads a baseline JPEG at an eighth or a quarter of its size, and nothing else, quickly.
///
/// At that size a block of 64 coefficients is one sample or four: this decodes those and only steps
/// over the others, several at a time. It takes clean files only. Whatever is unusual or
/// contradicts the format (it is nil then) is libjpeg-turbo's to decode or to call damaged.
///
/// Source: ITU-T T.81 annexes B and F; the means of scaled inverse DCTs as in jidctred.c (1×1).
final class BaselineReader {
  private let dcTables = (0..<4).map { _ in HuffmanTable.allocate() }
  private let acTables = (0..<4).map { _ in HuffmanTable.allocate() }
  private let buffer = PlaneBuffer()

  deinit { for table in dcTables + acTables { table.deallocate() } }

  /// Gives a large picture's memory back.
  func trim(above byteCount: Int) {
    if buffer.capacity > byteCount { buffer.release() }
  }

  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - header: What ``JPEGHeader`` read from them.
  ///   - eighths: 1 or 2.
  ///   - sizes: Of the planes that are wanted; at most what the file's blocks hold.
  /// - Returns: Planes that are valid until the next call, or nil: ask another decoder.
  /// - Throws: `overLimit` without memory.
  func planes(
    of bytes: UnsafeRawBufferPointer,
    header: JPEGHeader,
    eighths: Int,
    sizes: [(width: Int, height: Int)]
  ) throws(ImagingError) -> [PixelPlane]? {
    let bytes = bytes.assumingMemoryBound(to: UInt8.self)
    guard let start = bytes.baseAddress, eighths == 1 || eighths == 2,
      !header.isProgressive, let scan = BaselineScan(bytes, header, dcTables, acTables)
    else { return nil }
    let whole = scan.components.map { component in
      (
        width: scan.columns * component.horizontal * eighths,
        height: scan.rows * component.vertical * eighths
      )
    }
    guard whole.count == sizes.count,
      zip(whole, sizes).allSatisfy({ $0.width >= $1.width && $0.height >= $1.height })
    else { return nil }
    let planes = try buffer.planes(whole)
    guard scan.decode(bytes, from: start, into: planes, eighths: eighths) else { return nil }
    return zip(planes, sizes).map { $0.cropped(width: $1.width, height: $1.height) }
  }
}
