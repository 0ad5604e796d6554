/// The segment index of a fragmented movie, updated to the lengths in the output.
///
/// Source: ISO/IEC 14496-12 section 8.16.3 (sidx).
package struct MovieIndex {
  private let source: ByteSource
  private let head: [UInt8]
  private let version: Int
  /// The offsets in the source at which the referenced parts start, followed by the end of the
  /// last one.
  package private(set) var borders: [Int] = []
  /// The references to parts: whether each is an index, and its duration and starting information.
  private var entries: [(isIndex: Bool, timing: [UInt8])] = []
  /// The identifier of the stream that the index refers to.
  package let identifier: Int

  /// Parses a sidx box.
  ///
  /// - Throws: `damaged` when it violates its format.
  package init(_ box: ISOBox, of source: ByteSource) throws(MetadataError) {
    self.source = source
    var fields = ISOFields(source, box.body, "sidx")
    version = try fields.number(4) >> 24
    guard version <= 1 else { throw fields.damaged }
    identifier = try fields.number(4)
    head = identifier.bytes(4) + (try fields.bytes(version == 1 ? 12 : 8))
    var position = box.range.upperBound
    let first = try fields.number(version == 1 ? 8 : 4)
    guard first <= source.length - position else { throw fields.damaged }
    position += first
    borders.append(position)
    let count = try fields.number(4) & 0xFFFF
    for _ in 0..<count {
      let reference = try fields.number(4)
      position += reference & 0x7FFF_FFFF
      borders.append(position)
      entries.append((reference >> 31 == 1, try fields.bytes(8)))
    }
  }

  /// Returns the whole box with updated lengths.
  ///
  /// - Parameters:
  ///   - end: The offset in the output at which the box ends.
  ///   - moved: Returns the output offset of a box boundary in the source.
  /// - Returns: Nil when a reference points into the middle of a box, which makes the index
  ///   useless.
  package func box(endingAt end: Int, _ moved: (Int) -> Int?) -> [UInt8]? {
    var offsets: [Int] = []
    for border in borders {
      guard let offset = moved(border), offset >= (offsets.last ?? end) else { return nil }
      offsets.append(offset)
    }
    let first = offsets[0] - end
    var body = head + first.bytes(version == 1 ? 8 : 4)
    body += entries.count.bytes(4)
    for (index, entry) in entries.enumerated() {
      let length = offsets[index + 1] - offsets[index]
      guard length <= 0x7FFF_FFFF else { return nil }
      body += (entry.isIndex ? length | 1 << 31 : length).bytes(4) + entry.timing
    }
    return ISOWriter.full("sidx", version: UInt8(version), body)
  }

  /// The length of the box in bytes, independent of its position.
  package var length: Int { 12 + head.count + (version == 1 ? 8 : 4) + 4 + 12 * entries.count }
}
