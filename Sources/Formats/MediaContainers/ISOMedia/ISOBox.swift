import MediaModel

/// A box of an ISO base media file, or an atom of a QuickTime file.
package struct ISOBox {
  /// The box type.
  package var type: FourCharacterCode
  /// The range with size and type.
  package var range: Range<Int>
  /// The range without size and type.
  package var body: Range<Int>
}

/// The consecutive boxes in a range; a box that extends beyond it ends the sequence.
///
/// Source: ISO/IEC 14496-12 section 4.2.
package struct ISOBoxes: Sequence, IteratorProtocol {
  private let source: ByteSource
  private let range: Range<Int>
  private var position: Int
  private var left: Int

  /// Starts at the first byte of `range`, and ends after `limit` boxes.
  package init(_ source: ByteSource, in range: Range<Int>, limit: Int = 65_536) {
    self.source = source
    self.range = range.clamped(to: 0..<source.length)
    position = self.range.lowerBound
    left = limit
  }

  /// Returns the next box, or nil at the end.
  package mutating func next() -> ISOBox? {
    let available = range.upperBound - position
    guard left > 0, available >= 8, let short = source.uint32(at: position),
      let type = source.code(at: position + 4)
    else { return nil }
    left -= 1
    var headLength = 8
    var length = short
    if short == 1 {
      guard available >= 16, let long = source.uint64(at: position + 8) else { return nil }
      headLength = 16
      length = long
    } else if short == 0 {
      length = available
    }
    guard length >= headLength, length <= available else { return nil }
    let start = position
    position += length
    return ISOBox(type: type, range: start..<position, body: (start + headLength)..<position)
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

extension ISOBox {
  /// Returns the boxes in the body, without its first `head` bytes; as ``children(of:in:of:isStrict:)``.
  package func children(
    in source: ByteSource,
    after head: Int = 0,
    isStrict: Bool = false
  ) throws(MetadataError) -> [ISOBox] {
    let range = body.dropFirst(head)
    return try Self.children(of: type.displayName, in: range, of: source, isStrict: isStrict)
  }

  /// The maximum number of children of a box.
  private static let maximumChildren = 65_536

  /// Returns the boxes that fill `range`. Unless `isStrict`, up to eight bytes of zero may end the
  /// list, as in QuickTime.
  ///
  /// - Throws: `damaged` naming `parent` when a box extends beyond the range or bytes are left
  ///   over; `overLimit` for too many boxes.
  package static func children(
    of parent: String,
    in range: Range<Int>,
    of source: ByteSource,
    isStrict: Bool = false
  ) throws(MetadataError) -> [ISOBox] {
    var boxes: [ISOBox] = []
    var end = range.lowerBound
    for box in ISOBoxes(source, in: range, limit: maximumChildren + 1) {
      // A length of zero ends a list in QuickTime.
      if !isStrict, source.uint32(at: box.range.lowerBound) == 0 { break }
      guard boxes.count < maximumChildren else {
        throw MetadataError(.overLimit, "too many boxes in \(parent)")
      }
      boxes.append(box)
      end = box.range.upperBound
    }
    let tail = end..<range.upperBound
    let isEnd =
      !isStrict && source.bytes(in: tail, limit: 8)?.allSatisfy({ $0 == 0 }) == true
    guard tail.isEmpty || isEnd else {
      throw MetadataError(.damaged, "a box that does not fit into its \(parent)", at: end)
    }
    return boxes
  }
}

extension [ISOBox] {
  /// Returns the only box of that type, or nil.
  ///
  /// - Throws: `damaged` when there are two: readers would disagree about which one applies.
  package func only(_ type: FourCharacterCode) throws(MetadataError) -> ISOBox? {
    var match: ISOBox?
    for box in self where box.type == type {
      guard match == nil else {
        throw MetadataError(.damaged, "a second \(type.displayName)")
      }
      match = box
    }
    return match
  }

  /// Returns the only box of that type.
  ///
  /// - Throws: `damaged` when there is none or a second one.
  package func needed(_ type: FourCharacterCode, in parent: String) throws(MetadataError)
    -> ISOBox
  {
    guard let box = try only(type) else {
      throw MetadataError(.damaged, "\(parent) without \(type.displayName)")
    }
    return box
  }
}

extension FourCharacterCode {
  /// The name for display: letters, digits, hyphens, underscores and QuickTime's ©, without spaces
  /// at the end, or `box` for other bytes.
  package var displayName: String {
    var bytes = bytes
    let isTag = bytes[0] == 0xA9
    if isTag { bytes.removeFirst() }
    while bytes.last == 0x20 { bytes.removeLast() }
    let isWord = bytes.allSatisfy { $0.isASCIIAlphanumeric || "_-".utf8.contains($0) }
    guard isWord, !bytes.isEmpty else { return "box" }
    return (isTag ? "©" : "") + String(decoding: bytes, as: UTF8.self)
  }
}
