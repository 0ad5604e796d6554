/// An entry of a TIFF directory whose value lies within its block.
package struct TIFFEntry {
  /// The tag number.
  package var tag: Int
  /// The field type: 1 BYTE, 2 ASCII, 3 SHORT, 4 LONG, 5 RATIONAL …
  package var type: Int
  /// The number of values.
  package var count: Int
  /// The range of the value's bytes in the source.
  package var value: Range<Int>

  /// Creates an entry from its parts.
  package init(tag: Int, type: Int, count: Int, value: Range<Int>) {
    self.tag = tag
    self.type = type
    self.count = count
    self.value = value
  }
}

/// A TIFF structure, which is either a whole file or a block inside another file; every offset
/// counts from its start.
///
/// Source: TIFF 6.0 section 2.
package struct TIFFBlock {
  /// The longest block inside another file that is read, in bytes.
  package static let maximumEmbeddedLength = 1 << 20

  /// The maximum number of entries read from one directory.
  private static var maximumEntries: Int { 4096 }

  /// The source that holds the block.
  package let source: ByteSource
  /// The range that offsets may point to.
  package let range: Range<Int>
  /// The byte order of the block.
  package let order: ByteOrder
  /// The offset of the first directory from the start of the block.
  package let firstDirectory: Int

  /// Parses the TIFF header at the start of `range`; nil when there is none.
  package init?(_ source: ByteSource, _ range: Range<Int>) {
    let start = range.lowerBound
    guard start >= 0, range.upperBound <= source.length, range.count >= 8 else { return nil }
    let order: ByteOrder
    if source.holds("II", at: start) {
      order = .little
    } else if source.holds("MM", at: start) {
      order = .big
    } else {
      return nil
    }
    guard source.uint16(at: start + 2, order: order) == 42,
      let first = source.uint32(at: start + 4, order: order)
    else { return nil }
    self.init(source, range, order: order, firstDirectory: first)
  }

  /// Creates a block whose byte order and first directory are already known.
  package init(_ source: ByteSource, _ range: Range<Int>, order: ByteOrder, firstDirectory: Int) {
    self.source = source
    self.range = range
    self.order = order
    self.firstDirectory = firstDirectory
  }

  /// Returns the range in the source of the directory at `offset`, limited to the bytes that
  /// exist; nil when not even its count does.
  package func extent(ofDirectoryAt offset: Int) -> Range<Int>? {
    let start = range.lowerBound + offset
    // An offset of 0 means that there is no directory, and a directory cannot overlap the header.
    guard offset >= 8, range.count - offset >= 2,
      let count = source.uint16(at: start, order: order)
    else { return nil }
    let room = (range.upperBound - start - 2) / 12
    return start..<(start + 2 + 12 * min(count, room, Self.maximumEntries))
  }

  /// Calls `body` with each entry of the directory at `offset` whose value is complete.
  ///
  /// - Returns: Whether the directory exists.
  @discardableResult
  package func forEachEntry(ofDirectoryAt offset: Int, _ body: (TIFFEntry) -> Void) -> Bool {
    guard let extent = extent(ofDirectoryAt: offset) else { return false }
    var place = extent.lowerBound + 2
    while place < extent.upperBound {
      if let field = field(at: place), let value = field.value {
        body(TIFFEntry(tag: field.tag, type: field.type, count: field.count, value: value))
      }
      place += 12
    }
    return true
  }

  /// Returns the offset of the directory after the one at `offset`, or nil after the last one.
  package func directory(after offset: Int) -> Int? {
    guard let extent = extent(ofDirectoryAt: offset), extent.upperBound + 4 <= range.upperBound,
      let next = source.uint32(at: extent.upperBound, order: order), next != 0
    else { return nil }
    return next
  }

  /// Returns the first value of a BYTE, SHORT, LONG or IFD entry, or nil for an entry of another
  /// type.
  package func number(_ entry: TIFFEntry) -> Int? {
    switch entry.type {
    case 1 where entry.count >= 1: source.uint8(at: entry.value.lowerBound)
    case 3 where entry.count >= 1: source.uint16(at: entry.value.lowerBound, order: order)
    case 4 where entry.count >= 1, 13 where entry.count >= 1:
      source.uint32(at: entry.value.lowerBound, order: order)
    default: nil
    }
  }

  /// Returns the entry at `place` in the source, whose value may be incomplete; nil outside the
  /// source.
  func field(at place: Int) -> TIFFFileField? {
    guard let tag = source.uint16(at: place, order: order),
      let type = source.uint16(at: place + 2, order: order),
      let count = source.uint32(at: place + 4, order: order)
    else { return nil }
    var field = TIFFFileField(tag: tag, type: type, count: count, value: nil)
    guard let size = Self.size(ofType: type) else { return field }
    let length = count * size
    if length <= 4 {
      field.value = (place + 8)..<(place + 8 + length)
    } else if let offset = source.uint32(at: place + 8, order: order),
      offset <= range.count, range.count - offset >= length
    {
      let start = range.lowerBound + offset
      field.value = start..<(start + length)
    }
    return field
  }

  /// Returns the number of bytes of one value of `type`.
  package static func size(ofType type: Int) -> Int? {
    switch type {
    case 1, 2, 6, 7: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12: 8
    default: nil
    }
  }
}

/// The offsets of the directories of a TIFF structure, first the chain and then what it points to
/// as SubIFDs; at most 32, and none twice.
///
/// Source: TIFF 6.0 section 2 and Technical Note 1 (SubIFDs).
struct TIFFDirectories: Sequence, IteratorProtocol {
  private static var maximumCount: Int { 32 }

  private let block: TIFFBlock
  private var pending: [Int]
  private var seen: Set<Int> = []

  init(_ block: TIFFBlock) {
    self.block = block
    pending = [block.firstDirectory]
  }

  mutating func next() -> Int? {
    while let offset = pending.popLast() {
      guard seen.count < Self.maximumCount, seen.insert(offset).inserted else { continue }
      block.forEachEntry(ofDirectoryAt: offset) { entry in
        guard entry.tag == 0x014A, entry.type == 4 || entry.type == 13 else { return }
        pending += (0..<Swift.min(entry.count, 8)).compactMap {
          block.source.uint32(at: entry.value.lowerBound + 4 * $0, order: block.order)
        }
      }
      if let next = block.directory(after: offset) { pending.append(next) }
      return offset
    }
    return nil
  }
}

/// The offsets of the pages of a TIFF or BigTIFF, in the order of their chain.
///
/// Source: TIFF 6.0 section 2; the BigTIFF design (libtiff).
package struct TIFFPages: Sequence, IteratorProtocol {
  private let source: ByteSource
  private let order: ByteOrder
  private let isBig: Bool
  private var offset = 0
  private var seen: Set<Int> = []
  /// The reason why the chain ends without an end: a page is not in the file as a whole, or comes
  /// again.
  package private(set) var damage: MetadataError?

  /// Creates a sequence; it is empty when the bytes are no TIFF.
  package init(_ source: ByteSource) {
    self.source = source
    order = source.holds("MM", at: 0) ? .big : .little
    isBig = source.uint16(at: 2, order: order) == 43
    offset = source.number(at: isBig ? 8 : 4, count: isBig ? 8 : 4, order: order) ?? 0
  }

  /// Returns the offset of the next page, of which at least the number of entries exists.
  package mutating func next() -> Int? {
    guard offset != 0 else { return nil }
    let (page, sizes) = (offset, isBig ? (count: 8, entry: 20) : (count: 2, entry: 12))
    offset = 0
    guard seen.insert(page).inserted else {
      damage = MetadataError(.damaged, "directories in a loop")
      return nil
    }
    let entries = page < 8 ? nil : source.number(at: page, count: sizes.count, order: order)
    let next = entries.flatMap { entries in
      let end = page + sizes.count + sizes.entry * Swift.min(entries, source.length)
      return source.number(at: end, count: isBig ? 8 : 4, order: order)
    }
    if let next {
      offset = next
    } else {
      damage = MetadataError(.damaged, "a directory that ends early")
    }
    return entries == nil ? nil : page
  }
}
