import Glibc

/// A marker of a JPEG with what belongs to it.
package struct JPEGSegment {
  /// The code after the 0xFF.
  package var marker: UInt8
  /// From the marker's 0xFF to the end of its parameters.
  package var range: Range<Int>
  /// The parameters, without their length field; empty for a marker that stands alone.
  package var body: Range<Int>
}

/// What a JPEG is a sequence of.
package enum JPEGElement {
  case segment(JPEGSegment)
  /// Entropy-coded data of one scan, with its stuffed bytes and restart markers.
  case entropyCodedData(Range<Int>)
  /// Bytes before a marker that no decoder looks at; `isFill` when all of them are 0xFF.
  case skipped(Range<Int>, isFill: Bool)
}

/// Takes a JPEG apart, front to back, from its SOI to its EOI.
///
/// Source: ITU-T T.81 annex B; what is skipped between segments is what `next_marker` of
/// libjpeg-turbo's jdmarker.c skips.
package struct JPEGParser {
  private let source: ByteSource
  private var position: Int
  private var isInScan = false
  private var isAtEnd = false

  /// Where the parser stands; after the EOI, the length of the picture.
  package var offset: Int { position }

  /// - Throws: `damaged` when the bytes do not start with a SOI.
  package init(_ source: ByteSource) throws(MetadataError) {
    guard source.holds([0xFF, JPEGMarker.soi], at: 0) else {
      throw MetadataError(.damaged, "no SOI")
    }
    self.source = source
    position = 2
  }

  /// The next element, or nil after the EOI. A scan's data follow its SOS; looking for their end is
  /// what costs time, and is only done when asked for.
  ///
  /// - Throws: `damaged` when the bytes end before an EOI, or a length points outside.
  package mutating func next() throws(MetadataError) -> JPEGElement? {
    if isAtEnd { return nil }
    if isInScan {
      isInScan = false
      let start = position
      guard let end = endOfEntropyCodedData() else {
        throw MetadataError(.damaged, "picture data that end without EOI")
      }
      position = end
      if end > start { return .entropyCodedData(start..<end) }
    }
    let start = position
    let (marker, isFill) = try findMarker()
    if marker > start { return .skipped(start..<marker, isFill: isFill) }
    return .segment(try segment(at: marker))
  }

  private mutating func segment(at start: Int) throws(MetadataError) -> JPEGSegment {
    guard let code = source.byte(at: start + 1) else {
      throw MetadataError(.damaged, "no EOI")
    }
    var end = start + 2
    var body = end..<end
    if !JPEGMarker.standsAlone(code) {
      guard let length = source.uint16(at: end), length >= 2, source.length - end >= length else {
        throw MetadataError(.damaged, "\(JPEGMarker.name(code)) of impossible length")
      }
      body = (end + 2)..<(end + length)
      end += length
    }
    position = end
    isInScan = code == JPEGMarker.sos
    isAtEnd = code == JPEGMarker.eoi
    return JPEGSegment(marker: code, range: start..<end, body: body)
  }

  /// Moves to the 0xFF right before the next code; what lies between is not looked at by decoders.
  private mutating func findMarker() throws(MetadataError) -> (offset: Int, isFill: Bool) {
    let start = position
    var offset = position
    while true {
      let found: (offset: Int, isDone: Bool)? = source.withRun(from: offset) { run in
        guard let base = run.baseAddress, !run.isEmpty else { return nil }
        guard let hit = memchr(base, 0xFF, run.count) else { return (offset + run.count, false) }
        return (offset + (UnsafeRawPointer(hit) - base), true)
      }
      guard let found else { throw MetadataError(.damaged, "no EOI") }
      offset = found.offset
      guard found.isDone else { continue }
      guard let code = source.byte(at: offset + 1) else {
        throw MetadataError(.damaged, "no EOI")
      }
      if code == 0xFF {
        offset += 1
      } else if code == 0 {
        offset += 2
      } else {
        break
      }
    }
    position = offset
    var isFill = offset > start
    var index = start
    while index < offset, isFill {
      if source.byte(at: index) != 0xFF { isFill = false }
      index += 1
    }
    return (offset, isFill)
  }

  /// The first byte after the scan's data: the 0xFF (or the first of its fill bytes) of a marker that
  /// is no restart marker.
  private func endOfEntropyCodedData() -> Int? {
    var offset = position
    /// Where the run of 0xFF that ends at `offset` began.
    var fillStart: Int?
    while true {
      // Within one run, everything is done on the pointer: a photo has an 0xFF every 300 bytes.
      let (next, isEnd): (Int, Bool) = source.withRun(from: offset) { run in
        guard let base = run.baseAddress, !run.isEmpty else { return (-1, true) }
        var index = 0
        while index < run.count {
          guard let hit = memchr(base + index, 0xFF, run.count - index) else {
            fillStart = nil
            return (offset + run.count, false)
          }
          let place = UnsafeRawPointer(hit) - base
          if place > index { fillStart = nil }
          guard place + 1 < run.count else {
            return (offset + place, true)
          }
          let code = run[place + 1]
          if code == 0xFF {
            if fillStart == nil { fillStart = offset + place }
            index = place + 1
          } else if code == 0 || JPEGMarker.isRestart(code) {
            fillStart = nil
            index = place + 2
          } else {
            return (offset + place, true)
          }
        }
        return (offset + index, false)
      }
      if next < 0 { return nil }
      offset = next
      guard isEnd else { continue }
      // The code may lie in the next run.
      guard let code = source.byte(at: offset + 1) else { return nil }
      if code == 0xFF {
        if fillStart == nil { fillStart = offset }
        offset += 1
      } else if code == 0 || JPEGMarker.isRestart(code) {
        fillStart = nil
        offset += 2
      } else {
        return fillStart ?? offset
      }
    }
  }
}
