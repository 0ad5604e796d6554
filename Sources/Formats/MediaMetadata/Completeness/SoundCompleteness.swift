import MediaContainers

/// Tells whether sounds of frames or pages have as many as they say.
///
/// Source: Gabriel Bouvigne, "MP3 Info Tag rev 1"; Fraunhofer IIS, VBRI header; RFC 9639 section 8.2;
/// RFC 3533 section 6; ISO/IEC 14496-3 section 1.A.2 (`aac_frame_length`).
enum SoundCompleteness {
  /// The frames that an MP3 may have fewer than its header says: some writers count the header too.
  private static let frameTolerance = 1

  /// Returns whether an MP3 has fewer frames than its Xing or VBRI header counts.
  static func missingPart(ofMP3 source: ByteSource) -> String? {
    let trailing = TrailingTags(of: source, behind: LeadingTags(of: source).end)
    guard let summary = try? MP3Summary(of: source, trailing: trailing),
      let claimed = summary.information?.claimedFrameCount
    else { return nil }
    let missing = claimed - summary.frameCount
    guard missing > frameTolerance || missing > 0 && summary.hasCutFrame else { return nil }
    return "frames that its header counts"
  }

  /// Returns whether AAC without a container ends within a frame, whose header states its length. How many
  /// frames there are is stated nowhere.
  static func missingPart(ofADTS source: ByteSource) -> String? {
    let trailing = TrailingTags(of: source, behind: LeadingTags(of: source).end)
    var parts = ADTSParts(source, trailing: trailing)
    while let (part, _) = parts.next() {
      if case .cutFrame = part { return "the end of a frame" }
    }
    return nil
  }

  /// Returns whether a FLAC ends before the last sample that STREAMINFO counts, or within a frame.
  static func missingPart(ofFLAC source: ByteSource) -> String? {
    guard let container = try? FLACContainer(of: source) else { return nil }
    let end = TrailingTags(of: source, behind: container.audio).start
    let count = container.streamInfo.sampleCount
    let windows = count > 0 ? lastFrameWindows : []
    if windows.contains(where: { endsWithLastFrame(container, end, within: $0, of: source) }) {
      return nil
    }
    // Bytes behind the last frame are no reason to fail: all frames are counted.
    var frames = FLACFrames(source, container: container, limit: end)
    do throws(MetadataError) { try frames.passAll() } catch { return "the end of a frame" }
    return frames.sampleCount < count ? "frames that STREAMINFO counts" : nil
  }

  /// The bytes at the end of a FLAC in which its last frame is looked for: those of a usual frame, then
  /// those of nearly every frame.
  private static let lastFrameWindows = [1 << 15, 1 << 19]

  /// Returns whether the last frame of the stream ends where the audio does. Only this frame is read.
  private static func endsWithLastFrame(
    _ container: FLACContainer,
    _ end: Int,
    within window: Int,
    of source: ByteSource
  ) -> Bool {
    let info = container.streamInfo
    var search = max(container.audio, end - window)
    while let offset = source.firstOffset(of: [0xFF], in: search..<end) {
      search = offset + 1
      guard let frame = FLACFrame(of: source, at: offset) else { continue }
      let number = Int(clamping: frame.number)
      let first = info.sampleCount - frame.blockSize
      // Early writers number blocks of several lengths by sample too.
      let isLast =
        number == first && (frame.isVariable || info.isVariable)
        || !frame.isVariable && number.multipliedReportingOverflow(by: info.blockSize).0 == first
      guard first >= 0, isLast,
        let frameEnd = FLACFrameEnd.find(
          frame,
          of: source,
          at: offset,
          limit: end,
          bitsPerSample: info.bitsPerSample
        ), frameEnd == end
      else { continue }
      var sum = CRC.flacFrame
      sum.add(offset..<end, of: source)
      if sum.value == 0 { return true }
    }
    return false
  }

  /// Returns whether an Ogg ends within a page, or within a packet that another page has to continue.
  ///
  /// A recording of a broadcast has no page that ends its stream, so that flag is not asked for.
  static func missingPart(ofOgg source: ByteSource) -> String? {
    var position = 0
    var last: OggPage?
    while position < source.length {
      if let page = OggPage(of: source, at: position) {
        last = page
        position = page.range.upperBound
        continue
      }
      // A page follows the one before it without a gap.
      if last?.range.upperBound == position, isCutPage(at: position, of: source) {
        return "the end of a page"
      }
      position = source.firstOffset(of: [0x4F], in: (position + 1)..<source.length) ?? source.length
    }
    guard let last, last.flags & 4 == 0, !last.body.isEmpty,
      source.byte(at: last.body.lowerBound - 1) == 255
    else { return nil }
    return "the end of a packet"
  }

  /// Returns whether the head of a page begins there, and the page ends behind the file.
  private static func isCutPage(at position: Int, of source: ByteSource) -> Bool {
    let left = source.length - position
    guard source.holds(String("OggS".prefix(left)), at: position) else { return false }
    let lacing = position + OggPage.fixedLength
    guard let count = source.uint8(at: lacing - 1),
      let sizes = source.bytes(in: lacing..<(lacing + count), limit: 255)
    else { return true }
    return sizes.reduce(lacing + count) { $0 + Int($1) } > source.length
  }
}
