/// A block: the frames of one track that share a timestamp.
///
/// Source: RFC 9559 section 10.
package struct MatroskaBlock {
  /// The maximum number of frames in a block.
  private static let maximumFrames = 256

  /// The number of the track.
  package var track: Int
  /// The time after that of the cluster, in its units.
  package var time: Int
  /// The flags: 0x80 keyframe (of a SimpleBlock), 0x08 invisible, 0x06 lacing, 0x01 discardable
  /// (of a SimpleBlock).
  package var flags: UInt8
  /// The offset of the flags.
  package var flagsOffset: Int
  /// The ranges of the frames, which follow one another up to the end of the block.
  package var frames: [Range<Int>]

  /// Whether several frames share the block, so that their lengths are written in it.
  package var isLaced: Bool { flags & 6 != 0 }

  /// Reads the block in `data`.
  ///
  /// - Throws: `damaged` when the lengths of its frames do not fit.
  package init(of source: ByteSource, in data: Range<Int>) throws(MetadataError) {
    let damaged = MetadataError(.damaged, "a block that ends early")
    let start = data.lowerBound
    guard let (number, length) = EBMLElement.number(at: start, isIdentifier: false, of: source),
      let track = Int(exactly: number), data.count >= length + 3,
      let time = source.uint16(at: start + length), let flags = source.byte(at: start + length + 2)
    else { throw damaged }
    (self.track, self.flags, flagsOffset) = (track, flags, start + length + 2)
    self.time = Int(Int16(truncatingIfNeeded: time))
    frames = []
    var position = start + length + 3
    guard flags & 6 != 0 else {
      frames = [position..<data.upperBound]
      return
    }
    guard let last = source.uint8(at: position), position < data.upperBound else { throw damaged }
    position += 1
    guard last < Self.maximumFrames else { throw damaged }
    var lengths: [Int] = []
    if flags & 6 == 4 {
      let (each, remainder) = (data.upperBound - position).quotientAndRemainder(dividingBy: last + 1)
      guard remainder == 0 else { throw damaged }
      lengths = [Int](repeating: each, count: last)
    } else {
      var before = 0
      for index in 0..<last {
        before =
          flags & 6 == 2
          ? try Self.sum(at: &position, before: data.upperBound, of: source)
          : try Self.difference(at: &position, after: index == 0 ? nil : before, of: source)
        guard before >= 0, before <= data.count else { throw damaged }
        lengths.append(before)
      }
    }
    for length in lengths {
      guard length <= data.upperBound - position else { throw damaged }
      frames.append(position..<(position + length))
      position += length
    }
    guard position <= data.upperBound else { throw damaged }
    frames.append(position..<data.upperBound)
  }

  /// Reads a length as the sum of its bytes, of which the last is below 255.
  private static func sum(
    at position: inout Int,
    before end: Int,
    of source: ByteSource
  ) throws(MetadataError) -> Int {
    var sum = 0
    while position < end, let byte = source.uint8(at: position) {
      position += 1
      sum += byte
      if byte < 255 { return sum }
    }
    throw MetadataError(.damaged, "a block that ends early")
  }

  /// Reads a length as a number, or as the difference from the one before.
  private static func difference(
    at position: inout Int,
    after before: Int?,
    of source: ByteSource
  ) throws(MetadataError) -> Int {
    guard
      let (value, length) = EBMLElement.number(at: position, isIdentifier: false, of: source),
      let number = Int(exactly: value)
    else { throw MetadataError(.damaged, "a block that ends early") }
    position += length
    guard let before else { return number }
    return before + number - (1 << (7 * length - 1) - 1)
  }
}
