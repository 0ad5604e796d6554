import MediaCodecs
package import MediaContainers
import MediaMetadata
package import MediaModel

/// Removes everything from an Ogg that is not needed to play its audio: Vorbis, Opus, FLAC or
/// Speex, also several streams in sequence.
///
/// The audio packets are kept, on their pages. Written anew are each page's serial number (1, 2 …,
/// because encoders derive it from time and process), sequence numbers without the removed pages,
/// checksums, and the headers, the comment with what `except` keeps. Removed are vendor, pictures,
/// loudness tags, streams that describe others, and all bytes that are no whole page. Opus' own
/// gain is kept: it is part of the audio's loudness. Video beside the audio, or two audio streams
/// at once, fail closed.
package enum OggStripper: ContainerStripper {
  package static func strip(
    _ source: ByteSource,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    let kept = builder.options.kept(of: OggMetadata.find(in: source))
    var output = OggOutput(of: source, builder)
    var streams = OggStreams()
    var packets: OggPackets?
    var pages = OggPages(source)
    while let part = try pages.next() {
      let page: OggPage
      switch part {
      case .page(let whole): page = whole
      case .other(let range):
        output.builder.remove("bytes between pages", at: range)
        continue
      }
      switch try streams.position(of: page, in: source) {
      case .removed(let name): output.builder.remove(name, at: page.range)
      case .header: break
      case .lastHeader(let headers):
        try output.append(packets?.finish() ?? [], of: source)
        packets = OggPackets(behind: headers, of: source)
        let texts = try OggHeaderWriter.packets(headers, of: source, kept: kept)
        let written = OggHeaderWriter.pages(texts, serial: streams.newSerial)
        if !builder.edits || !isSame(written, as: headers, of: source) {
          let length = texts[0].count
          output.builder.remove("comment header") {
            list(headers, writtenLength: length, of: source, into: &$0)
          }
        }
        try output.append(written)
        streams.begin(behind: UInt32(written.count) - 1)
      case .audio(let sequence):
        let closedPages = packets?.add(page, serial: streams.newSerial, sequence: sequence)
        try output.append(closedPages ?? [], of: source)
      }
    }
    try output.append(packets?.finish() ?? [], of: source)
    guard streams.hasAudio || !builder.edits else { throw MetadataError(.damaged, "no sound") }
    builder = try output.finish()
  }

  package static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    let kept = options.kept(of: OggMetadata.find(in: output))
    var streams = OggStreams()
    var packets: OggPackets?
    var pages = OggPages(output)
    var start = 0
    while let part = try pages.next() {
      guard case .page(let page) = part else {
        throw MetadataError(.residue, "bytes between pages")
      }
      if page.isFirst { start = page.range.lowerBound }
      switch try streams.position(of: page, in: output) {
      case .removed(let name): throw MetadataError(.residue, name)
      case .header: break
      case .lastHeader(let headers):
        let range = start..<page.range.upperBound
        let count = try verify(headers, at: range, serial: streams.newSerial, kept, of: output)
        streams.begin(behind: UInt32(count) - 1)
        try verify(packets?.finish())
        packets = OggPackets(behind: headers, of: output)
      case .audio(let sequence):
        try verify(packets?.add(page, serial: page.serial, sequence: sequence))
        guard page.serial == streams.newSerial, page.sequence == sequence, page.flags & ~7 == 0
        else { throw MetadataError(.residue, "numbers of a page") }
      }
    }
    guard streams.hasAudio else { throw MetadataError(.damaged, "no sound") }
    try verify(packets?.finish())
  }

  private static func verify(_ pages: [OggPackets.Page]?) throws(MetadataError) {
    guard pages?.allSatisfy(\.isWhole) != false else {
      throw MetadataError(.residue, "packet that is no sound")
    }
  }

  /// Verifies the headers of one stream, packet by packet, and that their pages hold nothing else.
  ///
  /// - Returns: The number of pages.
  private static func verify(
    _ headers: OggHeaders,
    at range: Range<Int>,
    serial: UInt32,
    _ kept: KeptMetadata,
    of output: ByteSource
  ) throws(MetadataError) -> Int {
    var packets: [[UInt8]] = []
    for index in headers.packets.indices {
      guard let packet = headers.packet(index, of: output) else { continue }
      let name = OggAllowList.header(headers.codec, index)
      let expected = [
        OggAllowList.header(headers.codec, 1): OggHeaderWriter.comment(headers.codec, kept)
      ]
      var isOwn: Bool?
      if index == 0 {
        let fixed = OggAllowList.fixed[headers.codec] ?? []
        let isOpus = headers.codec == .opus
        let length = isOpus ? try OpusHeader(of: packet, .packet).length() : packet.length
        isOwn =
          packet.length == length && fixed.allSatisfy { packet.holds($0.bytes, at: $0.offset) }
          && (headers.codec != .vorbis || packet.byte(at: 29) ?? 2 < 2)
      }
      if index == 2, let bytes = packet.bytes(in: 0..<packet.length, limit: packet.length),
        let length = VorbisSetup.length(of: bytes, channels: Int(packets[0][11]))
      {
        isOwn = length == packet.length
      }
      var walker = PartWalker(OggAllowList.list, packet, expected: expected)
      try walker.pass(name, at: 0..<packet.length, isOwn: isOwn)
      packets.append(packet.bytes(in: 0..<packet.length, limit: packet.length) ?? [])
    }
    let pages = OggHeaderWriter.pages(packets, serial: serial)
    let bytes = pages.flatMap { $0 }
    guard output.bytes(in: range, limit: bytes.count) == bytes else {
      throw MetadataError(.residue, "pages of the headers")
    }
    return pages.count
  }

  /// Returns whether the headers hold no more than the ones that are written.
  private static func isSame(
    _ written: [[UInt8]],
    as headers: OggHeaders,
    of source: ByteSource
  ) -> Bool {
    let length = headers.packets.reduce(0) { $0 + $1.reduce(0) { $0 + $1.count } }
    let writtenLength = written.reduce(0) { $0 + $1.count - OggPage.fixedLength - Int($1[26]) }
    return length == writtenLength && headers.comment(of: source)?.comment.vendor.isEmpty == true
  }
}

/// Appends pages to an edit list.
struct OggOutput {
  var builder: EditListBuilder
  private let source: ByteSource
  /// All bytes, for a file of so many small pages that operations would take more room than the
  /// pages.
  private var literal: [UInt8]?

  init(of source: ByteSource, _ builder: EditListBuilder) {
    (self.source, self.builder) = (source, builder)
    guard builder.edits else { return }
    var pages = 0
    var position = 0
    while let page = OggPage(of: source, at: position) {
      position = page.range.upperBound
      pages += 1
    }
    // A page takes two operations; see EditListBuilder.
    let isTooMany = 2 * pages + 100 > 1000 + source.length / 64
    literal = isTooMany && source.length < 1_000_000 ? [] : nil
  }

  mutating func append(_ pages: [[UInt8]]) throws(MetadataError) {
    for page in pages { try append(page) }
  }

  /// Appends a page of the source with other numbers.
  mutating func append(
    _ page: OggPage,
    serial: UInt32,
    sequence: UInt32
  ) throws(MetadataError) {
    let flags = page.flags & 7
    if page.serial == serial, page.sequence == sequence, page.flags == flags {
      return try append(copy: page.range)
    }
    let start = page.range.lowerBound
    guard let before = source.bytes(in: start..<(start + 14), limit: 14) else { return }
    let numbers = serial.bytes(4, .little) + sequence.bytes(4, .little)
    var sum = CRC.oggPage
    let head = Array(before[..<5]) + [flags] + Array(before[6...])
    sum.add(head + numbers + [0, 0, 0, 0])
    sum.add(page.range.dropFirst(26), of: source)
    if page.flags == flags {
      try append(copy: page.range.prefix(14))
    } else {
      builder.remove("reserved bits")
      try append(head)
    }
    try append(numbers + sum.value.bytes(4, .little))
    try append(copy: page.range.dropFirst(26))
  }

  consuming func finish() throws(MetadataError) -> EditListBuilder {
    if let literal { try builder.literal(literal) }
    return builder
  }

  mutating func append(_ bytes: [UInt8]) throws(MetadataError) {
    if literal != nil { literal?.append(contentsOf: bytes) } else { try builder.literal(bytes) }
  }

  mutating func append(copy range: Range<Int>) throws(MetadataError) {
    guard literal != nil else { return try builder.copy(range) }
    let bytes = source.bytes(in: range, limit: 1 << 17) ?? []
    literal?.append(contentsOf: bytes)
  }
}
