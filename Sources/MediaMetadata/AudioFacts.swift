import MediaModel

/// What a WAV says about itself: how long it is.
///
/// Source: Microsoft, WAVEFORMATEX; EBU Tech 3306 for ds64.
enum WAVFacts {
  static func facts<Source: ByteSource>(of source: Source) throws(MetadataError) -> Facts {
    var bytesPerSecond: Int?
    var dataLength: UInt64?
    var longDataLength: UInt64?
    for chunk in RIFFChunks(source) {
      switch chunk.type {
      case "ds64":
        longDataLength = source.unsigned(at: chunk.data.lowerBound + 8, count: 8, order: .little)
      case "fmt " where chunk.data.count >= 16:
        bytesPerSecond = source.uint32(at: chunk.data.lowerBound + 8, order: .little)
      case "data":
        let isLong = chunk.declaredLength == Int(UInt32.max)
        dataLength = (isLong ? longDataLength : nil) ?? UInt64(chunk.data.count)
      default: continue
      }
      if bytesPerSecond != nil, dataLength != nil { break }
    }
    guard let bytesPerSecond else { throw MetadataError(.damaged, "no fmt chunk") }
    var facts = Facts(format: .wav)
    if let dataLength, bytesPerSecond > 0 {
      facts.durationMilliseconds = MovieHeader.milliseconds(
        dataLength,
        timescale: UInt64(bytesPerSecond)
      )
    }
    return facts
  }
}

/// What a FLAC says about itself: how long it is.
///
/// Source: RFC 9639 section 8.2.
enum FLACFacts {
  static func facts<Source: ByteSource>(of source: Source) throws(MetadataError) -> Facts {
    let start = ID3.end(of: source)
    guard source.holds("fLaC", at: start), let head = source.byte(at: start + 4), head & 0x7F == 0,
      let rate = source.unsigned(at: start + 18, count: 3),
      let samples = source.unsigned(at: start + 21, count: 5)
    else { throw MetadataError(.damaged, "no STREAMINFO") }
    var facts = Facts(format: .flac)
    // 20 bits of rate; 36 bits of samples, 0 when not known.
    if rate >> 4 > 0 {
      facts.durationMilliseconds = MovieHeader.milliseconds(
        samples & 0xF_FFFF_FFFF,
        timescale: rate >> 4
      )
    }
    return facts
  }
}
