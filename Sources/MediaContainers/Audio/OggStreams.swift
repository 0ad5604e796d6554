/// Where each page of an Ogg belongs.
package struct OggStreams {
  package enum Place {
    case removed(String)
    case header
    /// The page that completes the headers of a sound.
    case lastHeader(OggHeaders)
    /// A page of sound, with its new sequence number.
    case audio(sequence: UInt32)
  }

  private var headers: OggHeaders?
  private var others: [UInt32: String] = [:]
  /// Whether only pages that begin a stream have come since the last page of sound.
  private var isBeginning = true
  private var isAudio = false
  private var lastSequence: UInt32 = 0
  private var newSequence: UInt32 = 0
  /// 1 for the first sound, 2 for the one that follows it …
  package private(set) var newSerial: UInt32 = 0
  package private(set) var hasAudio = false

  package init() {}

  /// - Throws: `stripUnsupported` for what is no sound, and for two sounds at once; `damaged` for
  ///   headers that do not fit.
  package mutating func place(
    of page: OggPage,
    in source: ByteSource
  ) throws(MetadataError) -> Place {
    if page.isFirst {
      if !isBeginning { (headers, others, isAudio, isBeginning) = (nil, [:], false, true) }
      let codec = OggCodec(of: source, in: page)
      if case .description(let name) = codec, others.count < 64 {
        others[page.serial] = name
        return .removed(name)
      }
      guard codec.isAudio, headers == nil else {
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
      // A page that is missing stays missing, or a decoder would join two halves of two packets.
      newSequence &+= page.sequence == lastSequence &+ 1 ? 1 : 2
      lastSequence = page.sequence
      return .audio(sequence: newSequence)
    }
    lastSequence = page.sequence
    try headers?.add(page, of: source)
    guard let headers, headers.isComplete else { return .header }
    return .lastHeader(headers)
  }

  /// The headers are written; the last has this sequence number.
  package mutating func begin(behind sequence: UInt32) {
    newSequence = sequence
    isAudio = true
    hasAudio = true
  }
}
