/// A frame of MPEG audio of layer III.
package struct MPEGAudioFrame: FramedAudio {
  /// The length in bytes, with the header.
  package var length: Int
  /// The version, layer and sample rate, which all frames of a stream share.
  package var kind: UInt32
  /// The samples per second.
  package var sampleRate: Int
  /// The number of channels.
  package var channelCount: Int
  /// The number of samples per channel.
  package var sampleCount: Int
  /// The number of bytes of side information after the four-byte header.
  package var sideLength: Int
  /// Whether a checksum of two bytes follows the four-byte header.
  package var isProtected: Bool

  /// Parses the frame header at `offset`; nil when there is none, or one of another layer or of a free
  /// rate.
  package init?(of source: ByteSource, at offset: Int) {
    guard let header = MPEGAudioHeader(of: source, at: offset), header.layer == 3,
      let length = header.length
    else { return nil }
    self.length = length
    (kind, sampleRate, isProtected) = (header.kind, header.sampleRate, header.isProtected)
    channelCount = header.isMono ? 1 : 2
    sampleCount = header.isVersion1 ? 1152 : 576
    sideLength = header.isVersion1 ? (header.isMono ? 17 : 32) : header.isMono ? 9 : 17
  }
}

/// The tags at the start of an audio file: any number of ID3v2 and APE tags.
package struct LeadingTags {
  private static let maximumCount = 64

  /// The ID3v2 tags in file order.
  package private(set) var id3: [ID3Tag] = []
  /// The APE tags in file order.
  package private(set) var ape: [APETag] = []
  /// The end of the last tag, 0 when there are none.
  package private(set) var end = 0

  /// Reads all tags at the start of `source`.
  package init(of source: ByteSource) {
    while id3.count + ape.count < Self.maximumCount {
      if let tag = ID3Tag(of: source, at: end) {
        id3.append(tag)
        end = tag.range.upperBound
      } else if let tag = APETag(of: source, at: end) {
        ape.append(tag)
        end = tag.range.upperBound
      } else {
        return
      }
    }
  }
}
