import MediaContainers

/// The moov of an image sequence, with the tracks that are kept.
///
/// Source: ISO/IEC 23008-12 section 7; ISO/IEC 14496-12 section 8.2.
struct HEIFSequence {
  private(set) var tracks: [HEIFTrack] = []
  /// The bytes of time scale and duration in mvhd.
  private var duration: [UInt8]
  /// The transformation matrix of mvhd.
  private var matrix: [UInt8]
  /// The ranges that are kept of each sample, by track; an empty sample has none.
  private(set) var parts: [[[Range<Int>]]] = []
  private(set) var removed: [String] = []

  /// Reads the tracks of a moov.
  ///
  /// - Throws: `stripUnsupported` for a fragmented file or an unknown codec.
  init(
    _ moov: ISOBox,
    of source: ByteSource,
    _ filter: inout HEIFUnitFilter
  ) throws(MetadataError) {
    let boxes = try moov.children(in: source, isStrict: true)
    guard let mvhd = try boxes.only("mvhd") else {
      throw MetadataError(.damaged, "no mvhd")
    }
    var fields = ISOFields(source, mvhd.body, "mvhd")
    let size = try fields.number(4) >> 24 == 1 ? 8 : 4
    _ = try fields.bytes(2 * size)
    duration = try fields.bytes(4 + size)
    _ = try fields.bytes(16)
    matrix = try fields.bytes(36)
    for box in boxes {
      switch box.type {
      case "mvhd": continue
      case "mvex": throw MetadataError(.stripUnsupported, "HEIF with mvex")
      case "trak": try append(box, of: source)
      default: removed.append("\(box.type.displayName) of the sequence")
      }
    }
    keepWhatIsShown()
    for track in tracks {
      removed += track.removed
      var samples: [[Range<Int>]] = []
      for sample in track.table.samples {
        guard !sample.range.isEmpty else {
          samples.append([])
          continue
        }
        let entry = track.entries[sample.description - 1]
        samples.append(try filter.parts(of: [sample.range], entry.bitstream))
      }
      parts.append(samples)
    }
  }

  private mutating func append(
    _ trak: ISOBox,
    of source: ByteSource
  ) throws(MetadataError) {
    let count = tracks.reduce(0) { $0 + $1.table.samples.count }
    guard tracks.count < 64, count <= HEIFSampleTable.maximumSamples else {
      throw MetadataError(.overLimit, "too many tracks or samples")
    }
    switch HEIFTrack.handler(of: trak, in: source) {
    case "pict": tracks.append(try HEIFTrack(trak, "pict", of: source))
    case "auxv": tracks.append(try HEIFTrack(trak, "auxv", of: source))
    case "soun": removed.append("sound track")
    case "vide": removed.append("video track")
    default: removed.append("other track")
    }
  }

  /// Removes tracks of thumbnails, and auxiliary tracks that are not alpha or belong to no kept
  /// track.
  private mutating func keepWhatIsShown() {
    let shown = tracks.filter { track in
      track.handler == "pict" && !track.references.contains { $0.type == "thmb" }
    }
    let identifiers = Set(shown.map(\.identifier))
    let kept = tracks.filter { track in
      if identifiers.contains(track.identifier), track.handler == "pict" { return true }
      return track.handler == "auxv" && track.auxiliary == .alpha
        && track.references.contains { $0.type == "auxl" && !identifiers.isDisjoint(with: $0.to) }
    }
    for _ in kept.count..<tracks.count { removed.append("other track") }
    tracks = kept
  }

  /// Returns the whole box. `base` is the file offset of the coded data, and `places` are the
  /// ranges of each track's samples relative to it; the box's length does not depend on `base`.
  func box(_ places: [[Range<Int>]], base: Int, isLong: Bool) -> [UInt8] {
    var body = header
    var numbers: [Int: Int] = [:]
    for (place, track) in tracks.enumerated() { numbers[track.identifier] = place + 1 }
    for (place, track) in tracks.enumerated() {
      body += track.box(
        identifier: place + 1,
        numbers: numbers,
        samples: places[place],
        base: base,
        isLong: isLong
      )
    }
    return ISOWriter.box("moov", body)
  }

  private var header: [UInt8] {
    let size = duration.count - 4
    var body = [UInt8](repeating: 0, count: 2 * size) + duration
    // Normal rate, full volume.
    body += ISOWriter.uint32(0x10000) + [1, 0] + [UInt8](repeating: 0, count: 10) + matrix
    body += [UInt8](repeating: 0, count: 24) + ISOWriter.uint32(tracks.count + 1)
    return ISOWriter.full("mvhd", version: size == 8 ? 1 : 0, body)
  }
}

extension HEIFTrack {
  /// Returns the whole trak box.
  func box(
    identifier: Int,
    numbers: [Int: Int],
    samples: [Range<Int>],
    base: Int,
    isLong: Bool
  ) -> [UInt8] {
    var trak = header.box(identifier: identifier)
    let kept = references.filter { $0.type == "auxl" || $0.type == "prem" }
      .map { (type: $0.type, to: $0.to.compactMap { numbers[$0] }) }
      .filter { !$0.to.isEmpty }
    if !kept.isEmpty {
      let boxes = kept.flatMap { ISOWriter.box($0.type, $0.to.flatMap(ISOWriter.uint32)) }
      trak += ISOWriter.box("tref", boxes)
    }
    trak += edits
    let place = ISOWriter.box(
      "dinf",
      ISOWriter.full("dref", ISOWriter.uint32(1) + ISOWriter.full("url ", flags: 1, []))
    )
    let minf =
      ISOWriter.full("vmhd", flags: 1, [UInt8](repeating: 0, count: 8)) + place
      + ISOWriter.box("stbl", sampleTable(samples, base: base, isLong: isLong))
    let media = mediaHeader + ISOWriter.handler(handler) + ISOWriter.box("minf", minf)
    return ISOWriter.box("trak", trak + ISOWriter.box("mdia", media))
  }

  /// Writes each sample as its own chunk: a sequence has few, and they may have any offset.
  private func sampleTable(_ samples: [Range<Int>], base: Int, isLong: Bool) -> [UInt8] {
    var body = ISOWriter.full("stsd", ISOWriter.uint32(entries.count) + entries.flatMap(\.box))
    body += table.timing
    var runs: [UInt8] = []
    var count = 0
    var description = 0
    for (place, sample) in table.samples.enumerated() where sample.description != description {
      description = sample.description
      count += 1
      runs += ISOWriter.uint32(place + 1) + ISOWriter.uint32(1) + ISOWriter.uint32(description)
    }
    body += ISOWriter.full("stsc", ISOWriter.uint32(count) + runs)
    let sizes = samples.flatMap { ISOWriter.uint32($0.count) }
    body += ISOWriter.full("stsz", ISOWriter.uint32(0) + ISOWriter.uint32(samples.count) + sizes)
    let offsets = samples.flatMap { sample in
      isLong
        ? ISOWriter.uint64(base + sample.lowerBound) : ISOWriter.uint32(base + sample.lowerBound)
    }
    body += ISOWriter.full(isLong ? "co64" : "stco", ISOWriter.uint32(samples.count) + offsets)
    return body
  }
}
