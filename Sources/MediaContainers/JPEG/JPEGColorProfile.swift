/// An ICC profile, which a JPEG carries in up to 255 APP2 segments.
///
/// Source: ICC.1:2022 annex B.4.
package struct JPEGColorProfile {
  package struct Chunk {
    /// This chunk's part of the profile.
    package var data: Range<Int>
    /// 1-based.
    package var number: Int
    package var count: Int

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

  package static let identifier = "ICC_PROFILE\0"
  /// What one segment holds beside its marker, length, identifier, number and count.
  package static let maximumChunkLength = 65_535 - 16

  /// The parts of a profile that is whole, in order; none when it is not.
  package let parts: [Range<Int>]
  /// How long the profile says to be.
  package let declared: Int

  /// Takes the chunks for a profile only when all of it is there once: decoders take no other.
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

  /// Whether there is a profile that decoders take.
  package var isWhole: Bool { !parts.isEmpty }

  /// How many bytes follow the profile's own end.
  package var excess: Int { parts.reduce(0) { $0 + $1.count } - declared }

  /// The profile's bytes, without what follows its end; nil when there is none.
  ///
  /// - Throws: `overLimit` for more than 4 MiB.
  package func bytes(in source: ByteSource) throws(MetadataError) -> [UInt8]? {
    guard isWhole else { return nil }
    guard declared <= ICCProfile.maximumLength else {
      throw MetadataError(.overLimit, "an ICC profile of more than 4 MiB")
    }
    return Self.bytes(upTo: declared, of: parts, in: source)
  }

  /// Where bytes of the profile stand in the file.
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
