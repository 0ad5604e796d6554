import MediaModel

/// The parts that the tags of all audio formats have in common.
enum AudioValues {
  /// Parses a date with its time of day; a date without one is rejected.
  ///
  /// - Parameter text: `yyyy-MM-ddTHH:mm[:ss[.fraction]][offset]`; some programs write a space for
  ///   the T.
  /// - Returns: Nil when a field is out of range.
  ///
  /// Source: ISO 8601-1; ID3v2.4 section 4 (timestamps).
  static func date(_ text: String) -> CaptureDate? {
    var bytes = Array(text.utf8.prefix(64))
    guard bytes.count >= 16, bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " ") else {
      return nil
    }
    if bytes.count == 16 || bytes[16] != UInt8(ascii: ":") {
      bytes.insert(contentsOf: ":00".utf8, at: 16)
    }
    guard let local = DateText.local(exif: bytes) else { return nil }
    var rest = bytes[19...]
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst().drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
    return CaptureDate(
      local: local,
      offsetMinutes: DateText.offsetMinutes(rest),
      tag: KeptMetadata.dateTag
    )
  }

  /// Returns the text that ``date(_:)`` reads back as the same date.
  static func text(_ date: CaptureDate) -> String {
    date.local + (date.offsetMinutes.map(DateText.offset) ?? "")
  }

  /// Returns the duration of `samples`.
  ///
  /// - Returns: Milliseconds, rounded down; nil for no samples, for a rate of zero, and for more
  ///   than a year, which is an error in the file.
  static func milliseconds(_ samples: UInt64, rate: UInt64) -> Int? {
    let (high, low) = samples.multipliedFullWidth(by: 1000)
    guard rate > 0, high < rate else { return nil }
    let milliseconds = rate.dividingFullWidth((high, low)).quotient
    guard milliseconds > 0, milliseconds <= 366 * 86_400_000 else { return nil }
    return Int(milliseconds)
  }

  /// Returns the facts of audio with one track.
  static func facts(
    _ format: MediaFormat,
    codec: String,
    durationMilliseconds: Int?,
    channelCount: Int?,
    sampleRate: Int?,
    creationDate: CaptureDate? = nil
  ) -> Facts {
    var facts = Facts(format: format)
    facts.creationDate = creationDate
    facts.durationMilliseconds = durationMilliseconds
    facts.tracks = [
      TrackFacts(
        kind: .audio,
        codec: codec,
        durationMilliseconds: durationMilliseconds,
        channelCount: channelCount,
        sampleRate: sampleRate
      )
    ]
    return facts
  }
}

extension KeptMetadata {
  /// Fills absent values from `other`, each independently; only values that audio tags can hold are
  /// filled.
  package mutating func fill(from other: KeptMetadata) {
    creationDate = creationDate ?? other.creationDate
    copyright = copyright ?? other.copyright
    creator = creator ?? other.creator
    title = title ?? other.title
    caption = caption ?? other.caption
    rating = rating ?? other.rating
  }
}

extension FoundMetadata {
  /// Creates the metadata of an audio file, whose tags count as one block.
  package init(tags values: KeptMetadata) {
    self.init()
    // All values passed the checks that the reader of a packet applies, and so read back
    // unchanged.
    if let packet = XMPWriter.packet(kept: values, scope: .alone) { takeXMP(packet) }
  }
}
