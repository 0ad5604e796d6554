/// A box of a movie, or an atom of a QuickTime file, with its range.
package struct MovieBox {
  /// The box type.
  package var type: FourCharacterCode
  /// The range with size and type.
  package var range: Range<Int>
  /// The range without size and type.
  package var body: Range<Int>
}

/// The consecutive boxes in a range; a box that extends beyond it ends the sequence.
///
/// A fragmented recording has boxes for every fragment, so their number is not limited here: each
/// takes at least 8 bytes.
///
/// Source: ISO/IEC 14496-12 section 4.2.
package struct MovieBoxes: Sequence, IteratorProtocol {
  private let source: ByteSource
  private let range: Range<Int>
  private var position: Int

  /// Starts at the first byte of `range`.
  package init(_ source: ByteSource, in range: Range<Int>) {
    self.source = source
    self.range = range.clamped(to: 0..<source.length)
    position = self.range.lowerBound
  }

  /// Returns the next box, or nil at the end.
  package mutating func next() -> MovieBox? {
    let left = range.upperBound - position
    guard left >= 8, let short = source.uint32(at: position),
      let type = source.code(at: position + 4)
    else { return nil }
    var headLength = 8
    var length = short
    if short == 1 {
      guard left >= 16, let long = source.uint64(at: position + 8) else { return nil }
      headLength = 16
      length = long
    } else if short == 0 {
      length = left
    }
    guard length >= headLength, length <= left else { return nil }
    let start = position
    position += length
    return MovieBox(type: type, range: start..<position, body: (start + headLength)..<position)
  }
}

extension MovieBox {
  /// The maximum number of children of a box.
  private static let maximumChildren = 65_536

  /// Returns the boxes that fill `range`; QuickTime may end a list with up to eight bytes of zero.
  ///
  /// - Throws: `damaged` naming `parent` when a box extends beyond the range or bytes are left
  ///   over; `overLimit` for too many boxes.
  package static func children(
    of parent: String,
    in range: Range<Int>,
    of source: ByteSource
  ) throws(MetadataError) -> [MovieBox] {
    var boxes: [MovieBox] = []
    var end = range.lowerBound
    for box in MovieBoxes(source, in: range) {
      // A length of zero ends a list in QuickTime; otherwise only the last box of a file may have
      // it.
      if source.uint32(at: box.range.lowerBound) == 0 { break }
      guard boxes.count < maximumChildren else {
        throw MetadataError(.overLimit, "too many boxes in \(parent)")
      }
      boxes.append(box)
      end = box.range.upperBound
    }
    let rest = end..<range.upperBound
    guard rest.count <= 8, (source.bytes(in: rest, limit: 8) ?? [1]).allSatisfy({ $0 == 0 }) else {
      throw MetadataError(.damaged, "a box that does not fit into its \(parent)")
    }
    return boxes
  }
}

extension [MovieBox] {
  /// Returns the only box of that type, or nil.
  ///
  /// - Throws: `damaged` when there are two: readers would disagree about which one applies.
  package func only(_ type: FourCharacterCode) throws(MetadataError) -> MovieBox? {
    var found: MovieBox?
    for box in self where box.type == type {
      guard found == nil else {
        throw MetadataError(.damaged, "a second \(MovieNames.name(type))")
      }
      found = box
    }
    return found
  }

  /// Returns the only box of that type.
  ///
  /// - Throws: `damaged` when there is none or a second one.
  package func needed(_ type: FourCharacterCode, in parent: String) throws(MetadataError)
    -> MovieBox
  {
    guard let box = try only(type) else {
      throw MetadataError(.damaged, "\(parent) without \(MovieNames.name(type))")
    }
    return box
  }
}
