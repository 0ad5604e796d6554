/// The coding of a track's samples, which decides which units a decoder does not need.
///
/// Source: ITU-T H.264 section 7.4.1; ITU-T H.265 section 7.4.2.2; AV1 specification section 5.3;
/// ISO/IEC 14496-2 section 6.2.2; ITU-T T.81 annex B.
package enum MovieBitstream: Equatable {
  /// Samples that hold nothing but coded audio or pictures.
  case plain
  /// AVC with NAL units.
  case avc(lengthSize: Int, isDolbyVision: Bool)
  /// HEVC with NAL units.
  case hevc(lengthSize: Int, isDolbyVision: Bool)
  /// AV1 with open bitstream units.
  case av1
  /// MPEG-4 part 2, whose headers may hold user data.
  case mpeg4
  /// Motion JPEG with one or two JPEG pictures per sample.
  case jpeg
  /// AAC, whose packets may start with fill.
  case aac

  /// The disposition of a unit.
  package enum Disposition: Equatable {
    /// The unit is kept.
    case kept
    /// The unit is removed and reported under this name.
    case removed(String)
    /// The unit is replaced by other bytes, which are given without its length field.
    case rewritten([UInt8], String)
  }

  /// Calls `body` with each unit of a sample, front to back; together they cover the whole sample.
  ///
  /// - Throws: `damaged` when the units do not fill the sample exactly.
  package func forEachUnit(
    in sample: Range<Int>,
    of source: ByteSource,
    _ body: (Range<Int>, Disposition) throws(MetadataError) -> Void
  ) throws(MetadataError) {
    switch self {
    case .plain: try body(sample, .kept)
    case .avc(let size, let isDolbyVision):
      try MovieNAL(isHEVC: false, lengthSize: size, isDolbyVision: isDolbyVision)
        .forEachUnit(in: sample, of: source, body)
    case .hevc(let size, let isDolbyVision):
      try MovieNAL(isHEVC: true, lengthSize: size, isDolbyVision: isDolbyVision)
        .forEachUnit(in: sample, of: source, body)
    case .av1: try Self.forEachOBU(in: sample, of: source, body)
    case .mpeg4: try MPEG4Headers.forEachUnit(in: sample, of: source, body)
    case .aac: try MovieAAC.forEachUnit(in: sample, of: source, body)
    case .jpeg: try MovieJPEG.forEachUnit(in: sample, of: source, body)
    }
  }

  private static func forEachOBU(
    in sample: Range<Int>,
    of source: ByteSource,
    _ body: (Range<Int>, Disposition) throws(MetadataError) -> Void
  ) throws(MetadataError) {
    let bytes = ByteSource(source, sample)
    var position = 0
    while position < bytes.length {
      let unit = try OBU.read(at: position, of: bytes)
      let place =
        (sample.lowerBound + unit.range.lowerBound)..<(sample.lowerBound + unit.range.upperBound)
      position = unit.range.upperBound
      if unit.type == 5, isDynamicRange(unit, of: bytes) {
        try body(place, .kept)
        continue
      }
      switch unit.disposition(in: bytes) {
      case .kept: try body(place, .kept)
      case .removed(let name): try body(place, .removed(name))
      }
    }
  }

  /// Returns whether a metadata OBU describes dynamic range and nothing else.
  private static func isDynamicRange(_ unit: OBU, of bytes: ByteSource) -> Bool {
    // Type 4 is ITU-T T.35.
    bytes.byte(at: unit.payload.lowerBound) == 4
      && MovieSEI.isDynamicRange(unit.payload.dropFirst(1), of: bytes)
  }
}

/// The NAL units of a sample, each preceded by its length.
package struct MovieNAL {
  /// Whether the units are HEVC; otherwise they are AVC.
  package var isHEVC: Bool
  /// The number of bytes of the length field.
  package var lengthSize: Int
  /// Whether HEVC units of type 62 and AVC units of type 28 hold Dolby Vision mapping data.
  package var isDolbyVision: Bool

  /// Creates a description of a track's NAL units.
  package init(isHEVC: Bool, lengthSize: Int, isDolbyVision: Bool) {
    self.isHEVC = isHEVC
    self.lengthSize = lengthSize
    self.isDolbyVision = isDolbyVision
  }

  /// Calls `body` with each unit of a sample, front to back.
  ///
  /// - Throws: `damaged` when the units do not fill the sample; a few bytes of zero at its end are
  ///   removed.
  package func forEachUnit(
    in sample: Range<Int>,
    of source: ByteSource,
    _ body: (Range<Int>, MovieBitstream.Disposition) throws(MetadataError) -> Void
  ) throws(MetadataError) {
    var position = sample.lowerBound
    while position < sample.upperBound {
      let left = sample.upperBound - position
      guard left >= lengthSize,
        let length = source.unsigned(at: position, count: lengthSize).flatMap({ Int(exactly: $0) }),
        length <= left - lengthSize
      else {
        // Some cameras pad a sample with a few bytes of zero.
        let rest = position..<sample.upperBound
        guard left < lengthSize,
          source.bytes(in: rest, limit: left)?.allSatisfy({ $0 == 0 }) == true
        else { throw MetadataError(.damaged, "coded data that ends within a NAL unit") }
        return try body(rest, .removed("padding"))
      }
      let payload = (position + lengthSize)..<(position + lengthSize + length)
      try body(position..<payload.upperBound, judge(payload, of: source))
      position = payload.upperBound
    }
  }

  /// Returns the disposition of a unit, given without its length field.
  package func judge(
    _ unit: Range<Int>,
    of source: ByteSource
  ) -> MovieBitstream.Disposition {
    guard let first = unit.isEmpty ? nil : source.uint8(at: unit.lowerBound) else {
      return .removed("empty NAL unit")
    }
    let type = isHEVC ? first >> 1 & 0x3F : first & 0x1F
    let oversized = MovieBitstream.Disposition.removed("oversized NAL unit")
    if isHEVC {
      switch type {
      case 0...9, 16...21, 32...34: return .kept
      // Access unit delimiter, end of sequence and end of bitstream have a fixed length.
      case 35: return unit.count == 3 ? .kept : oversized
      case 36, 37: return unit.count == 2 ? .kept : oversized
      case 39, 40: return MovieSEI.judge(unit, headLength: 2, of: source)
      case 62 where isDolbyVision: return .kept
      default: return .removed("NAL unit of another type")
      }
    }
    switch type {
    // The types are slices, parameter sets, and the additions of the scalable and stereo profiles.
    case 1...5, 7, 8, 13, 14, 15, 19, 20: return .kept
    case 6: return MovieSEI.judge(unit, headLength: 1, of: source)
    case 9: return unit.count == 2 ? .kept : oversized
    case 10, 11: return unit.count == 1 ? .kept : oversized
    case 28 where isDolbyVision: return .kept
    default: return .removed("NAL unit of another type")
    }
  }
}
