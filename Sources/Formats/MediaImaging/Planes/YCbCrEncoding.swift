/// The matrix and the range by which luma and chroma encode red, green and blue.
///
/// Source: ITU-T H.273 sections 8.3 (MatrixCoefficients, VideoFullRangeFlag).
struct YCbCrEncoding: Hashable {
  var redWeight: Double
  var blueWeight: Double
  /// Whether all levels are used; in limited range luma has 219 of 255, chroma 224.
  var isFullRange: Bool

  /// The encoding of a thumbnail's planes: JFIF's.
  static let jfif = YCbCrEncoding(redWeight: 0.299, blueWeight: 0.114, isFullRange: true)

  init(redWeight: Double, blueWeight: Double, isFullRange: Bool) {
    self.redWeight = redWeight
    self.blueWeight = blueWeight
    self.isFullRange = isFullRange
  }

  /// Creates the encoding of a MatrixCoefficients code point.
  ///
  /// - Returns: Nil for encodings other than luma with two color differences, and for those
  ///   computed from linear light.
  init?(matrix: Int, isFullRange: Bool) {
    let weights: (red: Double, blue: Double)? =
      switch matrix {
      case 1: (0.2126, 0.0722)
      // Unspecified values are treated as in JPEG.
      case 2, 5, 6: (0.299, 0.114)
      case 4: (0.30, 0.11)
      case 7: (0.212, 0.087)
      case 9: (0.2627, 0.0593)
      default: nil
      }
    guard let weights else { return nil }
    self.init(redWeight: weights.red, blueWeight: weights.blue, isFullRange: isFullRange)
  }

  /// Converts planes to JFIF's encoding, in place.
  ///
  /// Chroma is computed from chroma alone, luma from itself and the chroma at its position: the
  /// difference of two luma-and-chroma encodings is linear, and gray stays gray.
  func convertToJFIF(_ picture: PlanarPicture) {
    if self == .jfif { return }
    let luma = picture.planes[0]
    let (lumaScale, chromaScale) = isFullRange ? (1.0, 1.0) : (255.0 / 219, 255.0 / 224)
    let black = isFullRange ? 0.0 : 16.0
    guard picture.planes.count == 3 else {
      let table = (0..<256).map { Self.byte((Double($0) - black) * lumaScale) }
      for y in 0..<luma.height {
        let row = luma.row(y)
        for x in 0..<luma.width { row[x] = table[Int(row[x])] }
      }
      return
    }
    // R - Y = 2 (1 - Kr) Cr, B - Y = 2 (1 - Kb) Cb, G - Y = -(Kr (R - Y) + Kb (B - Y)) / Kg.
    let redStep = 2 * (1 - redWeight) * chromaScale
    let blueStep = 2 * (1 - blueWeight) * chromaScale
    let greenWeight = 1 - redWeight - blueWeight
    let (red, blue) = (Self.jfif.redWeight, Self.jfif.blueWeight)
    let green = 1 - red - blue
    // The difference of target luma and source luma per unit of chroma.
    let lumaOfBlue = (blue - green * blueWeight / greenWeight) * blueStep
    let lumaOfRed = (red - green * redWeight / greenWeight) * redStep
    let conversion = Conversion(
      black: black,
      lumaScale: lumaScale,
      lumaOfBlue: lumaOfBlue,
      lumaOfRed: lumaOfRed,
      blueOfBlue: (blueStep - lumaOfBlue) / (2 * (1 - blue)),
      blueOfRed: -lumaOfRed / (2 * (1 - blue)),
      redOfBlue: -lumaOfBlue / (2 * (1 - red)),
      redOfRed: (redStep - lumaOfRed) / (2 * (1 - red))
    )
    conversion.convertLuma(picture)
    conversion.convertChroma(picture.planes[1], picture.planes[2])
  }

  private static func byte(_ value: Double) -> UInt8 {
    UInt8(min(max(value.rounded(), 0), 255))
  }

  /// Coefficients in units of a sample, with 16 bits of fraction.
  private struct Conversion {
    var black: Double
    var lumaScale: Double
    var lumaOfBlue: Double
    var lumaOfRed: Double
    var blueOfBlue: Double
    var blueOfRed: Double
    var redOfBlue: Double
    var redOfRed: Double

    private static func fixed(_ value: Double) -> Int32 { Int32((value * 65_536).rounded()) }

    private static func sample(_ value: Int32) -> UInt8 {
      UInt8(truncatingIfNeeded: min(max((value &+ 32_768) &>> 16, 0), 255))
    }

    func convertLuma(_ picture: PlanarPicture) {
      let (luma, cb, cr) = (picture.planes[0], picture.planes[1], picture.planes[2])
      let scale = Self.fixed(lumaScale)
      let offset = Self.fixed(-black * lumaScale)
      let (ofBlue, ofRed) = (Self.fixed(lumaOfBlue), Self.fixed(lumaOfRed))
      let isPlain = ofBlue == 0 && ofRed == 0
      let columns = (0..<luma.width).map { x in
        min(max(Int((Double(x) - picture.chromaLeft) / picture.chromaWidth), 0), cb.width - 1)
      }
      for y in 0..<luma.height {
        let row = luma.row(y)
        if isPlain {
          for x in 0..<luma.width { row[x] = Self.sample(Int32(row[x]) &* scale &+ offset) }
          continue
        }
        let chromaY = Int((Double(y) - picture.chromaTop) / picture.chromaHeight)
        let blues = cb.row(min(max(chromaY, 0), cb.height - 1))
        let reds = cr.row(min(max(chromaY, 0), cr.height - 1))
        for x in 0..<luma.width {
          let column = columns[x]
          let (blue, red) = (Int32(blues[column]) &- 128, Int32(reds[column]) &- 128)
          row[x] = Self.sample(Int32(row[x]) &* scale &+ offset &+ blue &* ofBlue &+ red &* ofRed)
        }
      }
    }

    func convertChroma(_ cb: PixelPlane, _ cr: PixelPlane) {
      let (bb, br) = (Self.fixed(blueOfBlue), Self.fixed(blueOfRed))
      let (rb, rr) = (Self.fixed(redOfBlue), Self.fixed(redOfRed))
      let middle: Int32 = 128 << 16
      for y in 0..<cb.height {
        let (blues, reds) = (cb.row(y), cr.row(y))
        for x in 0..<cb.width {
          let (blue, red) = (Int32(blues[x]) &- 128, Int32(reds[x]) &- 128)
          blues[x] = Self.sample(blue &* bb &+ red &* br &+ middle)
          reds[x] = Self.sample(blue &* rb &+ red &* rr &+ middle)
        }
      }
    }
  }
}
