/// Walks the segments of the JPEG pictures in a sample of Motion JPEG.
///
/// Source: ITU-T T.81 annex B; Apple, QuickTime File Format, Photo JPEG.
enum MovieJPEG {
  static func forEachUnit(
    in sample: Range<Int>,
    of source: ByteSource,
    _ body: (Range<Int>, Bitstream.Disposition) throws(MetadataError) -> Void
  ) throws(MetadataError) {
    let damaged = MetadataError(.damaged, "a picture that is no JPEG")
    let end = sample.upperBound
    var position = sample.lowerBound
    guard source.holds([0xFF, 0xD8], at: position) else {
      if sample.isEmpty { return }
      throw damaged
    }
    while position < end {
      guard end - position >= 2, source.holds([0xFF, 0xD8], at: position) else {
        return try body(position..<end, .removed("bytes after a picture"))
      }
      try body(position..<(position + 2), .kept)
      position += 2
      var isOver = false
      while !isOver {
        guard end - position >= 4, source.byte(at: position) == 0xFF,
          let marker = source.byte(at: position + 1)
        else {
          guard end - position == 2, source.holds([0xFF, 0xD9], at: position) else { throw damaged }
          try body(position..<end, .kept)
          return
        }
        if marker == 0xFF {
          try body(position..<(position + 1), .removed("fill bytes"))
          position += 1
          continue
        }
        if marker == 0xD9 {
          try body(position..<(position + 2), .kept)
          position += 2
          isOver = true
          continue
        }
        guard let length = source.uint16(at: position + 2), length >= 2,
          length + 2 <= end - position
        else { throw damaged }
        let segment = position..<(position + 2 + length)
        try body(segment, judge(marker, segment, of: source))
        position = segment.upperBound
        if marker == 0xDA {
          let scan = entropyCoded(position..<end, of: source)
          try body(scan, .kept)
          position = scan.upperBound
          // A camera that was switched off leaves the last picture without an EOI.
          if position == end { return }
        }
      }
    }
  }

  private static func judge(
    _ marker: UInt8,
    _ segment: Range<Int>,
    of source: ByteSource
  ) -> Bitstream.Disposition {
    switch marker {
    case 0xC0...0xCF, 0xDA, 0xDB, 0xDC, 0xDD: return .kept
    case 0xE0:
      // A JFIF segment without a thumbnail is kept; AVI1 identifies the field.
      let isJFIF = segment.count == 18 && source.holds("JFIF\0", at: segment.lowerBound + 4)
      let isAVI = segment.count <= 18 && source.holds("AVI1", at: segment.lowerBound + 4)
      return isJFIF || isAVI ? .kept : .removed("APP0 of a picture")
    case 0xEE where segment.count == 16 && source.holds("Adobe", at: segment.lowerBound + 4):
      return .kept
    case 0xE1...0xEF: return .removed("APP segment of a picture")
    case 0xFE: return .removed("COM of a picture")
    default: return .removed("segment of a picture")
    }
  }

  /// Returns the entropy-coded data up to the next marker that is not a restart marker.
  private static func entropyCoded(
    _ range: Range<Int>,
    of source: ByteSource
  ) -> Range<Int> {
    var position = range.lowerBound
    while position < range.upperBound {
      let found: Int? = source.withRun(from: position) { run in
        run.prefix(range.upperBound - position).firstIndex(of: 0xFF)
      }
      guard let found else {
        let count = source.withRun(from: position) { $0.count }
        guard count > 0 else { break }
        position += min(count, range.upperBound - position)
        continue
      }
      let next = position + found
      guard next + 1 < range.upperBound, let marker = source.byte(at: next + 1) else { break }
      if marker == 0 || (0xD0...0xD7).contains(marker) {
        position = next + 2
      } else if marker == 0xFF {
        position = next + 1
      } else {
        return range.lowerBound..<next
      }
    }
    return range
  }
}
