package import MediaContainers

/// Finds the bits of an MP3's frames that no decoder reads, in which encoders write their names.
///
/// A frame states how many bits of coded audio it has and how many bytes before its own header they
/// begin, so the bits between the audio of two frames are known without decoding. They are called
/// ancillary data, and fill up constant bit rates. The private bits of headers say nothing either.
///
/// A run of bytes of one value that ends such bits is padding and is left: LAME fills thousands of
/// frames with it.
///
/// Source: ISO/IEC 11172-3 sections 2.4.1.7 and 2.4.3.4 (main_data_begin, part2_3_length,
/// ancillary_data); ISO/IEC 13818-3 section 2.4.1.7 for the lower rates; LAME's bitstream.c,
/// drain_into_ancillary.
package struct MP3UnusedBits {
  /// Bytes that are to be replaced by as many others.
  package struct Change {
    /// The range in the file, within one frame.
    package var range: Range<Int>
    /// The new bytes.
    package var bytes: [UInt8]
  }

  /// The greatest distance in bytes from a frame's own data back to the start of its audio.
  private static let maximumDistance = 511
  private static let paddingValues: Set<UInt8> = [0, 0x55, 0xAA, 0xFF]

  /// The data of one frame: its range in the file, and its offset in the data of all frames.
  private struct Area {
    var range: Range<Int>
    var start: Int
    /// The rewritten header and side information.
    var head: Change?
  }

  private let source: ByteSource
  private var parts: MP3Parts
  private var areas: [Area] = []
  /// The coded audio of the last frames, as bits in the data of all frames.
  private var used: [Range<Int>] = []
  /// The number of data bytes of all frames so far.
  private var length = 0
  private var changes: [Change] = []
  /// The index of the next change in `changes`.
  private var next = 0
  private var isFirst = true
  private let hasInformation: Bool

  /// Starts at the first frame; that which describes the others is passed over.
  package init(of source: ByteSource, trailing: TrailingTags, hasInformation: Bool) {
    self.source = source
    self.hasInformation = hasInformation
    parts = MP3Parts(source, trailing: trailing)
  }

  /// Returns the next change in file order; nil after the last.
  package mutating func nextChange() -> Change? {
    while next == changes.count {
      changes.removeAll(keepingCapacity: true)
      next = 0
      guard let (part, range) = parts.next() else {
        guard !areas.isEmpty else { return nil }
        finish(upTo: length)
        continue
      }
      switch part {
      case .frame(let frame):
        if !isFirst || !hasInformation { add(frame, at: range, isWhole: true) }
        isFirst = false
      case .cutFrame:
        if let frame = MPEGAudioFrame(of: source, at: range.lowerBound) {
          add(frame, at: range, isWhole: false)
        }
      case .tag, .other: break
      }
      finish(upTo: length - Self.maximumDistance)
    }
    next += 1
    return changes[next - 1]
  }

  private mutating func add(_ frame: MPEGAudioFrame, at range: Range<Int>, isWhole: Bool) {
    let headLength = (frame.isProtected ? 6 : 4) + frame.sideLength
    guard headLength <= range.count,
      let head = source.bytes(in: range.prefix(headLength), limit: headLength)
    else { return }
    let side = SideInformation(frame, head)
    let data = range.dropFirst(headLength)
    let start = (length - side.distance) * 8
    // All data of a frame that was cut off may be audio.
    let end = isWhole ? start + side.audioLength : (length + data.count) * 8
    if end > max(0, start) { used.append(max(0, start)..<end) }
    var change: Change?
    if isWhole, side.head != head {
      change = Change(range: range.prefix(headLength), bytes: side.head)
    }
    areas.append(Area(range: data, start: length, head: change))
    length += data.count
  }

  /// Adds the changes of all frames whose data ends at or before `end`.
  private mutating func finish(upTo end: Int) {
    let count = areas.prefix { $0.start + $0.range.count <= end }.count
    guard count > 0 else { return }
    let audio = used.sorted { $0.lowerBound < $1.lowerBound }
    for area in areas.prefix(count) {
      if let head = area.head { changes.append(head) }
      addUnused(of: area, audio)
    }
    areas.removeFirst(count)
    let last = areas.first?.start ?? length
    used.removeAll { $0.upperBound <= last * 8 }
  }

  /// Adds the changes of the bits of `area` that no frame of `audio` uses.
  private mutating func addUnused(of area: Area, _ audio: [Range<Int>]) {
    guard !area.range.isEmpty,
      let bytes = source.bytes(in: area.range, limit: area.range.count)
    else { return }
    let base = area.start * 8
    let end = area.range.count * 8
    var position = 0
    for bits in audio where bits.upperBound > base {
      guard bits.lowerBound < base + end else { break }
      let start = bits.lowerBound - base
      if start > position { addCleared(position..<start, bytes, area) }
      position = max(position, bits.upperBound - base)
    }
    if position < end { addCleared(position..<end, bytes, area) }
  }

  /// Adds the change that clears `bits` of a frame's data, without the padding at their end.
  private mutating func addCleared(_ bits: Range<Int>, _ bytes: [UInt8], _ area: Area) {
    var end = bits.upperBound / 8
    let first = (bits.lowerBound + 7) / 8
    if end > first, Self.paddingValues.contains(bytes[end - 1]) {
      let value = bytes[end - 1]
      while end > first, bytes[end - 1] == value { end -= 1 }
    }
    let start = bits.lowerBound / 8
    guard end > start else { return }
    var cleared = Array(bytes[start..<end])
    BitReader.clear(&cleared, (bits.lowerBound - 8 * start)..<(8 * cleared.count))
    guard !cleared.elementsEqual(bytes[start..<end]) else { return }
    let offset = area.range.lowerBound + start
    changes.append(Change(range: offset..<(offset + cleared.count), bytes: cleared))
  }
}

/// The side information of a frame, with its header.
private struct SideInformation {
  /// The number of bytes from the start of the coded audio to the frame's own data.
  let distance: Int
  /// The number of bits of coded audio.
  let audioLength: Int
  /// Header, checksum and side information without private bits.
  let head: [UInt8]

  /// Reads `head`, the bytes before the frame's data.
  init(_ frame: MPEGAudioFrame, _ head: [UInt8]) {
    let isVersion1 = frame.sampleCount == 1152
    let channels = frame.channelCount
    let privateBits = isVersion1 ? (channels == 1 ? 5 : 3) : channels
    let first = (frame.isProtected ? 6 : 4) * 8
    let distanceBits = isVersion1 ? 9 : 8
    var bits = BitReader(head, at: first)
    distance = bits.read(distanceBits) ?? 0
    _ = bits.skip(privateBits + (isVersion1 ? 4 * channels : 0))
    var audioLength = 0
    for _ in 0..<(isVersion1 ? 2 * channels : channels) {
      audioLength += bits.read(12) ?? 0
      _ = bits.skip(isVersion1 ? 47 : 51)
    }
    self.audioLength = audioLength
    var plain = head
    BitReader.clear(&plain, 23..<24)
    let position = first + distanceBits
    BitReader.clear(&plain, position..<(position + privateBits))
    if frame.isProtected, plain != head {
      // The checksum starts from all ones, which is the same as inverting its first two bytes.
      var checksum = CRC.flacFrame
      checksum.add([~plain[2], ~plain[3]] + plain[6...])
      plain.replaceSubrange(4..<6, with: checksum.value.bytes(2))
    }
    self.head = plain
  }
}
