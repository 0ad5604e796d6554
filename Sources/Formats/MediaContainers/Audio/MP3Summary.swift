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
  /// Whether the file ends within a frame.
  package var hasCutFrame = false
  /// The number of bytes of the descriptive frame.
  var informationLength = 0

  /// Reads all frames of an MP3.
  ///
  /// - Throws: `damaged` when there is no frame.
  package init(of source: ByteSource, trailing: TrailingTags) throws(MetadataError) {
    var parts = MP3Parts(source, trailing: trailing)
    var first: MPEGAudioFrame?
    // Players look for the description where the tags end; behind other bytes they play it as silence.
    var isDisplaced = false
    while let (part, range) = parts.next() {
      if case .cutFrame = part {
        byteCount += range.count
        hasCutFrame = true
      }
      if case .other = part { isDisplaced = true }
      guard case .frame(let frame) = part else { continue }
      if byteCount == 0, !isDisplaced,
        let header = MP3Information(frame, of: source, at: range.lowerBound)
      {
        information = header
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
