/// Assigns each page of an Ogg to a stream.
package struct OggStreams {
  /// The disposition of a page.
  package enum Position {
    /// The page is removed under this name.
    case removed(String)
    /// The page holds headers.
    case header
    /// The page completes the headers of an audio stream.
    case lastHeader(OggHeaders)
    /// The page holds audio and gets a new sequence number.
    case audio(sequence: UInt32)
  }

  private let isLenient: Bool
  private var headers: OggHeaders?
  private var others: [UInt32: String] = [:]
  /// Whether only pages that begin a stream were read since the last audio page.
  private var isBeginning = true
  private var isAudio = false
  /// Whether a page said that it is the last one of the sound.
  private var isEnded = false
  private var lastSequence: UInt32 = 0
  private var newSequence: UInt32 = 0
  /// The new serial number: 1 for the first audio stream, 2 for the one that follows it …
  package private(set) var newSerial: UInt32 = 0
  /// Whether any audio stream was found.
  package private(set) var hasAudio = false

  /// Starts before the first page. A lenient reading removes streams that are not audio, and every audio
  /// stream beside the first one: players leave them out, and only stripping has to refuse them.
  package init(isLenient: Bool = false) {
    self.isLenient = isLenient
  }

  /// Returns the disposition of the next page.
  ///
  /// - Throws: `stripUnsupported` for streams that are not audio, and for two simultaneous audio
  ///   streams; `damaged` for inconsistent headers.
  package mutating func position(
    of page: OggPage,
    in source: ByteSource
  ) throws(MetadataError) -> Position {
    if page.isFirst {
      if !isBeginning { (headers, others, isAudio, isBeginning) = (nil, [:], false, true) }
      isEnded = false
      let codec = OggCodec(of: source, in: page)
      if case .description(let name) = codec, others.count < 64 {
        others[page.serial] = name
        return .removed(name)
      }
      guard codec.isAudio, headers == nil else {
        if isLenient { return .removed(codec.name) }
        throw MetadataError(
          .stripUnsupported,
          codec.isAudio ? "Ogg with two sounds at once" : "Ogg with what is no sound"
        )
      }
      headers = OggHeaders(codec, serial: page.serial)
      newSerial += 1
    } else {
      isBeginning = false
    }
    guard page.serial == headers?.serial else {
      return .removed(others[page.serial] ?? "page of no stream")
    }
    if isAudio {
      if isEnded, !isLenient { return .removed("page behind the end") }
      isEnded = page.flags & 4 != 0
      // Keep sequence gaps: renumbering would make a decoder join fragments of different packets.
      newSequence &+= page.sequence == lastSequence &+ 1 ? 1 : 2
      lastSequence = page.sequence
      return .audio(sequence: newSequence)
    }
    lastSequence = page.sequence
    try headers?.add(page, of: source)
    guard let headers, headers.isComplete else { return .header }
    return .lastHeader(headers)
  }

  /// Begins the audio pages after the headers were written; the last header page has this sequence
  /// number.
  package mutating func begin(behind sequence: UInt32) {
    newSequence = sequence
    isAudio = true
    hasAudio = true
  }
}
