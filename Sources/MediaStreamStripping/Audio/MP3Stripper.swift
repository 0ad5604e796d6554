package import MediaContainers
package import MediaEditing
import MediaMetadata
package import MediaModel

/// Removes everything from an MP3 that is not needed to play it.
///
/// Frames are kept as they are; a last frame that was cut off is kept as far as it goes. Written
/// anew is the frame that describes the others (Xing, Info, VBRI), with counts and table of
/// contents from the frames, and LAME's samples of silence at both ends, so that the file still
/// plays without gaps; its encoder, settings and loudness are removed. So are ID3, APE and Lyrics3
/// tags at any offset, and all bytes that are no frame. What `except` keeps is written as an
/// ID3v2.4 tag before the first frame.
///
/// Loudness (ReplayGain) is removed: without it, a player plays the audio as it was recorded.
package enum MP3Stripper: ContainerStripper {
  package static func editList(
    of source: ByteSource,
    options: StripOptions
  ) throws(MetadataError) -> EditList {
    let trailing = TrailingTags(of: source, behind: LeadingTags(of: source).end)
    let summary = try MP3Summary(of: source, trailing: trailing)
    var builder = EditListBuilder(sourceLength: source.length)
    let kept = options.kept(of: MP3Metadata.find(in: source))
    let own = ID3Values.tag(kept)
    if let own { try builder.literal(own) }
    var parts = MP3Parts(source, trailing: trailing)
    var isFirst = true
    while let (part, range) = parts.next() {
      switch part {
      case .tag("ID3v2")
      where range.count == own?.count && source.bytes(in: range, limit: range.count) == own:
        break
      case .tag(let name), .other(let name): builder.remove(name)
      case .cutFrame: try builder.copy(range)
      case .frame(let frame):
        if isFirst, let information = summary.information {
          let bytes = rewritten(information, summary, at: range, of: source, trailing: trailing)
          if source.bytes(in: range, limit: range.count) == bytes {
            try builder.copy(range)
          } else {
            builder.remove("encoder information")
            try builder.literal(bytes)
          }
        } else if isDescription(frame, of: source, at: range.lowerBound) {
          // After the first frame it describes nothing: players decode it as silence.
          builder.remove("encoder information")
          try builder.copy(range.prefix(4 + frame.sideLength))
          let count = range.count - 4 - frame.sideLength
          try builder.literal([UInt8](repeating: 0, count: count))
        } else {
          try builder.copy(range)
        }
        isFirst = false
      }
    }
    return builder.finish()
  }

  /// Returns the frame that describes the others, with what it says of them.
  static func rewritten(
    _ information: MP3Information,
    _ summary: MP3Summary,
    at range: Range<Int>,
    of source: ByteSource,
    trailing: TrailingTags
  ) -> [UInt8] {
    let places = MP3Places(for: information, summary: summary, of: source, trailing: trailing)
    var checksum = CRC.lame
    if information.gaps != nil {
      var parts = MP3Parts(source, trailing: trailing)
      while let (part, frame) = parts.next() {
        switch part {
        case .frame where frame.lowerBound > range.lowerBound: checksum.add(frame, of: source)
        case .cutFrame: checksum.add(frame, of: source)
        case .frame, .tag, .other: break
        }
      }
    }
    return information.bytes(
      head: source.bytes(in: range.prefix(4), limit: 4) ?? [0, 0, 0, 0],
      summary: summary,
      places: places,
      audioChecksum: checksum.value
    )
  }

  /// Returns whether a frame without audio has the header of a file in it.
  static func isDescription(
    _ frame: MPEGAudioFrame,
    of source: ByteSource,
    at offset: Int
  ) -> Bool {
    let side = (offset + 4)..<(offset + 4 + frame.sideLength)
    guard
      ["Xing", "Info"].contains(where: { source.holds($0, at: side.upperBound) })
        || source.holds("VBRI", at: offset + 36)
    else { return false }
    return source.isZero(side)
  }
}
