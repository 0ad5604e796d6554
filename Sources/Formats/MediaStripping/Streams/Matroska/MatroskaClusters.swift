import MediaCodecs
import MediaContainers

/// Writes clusters with the blocks of kept tracks, and notes the keyframes for the index.
struct MatroskaClusters {
  /// A kept track, as far as its blocks are concerned.
  struct Track {
    var bitstream: Bitstream
    var hasAlpha: Bool
    /// The range of the bytes that each frame gets back at its start.
    var shared: Range<Int>?
  }

  /// A keyframe that the index points to.
  struct Keyframe: Equatable {
    /// The time in units of the segment's scale.
    var time: Int
    var track: Int
    /// The index of the cluster in the output.
    var cluster: Int
  }

  private static let simpleFlags: UInt8 = 0x8F
  private static let groupFlags: UInt8 = 0x0E

  private let source: ByteSource
  private let tracks: [Int: Track]
  /// The numbers of all tracks of the source.
  private let numbers: Set<Int>
  /// Whether only sound is removed: then blocks of other tracks stay as they are.
  private let keepsAll: Bool
  /// The track whose keyframes are in the index.
  private let indexed: Int?
  /// The least time between two entries of the index in a cluster, where most frames are keyframes.
  private let interval: Int
  /// The tracks of which a frame has described a second view.
  private var subsetTracks: Set<Int> = []
  /// The number of blocks of the track in the index.
  private var indexedCount = 0

  /// The clusters of the output.
  private(set) var clusters: [OutputPieces] = []
  /// The keyframes in the index.
  private(set) var keyframes: [Keyframe] = []
  private(set) var removed = RemovedParts()

  /// Starts without clusters.
  ///
  /// - Parameters:
  ///   - source: The whole file.
  ///   - tracks: The kept tracks by number.
  ///   - numbers: The numbers of all tracks.
  ///   - keepsAll: Whether only sound is removed.
  ///   - indexed: The track whose keyframes are in the index.
  ///   - interval: The least time between two entries of one cluster.
  init(
    _ source: ByteSource,
    _ tracks: [Int: Track],
    numbers: Set<Int>,
    keepsAll: Bool,
    indexed: Int?,
    interval: Int
  ) {
    (self.source, self.tracks, self.numbers, self.keepsAll) = (source, tracks, numbers, keepsAll)
    (self.indexed, self.interval) = (indexed, interval)
  }

  /// Adds the blocks of a cluster; one without any is left out.
  ///
  /// - Throws: `damaged` for a cluster that does not follow its format, unless only its last child
  ///   is cut and `mayBeCut`; `stripUnsupported` for encrypted blocks.
  mutating func add(_ cluster: EBMLElement, mayBeCut: Bool) throws(MetadataError) {
    var body = OutputPieces()
    var time: Int?
    var hasBlock = false
    var elements = MatroskaClusterElements(cluster, of: source)
    while let child = elements.next() {
      switch child.type {
      case .timestamp where time == nil:
        guard let value = child.unsigned(of: source), let number = Int(exactly: value),
          number < 1 << 60, !hasBlock
        else { throw MetadataError(.damaged, "a cluster without a time") }
        time = number
        body.literal(EBMLWriter.unsigned(.timestamp, value))
      case .simpleBlock, .blockGroup:
        guard let time else { throw MetadataError(.damaged, "a cluster without a time") }
        let isKept =
          child.type == .simpleBlock
          ? try addSimple(child, at: time, to: &body) : try addGroup(child, at: time, to: &body)
        hasBlock = hasBlock || isKept
      case .void, .cRC32, .position, .prevSize: noteSpace(child)
      case .encryptedBlock: throw MetadataError(.stripUnsupported, "encrypted blocks")
      default: removed.add(child.name, at: child.range)
      }
    }
    if !elements.isAtEnd {
      guard mayBeCut else { throw MetadataError(.damaged, "a cluster that ends early") }
      removed.add("incomplete block", at: elements.position..<cluster.data.upperBound)
    }
    guard hasBlock else { return }
    var whole = OutputPieces(EBMLWriter.head(.cluster, length: body.length, isLong: true))
    whole.append(body)
    clusters.append(whole)
  }

  /// Counts empty space that holds something; positions and checksums are no metadata.
  private mutating func noteSpace(_ child: EBMLElement) {
    if child.type == .void, !source.isZero(child.data) { removed.add(child.name, at: child.range) }
  }

  private mutating func noteKeyframe(_ block: MatroskaBlock, at time: Int) {
    guard block.track == indexed else { return }
    let time = max(0, time + block.time)
    keyframes.append(Keyframe(time: time, track: block.track, cluster: clusters.count))
  }

  /// Leaves out entries of the index of a cluster that follow too soon, where most frames are
  /// keyframes: sound and intra-only video would have an entry for each frame.
  mutating func thinIndex() {
    guard 2 * keyframes.count > indexedCount else { return }
    var kept: [Keyframe] = []
    for keyframe in keyframes {
      if let last = kept.last, last.cluster == keyframe.cluster,
        keyframe.time < last.time + interval
      {
        continue
      }
      kept.append(keyframe)
    }
    keyframes = kept
  }

  /// Returns the kept track of a block, or nil for a block that is removed; those of a removed track
  /// count as that track.
  private mutating func track(of block: MatroskaBlock, _ range: Range<Int>) -> Track? {
    if !numbers.contains(block.track) { removed.add("block of no track", at: range) }
    if block.track == indexed { indexedCount += 1 }
    return tracks[block.track]
  }

  private mutating func addSimple(
    _ element: EBMLElement,
    at time: Int,
    to body: inout OutputPieces
  ) throws(MetadataError) -> Bool {
    let block = try MatroskaBlock(of: source, in: element.data)
    guard let track = track(of: block, element.range) else { return false }
    guard let changed = try changed(block, in: element.data, track, flags: Self.simpleFlags) else {
      if block.flags & 0x80 != 0 { noteKeyframe(block, at: time) }
      body.copy(element.range)
      return true
    }
    guard changed.length > 0 else { return false }
    if block.flags & 0x80 != 0 { noteKeyframe(block, at: time) }
    body.literal(EBMLWriter.head(.simpleBlock, length: changed.length))
    body.append(changed)
    return true
  }

  private mutating func addGroup(
    _ element: EBMLElement,
    at time: Int,
    to body: inout OutputPieces
  ) throws(MetadataError) -> Bool {
    let children = try element.children(of: source)
    guard let content = children.first(.block) else {
      if children.contains(where: { $0.type == .encryptedBlock }) {
        throw MetadataError(.stripUnsupported, "encrypted blocks")
      }
      throw MetadataError(.damaged, "a group without a block")
    }
    let block = try MatroskaBlock(of: source, in: content.data)
    guard let track = track(of: block, element.range) else { return false }
    if children.contains(where: { $0.type == .codecState }) {
      throw MetadataError(.stripUnsupported, "a codec that changes its state")
    }
    let isKey = !children.contains { $0.type == .referenceBlock }
    if keepsAll {
      if isKey { noteKeyframe(block, at: time) }
      body.copy(element.range)
      return true
    }
    guard let group = try keptParts(of: children, block, track) else { return false }
    if isKey { noteKeyframe(block, at: time) }
    if group.isWhole {
      body.copy(element.range)
    } else {
      body.literal(EBMLWriter.head(.blockGroup, length: group.pieces.length))
      body.append(group.pieces)
    }
    return true
  }

  /// Returns the parts of a group that stay, and whether that is all of them; nil when no frame is left.
  ///
  /// - Throws: As ``changed(_:in:_:flags:)``.
  private mutating func keptParts(
    of children: [EBMLElement],
    _ block: MatroskaBlock,
    _ track: Track
  ) throws(MetadataError) -> (pieces: OutputPieces, isWhole: Bool)? {
    var group = OutputPieces()
    var isWhole = true
    var hasBlock = false
    for child in children {
      let isKept =
        child.type == .blockAdditions && track.hasAlpha ? try isAlpha(child) : false
      switch child.type {
      case .block where !hasBlock:
        hasBlock = true
        if let changed = try changed(block, in: child.data, track, flags: Self.groupFlags) {
          guard changed.length > 0 else { return nil }
          group.literal(EBMLWriter.head(.block, length: changed.length))
          group.append(changed)
          isWhole = false
        } else {
          group.copy(child.range)
        }
      case .blockDuration where child.data.count <= 8, .referenceBlock where child.data.count <= 8,
        .discardPadding where child.data.count <= 8:
        group.copy(child.range)
      case .blockAdditions where isKept: group.copy(child.range)
      default:
        isWhole = false
        if child.type == .void || child.type == .cRC32 {
          noteSpace(child)
        } else {
          removed.add(child.name, at: child.range)
        }
      }
    }
    return (group, isWhole)
  }

  /// Returns whether additions are nothing but the frame of an alpha channel.
  private func isAlpha(_ additions: EBMLElement) throws(MetadataError) -> Bool {
    for addition in try additions.children(of: source) {
      guard addition.type == .blockMore else { return false }
      let fields = try addition.children(of: source)
      let isKnown = fields.allSatisfy { $0.type == .blockAddID || $0.type == .blockAdditional }
      guard isKnown, fields.count <= 2, fields.first(.blockAdditional) != nil,
        fields.first(.blockAddID)?.unsigned(of: source) ?? 1 == 1
      else { return false }
    }
    return true
  }

  /// Returns the content of a block without the parts that are removed: nothing when no frame is
  /// left, and nil when nothing changes.
  ///
  /// - Throws: `stripUnsupported` when the lengths of frames that share a block change.
  private mutating func changed(
    _ block: MatroskaBlock,
    in data: Range<Int>,
    _ track: Track,
    flags: UInt8
  ) throws(MetadataError) -> OutputPieces? {
    if keepsAll { return nil }
    if let shared = track.shared, track.bitstream.sound == nil {
      return try restored(block, in: data, track, shared, flags: flags)
    }
    var output = OutputPieces()
    output.copy(data.lowerBound..<block.flagsOffset)
    output.literal([block.flags & flags])
    var start = block.flagsOffset + 1
    var isChanged = block.flags & ~flags != 0
    if isChanged { removed.add("reserved bits", at: block.flagsOffset..<start) }
    var isEmpty = true
    for frame in block.frames where !frame.isEmpty && track.bitstream != .plain {
      let before = output.length - start
      if let shared = track.shared, let sound = track.bitstream.sound {
        let joined = ByteSource(joining: [shared, frame], of: source)
        if sound.wholeLength(in: 0..<joined.length, of: joined) == joined.length {
          isEmpty = false
          continue
        }
        output.copy(start..<frame.lowerBound)
        removed.add(SoundFrames.noFrame, at: frame)
        (start, isChanged) = (frame.upperBound, true)
        if block.isLaced { throw MetadataError(.stripUnsupported, "frames that share a block") }
        continue
      }
      let bitstream = noting(track.bitstream, frame, of: source, block.track)
      try bitstream.forEachUnit(in: frame, of: source) { unit, disposition in
        switch disposition {
        case .kept:
          isEmpty = false
          return
        case .removed(let name):
          output.copy(start..<unit.lowerBound)
          removed.add(name, at: unit)
        case .rewritten(let bytes, let name):
          output.copy(start..<unit.lowerBound)
          output.literal(track.bitstream.prefixed(bytes))
          removed.add(name, at: unit)
          isEmpty = false
        }
        start = unit.upperBound
        isChanged = true
      }
      if block.isLaced, output.length - start != before {
        throw MetadataError(.stripUnsupported, "frames that share a block")
      }
    }
    guard isChanged else { return nil }
    if track.bitstream != .plain, isEmpty { return OutputPieces() }
    output.copy(start..<data.upperBound)
    return output
  }

  /// Returns the coding of a frame, with what the frames so far have said of its track.
  private mutating func noting(
    _ bitstream: Bitstream,
    _ frame: Range<Int>,
    of source: ByteSource,
    _ track: Int
  ) -> Bitstream {
    var hasSubset = subsetTracks.contains(track)
    let noted = bitstream.noting(subsetIn: frame, of: source, &hasSubset)
    if hasSubset { subsetTracks.insert(track) }
    return noted
  }

  /// Returns the content of a block whose frame gets bytes back at its start, without the parts that
  /// are removed.
  ///
  /// - Throws: `stripUnsupported` for several frames in the block.
  private mutating func restored(
    _ block: MatroskaBlock,
    in data: Range<Int>,
    _ track: Track,
    _ shared: Range<Int>,
    flags: UInt8
  ) throws(MetadataError) -> OutputPieces {
    guard !block.isLaced, let frame = block.frames.first,
      let head = source.bytes(in: shared, limit: 8)
    else { throw MetadataError(.stripUnsupported, "frames that share a block") }
    var output = OutputPieces()
    output.copy(data.lowerBound..<block.flagsOffset)
    output.literal([block.flags & flags])
    let before = output.length
    let joined = ByteSource(joining: [shared, frame], of: source)
    let sourceRange = { (unit: Range<Int>) -> Range<Int> in
      let start = frame.lowerBound - head.count
      return max(
        frame.lowerBound,
        start + unit.lowerBound
      )..<max(frame.lowerBound, start + unit.upperBound)
    }
    let bitstream = noting(track.bitstream, 0..<joined.length, of: joined, block.track)
    try bitstream.forEachUnit(in: 0..<joined.length, of: joined) { unit, disposition in
      switch disposition {
      case .kept:
        output.literal(Array(head[unit.clamped(to: 0..<head.count)]))
        output.copy(sourceRange(unit))
      case .removed(let name): removed.add(name, at: sourceRange(unit))
      case .rewritten(let bytes, let name):
        output.literal(track.bitstream.prefixed(bytes))
        removed.add(name, at: sourceRange(unit))
      }
    }
    return output.length > before ? output : OutputPieces()
  }
}

extension Bitstream {
  /// Returns a unit with the length ahead of it that its coding has.
  func prefixed(_ unit: [UInt8]) -> [UInt8] {
    guard case .nal(let units) = self else { return unit }
    return units.prefix(ofLength: unit.count) + unit
  }
}
