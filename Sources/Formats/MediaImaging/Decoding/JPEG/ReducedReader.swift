import MediaContainers

/// Reads a JPEG coded by Huffman's method, baseline or progressive, at an eighth or a quarter of its size, and nothing
/// else, quickly and in little memory.
///
/// At that size a block of 64 coefficients gives one sample or four: these are decoded, and the
/// others are only skipped, several at a time. Only valid files are read. For unusual or invalid
/// files the result is nil, and libjpeg-turbo decodes the file or reports the damage.
///
/// Source: ITU-T T.81 annexes B, F and G; the means of scaled inverse DCTs as in jidctred.c (1×1).
final class ReducedReader {
  private let dcTables = (0..<4).map { _ in HuffmanTable() }
  private let acTables = (0..<4).map { _ in HuffmanTable() }
  private let buffer = PlaneBuffer()
  /// The coefficients of a progressive picture.
  private let blocks = PlaneBuffer()

  /// Releases buffers that are larger than `byteCount`.
  func trim(above byteCount: Int) {
    for buffer in [buffer, blocks] where buffer.capacity > byteCount { buffer.release() }
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
    guard let start = bytes.baseAddress, eighths == 1 || eighths == 2, !header.hasStrayBytes else {
      return nil
    }
    let coding = CodingTables(dcTables: dcTables, acTables: acTables)
    if header.frame.marker == 0xC2 {
      guard var picture = try ProgressivePicture(header, coding, blocks), picture.read(bytes, from: start)
      else {
        // libjpeg needs eight times as much.
        blocks.release()
        return nil
      }
      return try planes(picture.blockSizes, eighths, sizes) {
        picture.write(to: $0, eighths: eighths)
        return true
      }
    }
    guard let scan = BaselineScan(bytes, header, coding) else { return nil }
    let blockSizes = scan.components.map { component in
      (width: scan.columns * component.horizontal, height: scan.rows * component.vertical)
    }
    return try planes(blockSizes, eighths, sizes) {
      scan.decode(bytes, from: start, into: $0, eighths: eighths)
    }
  }

  /// Returns planes of whole blocks, filled and then cropped; nil when they are too small, or `fill` returns false.
  private func planes(
    _ blockSizes: [(width: Int, height: Int)],
    _ eighths: Int,
    _ sizes: [(width: Int, height: Int)],
    fill: ([PixelPlane]) -> Bool
  ) throws(ImagingError) -> [PixelPlane]? {
    let whole = blockSizes.map { (width: $0.width * eighths, height: $0.height * eighths) }
    guard whole.count == sizes.count,
      zip(whole, sizes).allSatisfy({ $0.width >= $1.width && $0.height >= $1.height })
    else { return nil }
    let planes = try buffer.planes(whole)
    guard fill(planes) else { return nil }
    return zip(planes, sizes).map { $0.cropped(width: $1.width, height: $1.height) }
  }
}
