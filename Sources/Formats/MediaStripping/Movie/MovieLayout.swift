import MediaCodecs
import MediaContainers
import MediaMetadata

/// Lays an output out: the kept boxes of the source in their order, with all offsets in them
/// updated.
struct MovieLayout {
  let source: ByteSource
  let file: MovieFile
  let selection: MovieSelection
  /// Whether only audio is removed.
  let keepsAll: Bool
  let keepsCredentials: Bool
  let description: MovieDescription
  /// The edit list of a sound that had none.
  private let soundEdit: ISOSoundEdit?

  private(set) var data: MovieData
  private(set) var removed: [String] = []

  /// Plans the media data of the output.
  ///
  /// - Throws: As ``MovieData/assignOffsets()`` and ``MovieFragment``.
  init(
    _ file: MovieFile,
    _ selection: MovieSelection,
    of source: ByteSource,
    keepsAll: Bool,
    keepsCredentials: Bool = false,
    description: MovieDescription
  ) throws(MetadataError) {
    self.source = source
    self.file = file
    self.selection = selection
    self.keepsAll = keepsAll
    self.keepsCredentials = keepsCredentials
    self.description = description
    if !keepsAll, selection.defaults.isEmpty, let moov = file.moov {
      let kept = selection.kept.map { selection.tracks[$0] }
      soundEdit = try ISOSoundEdit(kept, of: source, in: moov)
    } else {
      soundEdit = nil
    }
    data = MovieData(file.parts.filter { $0.kind == .mdat }.map(\.box.body), of: source)
    if keepsAll { try checkWhatGoes() }
    try addTables()
    try addFragments()
    try data.assignOffsets()
  }

  /// Checks that bytes that are copied unchanged hold no audio: neither a second movie after this
  /// one, nor samples in other boxes than mdat.
  private func checkWhatGoes() throws(MetadataError) {
    let types: Set<FourCharacterCode> = ["ftyp", "moov", "moof", "mdat"]
    let trailing = ISOBoxes(source, in: file.trailer, limit: .max)
    if trailing.contains(where: { types.contains($0.type) }) {
      throw MetadataError(.stripUnsupported, "a movie behind the movie")
    }
    let mdats = file.parts.filter { $0.kind == .mdat }.map(\.box.body)
    for track in selection.tracks where !selection.identifiers.contains(track.identifier) {
      var track = track
      guard (try? track.readMedia()) != nil, let table = track.table else { continue }
      try table.forEachChunk { chunk throws(MetadataError) in
        let offset = chunk.offset
        let mdat = mdats.firstIndexSorted { $0.upperBound > offset }
        guard mdats.indices.contains(mdat), mdats[mdat].contains(offset) else {
          throw MetadataError(.stripUnsupported, "samples outside of mdat")
        }
      }
    }
  }

  private mutating func addTables() throws(MetadataError) {
    for index in selection.kept {
      let track = selection.tracks[index]
      guard let table = track.table else { throw MetadataError(.damaged, "a track without stbl") }
      let owner = data.add(
        table.sizes,
        // Of packets of sound the table's samples are no frames.
        track.packet == nil ? track.entries.map(\.bitstream) : [],
        of: track.identifier,
        chunkCount: table.chunkCount
      )
      try table.forEachChunk { chunk throws(MetadataError) in
        data.add(
          MovieData.Extent(
            start: chunk.offset,
            length: try track.length(of: chunk),
            owner: owner,
            chunk: chunk.index,
            firstSample: chunk.firstSample,
            sampleCount: chunk.sampleCount,
            description: chunk.description
          )
        )
      }
    }
  }

  private mutating func addFragments() throws(MetadataError) {
    var bitstreams: [Int: [Bitstream]] = [:]
    for index in selection.kept {
      let track = selection.tracks[index]
      bitstreams[track.identifier] = track.entries.map(\.bitstream)
    }
    for part in file.parts where part.kind == .moof {
      let fragment = try MovieFragment(part.box, selection.defaults, of: source)
      for track in fragment.tracks {
        guard let bitstreams = bitstreams[track.identifier] else { continue }
        for run in track.runs {
          let owner = data.add(run.sizes, bitstreams, of: track.identifier, chunkCount: 1)
          data.add(
            MovieData.Extent(
              start: run.start,
              length: run.length,
              owner: owner,
              chunk: 0,
              firstSample: 0,
              sampleCount: run.sampleCount,
              description: track.description
            )
          )
        }
      }
    }
  }

  /// Returns the whole output, and the names of what was removed.
  ///
  /// - Throws: `damaged` for boxes that do not follow their format; `overLimit` for a box that is
  ///   too long.
  mutating func write() throws(MetadataError) -> (output: OutputPieces, removed: [String: Int]) {
    // Lengths do not depend on offsets, except for the width of the offsets themselves.
    var isLong = false
    var positions = try render(nil, isLong: false).positions
    if positions.end > Int(UInt32.max), needsLongOffsets(positions) {
      isLong = true
      positions = try render(nil, isLong: true).positions
    }
    removed = []
    let output = try render(positions, isLong: isLong).output
    if !file.trailer.isEmpty, !keepsAll { removed.append("trailer") }
    if data.hasSlack(beside: lengthOfOthers) { removed.append("unreferenced bytes") }
    for track in selection.tracks where !selection.identifiers.contains(track.identifier) {
      removed.append(track.name)
    }
    var counts = data.removed.counts
    for name in removed { counts[name, default: 0] += 1 }
    return (output, counts)
  }

  /// The number of bytes of the removed tracks, as far as their tables are valid.
  private var lengthOfOthers: Int {
    var length = 0
    for track in selection.tracks where !selection.identifiers.contains(track.identifier) {
      var track = track
      guard (try? track.readMedia()) != nil, let table = track.table else { continue }
      try? table.forEachChunk { chunk throws(MetadataError) in
        length += min(try track.length(of: chunk), source.length)
      }
    }
    for part in file.parts where part.kind == .moof {
      guard let fragment = try? MovieFragment(part.box, selection.defaults, of: source) else {
        continue
      }
      for track in fragment.tracks where !selection.identifiers.contains(track.identifier) {
        length += track.runs.reduce(0) { $0 + $1.length }
      }
    }
    return length
  }

  /// The output offsets of the source's parts.
  struct Positions {
    /// The offset of each part, and the end of the last one.
    var starts: [Int] = []
    /// The offset of the first data byte of each mdat.
    var data: [Int] = []
    var end: Int { starts.last ?? 0 }
  }

  /// Renders everything once; without `offsets` every offset is 0 and media data is only measured.
  private mutating func render(
    _ offsets: Positions?,
    isLong: Bool
  ) throws(MetadataError) -> (output: OutputPieces, positions: Positions) {
    var output = OutputPieces()
    var positions = Positions()
    var run = selection.kept.count
    for part in file.parts {
      positions.starts.append(output.length)
      switch part.kind {
      case .moov: output.append(try moov(offsets, isLong: isLong))
      case .moof: output.append(try moof(part.box, at: output.length, run: &run, offsets))
      case .mdat:
        let box = data.boxes[positions.data.count]
        output.literal(Self.head(ofData: box.pieces.length))
        positions.data.append(output.length)
        if offsets == nil { output.skip(box.pieces.length) } else { output.append(box.pieces) }
      case .sidx: try appendIndex(part.box, to: &output, offsets)
      case .ftyp where !keepsAll: output.literal(try MovieBrands.ftyp(part.box, of: source))
      case .credentials where keepsCredentials: output.copy(part.box.range)
      case .mfra: removed.append("mfra box")
      case .ftyp, .other, .credentials:
        if keepsAll {
          output.bytes(of: part.box.range, in: source)
        } else {
          let isCredentials = part.kind == .credentials
          let name = isCredentials ? JPEGContentCredentials.name : nil
          removed.append(name ?? MovieFile.name(of: part.box, in: source))
        }
      }
    }
    positions.starts.append(output.length)
    if keepsAll { output.copy(file.trailer) }
    return (output, positions)
  }

  private func needsLongOffsets(_ positions: Positions) -> Bool {
    for (number, index) in selection.kept.enumerated() {
      guard let table = selection.tracks[index].table, !table.isLong else { continue }
      for chunk in data.owners[number].offsets {
        if let chunk, absolute(chunk, positions) > Int(UInt32.max) { return true }
      }
    }
    return false
  }

  /// Converts a data offset to an offset from the start of the output.
  private func absolute(_ offset: Int, _ positions: Positions?) -> Int {
    guard let positions else { return 0 }
    var index = max(0, data.boxes.firstIndexSorted { $0.offset > offset } - 1)
    // Boxes without data share their offset: use the first of them.
    while index > 0, data.boxes[index].pieces.length == 0, data.boxes[index - 1].offset == offset {
      index -= 1
    }
    return positions.data[index] + offset - data.boxes[index].offset
  }

  /// Returns the header of an mdat; empty for one without data.
  private static func head(ofData length: Int) -> [UInt8] {
    if length == 0 { return [] }
    if length + 8 <= Int(UInt32.max) { return (length + 8).bytes(4) + Array("mdat".utf8) }
    return 1.bytes(4) + Array("mdat".utf8) + (length + 16).bytes(8)
  }

  private mutating func moov(
    _ positions: Positions?,
    isLong: Bool
  ) throws(MetadataError) -> OutputPieces {
    var moov = OutputPieces()
    _ = try selection.boxes.needed("mvhd", in: "moov")
    var track = 0
    var owner = 0
    for box in selection.boxes {
      switch box.type {
      case "trak":
        let trak = selection.tracks[track]
        track += 1
        guard selection.identifiers.contains(trak.identifier) else { continue }
        var writer = MovieTrackWriter(
          trak,
          keepsAll: keepsAll,
          kept: selection.identifiers,
          offsets: data.owners[owner].offsets.map { $0.map { absolute($0, positions) } ?? 0 },
          newSizes: data.owners[owner].newSizes,
          isLong: isLong || trak.table?.isLong == true,
          soundEdit: soundEdit
        )
        owner += 1
        moov.append(try writer.write())
        removed += writer.removed
      case "mvex": moov.append(try mvex(box))
      case _ where keepsAll: moov.bytes(of: box.range, in: source)
      case "mvhd":
        moov.literal(
          try ISOHeaders.mvhd(box, of: source, created: description.secondsSince1904, soundEdit: soundEdit)
        )
        if ISOHeaders.hasTimes(box, of: source) { removed.append("creation time") }
      default: removed += names(ofBoxInMovie: box)
      }
    }
    moov.literal(description.box)
    return try moov.boxed("moov")
  }

  /// Returns the names of a removed box; user data are named by their contents.
  private func names(ofBoxInMovie box: ISOBox) -> [String] {
    guard box.type == "udta" else { return ["moov/\(box.type.displayName)"] }
    // A hostile file has thousands of children, an ordinary one a dozen.
    let children = ISOBoxes(source, in: box.body, limit: 256).filter { $0.type.value != 0 }
    let names = children.map { "udta/\($0.type.displayName)" }
    return names.isEmpty ? ["moov/udta"] : names
  }

  private mutating func mvex(_ mvex: ISOBox) throws(MetadataError) -> OutputPieces {
    var body = OutputPieces()
    for box in try mvex.children(in: source) {
      var fields = ISOFields(source, box.body, box.type.displayName)
      switch box.type {
      case "trex":
        _ = try fields.number(4)
        let identifier = try fields.number(4)
        guard selection.identifiers.contains(identifier) else { continue }
        body.literal(ISOWriter.full("trex", identifier.bytes(4) + (try fields.bytes(16))))
      case "mehd":
        let version = try fields.number(4) >> 24 & 1
        let duration = try fields.bytes(version == 1 ? 8 : 4)
        body.literal(ISOWriter.full("mehd", version: UInt8(version), duration))
      case _ where keepsAll: body.bytes(of: box.range, in: source)
      default: removed.append("\(box.type.displayName) box")
      }
    }
    return try body.boxed("mvex")
  }

  /// Returns a moof without the removed tracks, or nothing if no track is left. Its runs have the
  /// owners from index `run` on.
  private mutating func moof(
    _ box: ISOBox,
    at start: Int,
    run: inout Int,
    _ positions: Positions?
  ) throws(MetadataError) -> OutputPieces {
    let fragment = try MovieFragment(box, selection.defaults, of: source)
    let tracks = fragment.tracks.filter { selection.identifiers.contains($0.identifier) }
    guard !tracks.isEmpty else { return OutputPieces() }
    var writer = MovieFragmentWriter(
      source: source,
      keepsAll: keepsAll,
      kept: selection.identifiers,
      start: start
    )
    let first = run
    let pieces = try writer.write(fragment) { number in
      let owner = data.owners[first + number]
      return (owner.offsets[0].map { absolute($0, positions) } ?? start, owner.newSizes)
    }
    run += tracks.reduce(0) { $0 + $1.runs.count }
    removed += writer.removed
    return pieces
  }

  /// Appends an index, unless its track is removed or it points into the middle of a box.
  private mutating func appendIndex(
    _ box: ISOBox,
    to output: inout OutputPieces,
    _ positions: Positions?
  ) throws(MetadataError) {
    let index = try MovieIndex(box, of: source)
    let isUseful =
      selection.identifiers.contains(index.identifier)
      && index.borders.allSatisfy { part(startingAt: $0) != nil }
    guard isUseful else { return removed.append("sidx box") }
    let end = output.length + index.length
    let body = index.box(endingAt: end) { border in
      guard let positions, let part = part(startingAt: border) else { return end }
      return positions.starts[part]
    }
    guard let body else { return removed.append("sidx box") }
    output.literal(body)
  }

  /// Returns the index of the part of the source that starts at `offset`. The end of the last part
  /// gives one more than the last index.
  private func part(startingAt offset: Int) -> Int? {
    let parts = file.parts
    let index = parts.firstIndexSorted { $0.box.range.lowerBound >= offset }
    let start = index < parts.count ? parts[index].box.range.lowerBound : file.trailer.lowerBound
    return start == offset ? index : nil
  }
}
