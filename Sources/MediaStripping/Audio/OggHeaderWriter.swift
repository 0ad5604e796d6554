import MediaContainers
import MediaMetadata

/// Writes the header packets of an Ogg audio stream: each with the fields of its specification and
/// nothing after them, the comment without vendor.
enum OggHeaderWriter {
  /// The maximum length in bytes of a setup packet; no encoder writes longer codebooks.
  private static let maximumSetup = 1 << 18

  /// Returns the first packet, and the header packets that follow it.
  ///
  /// - Throws: `damaged` for a packet that the codec does not begin with; `stripUnsupported` for an
  ///   unknown form.
  static func packets(
    _ headers: OggHeaders,
    of source: ByteSource,
    kept: KeptMetadata
  ) throws(MetadataError) -> (first: [UInt8], others: [[UInt8]]) {
    guard let head = headers.packet(0, of: source) else {
      throw MetadataError(.damaged, "no header")
    }
    let comment = VorbisComment.bytes(kept)
    switch headers.codec {
    case .vorbis:
      guard let setup = headers.packet(2, of: source),
        setup.holds([5] + Array("vorbis".utf8), at: 0),
        let bytes = setup.bytes(in: 0..<setup.length, limit: maximumSetup)
      else { throw MetadataError(.damaged, "no setup header") }
      var first = try start(of: head, length: 30)
      first[29] &= 1
      return (first, [[3] + Array("vorbis".utf8) + comment + [1], bytes])
    case .opus:
      return (try opusHead(head), [Array("OpusTags".utf8) + comment])
    case .flac:
      var first = try start(of: head, length: 17 + FLACStreamInfo.length)
      guard first[9..<13].elementsEqual("fLaC".utf8), first[13] & 0x7F == 0 else {
        throw MetadataError(.damaged, "no STREAMINFO")
      }
      first.replaceSubrange(7..<9, with: [0, 1])
      first.replaceSubrange(13..<17, with: [0, 0, 0, UInt8(FLACStreamInfo.length)])
      let length = comment.count.bytes(3)
      return (first, [[0x84] + length + comment])
    case .speex:
      var first = try start(of: head, length: 80)
      // The encoder's version, the number of extra headers, and two reserved fields.
      first.replaceSubrange(8..<28, with: [UInt8](repeating: 0, count: 20))
      first.replaceSubrange(68..<80, with: [UInt8](repeating: 0, count: 12))
      return (first, [comment])
    case .description, .other:
      throw MetadataError(.stripUnsupported, "Ogg with \(headers.codec.name)")
    }
  }

  private static func start(
    of packet: ByteSource,
    length: Int
  ) throws(MetadataError) -> [UInt8] {
    guard let bytes = packet.bytes(in: 0..<length, limit: length) else {
      throw MetadataError(.damaged, "a header that ends early")
    }
    return bytes
  }

  /// Returns the fields of an OpusHead packet, without bytes after them.
  ///
  /// Source: RFC 7845 section 5.1; RFC 8486 section 3.2 for the matrix of family 3.
  private static func opusHead(
    _ packet: ByteSource
  ) throws(MetadataError) -> [UInt8] {
    guard let version = packet.uint8(at: 8), version < 16, let channels = packet.uint8(at: 9),
      channels > 0, let family = packet.uint8(at: 18)
    else { throw MetadataError(.damaged, "OpusHead that ends early") }
    switch family {
    case 0: return try start(of: packet, length: 19)
    case 1, 2, 255: return try start(of: packet, length: 21 + channels)
    case 3:
      let streams = (packet.uint8(at: 19) ?? 0) + (packet.uint8(at: 20) ?? 0)
      return try start(of: packet, length: 21 + 2 * channels * streams)
    default: throw MetadataError(.stripUnsupported, "Opus of channel family \(family)")
    }
  }

  /// Returns pages with `packets`; all but the last one are full.
  ///
  /// - Parameters:
  ///   - packets: At least one packet.
  ///   - flags: The flags of the first page; a page that begins within a packet is continued.
  ///   - serial: The serial number of the stream.
  ///   - sequence: The sequence number of the first page.
  /// - Returns: Whole pages with correct checksums.
  static func pages(
    _ packets: [[UInt8]],
    flags: UInt8,
    serial: UInt32,
    sequence: UInt32
  ) -> [[UInt8]] {
    var segments: [(bytes: ArraySlice<UInt8>, isStart: Bool)] = []
    for packet in packets {
      var rest = packet[...]
      var isStart = true
      while rest.count >= 255 {
        segments.append((rest.prefix(255), isStart))
        rest = rest.dropFirst(255)
        isStart = false
      }
      segments.append((rest, isStart))
    }
    var pages: [[UInt8]] = []
    var rest = segments[...]
    while let first = rest.first {
      let own = rest.prefix(255)
      rest = rest.dropFirst(255)
      let isPageEnd = own.contains { $0.bytes.count < 255 }
      var page = Array("OggS".utf8) + [0, flags | (first.isStart ? 0 : 1)]
      page += [UInt8](repeating: isPageEnd ? 0 : 0xFF, count: 8)
      let number = sequence &+ UInt32(pages.count)
      page += serial.bytes(4, .little) + number.bytes(4, .little) + [0, 0, 0, 0]
      page += [UInt8(own.count)] + own.map { UInt8($0.bytes.count) }
      for segment in own { page += segment.bytes }
      var sum = CRC.oggPage
      sum.add(page)
      page.replaceSubrange(22..<26, with: sum.value.bytes(4, .little))
      pages.append(page)
    }
    return pages
  }
}
