import MediaContainers

/// Tells whether a movie, or another file of boxes, has the bytes that its boxes and tables point to.
///
/// Source: ISO/IEC 14496-12 sections 4.2 (boxes), 8.7 (sample tables), 8.8 (fragments), 8.16.3 (sidx);
/// Apple, QuickTime File Format, sound sample descriptions.
enum MovieCompleteness {
  /// The boxes that a file is made of. Other bytes behind the last whole box are a trailer, not a box
  /// that was cut.
  private static let types: Set<FourCharacterCode> = [
    "ftyp", "styp", "moov", "moof", "mdat", "idat", "meta", "udta", "uuid", "free", "skip", "wide",
    "pnot", "sidx", "ssix", "mfra", "prft", "emsg", "mpvd", "jumb",
  ]

  /// Returns the part of a movie that is missing.
  static func missingPart(of source: ByteSource) -> String? {
    missingBox(of: source) ?? missingSample(of: source)
  }

  /// Returns the box at the top level that ends behind the file, or that needs another box behind it.
  static func missingBox(of source: ByteSource) -> String? {
    var position = 0
    var isFragment = false
    for box in ISOBoxes(source, in: 0..<source.length, limit: .max) {
      position = box.range.upperBound
      switch box.type {
      case "moof": isFragment = true
      case "mdat": isFragment = false
      case "sidx":
        if let index = try? MovieIndex(box, of: source), let end = index.borders.last,
          end > source.length
        {
          return "a segment that its index names"
        }
      default: break
      }
    }
    if let type = source.code(at: position + 4), types.contains(type),
      source.uint32(at: position).map({ $0 == 1 || $0 >= 8 }) == true
    {
      return type.displayName
    }
    return isFragment ? "the data of a fragment" : nil
  }

  /// Returns a description of a sample that lies behind the end of the file.
  static func missingSample(of source: ByteSource) -> String? {
    guard let moov = ISOBoxes.first("moov", in: 0..<source.length, of: source)?.body else {
      return nil
    }
    var hasSamples = false
    for trak in ISOBoxes(source, in: moov) where trak.type == "trak" {
      guard let mdia = ISOBoxes.first("mdia", in: trak.body, of: source)?.body,
        let minf = ISOBoxes.first("minf", in: mdia, of: source)?.body,
        let stbl = ISOBoxes.first("stbl", in: minf, of: source)?.body,
        isOwnData(of: minf, source),
        let table = try? ISOSampleTable(Array(ISOBoxes(source, in: stbl)), of: source)
      else { continue }
      let sound = SoundPackets(of: source, mdia: mdia, stbl: stbl, sizes: table.sizes)
      hasSamples = hasSamples || table.sizes.count > 0
      var isWhole = true
      try? table.forEachChunk { chunk throws(MetadataError) in
        var length = sound?.length(of: chunk.sampleCount) ?? 0
        if sound == nil {
          let samples = chunk.firstSample..<(chunk.firstSample + chunk.sampleCount)
          length = try table.sizes.total(of: samples, in: source)
        }
        if length > 0, !source.has(length, at: chunk.offset) { isWhole = false }
      }
      if !isWhole { return "samples that its tables point to" }
    }
    // A header that announces fragments, and none of them.
    let hasFragments =
      hasSamples || ISOBoxes.first("mvex", in: moov, of: source) == nil
      || ISOBoxes(source, in: 0..<source.length, limit: .max).contains { $0.type == "moof" }
    return hasFragments ? nil : "fragments"
  }

  /// Returns whether all data references of a track mean this file.
  private static func isOwnData(of minf: Range<Int>, _ source: ByteSource) -> Bool {
    guard let dref = ISOBoxes.body(at: ["dinf", "dref"], in: minf, of: source) else { return true }
    return ISOBoxes(source, in: dref.dropFirst(8)).allSatisfy { reference in
      source.uint32(at: reference.body.lowerBound).map { $0 & 1 } == 1
    }
  }
}

/// The bytes of QuickTime sound whose table counts single samples, each of the size 1: the description
/// tells how many of them a packet has.
///
/// Source: Apple, QuickTime File Format, sound sample description versions 0 and 1.
private struct SoundPackets {
  private let samples: Int
  private let bytes: Int

  /// Nil for a table that gives the sizes in bytes.
  init?(of source: ByteSource, mdia: Range<Int>, stbl: Range<Int>, sizes: ISOSampleSizes) {
    guard sizes.constant == 1, let hdlr = ISOBoxes.first("hdlr", in: mdia, of: source)?.body,
      source.code(at: hdlr.lowerBound + 8) == "soun",
      let stsd = ISOBoxes.first("stsd", in: stbl, of: source)?.body,
      let entry = ISOBoxes(source, in: stsd.dropFirst(8)).first(where: { _ in true })
    else { return nil }
    let start = entry.body.lowerBound
    if source.uint16(at: start + 8) == 1, let samples = source.uint32(at: start + 28),
      let bytes = source.uint32(at: start + 36), samples > 0, bytes > 0
    {
      (self.samples, self.bytes) = (samples, bytes)
      return
    }
    let plain: Set<FourCharacterCode> = ["raw ", "twos", "sowt", "NONE", "in24", "in32", "fl32"]
    guard plain.contains(entry.type), let channels = source.uint16(at: start + 16),
      let bits = source.uint16(at: start + 18), channels > 0, bits >= 8
    else {
      // Only where a chunk begins is known.
      (samples, bytes) = (Int.max, 1)
      return
    }
    (samples, bytes) = (1, channels * (bits / 8))
  }

  /// Returns the bytes of whole packets with this many samples, at least one byte.
  func length(of count: Int) -> Int {
    max(1, (count / samples).multipliedReportingOverflow(by: bytes).partialValue)
  }
}
