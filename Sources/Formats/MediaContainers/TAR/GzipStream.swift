import CZlib
package import MediaModel

/// Inflates a file of gzip, with all its members, piece by piece; the memory it takes does not depend on the file.
///
/// It can begin at an ``InflatePoint`` that an earlier one has found; the checksum of the member in which that lies is
/// not compared then. What follows a member and begins none is ignored, as gzip(1) does.
///
/// Source: RFC 1952; inflate, inflatePrime, inflateGetDictionary, inflateSetDictionary (zlib 1.2), and zran.c of its
/// examples.
package final class GzipStream {
  /// How far a stream was read.
  package enum State {
    case running
    case ended
    /// The data are invalid or end early, or a checksum is another.
    case malformed
  }

  /// The longest name or comment in the header of a member.
  private static let longestText = 64 << 10

  package private(set) var state = State.running
  /// The number of bytes that were inflated, with those before the point of the beginning.
  package private(set) var output: Int64
  /// The last point that was found and not taken; points are further apart than what is read at once.
  private var point: InflatePoint?

  private let source: ByteSource
  private let findsPoints: Bool
  private var input: Int
  private let stream: UnsafeMutablePointer<z_stream>
  /// The checksum of the member so far; nil for one that is not read from its beginning.
  private var sum: CRC32?
  private var memberLength: UInt32 = 0
  /// Where the last point was.
  private var last: (input: Int64, output: Int64)

  /// Starts at the first byte, or at a point; nil when memory runs out.
  package init?(_ source: ByteSource, from point: InflatePoint? = nil, findsPoints: Bool = false) {
    self.source = source
    self.findsPoints = findsPoints
    input = Int(clamping: point?.input ?? 0)
    output = point?.output ?? 0
    last = (point?.input ?? 0, output)
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      return nil
    }
    if let point, point.bits != InflatePoint.memberStart {
      if !resume(at: point) { state = .malformed }
    } else if !beginMember() {
      state = .malformed
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  private func resume(at point: InflatePoint) -> Bool {
    if point.bits > 0 {
      guard point.bits < 8, let byte = source.byte(at: input - 1),
        inflatePrime(stream, Int32(point.bits), Int32(byte >> (8 - point.bits))) == Z_OK
      else { return false }
    }
    return point.window.withUnsafeBufferPointer {
      inflateSetDictionary(stream, $0.baseAddress, UInt32(clamping: $0.count)) == Z_OK
    }
  }

  /// Reads the header of a member.
  private func beginMember() -> Bool {
    guard source.uint16(at: input) == 0x1F8B, source.byte(at: input + 2) == 8,
      let flags = source.byte(at: input + 3), flags & 0xE0 == 0, source.has(10, at: input)
    else { return false }
    var offset = input + 10
    if flags & 4 != 0 {
      guard let length = source.uint16(at: offset, order: .little) else { return false }
      offset += 2 + length
    }
    for flag: UInt8 in [8, 16] where flags & flag != 0 {
      let end = min(source.length, offset + Self.longestText)
      while offset < end, source.byte(at: offset) != 0 { offset += 1 }
      guard offset < end else { return false }
      offset += 1
    }
    if flags & 2 != 0 { offset += 2 }
    guard offset < source.length else { return false }
    input = offset
    (sum, memberLength) = (CRC32(), 0)
    return true
  }

  /// Reads what stands behind a member's data, and the header of the next member.
  private func endMember() {
    if let sum {
      guard source.number(at: input, count: 4, order: .little) == Int(sum.value),
        source.number(at: input + 4, count: 4, order: .little) == Int(memberLength)
      else {
        state = .malformed
        return
      }
    }
    guard source.has(8, at: input) else {
      state = .malformed
      return
    }
    input += 8
    guard source.uint16(at: input) == 0x1F8B else {
      state = .ended
      return
    }
    note(bits: InflatePoint.memberStart)
    guard inflateReset(stream) == Z_OK, beginMember() else {
      state = .malformed
      return
    }
  }

  /// Tells of a point where the last one lies far enough back.
  private func note(bits: UInt8) {
    guard findsPoints, Int64(input) - last.input >= InflatePoint.inputStep,
      output - last.output >= InflatePoint.outputStep
    else { return }
    var window: [UInt8] = []
    if bits != InflatePoint.memberStart {
      window = [UInt8](repeating: 0, count: InflatePoint.windowLength)
      var length = UInt32(window.count)
      guard inflateGetDictionary(stream, &window, &length) == Z_OK else { return }
      window.removeLast(window.count - min(window.count, Int(length)))
    }
    last = (Int64(input), output)
    point = InflatePoint(input: Int64(input), bits: bits, output: output, window: window)
  }

  /// Takes the point that the last reading has found, if it has.
  package func takePoint() -> InflatePoint? {
    defer { point = nil }
    return point
  }

  /// Fills `buffer` and returns the number of bytes; fewer than it has room for at the end.
  package func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var count = 0
    while state == .running, count < buffer.count {
      count += inflateOnce(into: UnsafeMutableBufferPointer(rebasing: buffer[count...]))
    }
    return count
  }

  /// Inflates as much as is in one piece of the source, or up to the end of a block where a point is due.
  private func inflateOnce(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    stream.pointee.next_out = buffer.baseAddress
    stream.pointee.avail_out = UInt32(clamping: buffer.count)
    let room = Int(stream.pointee.avail_out)
    let isPointDue = findsPoints && output - last.output >= InflatePoint.outputStep
    let status = stream.inflate(source, at: &input, flush: isPointDue ? Z_BLOCK : Z_NO_FLUSH)
    let count = room - Int(stream.pointee.avail_out)
    output += Int64(count)
    memberLength &+= UInt32(truncatingIfNeeded: count)
    sum?.update(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
    if status == Z_STREAM_END {
      endMember()
    } else if status != Z_OK {
      state = .malformed
    } else if isPointDue, stream.pointee.data_type & 0xC0 == 128 {
      // Behind a block that is not the last one.
      note(bits: UInt8(stream.pointee.data_type & 7))
    }
    return count
  }
}
