/// Decompresses GIF's LZW codes.
///
/// The indices that a code represents were written to the output before: a code is stored as an
/// offset and a length in the output.
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

  /// Decompresses the indices of a picture.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - start: The offset of the picture's sub-blocks.
  ///   - minimumCodeSize: The number of bits of an index, 1 to 11.
  ///   - output: Room for one index per pixel.
  /// - Returns: The number of indices written, at most the output's count.
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
    // The offset and length of the last code's indices; the length is 0 after a clear code.
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
          // A code that is about to be defined represents the last code's indices and the first of
          // them.
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
