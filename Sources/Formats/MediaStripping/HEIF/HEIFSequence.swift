import MediaContainers

/// The moov of an image sequence, with the tracks that are kept.
///
/// Source: ISO/IEC 23008-12 section 7; ISO/IEC 14496-12 section 8.2.
struct HEIFSequence {
  private(set) var tracks: [HEIFSequenceTrack] = []
  /// The whole mvhd box.
  private var header: [UInt8] = []
  private(set) var removed: [String] = []

  /// The maximum number of pictures over all tracks.
  private static let maximumSamples = 1 << 18
  private static let maximumTracks = 64

  /// Reads the tracks of a moov.
  ///
  /// - Throws: `stripUnsupported` for a fragmented file or an unknown codec.
  init(
    _ moov: ISOBox,
    of source: ByteSource,
    _ filter: inout HEIFUnitFilter
  ) throws(MetadataError) {
    let boxes = try moov.children(in: source, isStrict: true)
    for box in boxes {
      switch box.type {
      case "mvhd": continue
      case "mvex": throw MetadataError(.stripUnsupported, "HEIF with mvex")
      case "trak": try append(try ISOTrack(box, of: source))
      default: removed.append("\(box.type.displayName) of the sequence")
      }
    }
    keepWhatIsShown()
    header = try ISOHeaders.mvhd(
      try boxes.needed("mvhd", in: "moov"),
      of: source,
      nextTrack: tracks.count + 1
    )
    var numbers: [Int: Int] = [:]
    for (index, track) in tracks.enumerated() { numbers[track.track.identifier] = index + 1 }
    for index in tracks.indices {
      try tracks[index].write(number: index + 1, numbers)
      try tracks[index].filter(with: &filter)
      removed += tracks[index].removed
    }
  }

  private mutating func append(_ track: ISOTrack) throws(MetadataError) {
    switch track.handler {
    case "pict", "auxv":
      let count = tracks.reduce(0) { $0 + $1.samples.count }
      guard tracks.count < Self.maximumTracks else {
        throw MetadataError(.overLimit, "too many tracks")
      }
      tracks.append(try HEIFSequenceTrack(track, maximumSamples: Self.maximumSamples - count))
    case "soun": removed.append("sound track")
    case "vide": removed.append("video track")
    default: removed.append("other track")
    }
  }

  /// Removes tracks of thumbnails, and auxiliary tracks that are not alpha or belong to no kept
  /// track.
  private mutating func keepWhatIsShown() {
    let shown = tracks.map(\.track).filter { track in
      track.handler == "pict" && !track.references.contains { $0.type == "thmb" }
    }
    let identifiers = Set(shown.map(\.identifier))
    let kept = tracks.filter { candidate in
      let track = candidate.track
      if track.handler == "pict" { return identifiers.contains(track.identifier) }
      return track.entries.lazy.compactMap(\.auxiliary).first == .alpha
        && track.references.contains { $0.type == "auxl" && !identifiers.isDisjoint(with: $0.to) }
    }
    for _ in kept.count..<tracks.count { removed.append("other track") }
    tracks = kept
  }

  /// Returns the whole box. `base` is the file offset of the coded data, and `ranges` are the
  /// ranges of each track's samples relative to it; the box's length does not depend on `base`.
  func box(_ ranges: [[Range<Int>]], base: Int, isLong: Bool) -> [UInt8] {
    let boxes = zip(tracks, ranges).flatMap { $0.box($1, base: base, isLong: isLong) }
    return ISOWriter.box("moov", header + boxes)
  }
}

/// A track of pictures, or of their alpha planes.
///
/// Source: ISO/IEC 14496-12 section 8.3 to 8.7; ISO/IEC 23008-12 section 7.
struct HEIFSequenceTrack {
  let track: ISOTrack
  /// The range and the 1-based sample description of each picture.
  private(set) var samples: [(range: Range<Int>, description: Int)] = []
  /// The ranges that are kept of each sample; an empty sample has none.
  private(set) var parts: [[Range<Int>]] = []
  private(set) var removed: [String] = []

  /// The boxes ahead of mdia, those ahead of minf, and those of stbl ahead of the positions.
  private var trackBoxes: [UInt8] = []
  private var mediaBoxes: [UInt8] = []
  private var tableBoxes: [UInt8] = []

  /// Finds the samples of a track.
  ///
  /// - Throws: `damaged` when the tables are inconsistent; `overLimit` for more samples than
  ///   `maximumSamples`.
  init(_ track: ISOTrack, maximumSamples: Int) throws(MetadataError) {
    var track = track
    try track.readMedia()
    try track.readEntries()
    self.track = track
    guard let table = track.table, table.sizes.count <= maximumSamples else {
      throw MetadataError(.overLimit, "too many samples")
    }
    try table.forEachChunk { chunk throws(MetadataError) in
      guard chunk.description >= 1, chunk.description <= track.entries.count else {
        throw MetadataError(.damaged, "a sample without its description")
      }
      var position = chunk.offset
      for sample in chunk.firstSample..<(chunk.firstSample + chunk.sampleCount) {
        guard let size = table.sizes.size(of: sample, in: track.source),
          position <= track.source.length, size <= track.source.length - position
        else { throw MetadataError(.damaged, "a sample whose bytes are not in the file") }
        samples.append((position..<(position + size), chunk.description))
        position += size
      }
    }
    let parents: [(FourCharacterCode, [ISOBox])] = [
      ("trak", track.trak), ("mdia", track.mdia), ("minf", track.minf), ("stbl", track.stbl),
    ]
    for (parent, boxes) in parents {
      // Sizes of fewer bits are written as stsz.
      for box in boxes
      where !BoxAllowList.picture.allows(box.type, in: parent) && box.type != "stz2" {
        removed.append("\(box.type.displayName) of a track")
      }
    }
    removed += track.entries.flatMap(\.removed)
  }

  /// Parses the coded data of the samples.
  mutating func filter(with filter: inout HEIFUnitFilter) throws(MetadataError) {
    for sample in samples {
      let bitstream = track.entries[sample.description - 1].bitstream
      parts.append(sample.range.isEmpty ? [] : try filter.parts(of: [sample.range], bitstream))
    }
  }

  /// Writes the boxes that do not depend on the positions of samples; `numbers` are the IDs of the
  /// tracks in the output.
  mutating func write(number: Int, _ numbers: [Int: Int]) throws(MetadataError) {
    let source = track.source
    let tkhd = try track.trak.needed("tkhd", in: "a track")
    trackBoxes = try ISOHeaders.tkhd(tkhd, of: source, identifier: number)
    let references = track.references.filter { $0.type == "auxl" || $0.type == "prem" }
      .map { (type: $0.type, to: $0.to.compactMap { numbers[$0] }) }
      .filter { !$0.to.isEmpty }
    if !references.isEmpty {
      let boxes = references.flatMap { ISOWriter.box($0.type, $0.to.flatMap { $0.bytes(4) }) }
      trackBoxes += ISOWriter.box("tref", boxes)
    }
    if let edts = try track.trak.only("edts") {
      trackBoxes += try ISOHeaders.edts(edts, of: source)?.bytes(in: source) ?? []
    }
    let mdhd = try track.mdia.needed("mdhd", in: "a track")
    mediaBoxes =
      try ISOHeaders.mdhd(mdhd, of: source) + ISOWriter.handler(track.handler ?? "pict")
    let entries = track.entries.count.bytes(4) + track.entries.flatMap(\.box)
    tableBoxes = ISOWriter.full("stsd", entries)
    for type in ["stts", "ctts", "cslg", "stss"] as [FourCharacterCode] {
      guard let box = try track.stbl.only(type) else { continue }
      let table =
        type == "cslg"
        ? try ISOTables.optional(box, samples: samples.count, of: source)
        : try ISOTables.table(box, of: source)
      tableBoxes += try table?.bytes(in: source) ?? []
    }
  }

  /// Returns the whole trak box.
  func box(_ ranges: [Range<Int>], base: Int, isLong: Bool) -> [UInt8] {
    let minf =
      ISOWriter.full("vmhd", flags: 1, [UInt8](repeating: 0, count: 8)) + ISOHeaders.ownData
      + ISOWriter.box("stbl", tableBoxes + chunks(ranges, base: base, isLong: isLong))
    let mdia = ISOWriter.box("mdia", mediaBoxes + ISOWriter.box("minf", minf))
    return ISOWriter.box("trak", trackBoxes + mdia)
  }

  /// Writes each sample as its own chunk: a sequence has few, and they may have any offset.
  private func chunks(_ ranges: [Range<Int>], base: Int, isLong: Bool) -> [UInt8] {
    var runs: [UInt8] = []
    var count = 0
    var description = 0
    for (index, sample) in samples.enumerated() where sample.description != description {
      description = sample.description
      count += 1
      runs += (index + 1).bytes(4) + 1.bytes(4) + description.bytes(4)
    }
    let sizes = ranges.flatMap { $0.count.bytes(4) }
    let offsets = ranges.flatMap { (base + $0.lowerBound).bytes(isLong ? 8 : 4) }
    let length = ranges.count.bytes(4)
    return ISOWriter.full("stsc", count.bytes(4) + runs)
      + ISOWriter.full("stsz", 0.bytes(4) + length + sizes)
      + ISOWriter.full(isLong ? "co64" : "stco", length + offsets)
  }
}
