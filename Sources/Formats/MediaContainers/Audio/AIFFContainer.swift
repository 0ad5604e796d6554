/// The locations of the chunks of an AIFF or AIFF-C.
///
/// Source: Apple, Audio Interchange File Format 1.3 and AIFF-C (1991 draft).
package struct AIFFContainer {
  private static let maximumChunks = 65_536

  /// A chunk of an AIFF.
  package struct Chunk {
    /// The chunk type.
    package var type: FourCharacterCode
    /// The range of the chunk data.
    package var data: Range<Int>
  }

  /// Whether the file is an AIFF-C, which names its sample format.
  package var isCompressed: Bool
  /// The number of channels.
  package var channelCount: Int
  /// The number of bits per sample.
  package var bitsPerSample: Int
  /// The number of samples per channel; for some compressions, of packets per channel.
  package var frameCount: Int
  /// The sample rate as stored in the file: ten bytes.
  package var sampleRateBytes: [UInt8]
  /// The compression type; `NONE` for an AIFF.
  package var compression: FourCharacterCode
  /// The range of the samples alone, without unused bytes before and after them in their chunk.
  package var audio: Range<Int>
  /// Whether there is an `FVER` chunk with the four bytes of the only version.
  package var hasVersion = false
  /// All chunks, in order.
  package var chunks: [Chunk] = []
  /// All other chunks, in order.
  package var others: [Chunk] = []
  /// The unneeded ranges in COMM and SSND, such as the name of a compression.
  package var slack: [(name: String, range: Range<Int>)] = []
  /// The offset at which the chunks of the file end.
  package var end: Int

  /// Parses the chunks of an AIFF or AIFF-C.
  ///
  /// - Throws: `damaged` when the file is not an AIFF, or does not describe its samples.
  package init(of source: ByteSource) throws(MetadataError) {
    guard source.holds("FORM", at: 0), source.holds("AIFF", at: 8) || source.holds("AIFC", at: 8)
    else { throw MetadataError(.damaged, "no FORM header") }
    isCompressed = source.holds("AIFC", at: 8)
    var position = 12
    var common: Range<Int>?
    var samples: Range<Int>?
    while source.length - position >= 8, others.count < Self.maximumChunks,
      let type = source.code(at: position), type.bytes.allSatisfy({ 0x20...0x7E ~= $0 }),
      let length = source.uint32(at: position + 4)
    {
      let start = position + 8
      let range = start..<(start + min(length, source.length - start))
      position = start + length + length % 2
      chunks.append(Chunk(type: type, data: range))
      switch type {
      case "COMM" where common == nil: common = range
      case "SSND" where samples == nil && range.count >= 8: samples = range
      case "FVER"
      where isCompressed && !hasVersion && source.uint32(at: start) == 0xA280_5140
        && range.count == 4:
        hasVersion = true
      default: others.append(Chunk(type: type, data: range))
      }
    }
    end = min(position, source.length)
    guard let common, common.count >= (isCompressed ? 22 : 18),
      let channels = source.uint16(at: common.lowerBound),
      let frames = source.uint32(at: common.lowerBound + 2),
      let bits = source.uint16(at: common.lowerBound + 6),
      let rate = source.bytes(in: common.dropFirst(8).prefix(10), limit: 10),
      channels > 0
    else { throw MetadataError(.damaged, "no COMM that makes sense") }
    (channelCount, bitsPerSample, frameCount, sampleRateBytes) = (channels, bits, frames, rate)
    compression = isCompressed ? source.code(at: common.lowerBound + 18) ?? "NONE" : "NONE"
    // The name is a Pascal string: a length byte, the text, and padding to an even length.
    let needed = isCompressed ? 24 : 18
    let name = common.dropFirst(isCompressed ? 22 : 18)
    if common.count > needed || !source.isZero(name) { slack.append(("COMM", name)) }
    guard let samples, let offset = source.uint32(at: samples.lowerBound),
      offset <= samples.count - 8
    else { throw MetadataError(.damaged, "no SSND that makes sense") }
    audio = samples.dropFirst(8 + offset)
    if offset > 0 { slack.append(("SSND", (samples.lowerBound + 8)..<audio.lowerBound)) }
    guard let packet = packetLength else { return }
    // An interrupted recorder did not write the number of samples.
    if frameCount == 0 { frameCount = audio.count / packet }
    let wanted = min(frameCount, audio.count / packet)
    if audio.count > wanted * packet {
      slack.append(("SSND", audio.dropFirst(wanted * packet)))
    }
    audio = audio.prefix(wanted * packet)
    frameCount = wanted
  }

  /// The number of bytes of one sample of all channels, or of one packet of each; nil when it is
  /// unknown.
  package var packetLength: Int? {
    switch compression {
    case "NONE", "sowt", "twos", "in24", "in32", "42ni", "23ni", "raw ":
      (1...64).contains(bitsPerSample) ? channelCount * ((bitsPerSample + 7) / 8) : nil
    case "fl32", "FL32": channelCount * 4
    case "fl64", "FL64": channelCount * 8
    case "ulaw", "ULAW", "alaw", "ALAW": channelCount
    case "ima4": channelCount * 34
    default: nil
    }
  }

  /// The samples per second, rounded down; nil when the stored rate is invalid.
  package var sampleRate: Int? {
    guard sampleRateBytes.count == 10, sampleRateBytes[0] & 0x80 == 0 else { return nil }
    let exponent = Int(sampleRateBytes[0]) << 8 | Int(sampleRateBytes[1])
    let mantissa = sampleRateBytes[2...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let shift = 16_383 + 63 - exponent
    guard shift >= 32, shift < 64 else { return nil }
    return Int(mantissa >> UInt64(shift))
  }
}
