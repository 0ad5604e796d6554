/// The tags after the audio of an MP3 or a FLAC, found from the end of the file.
///
/// Source: id3.org, ID3v1 and Lyrics3 v2.00; the enhanced tag "TAG+" as exiftool reads it.
package struct TrailingTags {
  /// A tag at the end of a file.
  package struct Tag {
    /// The name of the tag format.
    package var name: String
    /// The range of the tag.
    package var range: Range<Int>
  }

  private static let maximumCount = 64

  /// The tags in file order; they are adjacent.
  package private(set) var tags: [Tag] = []
  /// The offset of the first tag; the file's end when there are none.
  package private(set) var start: Int

  /// Finds the tags after `audio`.
  package init(of source: ByteSource, behind audio: Int) {
    start = source.length
    while tags.count < Self.maximumCount, let tag = Self.tag(endingAt: start, behind: audio, source) {
      tags.insert(tag, at: 0)
      start = tag.range.lowerBound
    }
  }

  private static func tag(
    endingAt end: Int,
    behind audio: Int,
    _ source: ByteSource
  ) -> Tag? {
    let candidate: Tag? =
      if source.holds("TAG", at: end - 128) {
        Tag(name: "ID3v1", range: (end - 128)..<end)
      } else if source.holds("TAG+", at: end - 227) {
        Tag(name: "ID3v1 TAG+", range: (end - 227)..<end)
      } else if let tag = APETag(of: source, endingAt: end, notBefore: audio) {
        Tag(name: "APE", range: tag.range)
      } else if let tag = ID3Tag(of: source, endingAt: end) {
        Tag(name: "ID3v2", range: tag.range)
      } else {
        lyrics(endingAt: end, source)
      }
    guard let candidate, candidate.range.lowerBound >= audio else { return nil }
    return candidate
  }

  private static func lyrics(endingAt end: Int, _ source: ByteSource) -> Tag? {
    if source.holds("LYRICS200", at: end - 9),
      let digits = source.bytes(in: (end - 15)..<(end - 9), limit: 6),
      let length = Int(String(decoding: digits, as: UTF8.self)), length >= 11,
      source.holds("LYRICSBEGIN", at: end - 15 - length)
    {
      return Tag(name: "Lyrics3", range: (end - 15 - length)..<end)
    }
    guard source.holds("LYRICSEND", at: end - 9) else { return nil }
    // Version 1 stores no length; its text has at most 5,100 bytes.
    let earliest = max(0, end - 9 - 5100 - 11)
    var offset = end - 20
    while offset >= earliest {
      if source.holds("LYRICSBEGIN", at: offset) {
        return Tag(name: "Lyrics3", range: offset..<end)
      }
      offset -= 1
    }
    return nil
  }
}
