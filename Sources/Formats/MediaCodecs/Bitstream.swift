private import Glibc
package import MediaContainers

/// The coding of pictures or samples, which decides which units a decoder does not need.
///
/// Units that no decoder needs can hold any data. A movie keeps more kinds of them than a picture,
/// which needs no timing.
///
/// Source: ITU-T H.264 section 7.4.1; ITU-T H.265 section 7.4.2.2; AV1 specification section 5.3;
/// ISO/IEC 14496-2 section 6.2.2; ITU-T T.81 annex B.
package enum Bitstream: Equatable {
  /// Samples that hold nothing but coded audio or pictures.
  case plain
  /// AVC or HEVC with NAL units.
  case nal(NALUnits)
  /// AV1 with open bitstream units.
  case av1(isMovie: Bool)
  /// MPEG-4 part 2, whose headers may hold user data.
  case mpeg4
  /// MPEG-2 or MPEG-1 video, whose headers may hold user data.
  case mpeg2
  /// Frames of DV, whose blocks stay in their places: ``DIFFrame/mask(of:in:)`` says what becomes of them.
  case dv
  /// Motion JPEG with one or two JPEG pictures per sample.
  case jpeg
  /// AAC, whose packets may start with fill.
  case aac
  /// Sound whose samples can be told from other bytes.
  case sound(SoundFrames)

  /// The frames of sound that can be told from other bytes; nil for another coding.
  package var sound: SoundFrames? {
    if case .sound(let frames) = self { frames } else { nil }
  }

  /// Calls `body` with each unit of a sample, front to back; together they cover the whole sample.
  ///
  /// - Throws: `damaged` when the units do not fill the sample exactly.
  package func forEachUnit(
    in sample: Range<Int>,
    of source: ByteSource,
    _ body: (Range<Int>, UnitDisposition) throws(MetadataError) -> Void
  ) throws(MetadataError) {
    switch self {
    case .plain: try body(sample, .kept)
    case .nal(let units): try units.forEachUnit(in: sample, of: source, body)
    case .av1(let isMovie):
      let bytes = ByteSource(source, sample)
      var position = 0
      while position < bytes.length {
        let unit = try OBU.read(at: position, of: bytes)
        position = unit.range.upperBound
        let start = sample.lowerBound
        let range = (start + unit.range.lowerBound)..<(start + position)
        try body(range, unit.disposition(in: bytes, isMovie: isMovie))
      }
    case .mpeg4: try MPEG4Headers.forEachUnit(in: sample, of: source, body)
    case .mpeg2: try MPEG2Headers.forEachUnit(in: sample, of: source, body)
    case .dv:
      let isKept = try DIFFrame.mask(of: sample, in: source) == nil
      try body(sample, isKept ? .kept : .removed(DIFFrame.packs))
    case .aac: try AACElements.forEachUnit(in: sample, of: source, body)
    case .jpeg: try MovieJPEG.forEachUnit(in: sample, of: source, body)
    case .sound(let frames): try frames.forEachUnit(in: sample, of: source, body)
    }
  }
}

/// What becomes of a unit of coded media.
package enum UnitDisposition: Equatable {
  /// The unit is kept.
  case kept
  /// The unit is removed and reported under this name.
  case removed(String)
  /// The unit is replaced by other bytes, which are given without its length field.
  case rewritten([UInt8], String)
}

/// The NAL units of a picture or sample, each preceded by its length.
package struct NALUnits: Equatable {
  /// Whether the units are HEVC; otherwise they are AVC.
  package var isHEVC: Bool
  /// The number of bytes of the length field: 1, 2 or 4; 0 where start codes stand before the units.
  package var lengthSize: Int
  /// Whether the units are those of a movie.
  package var isMovie: Bool
  /// Whether AVC pictures may be in 4:4:4.
  package var isChroma444 = false
  /// Whether the AVC profile is one without the fields that High added, by which decoders go.
  ///
  /// Source: libavcodec, h264_ps.c (more_rbsp_data_in_pps).
  package var isBaseProfile = false
  /// The timing of all sequence parameter sets of the configuration; nil without one.
  var timing: BufferTiming?
  /// Whether the sets tell different timings, or some cannot be read.
  var isTimingUnknown = false
  /// The most layers that a video parameter set of HEVC's configuration names; 0 where that is not known.
  package var layerCount = 0
  /// Whether HEVC units of type 62 and AVC units of type 28 hold Dolby Vision mapping data.
  package var isDolbyVision = false

  /// Whether a subset parameter set of AVC describes a second view, without which no decoder takes its
  /// units.
  var hasSubset = false

  /// Creates a description of the NAL units of a picture or a track.
  package init(isHEVC: Bool, lengthSize: Int, isMovie: Bool = false) {
    (self.isHEVC, self.lengthSize, self.isMovie) = (isHEVC, lengthSize, isMovie)
  }

  /// Calls `body` with each unit of a sample, front to back.
  ///
  /// - Throws: `damaged` when the units do not fill the sample; a few bytes of zero at the end of a
  ///   movie's sample are removed.
  func forEachUnit(
    in sample: Range<Int>,
    of source: ByteSource,
    _ body: (Range<Int>, UnitDisposition) throws(MetadataError) -> Void
  ) throws(MetadataError) {
    guard lengthSize > 0 else {
      return try forEachMarkedUnit(in: sample, of: source, body)
    }
    var position = sample.lowerBound
    while position < sample.upperBound {
      let left = sample.upperBound - position
      guard left >= lengthSize,
        let length = source.number(at: position, count: lengthSize), length <= left - lengthSize
      else {
        // Some cameras pad a sample with a few bytes of zero.
        let tail = position..<sample.upperBound
        guard isMovie, left < lengthSize,
          source.bytes(in: tail, limit: left)?.allSatisfy({ $0 == 0 }) == true
        else { throw MetadataError(.damaged, "coded data that ends within a NAL unit") }
        return try body(tail, .removed("padding"))
      }
      let payload = (position + lengthSize)..<(position + lengthSize + length)
      if let code = Self.startCode(in: payload, of: source) {
        try forEachUnit(within: payload, dividedAt: code, from: position, of: source, body)
      } else {
        try body(position..<payload.upperBound, judge(payload, of: source))
      }
      position = payload.upperBound
    }
  }

  /// Calls `body` with the units of a sample that stand behind start codes, as browsers record them.
  private func forEachMarkedUnit(
    in sample: Range<Int>,
    of source: ByteSource,
    _ body: (Range<Int>, UnitDisposition) throws(MetadataError) -> Void
  ) throws(MetadataError) {
    guard var code = Self.startCode(in: sample, of: source) else {
      return try body(sample, .removed("bytes of no unit"))
    }
    var start = sample.lowerBound
    if !source.isZero(start..<code) {
      try body(start..<code, .removed("bytes of no unit"))
      start = code
    }
    while true {
      let next = Self.startCode(in: (code + 3)..<sample.upperBound, of: source)
      var end = next ?? sample.upperBound
      // Zeros before a start code belong to it, and those at the end to no unit.
      while end > code + 3, source.byte(at: end - 1) == 0 { end -= 1 }
      try body(start..<end, judge((code + 3)..<end, of: source))
      guard let next else {
        if end < sample.upperBound { try body(end..<sample.upperBound, .kept) }
        return
      }
      (start, code) = (end, next)
    }
  }

  /// The bytes ahead of a unit of so many bytes: its length, or a start code.
  package func prefix(ofLength length: Int) -> [UInt8] {
    lengthSize > 0 ? Array(length.bytes(4).suffix(lengthSize)) : [0, 0, 0, 1]
  }

  /// Reads the parameter sets that stand behind start codes in the first frame of a track; nil where there
  /// is no sequence parameter set.
  package init?(isHEVC: Bool, firstFrame: ByteSource) {
    self.init(isHEVC: isHEVC, lengthSize: 0, isMovie: true)
    var hasSet = false
    let frame = 0..<firstFrame.length
    var code = Self.startCode(in: frame, of: firstFrame)
    while let start = code {
      code = Self.startCode(in: (start + 3)..<frame.upperBound, of: firstFrame)
      let range = ((start + 3)..<(code ?? frame.upperBound)).prefix(1 << 12)
      guard let set = firstFrame.bytes(in: range, limit: 1 << 12), set.count > 3 else { continue }
      learn(from: set)
      guard (isHEVC ? set[0] >> 1 & 0x3F : set[0] & 0x1F) == (isHEVC ? 33 : 7) else { continue }
      hasSet = true
      if !isHEVC { setProfile(set[1], set[2]) }
    }
    if !hasSet { return nil }
  }

  /// Notes the profile of AVC.
  mutating func setProfile(_ profile: UInt8, _ constraints: UInt8) {
    // High 4:4:4 Predictive and CAVLC 4:4:4 Intra.
    isChroma444 = profile == 244 || profile == 44
    // Baseline, Main and Extended, and a flag that says that one of them is kept to.
    isBaseProfile = [66, 77, 88].contains(profile) && constraints & 0xE0 != 0
  }

  /// Calls `body` with the units that start codes divide a unit into, each of which gets a length of its
  /// own: decoders find them, and some phones put all of a picture behind a unit that is removed.
  ///
  /// Source: libavcodec, h2645_parse.c (ff_h2645_extract_rbsp ends a unit at a start code).
  private func forEachUnit(
    within payload: Range<Int>,
    dividedAt firstCode: Int,
    from start: Int,
    of source: ByteSource,
    _ body: (Range<Int>, UnitDisposition) throws(MetadataError) -> Void
  ) throws(MetadataError) {
    var (position, unitStart, code) = (start, payload.lowerBound, Optional(firstCode))
    while true {
      var end = code ?? payload.upperBound
      // Zeros before a start code belong to it.
      while code != nil, end > unitStart, source.byte(at: end - 1) == 0 { end -= 1 }
      var disposition = judge(unitStart..<end, of: source)
      if disposition == .kept, let bytes = source.bytes(in: unitStart..<end, limit: end - unitStart) {
        disposition = .rewritten(bytes, "a start code within a NAL unit")
      }
      try body(position..<end, disposition)
      guard let last = code else { return }
      (position, unitStart) = (end, last + 3)
      code = Self.startCode(in: unitStart..<payload.upperBound, of: source)
    }
  }

  /// Returns the disposition of a unit, given without its length field.
  package func judge(_ unit: Range<Int>, of source: ByteSource) -> UnitDisposition {
    guard let first = unit.isEmpty ? nil : source.uint8(at: unit.lowerBound) else {
      return .removed("empty NAL unit")
    }
    let oversized = UnitDisposition.removed("oversized NAL unit")
    if isHEVC {
      let second = source.uint8(at: unit.lowerBound + 1) ?? 0
      // Decoders leave out layers that no parameter set names.
      if layerCount == 1, unit.count > 1, (first & 1) << 5 | second >> 3 > 0 {
        return .removed("NAL unit of another layer")
      }
      switch first >> 1 & 0x3F {
      case 0...9, 16...21: return .kept
      case 32...34: return judgeParameterSet(unit, of: source)
      // Access unit delimiter, end of sequence and end of bitstream have a fixed length.
      case 35: return unit.count == 3 ? .kept : oversized
      case 36, 37: return unit.count == 2 ? .kept : oversized
      case 39, 40: return SEI.judge(unit, of: source, self)
      case 62 where isDolbyVision: return .kept
      default: return .removed("NAL unit of another type")
      }
    }
    switch first & 0x1F {
    case 1...5, 19: return .kept
    case 6: return SEI.judge(unit, of: source, self)
    case 7, 8: return judgeParameterSet(unit, of: source)
    case 9: return unit.count == 2 ? .kept : oversized
    case 10, 11: return unit.count == 1 ? .kept : oversized
    // The format of an alpha plane takes a few bytes.
    case 13: return unit.count <= 8 ? .kept : oversized
    // The types are the additions of the stereo profiles; those of the scalable ones, which no player
    // shows, can hold anything.
    case 14, 20:
      guard isMovie, hasSubset, let flags = source.uint8(at: unit.lowerBound + 1),
        flags & 0x80 == 0,
        !Self.holdsStartCode(unit, of: source)
      else { return .removed("NAL unit of another type") }
      if first & 0x1F == 20 || unit.count == 4 { return .kept }
      guard unit.count > 4, let head = source.bytes(in: unit.prefix(4), limit: 4) else {
        return .removed("NAL unit of another type")
      }
      return .rewritten(head, "bytes after a NAL unit")
    case 15:
      return isMovie && hasSubset && unit.count <= 512 && !Self.holdsStartCode(unit, of: source)
        ? .kept : .removed("NAL unit of another type")
    case 28 where isDolbyVision: return .kept
    default: return .removed("NAL unit of another type")
    }
  }
}

extension Bitstream {
  /// Returns the coding of a sample of a track, with the subset parameter set that it or an earlier sample
  /// has.
  package func noting(
    subsetIn sample: Range<Int>,
    of source: ByteSource,
    _ hasSubset: inout Bool
  ) -> Bitstream {
    guard case .nal(var units) = self, !units.isHEVC, units.isMovie else { return self }
    hasSubset = hasSubset || units.holdsSubset(sample, of: source)
    units.hasSubset = hasSubset
    return .nal(units)
  }
}

extension NALUnits {
  /// Whether a sample has a subset parameter set that names a stereo profile.
  fileprivate func holdsSubset(_ sample: Range<Int>, of source: ByteSource) -> Bool {
    if lengthSize == 0 { return holdsMarkedSubset(sample, of: source) }
    var position = sample.lowerBound
    while let length = source.number(at: position, count: lengthSize) {
      position += lengthSize
      guard length > 0, length <= sample.upperBound - position else { return false }
      if let head = source.uint8(at: position), head & 0x1F == 15,
        let profile = source.uint8(at: position + 1), Self.stereoProfiles.contains(profile)
      {
        return true
      }
      position += length
    }
    return false
  }

  private func holdsMarkedSubset(_ sample: Range<Int>, of source: ByteSource) -> Bool {
    var code = Self.startCode(in: sample, of: source)
    while let start = code {
      if let head = source.uint8(at: start + 3), head & 0x1F == 15,
        let profile = source.uint8(at: start + 4), Self.stereoProfiles.contains(profile)
      {
        return true
      }
      code = Self.startCode(in: (start + 3)..<sample.upperBound, of: source)
    }
    return false
  }

  /// Multiview High, Stereo High, and the two with depth.
  private static let stereoProfiles: Set<Int> = [118, 128, 138, 139]

  /// The offset of the first start code, 0 0 1, within a unit.
  static func startCode(in unit: Range<Int>, of source: ByteSource) -> Int? {
    var offset = unit.lowerBound + 2
    while offset < unit.upperBound {
      let (hit, end) = source.withRun(from: offset) { run -> (Int?, Int) in
        let part = UnsafeRawBufferPointer(rebasing: run.prefix(unit.upperBound - offset))
        guard let base = part.baseAddress else { return (nil, unit.upperBound) }
        // A byte in 256 is 1: this is several times as fast as a look at each.
        let hit = memchr(base, 1, part.count).map { offset + (UnsafeRawPointer($0) - base) }
        return (hit, offset + part.count)
      }
      if let hit, source.byte(at: hit - 1) == 0, source.byte(at: hit - 2) == 0 { return hit - 2 }
      offset = hit.map { $0 + 1 } ?? end
    }
    return nil
  }

  /// Whether a unit has another one within it, as some decoders find it: the three bytes before one
  /// cannot occur in a unit.
  ///
  /// Source: ITU-T H.264 section 7.4.1.
  private static func holdsStartCode(_ unit: Range<Int>, of source: ByteSource) -> Bool {
    var zeros = 0
    for offset in unit {
      guard let byte = source.uint8(at: offset) else { return true }
      if zeros >= 2, byte <= 2 { return true }
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return false
  }
}

/// An open bitstream unit of AV1.
struct OBU {
  /// The OBU type.
  private var type: Int
  /// The range of the unit with its header.
  var range: Range<Int>
  private var payload: Range<Int>

  /// Reads the unit at `start`.
  ///
  /// - Throws: `damaged` when it extends beyond the bytes.
  static func read(at start: Int, of bytes: ByteSource) throws(MetadataError) -> OBU {
    let damaged = MetadataError(.damaged, "coded data that ends within an OBU")
    guard let head = bytes.uint8(at: start), head & 0x80 == 0 else { throw damaged }
    var position = start + (head & 4 == 0 ? 1 : 2)
    var length = bytes.length - position
    if head & 2 != 0 {
      length = 0
      var shift = 0
      while true {
        guard shift < 56, let byte = bytes.uint8(at: position) else { throw damaged }
        position += 1
        length |= (byte & 0x7F) << shift
        shift += 7
        if byte & 0x80 == 0 { break }
      }
    }
    guard length >= 0, length <= bytes.length - position else { throw damaged }
    let end = position + length
    return OBU(type: head >> 3 & 0xF, range: start..<end, payload: position..<end)
  }

  /// Returns the disposition of a sequence header: what follows its trailing bits is cut.
  private func header(in bytes: ByteSource) -> UnitDisposition {
    let limit = AV1SequenceHeader.maximumLength
    let content = bytes.bytes(in: payload.prefix(limit), limit: limit) ?? []
    guard let length = AV1SequenceHeader.length(of: content),
      var head = bytes.bytes(in: range.lowerBound..<payload.lowerBound, limit: 16)
    else { return .removed("sequence header that cannot be") }
    if bytes.isZero(payload.dropFirst(length)) { return .kept }
    // The length of a header takes at most two bytes.
    if head[0] & 2 != 0 {
      head = Array(head.prefix(head[0] & 4 == 0 ? 1 : 2))
      head += length < 128 ? [UInt8(length)] : [UInt8(length & 127) | 128, UInt8(length >> 7)]
    }
    return .rewritten(head + content.prefix(length), "bytes after a sequence header")
  }

  /// Returns whether the unit is kept.
  func disposition(in bytes: ByteSource, isMovie: Bool) -> UnitDisposition {
    switch type {
    case 1: return header(in: bytes)
    // The types are frame header, tile group and frame.
    case 3, 4, 6: return .kept
    // A decoder has the header that this one repeats.
    case 7: return .removed("repeated frame header")
    case 2: return payload.isEmpty ? .kept : .removed("oversized OBU")
    case 5:
      let kind = bytes.uint8(at: payload.lowerBound) ?? 0
      // Type 4 is ITU-T T.35.
      if isMovie, kind == 4, SEI.isDynamicRange(payload.dropFirst(1), of: bytes) { return .kept }
      // Light levels have a single valid size; the trailing byte ends every OBU.
      let sizes = [1: 4, 2: 24]
      guard let size = sizes[kind], payload.count == size + 2,
        bytes.byte(at: payload.upperBound - 1) == 0x80
      else { return .removed("metadata OBU") }
      return .kept
    case 15: return .removed("padding OBU")
    default: return .removed("OBU of another type")
    }
  }
}
