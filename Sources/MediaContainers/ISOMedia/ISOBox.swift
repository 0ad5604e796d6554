/// A box of an ISO base media file, or an atom of a QuickTime file.
package struct ISOBox {
  /// The box type.
  package var type: FourCharacterCode
  /// The range of the box without size and type.
  package var body: Range<Int>

  /// Creates a box.
  package init(type: FourCharacterCode, body: Range<Int>) {
    self.type = type
    self.body = body
  }
}

/// The consecutive boxes in a range; a box that extends beyond it ends the sequence.
///
/// Source: ISO/IEC 14496-12 section 4.2.
package struct ISOBoxes: Sequence, IteratorProtocol {
  /// The maximum number of boxes in one range.
  private static var maximumCount: Int { 65_536 }

  private let source: ByteSource
  private let range: Range<Int>
  private var position: Int
  private var count = 0

  /// Starts at the first byte of `range`.
  package init(_ source: ByteSource, in range: Range<Int>) {
    self.source = source
    self.range = range.clamped(to: 0..<source.length)
    position = self.range.lowerBound
  }

  /// Returns the next box, or nil at the end.
  package mutating func next() -> ISOBox? {
    guard count < Self.maximumCount, range.upperBound - position >= 8,
      let short = source.uint32(at: position), let type = source.code(at: position + 4)
    else { return nil }
    count += 1
    var headLength = 8
    var length = short
    if short == 1 {
      guard let long = source.uint64(at: position + 8) else { return nil }
      headLength = 16
      length = long
    } else if short == 0 {
      length = range.upperBound - position
    }
    guard length >= headLength, length <= range.upperBound - position else { return nil }
    let box = ISOBox(type: type, body: (position + headLength)..<(position + length))
    position += length
    return box
  }
}

extension ISOBoxes {
  /// Returns the first box of that type.
  package static func first(
    _ type: FourCharacterCode,
    in range: Range<Int>,
    of source: ByteSource
  ) -> ISOBox? {
    ISOBoxes(source, in: range).first { $0.type == type }
  }

  /// Returns the body of the box at a path of types, following the first box of each.
  package static func body(
    at path: [FourCharacterCode],
    in range: Range<Int>,
    of source: ByteSource
  ) -> Range<Int>? {
    var range = range
    for type in path {
      guard let box = first(type, in: range, of: source) else { return nil }
      range = box.body
    }
    return range
  }
}
