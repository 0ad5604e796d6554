import MediaCodecs
package import MediaContainers
import MediaMetadata
import MediaModel

/// Removes everything from an MP3 that is not needed to play it.
///
/// Frames are kept as they are, but for bits that no decoder reads, which become zeros; a last frame
/// that was cut off is kept as far as it goes. Written anew is the frame that describes the others
/// (Xing, Info, VBRI), with counts and table of contents from the frames, and LAME's samples of
/// silence at both ends, so that the file still plays without gaps; its encoder, settings and loudness
/// are removed. A second such frame, of a file that was joined, becomes the silence that players make
/// of it. Removed are ID3, APE and Lyrics3 tags at any offset, and all bytes that are no frame. What
/// `except` keeps is written as an ID3v2.4 tag before the first frame.
///
/// Loudness (ReplayGain) is removed: without it, a player plays the audio as it was recorded.
package enum MP3Stripper: ContainerStripper {
  package static func strip(
    _ source: ByteSource,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    let trailing = TrailingTags(of: source, behind: LeadingTags(of: source).end)
    let summary = try MP3Summary(of: source, trailing: trailing)
    let options = builder.options
    let unused = MP3UnusedBits(of: source, trailing: trailing, hasInformation: summary.information != nil)
    let tag = builder.edits ? ID3Values.tag(options.kept(of: MP3Metadata.find(in: source))) : nil
    var audio = EditListBuilder(sourceLength: source.length, options: options)
    var copy = builder.edits ? MP3FrameCopy(without: unused) : nil
    var parts = MP3Parts(source, trailing: trailing)
    var informationRange: Range<Int>?
    var isFirst = true
    while let (part, range) = parts.next() {
      switch part {
      case .tag("ID3v2")
      where range.count == tag?.count && source.bytes(in: range, limit: range.count) == tag:
        break
      case .tag(let name): builder.remove(name) { $0.addAudioTag(name, at: range, of: source) }
      case .other(let name): builder.remove(name, at: range)
      case .frame where isFirst && summary.information != nil:
        informationRange = range
        isFirst = false
        guard !builder.edits, let information = summary.information else { continue }
        // Whether it is written as it is depends on all frames.
        let removed = (try? editList(of: source, options: options))?.removed
        if removed?.contains(where: { $0.name == encoderInformation }) ?? true {
          let encoder = range.lowerBound + 4 + information.frame.sideLength
          builder.remove(encoderInformation, at: encoder..<range.upperBound)
        }
      case .frame, .cutFrame:
        isFirst = false
        try copy?.add(range, to: &audio)
      }
    }
    guard builder.edits else { return list(unused, into: &builder.listing) }
    if let tag { try builder.literal(tag) }
    let frames = audio.finish()
    if let information = summary.information, let range = informationRange {
      let output = try ByteSource(applying: frames, to: source)
      let bytes = information.bytes(
        head: source.bytes(in: range.prefix(4), limit: 4) ?? [0, 0, 0, 0],
        summary: summary,
        points: MP3Points(for: information, summary: summary, of: source, trailing: trailing),
        audioChecksum: checksum(0..<output.length, of: output)
      )
      if source.bytes(in: range, limit: range.count) == bytes {
        try builder.copy(range)
      } else {
        builder.remove(encoderInformation)
        try builder.literal(bytes)
      }
    }
    try builder.append(frames, movedBy: 0)
  }

  /// The name of what an encoder wrote beside counts and contents.
  static let encoderInformation = "encoder information"
  /// The name of bits that no decoder reads.
  static let unusedBits = "unused bits of frames"

  /// Returns LAME's checksum of all frames but the one that describes them.
  static func checksum(_ frames: Range<Int>, of source: ByteSource) -> UInt32 {
    var checksum = CRC.lame
    checksum.add(frames, of: source)
    return checksum.value
  }
}

/// Copies frames in the order of the file, with zeros for the bits that no decoder reads.
private struct MP3FrameCopy {
  private var unused: MP3UnusedBits
  private var change: MP3UnusedBits.Change?

  init(without unused: MP3UnusedBits) {
    self.unused = unused
    change = self.unused.nextChange()
  }

  mutating func add(_ frame: Range<Int>, to audio: inout EditListBuilder) throws(MetadataError) {
    var start = frame.lowerBound
    while let next = change, next.range.lowerBound < frame.upperBound {
      audio.remove(MP3Stripper.unusedBits)
      try audio.copy(start..<next.range.lowerBound)
      try audio.literal(next.bytes)
      start = next.range.upperBound
      change = unused.nextChange()
    }
    try audio.copy(start..<frame.upperBound)
  }
}
