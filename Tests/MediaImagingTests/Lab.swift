import Foundation
import MediaTestSupport

/// Colors as a person tells them apart, and how far two are from each other.
struct Lab {
  var lightness: Double
  var a: Double
  var b: Double

  init(_ lightness: Double, _ a: Double, _ b: Double) {
    self.lightness = lightness
    self.a = a
    self.b = b
  }

  /// Of XYZ under D50.
  init(xyz: [Double]) {
    func f(_ t: Double) -> Double { t > 216.0 / 24_389 ? cbrt(t) : (24_389.0 / 27 * t + 16) / 116 }
    let (x, y, z) = (f(xyz[0] / 0.9642), f(xyz[1]), f(xyz[2] / 0.8249))
    self.init(116 * y - 16, 500 * (x - y), 200 * (y - z))
  }

  /// CIEDE2000 (ISO/CIE 11664-6).
  func difference(_ other: Lab) -> Double {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    func hue(_ b: Double, _ a: Double) -> Double {
      let angle = atan2(b, a) * 180 / .pi
      return angle < 0 ? angle + 360 : angle
    }
    func seventh(_ c: Double) -> Double { sqrt(pow(c, 7) / (pow(c, 7) + pow(25, 7))) }
    let meanChroma = (hypot(a, b) + hypot(other.a, other.b)) / 2
    let g = 0.5 * (1 - seventh(meanChroma))
    let (a1, a2) = (a * (1 + g), other.a * (1 + g))
    let (c1, c2) = (hypot(a1, b), hypot(a2, other.b))
    let (h1, h2) = (c1 == 0 ? 0 : hue(b, a1), c2 == 0 ? 0 : hue(other.b, a2))
    var dh = c1 * c2 == 0 ? 0 : h2 - h1
    if dh > 180 { dh -= 360 } else if dh < -180 { dh += 360 }
    let dH = 2 * sqrt(c1 * c2) * sin(radians(dh / 2))
    let (meanL, meanC) = ((lightness + other.lightness) / 2, (c1 + c2) / 2)
    var meanH = h1 + h2
    if c1 * c2 != 0 {
      if abs(h1 - h2) > 180 { meanH += meanH < 360 ? 360 : -360 }
      meanH /= 2
    }
    let t =
      1 - 0.17 * cos(radians(meanH - 30)) + 0.24 * cos(radians(2 * meanH))
      + 0.32 * cos(radians(3 * meanH + 6)) - 0.20 * cos(radians(4 * meanH - 63))
    let square = pow(meanL - 50, 2)
    let (sl, sc, sh) = (
      1 + 0.015 * square / sqrt(20 + square), 1 + 0.045 * meanC, 1 + 0.015 * meanC * t
    )
    let rotation =
      -2 * seventh(meanC) * sin(radians(60 * exp(-pow((meanH - 275) / 25, 2))))
    let (l, c, h) = ((other.lightness - lightness) / sl, (c2 - c1) / sc, dH / sh)
    return sqrt(l * l + c * c + h * h + rotation * c * h)
  }
}

/// An RGB space, by the numbers that its standard gives.
struct RGBSpace {
  /// White, red, green and blue: x and y of each.
  var points: [Double]
  /// From a sample to light, and back.
  var decode: @Sendable (Double) -> Double
  var encode: @Sendable (Double) -> Double

  static let standardPoints = [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06]

  static func gamma(_ points: [Double], _ gamma: Double) -> RGBSpace {
    RGBSpace(points: points, decode: { pow(max($0, 0), gamma) }, encode: { pow(max($0, 0), 1 / gamma) })
  }

  static func standardCurve(_ points: [Double]) -> RGBSpace {
    RGBSpace(
      points: points,
      decode: { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) },
      encode: { $0 <= 0.0031308 ? max($0, 0) * 12.92 : 1.055 * pow($0, 1 / 2.4) - 0.055 }
    )
  }

  static let sRGB = standardCurve(standardPoints)
  static let displayP3 = standardCurve([0.3127, 0.3290, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06])
  static let adobeRGB = gamma([0.3127, 0.3290, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06], 563.0 / 256)
  static let proPhoto = gamma([0.3457, 0.3585, 0.7347, 0.2653, 0.1596, 0.8404, 0.0366, 0.0001], 1.8)

  private static func solve(_ m: [[Double]], _ v: [Double]) -> [Double] {
    func determinant(_ m: [[Double]]) -> Double {
      m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
        - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
        + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    }
    let whole = determinant(m)
    return (0..<3).map { column in
      var changed = m
      for row in 0..<3 { changed[row][column] = v[row] }
      return determinant(changed) / whole
    }
  }

  private static func times(_ m: [[Double]], _ v: [Double]) -> [Double] {
    m.map { row in zip(row, v).reduce(0) { $0 + $1.0 * $1.1 } }
  }

  private static let bradford = [
    [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
  ]

  /// Columns are what full red, green and blue are in XYZ under D50.
  var matrix: [[Double]] {
    func xyz(_ index: Int) -> [Double] {
      let (x, y) = (points[2 * index], points[2 * index + 1])
      return [x / y, 1, (1 - x - y) / y]
    }
    let white = xyz(0)
    let columns = [xyz(1), xyz(2), xyz(3)]
    let rows = (0..<3).map { row in columns.map { $0[row] } }
    let shares = Self.solve(rows, white)
    let from = Self.times(Self.bradford, white)
    let to = Self.times(Self.bradford, [0.9642, 1, 0.8249])
    let adapted = zip(columns, shares).map { column, share in
      Self.solve(
        Self.bradford,
        zip(Self.times(Self.bradford, column.map { $0 * share }), zip(to, from)).map {
          $0 * $1.0 / $1.1
        }
      )
    }
    return (0..<3).map { row in adapted.map { $0[row] } }
  }

  /// Samples are of 0 to 255.
  func xyz(_ samples: [Int]) -> [Double] {
    Self.times(matrix, samples.map { decode(Double($0) / 255) })
  }

  func lab(_ samples: [Int]) -> Lab { Lab(xyz: xyz(samples)) }

  /// The samples of the same color of another space, where it has one.
  func samples(of color: [Int], in other: RGBSpace) -> [Int] {
    Self.solve(matrix, other.xyz(color)).map { Int((encode($0) * 255).rounded()) }
  }

  /// A profile of the space, in version 2 with a curve of 1,024 points.
  var profile: [UInt8] {
    let columns = (0..<3).map { column in matrix.map { $0[column] } }
    let curve =
      big(1024)
      + (0..<1024).flatMap { step -> [UInt8] in
        let value = Int((decode(Double(step) / 1023) * 65_535).rounded())
        return big(value, 2)
      }
    return TestProfile.bytes(
      space: "RGB ",
      tags: ["rXYZ", "gXYZ", "bXYZ"].enumerated().map { index, name in
        (name, Array("XYZ \0\0\0\0".utf8) + columns[index].flatMap(TestProfile.fixed))
      } + ["rTRC", "gTRC", "bTRC"].map { ($0, Array("curv\0\0\0\0".utf8) + curve) }
    )
  }
}

/// Profiles made for tests, by another hand than the module's own.
enum TestProfile {
  static func fixed(_ value: Double) -> [UInt8] { big(Int((value * 65_536).rounded())) }

  static func bytes(
    space: String,
    kind: String = "mntr",
    connection: String = "XYZ ",
    tags: [(String, [UInt8])],
    paddedTo count: Int = 0
  ) -> [UInt8] {
    let white = fixed(0.9642) + fixed(1) + fixed(0.8249)
    let name =
      Array("desc".utf8) + big(0) + big(5) + Array("test\0".utf8)
      + [UInt8](repeating: 0, count: 79)
    let tags =
      [
        ("desc", name), ("cprt", Array("text\0\0\0\0test\0".utf8)),
        ("wtpt", Array("XYZ \0\0\0\0".utf8) + white),
      ] + tags
    var (table, data) = (big(tags.count), [UInt8]())
    for (tag, value) in tags {
      table += Array(tag.utf8) + big(132 + 12 * tags.count + data.count) + big(value.count)
      data += value + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
    }
    data += [UInt8](repeating: 0, count: max(0, count - 128 - table.count - data.count))
    let start = big(128 + table.count + data.count) + big(0) + [2, 0x10, 0, 0]
    return start + Array((kind + space + connection).utf8) + [UInt8](repeating: 0, count: 12)
      + Array("acsp".utf8) + [UInt8](repeating: 0, count: 28) + white
      + [UInt8](repeating: 0, count: 48) + table + data
  }

  static func gray(gamma: Double) -> [UInt8] {
    let value = Int((gamma * 256).rounded())
    return bytes(
      space: "GRAY",
      tags: [
        ("kTRC", Array("curv\0\0\0\0".utf8) + big(1) + big(value, 2))
      ]
    )
  }

  /// Ink whose sixteen corners are the colors given, in the order of K fastest, then Y, M, C.
  static func ink(_ corners: [Lab]) -> [UInt8] {
    func word(_ value: Double) -> [UInt8] {
      let whole = Int(min(max(value.rounded(), 0), 65_535))
      return big(whole, 2)
    }
    let ramp: [UInt8] = [0, 0, 0xFF, 0xFF]
    // lut16Type: 4 in, 3 out, 2 points a side; a matrix that says nothing; Lab as version 2 has it.
    var table = Array("mft2".utf8) + big(0) + [4, 3, 2, 0]
    for index in 0..<9 { table += fixed(index % 4 == 0 ? 1 : 0) }
    table += [0, 2, 0, 2]
    for _ in 0..<4 { table += ramp }
    for corner in corners {
      table += word(corner.lightness / 100 * 65_280)
      table += word((corner.a + 128) * 256) + word((corner.b + 128) * 256)
    }
    for _ in 0..<3 { table += ramp }
    return bytes(space: "CMYK", kind: "prtr", connection: "Lab ", tags: [("A2B0", table)])
  }
}
