package import MediaContainers

/// The frames of a coding of sound that begin with a code, a length or a table of contents, and in part end
/// with a checksum: a sample of such a track that is none of them is not decoded.
///
/// Source: ETSI TS 102 366 sections 4.4, 7.10.1 and E.1.2 (AC-3, E-AC-3); TS 102 114 sections 5.3, 7.4.1
/// (DTS); Dolby, MLP bitstream, section 4 (TrueHD); RFC 9639 section 9; ISO/IEC 11172-3 section 2.4.2.3;
/// RFC 6716 section 3.2 and appendix B (Opus); Vorbis I section 4.3.1.
package enum SoundFrames: Equatable {
  case ac3, dts, trueHD, flac, mpeg, vorbis
  /// Opus, whose packets have so many streams.
  case opus(streams: Int)

  /// The name of a sample that is removed.
  package static let noFrame = "sample that is no frame"

  func forEachUnit(
    in sample: Range<Int>,
    of source: ByteSource,
    _ body: (Range<Int>, UnitDisposition) throws(MetadataError) -> Void
  ) throws(MetadataError) {
    let length = wholeLength(in: sample, of: source)
    let behind = sample.dropFirst(length)
    if source.isZero(behind), length > 0 || sample.isEmpty { return try body(sample, .kept) }
    if length > 0 { try body(sample.prefix(length), .kept) }
    try body(behind, .removed(length > 0 ? "bytes after a frame" : Self.noFrame))
  }

  /// Returns the number of bytes at the start of a sample that are frames.
  package func wholeLength(in sample: Range<Int>, of source: ByteSource) -> Int {
    var unread = sample
    while !unread.isEmpty, let length = frameLength(at: unread, of: source), length <= unread.count {
      unread = unread.dropFirst(length)
    }
    return sample.count - unread.count
  }

  /// Returns the ranges of a stream without borders of samples in which no frame is.
  package func gaps(in source: ByteSource) -> [Range<Int>] {
    let stream = 0..<source.length
    var gaps: [Range<Int>] = []
    var (position, start) = (0, 0)
    while position < source.length {
      let length = frameLength(at: position..<source.length, of: source) ?? 0
      if length > 0, length <= source.length - position {
        if position > start { gaps.append(start..<position) }
        position += length
        start = position
      } else {
        let next = (position + 1)..<source.length
        position = source.firstOffset(of: firstBytes, in: next.clamped(to: stream)) ?? source.length
      }
    }
    if position > start { gaps.append(start..<position) }
    return gaps
  }

  /// The bytes with which a frame of a stream without borders may begin.
  private var firstBytes: [UInt8] {
    switch self {
    case .ac3: [0x0B, 0x77]
    case .dts: [0x7F, 0xFE, 0x64, 0x1F]
    default: [0xFF]
    }
  }

  /// Returns the length of the frame at the start of `range`; nil when there is none.
  private func frameLength(at range: Range<Int>, of source: ByteSource) -> Int? {
    switch self {
    case .ac3: Self.ac3Length(range, source)
    case .dts: Self.dtsLength(range, source)
    case .trueHD: Self.losslessLength(range, source)
    case .flac: Self.flacLength(range, source)
    case .mpeg: Self.mpegLength(range, source)
    case .vorbis: (source.byte(at: range.lowerBound) ?? 1) & 1 == 0 ? range.count : nil
    case .opus(let streams):
      OpusPacket.isWhole(range, of: source, streams: streams) ? range.count : nil
    }
  }

  // MARK: AC-3

  private static let rates = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
  ]

  private static func ac3Length(_ range: Range<Int>, _ source: ByteSource) -> Int? {
    guard var head = source.bytes(in: range.prefix(6), limit: 6), head.count == 6 else {
      return nil
    }
    // Decoders turn words whose bytes are in the other order.
    let isTurned = head[0] == 0x77 && head[1] == 0x0B
    if isTurned { head = [1, 0, 3, 2, 5, 4].map { head[$0] } }
    guard head[0] == 0x0B, head[1] == 0x77 else { return nil }
    let length: Int
    switch head[5] >> 3 {
    case 0...10:
      let (frequency, code) = (head[4] >> 6, Int(head[4] & 63))
      guard frequency < 3, code < 2 * rates.count else { return nil }
      let rate = rates[code / 2]
      length = 2 * [2 * rate, 320 * rate / 147 + code % 2, 3 * rate][Int(frequency)]
    case 11...16: length = 2 * ((Int(head[2] & 7) << 8 | Int(head[3])) + 1)
    default: return nil
    }
    guard length > 6, length <= range.count else { return nil }
    var sum = CRC.flacFrame
    if isTurned {
      guard var bytes = source.bytes(in: range.prefix(length), limit: length) else { return nil }
      for index in stride(from: 0, to: length, by: 2) { bytes.swapAt(index, index + 1) }
      sum.add(Array(bytes.dropFirst(2)))
    } else {
      sum.add(range.prefix(length).dropFirst(2), of: source)
    }
    return sum.value == 0 ? length : nil
  }

  // MARK: DTS

  private static func dtsLength(_ range: Range<Int>, _ source: ByteSource) -> Int? {
    guard let head = source.bytes(in: range.prefix(12), limit: 12), head.count == 12 else {
      return nil
    }
    switch Array(head[..<4]) {
    case [0x7F, 0xFE, 0x80, 0x01]:
      return (Int(head[5] & 3) << 12 | Int(head[6]) << 4 | Int(head[7] >> 4)) + 1
    case [0xFE, 0x7F, 0x01, 0x80]:
      return (Int(head[4] & 3) << 12 | Int(head[7]) << 4 | Int(head[6] >> 4)) + 1
    // Words of 14 bits, whose lengths count other bytes.
    case [0x1F, 0xFF, 0xE8, 0x00], [0xFF, 0x1F, 0x00, 0xE8]: return range.count
    case [0x64, 0x58, 0x20, 0x25]:
      var bits = BitReader(head, at: 42)
      guard let isLong = bits.read(1), bits.skip(8 + 4 * isLong),
        let length = bits.read(16 + 4 * isLong)
      else { return nil }
      return length + 1
    default: return nil
    }
  }

  // MARK: TrueHD and MLP

  private static func losslessLength(_ range: Range<Int>, _ source: ByteSource) -> Int? {
    guard let words = source.uint16(at: range.lowerBound).map({ $0 & 0xFFF }), words > 2 else {
      return nil
    }
    return 2 * words
  }

  // MARK: FLAC

  private static func flacLength(_ range: Range<Int>, _ source: ByteSource) -> Int? {
    guard FLACFrame(of: source, at: range.lowerBound) != nil else { return nil }
    var sum = CRC.flacFrame
    sum.add(range, of: source)
    return sum.value == 0 ? range.count : nil
  }

  // MARK: MPEG audio

  private static func mpegLength(_ range: Range<Int>, _ source: ByteSource) -> Int? {
    guard range.count >= 4, let header = MPEGAudioHeader(of: source, at: range.lowerBound) else {
      return nil
    }
    // A frame of a free rate does not state its length, and decoders take a last frame that is cut.
    return min(range.count, header.length ?? range.count)
  }
}
