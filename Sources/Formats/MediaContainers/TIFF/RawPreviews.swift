package import MediaModel

private typealias Tag = TIFFTag

/// The JPEG previews of a raw file with a TIFF structure.
///
/// Source: TIFF 6.0 section 8 and Technical Note 2; DNG 1.6 (SubIFDs, NewSubFileType); exiftool
/// `lib/Image/ExifTool/PanasonicRaw.pm` (JpgFromRaw), `Olympus.pm` (CameraSettings).
package struct RawPreviews {
  /// A JPEG preview.
  package struct Preview {
    /// The range of the JPEG in the source.
    package var range: Range<Int>
    /// The size in pixels.
    package var size: PixelSize
  }

  /// The preview with the most pixels.
  package private(set) var largest: Preview?
  /// The size of the largest picture that a directory describes, in any coding.
  package private(set) var describedSize: PixelSize?
  /// The size of the main picture of a DNG: the largest that no directory calls a reduced one, a mask
  /// or an enhanced one.
  package private(set) var mainSize: PixelSize?
  private let block: TIFFBlock

  /// Searches the directories of `block` for previews.
  package init(_ block: TIFFBlock) {
    self.block = block
    for offset in TIFFDirectories(block) { read(directoryAt: offset) }
  }

  /// Returns the size in the header of a displayable JPEG; nil for lossless JPEG, in which sensor
  /// data are stored, and for data that are not JPEG.
  package static func size(of source: ByteSource) -> PixelSize? {
    guard let header = try? JPEGHeader(of: source), header.frame.isDecodable,
      header.pixelSize.height > 0
    else { return nil }
    return header.pixelSize
  }

  /// Reads a directory and adds its previews.
  private mutating func read(directoryAt offset: Int) {
    var numbers: [Int: Int] = [:]
    block.forEachEntry(ofDirectoryAt: offset) { entry in
      switch entry.tag {
      // The tags are JPEGInterchangeFormat and its length, and StripOffsets and StripByteCounts of
      // a single strip.
      case Tag.jpegInterchangeFormat, Tag.jpegInterchangeFormatLength:
        numbers[entry.tag] = block.number(entry)
      case Tag.stripOffsets where entry.count == 1, Tag.stripByteCounts where entry.count == 1:
        numbers[entry.tag] = block.number(entry)
      case Tag.newSubfileType, Tag.imageWidth, Tag.imageLength, Tag.compression:
        numbers[entry.tag] = block.number(entry)
      case Tag.panasonicPreview: add(entry.value)
      default: break
      }
    }
    if let width = numbers[Tag.imageWidth], let height = numbers[Tag.imageLength], width > 0,
      height > 0,
      width < 1 << 20, height < 1 << 20
    {
      let size = PixelSize(width: width, height: height)
      if Self.isLarger(size, than: describedSize) { describedSize = size }
      if numbers[Tag.newSubfileType] ?? 0 == 0, Self.isLarger(size, than: mainSize) {
        mainSize = size
      }
    }
    if let start = numbers[Tag.jpegInterchangeFormat],
      let length = numbers[Tag.jpegInterchangeFormatLength]
    {
      add(start, length)
    }
    if [6, 7, 99].contains(numbers[Tag.compression] ?? 0), let start = numbers[Tag.stripOffsets],
      let length = numbers[Tag.stripByteCounts]
    {
      add(start, length)
    }
  }

  private mutating func add(_ start: Int, _ length: Int) {
    guard start > 0, length > 0, start <= block.range.count else { return }
    let first = block.range.lowerBound + start
    add(first..<(first + min(length, block.range.upperBound - first)))
  }

  private mutating func add(_ range: Range<Int>) {
    guard let size = Self.size(of: ByteSource(block.source, range)) else { return }
    guard Self.isLarger(size, than: largest?.size) else { return }
    largest = Preview(range: range, size: size)
  }

  private static func isLarger(_ size: PixelSize, than other: PixelSize?) -> Bool {
    other.map { size.width * size.height > $0.width * $0.height } ?? true
  }
}
