/// The coding of a picture, which decides which units a decoder needs; all other units can carry
/// arbitrary data.
///
/// Source: ITU-T H.265 section 7.4.2.2 and annex D; ITU-T H.264 section 7.4.1; AV1 specification
/// sections 5.3 and 6.7.
package enum HEIFBitstream: Equatable {
  /// HEVC with NAL units whose length field has 1, 2 or 4 bytes.
  case hevc(lengthSize: Int)
  /// AVC with NAL units whose length field has 1, 2 or 4 bytes.
  case avc(lengthSize: Int)
  /// AV1 with open bitstream units.
  case av1

  /// The disposition of a unit: kept, or removed under a name.
  package enum Disposition: Equatable {
    /// The unit is kept.
    case kept
    /// The unit is removed and reported under this name.
    case removed(String)
  }

  /// Calls `body` with each unit of `bytes` and its disposition, front to back.
  ///
  /// - Throws: `damaged` when the units do not fill `bytes` exactly.
  package func forEachUnit(
    in bytes: ByteSource,
    _ body: (Range<Int>, Disposition) -> Void
  ) throws(MetadataError) {
    var position = 0
    while position < bytes.length {
      let unit: Range<Int>
      let disposition: Disposition
      switch self {
      case .hevc(let size), .avc(let size):
        guard let length = bytes.unsigned(at: position, count: size).flatMap({ Int(exactly: $0) }),
          length <= bytes.length - position - size
        else { throw MetadataError(.damaged, "coded data that ends within a NAL unit") }
        let start = position + size
        unit = position..<(start + length)
        disposition = judgeNAL(start..<(start + length), of: bytes)
      case .av1:
        let found = try OBU.read(at: position, of: bytes)
        unit = found.range
        disposition = found.disposition(in: bytes)
      }
      body(unit, disposition)
      position = unit.upperBound
    }
  }

  /// Returns the disposition of a NAL unit, given without its length field.
  package func judgeNAL(_ unit: Range<Int>, of bytes: ByteSource) -> Disposition {
    guard let first = unit.isEmpty ? nil : bytes.uint8(at: unit.lowerBound) else {
      return .removed("empty NAL unit")
    }
    switch self {
    case .hevc:
      switch first >> 1 & 0x3F {
      case 0...9, 16...21, 32...34: return .kept
      // Access unit delimiter, end of sequence and end of bitstream have a fixed length.
      case 35: return unit.count == 3 ? .kept : .removed("oversized NAL unit")
      case 36, 37: return unit.count == 2 ? .kept : .removed("oversized NAL unit")
      case 39, 40: return SEI.judge(unit.dropFirst(2), of: bytes)
      default: return .removed("NAL unit of another type")
      }
    case .avc:
      switch first & 0x1F {
      case 1...5, 7, 8, 13, 19: return .kept
      case 6: return SEI.judge(unit.dropFirst(1), of: bytes)
      case 9: return unit.count == 2 ? .kept : .removed("oversized NAL unit")
      case 10, 11: return unit.count == 1 ? .kept : .removed("oversized NAL unit")
      default: return .removed("NAL unit of another type")
      }
    case .av1: return .removed("NAL unit")
    }
  }
}

/// Supplemental enhancement information: light levels may be kept, everything else is removed.
enum SEI {
  /// Returns the disposition of an SEI payload: kept if it is a single message about brightness or
  /// alpha that has its only valid size and nothing after it.
  ///
  /// Source: ITU-T H.265 sections D.2.28 (137), D.2.35 (144), D.2.38 (147), D.2.39 (148), F.14.2.8
  /// (165).
  static func judge(
    _ payload: Range<Int>,
    of bytes: ByteSource
  ) -> HEIFBitstream.Disposition {
    guard let type = bytes.uint8(at: payload.lowerBound),
      let size = bytes.uint8(at: payload.lowerBound + 1), payload.count >= 3
    else { return .removed("SEI") }
    let sizes: [Int: ClosedRange<Int>] = [
      137: 24...24, 144: 4...4, 147: 1...1, 148: 8...8, 165: 1...5,
    ]
    // An emulation prevention byte may be added for every two payload bytes.
    guard sizes[type]?.contains(size) == true,
      payload.count >= size + 3, payload.count <= size + 3 + size / 2,
      bytes.byte(at: payload.upperBound - 1) == 0x80
    else { return .removed("SEI") }
    return .kept
  }
}

/// An open bitstream unit of AV1.
package struct OBU {
  /// The OBU type.
  package var type: Int
  /// The range of the unit with its header.
  package var range: Range<Int>
  var payload: Range<Int>

  /// Reads the unit at `start`.
  ///
  /// - Throws: `damaged` when it extends beyond the bytes.
  package static func read(
    at start: Int,
    of bytes: ByteSource
  ) throws(MetadataError) -> OBU {
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

  /// Returns whether the unit is kept.
  package func disposition(in bytes: ByteSource) -> HEIFBitstream.Disposition {
    switch type {
    // The types are sequence header, frame header, tile group, frame and redundant frame header.
    case 1, 3, 4, 6, 7: return .kept
    case 2: return payload.isEmpty ? .kept : .removed("oversized OBU")
    case 5:
      // Light levels have a single valid size; the trailing byte ends every OBU.
      let sizes = [1: 4, 2: 24]
      guard let kind = bytes.uint8(at: payload.lowerBound), let size = sizes[kind],
        payload.count == size + 2, bytes.byte(at: payload.upperBound - 1) == 0x80
      else { return .removed("metadata OBU") }
      return .kept
    case 15: return .removed("padding OBU")
    default: return .removed("OBU of another type")
    }
  }
}
