/// The result of walking a picture's LZW codes; no pixel is decoded.
package struct GIFCodes {
  /// Whether each color of the table is used by the picture.
  package private(set) var usedColors = [Bool](repeating: false, count: 256)
  /// The offset of the sub-block in which the last code ends.
  package private(set) var lastBlock: Int
  /// The number of bytes of that sub-block that belong to the picture; decoders ignore the rest.
  package private(set) var lastBlockLength: Int

  /// Counts pixels as a decoder would, without building strings: only the length of each code
  /// matters, and a color is used when its own code occurs, since every longer string derives from
  /// such codes.
  ///
  /// - Throws: `damaged` for an undefined code, or fewer pixels than the picture has.
  ///
  /// Source: GIF89a appendix F.
  package init(of image: GIFImage, in source: ByteSource) throws(MetadataError) {
    var walk = Walk(codeSize: image.codeSize, pixelCount: image.pixelCount)
    var block = image.data.lowerBound
    lastBlock = block
    lastBlockLength = 0
    while let length = source.uint8(at: block), length > 0 {
      var position = block + 1
      let end = position + length
      while position < end, walk.state == .running {
        let wanted = end - position
        let count = source.withRun(from: position) { walk.take($0.prefix(wanted)) }
        guard count > 0 else { break }
        position += count
      }
      lastBlock = block
      lastBlockLength = position - block - 1
      guard walk.state == .running else { break }
      block = end
    }
    guard walk.state != .malformed else { throw MetadataError(.damaged, "LZW codes that are none") }
    guard walk.missingPixels <= 0 else {
      throw MetadataError(.damaged, "an image with too few pixels")
    }
    usedColors = walk.usedColors
  }
}

extension GIFCodes {
  private struct Walk {
    enum State {
      case running
      case ended
      case malformed
    }

    private(set) var state = State.running
    private(set) var missingPixels: Int
    private(set) var usedColors = [Bool](repeating: false, count: 256)

    private let codeSize: Int
    private let clear: Int
    private var lengths: [Int32]
    private var next: Int
    private var width: Int
    private var previousLength: Int32 = 0
    private var buffer: UInt32 = 0
    private var bitCount = 0

    init(codeSize: Int, pixelCount: Int) {
      self.codeSize = codeSize
      missingPixels = pixelCount
      clear = 1 << codeSize
      next = clear + 2
      width = codeSize + 1
      lengths = [Int32](repeating: 1, count: 4097)
    }

    /// Reads codes from `bytes` until they or the picture end, and returns the number of bytes
    /// read.
    mutating func take(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
      var taken = 0
      for byte in bytes {
        taken += 1
        buffer |= UInt32(byte) << UInt32(bitCount)
        bitCount += 8
        while bitCount >= width {
          let code = Int(buffer & (1 << UInt32(width) - 1))
          buffer >>= UInt32(width)
          bitCount -= width
          use(code)
          if state != .running { return taken }
        }
      }
      return taken
    }

    private mutating func use(_ code: Int) {
      if code == clear {
        next = clear + 2
        width = codeSize + 1
        previousLength = 0
        return
      }
      if code == clear + 1 || missingPixels <= 0 {
        // Decoders ignore everything after the last pixel except the end code.
        state = .ended
        return
      }
      let length: Int32
      if code < clear {
        usedColors[code] = true
        length = 1
      } else if code < next {
        length = lengths[code]
      } else if code == next, previousLength > 0, next < 4096 {
        length = previousLength + 1
      } else {
        state = .malformed
        return
      }
      missingPixels -= Int(length)
      if previousLength > 0, next < 4096 {
        lengths[next] = previousLength + 1
        next += 1
        if next == 1 << width, width < 12 { width += 1 }
      }
      previousLength = length
    }
  }
}
