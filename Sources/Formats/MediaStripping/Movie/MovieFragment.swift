import MediaContainers

/// The default values of a track in a fragmented movie, which a fragment may override.
///
/// Source: ISO/IEC 14496-12 section 8.8.3 (trex).
struct MovieFragmentDefaults {
  var description: Int
  var size: Int

  /// Reads the index of a sample description, 1-based.
  ///
  /// - Throws: `damaged` for one that no track has: with the three numbers behind it, it could be a text.
  static func descriptionIndex(_ fields: inout ISOFields) throws(MetadataError) -> Int {
    let index = try fields.number(4)
    guard index <= UInt16.max else {
      throw MetadataError(.damaged, "a sample without its description")
    }
    return index
  }
}

/// One moof: its tracks, and the runs of samples that each has.
///
/// Source: ISO/IEC 14496-12 sections 8.8.4 to 8.8.8.
struct MovieFragment {
  /// A run of contiguous samples (trun).
  struct Run {
    var box: ISOBox
    var flags: Int
    var version: Int
    var sampleCount: Int
    var firstSampleFlags: [UInt8]
    /// The range of its entries, and the number of bytes of each entry.
    var entries: Range<Int>
    var entryLength: Int
    var sizes: ISOSampleSizes
    var start: Int
    var length: Int
  }

  struct Track {
    var identifier: Int
    var boxes: [ISOBox]
    /// The flags of the header, and the fields after the base offset, of which `description` is
    /// one.
    var flags: Int
    var defaults: [UInt8]
    var description: Int
    var runs: [Run]
  }

  /// The maximum number of runs in one fragment; no recorder writes more.
  private static var maximumRuns: Int { 65_536 }

  let boxes: [ISOBox]
  private(set) var tracks: [Track] = []

  init(
    _ moof: ISOBox,
    _ defaults: [Int: MovieFragmentDefaults],
    of source: ByteSource
  ) throws(MetadataError) {
    boxes = try moof.children(in: source)
    // A track without a base offset starts where the track before it ended.
    var base = moof.range.lowerBound
    for box in boxes where box.type == "traf" {
      let track = try Self.track(box, moof, defaults, base: base, of: source)
      if let last = track.runs.last { base = last.start + last.length }
      tracks.append(track)
    }
  }

  private static func track(
    _ traf: ISOBox,
    _ moof: ISOBox,
    _ defaults: [Int: MovieFragmentDefaults],
    base: Int,
    of source: ByteSource
  ) throws(MetadataError) -> Track {
    let boxes = try traf.children(in: source)
    let tfhd = try boxes.needed("tfhd", in: "traf")
    var fields = ISOFields(source, tfhd.body, "tfhd")
    let flags = try fields.number(4) & 0xFF_FFFF
    let identifier = try fields.number(4)
    var base = base
    if flags & 1 != 0 {
      base = try fields.number(8)
    } else if flags & 0x2_0000 != 0 {
      base = moof.range.lowerBound
    }
    var description = defaults[identifier]?.description ?? 1
    var size = defaults[identifier]?.size ?? 0
    var kept: [UInt8] = []
    for bit in [2, 8, 0x10, 0x20] where flags & bit != 0 {
      let number =
        bit == 2 ? try MovieFragmentDefaults.descriptionIndex(&fields) : try fields.number(4)
      if bit == 2 { description = number }
      if bit == 0x10 { size = number }
      kept += number.bytes(4)
    }
    var track = Track(
      identifier: identifier,
      boxes: boxes,
      flags: flags & 0x3_003B,
      defaults: kept,
      description: description,
      runs: []
    )
    var next = base
    for box in boxes where box.type == "trun" {
      guard track.runs.count < maximumRuns else {
        throw MetadataError(.overLimit, "too many runs in a fragment")
      }
      let run = try run(box, base: base, next: next, size: size, of: source)
      next = run.start + run.length
      track.runs.append(run)
    }
    return track
  }

  private static func run(
    _ box: ISOBox,
    base: Int,
    next: Int,
    size: Int,
    of source: ByteSource
  ) throws(MetadataError) -> Run {
    var fields = ISOFields(source, box.body, "trun")
    let head = try fields.number(4)
    let flags = head & 0xF05
    let count = try fields.number(4)
    var start = next
    if flags & 1 != 0 {
      let offset = Int(Int32(truncatingIfNeeded: try fields.number(4)))
      let (sum, overflow) = base.addingReportingOverflow(offset)
      guard !overflow, sum >= 0 else { throw fields.damaged }
      start = sum
    }
    let first = flags & 4 != 0 ? try fields.bytes(4) : []
    let entryLength = [0x100, 0x200, 0x400, 0x800].filter { flags & $0 != 0 }.count * 4
    guard entryLength == 0 || count <= fields.left / entryLength else { throw fields.damaged }
    let entries = fields.range.prefix(count * entryLength)
    var sizes = ISOSampleSizes(count: count, constant: size)
    if flags & 0x200 != 0 {
      let offset = entries.lowerBound + (flags & 0x100 != 0 ? 4 : 0)
      sizes = ISOSampleSizes(count: count, at: offset, stride: entryLength)
    }
    let length = try sizes.total(of: 0..<count, in: source)
    guard length == 0 || start <= source.length && length <= source.length - start else {
      throw MetadataError(.damaged, "a sample whose bytes are not in the file")
    }
    return Run(
      box: box,
      flags: flags,
      version: head >> 24 & 1,
      sampleCount: count,
      firstSampleFlags: first,
      entries: entries,
      entryLength: entryLength,
      sizes: sizes,
      start: start,
      length: length
    )
  }
}

/// Writes a moof without the removed tracks.
///
/// Source: ISO/IEC 14496-12 sections 8.8.4 to 8.8.12.
struct MovieFragmentWriter {
  let source: ByteSource
  let keepsAll: Bool
  let kept: Set<Int>
  /// The offset of the moof in the output.
  let start: Int

  private(set) var removed: [String] = []

  init(source: ByteSource, keepsAll: Bool, kept: Set<Int>, start: Int) {
    self.source = source
    self.keepsAll = keepsAll
    self.kept = kept
    self.start = start
  }

  /// Returns the whole moof; `runs` returns each kept run's offset in the file and its new sizes.
  mutating func write(
    _ fragment: MovieFragment,
    runs: (Int) -> (offset: Int, newSizes: [UInt32]?)
  ) throws(MetadataError) -> OutputPieces {
    var moof = OutputPieces()
    var track = 0
    var run = 0
    for box in fragment.boxes {
      switch box.type {
      case "mfhd":
        var fields = ISOFields(source, box.body, "mfhd")
        _ = try fields.number(4)
        moof.literal(ISOWriter.full("mfhd", try fields.bytes(4)))
      case "traf":
        let sourceTrack = fragment.tracks[track]
        track += 1
        guard kept.contains(sourceTrack.identifier) else { continue }
        moof.append(try write(sourceTrack, first: run, runs))
        run += sourceTrack.runs.count
      case _ where keepsAll: moof.bytes(of: box.range, in: source)
      default: removed.append("\(box.type.displayName) of a fragment")
      }
    }
    return try moof.boxed("moof")
  }

  private mutating func write(
    _ track: MovieFragment.Track,
    first: Int,
    _ runs: (Int) -> (offset: Int, newSizes: [UInt32]?)
  ) throws(MetadataError) -> OutputPieces {
    var traf = OutputPieces()
    var run = 0
    for box in track.boxes {
      switch box.type {
      case "tfhd":
        // A track without a base offset would depend on a track that may be removed.
        let flags = track.flags & 1 == 0 ? track.flags | 0x2_0000 : track.flags
        let base = track.flags & 1 == 0 ? [] : start.bytes(8)
        traf.literal(
          ISOWriter.full("tfhd", flags: flags, track.identifier.bytes(4) + base + track.defaults)
        )
      case "trun":
        let (dataOffset, newSizes) = runs(first + run)
        traf.append(try write(track.runs[run], position: dataOffset, newSizes))
        run += 1
      case "saio" where keepsAll, "senc" where keepsAll:
        throw MetadataError(.stripUnsupported, "encrypted track")
      case _ where keepsAll: traf.bytes(of: box.range, in: source)
      case "tfdt":
        var fields = ISOFields(source, box.body, "tfdt")
        let version = try fields.number(4) >> 24 & 1
        let time = try fields.bytes(version == 1 ? 8 : 4)
        traf.literal(ISOWriter.full("tfdt", version: UInt8(version), time))
      case "sgpd", "sbgp":
        if let table = try ISOTables.optional(box, samples: 0, of: source) {
          traf.append(table)
        } else {
          removed.append("\(box.type.displayName) of a fragment")
        }
      default: removed.append("\(box.type.displayName) of a fragment")
      }
    }
    return try traf.boxed("traf")
  }

  private func write(
    _ run: MovieFragment.Run,
    position: Int,
    _ newSizes: [UInt32]?
  ) throws(MetadataError) -> OutputPieces {
    let offset = run.length == 0 ? 0 : position - start
    guard offset >= Int(Int32.min), offset <= Int(Int32.max) else {
      throw MetadataError(.stripUnsupported, "a fragment far from its samples")
    }
    var entries = OutputPieces()
    var flags = run.flags | 1
    if let newSizes {
      flags |= 0x200
      entries.literal(self.entries(of: run, newSizes))
    } else {
      entries.bytes(of: run.entries, in: source)
    }
    return try entries.boxed(
      "trun",
      head: (run.version << 24 | flags).bytes(4) + run.sampleCount.bytes(4)
        + offset.bytes(4) + run.firstSampleFlags
    )
  }

  /// Returns each sample's duration, size, flags and composition time, with the new size.
  private func entries(
    of run: MovieFragment.Run,
    _ newSizes: [UInt32]
  ) -> [UInt8] {
    let before = run.flags & 0x100 != 0 ? 4 : 0
    let skipped = before + (run.flags & 0x200 != 0 ? 4 : 0)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(newSizes.count * 16)
    for (sample, size) in newSizes.enumerated() {
      let start = run.entries.lowerBound + sample * run.entryLength
      bytes += source.bytes(in: start..<(start + before), limit: 4) ?? []
      bytes += size.bytes(4)
      bytes += source.bytes(in: (start + skipped)..<(start + run.entryLength), limit: 16) ?? []
    }
    return bytes
  }
}
