package import MediaContainers

/// A decoder configuration box, written anew without what a decoder does not need.
///
/// Source: ISO/IEC 14496-15 sections 8.3.2 (hvcC) and 5.3.3 (avcC); AV1 in ISOBMFF section 2.3
/// (av1C).
package struct DecoderConfiguration {
  /// The coding of the samples.
  package var bitstream: Bitstream
  /// The body of the box.
  package var body: [UInt8]
  /// The names of the units that were removed.
  package var removed: [String] = []

  /// The types of boxes that this type reads.
  package static let types: Set<FourCharacterCode> = ["hvcC", "avcC", "av1C"]

  /// Reads a configuration box.
  ///
  /// - Throws: `damaged` when it does not follow its format; `stripUnsupported` for another
  ///   version.
  package init(_ box: ISOBox, of source: ByteSource) throws(MetadataError) {
    try self.init(box.type, box.body, of: source)
  }

  /// Reads the body of a configuration box of the given type, which Matroska has as private data.
  ///
  /// - Throws: `damaged` when it does not follow its format; `stripUnsupported` for another
  ///   version.
  package init(
    _ type: FourCharacterCode,
    _ body: Range<Int>,
    of source: ByteSource
  ) throws(MetadataError) {
    let name = type.displayName
    var fields = ISOFields(source, body, name)
    switch type {
    case "hvcC":
      var head = try fields.bytes(22)
      guard head[0] == 1 else {
        throw MetadataError(.stripUnsupported, "hvcC of version \(head[0])")
      }
      // Reserved bits are ones.
      for (index, bits) in [(13, 0xF0), (15, 0xFC), (16, 0xFC), (17, 0xF8), (18, 0xF8)] {
        head[index] |= UInt8(bits)
      }
      let units = NALUnits(isHEVC: true, lengthSize: Int(head[21] & 3) + 1)
      (self.body, bitstream) = (head, .nal(units))
      bitstream = .nal(try readArrays(&fields, units))
    case "avcC":
      var head = try fields.bytes(5)
      guard head[0] == 1 else {
        throw MetadataError(.stripUnsupported, "avcC of version \(head[0])")
      }
      head[4] |= 0xFC
      var units = NALUnits(isHEVC: false, lengthSize: Int(head[4] & 3) + 1)
      units.setProfile(head[1], head[2])
      (self.body, bitstream) = (head, .nal(units))
      bitstream = .nal(try readSets(&fields, units))
    default:
      var head = try fields.bytes(4)
      guard head[0] == 0x81 else {
        throw MetadataError(.stripUnsupported, "av1C of another version")
      }
      head[3] &= 0x1F
      bitstream = .av1(isMovie: false)
      self.body = head
      let units = ByteSource(joining: [fields.range], of: source)
      var kept: [UInt8] = []
      var removed: [String] = []
      try bitstream.forEachUnit(in: 0..<units.length, of: units) { unit, disposition in
        // Only a sequence header and light levels are allowed here.
        let isFrame = units.uint8(at: unit.lowerBound).map { [3, 4, 6, 7].contains($0 >> 3 & 0xF) }
        if case .removed(let name) = disposition {
          removed.append(name)
        } else if isFrame == true {
          removed.append("OBU in av1C")
        } else if case .rewritten(let anew, let name) = disposition {
          kept += anew
          removed.append(name)
        } else {
          kept += units.bytes(in: unit, limit: 1 << 16) ?? []
        }
      }
      self.body += kept
      self.removed = removed
    }
    if case .nal(let units) = bitstream, units.lengthSize == 3 { throw fields.damaged }
  }

  /// Reads the parameter sets of an hvcC, and returns the description of the samples with what the
  /// sets tell of it.
  private mutating func readArrays(
    _ fields: inout ISOFields,
    _ nal: NALUnits
  ) throws(MetadataError) -> NALUnits {
    var nal = nal
    var arrays: [UInt8] = []
    var count = 0
    for _ in 0..<(try fields.number(1)) {
      let head = try fields.number(1)
      var units: [[UInt8]] = []
      for _ in 0..<(try fields.number(2)) {
        let length = try fields.number(2)
        guard length <= fields.left else { throw fields.damaged }
        let start = fields.range.lowerBound
        let disposition = nal.judge(start..<(start + length), of: fields.source)
        var unit = try fields.bytes(length)
        if case .rewritten(let anew, let name) = disposition {
          unit = anew
          removed.append(name)
        }
        if case .removed(let name) = disposition {
          removed.append(name)
        } else if let first = unit.first, [32, 33, 34, 39].contains(first >> 1 & 0x3F),
          Int(first >> 1 & 0x3F) == head & 0x3F
        {
          units.append(unit)
          nal.learn(from: unit)
        } else {
          removed.append("NAL unit in hvcC")
        }
      }
      guard !units.isEmpty else { continue }
      count += 1
      arrays += [UInt8(truncatingIfNeeded: head & 0xBF)] + units.count.bytes(2)
      for unit in units { arrays += unit.count.bytes(2) + unit }
    }
    body += [UInt8(truncatingIfNeeded: count)] + arrays
    if fields.left > 0 { removed.append("bytes after hvcC") }
    return nal
  }

  /// Reads the parameter sets of an avcC, and the fields that high profiles add; returns the
  /// description of the samples with what the sets tell of it.
  private mutating func readSets(
    _ fields: inout ISOFields,
    _ nal: NALUnits
  ) throws(MetadataError) -> NALUnits {
    var nal = nal
    let profile = body[1]
    for (type, mask) in [(7, 0x1F), (8, 0xFF)] {
      let head = try fields.number(1)
      body.append(UInt8(truncatingIfNeeded: mask == 0x1F ? head | 0xE0 : head))
      for _ in 0..<(head & mask) { body += try set(of: type, from: &fields, &nal) ?? [] }
    }
    if ![66, 77, 88].contains(profile), fields.left >= 4 {
      let head = try fields.bytes(3)
      body += [head[0] | 0xFC, head[1] | 0xF8, head[2] | 0xF8]
      var extensions: [[UInt8]] = []
      for _ in 0..<(try fields.number(1)) {
        if let unit = try set(of: 13, from: &fields, &nal) { extensions.append(unit) }
      }
      body += [UInt8(extensions.count)] + extensions.flatMap { $0 }
    }
    if fields.left > 0 { removed.append("bytes after avcC") }
    return nal
  }

  /// Returns a set behind its length; nil for an extension that is longer than one can be.
  private mutating func set(
    of type: Int,
    from fields: inout ISOFields,
    _ nal: inout NALUnits
  ) throws(MetadataError) -> [UInt8]? {
    var unit = try fields.bytes(try fields.number(2))
    guard let first = unit.first, Int(first & 0x1F) == type else {
      throw MetadataError(.damaged, "avcC with another NAL unit")
    }
    switch nal.judge(0..<unit.count, of: ByteSource(unit)) {
    case .kept: break
    case .removed(let name):
      removed.append(name)
      return nil
    case .rewritten(let anew, let name):
      unit = anew
      removed.append(name)
    }
    nal.learn(from: unit)
    return unit.count.bytes(2) + unit
  }
}
