import MediaCodecs
import MediaContainers

/// The pages of a sound in Ogg, held back until each packet on them has ended and was looked at: a packet that
/// no decoder takes for sound can hold anything.
struct OggPackets {
  /// A part of a packet on a page.
  struct Piece {
    let range: Range<Int>
    let isEnd: Bool
    var isKept = true
  }

  /// A page with its numbers in the output.
  struct Page {
    let page: OggPage
    let serial: UInt32
    let sequence: UInt32
    var pieces: [Piece]

    /// Whether a decoder takes each packet.
    var isWhole: Bool { pieces.allSatisfy(\.isKept) }
  }

  private let source: ByteSource
  private let frames: SoundFrames?
  private var pages: [Page] = []
  /// The pieces of a packet that has not ended: a page, and a piece on it.
  private var open: [(page: Int, piece: Int)] = []

  /// Starts at the first page of sound behind headers.
  init(behind headers: OggHeaders, of source: ByteSource) {
    self.source = source
    frames =
      switch headers.codec {
      case .vorbis: .vorbis
      case .flac: .flac
      case .opus:
        headers.packet(0, of: source).map { .opus(streams: OpusHeader(of: $0, .packet).streamCount) }
      // Speex has neither a mark nor a length.
      case .speex, .description, .video, .other: nil
      }
  }

  /// Adds a page, and returns those on which no packet is open.
  mutating func add(_ page: OggPage, serial: UInt32, sequence: UInt32) -> [Page] {
    var pieces = page.pieces(of: source).map { Piece(range: $0.range, isEnd: $0.isEnd) }
    // The packet of a page that is missing cannot be put together.
    if !page.isContinued { discard() }
    if page.isContinued, open.isEmpty, !pieces.isEmpty { pieces[0].isKept = false }
    let isOrphan = page.isContinued && open.isEmpty
    pages.append(Page(page: page, serial: serial, sequence: sequence, pieces: pieces))
    for index in pieces.indices where !isOrphan || index > 0 {
      open.append((pages.count - 1, index))
      guard pieces[index].isEnd else { continue }
      judge()
    }
    if !open.isEmpty { return [] }
    defer { pages = [] }
    return pages
  }

  /// Returns the pages that are left; a packet that has not ended is not played.
  mutating func finish() -> [Page] {
    discard()
    defer { pages = [] }
    return pages
  }

  private mutating func discard() {
    for (page, piece) in open where frames != nil { pages[page].pieces[piece].isKept = false }
    open = []
  }

  private mutating func judge() {
    defer { open = [] }
    guard let frames else { return }
    let ranges = open.map { pages[$0.page].pieces[$0.piece].range }
    let packet = ByteSource(joining: ranges, of: source)
    guard frames.wholeLength(in: 0..<packet.length, of: packet) < packet.length else { return }
    for (page, piece) in open { pages[page].pieces[piece].isKept = false }
  }
}

extension OggOutput {
  /// Appends pages with the packets that decoders take for sound.
  mutating func append(_ pages: [OggPackets.Page], of source: ByteSource) throws(MetadataError) {
    for page in pages {
      if page.isWhole {
        guard builder.edits else { continue }
        try append(page.page, serial: page.serial, sequence: page.sequence)
      } else {
        try append(reduced: page, of: source)
      }
    }
  }

  /// Appends a page of which packets are left out; one of none stays, since pages are counted.
  private mutating func append(
    reduced page: OggPackets.Page,
    of source: ByteSource
  ) throws(MetadataError) {
    for piece in page.pieces where !piece.isKept {
      builder.remove("packet that is no sound", at: piece.range)
    }
    guard builder.edits else { return }
    let kept = page.pieces.filter(\.isKept)
    let isContinued = page.pieces.first?.isKept == true
    var lacing: [UInt8] = []
    for piece in kept {
      lacing += [UInt8](repeating: 255, count: piece.range.count / 255)
      if piece.isEnd { lacing.append(UInt8(piece.range.count % 255)) }
    }
    // A page on which no packet ends has no time, but for the last one.
    let hasTime = page.page.flags & 4 != 0 || kept.contains(where: \.isEnd)
    let time = hasTime ? page.page.granule : .max
    let flags = page.page.flags & (isContinued ? 7 : 6)
    let head =
      Array("OggS".utf8) + [0, flags] + time.bytes(8, .little) + page.serial.bytes(4, .little)
      + page.sequence.bytes(4, .little)
    let tail = [UInt8(lacing.count)] + lacing
    var sum = CRC.oggPage
    sum.add(head + [0, 0, 0, 0] + tail)
    for piece in kept { sum.add(piece.range, of: source) }
    try append(head + sum.value.bytes(4, .little) + tail)
    for piece in kept { try append(copy: piece.range) }
  }
}
