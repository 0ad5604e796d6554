/// Operations on the pixels of one row or a few, as loops that a compiler vectorizes.
enum PixelRow {
  /// Converts samples of two bytes to one byte, rounded to nearest.
  static func narrow(
    _ samples: UnsafeRawPointer,
    isBigEndian: Bool,
    count: Int,
    to target: UnsafeMutablePointer<UInt8>
  ) {
    for index in 0..<count {
      let sample = samples.loadUnaligned(fromByteOffset: 2 &* index, as: UInt16.self)
      let value = UInt32(isBigEndian ? sample.byteSwapped : sample)
      target[index] = UInt8(truncatingIfNeeded: (value &* 255 &+ 32_895) &>> 16)
    }
  }

  static func isOpaque(_ pixels: UnsafePointer<UInt8>, layout: PixelLayout, count: Int) -> Bool {
    var all: UInt8 = 255
    if layout == .rgba {
      for index in 0..<count { all &= pixels[4 &* index &+ 3] }
    } else {
      for index in 0..<count { all &= pixels[2 &* index &+ 1] }
    }
    return all == 255
  }

  /// Multiplies color by alpha, rounded to nearest; source and target may be the same.
  static func multiply(
    _ pixels: UnsafePointer<UInt8>,
    layout: PixelLayout,
    count: Int,
    to target: UnsafeMutablePointer<UInt8>
  ) {
    @inline(__always)
    func product(_ value: UInt8, _ alpha: UInt32) -> UInt8 {
      let product = UInt32(value) &* alpha &+ 128
      return UInt8(truncatingIfNeeded: (product &+ product &>> 8) &>> 8)
    }
    if layout == .rgba {
      for index in 0..<count {
        let at = 4 &* index
        let alpha = UInt32(pixels[at &+ 3])
        target[at] = product(pixels[at], alpha)
        target[at &+ 1] = product(pixels[at &+ 1], alpha)
        target[at &+ 2] = product(pixels[at &+ 2], alpha)
        target[at &+ 3] = pixels[at &+ 3]
      }
    } else {
      for index in 0..<count {
        let alpha = UInt32(pixels[2 &* index &+ 1])
        target[2 &* index] = product(pixels[2 &* index], alpha)
        target[2 &* index &+ 1] = pixels[2 &* index &+ 1]
      }
    }
  }

  /// Adds a row to the sums; at most 257 rows may be added.
  static func add(
    _ samples: UnsafePointer<UInt8>,
    count: Int,
    to sums: UnsafeMutablePointer<UInt16>
  ) {
    for index in 0..<count { sums[index] &+= UInt16(samples[index]) }
  }

  /// Computes the averages of squares, rounded to nearest: `sums` covers `rowCount` rows, and a
  /// square has `factor` pixels of a row; the last square may have fewer.
  static func average(
    _ sums: UnsafePointer<UInt16>,
    pixelCount: Int,
    rowCount: Int,
    channelCount: Int,
    factor: Int,
    to target: UnsafeMutablePointer<UInt8>
  ) {
    let wholeCount = pixelCount / factor
    // Sums are below 2^16 and areas at most 2^8, so 24 bits of the reciprocal are exact enough.
    func inverse(_ area: Int) -> UInt64 { (1 << 32 + UInt64(area) - 1) / UInt64(area) }
    let whole = inverse(factor * rowCount)
    for channel in 0..<channelCount {
      var at = channel
      for square in 0..<wholeCount {
        var sum: UInt32 = 0
        for _ in 0..<factor {
          sum &+= UInt32(sums[at])
          at &+= channelCount
        }
        target[square &* channelCount &+ channel] = UInt8(
          truncatingIfNeeded: (UInt64(sum) &* whole &+ 1 << 31) &>> 32
        )
      }
      let restCount = pixelCount - wholeCount * factor
      if restCount > 0 {
        var sum: UInt32 = 0
        for _ in 0..<restCount {
          sum &+= UInt32(sums[at])
          at &+= channelCount
        }
        target[wholeCount * channelCount + channel] = UInt8(
          truncatingIfNeeded: (UInt64(sum) &* inverse(restCount * rowCount) &+ 1 << 31) &>> 32
        )
      }
    }
  }

  /// Copies one sample of each pixel of a strip to `rows` of a plane.
  static func copy(
    _ strip: UnsafePointer<UInt8>,
    channel: Int,
    of layout: PixelLayout,
    to plane: PixelPlane,
    rows: Range<Int>
  ) {
    let step = layout.channelCount
    for y in rows {
      let source = strip + (y - rows.lowerBound) * plane.width * step + channel
      let target = plane.row(y)
      for x in 0..<plane.width { target[x] = source[x &* step] }
    }
  }

  /// Converts CMYK without a profile: each primary is its remaining light times that of black.
  static func mixInk(
    _ ink: UnsafePointer<UInt8>,
    isInverted: Bool,
    count: Int,
    to colors: UnsafeMutablePointer<UInt8>
  ) {
    let flip: UInt8 = isInverted ? 0 : 255
    for index in 0..<count {
      let black = UInt32(ink[4 &* index &+ 3] ^ flip)
      for channel in 0..<3 {
        let product = UInt32(ink[4 &* index &+ channel] ^ flip) &* black &+ 128
        colors[3 &* index &+ channel] = UInt8(truncatingIfNeeded: (product &+ product &>> 8) &>> 8)
      }
    }
  }
}
