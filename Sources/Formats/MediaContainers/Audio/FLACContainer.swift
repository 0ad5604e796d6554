/// A metadata block of a FLAC.
package struct FLACBlock {
  /// The names of the block types, by number.
  package static let names = [
    "STREAMINFO", "PADDING", "APPLICATION", "SEEKTABLE", "VORBIS_COMMENT", "CUESHEET", "PICTURE",
  ]

  /// The block type.
  package var type: Int
  /// The range of the block data.
  package var data: Range<Int>

  /// The name of the block type.
  package var name: String {
    type < Self.names.count ? Self.names[type] : "metadata block \(type)"
  }
}

/// The properties of a FLAC stream in its STREAMINFO block.
///
/// Source: RFC 9639 section 8.2.
package struct FLACStreamInfo {
  /// The length of a STREAMINFO block in bytes.
  package static let length = 34

  /// The number of samples in each block except the last one.
  package var blockSize: Int
  /// Whether blocks have several lengths.
  package var isVariable: Bool
  /// The samples per second.
  package var sampleRate: Int
  /// The number of channels.
  package var channelCount: Int
  /// The number of bits per sample.
  package var bitsPerSample: Int
  /// The number of samples per channel; 0 when unknown.
  package var sampleCount: Int

  /// Parses the STREAMINFO data at `offset`; nil when they end early.
  package init?(of source: ByteSource, at offset: Int) {
    guard let blockSize = source.uint16(at: offset), let largest = source.uint16(at: offset + 2),
      let packed = source.unsigned(at: offset + 10, count: 8), offset + Self.length <= source.length
    else { return nil }
    self.blockSize = blockSize
    isVariable = blockSize != largest
    sampleRate = Int(packed >> 44)
    channelCount = Int(packed >> 41 & 7) + 1
    bitsPerSample = Int(packed >> 36 & 31) + 1
    sampleCount = Int(packed & 0xF_FFFF_FFFF)
  }
}

/// The locations of the parts of a FLAC.
///
/// Source: RFC 9639 sections 6 and 8.
package struct FLACContainer {
  private static let maximumBlocks = 4096

  /// The tags that other programs put before the stream.
  package var leading: LeadingTags
  /// All metadata blocks except the first STREAMINFO, in order.
  package var blocks: [FLACBlock] = []
  /// The range of the 34 bytes of STREAMINFO.
  package var streamInfoRange: Range<Int>
  /// The contents of the first STREAMINFO.
  package var streamInfo: FLACStreamInfo
  /// The offset of the first frame.
  package var audio: Int

  /// Parses the metadata blocks of a FLAC.
  ///
  /// - Throws: `damaged` when the file is not a FLAC or its blocks end early.
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
          let information = FLACStreamInfo(of: source, at: block.data.lowerBound)
        else { throw MetadataError(.damaged, "no STREAMINFO") }
        first = (block.data.prefix(FLACStreamInfo.length), information)
        if block.data.count > FLACStreamInfo.length { blocks.append(block) }
      } else {
        blocks.append(block)
      }
    }
    guard let first else { throw MetadataError(.damaged, "no STREAMINFO") }
    (streamInfoRange, streamInfo) = first
  }

  /// Returns the comment, when there is a readable one.
  package func comment(of source: ByteSource) -> VorbisComment? {
    blocks.first { $0.type == 4 }.flatMap { VorbisComment(of: source, in: $0.data) }
  }
}
