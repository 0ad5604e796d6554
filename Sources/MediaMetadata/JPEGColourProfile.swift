/// An ICC profile, which a JPEG carries in up to 255 APP2 segments.
///
/// Source: ICC.1:2022 annex B.4.
struct JPEGColourProfile {
  struct Chunk {
    /// The whole segment, from its marker on.
    var segment: Range<Int>
    /// This chunk's part of the profile.
    var data: Range<Int>
    /// 1-based.
    var number: Int
    var count: Int

    init?<Source: ByteSource>(_ segment: JPEGSegment, in source: Source) {
      let start = segment.body.lowerBound
      guard segment.body.count > 14, source.holds("ICC_PROFILE\0", at: start),
        let number = source.uint8(at: start + 12), let count = source.uint8(at: start + 13)
      else { return nil }
      self.segment = segment.range
      data = (start + 14)..<segment.body.upperBound
      self.number = number
      self.count = count
    }
  }

  /// What becomes of one segment.
  enum Fate: Equatable {
    case copied
    /// Written anew as chunk `number` of `count`: bytes after the profile's own end do not pass.
    case shortened(data: Range<Int>, number: Int, count: Int)
    case removed
  }

  /// A profile that is larger is no help to a picture.
  private static let maximumLength = 4 << 20

  /// By where the segment starts; a segment that is not in here is removed.
  private var fates: [Int: Fate] = [:]

  /// Keeps the profile only when all of it is there once and it is a profile.
  init<Source: ByteSource>(_ chunks: [Chunk], in source: Source) {
    guard let count = chunks.first?.count, chunks.count == count else { return }
    let ordered = chunks.sorted { $0.number < $1.number }
    for (index, chunk) in ordered.enumerated() {
      guard chunk.count == count, chunk.number == index + 1 else { return }
    }
    let total = ordered.reduce(0) { $0 + $1.data.count }
    guard total <= Self.maximumLength,
      let head = Self.bytes(0..<40, of: ordered, in: source),
      head[36...] == [0x61, 0x63, 0x73, 0x70]
    else { return }
    let declared = head[..<4].reduce(0) { $0 << 8 | Int($1) }
    guard declared >= 128, declared <= total else { return }
    if declared == total {
      for chunk in chunks { fates[chunk.segment.lowerBound] = .copied }
      return
    }
    var kept: [(chunk: Chunk, data: Range<Int>)] = []
    var missing = declared
    for chunk in ordered where missing > 0 {
      kept.append((chunk, chunk.data.prefix(missing)))
      missing -= min(missing, chunk.data.count)
    }
    for (index, part) in kept.enumerated() {
      fates[part.chunk.segment.lowerBound] =
        .shortened(data: part.data, number: index + 1, count: kept.count)
    }
  }

  /// What becomes of the segment that starts at `offset`.
  func fate(ofSegmentAt offset: Int) -> Fate {
    fates[offset] ?? .removed
  }

  /// The marker, length and identifier of a chunk of `length` bytes of profile.
  static func segmentHead(length: Int, number: Int, count: Int) -> [UInt8] {
    let whole = UInt16(truncatingIfNeeded: length + 16)
    return [0xFF, JPEGMarker.app2, UInt8(whole >> 8), UInt8(whole & 0xFF)]
      + Array("ICC_PROFILE\0".utf8)
      + [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: count)]
  }

  private static func bytes<Source: ByteSource>(
    _ range: Range<Int>,
    of chunks: [Chunk],
    in source: Source
  ) -> [UInt8]? {
    var bytes: [UInt8] = []
    for chunk in chunks where bytes.count < range.count {
      let part = chunk.data.prefix(range.count - bytes.count)
      guard let copied = source.bytes(in: part, limit: range.count) else { return nil }
      bytes += copied
    }
    return bytes.count == range.count ? bytes : nil
  }
}
