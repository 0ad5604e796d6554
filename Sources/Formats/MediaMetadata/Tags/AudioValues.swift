import MediaModel

/// The parts that the tags of all audio formats have in common.
enum AudioValues {
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
    sampleRate: Int?
  ) -> Facts {
    var facts = Facts(format: format)
    facts.durationMilliseconds = durationMilliseconds
    var track = TrackFacts(kind: .audio, codec: codec)
    track.durationMilliseconds = durationMilliseconds
    track.channelCount = channelCount
    track.sampleRate = sampleRate
    facts.tracks = [track]
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
    hasUnreadPlace = hasUnreadPlace || other.hasUnreadPlace
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
