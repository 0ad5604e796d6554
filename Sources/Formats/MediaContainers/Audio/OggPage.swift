/// A page of an Ogg.
///
/// Source: RFC 3533 section 6.
package struct OggPage {
  /// The range of the page with its header.
  package var range: Range<Int>
  /// The range of the segment table, which holds the length of each segment.
  var lacing: Range<Int>
  /// The flags: 1 continues a packet, 2 begins a stream, 4 ends one.
  package var flags: UInt8
  /// The granule position at the end of the last complete packet, in the codec's unit; all ones
  /// when no packet ends on the page.
  package var granule: UInt64
  /// The serial number of the stream.
  package var serial: UInt32
  /// The sequence number of the page.
  package var sequence: UInt32

  /// The length of the header in bytes, without its segment table.
  package static let fixedLength = 27

  /// The range of the page data.
  package var body: Range<Int> { lacing.upperBound..<range.upperBound }
  /// Whether the page begins a stream.
  package var isFirst: Bool { flags & 2 != 0 }
  /// Whether the page continues a packet.
  package var isContinued: Bool { flags & 1 != 0 }

  /// Parses a complete page at `offset`; nil when there is none. The checksum is not verified.
  package init?(of source: ByteSource, at offset: Int) {
    guard source.holds("OggS", at: offset), source.byte(at: offset + 4) == 0,
      let flags = source.byte(at: offset + 5),
      let granule = source.unsigned(at: offset + 6, count: 8, order: .little),
      let serial = source.uint32(at: offset + 14, order: .little),
      let sequence = source.uint32(at: offset + 18, order: .little),
      let count = source.uint8(at: offset + 26)
    else { return nil }
    lacing = (offset + Self.fixedLength)..<(offset + Self.fixedLength + count)
    guard let sizes = source.bytes(in: lacing, limit: 255) else { return nil }
    range = offset..<(lacing.upperBound + sizes.reduce(0) { $0 + Int($1) })
    guard range.upperBound <= source.length else { return nil }
    self.flags = flags
    self.granule = granule
    self.serial = UInt32(serial)
    self.sequence = UInt32(sequence)
  }

  /// Returns whether the stored checksum matches the bytes of the page.
  package func isWhole(in source: ByteSource) -> Bool {
    var sum = CRC.oggPage
    sum.add(range.prefix(22), of: source)
    sum.add([0, 0, 0, 0])
    sum.add(range.dropFirst(26), of: source)
    return source.uint32(at: range.lowerBound + 22, order: .little) == Int(sum.value)
  }

  /// Returns the packet fragments on the page, and whether each ends its packet.
  package func pieces(of source: ByteSource) -> [(range: Range<Int>, isEnd: Bool)] {
    var pieces: [(range: Range<Int>, isEnd: Bool)] = []
    var start = body.lowerBound
    var end = start
    for size in source.bytes(in: lacing, limit: 255) ?? [] {
      end += Int(size)
      guard size < 255 else { continue }
      pieces.append((start..<end, true))
      start = end
    }
    if start < end {
      pieces.append((start..<end, false))
    }
    return pieces
  }
}

/// The pages of an Ogg with a correct checksum, in order.
package struct OggPages {
  /// A part of the file.
  package enum Part {
    /// A page with a correct checksum.
    case page(OggPage)
    /// Bytes that decoders skip to find the next page.
    case other(Range<Int>)
  }

  /// The maximum number of false page starts; each costs a checksum of up to 64 KiB.
  private static var maximumMisses: Int { 4096 }

  private let source: ByteSource
  private var position = 0
  private var misses = 0

  /// Starts at the first byte of `source`.
  package init(_ source: ByteSource) {
    self.source = source
  }

  /// Returns the next part, or nil at the end.
  ///
  /// - Throws: `overLimit` for thousands of pages with a wrong checksum.
  package mutating func next() throws(MetadataError) -> Part? {
    guard position < source.length else { return nil }
    let start = position
    while position < source.length {
      if let page = OggPage(of: source, at: position) {
        if page.isWhole(in: source) {
          guard start == position else { return .other(start..<position) }
          position = page.range.upperBound
          return .page(page)
        }
        misses += 1
        guard misses <= Self.maximumMisses else {
          throw MetadataError(.overLimit, "pages with wrong checksums")
        }
      }
      let searched = (position + 1)..<max(position + 1, source.length)
      position = source.firstOffset(of: [0x4F], in: searched) ?? source.length
    }
    return .other(start..<source.length)
  }
}
