import Foundation
import MediaTestSupport
import Testing

/// Pixels of a picture as ImageMagick reads them, and how far two pictures are from each other.
struct Pixels {
  var width: Int
  var height: Int
  /// Red, green, blue, row by row.
  var samples: [UInt8]

  /// The pixels after ImageMagick's operators, done in their order.
  init(_ path: String, _ options: [String] = []) throws {
    let folder = TemporaryFolder()
    let output = folder.path + "/pixels.ppm"
    try Independent.make("convert", [path + "[0]"] + options + ["-strip", "-depth", "8", "ppm:" + output])
    let bytes = try readBytes(output)
    // Comments may stand before the size. Source: ppm(5).
    var fields: [Int] = []
    var offset = 3
    while fields.count < 3, offset < bytes.count {
      let end = bytes[offset...].firstIndex { $0 == 10 || $0 == 32 } ?? bytes.count
      let field = String(decoding: bytes[offset..<end], as: UTF8.self)
      if field.hasPrefix("#") {
        offset = (bytes[offset...].firstIndex(of: 10) ?? bytes.count) + 1
      } else {
        fields.append(try #require(Int(field)))
        offset = end + 1
      }
    }
    try #require(fields.count == 3 && fields[2] == 255)
    (width, height) = (fields[0], fields[1])
    samples = Array(bytes[offset...])
    try #require(samples.count == width * height * 3, "\(path)")
  }

  /// A picture turned upright, on white, in sRGB, and reduced from all of its pixels.
  static func reduction(of path: String, width: Int, height: Int) throws -> Pixels {
    // ImageMagick does not find the profile of a grid in HEIF.
    let folder = TemporaryFolder()
    let file = folder.path + "/own.icc"
    _ = try Tool.run("exiftool", ["-q", "-b", "-icc_profile", "-W", file, path])
    let length = (try? readBytes(file).count) ?? 0
    return try Pixels(
      path,
      ["-auto-orient", "-background", "white", "-alpha", "remove"]
        + (length > 128 ? ["-profile", file] : []) + toSRGB
        + ["-filter", "Lanczos", "-resize", "\(width)x\(height)!"]
    )
  }

  static let profiles = "/usr/share/color/icc/ghostscript/"
  /// From an embedded profile, or from none, which is sRGB.
  static let toSRGB = ["-profile", profiles + "srgb.icc"]
  static let hasProfiles = FileManager.default.fileExists(atPath: profiles + "srgb.icc")

  /// Peak signal to noise in dB over all samples; 99 for equal pictures.
  func psnr(_ other: Pixels) throws -> Double {
    try #require(width == other.width && height == other.height)
    let sum = zip(samples, other.samples).reduce(0) { sum, pair in
      let difference = Int(pair.0) - Int(pair.1)
      return sum + difference * difference
    }
    return sum == 0 ? 99 : 10 * log10(255 * 255 * Double(samples.count) / Double(sum))
  }

  /// CIEDE2000 between the colors at one place, in per cent of width and height.
  func colorDistance(_ other: Pixels, x: Int, y: Int) -> Double {
    LabColor(self[x, y]).distance(to: LabColor(other[x, y]))
  }

  private subscript(x: Int, y: Int) -> [UInt8] {
    let offset = (height * y / 100 * width + width * x / 100) * 3
    return Array(samples[offset..<(offset + 3)])
  }
}

/// A color in CIE L*a*b*, white of D65.
struct LabColor {
  var lightness: Double
  var a: Double
  var b: Double

  /// From sRGB. Source: IEC 61966-2-1; CIE 15.
  init(_ red: [UInt8]) {
    let linear = red.map { sample -> Double in
      let value = Double(sample) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    let rows = [
      [0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
      [0.0193339, 0.1191920, 0.9503041],
    ]
    let white = [0.95047, 1.0, 1.08883]
    let scaled = zip(rows, white).map { row, white -> Double in
      let value = zip(row, linear).reduce(0) { $0 + $1.0 * $1.1 } / white
      return value > 216.0 / 24389 ? cbrt(value) : (24389.0 / 27 * value + 16) / 116
    }
    lightness = 116 * scaled[1] - 16
    a = 500 * (scaled[0] - scaled[1])
    b = 200 * (scaled[1] - scaled[2])
  }

  /// Source: CIE 142-2001; Sharma, Wu, Dalal: The CIEDE2000 color-difference formula (2005).
  func distance(to other: LabColor) -> Double {
    let chroma = (hypot(a, b) + hypot(other.a, other.b)) / 2
    let gain = 0.5 * (1 - sqrt(pow(chroma, 7) / (pow(chroma, 7) + pow(25, 7))))
    let chromas = [hypot((1 + gain) * a, b), hypot((1 + gain) * other.a, other.b)]
    let hues = [(a, b), (other.a, other.b)].map { a, b -> Double in
      let angle = atan2(b, (1 + gain) * a) * 180 / .pi
      return a == 0 && b == 0 ? 0 : angle < 0 ? angle + 360 : angle
    }
    var turn = hues[1] - hues[0]
    var meanHue = (hues[0] + hues[1]) / 2
    if chromas[0] * chromas[1] == 0 {
      turn = 0
      meanHue = hues[0] + hues[1]
    } else if abs(turn) > 180 {
      turn += turn > 0 ? -360 : 360
      meanHue += meanHue < 180 ? 180 : -180
    }
    func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
    let meanLightness = (lightness + other.lightness) / 2
    let meanChroma = (chromas[0] + chromas[1]) / 2
    let hue = 2 * sqrt(chromas[0] * chromas[1]) * sin(turn / 2 * .pi / 180)
    let weight =
      1 - 0.17 * cosine(meanHue - 30) + 0.24 * cosine(2 * meanHue)
      + 0.32 * cosine(3 * meanHue + 6) - 0.20 * cosine(4 * meanHue - 63)
    let away = pow(meanLightness - 50, 2)
    let lightnessTerm = (other.lightness - lightness) / (1 + 0.015 * away / sqrt(20 + away))
    let chromaTerm = (chromas[1] - chromas[0]) / (1 + 0.045 * meanChroma)
    let hueTerm = hue / (1 + 0.015 * meanChroma * weight)
    let rotation =
      -2 * sqrt(pow(meanChroma, 7) / (pow(meanChroma, 7) + pow(25, 7)))
      * sin(60 * exp(-pow((meanHue - 275) / 25, 2)) * .pi / 180)
    return sqrt(
      lightnessTerm * lightnessTerm + chromaTerm * chromaTerm + hueTerm * hueTerm
        + rotation * chromaTerm * hueTerm
    )
  }
}
