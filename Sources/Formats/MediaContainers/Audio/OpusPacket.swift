/// A packet of Opus: a table of contents, and the lengths of its frames.
///
/// Source: RFC 6716 sections 3.1, 3.2 and appendix B.
package enum OpusPacket {
  private static let maximumFrame = 1275
  /// The samples of 120 milliseconds, which no packet exceeds.
  private static let maximumSamples = 5760

  /// Returns whether `packet` is exactly one packet of each of so many streams.
  package static func isWhole(_ packet: Range<Int>, of source: ByteSource, streams: Int) -> Bool {
    var unread = packet
    for stream in 0..<max(1, streams) {
      guard let end = end(of: unread, in: source, isLast: stream + 1 >= streams) else {
        return false
      }
      unread = end..<unread.upperBound
    }
    return unread.isEmpty
  }

  /// Returns the number of samples at 48,000 Hz in `packet`, by its first stream; 0 for an empty one.
  package static func sampleCount(in packet: Range<Int>, of source: ByteSource) -> Int {
    guard let contents = source.uint8(at: packet.lowerBound), !packet.isEmpty else { return 0 }
    let count =
      frameCount(contents) ?? (source.uint8(at: packet.lowerBound + 1) ?? 0) & maximumCount
    return count * frameSamples(contents)
  }

  /// The number of frames in a packet whose table of contents is followed by it, in its low bits.
  private static let maximumCount = 63

  /// Returns the number of frames by the table of contents; nil where a byte behind it tells.
  private static func frameCount(_ contents: Int) -> Int? {
    let count = [1, 2, 2, 0][contents & 3]
    return count > 0 ? count : nil
  }

  /// Returns the samples of a frame at 48,000 Hz.
  private static func frameSamples(_ contents: Int) -> Int {
    let configuration = contents >> 3
    return switch configuration {
    case 0..<12: [480, 960, 1920, 2880][configuration & 3]
    case 12..<16: [480, 960][configuration & 1]
    default: [120, 240, 480, 960][configuration & 3]
    }
  }

  /// Returns the offset after the packet of a stream; all but the last one say how long they are.
  private static func end(of range: Range<Int>, in source: ByteSource, isLast: Bool) -> Int? {
    var position = range.lowerBound
    func byte() -> Int? {
      guard position < range.upperBound, let value = source.uint8(at: position) else { return nil }
      position += 1
      return value
    }
    func length() -> Int? {
      guard let first = byte() else { return nil }
      if first < 252 { return first }
      return byte().map { first + 4 * $0 }
    }
    guard let contents = byte() else { return nil }
    var (count, sum, padding) = (frameCount(contents) ?? 0, 0, 0)
    var isVariable = contents & 3 == 2
    if count == 0 {
      guard let form = byte() else { return nil }
      (count, isVariable) = (form & maximumCount, form & 0x80 != 0)
      guard count > 0, count * frameSamples(contents) <= maximumSamples else { return nil }
      if form & 0x40 != 0 {
        while true {
          guard let more = byte() else { return nil }
          padding += more == 255 ? 254 : more
          if more < 255 { break }
        }
      }
    }
    if isVariable {
      for _ in 1..<count {
        guard let frame = length() else { return nil }
        sum += frame
      }
    }
    if isLast {
      let left = range.upperBound - position - padding - sum
      let frames = isVariable ? 1 : count
      return left >= 0 && left % frames == 0 && left / frames <= maximumFrame
        ? range.upperBound : nil
    }
    guard let last = length() else { return nil }
    let end = position + sum + last * (isVariable ? 1 : count) + padding
    return end <= range.upperBound ? end : nil
  }
}
