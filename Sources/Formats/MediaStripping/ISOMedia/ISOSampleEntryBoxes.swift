import MediaCodecs
import MediaContainers

/// The boxes within a sample entry: those that a decoder or a display needs, written anew.
///
/// Source: ISO/IEC 14496-12 sections 12.1.4, 12.1.5, 12.2.4; ISO/IEC 14496-14 section 6.7; VP Codec
/// ISO Media File Format Binding; Dolby Vision Streams Within the ISOBMFF; ETSI TS 102 366 annex F;
/// Encapsulation of Opus in ISOBMFF; Google, Spherical Video V2; Apple, ISOBMFF for stereo video.
struct ISOSampleEntryBoxes {
  private(set) var bytes: [UInt8] = []
  private(set) var removed: [String] = []
  /// The types of the boxes of numbers about the view that were kept.
  private(set) var types: Set<FourCharacterCode> = []
  /// The purpose of the pictures of an auxiliary track.
  private(set) var auxiliary: HEIFAuxiliary?

  private let kind: ISOVideoCodec.Kind
  private let isPicture: Bool
  private let isSound: Bool
  private var configuration: Bitstream?
  private var isDolbyVision = false
  private var hasLayers = false
  private var isAAC = false
  private var isMPEG2 = false
  /// The frames of sound that the configuration tells.
  private var frames: SoundFrames?

  init(_ kind: ISOVideoCodec.Kind, isPicture: Bool = false, isSound: Bool = false) {
    (self.kind, self.isPicture, self.isSound) = (kind, isPicture, isSound)
  }

  private var list: BoxAllowList { isPicture ? .picture : .movie }

  mutating func read(
    _ range: Range<Int>,
    of source: ByteSource,
    _ parent: String
  ) throws(MetadataError) {
    for box in try ISOBox.children(of: parent, in: range, of: source) {
      try read(box, of: source)
    }
  }

  /// Returns the bitstream format of the samples.
  ///
  /// - Throws: `damaged` when the configuration box is missing.
  func finish(_ name: String) throws(MetadataError) -> Bitstream {
    if isPicture, let configuration { return configuration }
    switch (kind, configuration) {
    case (.avc, .nal(var units)) where !units.isHEVC, (.hevc, .nal(var units)) where units.isHEVC:
      (units.isMovie, units.isDolbyVision) = (true, isDolbyVision)
      if hasLayers { units.layerCount = 0 }
      return .nal(units)
    case (.av1, _) where !isPicture: return .av1(isMovie: true)
    case (.mpeg4, _): return isMPEG2 ? .mpeg2 : .mpeg4
    case (.mpeg2, _): return .mpeg2
    case (.dv, _): return .dv
    case (.jpeg, _): return .jpeg
    case (.plain, _): return isAAC ? .aac : frames.map { .sound($0) } ?? .plain
    default: throw MetadataError(.damaged, "\(name) without its configuration")
    }
  }

  private mutating func read(
    _ box: ISOBox,
    of source: ByteSource
  ) throws(MetadataError) {
    let name = box.type.displayName
    var fields = ISOFields(source, box.body, name)
    if box.type == "sinf" { throw MetadataError(.stripUnsupported, "encrypted track") }
    guard let rule = list.rules[isSound ? "sound" : "entry"]?[box.type] else {
      return removed.append("\(name) of a sample entry")
    }
    if case .copied(let lengths) = rule {
      guard lengths.contains(box.body.count) else { return removed.append(name) }
      types.insert(box.type)
      bytes += ISOWriter.box(box.type, try fields.bytes(box.body.count))
      return
    }
    switch box.type {
    case "avcC", "hvcC", "av1C":
      guard configuration == nil else { throw MetadataError(.damaged, "two configurations") }
      let decoder = try DecoderConfiguration(box, of: source)
      configuration = decoder.bitstream
      removed += decoder.removed
      bytes += ISOWriter.box(box.type, decoder.body)
    case "colr", "pasp", "clap", "clli", "mdcv", "amve": try readPicture(box, of: source)
    case "ccst" where isPicture:
      _ = try fields.number(4)
      // The reserved bits are zero.
      bytes += ISOWriter.full("ccst", (try fields.number(4) & 0xFC00_0000).bytes(4))
    case "auxi" where isPicture:
      let urn = HEIFAuxiliary.urn(in: box.body, of: source)
      auxiliary = HEIFAuxiliary(urn: urn)
      if case .other = auxiliary { return }
      bytes += ISOWriter.full("auxi", urn + [0])
    case "lhvC":
      try readLayers(&fields)
      hasLayers = true
    case "dvcC", "dvvC", "dvwC":
      // Versions, profile, level and compatibility; the rest is reserved.
      bytes += ISOWriter.box(box.type, try fields.bytes(5) + [UInt8](repeating: 0, count: 19))
      isDolbyVision = true
    case "vpcC":
      bytes += ISOWriter.box("vpcC", try fields.bytes(10) + [0, 0])
    case "vexu", "sv3d":
      types.insert(box.type)
      bytes += try kept(box, in: "entry", of: source, name) ?? []
    default: try readStream(box, &fields, name, of: source)
    }
  }

  /// Reads the box with the parameters of a decoder of sound, MPEG-4 or 3GPP.
  ///
  /// - Throws: `damaged` when the box ends early, or has more than its format allows.
  private mutating func readStream(
    _ box: ISOBox,
    _ fields: inout ISOFields,
    _ name: String,
    of source: ByteSource
  ) throws(MetadataError) {
    switch box.type {
    case "esds":
      let stream = try MovieElementaryStream(&fields, kind)
      bytes += ISOWriter.full("esds", stream.body)
      removed += stream.removed
      isAAC = stream.isAAC
      isMPEG2 = stream.isMPEG2
      frames = stream.frames
    case "dec3":
      if let kept = try? readEnhanced(&fields) {
        bytes += ISOWriter.box("dec3", kept)
      } else {
        removed.append(name)
      }
    case "alac":
      // Within a wave box, QuickTime repeats the codec's own box.
      _ = try fields.bytes(4)
      guard let kept = SoundConfiguration.lossless(try fields.bytes(min(fields.left, 24))) else {
        throw fields.damaged
      }
      bytes += ISOWriter.full("alac", kept)
      if fields.left > 0 { removed.append("bytes after alac") }
    case "wave": try readWave(box, of: source)
    case "dOps":
      let header = OpusHeader(of: ByteSource(source, box.body), .box)
      frames = .opus(streams: header.streamCount)
      bytes += ISOWriter.box("dOps", try fields.bytes(try header.length()))
      if fields.left > 0 { removed.append("bytes after dOps") }
    case "dfLa":
      // Only the block with rate and depth is kept; a comment or a picture may follow it.
      guard box.body.count >= 42, source.uint8(at: box.body.lowerBound + 4).map({ $0 & 0x7F }) == 0
      else { throw fields.damaged }
      _ = try fields.bytes(8)
      bytes += ISOWriter.full("dfLa", [0x80, 0, 0, 34] + (try fields.bytes(34)))
      if fields.left > 0 { removed.append("FLAC blocks of dfLa") }
    case "damr", "d263", "devc", "dqcp", "dsmv":
      // The first four bytes identify the vendor of the encoder.
      _ = try fields.bytes(4)
      let keptCount = box.type == "damr" ? 5 : box.type == "d263" ? 3 : min(fields.left, 2)
      bytes += ISOWriter.box(box.type, [0, 0, 0, 0] + (try fields.bytes(keptCount)))
    case "chan", "chnl", "dac3", "ddts", "SA3D", "dmlp", "mhaP", "QDCA", "ACLR":
      guard let kept = SoundConfiguration.written(box.type, box.body, of: source) else {
        return removed.append(name)
      }
      bytes += ISOWriter.box(box.type, kept)
      if kept.count < box.body.count { removed.append("bytes after \(name)") }
    default: removed.append("\(name) of a sample entry")
    }
  }

  private mutating func readPicture(
    _ box: ISOBox,
    of source: ByteSource
  ) throws(MetadataError) {
    let isNCLC = box.type == "colr" && source.code(at: box.body.lowerBound) == "nclc"
    if isNCLC, !isPicture, box.body.count >= 10 {
      bytes += ISOWriter.box("colr", source.bytes(in: box.body.prefix(10), limit: 10) ?? [])
      return
    }
    switch try PictureProperty.judge(box, in: source) {
    case .kept(let kept): bytes += kept
    case .removed(let name): removed.append(name)
    case .unknown: removed.append(box.type.displayName)
    }
  }

  /// Reads the parameter sets of a second layer, such as the one for the other eye.
  ///
  /// The layers of MV-HEVC share version, segmentation, parallelism and temporal layers: five bytes.
  ///
  /// - Throws: `stripUnsupported` for units of another type; `damaged` when the box ends early.
  ///
  /// Source: ISO/IEC 14496-15 section 9.6.3.1 (LHEVCDecoderConfigurationRecord).
  private mutating func readLayers(
    _ fields: inout ISOFields
  ) throws(MetadataError) {
    let head = try fields.bytes(5)
    var arrays: [UInt8] = []
    let count = try fields.number(1)
    for _ in 0..<count {
      let kind = try fields.number(1)
      guard [32, 33, 34, 39].contains(kind & 0x3F) else {
        throw MetadataError(.stripUnsupported, "lhvC with units of another type")
      }
      var units: [UInt8] = []
      var unitCount = 0
      for _ in 0..<(try fields.number(2)) {
        let length = try fields.number(2)
        guard length <= fields.left, length >= 2 else { throw fields.damaged }
        let range = fields.range.lowerBound..<(fields.range.lowerBound + length)
        let nal = NALUnits(isHEVC: true, lengthSize: 4, isMovie: true)
        let disposition = nal.judge(range, of: fields.source)
        var unit = try fields.bytes(length)
        switch disposition {
        case .kept: break
        case .removed(let name):
          removed.append(name)
          continue
        case .rewritten(let anew, let name):
          removed.append(name)
          unit = anew
        }
        unitCount += 1
        units += unit.count.bytes(2) + unit
      }
      arrays += [UInt8(truncatingIfNeeded: kind & 0xBF)] + unitCount.bytes(2) + units
    }
    bytes += ISOWriter.box("lhvC", head + [UInt8(truncatingIfNeeded: count)] + arrays)
  }

  /// Returns the fields of E-AC-3: the data rate, the streams, and the extension for objects.
  ///
  /// Source: ETSI TS 102 366 sections F.6.2 and H.3.
  private mutating func readEnhanced(_ fields: inout ISOFields) throws(MetadataError) -> [UInt8] {
    var kept = try fields.bytes(2)
    for _ in 0...(kept[1] & 7) {
      let stream = try fields.bytes(3)
      // A bit and three are reserved.
      kept += [stream[0] & 0xFE, stream[1], stream[2] & 0x1F]
      // Where streams depend on this one, the places of their channels follow.
      if stream[2] & 0x1E != 0 { kept += try fields.bytes(1) }
    }
    // A flag and an index of complexity.
    if fields.left >= 2 {
      let objects = try fields.bytes(2)
      if objects[0] == 1 { kept += objects } else { removed.append("bytes after dec3") }
    }
    if fields.left > 0 { removed.append("bytes after dec3") }
    return kept
  }

  /// Reads QuickTime's box around the boxes of an audio decoder.
  private mutating func readWave(
    _ box: ISOBox,
    of source: ByteSource
  ) throws(MetadataError) {
    var inner = ISOSampleEntryBoxes(kind, isSound: isSound)
    let children = try box.children(in: source)
    for child in children {
      switch child.type {
      // An empty box with the codec's type, and the terminator of the list.
      case "mp4a", ".mp3": inner.bytes += ISOWriter.box(child.type, [0, 0, 0, 0])
      case FourCharacterCode(value: 0): inner.bytes += ISOWriter.box(child.type, [])
      case "wave": inner.removed.append("wave")
      default: try inner.read(child, of: source)
      }
    }
    bytes += ISOWriter.box("wave", inner.bytes)
    isAAC = isAAC || inner.isAAC
    frames = frames ?? inner.frames
    removed += inner.removed
  }

  /// Returns a box with the children that the allow-list has; nil for a box of another length.
  private mutating func kept(
    _ box: ISOBox,
    in parent: FourCharacterCode,
    of source: ByteSource,
    _ name: String
  ) throws(MetadataError) -> [UInt8]? {
    switch list.rules[parent]?[box.type] {
    case .copied(let lengths):
      let body = source.bytes(in: box.body, limit: lengths.upperBound)
      return lengths.contains(box.body.count) ? body.map { ISOWriter.box(box.type, $0) } : nil
    case .rewritten where box.type == "svhd":
      // The text is the name of the software.
      if box.body.count > 5 { removed.append("svhd text") }
      return ISOWriter.full("svhd", [0])
    case .rewritten:
      // No box in the list contains itself, so the recursion ends after three levels.
      var body: [UInt8] = []
      for child in try box.children(in: source) {
        if let kept = try kept(child, in: box.type, of: source, name) {
          body += kept
        } else {
          removed.append("\(child.type.displayName) of \(name)")
        }
      }
      return ISOWriter.box(box.type, body)
    default: return nil
    }
  }
}
