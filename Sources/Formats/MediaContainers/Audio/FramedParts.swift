/// An audio frame with a header of its own, of a file that is nothing but frames.
package protocol FramedAudio {
  /// Parses the frame header at `offset`; nil when there is none.
  init?(of source: ByteSource, at offset: Int)

  /// The length in bytes, with the header.
  var length: Int { get }
  /// The fields of the header that all frames of a stream share.
  var kind: UInt32 { get }
}

extension FramedAudio {
  /// Returns whether whole frames of one kind follow one another at `offset`, so many of them.
  static func isRun(of source: ByteSource, at offset: Int, end: Int, count: Int = 2) -> Bool {
    guard let first = Self(of: source, at: offset) else { return false }
    var position = offset
    for _ in 0..<count {
      guard let frame = Self(of: source, at: position), frame.kind == first.kind else {
        return false
      }
      position += frame.length
    }
    return position <= end
  }

  /// The maximum number of zeros, and that of other bytes behind them, before the first frame.
  /// FFmpeg's demuxer of MP3 skips as many.
  private static var maximumPadding: Int { 1 << 16 }
  /// The number of frames that follow one another where bytes may have stood in their way by chance.
  private static var minimumRun: Int { 3 }

  /// Returns whether a file is such audio: frames of one kind follow one another at the start, or
  /// behind tags, zeros, and other bytes that players skip.
  ///
  /// Two frames are enough at the start and behind a tag, and three behind zeros, or behind other
  /// bytes after a tag, where two are enough if nothing but tags follows. Other bytes at the start may be
  /// those of an archive or document in which audio lies: behind them the file has to be nothing but
  /// frames and tags.
  package static func isFound(in source: ByteSource) -> Bool {
    let tags = LeadingTags(of: source).end
    let padding = tags..<min(source.length, tags + maximumPadding)
    var start = tags
    while start < padding.upperBound, source.byte(at: start) == 0 { start += 1 }
    let isMarked = tags > 0 || start == 0
    if isRun(of: source, at: start, end: source.length, count: isMarked ? 2 : minimumRun) {
      return true
    }
    var search = start..<min(source.length, start + maximumPadding)
    while let candidate = source.firstOffset(of: [0xFF], in: search) {
      if isRun(of: source, at: candidate, end: source.length, count: minimumRun) {
        return tags > 0 || isRest(of: source, at: candidate)
      }
      let isShortRun = tags > 0 && isRun(of: source, at: candidate, end: source.length)
      if isShortRun, isRest(of: source, at: candidate) { return true }
      search = (candidate + 1)..<search.upperBound
    }
    return false
  }

  /// Returns whether nothing but frames of one kind, of which the last may be cut, and tags at the end
  /// follow from `offset` on.
  private static func isRest(of source: ByteSource, at offset: Int) -> Bool {
    let end = TrailingTags(of: source, behind: offset).start
    let kind = Self(of: source, at: offset)?.kind
    var position = offset
    while position < end {
      guard let frame = Self(of: source, at: position), frame.kind == kind else { return false }
      position += frame.length
    }
    return true
  }
}

/// The parts of an MP3.
package typealias MP3Parts = FramedParts<MPEGAudioFrame>

/// The parts of a file that is nothing but audio frames and tags, in order.
///
/// Source: ISO/IEC 11172-3 section 2.4.3.1 (frames follow one another; there is no container).
package struct FramedParts<Frame: FramedAudio> {
  /// A part of the file.
  package enum Part {
    /// A complete audio frame.
    case frame(Frame)
    /// The incomplete last frame of an interrupted recording, which decoders play as far as it
    /// exists.
    case cutFrame
    /// A tag, by its name.
    case tag(String)
    /// Bytes that no decoder plays.
    case other(String)
  }

  private let source: ByteSource
  private let trailing: TrailingTags
  private var nextTrailing = 0
  private var position = 0
  private var kind: UInt32?
  /// Whether unknown bytes lie between the current position and the last frame.
  private var isBroken = false

  /// Starts at the first byte of `source`; `trailing` are the tags at its end.
  package init(_ source: ByteSource, trailing: TrailingTags) {
    self.source = source
    self.trailing = trailing
  }

  /// Returns the next part with its range, or nil at the end; the parts cover the whole file.
  package mutating func next() -> (part: Part, range: Range<Int>)? {
    guard position < trailing.start else {
      guard nextTrailing < trailing.tags.count else { return nil }
      let tag = trailing.tags[nextTrailing]
      nextTrailing += 1
      return (.tag(tag.name), tag.range)
    }
    let start = position
    let (part, end) = part(at: start)
    position = end
    if case .frame = part { isBroken = false } else { isBroken = true }
    return (part, start..<end)
  }

  private mutating func part(at offset: Int) -> (Part, Int) {
    if let frame = frame(at: offset) {
      kind = frame.kind
      return (.frame(frame), offset + frame.length)
    }
    if let tag = tag(at: offset) { return (.tag(tag.name), tag.end) }
    if isCutFrame(at: offset) { return (.cutFrame, trailing.start) }
    // Search for the next offset at which a frame or a tag begins.
    var next = offset + 1
    while let candidate = source.firstOffset(of: [0xFF, 0x49, 0x41], in: next..<trailing.start) {
      if frame(at: candidate, isFirst: true) != nil || tag(at: candidate) != nil {
        return (other(offset..<candidate), candidate)
      }
      next = candidate + 1
    }
    return (other(offset..<trailing.start), trailing.start)
  }

  /// Returns the frame at `offset`; if it is of another kind than those before, or follows unknown
  /// bytes, a second frame must follow.
  private func frame(at offset: Int, isFirst: Bool = false) -> Frame? {
    guard let frame = Frame(of: source, at: offset),
      offset + frame.length <= trailing.start
    else { return nil }
    if frame.kind == kind, !isFirst { return frame }
    return Frame.isRun(of: source, at: offset, end: trailing.start) ? frame : nil
  }

  private func isCutFrame(at offset: Int) -> Bool {
    guard let frame = Frame(of: source, at: offset), frame.kind == kind, !isBroken,
      trailing.start - offset >= 4
    else { return false }
    return offset + frame.length > trailing.start
  }

  private func tag(at offset: Int) -> (name: String, end: Int)? {
    if let tag = ID3Tag(of: source, at: offset), tag.range.upperBound <= trailing.start {
      return ("ID3v2", tag.range.upperBound)
    }
    if let tag = APETag(of: source, at: offset), tag.range.upperBound <= trailing.start {
      return ("APE", tag.range.upperBound)
    }
    return nil
  }

  private func other(_ range: Range<Int>) -> Part {
    if source.isZero(range.prefix(1 << 16)) { return .other("padding") }
    if source.holds("TAG", at: range.lowerBound) { return .other("ID3v1") }
    return .other("bytes between frames")
  }
}
