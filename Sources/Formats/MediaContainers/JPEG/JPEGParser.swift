import Glibc

/// A JPEG marker with its parameters.
package struct JPEGSegment {
  /// The marker code after the 0xFF.
  package var marker: UInt8
  /// The range from the marker's 0xFF to the end of its parameters.
  package var range: Range<Int>
  /// The parameters without their length field; empty for a marker without parameters.
  package var body: Range<Int>
}

/// The segments before a JPEG's first scan, in order, as far as they can be parsed.
package struct JPEGSegments: Sequence, IteratorProtocol {
  private var parser: JPEGParser?

  /// Creates a sequence; it is empty when `source` does not start with a SOI.
  package init(_ source: ByteSource) { parser = try? JPEGParser(source) }

  /// Returns the next segment, or nil at the first scan, at the EOI and at the first damage.
  package mutating func next() -> JPEGSegment? {
    while let element = try? parser?.next() {
      guard case .segment(let segment) = element else { continue }
      return segment.marker == JPEGMarker.sos || segment.marker == JPEGMarker.eoi ? nil : segment
    }
    return nil
  }
}

/// An element of the sequence that makes up a JPEG.
package enum JPEGElement {
  /// A marker with its parameters.
  case segment(JPEGSegment)
  /// The entropy-coded data of one scan, with stuffed bytes and restart markers.
  case entropyCodedData(Range<Int>)
  /// Bytes before a marker that decoders skip; `isFill` when all of them are 0xFF.
  case skipped(Range<Int>, isFill: Bool)
}

/// Parses a JPEG front to back, from its SOI to its EOI.
///
/// Source: ITU-T T.81 annex B; the parser skips the same bytes between segments as `next_marker`
/// of libjpeg-turbo's jdmarker.c.
package struct JPEGParser {
  private let source: ByteSource
  private let mayEndInScan: Bool
  private var position: Int
  private var isInScan = false
  private var isAtEnd = false

  /// The current offset; after the EOI, the length of the picture.
  package var offset: Int { position }

  /// Creates a parser that starts after the SOI.
  ///
  /// - Parameters:
  ///   - source: The file, or the rest of it from the picture on.
  ///   - mayEndInScan: Whether the data of a scan may be the end of the picture: a camera that was
  ///     switched off leaves the last picture of a movie without an EOI.
  /// - Throws: `damaged` when the bytes do not start with a SOI.
  package init(_ source: ByteSource, mayEndInScan: Bool = false) throws(MetadataError) {
    guard source.holds([0xFF, JPEGMarker.soi], at: 0) else {
      throw MetadataError(.damaged, "no SOI")
    }
    self.mayEndInScan = mayEndInScan
    self.source = source
    position = 2
  }

  /// Returns the next element, or nil after the EOI. The data of a scan follow its SOS; searching
  /// for their end is expensive and happens only when they are requested.
  ///
  /// - Throws: `damaged` when the bytes end before an EOI, or a length points outside.
  package mutating func next() throws(MetadataError) -> JPEGElement? {
    if isAtEnd { return nil }
    if isInScan {
      isInScan = false
      let start = position
      let end = endOfEntropyCodedData()
      guard end != nil || mayEndInScan else {
        throw MetadataError(.damaged, "picture data that end without EOI")
      }
      position = end ?? source.length
      isAtEnd = end == nil
      if position > start { return .entropyCodedData(start..<position) }
      if isAtEnd { return nil }
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
        let detail = "\(JPEGMarker.name(code)) of impossible length"
        throw MetadataError(.damaged, detail, length: source.uint16(at: end), at: start)
      }
      body = (end + 2)..<(end + length)
      end += length
    }
    position = end
    isInScan = code == JPEGMarker.sos
    isAtEnd = code == JPEGMarker.eoi
    return JPEGSegment(marker: code, range: start..<end, body: body)
  }

  /// Moves to the 0xFF directly before the next marker code; decoders ignore the bytes in between.
  private mutating func findMarker() throws(MetadataError) -> (offset: Int, isFill: Bool) {
    let start = position
    var offset = position
    while true {
      let step: (offset: Int, isDone: Bool)? = source.withRun(from: offset) { run in
        guard let base = run.baseAddress, !run.isEmpty else { return nil }
        guard let hit = memchr(base, 0xFF, run.count) else { return (offset + run.count, false) }
        return (offset + (UnsafeRawPointer(hit) - base), true)
      }
      guard let step else { throw MetadataError(.damaged, "no EOI") }
      offset = step.offset
      guard step.isDone else { continue }
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

  /// Returns the offset of the first byte after the scan's data: the 0xFF, or the first fill byte,
  /// of a marker that is not a restart marker.
  private func endOfEntropyCodedData() -> Int? {
    var offset = position
    /// The start of the run of 0xFF bytes that ends at `offset`.
    var fillStart: Int?
    while true {
      // Within one run, the loop works on the pointer: a photo has an 0xFF every 300 bytes.
      let (next, isEnd): (Int, Bool) = source.withRun(from: offset) { run in
        guard let base = run.baseAddress, !run.isEmpty else { return (-1, true) }
        var index = 0
        while index < run.count {
          guard let hit = memchr(base + index, 0xFF, run.count - index) else {
            fillStart = nil
            return (offset + run.count, false)
          }
          let marker = UnsafeRawPointer(hit) - base
          if marker > index { fillStart = nil }
          guard marker + 1 < run.count else {
            return (offset + marker, true)
          }
          let code = run[marker + 1]
          if code == 0xFF {
            if fillStart == nil { fillStart = offset + marker }
            index = marker + 1
          } else if code == 0 || JPEGMarker.isRestart(code) {
            fillStart = nil
            index = marker + 2
          } else {
            return (offset + marker, true)
          }
        }
        return (offset + index, false)
      }
      if next < 0 { return nil }
      offset = next
      guard isEnd else { continue }
      // The marker code may be in the next run.
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
