import Glibc

/// Converts R'G'B' of a wide gamut or a high dynamic range to sRGB.
///
/// Diffuse white (203 cd/m²) is slightly below sRGB's white; brighter values are compressed below
/// it with their hue preserved; colors outside sRGB are clipped.
///
/// Source: SMPTE ST 2084 (PQ); ITU-R BT.2100 (HLG, its system gamma at 1,000 cd/m²); BT.2390
/// section 5.4 (EETF); BT.2408 (203 cd/m²); IEC 61966-2-1.
final class PosterColorConversion {
  enum Transfer: Hashable {
    /// The curves of sRGB, BT.709 and BT.2020, all shown as sRGB, as in players.
    case sRGB
    /// PQ, with the highest luminance of the video in cd/m².
    case pq(peakNits: Double)
    case hlg
  }

  enum Gamut: Hashable {
    case bt709, p3, bt2020

    /// The matrix from linear values of this gamut to linear BT.709, by rows.
    fileprivate var matrix: [Float] {
      switch self {
      case .bt709: [1, 0, 0, 0, 1, 0, 0, 0, 1]
      case .p3: [1.2249, -0.2247, 0, -0.0420, 1.0419, 0, -0.0197, -0.0786, 1.0979]
      case .bt2020:
        [1.6605, -0.5876, -0.0728, -0.1246, 1.1329, -0.0083, -0.0182, -0.1006, 1.1187]
      }
    }
  }

  struct Kind: Hashable {
    var transfer: Transfer
    var gamut: Gamut
  }

  /// The number of entries of a table over coded values.
  private static let codes = 4096
  /// The number of entries of the table over linear values.
  private static let levels = 16_384
  private static let whiteNits = 203.0
  private static let hlgPeakNits = 1000.0

  private let matrix: [Float]
  private let isHLG: Bool
  /// The linear light of a coded value, where 1 is diffuse white, or HLG's scene light.
  private let linear: [Float]
  /// The factor for a pixel, by the coded value of its brightest component, or for HLG by the
  /// fourth root of that component's display light.
  private let gain: [Float]
  /// HLG's Y^0.2, by the square root of Y.
  private let systemGamma: [Float]
  /// The coded value, by the square root of the linear value, which gives dark values more entries.
  private let coded: [UInt8]

  let kind: Kind

  /// Creates a conversion and fills its tables, which takes some milliseconds.
  init(_ kind: Kind) {
    self.kind = kind
    let transfer = kind.transfer
    matrix = kind.gamut.matrix
    let last = Double(Self.codes - 1)
    let values = (0..<Self.codes).map { Double($0) / last }
    var peak = 0.0
    switch transfer {
    case .sRGB:
      linear = values.map { Float($0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4)) }
    case .pq(let peakNits):
      linear = values.map { Float(Self.nits(ofPQ: $0) / Self.whiteNits) }
      peak = max(peakNits, Self.whiteNits)
    case .hlg:
      linear = values.map { Float(Self.sceneLight(ofHLG: $0)) }
      peak = Self.hlgPeakNits
    }
    isHLG = transfer == .hlg
    systemGamma = isHLG ? values.map { Float(pow($0 * $0, 0.2)) } : []
    gain = values.map { value in
      switch transfer {
      case .sRGB: 1
      case .pq: Self.gain(atNits: Self.nits(ofPQ: value), peak: peak)
      case .hlg: Self.gain(atNits: pow(value, 4) * Self.hlgPeakNits, peak: peak)
      }
    }
    coded = (0..<Self.levels).map { level in
      let root = Double(level) / Double(Self.levels - 1)
      let value = root * root
      let curve = value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055
      return UInt8((curve * 255).rounded())
    }
  }

  /// Converts pixels.
  ///
  /// - Parameters:
  ///   - source: Pixels of R'G'B'A with 16 bits per sample.
  ///   - target: Room for pixels of R'G'B'A with 8 bits per sample.
  ///   - count: The number of pixels.
  func convert(_ source: UnsafePointer<UInt16>, to target: UnsafeMutablePointer<UInt8>, count: Int) {
    matrix.withUnsafeBufferPointer { matrix in
      linear.withUnsafeBufferPointer { linear in
        gain.withUnsafeBufferPointer { gain in
          coded.withUnsafeBufferPointer { coded in
            let top = Float(Self.levels - 1)
            for index in 0..<count {
              let pixel = source + 4 * index
              let output = target + 4 * index
              var red = linear[Int(pixel[0] >> 4)]
              var green = linear[Int(pixel[1] >> 4)]
              var blue = linear[Int(pixel[2] >> 4)]
              var factor: Float
              if isHLG {
                // The display light, where 1 is the display's peak.
                let light = 0.2627 * red + 0.6780 * green + 0.0593 * blue
                let gamma = systemGamma[Int(min(light.squareRoot(), 1) * Float(Self.codes - 1))]
                let brightest = min(max(red, green, blue) * gamma, 1)
                let root = brightest.squareRoot().squareRoot()
                factor = gain[Int(root * Float(Self.codes - 1))] * gamma
                factor *= Float(Self.hlgPeakNits / Self.whiteNits)
              } else {
                factor = gain[Int(max(pixel[0], pixel[1], pixel[2]) >> 4)]
              }
              red *= factor
              green *= factor
              blue *= factor
              for channel in 0..<3 {
                let value =
                  matrix[3 * channel] * red + matrix[3 * channel + 1] * green
                  + matrix[3 * channel + 2] * blue
                output[channel] = coded[Int(min(max(value, 0), 1).squareRoot() * top)]
              }
              output[3] = UInt8(pixel[3] >> 8)
            }
          }
        }
      }
    }
  }

  // The constants of PQ.
  private static let m1 = 2610.0 / 16_384
  private static let m2 = 2523.0 / 32
  private static let c1 = 3424.0 / 4096
  private static let c2 = 2413.0 / 128
  private static let c3 = 2392.0 / 128

  private static func nits(ofPQ value: Double) -> Double {
    let power = pow(value, 1 / m2)
    return 10_000 * pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
  }

  private static func pq(ofNits nits: Double) -> Double {
    let power = pow(max(nits, 0) / 10_000, m1)
    return pow((c1 + c2 * power) / (1 + c3 * power), m2)
  }

  private static func sceneLight(ofHLG value: Double) -> Double {
    let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
    return value <= 0.5 ? value * value / 3 : (exp((value - c) / a) + b) / 12
  }

  /// Returns the factor for light of `nits` that keeps all light at or below diffuse white.
  private static func gain(atNits nits: Double, peak: Double) -> Float {
    guard nits > 0 else { return 1 }
    let peakCode = pq(ofNits: peak)
    let whitest = pq(ofNits: whiteNits) / peakCode
    let knee = 1.5 * whitest - 0.5
    let code = min(pq(ofNits: nits) / peakCode, 1)
    guard code > knee, knee < 1 else { return 1 }
    let t = (code - knee) / (1 - knee)
    let bent =
      (2 * t * t * t - 3 * t * t + 1) * knee + (t * t * t - 2 * t * t + t) * (1 - knee)
      + (-2 * t * t * t + 3 * t * t) * whitest
    return Float(self.nits(ofPQ: bent * peakCode) / nits)
  }
}
