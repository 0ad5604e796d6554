import MediaCodecs
import MediaContainers

/// The media data of an output: the bytes that are kept, and the offset of each chunk.
///
/// Data offsets count the bytes of all mdat boxes from the first byte of the first one, because the
/// offsets of the boxes are not known yet.
struct MovieData {
  /// An owner of chunks: a track's table, or one run of a fragment.
  struct Owner {
    /// The identifier of its track.
    var track: Int
    var sizes: ISOSampleSizes
    /// The bitstream of each sample description, 1-based; empty when no samples are parsed.
    var bitstreams: [Bitstream] = []
    /// The data offset of each chunk; nil when it has no bytes.
    var offsets: [Int?]
    /// The samples' new sizes, if any size changed.
    var newSizes: [UInt32]?
  }

  /// The range of a chunk in the source.
  struct Extent {
    var start: Int
    var length: Int
    var owner: Int
    var chunk: Int
    var firstSample: Int
    var sampleCount: Int
    /// The 1-based index of the sample description.
    var description: Int
  }

  /// One mdat of the source, and the pieces that are kept of it.
  struct Box {
    var body: Range<Int>
    var pieces = OutputPieces()
    /// The data offset of its first byte.
    var offset = 0
  }

  /// The maximum number of samples of changed sizes: more than a day of video.
  private static var maximumNewSizes: Int { 1 << 24 }

  private let source: ByteSource
  private(set) var owners: [Owner] = []
  private var extents: [Extent] = []
  private(set) var boxes: [Box]
  private(set) var removed = RemovedParts()
  /// The number of source bytes that belong to a chunk.
  private(set) var usedLength = 0

  /// The tracks of which a sample has described a second view.
  private var subsetTracks: Set<Int> = []
  private var total = 0
  /// The index of the current mdat box, and the source offset after the bytes that were copied
  /// last.
  private var current = 0
  private var end = 0
  /// The source offset at which the latest run of unchanged bytes starts, and its data offset.
  private var region: (start: Int, offset: Int)?
  /// The bytes that may still be parsed: chunks that share bytes would let a small file cost any
  /// time.
  private var lengthLeft: Int

  init(_ mdats: [Range<Int>], of source: ByteSource) {
    self.source = source
    boxes = mdats.map { Box(body: $0) }
    lengthLeft = 2 * source.length + 1 << 20
  }

  /// Adds an owner with `chunkCount` chunks, and returns its index.
  mutating func add(
    _ sizes: ISOSampleSizes,
    _ bitstreams: [Bitstream],
    of track: Int,
    chunkCount: Int
  ) -> Int {
    let isPlain = bitstreams.allSatisfy { $0 == .plain }
    owners.append(
      Owner(
        track: track,
        sizes: sizes,
        bitstreams: isPlain ? [] : bitstreams,
        offsets: [Int?](repeating: nil, count: chunkCount)
      )
    )
    return owners.count - 1
  }

  mutating func add(_ extent: Extent) {
    if extent.length > 0 { extents.append(extent) }
  }

  /// Copies every chunk and assigns its data offset.
  ///
  /// - Throws: `damaged` for chunks that are not within the file; `stripUnsupported` for chunks
  ///   outside of mdat, or chunks that share bytes of which some are removed, and for a track of which
  ///   nothing is left; `overLimit` for absurdly many.
  mutating func assignOffsets() throws(MetadataError) {
    extents.sort { ($0.start, $0.length) < ($1.start, $1.length) }
    let all = extents
    extents = []
    for extent in all {
      guard extent.start <= source.length, extent.length <= source.length - extent.start else {
        throw MetadataError(.damaged, "a sample whose bytes are not in the file")
      }
      try enterBox(of: extent)
      if extent.start >= end {
        try append(extent)
      } else {
        try share(extent)
      }
    }
    var hasContent: [Int: Bool] = [:]
    for owner in owners where owner.sizes.count > 0 {
      let isEmptied = owner.newSizes?.allSatisfy { $0 == 0 } ?? false
      hasContent[owner.track, default: false] = !isEmptied || hasContent[owner.track] == true
    }
    guard hasContent.values.allSatisfy({ $0 }) else {
      throw MetadataError(.stripUnsupported, "a track in which no sample has what a decoder needs")
    }
    while current + 1 < boxes.count {
      current += 1
      boxes[current].offset = total
    }
  }

  /// Returns whether mdat boxes have more bytes without a chunk than the `others` bytes of removed
  /// tracks.
  func hasSlack(beside others: Int) -> Bool {
    boxes.reduce(0) { $0 + $1.body.count } - usedLength > others
  }

  /// Advances to the mdat that holds the extent.
  private mutating func enterBox(of extent: Extent) throws(MetadataError) {
    while current < boxes.count, boxes[current].body.upperBound <= extent.start {
      current += 1
      region = nil
      if current < boxes.count { boxes[current].offset = total }
    }
    guard current < boxes.count, boxes[current].body.lowerBound <= extent.start,
      extent.length <= boxes[current].body.upperBound - extent.start
    else { throw MetadataError(.stripUnsupported, "samples outside of mdat") }
  }

  private mutating func append(_ extent: Extent) throws(MetadataError) {
    owners[extent.owner].offsets[extent.chunk] = total
    let offset = total
    let isContinued = extent.start == end && region != nil
    let isUnchanged = try copy(extent)
    // A chunk without bytes has no offset.
    if total == offset { owners[extent.owner].offsets[extent.chunk] = nil }
    end = extent.start + extent.length
    usedLength += extent.length
    if !isUnchanged {
      region = nil
    } else if !isContinued {
      region = (extent.start, offset)
    }
  }

  /// Assigns the offset of an extent that overlaps copied bytes, which requires that all of it is
  /// copied unchanged.
  private mutating func share(_ extent: Extent) throws(MetadataError) {
    let shared = MetadataError(.stripUnsupported, "samples that share bytes")
    guard let region, extent.start >= region.start else { throw shared }
    guard try isUnchanged(extent) else { throw shared }
    owners[extent.owner].offsets[extent.chunk] = region.offset + extent.start - region.start
    let unread = end..<max(end, extent.start + extent.length)
    boxes[current].pieces.copy(unread)
    total += unread.count
    usedLength += unread.count
    end = unread.upperBound
  }

  /// Copies an extent without the removed parts of its samples; returns whether nothing was
  /// removed.
  private mutating func copy(_ extent: Extent) throws(MetadataError) -> Bool {
    guard !owners[extent.owner].bitstreams.isEmpty else {
      take(extent.start..<(extent.start + extent.length))
      return true
    }
    lengthLeft -= extent.length
    let bitstream = try bitstream(of: extent)
    var position = extent.start
    var isUnchanged = true
    for sample in extent.firstSample..<(extent.firstSample + extent.sampleCount) {
      let size = try size(of: sample, extent.owner)
      let before = total
      let range = position..<(position + size)
      if size > 0, try !copy(range, noting(bitstream, range, owners[extent.owner].track)) {
        isUnchanged = false
        if total - before != size { try setSize(of: sample, total - before, for: extent.owner) }
      }
      position += size
    }
    return isUnchanged
  }

  /// Returns whether all of an extent's samples stay as they are.
  private mutating func isUnchanged(_ extent: Extent) throws(MetadataError) -> Bool {
    guard !owners[extent.owner].bitstreams.isEmpty else { return true }
    lengthLeft -= extent.length
    let bitstream = try bitstream(of: extent)
    var position = extent.start
    var isUnchanged = true
    for sample in extent.firstSample..<(extent.firstSample + extent.sampleCount) where isUnchanged {
      let size = try size(of: sample, extent.owner)
      let range = position..<(position + size)
      let units = noting(bitstream, range, owners[extent.owner].track)
      try units.forEachUnit(in: range, of: source) { _, disposition in
        if disposition != .kept { isUnchanged = false }
      }
      position += size
    }
    return isUnchanged
  }

  /// Returns the coding of a sample, with what the samples so far have said of its track.
  private mutating func noting(_ bitstream: Bitstream, _ sample: Range<Int>, _ track: Int)
    -> Bitstream
  {
    var hasSubset = subsetTracks.contains(track)
    let noted = bitstream.noting(subsetIn: sample, of: source, &hasSubset)
    if hasSubset { subsetTracks.insert(track) }
    return noted
  }

  private func bitstream(of extent: Extent) throws(MetadataError) -> Bitstream {
    guard lengthLeft >= 0 else {
      throw MetadataError(.overLimit, "samples that share too many bytes")
    }
    let bitstreams = owners[extent.owner].bitstreams
    guard extent.description >= 1, extent.description <= bitstreams.count else {
      throw MetadataError(.damaged, "a sample without its description")
    }
    return bitstreams[extent.description - 1]
  }

  private func size(of sample: Int, _ owner: Int) throws(MetadataError) -> Int {
    guard let size = owners[owner].sizes.size(of: sample, in: source) else {
      throw MetadataError(.damaged, "samples of impossible length")
    }
    return size
  }

  /// Copies one sample; returns whether all of it stays as it is.
  private mutating func copy(
    _ sample: Range<Int>,
    _ bitstream: Bitstream
  ) throws(MetadataError) -> Bool {
    if bitstream == .dv, let (mask, names) = try DIFFrame.mask(of: sample, in: source) {
      boxes[current].pieces.mask(sample, with: mask)
      total += sample.count
      for name in names { removed.add(name, at: sample) }
      return false
    }
    var start = sample.lowerBound
    var isUnchanged = true
    try bitstream.forEachUnit(in: sample, of: source) { unit, disposition throws(MetadataError) in
      var end = unit.upperBound
      switch disposition {
      case .kept: return
      case .removed(let name):
        take(start..<unit.lowerBound)
        removed.add(name, at: unit)
      case .rewritten(let bytes, let name):
        // A picture behind a start code gets another length alone, and is copied: an edit list may have few
        // bytes of its own.
        let content = unit.suffix(bytes.count)
        let isCopied =
          content.count == bytes.count && bytes.count >= OutputPieces.minimumCopy
          && source.holds(bytes, at: content.lowerBound)
        if isCopied { end = content.lowerBound }
        let literal = Self.length(of: bytes, bitstream) + (isCopied ? [] : bytes)
        take(start..<unit.lowerBound)
        boxes[current].pieces.literal(literal)
        total += literal.count
        removed.add(name, at: unit)
      }
      isUnchanged = false
      start = end
    }
    take(start..<sample.upperBound)
    return isUnchanged
  }

  private mutating func take(_ range: Range<Int>) {
    boxes[current].pieces.copy(range)
    total += range.count
  }

  /// Returns the length that stands ahead of a NAL unit; nothing for another coding.
  private static func length(of unit: [UInt8], _ bitstream: Bitstream) -> [UInt8] {
    guard case .nal(let units) = bitstream else { return [] }
    return units.prefix(ofLength: unit.count)
  }

  private mutating func setSize(
    of sample: Int,
    _ size: Int,
    for owner: Int
  ) throws(MetadataError) {
    if owners[owner].newSizes == nil {
      let sizes = owners[owner].sizes
      guard sizes.count <= Self.maximumNewSizes else {
        throw MetadataError(.overLimit, "too many samples")
      }
      owners[owner].newSizes = (0..<sizes.count).map {
        UInt32(truncatingIfNeeded: sizes.size(of: $0, in: source) ?? 0)
      }
    }
    owners[owner].newSizes?[sample] = UInt32(truncatingIfNeeded: size)
  }
}
