/// The parts of an MP3, in order.
///
/// Source: ISO/IEC 11172-3 section 2.4.3.1 (frames follow one another; there is no container).
package struct MP3Parts {
  /// A part of an MP3.
  package enum Part {
    /// A complete audio frame.
    case frame(MPEGAudioFrame)
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
    while let found = source.firstOffset(of: [0xFF, 0x49, 0x41], in: next..<trailing.start) {
      if frame(at: found, isFirst: true) != nil || tag(at: found) != nil {
        return (other(offset..<found), found)
      }
      next = found + 1
    }
    return (other(offset..<trailing.start), trailing.start)
  }

  /// Returns the frame at `offset`; if it is of another kind than those before, or follows unknown
  /// bytes, a second frame must follow.
  private func frame(at offset: Int, isFirst: Bool = false) -> MPEGAudioFrame? {
    guard let frame = MPEGAudioFrame(of: source, at: offset),
      offset + frame.length <= trailing.start
    else { return nil }
    if frame.kind == kind, !isFirst { return frame }
    return MPEGAudio.isRun(of: source, at: offset, end: trailing.start) ? frame : nil
  }

  private func isCutFrame(at offset: Int) -> Bool {
    guard let frame = MPEGAudioFrame(of: source, at: offset), frame.kind == kind, !isBroken,
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

/// A summary of all frames of an MP3.
package struct MP3Summary {
  /// The first frame, when it describes the others instead of holding audio.
  package var information: MP3Information?
  /// The first audio frame.
  package var first: MPEGAudioFrame
  /// The number of audio frames.
  package var frameCount = 0
  /// The number of samples per channel in the audio frames.
  package var sampleCount = 0
  /// The number of bytes of all frames, including the descriptive one.
  package var byteCount = 0
  /// The number of bytes of the descriptive frame.
  var informationLength = 0

  /// Reads all frames of an MP3.
  ///
  /// - Throws: `damaged` when there is no frame.
  package init(of source: ByteSource, trailing: TrailingTags) throws(MetadataError) {
    var parts = MP3Parts(source, trailing: trailing)
    var first: MPEGAudioFrame?
    while let (part, range) = parts.next() {
      if case .cutFrame = part { byteCount += range.count }
      guard case .frame(let frame) = part else { continue }
      if byteCount == 0, let found = MP3Information(frame, of: source, at: range.lowerBound) {
        information = found
        informationLength = range.count
      } else {
        first = first ?? frame
        frameCount += 1
        sampleCount += frame.sampleCount
      }
      byteCount += range.count
    }
    guard let first else { throw MetadataError(.damaged, "no frames of MPEG audio") }
    self.first = first
  }
}
