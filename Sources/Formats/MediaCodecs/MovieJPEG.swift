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
      try body(start..<(start + 2), .kept)
      var isAfterScan = false
      while let element = try parser.next() {
        let part: (range: Range<Int>, disposition: UnitDisposition)
        switch element {
        case .entropyCodedData(let range): part = (range, .kept)
        case .skipped(let range, isFill: true):
          part = (range, isAfterScan ? .kept : .removed("fill bytes"))
        case .skipped: throw damaged
        case .segment(let segment): part = (segment.range, disposition(of: segment, in: picture))
        }
        if case .entropyCodedData = element { isAfterScan = true } else { isAfterScan = false }
        try body(part.range.lowerBound + start..<part.range.upperBound + start, part.disposition)
      }
      start += parser.offset
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
    case 0xC0...0xCF, JPEGMarker.eoi...JPEGMarker.dri: return .kept
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
