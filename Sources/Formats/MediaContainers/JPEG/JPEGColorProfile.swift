/// An ICC profile that a JPEG stores in up to 255 APP2 segments.
///
/// Source: ICC.1:2022 annex B.4.
package struct JPEGColorProfile {
  /// An APP2 segment that holds a chunk of a profile.
  package struct Chunk {
    /// The range of the profile data in this chunk.
    package var data: Range<Int>
    /// The chunk number, 1-based.
    package var number: Int
    /// The total number of chunks that this chunk declares.
    package var count: Int

    /// Parses a chunk; nil when the segment does not hold a part of a profile.
    package init?(_ segment: JPEGSegment, in source: ByteSource) {
      let start = segment.body.lowerBound
      guard segment.body.count > 14, source.holds(identifier, at: start),
        let number = source.uint8(at: start + 12), let count = source.uint8(at: start + 13)
      else { return nil }
      data = (start + 14)..<segment.body.upperBound
      self.number = number
      self.count = count
    }
  }

  /// The identifier at the start of a profile segment.
  package static let identifier = "ICC_PROFILE\0"
  /// The largest number of profile bytes in one segment, after marker, length, identifier, number
  /// and count.
  package static let maximumChunkLength = 65_535 - 16

  /// The ranges of a complete profile, in order; empty when the profile is incomplete.
  package let parts: [Range<Int>]
  /// The length that the profile's header declares, in bytes.
  package let declared: Int

  /// The profile of a color space that the picture states in another way, in place of one of its own.
  private var stated: [UInt8]?

  /// The profile of a picture that has none and states Adobe RGB in its Exif block.
  static let adobeRGB = {
    var profile = JPEGColorProfile([], in: ByteSource([]))
    profile.stated = AdobeRGB.profile
    return profile
  }()

  /// Assembles the profile if every chunk is present exactly once: decoders accept no other.
  package init(_ chunks: [Chunk], in source: ByteSource) {
    (parts, declared) = Self.whole(chunks, in: source) ?? ([], 0)
  }

  private static func whole(
    _ chunks: [Chunk],
    in source: ByteSource
  ) -> (parts: [Range<Int>], declared: Int)? {
    guard let count = chunks.first?.count, chunks.count == count else { return nil }
    let ordered = chunks.sorted { $0.number < $1.number }
    for (index, chunk) in ordered.enumerated() {
      guard chunk.count == count, chunk.number == index + 1 else { return nil }
    }
    let parts = ordered.map(\.data)
    let total = parts.reduce(0) { $0 + $1.count }
    guard let head = bytes(upTo: 132, of: parts, in: source),
      let declared = ICCProfile.declaredLength(of: ByteSource(head)), declared <= total
    else { return nil }
    return (parts, declared)
  }

  /// Whether there is a complete profile, which decoders accept.
  package var isWhole: Bool { !parts.isEmpty }

  /// The number of bytes after the profile's own end.
  package var excess: Int { parts.reduce(0) { $0 + $1.count } - declared }

  /// Returns the profile's bytes without what follows its end; nil when there is none.
  ///
  /// - Throws: `overLimit` for more than `limit` bytes, 4 MiB by default.
  package func bytes(
    in source: ByteSource,
    limit: Int = ICCProfile.maximumLength
  ) throws(MetadataError) -> [UInt8]? {
    guard isWhole else { return stated }
    guard declared <= limit else {
      throw MetadataError(.overLimit, "an ICC profile of more than \(limit >> 20) MiB")
    }
    return Self.bytes(upTo: declared, of: parts, in: source)
  }

  /// Returns the start of a segment for `length` bytes of a profile: marker, length, identifier,
  /// the 1-based number of the chunk, and the number of chunks.
  package static func segmentHead(length: Int, number: Int, count: Int) -> [UInt8] {
    [0xFF, JPEGMarker.app2] + (length + 16).bytes(2) + Array(identifier.utf8)
      + [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: count)]
  }

  /// Returns the ranges in the file that hold `range` of the profile.
  package func sourceRanges(of range: Range<Int>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    for part in parts {
      let wanted = range.clamped(to: start..<(start + part.count))
      if !wanted.isEmpty {
        let offset = part.lowerBound - start
        ranges.append((wanted.lowerBound + offset)..<(wanted.upperBound + offset))
      }
      start += part.count
    }
    return ranges
  }

  private static func bytes(
    upTo length: Int,
    of parts: [Range<Int>],
    in source: ByteSource
  ) -> [UInt8]? {
    var bytes: [UInt8] = []
    for part in parts where bytes.count < length {
      let wanted = part.prefix(length - bytes.count)
      guard let copied = source.bytes(in: wanted, limit: length) else { return nil }
      bytes += copied
    }
    return bytes.count == length ? bytes : nil
  }
}
