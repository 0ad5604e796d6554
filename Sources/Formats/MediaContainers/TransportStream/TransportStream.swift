/// The programs of an MPEG-2 transport stream, as AVCHD cameras and television recorders write it.
///
/// A file has packets of 188 bytes, or of 192 with four bytes of time ahead of each.
///
/// Source: ITU-T H.222.0 sections 2.4.3 and 2.4.4; Blu-ray Disc, AV Basic Specifications, for
/// packets of 192 bytes and stream types from 0x80 on.
package struct TransportStream {
  /// The first and last bytes that are searched for tables and times.
  private static let searchedLength = 4 << 20
  private static let maximumStreams = 64
  private static let sync: UInt8 = 0x47

  /// A stream of the first program.
  package struct Stream {
    /// The packet identifier.
    package var identifier: Int
    /// The stream type.
    package var type: Int
  }

  /// The number of bytes from one packet to the next.
  package let packetLength: Int
  /// The streams of the first program, in the order of its table.
  package private(set) var streams: [Stream] = []

  private let source: ByteSource

  /// Reads the tables at the start; nil for a file that does not begin with packets.
  package init?(of source: ByteSource) {
    self.source = source
    guard let length = [188, 192].first(where: { Self.isAligned(source, $0) }) else { return nil }
    packetLength = length
    readTables()
  }

  /// Returns whether five packets in a row, or all of a shorter file but at least three, begin with
  /// the byte that packets begin with.
  private static func isAligned(_ source: ByteSource, _ length: Int) -> Bool {
    let count = min(5, source.length / length)
    guard count >= 3 else { return false }
    return (0..<count).allSatisfy { source.byte(at: $0 * length + length - 188) == sync }
  }

  /// A packet's payload, and whether a table or a timed unit begins with it.
  private struct Packet {
    var identifier: Int
    var isStart: Bool
    var payload: Range<Int>
  }

  private func packet(at offset: Int) -> Packet? {
    let start = offset + packetLength - 188
    guard source.byte(at: start) == Self.sync, let head = source.uint32(at: start),
      source.length - start >= 188
    else { return nil }
    var payload = (start + 4)..<(start + 188)
    if head & 0x20 != 0 {
      let length = source.uint8(at: start + 4) ?? 0
      guard length < 184 else { return nil }
      payload = payload.dropFirst(1 + length)
    }
    if head & 0x10 == 0 { payload = payload.upperBound..<payload.upperBound }
    return Packet(identifier: head >> 8 & 0x1FFF, isStart: head >> 22 & 1 == 1, payload: payload)
  }

  private mutating func readTables() {
    var map: Int?
    for offset in stride(from: 0, to: min(source.length, Self.searchedLength), by: packetLength) {
      guard let packet = packet(at: offset), packet.isStart, !packet.payload.isEmpty else {
        continue
      }
      // A pointer precedes the table.
      let pointer = source.uint8(at: packet.payload.lowerBound) ?? 0
      let table = packet.payload.dropFirst(1 + pointer)
      if packet.identifier == 0, map == nil {
        map = programMap(in: table)
      } else if packet.identifier == map {
        readStreams(of: table)
        if !streams.isEmpty { return }
      }
    }
  }

  /// Returns the identifier of the packets with the first program's table.
  private func programMap(in table: Range<Int>) -> Int? {
    guard source.byte(at: table.lowerBound) == 0 else { return nil }
    for entry in stride(from: table.lowerBound + 8, to: table.upperBound - 4, by: 4) {
      guard let program = source.uint16(at: entry), let identifier = source.uint16(at: entry + 2)
      else { return nil }
      // Program 0 is the network's own table.
      if program != 0 { return identifier & 0x1FFF }
    }
    return nil
  }

  private mutating func readStreams(of table: Range<Int>) {
    let start = table.lowerBound
    guard source.byte(at: start) == 2, let length = source.uint16(at: start + 1),
      let described = source.uint16(at: start + 10)
    else { return }
    // A checksum ends the table.
    let end = min(start + 3 + (length & 0xFFF) - 4, table.upperBound)
    var position = start + 12 + (described & 0xFFF)
    while position + 5 <= end, streams.count < Self.maximumStreams,
      let type = source.uint8(at: position), let identifier = source.uint16(at: position + 1),
      let described = source.uint16(at: position + 3)
    {
      streams.append(Stream(identifier: identifier & 0x1FFF, type: type))
      position += 5 + (described & 0xFFF)
    }
  }

  /// Returns the time from the first to the last unit of a stream, in milliseconds; nil when fewer
  /// than two are found at the ends of the file.
  package func milliseconds(of identifier: Int) -> Int? {
    let count = source.length / packetLength
    let searched = min(count, Self.searchedLength / packetLength)
    let first = (0..<searched).lazy.compactMap { time(ofPacket: $0, identifier) }.first
    let last = ((count - searched)..<count).reversed().lazy
      .compactMap { time(ofPacket: $0, identifier) }.first
    guard let first, let last else { return nil }
    // Times have 33 bits and start anew after 26 hours.
    let ticks = (last - first) & (1 << 33 - 1)
    return ticks > 0 && ticks < 1 << 32 ? ticks / 90 : nil
  }

  private func time(ofPacket number: Int, _ identifier: Int) -> Int? {
    guard let packet = packet(at: number * packetLength), packet.isStart,
      packet.identifier == identifier, packet.payload.count >= 14
    else { return nil }
    let start = packet.payload.lowerBound
    guard source.holds([0, 0, 1], at: start), let flags = source.byte(at: start + 7),
      flags & 0x80 != 0
    else { return nil }
    return source.presentationTime(at: start + 9)
  }
}
