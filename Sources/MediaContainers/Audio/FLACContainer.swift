/// One metadata block of a FLAC.
package struct FLACBlock {
  package static let names = [
    "STREAMINFO", "PADDING", "APPLICATION", "SEEKTABLE", "VORBIS_COMMENT", "CUESHEET", "PICTURE",
  ]

  package var type: Int
  package var data: Range<Int>

  package var name: String {
    type < Self.names.count ? Self.names[type] : "metadata block \(type)"
  }
}

/// What a FLAC says of its samples.
///
/// Source: RFC 9639 section 8.2.
package struct FLACStreamInfo {
  package static let length = 34

  /// Samples in a block, but for the last one.
  package var blockSize: Int
  package var sampleRate: Int
  package var channelCount: Int
  package var bitsPerSample: Int
  /// 0 when not known.
  package var sampleCount: Int

  package init?(of source: ByteSource, at offset: Int) {
    guard let blockSize = source.uint16(at: offset),
      let packed = source.unsigned(at: offset + 10, count: 8), offset + Self.length <= source.length
    else { return nil }
    self.blockSize = blockSize
    sampleRate = Int(packed >> 44)
    channelCount = Int(packed >> 41 & 7) + 1
    bitsPerSample = Int(packed >> 36 & 31) + 1
    sampleCount = Int(packed & 0xF_FFFF_FFFF)
  }
}

/// Where the parts of a FLAC are.
///
/// Source: RFC 9639 sections 6 and 8.
package struct FLACContainer {
  private static let maximumBlocks = 4096

  /// What other programs glued before it.
  package var leading: LeadingTags
  /// All but the first STREAMINFO, in order.
  package var blocks: [FLACBlock] = []
  /// Where its 34 bytes stand.
  package var streamInfoPlace: Range<Int>
  package var streamInfo: FLACStreamInfo
  /// The first frame's place.
  package var audio: Int

  /// - Throws: `damaged` when the file is no FLAC or its blocks do not fit.
  package init(of source: ByteSource) throws(MetadataError) {
    leading = LeadingTags(of: source)
    guard source.holds("fLaC", at: leading.end) else {
      throw MetadataError(.damaged, "no fLaC")
    }
    audio = leading.end + 4
    var first: (Range<Int>, FLACStreamInfo)?
    var isLast = false
    while !isLast {
      guard let head = source.byte(at: audio),
        let length = source.unsigned(at: audio + 1, count: 3),
        Int(length) <= source.length - audio - 4, head & 0x7F != 0x7F,
        blocks.count < Self.maximumBlocks
      else { throw MetadataError(.damaged, "a metadata block that ends early") }
      isLast = head & 0x80 != 0
      let block = FLACBlock(type: Int(head & 0x7F), data: (audio + 4)..<(audio + 4 + Int(length)))
      audio = block.data.upperBound
      if first == nil {
        guard block.type == 0, block.data.count >= FLACStreamInfo.length,
          let found = FLACStreamInfo(of: source, at: block.data.lowerBound)
        else { throw MetadataError(.damaged, "no STREAMINFO") }
        first = (block.data.prefix(FLACStreamInfo.length), found)
        if block.data.count > FLACStreamInfo.length { blocks.append(block) }
      } else {
        blocks.append(block)
      }
    }
    guard let first else { throw MetadataError(.damaged, "no STREAMINFO") }
    (streamInfoPlace, streamInfo) = first
  }

  /// The comment, when there is one that can be read.
  package func comment(of source: ByteSource) -> VorbisComment? {
    blocks.first { $0.type == 4 }.flatMap { VorbisComment(of: source, in: $0.data) }
  }
}
