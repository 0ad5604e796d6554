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
      if let entry = entry(at: place) { body(entry) }
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

  private func entry(at place: Int) -> TIFFEntry? {
    guard let tag = source.uint16(at: place, order: order),
      let type = source.uint16(at: place + 2, order: order),
      let count = source.uint32(at: place + 4, order: order),
      let size = Self.size(ofType: type)
    else { return nil }
    let length = count * size
    if length <= 4 {
      return TIFFEntry(
        tag: tag,
        type: type,
        count: count,
        value: (place + 8)..<(place + 8 + length)
      )
    }
    guard let offset = source.uint32(at: place + 8, order: order),
      offset <= range.count, range.count - offset >= length
    else { return nil }
    let start = range.lowerBound + offset
    return TIFFEntry(tag: tag, type: type, count: count, value: start..<(start + length))
  }

  private static func size(ofType type: Int) -> Int? {
    switch type {
    case 1, 2, 6, 7: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12: 8
    default: nil
    }
  }
}
