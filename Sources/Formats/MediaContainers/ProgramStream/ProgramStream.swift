/// The elementary streams of an MPEG program stream, as DVDs, camcorders and the first digital cameras write
/// it: packs of units, each of one stream. A system stream of MPEG-1 is one too.
///
/// Source: ITU-T H.222.0 section 2.5.3; ISO/IEC 11172-1 section 2.4.3; exiftool `lib/Image/ExifTool/MPEG.pm`.
package struct ProgramStream {
  private static let maximumStreams = 64

  /// An elementary stream.
  package struct Stream {
    /// The identifier; of a substream of private stream 1, which DVDs have, 0x100 and its number.
    package var identifier: Int
    /// The offset of the first unit's payload.
    package var start: Int
    /// The first presentation time in 1/90,000 s; nil without one.
    fileprivate var firstTime: Int?
    /// The time from the first unit to the latest one, in milliseconds; nil without.
    package fileprivate(set) var milliseconds: Int?
  }

  /// The streams in the order in which they begin.
  package private(set) var streams: [Stream] = []
  /// The stream types that a program stream map gives to identifiers; empty without one.
  package private(set) var types: [Int: Int] = [:]

  /// Reads the units at both ends of the file; nil for one that does not begin with a pack and another unit.
  package init?(of source: ByteSource) {
    guard let pack = ProgramUnit(of: source, at: 0), pack.code == ProgramUnit.pack,
      ProgramUnit(of: source, at: pack.end) != nil
    else { return nil }
    for unit in ProgramUnits(source, in: source.searchedEnds.head) {
      if unit.code == ProgramUnit.map { readMap(unit.payload, of: source) }
      guard let identifier = unit.identifier(in: source) else { continue }
      let index = streams.firstIndex { $0.identifier == identifier } ?? streams.endIndex
      if index == streams.endIndex {
        guard index < Self.maximumStreams else { continue }
        streams.append(Stream(identifier: identifier, start: unit.payload.lowerBound))
      }
      streams[index].firstTime = streams[index].firstTime ?? unit.time
    }
    for unit in ProgramUnits(source, in: source.searchedEnds.tail) {
      guard let time = unit.time, let identifier = unit.identifier(in: source),
        let index = streams.firstIndex(where: { $0.identifier == identifier }),
        let first = streams[index].firstTime
      else { continue }
      // Times have 33 bits and start anew after 26 hours.
      let ticks = (time - first) & (1 << 33 - 1)
      guard ticks > 0, ticks < 1 << 32 else { continue }
      streams[index].milliseconds = max(streams[index].milliseconds ?? 0, ticks / 90)
    }
  }

  /// Reads the program stream map: descriptors of the program, then a type for each stream.
  private mutating func readMap(_ map: Range<Int>, of source: ByteSource) {
    guard let described = source.uint16(at: map.lowerBound + 2),
      let length = source.uint16(at: map.lowerBound + 4 + described)
    else { return }
    var position = map.lowerBound + 6 + described
    let end = min(position + length, map.upperBound)
    while position + 4 <= end, let type = source.uint8(at: position),
      let identifier = source.uint8(at: position + 1), let described = source.uint16(at: position + 2)
    {
      types[identifier] = type
      position += 4 + described
    }
  }
}

/// The units of a part of a program stream in order; bytes between a broken one and the next pack are passed
/// over.
struct ProgramUnits: Sequence, IteratorProtocol {
  private let source: ByteSource
  private var position: Int
  private let end: Int

  init(_ source: ByteSource, in range: Range<Int>) {
    self.source = source
    (position, end) = (range.lowerBound, range.upperBound)
  }

  mutating func next() -> ProgramUnit? {
    while position < end {
      if let unit = ProgramUnit(of: source, at: position) {
        position = unit.end
        return unit
      }
      let codes = MPEGStartCodes(source, in: (position + 1)..<Swift.max(position + 1, end))
      guard let pack = codes.first(where: { $0.code == ProgramUnit.pack }) else { return nil }
      position = pack.offset
    }
    return nil
  }
}

/// A pack header, a system header, or a packet of an elementary stream.
struct ProgramUnit {
  static let (pack, end, map) = (0xBA, 0xB9, 0xBC)
  private static let firstPrivate = 0xBD

  /// The byte of the start code.
  let code: Int
  /// What follows the header.
  private(set) var payload: Range<Int>
  /// The presentation time in 1/90,000 s; nil without one.
  private(set) var time: Int?

  /// The offset of the next unit.
  let end: Int

  /// Reads a unit's header; nil for bytes that are none.
  init?(of source: ByteSource, at offset: Int) {
    guard source.holds([0, 0, 1], at: offset), let code = source.uint8(at: offset + 3) else { return nil }
    self.code = code
    switch code {
    case Self.pack:
      guard let length = Self.packLength(source, offset) else { return nil }
      end = offset + length
      payload = end..<end
    case Self.end:
      end = offset + 4
      payload = end..<end
    case 0xBB...0xFF:
      guard let length = source.uint16(at: offset + 4) else { return nil }
      end = offset + 6 + length
      payload = (offset + 6)..<end
      if code == Self.firstPrivate || isCoded { readHeader(of: source) }
    default: return nil
    }
  }

  /// Whether it is a packet of sound or video, also of one with an extended identifier.
  private var isCoded: Bool { (0xC0...0xEF).contains(code) || code == 0xFD }

  /// Returns the length of a pack header with its fixed bits, of MPEG-2 or MPEG-1; nil for another one.
  private static func packLength(_ source: ByteSource, _ offset: Int) -> Int? {
    guard let bytes = source.bytes(in: offset..<(offset + 12), limit: 12) else { return nil }
    func has(_ bits: UInt8, at index: Int) -> Bool { bytes[index] & bits == bits }
    if bytes[4] >> 6 == 1 {
      guard has(4, at: 4), has(4, at: 6), has(4, at: 8), has(1, at: 9),
        let rate = source.byte(at: offset + 12), rate & 3 == 3,
        let stuffing = source.uint8(at: offset + 13)
      else { return nil }
      return 14 + stuffing & 7
    }
    let isFixed = has(1, at: 4) && has(1, at: 6) && has(1, at: 8) && has(0x80, at: 9) && has(1, at: 11)
    return bytes[4] >> 4 == 2 && isFixed ? 12 : nil
  }

  /// Reads the header of a packet: that of MPEG-2 begins with the bits 10.
  private mutating func readHeader(of source: ByteSource) {
    let start = payload.lowerBound
    guard let first = source.uint8(at: start) else { return }
    if first >> 6 == 2 {
      guard let flags = source.uint8(at: start + 1), let length = source.uint8(at: start + 2) else { return }
      if flags & 0x80 != 0 { time = source.presentationTime(at: start + 3) }
      payload = payload.dropFirst(3 + length)
      return
    }
    // Stuffing, and the size of a buffer, precede the times of MPEG-1.
    var position = start + (0..<16).prefix { source.byte(at: start + $0) == 0xFF }.count
    if let byte = source.byte(at: position), byte >> 6 == 1 { position += 2 }
    switch (source.byte(at: position) ?? 0) >> 4 {
    case 2:
      time = source.presentationTime(at: position)
      position += 5
    case 3:
      time = source.presentationTime(at: position)
      position += 10
    default: position += 1
    }
    payload = payload.dropFirst(position - start)
  }

  /// Returns the identifier of the elementary stream; nil for a unit of none.
  func identifier(in source: ByteSource) -> Int? {
    guard code == Self.firstPrivate else { return isCoded ? code : nil }
    return source.uint8(at: payload.lowerBound).map { 0x100 | $0 }
  }
}

extension ByteSource {
  /// The first and the last bytes of MPEG video or of a program stream, which are searched for streams and times.
  var searchedEnds: (head: Range<Int>, tail: Range<Int>) {
    let count = min(length, 4 << 20)
    return (0..<count, (length - count)..<length)
  }

  /// Returns the presentation time in the five bytes at `offset`, in 1/90,000 s.
  func presentationTime(at offset: Int) -> Int? {
    guard let bytes = bytes(in: offset..<(offset + 5), limit: 5) else { return nil }
    let high = Int(bytes[0] >> 1 & 7) << 30
    let middle = Int(bytes[1]) << 22 | Int(bytes[2] >> 1) << 15
    return high | middle | Int(bytes[3]) << 7 | Int(bytes[4] >> 1)
  }
}
