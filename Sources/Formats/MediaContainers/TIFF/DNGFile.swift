/// A directory of a DNG: the first entry of each tag whose value lies within the file.
package struct DNGDirectory {
  /// The entries in the order of the file.
  package let entries: [TIFFEntry]
  /// The range from the number of entries to the offset of the next directory.
  package let range: Range<Int>
  /// Whether no directory follows, and no tag occurs twice or lacks its value.
  package let isPlain: Bool
  private let source: ByteSource
  private let order: ByteOrder

  fileprivate init?(at offset: Int, of block: TIFFBlock) {
    guard let extent = block.extent(ofDirectoryAt: offset),
      let count = block.source.uint16(at: extent.lowerBound, order: block.order),
      extent.count == 2 + 12 * count, extent.upperBound + 4 <= block.range.upperBound
    else { return nil }
    var entries: [TIFFEntry] = []
    var seen: Set<Int> = []
    block.forEachEntry(ofDirectoryAt: offset) { entry in
      if seen.insert(entry.tag).inserted { entries.append(entry) }
    }
    self.entries = entries
    range = extent.lowerBound..<(extent.upperBound + 4)
    isPlain = entries.count == count && block.directory(after: offset) == nil
    (source, order) = (block.source, block.order)
  }

  /// Returns the entry of a tag.
  package subscript(tag: Int) -> TIFFEntry? { entries.first { $0.tag == tag } }

  /// Returns the numbers of a BYTE, SHORT, LONG or IFD tag; nil for other types, and for more than
  /// `limit`.
  package func numbers(_ tag: Int, limit: Int = 16) -> [Int]? {
    guard let entry = self[tag], entry.count <= limit, [1, 3, 4, 13].contains(entry.type),
      let size = TIFFBlock.size(ofType: entry.type)
    else { return nil }
    var numbers: [Int] = []
    for index in 0..<entry.count {
      let offset = entry.value.lowerBound + size * index
      guard let number = source.number(at: offset, count: size, order: order) else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  /// Returns the only number of a tag.
  package func number(_ tag: Int) -> Int? { numbers(tag, limit: 1)?.first }

  /// Returns the bytes of a tag's value, at most `limit`.
  package func bytes(_ tag: Int, limit: Int = 1 << 20) -> [UInt8]? {
    self[tag].flatMap { source.bytes(in: $0.value, limit: limit) }
  }
}

/// The directories of a DNG that describe pictures: the first one, and those that it points to as
/// SubIFDs. Of a chain only the first directory counts, as the specification says.
///
/// Source: Adobe, Digital Negative Specification 1.6, chapter 2; TIFF 6.0 Technical Note 1.
package struct DNGFile {
  /// A DNG has a few; more are not read.
  private static let maximumCount = 32

  /// The byte order of the file.
  package let order: ByteOrder
  /// The first directory, which also has the tags of the camera's profile.
  package let image: DNGDirectory
  /// The directories of SubIFDs.
  package let pictures: [DNGDirectory]

  /// Reads the directories.
  ///
  /// - Throws: `damaged` when there is none, or one ends early, comes twice or is not in the file;
  ///   `overLimit` for more than 32.
  package init(of source: ByteSource) throws(MetadataError) {
    guard let block = TIFFBlock(source, 0..<source.length),
      let first = DNGDirectory(at: block.firstDirectory, of: block)
    else { throw MetadataError(.damaged, "a directory that ends early") }
    (order, image) = (block.order, first)
    let offsets =
      first[TIFFTag.subIFDs] == nil
      ? [] : first.numbers(TIFFTag.subIFDs, limit: Self.maximumCount)
    guard let offsets else { throw MetadataError(.overLimit, "too many pictures in a DNG") }
    var pictures: [DNGDirectory] = []
    for offset in offsets {
      let isNew = !([first] + pictures).contains { $0.range.lowerBound == offset }
      guard isNew, let directory = DNGDirectory(at: offset, of: block) else {
        throw MetadataError(.damaged, "a directory that ends early")
      }
      pictures.append(directory)
    }
    self.pictures = pictures
  }
}

/// Tells whether values of a DNG have exactly the length that their own numbers give.
package enum DNGStructures {
  /// The area of most operations: four borders, the planes and two pitches.
  private static let area = 32

  /// Returns the length of the parameters of the operation with this number, which stand at
  /// `start`; nil for one that is not known.
  ///
  /// Source: Digital Negative Specification 1.6, chapter 7, Opcode List Processing.
  private static func length(of operation: Int, at start: Int, in source: ByteSource) -> Int? {
    // The numbers are the file's own: their product must not overflow.
    let number = { (offset: Int) in min(source.uint32(at: start + offset) ?? 0, 1 << 19) }
    return switch operation {
    case 1: 4 + 48 * number(0) + 16
    case 2: 4 + 32 * number(0) + 16
    case 3: 56
    case 4: 8
    case 5: 12 + 8 * number(4) + 16 * number(8)
    case 6: 16
    case 7: area + 4 + 2 * number(area)
    case 8: area + 4 + 8 * (number(area) + 1)
    case 9: area + 44 + 4 * number(area) * number(area + 4) * number(area + 40)
    case 10...13: area + 4 + 4 * number(area)
    default: nil
    }
  }

  /// Returns whether a list of operations has only known ones, each with its own parameters and
  /// nothing more. It is big-endian in every file.
  package static func isOperationList(_ range: Range<Int>, of source: ByteSource) -> Bool {
    guard range.count >= 4, let count = source.uint32(at: range.lowerBound), count <= 1024 else {
      return false
    }
    var position = range.lowerBound + 4
    for _ in 0..<count {
      guard range.upperBound - position >= 16, let operation = source.uint32(at: position),
        let length = source.uint32(at: position + 12), length <= range.upperBound - position - 16,
        Self.length(of: operation, at: position + 16, in: source) == length
      else { return false }
      position += 16 + length
    }
    return position == range.upperBound
  }

  /// Returns whether a ProfileGainTableMap has as many gains as it states.
  ///
  /// With `isSecond` it has the form of DNG 1.7: the kind of number, a gamma, and the least and the
  /// greatest gain precede them.
  ///
  /// Source: Digital Negative Specification 1.7, ProfileGainTableMap and ProfileGainTableMap2.
  package static func isGainTable(
    _ range: Range<Int>,
    of source: ByteSource,
    order: ByteOrder,
    isSecond: Bool = false
  ) -> Bool {
    let start = range.lowerBound
    let head = isSecond ? 80 : 64
    // A byte, two bytes, and floats of two and four bytes.
    let sizes = [0: 1, 1: 2, 2: 2, 3: 4]
    let kind = isSecond ? source.uint32(at: start + 64, order: order) : 3
    guard range.count > head, let size = kind.flatMap({ sizes[$0] }),
      let rows = source.uint32(at: start, order: order),
      let columns = source.uint32(at: start + 4, order: order),
      let points = source.uint32(at: start + 40, order: order),
      max(rows, columns, points) < 1 << 16
    else { return false }
    return range.count == head + size * rows * columns * points
  }
}
