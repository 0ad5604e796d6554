package import MediaModel

/// The header of a Minolta MRW, whose blocks are followed by the sensor's data.
///
/// Source: exiftool `lib/Image/ExifTool/MinoltaRaw.pm`; LibRaw, parse_minolta.
package struct MinoltaRaw {
  /// The size of the picture in pixels.
  package let size: PixelSize
  /// The range of the TIFF structure with date and camera; nil when there is none.
  package let tiff: Range<Int>?
  /// The range of the sensor's data, which may end behind the file; nil when they are stored in an
  /// unknown way.
  package let samples: Range<Int>?

  private static let maximumBlocks = 64

  /// Reads the blocks; nil for a file without the one that describes the sensor.
  package init?(of source: ByteSource) {
    guard source.holds([0, 0x4D, 0x52, 0x4D], at: 0), let length = source.uint32(at: 4) else { return nil }
    let end = 8 + length
    var sensor: Range<Int>?
    var tiff: Range<Int>?
    var position = 8
    for _ in 0..<Self.maximumBlocks where position <= end - 8 {
      guard let count = source.uint32(at: position + 4), count <= end - position - 8 else { break }
      let block = (position + 8)..<(position + 8 + count)
      if source.holds("\0PRD", at: position) { sensor = sensor ?? block }
      if source.holds("\0TTW", at: position) { tiff = tiff ?? block }
      position = block.upperBound
    }
    guard let start = sensor?.lowerBound, let rows = source.uint16(at: start + 8),
      let columns = source.uint16(at: start + 10), let height = source.uint16(at: start + 12),
      let width = source.uint16(at: start + 14), let storage = source.byte(at: start + 18),
      rows > 0, columns > 0, width > 0, height > 0
    else { return nil }
    size = PixelSize(width: width, height: height)
    self.tiff = tiff
    // 12 bits a sample, packed or in two bytes.
    let bits = [0x59: 12, 0x52: 16][storage]
    samples = bits.map { end..<(end + rows * columns * $0 / 8) }
  }
}
