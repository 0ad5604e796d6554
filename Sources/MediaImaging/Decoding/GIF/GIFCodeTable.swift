/// Unpacks GIF's LZW codes.
///
/// What a code stands for has been written before: a code is a place in the output and a length.
///
/// Source: GIF89a specification, appendix F.
final class GIFCodeTable {
  private static let maximumCodeCount = 4096

  private let places = UnsafeMutablePointer<Int32>.allocate(capacity: maximumCodeCount)
  private let lengths = UnsafeMutablePointer<Int32>.allocate(capacity: maximumCodeCount)

  deinit {
    places.deallocate()
    lengths.deallocate()
  }

  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - start: Where the picture's sub-blocks begin.
  ///   - minimumCodeSize: Bits of an index; 1 to 11.
  ///   - output: As many indices as the picture has pixels.
  /// - Returns: How many indices there were, at most the output's count.
  func decode(
    _ bytes: UnsafeRawBufferPointer,
    from start: Int,
    minimumCodeSize: Int,
    into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    guard (1...11).contains(minimumCodeSize), let base = output.baseAddress else { return 0 }
    let (clear, end) = (1 << minimumCodeSize, 1 << minimumCodeSize + 1)
    let total = output.count
    var (next, width) = (end + 1, minimumCodeSize + 1)
    var (bits, bitCount) = (UInt64(0), 0)
    var count = 0
    // Where the last code's indices stand; none after a clear code.
    var (lastPlace, lastLength) = (0, 0)
    var offset = start
    while offset < bytes.count, bytes[offset] > 0 {
      let blockEnd = min(offset + 1 + Int(bytes[offset]), bytes.count)
      offset += 1
      while true {
        while bitCount <= 48, offset < blockEnd {
          bits |= UInt64(bytes[offset]) &<< UInt64(bitCount)
          bitCount &+= 8
          offset &+= 1
        }
        guard bitCount >= width else { break }
        let code = Int(truncatingIfNeeded: bits) & (1 &<< width &- 1)
        bits = bits &>> UInt64(width)
        bitCount &-= width
        if code == clear {
          (next, width, lastLength) = (end + 1, minimumCodeSize + 1, 0)
          continue
        }
        if code == end { return count }
        let place = count
        if code < clear {
          base[count] = UInt8(truncatingIfNeeded: code)
          count &+= 1
        } else {
          // The code that is being made now is the last one and its own first index.
          let isNew = code == next && lastLength > 0
          guard isNew || (code > end && code < next) else { return count }
          let from = isNew ? lastPlace : Int(places[code])
          let length = min(isNew ? lastLength &+ 1 : Int(lengths[code]), total &- count)
          for index in 0..<length { base[count &+ index] = base[from &+ index] }
          count &+= length
        }
        if lastLength > 0, next < Self.maximumCodeCount {
          places[next] = Int32(truncatingIfNeeded: lastPlace)
          lengths[next] = Int32(truncatingIfNeeded: lastLength &+ 1)
          next &+= 1
          if next == 1 &<< width, width < 12 { width &+= 1 }
        }
        (lastPlace, lastLength) = (place, count &- place)
        if count == total { return count }
      }
    }
    return count
  }
}
