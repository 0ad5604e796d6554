/// The content of a logical Ogg stream, identified by its first packet.
///
/// Source: RFC 7845 section 5.1 (Opus); Vorbis I section 4.2.2; RFC 9639 section 10.1 (FLAC); the Speex
/// manual, section 7.3; Xiph.Org, "Ogg Skeleton"; Theora section 6.2; FFmpeg's libavformat/oggdec.c (Dirac,
/// VP8, Ogg Media).
package enum OggCodec: Hashable {
  /// An audio codec.
  case vorbis, opus, flac, speex
  /// A stream that describes other streams; playback does not need it.
  case description(String)
  /// A video codec.
  case video(String)
  /// An unknown codec.
  case other

  private static let starts: [(start: [UInt8], codec: OggCodec)] = [
    ([1] + Array("vorbis".utf8), .vorbis), (Array(OpusHeader.packetName.utf8), .opus),
    ([0x7F] + Array("FLAC".utf8), .flac), (Array("Speex   ".utf8), .speex),
    (Array("fishead\0".utf8), .description("Skeleton")),
    (Array("CMML\0\0\0\0".utf8), .description("CMML")),
    (Array("Annodex\0".utf8), .description("Annodex")),
    ([0x80] + Array("kate".utf8), .description("Kate")),
    ([0x80] + Array("theora".utf8), .video("theora")), (Array("BBCD\0".utf8), .video("dirac")),
    (Array("OVP80\u{1}".utf8), .video("vp8")), ([1] + Array("video\0".utf8), .video("ogm")),
  ]

  /// Identifies the codec of the stream that begins with `page`.
  package init(of source: ByteSource, in page: OggPage) {
    let start = page.body.lowerBound
    self = Self.starts.first { source.holds($0.start, at: start) }?.codec ?? .other
  }

  /// Whether the stream is audio.
  package var isAudio: Bool {
    switch self {
    case .vorbis, .opus, .flac, .speex: true
    case .description, .video, .other: false
    }
  }

  /// Whether the stream is video.
  package var isVideo: Bool {
    if case .video = self { true } else { false }
  }

  /// The name of the codec.
  package var name: String {
    switch self {
    case .vorbis: "vorbis"
    case .opus: "opus"
    case .flac: "flac"
    case .speex: "speex"
    case .description(let name), .video(let name): name
    case .other: "unknown"
    }
  }
}

/// The header packets of an Ogg audio stream, gathered page by page.
package struct OggHeaders {
  private static let maximumPackets = 256

  /// The codec of the stream.
  package let codec: OggCodec
  /// The serial number of the stream.
  package let serial: UInt32
  /// The ranges that make up each packet, in order; the last packet may be incomplete.
  package private(set) var packets: [[Range<Int>]] = []
  /// Whether all headers were gathered.
  package private(set) var isComplete = false
  private var isOpen = false

  /// Creates an empty gathering for a stream.
  package init(_ codec: OggCodec, serial: UInt32) {
    self.codec = codec
    self.serial = serial
  }

  /// Adds the packets of a page.
  ///
  /// - Throws: `damaged` when audio begins on the page that ends the headers, or there are too
  ///   many packets.
  package mutating func add(
    _ page: OggPage,
    of source: ByteSource
  ) throws(MetadataError) {
    guard page.isContinued == isOpen else {
      throw MetadataError(.damaged, "a header that ends early")
    }
    for piece in page.pieces(of: source) {
      guard !isComplete, packets.count < Self.maximumPackets else {
        throw MetadataError(.damaged, "sound on the page of a header")
      }
      if isOpen {
        packets[packets.count - 1].append(piece.range)
      } else {
        packets.append([piece.range])
      }
      isOpen = !piece.isEnd
      if piece.isEnd { isComplete = isLast(of: source) }
    }
  }

  /// Returns the bytes of a packet as one source.
  package func packet(_ index: Int, of source: ByteSource) -> ByteSource? {
    index < packets.count ? ByteSource(joining: packets[index], of: source) : nil
  }

  /// Returns whether the packet that just ended is the last header.
  private func isLast(of source: ByteSource) -> Bool {
    switch codec {
    case .vorbis: return packets.count == 3
    case .opus: return packets.count == 2
    case .speex:
      let extra = packet(0, of: source)?.uint32(at: 68, order: .little) ?? 0
      return packets.count >= min(2 + extra, Self.maximumPackets)
    case .flac:
      let first = packet(0, of: source)
      if let count = first?.uint16(at: 7), count > 0 { return packets.count == 1 + count }
      // The number of headers is unknown: the last block has a flag.
      let head =
        packets.count == 1
        ? first?.byte(at: 13) : packet(packets.count - 1, of: source)?.byte(at: 0)
      return (head ?? 0x80) & 0x80 != 0
    case .description, .video, .other: return true
    }
  }

  /// Returns the comment and the packet that contains it.
  package func comment(
    of source: ByteSource
  ) -> (comment: VorbisComment, packet: ByteSource)? {
    guard let packet = packet(1, of: source) else { return nil }
    let start =
      switch codec {
      case .vorbis: 7
      case .opus: 8
      case .flac: 4
      case .speex, .description, .video, .other: 0
      }
    guard packet.length > start,
      let comment = VorbisComment(of: packet, in: start..<packet.length)
    else { return nil }
    return (comment, packet)
  }
}
