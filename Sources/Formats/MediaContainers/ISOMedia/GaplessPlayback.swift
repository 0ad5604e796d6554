/// The numbers of samples that an encoder added before and after a sound, as iTunes writes them into
/// a comment of its own.
///
/// Players without the comment need the same numbers as an edit list, or they play the added samples.
///
/// Source: Apple, QuickTime File Format, "Audio priming: handling encoder delay in AAC"; the tag
/// `iTunSMPB` as FFmpeg's libavformat/mov.c reads it.
package struct GaplessPlayback: Equatable {
  private static let maximumTags = 4096
  /// The maximum number of added samples at one end; FFmpeg uses no more either.
  private static let maximumAdded = 16_384

  /// The number of samples before the sound.
  package let priming: Int
  /// The number of samples after the sound.
  package let padding: Int
  /// The number of samples of the sound itself.
  package let sampleCount: Int

  /// Finds the comment in the user data of a movie; nil when there is none, or one without sense.
  package init?(of source: ByteSource, in moov: Range<Int>) {
    guard let udta = ISOBoxes.first("udta", in: moov, of: source),
      let meta = ISOBoxes.first("meta", in: udta.body, of: source)?.body
    else { return nil }
    // QuickTime's meta has no version and flags before its boxes.
    let boxes = source.code(at: meta.lowerBound + 4) == "hdlr" ? meta : meta.dropFirst(4)
    guard let list = ISOBoxes.first("ilst", in: boxes, of: source)?.body else { return nil }
    for tag in ISOBoxes(source, in: list, limit: Self.maximumTags) where tag.type == "----" {
      guard let name = ISOBoxes.first("name", in: tag.body, of: source)?.body,
        source.bytes(in: name.dropFirst(4), limit: 16) == Array("iTunSMPB".utf8),
        let data = ISOBoxes.first("data", in: tag.body, of: source)?.body,
        let text = source.bytes(in: data.dropFirst(8).prefix(256), limit: 256)
      else { continue }
      self.init(text: String(decoding: text, as: UTF8.self))
      return
    }
    return nil
  }

  /// Parses hexadecimal numbers with spaces between them, of which the second to the fourth count.
  init?(text: String) {
    let numbers = text.split(separator: " ").prefix(4).map { Int($0, radix: 16) }
    guard numbers.count == 4, let priming = numbers[1], let padding = numbers[2],
      let sampleCount = numbers[3], (1..<Self.maximumAdded).contains(priming),
      (0..<Self.maximumAdded).contains(padding), (1...Int(UInt32.max)).contains(sampleCount)
    else { return nil }
    (self.priming, self.padding, self.sampleCount) = (priming, padding, sampleCount)
  }

  /// Returns the part of a track that is the sound, in the track's own time scale.
  ///
  /// - Parameter duration: The duration of all packets, in the track's time scale.
  /// - Returns: The start and the duration; nil when the track ends before the sound begins.
  package func sound(in duration: Int) -> (start: Int, duration: Int)? {
    // A decoder doubles the rate of AAC with band replication, and the track may count half of it.
    let scale = priming + padding + sampleCount == 2 * duration ? 2 : 1
    let start = priming / scale
    guard duration > start else { return nil }
    return (start, min(sampleCount / scale, duration - start))
  }
}
