/// Checks that the parameters of a kept segment are exactly as long as their content requires.
///
/// A longer table could carry arbitrary data; decoders reject it too.
///
/// Source: ITU-T T.81 B.2.2 to B.2.5; `get_dqt`, `get_dht`, `get_sof` … of libjpeg-turbo's
/// jdmarker.c end with the same check.
package enum JPEGTables {
  /// Returns whether the segment's parameters have exactly the length that their content requires.
  package static func isExact(_ segment: JPEGSegment, in source: ByteSource) -> Bool {
    let body = segment.body
    switch segment.marker {
    case JPEGMarker.dqt: return quantisation(body, in: source)
    case JPEGMarker.dht: return huffman(body, in: source)
    case JPEGMarker.dac: return conditioning(body, in: source)
    case JPEGMarker.dri, JPEGMarker.dnl: return body.count == 2
    case JPEGMarker.sos:
      guard let components = source.uint8(at: body.lowerBound) else { return false }
      return (1...4).contains(components) && body.count == 4 + 2 * components
    case let code where JPEGMarker.isFrame(code):
      guard body.count >= 6, let components = source.uint8(at: body.lowerBound + 5) else {
        return false
      }
      return components >= 1 && body.count == 6 + 3 * components
    default: return false
    }
  }

  /// Returns whether a segment is exact, or is a marker without parameters.
  package static func hasExactLength(_ segment: JPEGSegment, in source: ByteSource) -> Bool {
    segment.body.isEmpty || isExact(segment, in: source)
  }

  /// Returns how many bytes of a segment longer than its fields these take; nil for tables, for a segment that is
  /// shorter, and for more components than a picture has.
  package static func fieldLength(of segment: JPEGSegment, in source: ByteSource) -> Int? {
    let body = segment.body
    var length = 2
    switch segment.marker {
    case JPEGMarker.dri, JPEGMarker.dnl: break
    case JPEGMarker.sos: length = 4 + 2 * (source.uint8(at: body.lowerBound) ?? 0)
    case let code where JPEGMarker.isFrame(code):
      length = 6 + 3 * (source.uint8(at: body.lowerBound + 5) ?? 0)
    default: return nil
    }
    return (2...18).contains(length) && length < body.count ? length : nil
  }

  /// Returns the range of each table in a segment of quantization or Huffman tables.
  package static func definitions(in segment: JPEGSegment, of source: ByteSource) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var offset = segment.body.lowerBound
    while offset < segment.body.upperBound {
      let start = offset
      if segment.marker == JPEGMarker.dqt {
        offset += 1 + 64 * (1 + Int((source.byte(at: offset) ?? 0) >> 4))
      } else {
        let counts = source.bytes(in: (offset + 1)..<(offset + 17), limit: 16) ?? []
        offset += counts.reduce(17) { $0 + Int($1) }
      }
      ranges.append(start..<min(offset, segment.body.upperBound))
    }
    return ranges
  }

  /// Returns whether a segment has pairs of a destination and a value that it may have: two bounds, or the
  /// number of a coefficient.
  private static func conditioning(_ body: Range<Int>, in source: ByteSource) -> Bool {
    guard body.count % 2 == 0, let bytes = source.bytes(in: body, limit: 1 << 16) else {
      return false
    }
    return stride(from: 0, to: bytes.count, by: 2).allSatisfy { offset in
      let (head, value) = (bytes[offset], bytes[offset + 1])
      guard head & 15 <= 3 else { return false }
      return head >> 4 == 0 ? value & 15 <= value >> 4 : head >> 4 == 1 && (1...63).contains(value)
    }
  }

  private static func quantisation(
    _ body: Range<Int>,
    in source: ByteSource
  ) -> Bool {
    var offset = body.lowerBound
    while offset < body.upperBound {
      guard let head = source.byte(at: offset), head >> 4 <= 1, head & 0x0F <= 3 else {
        return false
      }
      offset += 1 + 64 * (1 + Int(head >> 4))
    }
    return offset == body.upperBound
  }

  private static func huffman(_ body: Range<Int>, in source: ByteSource) -> Bool {
    var offset = body.lowerBound
    while offset < body.upperBound {
      guard body.upperBound - offset >= 17,
        let head = source.byte(at: offset), head >> 4 <= 1, head & 0x0F <= 3,
        let counts = source.bytes(in: (offset + 1)..<(offset + 17), limit: 16)
      else { return false }
      let symbols = counts.reduce(0) { $0 + Int($1) }
      guard symbols <= 256 else { return false }
      offset += 17 + symbols
    }
    return offset == body.upperBound
  }
}
