import MediaCodecs
import MediaContainers
import MediaMetadata
import MediaModel

/// Lays the output of a Matroska or WebM out: header, seek head, the kept elements in the order of
/// the source, and an index of the output's own keyframes.
///
/// Source: RFC 9559 sections 5.1 and 6.
struct MatroskaLayout: FilmLayout {
  /// An element of the segment.
  private struct Part {
    var type: MatroskaID
    var pieces: OutputPieces
    /// The index of a cluster.
    var cluster: Int?
  }

  private let source: ByteSource
  private let file: MatroskaFile
  /// Whether only sound is removed.
  private let keepsAll: Bool
  private let kept: KeptMetadata

  private var parts: [Part] = []
  /// Whether the output has a projection that the source has in a tag.
  private let addsProjection: Bool
  private var clusters: MatroskaClusters
  private(set) var removed = RemovedParts()

  private static let maximumTracks = 1024
  /// The number of clusters in which a track is expected to begin.
  private static let maximumSearched = 16

  /// Plans the output.
  ///
  /// - Parameters:
  ///   - source: The whole file.
  ///   - keepsAll: Whether only sound is removed.
  ///   - removesAudio: Whether sound is removed.
  ///   - kept: The values that are written.
  /// - Throws: `damaged` for a file that does not follow its format; `stripUnsupported` for an
  ///   unknown codec, encryption, and when nothing would be left; `overLimit` for too many tracks.
  init(
    of source: ByteSource,
    keepsAll: Bool,
    removesAudio: Bool,
    kept: KeptMetadata
  ) throws(MetadataError) {
    let file = try MatroskaFile(of: source)
    (self.source, self.file, self.keepsAll, self.kept) = (source, file, keepsAll, kept)
    guard file.parts.filter({ $0.type == .tracks }).count == 1,
      let tracks = file.parts.first(.tracks)
    else { throw MetadataError(.damaged, "a segment without its one Tracks") }
    guard let info = file.parts.first(.info) else {
      throw MetadataError(.damaged, "a segment without Info")
    }
    let entries = try Self.entries(of: tracks, source)
    let staying = entries.filter { $0.isAudio ? !removesAudio : keepsAll || $0.isVideo }
    guard !staying.isEmpty, !entries.contains(where: \.isComplex) else {
      throw MetadataError(.stripUnsupported, "nothing but \(entries.first?.name ?? "no track")")
    }
    if removesAudio, staying.contains(where: { $0.isDV(in: source) }) {
      throw MetadataError(.stripUnsupported, "sound within pictures")
    }
    var written: [Int: MatroskaTrack.Written] = [:]
    for track in staying where !keepsAll {
      written[track.number] = try track.written(
        of: source,
        firstFrame: Self.firstFrame(of: track.number, in: file, source),
        parts: file.parts
      )
    }
    addsProjection = written.values.contains(where: \.addsProjection)
    let scale =
      EBMLElements(source, in: info.data).first { $0.type == .timestampScale }?
      .unsigned(of: source) ?? 1_000_000
    clusters = MatroskaClusters(
      source,
      Dictionary(
        uniqueKeysWithValues: staying.map { track in
          let rewritten = written[track.number]
          return (
            track.number,
            .init(
              bitstream: rewritten?.bitstream ?? .plain,
              hasAlpha: rewritten?.hasAlpha ?? false,
              shared: rewritten?.shared
            )
          )
        }
      ),
      numbers: Set(entries.map(\.number)),
      keepsAll: keepsAll,
      indexed: (staying.first(where: \.isVideo) ?? staying.first)?.number,
      interval: Int(clamping: 500_000_000 / max(1, scale))
    )
    let numbers = Set(staying.map(\.number))
    noteRemoved(entries, staying: numbers, written)
    let body = try Self.body(of: tracks, staying, written, source)
    try addParts(tracks: body, removedTracks: entries.filter { !numbers.contains($0.number) })
  }

  /// Notes the tracks that are left out, and what is left out of those that stay.
  private mutating func noteRemoved(
    _ entries: [MatroskaTrack],
    staying: Set<Int>,
    _ written: [Int: MatroskaTrack.Written]
  ) {
    for track in entries {
      if staying.contains(track.number) {
        for part in written[track.number]?.removed ?? [] {
          removed.add(part.name, at: part.range)
        }
      } else {
        removed.add(track.name, at: track.entry.range)
      }
    }
  }

  /// Reads the tracks.
  ///
  /// - Throws: `damaged` for two tracks of one number; `overLimit` for too many.
  private static func entries(
    of tracks: EBMLElement,
    _ source: ByteSource
  ) throws(MetadataError) -> [MatroskaTrack] {
    var entries: [MatroskaTrack] = []
    for entry in try tracks.children(of: source) where entry.type == .trackEntry {
      guard entries.count < maximumTracks else {
        throw MetadataError(.overLimit, "too many tracks")
      }
      entries.append(try MatroskaTrack(entry, of: source))
    }
    guard Set(entries.map(\.number)).count == entries.count else {
      throw MetadataError(.damaged, "two tracks of one number")
    }
    return entries
  }

  /// Returns the first frame of a track in the first clusters, as a source of its own.
  private static func firstFrame(
    of track: Int,
    in file: MatroskaFile,
    _ source: ByteSource
  ) -> ByteSource? {
    for part in file.parts.lazy.filter({ $0.type == .cluster }).prefix(maximumSearched) {
      var elements = MatroskaClusterElements(part, of: source)
      while let child = elements.next() {
        var data = child.type == .simpleBlock ? child.data : nil
        if child.type == .blockGroup {
          data = EBMLElements(source, in: child.data).first { $0.type == .block }?.data
        }
        guard let data, let block = try? MatroskaBlock(of: source, in: data),
          block.track == track, let frame = block.frames.first
        else { continue }
        return ByteSource(source, frame)
      }
    }
    return nil
  }

  /// Returns the entries of the tracks that stay.
  private static func body(
    of tracks: EBMLElement,
    _ staying: [MatroskaTrack],
    _ written: [Int: MatroskaTrack.Written],
    _ source: ByteSource
  ) throws(MetadataError) -> OutputPieces {
    var body = OutputPieces()
    for track in staying {
      if let rewritten = written[track.number] {
        body.literal(rewritten.bytes)
      } else {
        body.bytes(of: track.entry.range, in: source)
      }
    }
    return body
  }

  /// Adds each element that stays, in the order of the source.
  private mutating func addParts(
    tracks: OutputPieces,
    removedTracks: [MatroskaTrack]
  ) throws(MetadataError) {
    var hasInfo = false
    var indexPosition: Int?
    for range in file.others { removed.add("trailer", at: range) }
    if !keepsAll {
      var writer = MatroskaElementWriter(source)
      _ = writer.allowed(try file.header.children(of: source), in: .eBML)
      for part in writer.removed { removed.add(part.name, at: part.range) }
    }
    for part in file.parts {
      switch part.type {
      case .info where !hasInfo:
        hasInfo = true
        parts.append(Part(type: .info, pieces: try information(part)))
      case .tracks:
        var whole = OutputPieces(EBMLWriter.head(.tracks, length: tracks.length))
        whole.append(tracks)
        parts.append(Part(type: .tracks, pieces: whole))
        let tags = keepsAll ? [] : MatroskaValues.tags(kept)
        if !tags.isEmpty { parts.append(Part(type: .tags, pieces: OutputPieces(tags))) }
      case .cluster:
        let before = clusters.clusters.count
        let isLast = part.range == file.parts.last?.range
        try clusters.add(part, mayBeCut: isLast && (file.isCut || !part.hasLength))
        guard clusters.clusters.count > before else { continue }
        parts.append(Part(type: .cluster, pieces: clusters.clusters[before], cluster: before))
      case .cues: indexPosition = indexPosition ?? parts.count
      case .seekHead, .cRC32: continue
      case .void: if !source.isZero(part.data) { removed.add(part.name, at: part.range) }
      case .tags where keepsAll:
        let kept = try tags(part, without: removedTracks)
        if kept.length > 0 { parts.append(Part(type: .tags, pieces: kept)) }
      case .attachments where keepsAll:
        try checkAttachments(part)
        parts.append(Part(type: .attachments, pieces: try raw(part)))
      case .chapters where keepsAll: parts.append(Part(type: .chapters, pieces: try raw(part)))
      default: noteContents(of: part)
      }
    }
    guard !clusters.clusters.isEmpty else { throw MetadataError(.damaged, "no pictures or sound") }
    clusters.thinIndex()
    removed.add(clusters.removed)
    let first = parts.firstIndex { $0.type == .cluster } ?? parts.count
    let isAhead = indexPosition.map { $0 <= first } ?? false
    let index = Part(type: .cues, pieces: OutputPieces(cues(nil)))
    if index.pieces.length > 0 { parts.insert(index, at: isAhead ? first : parts.count) }
  }

  /// Returns an element as it is.
  ///
  /// - Throws: `damaged` for one that is cut, whose length would take in what follows it.
  private func raw(_ part: EBMLElement) throws(MetadataError) -> OutputPieces {
    guard !part.isCut else { throw MetadataError(.damaged, "\(part.name) that ends early") }
    var pieces = OutputPieces()
    pieces.bytes(of: part.range, in: source)
    return pieces
  }

  /// Notes a removed element; of tags, chapters and attachments each one.
  private mutating func noteContents(of part: EBMLElement) {
    let inner: MatroskaID? =
      switch part.type {
      case .tags: .tag
      case .attachments: .attachedFile
      default: nil
      }
    guard let inner else { return removed.add(part.name, at: part.range) }
    var isFound = false
    for child in EBMLElements(source, in: part.data) where child.type == inner {
      removed.add(child.name, at: child.range)
      isFound = true
    }
    if !isFound { removed.add(part.name, at: part.range) }
  }

  /// Returns Info with scale, duration and kept values; the names of programs, which it must have,
  /// are empty.
  private mutating func information(_ info: EBMLElement) throws(MetadataError) -> OutputPieces {
    if keepsAll { return try raw(info) }
    var writer = MatroskaElementWriter(source)
    var elements: [MatroskaID: [UInt8]] = [:]
    for child in writer.allowed(try info.children(of: source), in: .info) {
      guard let type = child.type else { continue }
      switch type {
      case .dateUTC, .title: writer.remove(type.name, child.range)
      case .muxingApp, .writingApp:
        if !child.data.isEmpty { writer.remove(type.name, child.range) }
      default: elements[type] = try writer.written(child, in: .info)
      }
    }
    for part in writer.removed { removed.add(part.name, at: part.range) }
    let body =
      (elements[.timestampScale] ?? []) + (elements[.duration] ?? [])
      + MatroskaValues.information(kept) + EBMLWriter.element(.muxingApp, [])
      + EBMLWriter.element(.writingApp, [])
    return OutputPieces(EBMLWriter.element(.info, body))
  }

  /// Returns Tags without those of removed tracks alone.
  private func tags(
    _ tags: EBMLElement,
    without tracks: [MatroskaTrack]
  ) throws(MetadataError) -> OutputPieces {
    let identifiers = Set(tracks.map(\.identifier))
    var body = OutputPieces()
    for tag in try tags.children(of: source) where tag.type == .tag {
      let targets = EBMLElements(source, in: tag.data).first { $0.type == .targets }
      let named = targets.map { targets in
        EBMLElements(source, in: targets.data).filter { $0.type == .tagTrackUID }
          .compactMap { $0.unsigned(of: source) }.filter { $0 != 0 }
      }
      if let named, !named.isEmpty, named.allSatisfy({ identifiers.contains($0) }) { continue }
      body.bytes(of: tag.range, in: source)
    }
    guard body.length > 0 else { return body }
    var whole = OutputPieces(EBMLWriter.head(.tags, length: body.length))
    whole.append(body)
    return whole
  }

  /// Checks that no attached file is sound or a film.
  private func checkAttachments(_ attachments: EBMLElement) throws(MetadataError) {
    for file in try attachments.children(of: source) where file.type == .attachedFile {
      for data in EBMLElements(source, in: file.data) where data.type == .fileData {
        let format = FormatSniffer.format(of: ByteSource(source, data.data))
        guard format?.mediaType ?? .image == .image else {
          throw MetadataError(.stripUnsupported, "an attached film or sound")
        }
      }
    }
  }

  /// Returns the index; with nil offsets it has the same length.
  private func cues(_ offsets: [Int]?) -> [UInt8] {
    guard !clusters.keyframes.isEmpty else { return [] }
    var points: [UInt8] = []
    for keyframe in clusters.keyframes {
      let offset = offsets?[keyframe.cluster] ?? 0
      let positions =
        EBMLWriter.unsigned(.cueTrack, UInt64(keyframe.track))
        + EBMLWriter.unsigned(.cueClusterPosition, UInt64(offset), count: 8)
      points += EBMLWriter.element(
        .cuePoint,
        EBMLWriter.unsigned(.cueTime, UInt64(keyframe.time))
          + EBMLWriter.element(.cueTrackPositions, positions)
      )
    }
    return EBMLWriter.element(.cues, points)
  }

  /// Returns the seek head for elements at these offsets.
  private func seekHead(_ offsets: [Int]?) -> [UInt8] {
    var entries: [UInt8] = []
    for (index, part) in parts.enumerated() where part.type != .cluster {
      let fields =
        EBMLWriter.element(.seekID, part.type.rawValue.bytes(4))
        + EBMLWriter.unsigned(.seekPosition, UInt64(offsets?[index] ?? 0), count: 8)
      entries += EBMLWriter.element(.seek, fields)
    }
    return EBMLWriter.element(.seekHead, entries)
  }

  /// Returns the header with its document type and versions.
  private func header() throws(MetadataError) -> [UInt8] {
    let fields = try file.header.children(of: source)
    guard let type = fields.first(.docType)?.ascii(of: source),
      type == "matroska" || type == "webm"
    else { throw MetadataError(.stripUnsupported, "another document type") }
    let version = fields.first(.docTypeVersion)?.unsigned(of: source) ?? 1
    let least = fields.first(.docTypeReadVersion)?.unsigned(of: source) ?? 1
    guard version <= 255, least <= 255 else { throw MetadataError(.damaged, "EBML of no version") }
    let longest = fields.first(.eBMLMaxSizeLength)?.unsigned(of: source) ?? 8
    guard longest <= 8, fields.first(.eBMLMaxIDLength)?.unsigned(of: source) ?? 4 <= 4 else {
      throw MetadataError(.stripUnsupported, "longer identifiers")
    }
    return EBMLWriter.element(
      .eBML,
      EBMLWriter.unsigned(.eBMLVersion, 1) + EBMLWriter.unsigned(.eBMLReadVersion, 1)
        + EBMLWriter.unsigned(.eBMLMaxIDLength, 4) + EBMLWriter.unsigned(.eBMLMaxSizeLength, 8)
        + EBMLWriter.element(.docType, Array(type.utf8))
        + EBMLWriter.unsigned(
          .docTypeVersion,
          addsProjection ? max(version, SphericalVideo.documentVersion) : version
        )
        + EBMLWriter.unsigned(.docTypeReadVersion, least)
    )
  }

  /// Returns the whole output.
  ///
  /// - Throws: `damaged` for a header that does not follow its format.
  func output() throws(MetadataError) -> OutputPieces {
    var position = seekHead(nil).count
    var offsets: [Int] = []
    var clusterOffsets: [Int] = []
    for part in parts {
      offsets.append(position)
      if part.cluster != nil { clusterOffsets.append(position) }
      position += part.pieces.length
    }
    var output = OutputPieces(try header())
    output.literal(EBMLWriter.head(.segment, length: position, isLong: true))
    output.literal(seekHead(offsets))
    for part in parts {
      if part.type == .cues {
        output.literal(cues(clusterOffsets))
      } else {
        output.append(part.pieces)
      }
    }
    return output
  }
}
