/// Where an ID3v2 tag ends.
///
/// Source: id3.org, ID3v2.4 section 3.1.
enum ID3 {
  /// The offset behind the tag at the start, 0 when there is none.
  static func end<Source: ByteSource>(of source: Source) -> Int {
    guard source.holds("ID3", at: 0), let flags = source.byte(at: 5),
      let size = source.unsigned(at: 6, count: 4), size & 0x8080_8080 == 0
    else { return 0 }
    // Seven bits a byte.
    let length = [24, 16, 8, 0].reduce(0) { $0 << 7 | Int(size >> UInt64($1) & 0x7F) }
    return 10 + length + (flags & 0x10 != 0 ? 10 : 0)
  }
}

/// The header of one frame of MPEG audio, layer III.
///
/// Source: ISO/IEC 11172-3 section 2.4.2.3; ISO/IEC 13818-3 for the lower rates.
struct MPEGAudioFrame {
  /// In bytes, with its header.
  var length: Int
  /// Version, layer and rate, which all frames of a file share.
  var kind: UInt32

  init?<Source: ByteSource>(of source: Source, at offset: Int) {
    guard let word = source.unsigned(at: offset, count: 4), word >> 21 == 0x7FF else { return nil }
    let version = Int(word >> 19 & 3)
    let layer = word >> 17 & 3
    let rateIndex = Int(word >> 12 & 15)
    let frequencyIndex = Int(word >> 10 & 3)
    guard version != 1, layer == 1, (1...14).contains(rateIndex), frequencyIndex < 3 else {
      return nil
    }
    let isVersion1 = version == 3
    let rates =
      isVersion1
      ? [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
      : [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    let divisor = isVersion1 ? 1 : version == 2 ? 2 : 4
    let frequency = [44_100, 48_000, 32_000][frequencyIndex] / divisor
    let padding = Int(word >> 9 & 1)
    length = (isVersion1 ? 144 : 72) * rates[rateIndex] * 1000 / frequency + padding
    kind = UInt32(truncatingIfNeeded: word & 0xFFFE_0C00)
  }
}

enum MPEGAudio {
  /// What some writers leave between a tag and the first frame.
  private static let maximumPadding = 4096

  /// Whether two frames of one kind follow one another at the start, or behind an ID3v2 tag and zeros.
  static func isLayer3<Source: ByteSource>(_ source: Source) -> Bool {
    var offset = ID3.end(of: source)
    if offset > 0 {
      let limit = offset + maximumPadding
      while offset < limit, source.byte(at: offset) == 0 { offset += 1 }
    }
    guard let first = MPEGAudioFrame(of: source, at: offset),
      let second = MPEGAudioFrame(of: source, at: offset + first.length)
    else { return false }
    return first.kind == second.kind
  }
}
