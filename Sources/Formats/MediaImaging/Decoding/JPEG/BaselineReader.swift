import MediaContainers

/// Reads a baseline JPEG at an eighth or a quarter of its size, and nothing else, quickly.
///
/// At that size a block of 64 coefficients gives one sample or four: these are decoded, and the
/// others are only skipped, several at a time. Only valid files are read. For unusual or invalid
/// files the result is nil, and libjpeg-turbo decodes the file or reports the damage.
///
/// Source: ITU-T T.81 annexes B and F; the means of scaled inverse DCTs as in jidctred.c (1×1).
final class BaselineReader {
  private let dcTables = (0..<4).map { _ in HuffmanTable() }
  private let acTables = (0..<4).map { _ in HuffmanTable() }
  private let buffer = PlaneBuffer()

  /// Releases buffers that are larger than `byteCount`.
  func trim(above byteCount: Int) {
    if buffer.capacity > byteCount { buffer.release() }
  }

  /// Decodes planes.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - header: The header of the file.
  ///   - eighths: The scale in eighths, 1 or 2.
  ///   - sizes: The sizes of the requested planes, at most those of the file's blocks.
  /// - Returns: Planes that are valid until the next call, or nil if another decoder is needed.
  /// - Throws: `overLimit` if memory runs out.
  func planes(
    of bytes: UnsafeRawBufferPointer,
    header: JPEGHeader,
    eighths: Int,
    sizes: [(width: Int, height: Int)]
  ) throws(ImagingError) -> [PixelPlane]? {
    let bytes = bytes.assumingMemoryBound(to: UInt8.self)
    guard let start = bytes.baseAddress, eighths == 1 || eighths == 2,
      !header.hasStrayBytes, !header.frame.isProgressive,
      let scan = BaselineScan(bytes, header, dcTables, acTables)
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
