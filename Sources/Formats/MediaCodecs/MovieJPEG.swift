import MediaContainers

/// Walks the segments of the JPEG pictures in a sample of Motion JPEG.
///
/// Source: ITU-T T.81 annex B; Apple, QuickTime File Format, Photo JPEG.
enum MovieJPEG {
  static func forEachUnit(
    in sample: Range<Int>,
    of source: ByteSource,
    _ body: (Range<Int>, UnitDisposition) throws(MetadataError) -> Void
  ) throws(MetadataError) {
    let damaged = MetadataError(.damaged, "a picture that is no JPEG")
    var start = sample.lowerBound
    while start < sample.upperBound {
      let picture = ByteSource(source, start..<sample.upperBound)
      guard var parser = try? JPEGParser(picture, mayEndInScan: true) else {
        guard start > sample.lowerBound else { throw damaged }
        return try body(start..<sample.upperBound, .removed("bytes after a picture"))
      }
      var parts: [Part] = [Part(range: 0..<2)]
      var isAfterScan = false
      while let element = try parser.next() {
        switch element {
        case .entropyCodedData(let range): parts.append(Part(range: range))
        case .skipped(let range, isFill: true):
          let disposition = isAfterScan ? UnitDisposition.kept : .removed("fill bytes")
          parts.append(Part(range: range, disposition: disposition))
        case .skipped: throw damaged
        case .segment(let segment):
          let disposition = disposition(of: segment, in: picture)
          parts.append(Part(range: segment.range, segment.marker, disposition: disposition))
        }
        if case .entropyCodedData = element { isAfterScan = true } else { isAfterScan = false }
      }
      removeUnused(&parts)
      for part in parts {
        try body(part.range.lowerBound + start..<part.range.upperBound + start, part.disposition)
      }
      start += parser.offset
    }
  }

  /// A part of a picture, with the marker of a segment.
  private struct Part {
    let range: Range<Int>
    let marker: UInt8
    var disposition: UnitDisposition

    init(range: Range<Int>, _ marker: UInt8 = 0, disposition: UnitDisposition = .kept) {
      (self.range, self.marker, self.disposition) = (range, marker, disposition)
    }
  }

  /// Removes the tables behind the last scan, and conditions of a picture that is not coded by arithmetic.
  /// Other tables may be those of a later picture.
  private static func removeUnused(_ parts: inout [Part]) {
    let isArithmetic = parts.contains { JPEGMarker.isArithmetic($0.marker) }
    let lastScan = parts.lastIndex { $0.marker == JPEGMarker.sos } ?? parts.count
    for index in parts.indices where parts[index].disposition == .kept {
      let marker = parts[index].marker
      let isTable = [JPEGMarker.dqt, JPEGMarker.dht, JPEGMarker.dri].contains(marker)
      if isTable && index > lastScan || marker == JPEGMarker.dac && (!isArithmetic || index > lastScan) {
        parts[index].disposition = .removed(JPEGMarker.name(marker))
      }
    }
  }

  /// Returns the part of a comment by which a decoder chooses how to show the picture: turned over, in
  /// the range of ITU-R BT.601, in two fields, or in pixels that are no squares. Nil where it does not
  /// look at it.
  ///
  /// Source: libavcodec, mjpegdec.c (mjpeg_decode_com, parse_avid).
  private static func decidingComment(_ text: [UInt8]) -> [UInt8]? {
    if text.starts(with: Array("AVID".utf8)) {
      let polarity = text.count > 14 ? text[12] : 0
      return Array("AVID".utf8) + [UInt8](repeating: 0, count: 8)
        + [[1, 2].contains(polarity) ? polarity : 0, 0, 0]
    }
    let turned = "Metasoft MJPEG Codec"
    for name in [turned, "Intel(R) JPEG Library, version 1"]
    where text.starts(with: Array(name.utf8)) {
      return Array(turned.utf8)
    }
    // A line feed or a NUL ends it.
    let line = text.prefix { $0 != 0 && $0 != 0x0A }
    for name in ["CS=ITU601", "MULTISCOPE II"] where line.elementsEqual(Array(name.utf8)) {
      return Array(name.utf8)
    }
    return nil
  }

  private static func disposition(
    of segment: JPEGSegment,
    in source: ByteSource
  ) -> UnitDisposition {
    let (start, count) = (segment.body.lowerBound, segment.body.count)
    switch segment.marker {
    case 0xC0...0xCF, JPEGMarker.eoi...JPEGMarker.dri:
      // A frame of more components than decoders show has room for a text.
      let isFrame = JPEGMarker.isFrame(segment.marker)
      if JPEGTables.hasExactLength(segment, in: source), !isFrame || count <= 18 { return .kept }
      let name = "JPEG segment of another length"
      if let length = JPEGTables.fieldLength(of: segment, in: source) {
        let fields = source.bytes(in: segment.body.prefix(length), limit: length) ?? []
        return .rewritten(JPEGMarker.segment(segment.marker, fields), name)
      }
      // A decoder leaves out what follows whole tables of quantization, and refuses others.
      guard segment.marker == JPEGMarker.dqt else { return .removed(name) }
      let tables = JPEGTables.definitions(in: segment, of: source).filter { range in
        let isLong = source.byte(at: range.lowerBound).map { $0 & 0xFC == 0x10 }
        return range.count == (isLong == true ? 129 : 65)
      }
      let bytes = tables.flatMap { source.bytes(in: $0, limit: 129) ?? [] }
      return bytes.isEmpty ? .removed(name) : .rewritten(JPEGMarker.segment(0xDB, bytes), name)
    case JPEGMarker.app0:
      // A JFIF segment without a thumbnail is kept; AVI1 identifies the field.
      let isJFIF = count == 14 && source.holds("JFIF\0", at: start)
      let isAVI = count <= 14 && source.holds("AVI1", at: start)
      return isJFIF || isAVI ? .kept : .removed("APP0 of a picture")
    case JPEGMarker.app14 where count == 12 && source.holds("Adobe", at: start): return .kept
    case 0xE1...0xEF: return .removed("APP segment of a picture")
    case JPEGMarker.com:
      guard let text = source.bytes(in: segment.body, limit: segment.body.count),
        let deciding = decidingComment(text)
      else { return .removed("COM of a picture") }
      if text == deciding { return .kept }
      let length = deciding.count + 2
      return .rewritten(
        [0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 0xFF)] + deciding,
        "COM of a picture"
      )
    default: return .removed("segment of a picture")
    }
  }
}
