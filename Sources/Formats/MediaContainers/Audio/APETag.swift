/// An APE tag of version 1 or 2: its location and its items.
///
/// Source: Hydrogenaudio knowledge base, "APEv2 specification", "APE Tags Header", "APE Tag Item".
package struct APETag {
  private static let maximumItems = 4096
  /// The longest value that is read, in bytes.
  package static let maximumValue = 1 << 16

  /// The range of the tag, with its header and footer if it has them.
  package var range: Range<Int>
  private var items: Range<Int>

  /// Parses a complete tag whose header is at `offset`; nil when there is none.
  package init?(of source: ByteSource, at offset: Int) {
    guard source.holds("APETAGEX", at: offset), let flags = source.byte(at: offset + 23),
      flags & 0x20 != 0, let length = source.uint32(at: offset + 12, order: .little),
      length >= 32, offset + 32 + length <= source.length
    else { return nil }
    range = offset..<(offset + 32 + length)
    items = (offset + 32)..<(offset + length)
  }

  /// Parses a tag whose footer ends at `end` and that begins at or after `start`; nil when there
  /// is none.
  package init?(of source: ByteSource, endingAt end: Int, notBefore start: Int) {
    let footer = end - 32
    guard source.holds("APETAGEX", at: footer), let flags = source.byte(at: footer + 23),
      flags & 0x20 == 0, let length = source.uint32(at: footer + 12, order: .little),
      length >= 32, length <= end
    else { return nil }
    let isHeaded = flags & 0x80 != 0
    let first = end - length - (isHeaded ? 32 : 0)
    guard first >= start else { return nil }
    range = first..<end
    items = (end - length)..<footer
  }

  /// Calls `body` with the key and the range of the value of each item.
  package func forEachItem(
    of source: ByteSource,
    _ body: (_ key: String, _ value: Range<Int>) -> Void
  ) {
    var offset = items.lowerBound
    var count = 0
    while count < Self.maximumItems, items.upperBound - offset > 8,
      let length = source.uint32(at: offset, order: .little),
      let end = source.firstOffset(of: [0], in: (offset + 8)..<min(items.upperBound, offset + 264)),
      length < items.upperBound - end,
      let key = source.bytes(in: (offset + 8)..<end, limit: 256)
    {
      count += 1
      body(String(decoding: key, as: UTF8.self), (end + 1)..<(end + 1 + length))
      offset = end + 1 + length
    }
  }
}
