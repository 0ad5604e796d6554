/// Reads the LZW codes of pictures, one picture after the other.
///
/// The indices that a code represents occurred before: a code is stored as an offset and a length
/// in the picture. A color is used when its own code occurs, since every longer string derives from
/// such codes.
///
/// Source: GIF89a appendix F.
package final class GIFCodes {
  private static let maximumCodeCount = 4096

  /// Whether each color of the table is used by the picture.
  package private(set) var usedColors = [Bool](repeating: false, count: 256)
  /// The number of pixels that the codes represent, at most those of the picture.
  package private(set) var pixelCount = 0
  /// The offset of the sub-block in which the last code ends.
  package private(set) var lastBlock = 0
  /// The number of bytes of that sub-block that belong to the picture; decoders ignore the rest.
  package private(set) var lastBlockLength = 0

  private let used = UnsafeMutablePointer<Bool>.allocate(capacity: maximumCodeCount)
  private let offsets = UnsafeMutablePointer<Int32>.allocate(capacity: maximumCodeCount)
  private let lengths = UnsafeMutablePointer<Int32>.allocate(capacity: maximumCodeCount)

  /// Creates a reader that has read no picture.
  package init() { used.initialize(repeating: false, count: Self.maximumCodeCount) }

  deinit {
    used.deallocate()
    offsets.deallocate()
    lengths.deallocate()
  }

  /// Reads the codes of a picture until they or the picture end.
  ///
  /// - Parameters:
  ///   - image: The picture; one with a code size that no decoder knows has no codes.
  ///   - source: The file.
  ///   - output: Room for one index per pixel; nil counts the pixels only.
  /// - Returns: False for an undefined code.
  package func read(
    _ image: GIFImage,
    of source: ByteSource,
    into output: UnsafeMutablePointer<UInt8>?
  ) -> Bool {
    used.update(repeating: false, count: Self.maximumCodeCount)
    pixelCount = 0
    lastBlock = image.data.lowerBound
    lastBlockLength = 0
    guard (1...11).contains(image.codeSize) else { return true }
    var state = State(codeSize: image.codeSize)
    var block = lastBlock
    while let length = source.uint8(at: block), length > 0 {
      let end = block + 1 + length
      var taken = 0
      source.forEachRun(in: (block + 1)..<end) { run in
        guard state.phase == .running else { return }
        taken += take(run, &state, image.pixelCount, output)
      }
      (lastBlock, lastBlockLength) = (block, taken)
      guard state.phase == .running else { break }
      block = end
    }
    usedColors = Array(UnsafeBufferPointer(start: used, count: usedColors.count))
    return state.phase != .malformed
  }
}

extension GIFCodes {
  /// The bits that were read ahead of the next code, the lowest first.
  private struct Bits {
    private var value: UInt64 = 0
    private(set) var count = 0

    /// Reads bytes from an index on, as many as there is room for and are there.
    @inline(__always)
    mutating func refill(from bytes: UnsafeRawBufferPointer, _ index: inout Int) {
      if bytes.count - index >= 8 {
        // Bits above the count are those of the next bytes; adding them again changes nothing.
        let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        value |= UInt64(littleEndian: word) &<< UInt64(count)
        index &+= (63 &- count) / 8
        count |= 56
      }
      while count <= 48, index < bytes.count {
        value |= UInt64(bytes[index]) &<< UInt64(count)
        count &+= 8
        index &+= 1
      }
    }

    @inline(__always)
    mutating func take(_ width: Int) -> Int {
      let code = Int(truncatingIfNeeded: value) & (1 &<< width &- 1)
      value = value &>> UInt64(width)
      count &-= width
      return code
    }
  }

  private struct State {
    enum Phase {
      case running
      case ended
      case malformed
    }

    var phase = Phase.running
    let codeSize: Int
    var next: Int
    var width: Int
    var bits = Bits()
    /// The offset and length of the last code's indices; the length is 0 after a clear code.
    var last = (offset: 0, length: 0)

    init(codeSize: Int) {
      self.codeSize = codeSize
      next = 1 << codeSize + 2
      width = codeSize + 1
    }
  }

  /// Reads codes from a part of a sub-block, and returns the number of bytes up to the end of the
  /// last code.
  private func take(
    _ bytes: UnsafeRawBufferPointer,
    _ state: inout State,
    _ total: Int,
    _ output: UnsafeMutablePointer<UInt8>?
  ) -> Int {
    let (used, offsets, lengths) = (self.used, self.offsets, self.lengths)
    let clear = 1 << state.codeSize
    var (next, width, bits, last) = (state.next, state.width, state.bits, state.last)
    var (count, index, phase) = (pixelCount, 0, State.Phase.running)
    while true {
      if bits.count < width {
        bits.refill(from: bytes, &index)
        guard bits.count >= width else { break }
      }
      let code = bits.take(width)
      if code == clear {
        (next, width, last.length) = (clear + 2, state.codeSize + 1, 0)
        continue
      }
      // Decoders ignore everything after the last pixel except the end code.
      if code == clear + 1 || count == total {
        phase = .ended
        break
      }
      let offset = count
      if code < clear {
        used[code] = true
        output?[count] = UInt8(truncatingIfNeeded: code)
        count &+= 1
      } else {
        // A code that is about to be defined represents the last code's indices and the first of
        // them.
        let isNew = code == next && last.length > 0 && next < Self.maximumCodeCount
        guard isNew || code < next else {
          phase = .malformed
          break
        }
        let length = min(isNew ? last.length &+ 1 : Int(lengths[code]), total &- count)
        if let output {
          let from = isNew ? last.offset : Int(offsets[code])
          for index in 0..<length { output[count &+ index] = output[from &+ index] }
        }
        count &+= length
      }
      if last.length > 0, next < Self.maximumCodeCount {
        offsets[next] = Int32(truncatingIfNeeded: last.offset)
        lengths[next] = Int32(truncatingIfNeeded: last.length &+ 1)
        next &+= 1
        if next == 1 &<< width, width < 12 { width &+= 1 }
      }
      last = (offset, count &- offset)
    }
    (state.next, state.width, state.bits, state.last) = (next, width, bits, last)
    state.phase = phase
    pixelCount = count
    // Whole bytes that are left over were read ahead; what a part before left is used up first.
    return phase == .running ? bytes.count : index - bits.count / 8
  }
}
