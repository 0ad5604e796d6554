import MediaContainers

/// The order in which the pixels of all pages are copied, and the resulting offset of each strip or
/// tile.
///
/// They stay in the order of the source, so that it is read once, front to back; segments that
/// several pages share stay shared.
struct TIFFDataPlan {
  private struct Segment {
    var source: Range<Int>
    /// The offset from the first pixel byte of the output.
    var offset: Int
    /// The ranges to copy, if not the whole segment is copied.
    var parts: [Range<Int>]?
    var length: Int
  }

  private var segments: [Segment] = []
  /// The number of pixel bytes in the output.
  private(set) var length = 0
  /// The number of pixel bytes in the source.
  var sourceLength: Int { segments.reduce(0) { $0 + $1.source.count } }

  /// Whether something within a strip is left out.
  private(set) var isEdited = false

  /// Plans the pixel data of `pages`.
  ///
  /// - Throws: `damaged` when strips overlap the directories, or JPEG strips overlap.
  init(
    _ pages: [TIFFPage],
    structure: [Range<Int>],
    in source: ByteSource
  ) throws(MetadataError) {
    var plain: [Range<Int>] = []
    var streams: [Range<Int>] = []
    for page in pages {
      for piece in page.pieces where !piece.isEmpty {
        if page.isJPEG { streams.append(piece) } else { plain.append(piece) }
      }
    }
    plain.sort { $0.lowerBound < $1.lowerBound }
    streams.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    segments = Self.merge(plain, in: source).map {
      Segment(source: $0, offset: 0, parts: nil, length: $0.count)
    }
    for stream in streams where stream != segments.last?.source {
      let parts = try TIFFJPEG.parts(of: stream, in: source)
      let length = parts.reduce(0) { $0 + $1.count }
      if length != stream.count { isEdited = true }
      segments.append(Segment(source: stream, offset: 0, parts: parts, length: length))
    }
    segments.sort { $0.source.lowerBound < $1.source.lowerBound }
    var end = 0
    for index in segments.indices {
      guard segments[index].source.lowerBound >= end else {
        throw MetadataError(.damaged, "JPEG strips that overlap")
      }
      end = segments[index].source.upperBound
      segments[index].offset = length
      length += segments[index].length
    }
    try check(structure)
  }

  /// Returns the offset of `piece` from the first pixel byte of the output, and its length there.
  func extent(of piece: Range<Int>) -> (offset: Int, length: Int) {
    var low = 0
    var high = segments.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if segments[middle].source.lowerBound <= piece.lowerBound {
        low = middle
      } else {
        high = middle
      }
    }
    let segment = segments[low]
    guard segment.parts == nil else { return (segment.offset, segment.length) }
    return (segment.offset + piece.lowerBound - segment.source.lowerBound, piece.count)
  }

  func append(to builder: inout EditListBuilder) throws(MetadataError) {
    for segment in segments {
      for part in segment.parts ?? [segment.source] { try builder.copy(part) }
    }
  }

  /// Merges adjacent ranges. A single zero byte between two ranges that makes the second offset
  /// even is included, because a file of many small strips would take too many operations
  /// otherwise.
  private static func merge(
    _ sorted: [Range<Int>],
    in source: ByteSource
  ) -> [Range<Int>] {
    var merged: [Range<Int>] = []
    for range in sorted {
      if let last = merged.last {
        let gap = range.lowerBound - last.upperBound
        let isPadding =
          gap == 1 && range.lowerBound % 2 == 0 && source.byte(at: last.upperBound) == 0
        if gap <= 0 || isPadding {
          merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
          continue
        }
      }
      merged.append(range)
    }
    return merged
  }

  /// Checks that no pixel range overlaps directories or values, which would be copied with it.
  private func check(_ structure: [Range<Int>]) throws(MetadataError) {
    var index = 0
    for range in structure.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      while index < segments.count, segments[index].source.upperBound <= range.lowerBound {
        index += 1
      }
      guard index < segments.count else { return }
      guard segments[index].source.lowerBound >= range.upperBound else {
        throw MetadataError(.damaged, "pixels that lie in a directory or a value")
      }
    }
  }
}
