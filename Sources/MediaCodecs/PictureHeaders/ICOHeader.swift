package import MediaContainers
package import MediaModel

/// The directory of an icon, and the largest of its pictures.
///
/// Source: Microsoft, ICONDIR and ICONDIRENTRY; BITMAPINFOHEADER; PNG (3rd edition) section 11.2.1.
package struct ICOHeader: PictureHeader {
  /// A picture of the icon: a PNG, or a bitmap without its file header.
  package struct Entry {
    /// Width and height in pixels, as the picture itself states them.
    package var size: PixelSize
    /// Where the picture lies, clamped to the file.
    package var range: Range<Int>
    /// Whether the picture is a PNG.
    package var isPNG: Bool
    /// The 16 bytes of the directory.
    package var directory: Range<Int>
    fileprivate var bitCount: Int
    fileprivate var isCut: Bool
  }

  /// The picture with the most pixels, and of these the one with the most bits for each.
  package let largest: Entry
  private let entries: [Entry]

  package var size: PixelSize { largest.size }

  private static let maximumCount = 1024

  package init?(of source: ByteSource) {
    guard source.holds([0, 0, 1, 0], at: 0), let count = source.uint16(at: 4, order: .little),
      (1...Self.maximumCount).contains(count), source.has(16 * count, at: 6)
    else { return nil }
    var entries: [Entry] = []
    for index in 0..<count {
      guard let entry = Self.entry(at: 6 + 16 * index, first: 6 + 16 * count, of: source) else {
        continue
      }
      entries.append(entry)
    }
    // Four bytes of signature are few: the directory has to lead to a picture.
    let largest = entries.max {
      ($0.size.width * $0.size.height, $0.bitCount) < ($1.size.width * $1.size.height, $1.bitCount)
    }
    guard let largest else { return nil }
    self.largest = largest
    self.entries = entries
  }

  private static func entry(at directory: Int, first: Int, of source: ByteSource) -> Entry? {
    guard let planes = source.uint16(at: directory + 4, order: .little), planes <= 1,
      let length = source.uint32(at: directory + 8, order: .little),
      let start = source.uint32(at: directory + 12, order: .little), start >= first, length > 16,
      start < source.length
    else { return nil }
    let range = start..<min(start + length, source.length)
    let isCut = length > source.length - start
    if source.holds(PNG.signature, at: start) {
      guard let width = source.uint32(at: start + 16), let height = source.uint32(at: start + 20),
        width > 0, height > 0, width < 1 << 31, height < 1 << 31
      else { return nil }
      return Entry(
        size: PixelSize(width: width, height: height),
        range: range,
        isPNG: true,
        directory: directory..<(directory + 16),
        bitCount: 32,
        isCut: isCut
      )
    }
    // The height counts the mask too.
    guard source.uint32(at: start, order: .little) == 40,
      let width = source.uint32(at: start + 4, order: .little),
      let rows = source.uint32(at: start + 8, order: .little),
      let bits = source.uint16(at: start + 14, order: .little), width > 0, rows > 1,
      width <= 1 << 16, rows <= 1 << 17, [1, 4, 8, 16, 24, 32].contains(bits)
    else { return nil }
    return Entry(
      size: PixelSize(width: width, height: rows / 2),
      range: range,
      isPNG: false,
      directory: directory..<(directory + 16),
      bitCount: bits,
      isCut: isCut
    )
  }

  package func missingPart(of source: ByteSource) -> String? {
    entries.contains { $0.isCut } ? "a picture" : nil
  }
}
