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

  private static let table = HeaderTable.little([
    .init("idReserved", 0, 2, 0...0), .init("idType", 2, 2, 1...1),
    .init("idCount", 4, 2, 1...1024),
  ])
  private static let entry = HeaderTable.little([
    .init("wPlanes", 4, 2, 0...1), .init("dwBytesInRes", 8, 4, 17...Int(UInt32.max)),
    .init("dwImageOffset", 12, 4),
  ])
  private static let png = HeaderTable.big([
    .init("Width", 16, 4, 1...Int(Int32.max)), .init("Height", 20, 4, 1...Int(Int32.max)),
  ])
  /// The height counts the mask too.
  private static let bitmap = HeaderTable.little([
    .init("biSize", 0, 4, 40...40), .init("biWidth", 4, 4, 1...65_536),
    .init("biHeight", 8, 4, 2...131_072),
    .init("biBitCount", 14, 2, 1...1, 4...4, 8...8, 16...16, 24...24, 32...32),
  ])

  package init?(of source: ByteSource) {
    guard let count = Self.table.read(source)?["idCount"], source.has(16 * count, at: 6) else {
      return nil
    }
    let end = 6 + 16 * count
    entries = stride(from: 6, to: end, by: 16).compactMap { Self.entry(at: $0, end, of: source) }
    // Four bytes of signature are few: the directory has to lead to a picture.
    let largest = entries.max {
      ($0.size.width * $0.size.height, $0.bitCount) < ($1.size.width * $1.size.height, $1.bitCount)
    }
    guard let largest else { return nil }
    self.largest = largest
  }

  private static func entry(at directory: Int, _ first: Int, of source: ByteSource) -> Entry? {
    guard let fields = entry.read(source, at: directory) else { return nil }
    let (start, length) = (fields["dwImageOffset"], fields["dwBytesInRes"])
    guard start >= first, start < source.length else { return nil }
    let isPNG = source.holds(PNG.signature, at: start)
    guard let picture = (isPNG ? png : bitmap).read(source, at: start) else { return nil }
    return Entry(
      size: isPNG
        ? picture.size("Width", "Height")
        : PixelSize(width: picture["biWidth"], height: picture["biHeight"] / 2),
      range: start..<min(start + length, source.length),
      isPNG: isPNG,
      directory: directory..<(directory + 16),
      bitCount: isPNG ? 32 : picture["biBitCount"],
      isCut: length > source.length - start
    )
  }

  package func missingPart(of source: ByteSource) -> String? {
    entries.contains { $0.isCut } ? "a picture" : nil
  }
}
