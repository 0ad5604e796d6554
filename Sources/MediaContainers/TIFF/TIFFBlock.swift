/// One entry of a TIFF directory whose value lies within its block.
package struct TIFFEntry {
  package var tag: Int
  /// 1 BYTE, 2 ASCII, 3 SHORT, 4 LONG, 5 RATIONAL …
  package var type: Int
  package var count: Int
  /// Where the value's bytes are, in the source.
  package var value: Range<Int>
}

/// A TIFF structure: a whole file, or a block inside of another one, where every offset counts from
/// the block's start.
///
/// Source: TIFF 6.0 section 2.
package struct TIFFBlock {
  /// Longest block inside another file that is read, in bytes.
  package static let maximumEmbeddedLength = 1 << 20

  /// Of a directory with more entries, the rest is not looked at.
  private static var maximumEntries: Int { 4096 }

  package let source: ByteSource
  /// The bytes that offsets may point to.
  package let range: Range<Int>
  package let order: ByteOrder
  /// Where the first directory starts, from the block's start.
  package let firstDirectory: Int

  /// Takes `range` for a block, or nil when no TIFF header stands at its start.
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

  package init(_ source: ByteSource, _ range: Range<Int>, order: ByteOrder, firstDirectory: Int) {
    self.source = source
    self.range = range
    self.order = order
    self.firstDirectory = firstDirectory
  }

  /// The bytes that the directory at `offset` takes, in the source, as far as they are there; nil
  /// when not even its count is.
  package func extent(ofDirectoryAt offset: Int) -> Range<Int>? {
    let start = range.lowerBound + offset
    // 0 is "no directory", and no directory is part of the header.
    guard offset >= 8, range.count - offset >= 2,
      let count = source.uint16(at: start, order: order)
    else { return nil }
    let room = (range.upperBound - start - 2) / 12
    return start..<(start + 2 + 12 * min(count, room, Self.maximumEntries))
  }

  /// Calls `body` with each entry of the directory at `offset` whose value is all there.
  ///
  /// - Returns: Whether there is such a directory.
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

  /// The directory that follows the one at `offset`, or nil after the last one.
  package func directory(after offset: Int) -> Int? {
    guard let extent = extent(ofDirectoryAt: offset), extent.upperBound + 4 <= range.upperBound,
      let next = source.uint32(at: extent.upperBound, order: order), next != 0
    else { return nil }
    return next
  }

  /// A SHORT or LONG, or nil for an entry of another type.
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
