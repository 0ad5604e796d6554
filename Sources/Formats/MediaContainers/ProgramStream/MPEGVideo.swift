package import MediaModel

/// A sequence header of MPEG-1 or MPEG-2 video.
///
/// Source: ISO/IEC 11172-2 section 2.4.2.3; ITU-T H.262 sections 6.2.2.1 and 6.2.2.3.
package struct MPEGVideoSequence {
  /// The size in pixels as stored.
  package let size: PixelSize
  /// The number of frames in 1,000 seconds.
  package let frameRateMilli: Int
  /// Whether the extension of MPEG-2 follows.
  package let isMPEG2: Bool
  /// The offset behind the header, and behind the extension if there is one.
  let end: Int

  private static let rates = [23_976, 24_000, 25_000, 29_970, 30_000, 50_000, 59_940, 60_000]

  /// Reads the header at `offset`; nil for bytes that are none.
  package init?(of source: ByteSource, at offset: Int) {
    guard source.holds([0, 0, 1, 0xB3], at: offset), let sides = source.number(at: offset + 4, count: 3),
      let shape = source.uint8(at: offset + 7), let marker = source.uint8(at: offset + 10),
      let length = Self.headerLength(of: source, at: offset), sides >> 12 > 0, sides & 0xFFF > 0,
      (1...14).contains(shape >> 4), (1...Self.rates.count).contains(shape & 15), marker & 0x20 != 0
    else { return nil }
    let end = offset + length
    guard source.holds([0, 0, 1], at: end) else { return nil }
    let fields = source.number(at: end + 4, count: 3) ?? 0
    isMPEG2 = source.byte(at: end + 3) == 0xB5 && fields >> 20 == 1
    let (right, down) = isMPEG2 ? (fields >> 7 & 3, fields >> 5 & 3) : (0, 0)
    size = PixelSize(width: sides >> 12 | right << 12, height: sides & 0xFFF | down << 12)
    let rate = Self.rates[shape & 15 - 1]
    let ratio = isMPEG2 ? source.uint8(at: end + 9) ?? 0 : 0
    frameRateMilli = rate * (ratio >> 5 & 3 + 1) / (ratio & 31 + 1)
    self.end = isMPEG2 ? end + 10 : end
  }

  /// Returns the bytes that the header at `offset` has by its flags; nil for one without flags.
  ///
  /// Two matrices of 64 bytes are optional; the flag of the second is behind the first.
  package static func headerLength(of source: ByteSource, at offset: Int) -> Int? {
    guard let flags = source.uint8(at: offset + 11) else { return nil }
    let length = flags & 2 == 2 ? 76 : 12
    guard let last = source.uint8(at: offset + length - 1) else { return nil }
    return last & 1 == 1 ? length + 64 : length
  }

  /// Returns the first header in a part of a file.
  package static func first(of source: ByteSource, in range: Range<Int>) -> MPEGVideoSequence? {
    MPEGStartCodes(source, in: range).lazy.filter { $0.code == 0xB3 }
      .compactMap { MPEGVideoSequence(of: source, at: $0.offset) }.first
  }
}

/// The start codes in a part of MPEG video.
struct MPEGStartCodes: Sequence, IteratorProtocol {
  private let source: ByteSource
  private var position: Int
  private let end: Int

  init(_ source: ByteSource, in range: Range<Int>) {
    self.source = source
    (position, end) = (range.lowerBound + 2, range.upperBound)
  }

  mutating func next() -> (code: Int, offset: Int)? {
    while let mark = source.firstOffset(of: [1], in: position..<Swift.max(position, end)) {
      position = mark + 1
      if source.holds([0, 0], at: mark - 2), let code = source.uint8(at: mark + 1) {
        return (code, mark - 2)
      }
    }
    return nil
  }
}

/// A file of MPEG-1 or MPEG-2 video alone, without packets.
package struct MPEGVideoStream {
  /// The first sequence header.
  package let sequence: MPEGVideoSequence
  private let source: ByteSource

  /// Reads the header at the start; nil for a file without one, or without a picture behind it.
  package init?(of source: ByteSource) {
    guard let sequence = MPEGVideoSequence(of: source, at: 0) else { return nil }
    let follows = MPEGStartCodes(source, in: sequence.end..<(sequence.end + 1 << 16))
      .first { ![0xB2, 0xB5, 0xB8].contains($0.code) }
    guard follows?.code == 0 else { return nil }
    (self.sequence, self.source) = (sequence, source)
  }

  /// The duration by the time codes of the first and the last group of pictures, and the pictures of the last
  /// one; nil when the groups tell no time.
  package var milliseconds: Int? {
    let (head, tail) = source.searchedEnds
    var last: (offset: Int, frames: Int)?
    var pictures = 0
    for (code, offset) in MPEGStartCodes(source, in: tail) {
      if code == 0xB8, let frames = frames(ofGroupAt: offset) {
        (last, pictures) = ((offset, frames), 0)
      } else if code == 0 {
        pictures += 1
      }
    }
    guard let group = MPEGStartCodes(source, in: head).first(where: { $0.code == 0xB8 }),
      let first = frames(ofGroupAt: group.offset), let last,
      last.offset == group.offset || last.frames > first
    else { return nil }
    return (last.frames - first + pictures) * 1_000_000 / sequence.frameRateMilli
  }

  /// Returns the number of pictures since midnight by a group's time code.
  private func frames(ofGroupAt offset: Int) -> Int? {
    guard let code = source.uint32(at: offset + 4), code >> 19 & 1 == 1 else { return nil }
    let seconds = (code >> 26 & 31) * 3600 + (code >> 20 & 63) * 60 + code >> 13 & 63
    return seconds * ((sequence.frameRateMilli + 500) / 1000) + code >> 7 & 63
  }
}
