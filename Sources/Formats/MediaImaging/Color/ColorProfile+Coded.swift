import Glibc
import MediaContainers

extension ColorProfile {
  /// Creates a profile from the code points that a picture or a video gives for its colors.
  ///
  /// The result is nil for sRGB and for what is displayed as sRGB (the BT.709 and BT.601 curves
  /// with sRGB primaries, or unspecified values), and for unknown code points. PQ and HLG keep
  /// their curve, scaled so that its diffuse white (203 nits) is white, and clipped above.
  ///
  /// - Parameters:
  ///   - primaries: The ColorPrimaries code point.
  ///   - transfer: The TransferCharacteristics code point.
  ///   - isGray: Whether to create a gray profile, which has no primaries.
  ///
  /// Source: ITU-T H.273 tables 2 and 3; BT.2100; BT.2408 (203 nits); ICC.1:2022 sections 9.2, 10.
  init?(primaries: Int, transfer: Int, isGray: Bool = false) {
    guard let points = Self.chromaticities[primaries == 2 ? 1 : primaries] else { return nil }
    let isStandardCurve = [1, 2, 6, 13, 14, 15].contains(transfer)
    if isStandardCurve, isGray || primaries == 1 || primaries == 2 { return nil }
    let curve: MatrixProfile.Curve
    switch transfer {
    case 1, 2, 6, 13, 14, 15:
      // A display shows BT.709's camera curve with the display's own curve.
      curve = .standard
    case 4: curve = .gamma(2.2)
    case 5: curve = .gamma(2.8)
    case 8: curve = .gamma(1)
    case 16: curve = .table(Self.table(Self.perceptualQuantizer))
    case 17: curve = .gamma(2.6)
    case 18: curve = .table(Self.table(Self.hybridLogGamma))
    default: return nil
    }
    self.init(isGray ? MatrixProfile.gray(curve) : MatrixProfile.rgb(points: points, curve: curve))
  }

  /// Creates a profile from PNG's `cHRM` and `gAMA`; nil if it would be sRGB or the values define
  /// no color space.
  ///
  /// - Parameters:
  ///   - points: The x and y coordinates of white, red, green and blue; nil means sRGB's.
  ///   - gamma: The value of `gAMA`, 0.45455 for most files; nil means sRGB's curve.
  ///   - isGray: Whether to create a gray profile, which has no primaries.
  init?(points: [Double]?, gamma: Double?, isGray: Bool = false) {
    if let gamma, !(0.1...5).contains(gamma) { return nil }
    let curve: MatrixProfile.Curve
    if let gamma, abs(gamma - 0.45455) > 0.005 {
      curve = .gamma(1 / gamma)
    } else {
      curve = .standard
    }
    var chromaticities = Self.chromaticities[1] ?? []
    if let points, points.count == 8 {
      let isStandard = zip(points, chromaticities).allSatisfy { abs($0 - $1) < 0.002 }
      if !isStandard { chromaticities = points }
    }
    if curve == .standard, isGray || chromaticities == Self.chromaticities[1] { return nil }
    self.init(
      isGray
        ? MatrixProfile.gray(curve) : MatrixProfile.rgb(points: chromaticities, curve: curve)
    )
  }

  /// The x and y coordinates of white, red, green and blue, by code point.
  private static let chromaticities: [Int: [Double]] = [
    1: [0.3127, 0.3290, 0.640, 0.330, 0.300, 0.600, 0.150, 0.060],
    4: [0.310, 0.316, 0.67, 0.33, 0.21, 0.71, 0.14, 0.08],
    5: [0.3127, 0.3290, 0.64, 0.33, 0.29, 0.60, 0.15, 0.06],
    6: [0.3127, 0.3290, 0.630, 0.340, 0.310, 0.595, 0.155, 0.070],
    7: [0.3127, 0.3290, 0.630, 0.340, 0.310, 0.595, 0.155, 0.070],
    8: [0.310, 0.316, 0.681, 0.319, 0.243, 0.692, 0.145, 0.049],
    9: [0.3127, 0.3290, 0.708, 0.292, 0.170, 0.797, 0.131, 0.046],
    11: [0.314, 0.351, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060],
    12: [0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060],
    22: [0.3127, 0.3290, 0.630, 0.340, 0.295, 0.605, 0.155, 0.077],
  ]

  private static func table(_ curve: (Double) -> Double) -> [UInt16] {
    (0..<1024).map { UInt16((min(max(curve(Double($0) / 1023), 0), 1) * 65_535).rounded()) }
  }

  private static func perceptualQuantizer(_ signal: Double) -> Double {
    let power = pow(signal, 1 / 78.84375)
    let light = pow(max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power), 1 / 0.1593017578125)
    return light * 10_000 / 203
  }

  private static func hybridLogGamma(_ signal: Double) -> Double {
    let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
    func scene(_ signal: Double) -> Double {
      signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12
    }
    // Diffuse white is 75 % of the signal; 1.2 is the system gamma at 1,000 nits.
    return pow(scene(signal) / scene(0.75), 1.2)
  }
}
