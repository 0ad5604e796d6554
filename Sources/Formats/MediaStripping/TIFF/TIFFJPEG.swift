import MediaContainers

/// Parses JPEG streams within a TIFF: each strip or tile is one, and their shared tables are
/// another.
///
/// Source: TIFF Technical Note 2.
enum TIFFJPEG {
  /// Returns the tables alone, without any other segments between them; nil when they are too long.
  ///
  /// - Throws: `damaged` when the bytes are no tables.
  static func tables(
    _ range: Range<Int>,
    of source: ByteSource
  ) throws(MetadataError) -> [UInt8]? {
    guard let bytes = source.bytes(in: range, limit: 1 << 16) else { return nil }
    var parser = try JPEGParser(ByteSource(bytes))
    var tables: [UInt8] = [0xFF, JPEGMarker.soi]
    while let element = try parser.next() {
      guard case .segment(let segment) = element else { continue }
      switch segment.marker {
      case JPEGMarker.dqt, JPEGMarker.dht, JPEGMarker.dac, JPEGMarker.dri:
        guard JPEGTables.isExact(segment, in: ByteSource(bytes)) else {
          throw MetadataError(.damaged, "JPEG tables of impossible length")
        }
        tables += bytes[segment.range]
      default: continue
      }
    }
    return tables + [0xFF, JPEGMarker.eoi]
  }

  /// Returns the ranges of a strip to copy, in order: everything but application segments,
  /// comments, and bytes between segments or after the EOI.
  ///
  /// - Throws: `damaged` for bytes that are no JPEG stream; `stripUnsupported` for an unknown
  ///   marker.
  static func parts(
    of range: Range<Int>,
    in source: ByteSource
  ) throws(MetadataError) -> [Range<Int>] {
    let stream = ByteSource(source, range)
    var parser = try JPEGParser(stream)
    var parts: [Range<Int>] = []
    let start = range.lowerBound
    func keep(_ part: Range<Int>) {
      let shifted = (part.lowerBound + start)..<(part.upperBound + start)
      if let last = parts.last, last.upperBound == shifted.lowerBound {
        parts[parts.count - 1] = last.lowerBound..<shifted.upperBound
      } else {
        parts.append(shifted)
      }
    }
    keep(0..<2)
    // Tables are kept with the frame or scan that follows them: none can use one behind the last scan, and
    // only arithmetic coding has conditions.
    var tables: [JPEGSegment] = []
    var frame: UInt8?
    while let element = try parser.next() {
      switch element {
      case .entropyCodedData(let data): keep(data)
      case .skipped: continue
      case .segment(let segment):
        if JPEGMarker.isApplication(segment.marker) || segment.marker == JPEGMarker.com { continue }
        let name = JPEGMarker.name(segment.marker)
        guard JPEGAllowList.list[name]?.rule == .copied else {
          throw MetadataError(.stripUnsupported, "JPEG in TIFF with \(name)")
        }
        guard JPEGTables.hasExactLength(segment, in: stream) else {
          throw MetadataError(.damaged, "JPEG in TIFF with \(name) of impossible length")
        }
        if JPEGMarker.isFrame(segment.marker) { frame = segment.marker }
        if [JPEGMarker.dqt, JPEGMarker.dht, JPEGMarker.dac, JPEGMarker.dri].contains(segment.marker) {
          tables.append(segment)
          continue
        }
        if segment.marker == JPEGMarker.sos || segment.marker == frame {
          for table in tables
          where table.marker != JPEGMarker.dac || frame.map(JPEGMarker.isArithmetic) == true {
            keep(table.range)
          }
          tables = []
        }
        keep(segment.range)
      }
    }
    guard frame != nil else { throw MetadataError(.damaged, "a JPEG strip without a frame") }
    return parts
  }
}
