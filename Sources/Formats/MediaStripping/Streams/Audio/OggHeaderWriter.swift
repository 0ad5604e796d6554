import MediaCodecs
import MediaContainers
import MediaMetadata

/// Writes the header packets of an Ogg audio stream: each with the fields of its specification and
/// nothing after them, the comment without vendor.
enum OggHeaderWriter {
  /// Returns the header packets.
  ///
  /// - Throws: `damaged` for a packet that the codec does not begin with; `stripUnsupported` for an
  ///   unknown form.
  static func packets(
    _ headers: OggHeaders,
    of source: ByteSource,
    kept: KeptMetadata
  ) throws(MetadataError) -> [[UInt8]] {
    guard let head = headers.packet(0, of: source) else {
      throw MetadataError(.damaged, "no header")
    }
    let row = OggAllowList.list[OggAllowList.header(headers.codec, 0)]
    let length = headers.codec == .opus ? try OpusHeader(of: head, .packet).length() : row?.lengths.lowerBound
    guard let length else {
      throw MetadataError(.stripUnsupported, "Ogg with \(headers.codec.name)")
    }
    guard var first = head.bytes(in: 0..<length, limit: length) else {
      throw MetadataError(.damaged, "a header that ends early")
    }
    let comment = comment(headers.codec, kept)
    if headers.codec == .vorbis {
      guard let setup = headers.packet(2, of: source),
        setup.holds([5] + Array("vorbis".utf8), at: 0),
        OggAllowList.list["vorbis setup"]?.allows(setup.length) == true,
        let setupBytes = setup.bytes(in: 0..<setup.length, limit: setup.length)
      else { throw MetadataError(.damaged, "no setup header") }
      first[29] &= 1
      // One that cannot be read stays as it is: where it ends is not known.
      let length = VorbisSetup.length(of: setupBytes, channels: Int(first[11])) ?? setupBytes.count
      return [first, comment, Array(setupBytes.prefix(length))]
    }
    if headers.codec == .flac {
      guard first[9..<13].elementsEqual("fLaC".utf8), first[13] & 0x7F == 0 else {
        throw MetadataError(.damaged, "no STREAMINFO")
      }
    }
    for (offset, bytes) in OggAllowList.fixed[headers.codec] ?? [] {
      first.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    }
    return [first, comment]
  }

  /// Returns the comment packet.
  static func comment(_ codec: OggCodec, _ kept: KeptMetadata) -> [UInt8] {
    let comment = VorbisComment.bytes(kept)
    switch codec {
    case .vorbis: return [3] + Array("vorbis".utf8) + comment + [1]
    case .opus: return Array("OpusTags".utf8) + comment
    case .flac: return [0x84] + comment.count.bytes(3) + comment
    case .speex, .description, .video, .other: return comment
    }
  }

  /// Returns the pages of all header packets; the first packet has a page of its own.
  static func pages(_ packets: [[UInt8]], serial: UInt32) -> [[UInt8]] {
    pages([packets[0]], flags: 2, serial: serial, sequence: 0)
      + pages(Array(packets.dropFirst()), flags: 0, serial: serial, sequence: 1)
  }

  /// Returns pages with `packets`; all but the last one are full.
  ///
  /// - Parameters:
  ///   - packets: At least one packet.
  ///   - flags: The flags of the first page; a page that begins within a packet is continued.
  ///   - serial: The serial number of the stream.
  ///   - sequence: The sequence number of the first page.
  /// - Returns: Whole pages with correct checksums.
  private static func pages(
    _ packets: [[UInt8]],
    flags: UInt8,
    serial: UInt32,
    sequence: UInt32
  ) -> [[UInt8]] {
    var segments: [(bytes: ArraySlice<UInt8>, isStart: Bool)] = []
    for packet in packets {
      var remaining = packet[...]
      var isStart = true
      while remaining.count >= 255 {
        segments.append((remaining.prefix(255), isStart))
        remaining = remaining.dropFirst(255)
        isStart = false
      }
      segments.append((remaining, isStart))
    }
    var pages: [[UInt8]] = []
    var remaining = segments[...]
    while let first = remaining.first {
      let pageSegments = remaining.prefix(255)
      remaining = remaining.dropFirst(255)
      let isPageEnd = pageSegments.contains { $0.bytes.count < 255 }
      var page = Array("OggS".utf8) + [0, flags | (first.isStart ? 0 : 1)]
      page += [UInt8](repeating: isPageEnd ? 0 : 0xFF, count: 8)
      let number = sequence &+ UInt32(pages.count)
      page += serial.bytes(4, .little) + number.bytes(4, .little) + [0, 0, 0, 0]
      page += [UInt8(pageSegments.count)] + pageSegments.map { UInt8($0.bytes.count) }
      for segment in pageSegments { page += segment.bytes }
      var sum = CRC.oggPage
      sum.add(page)
      page.replaceSubrange(22..<26, with: sum.value.bytes(4, .little))
      pages.append(page)
    }
    return pages
  }

  static func little(_ value: UInt32) -> [UInt8] {
    (Int(value)).bytes(4, .little)
  }
}
