/// Makes small ICC profiles from primaries and a tone curve.
package enum MatrixProfile {
  /// A tone curve: the linear light that a sample represents.
  package enum Curve: Hashable {
    /// The curve of sRGB.
    case standard
    case gamma(Double)
    /// Values at equal steps from 0 to 1, in units of 1/65,535.
    case table([UInt16])
  }

  /// Returns the bytes of an RGB profile with one tone curve and the x and y coordinates of white,
  /// red, green and blue; empty if these define no color space.
  ///
  /// Source: ICC.1:2022 sections 7.2 to 10; annex E (Bradford's adaptation to D50).
  package static func rgb(points: [Double], curve: Curve) -> [UInt8] {
    guard points.count == 8, points.allSatisfy(\.isFinite),
      let colorants = colorants(points: points)
    else { return [] }
    func xyz(_ values: [Double]) -> [UInt8] { text("XYZ ") + big([0] + values.map(fixed)) }
    let tags: [([String], [UInt8])] = [
      (["rXYZ"], xyz(colorants[0])), (["gXYZ"], xyz(colorants[1])), (["bXYZ"], xyz(colorants[2])),
      (["rTRC", "gTRC", "bTRC"], tone(curve)),
    ]
    return assemble("RGB ", tags)
  }

  /// Returns the bytes of a gray profile.
  package static func gray(_ curve: Curve) -> [UInt8] {
    assemble("GRAY", [(["kTRC"], tone(curve))])
  }

  private static func tone(_ curve: Curve) -> [UInt8] {
    switch curve {
    case .standard: text("para") + big([0, 3 << 16, 157_286, 62_119, 3417, 5072, 2651])
    case .gamma(let gamma): text("para") + big([0, 0, fixed(gamma)])
    case .table(let values):
      text("curv") + big([0, Int32(values.count)])
        + values.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }
  }

  private static let pcsWhite = [0.9642, 1, 0.8249]

  /// Assembles a profile; tags of the same content share one offset, as ICC.1 section 7.3.1 allows.
  private static func assemble(_ space: String, _ tags: [([String], [UInt8])]) -> [UInt8] {
    let name = space.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    let words =
      text("mluc") + big([0, 1, 12]) + text("enUS") + big([Int32(name.count), 28]) + name
    let white = text("XYZ ") + big([0] + pcsWhite.map(fixed))
    let tags = [(["desc", "cprt"], words), (["wtpt"], white)] + tags
    let count = tags.reduce(0) { $0 + $1.0.count }
    var table = big([Int32(count)])
    var data: [UInt8] = []
    for (names, value) in tags {
      for name in names {
        table += text(name) + big([Int32(132 + 12 * count + data.count), Int32(value.count)])
      }
      data += value + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
    }
    var header = big([Int32(128 + table.count + data.count), 0, 0x0420_0000])
    header += text("mntr" + space + "XYZ ") + [UInt8](repeating: 0, count: 12) + text("acsp")
    header += [UInt8](repeating: 0, count: 28)
    header += big(pcsWhite.map(fixed))
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return header + table + data
  }

  /// Returns XYZ of each primary at full intensity, adapted to D50.
  private static func colorants(points: [Double]) -> [[Double]]? {
    func xyz(_ index: Int) -> [Double]? {
      let (x, y) = (points[2 * index], points[2 * index + 1])
      guard y > 0.001 else { return nil }
      return [x / y, 1, (1 - x - y) / y]
    }
    guard let white = xyz(0), let red = xyz(1), let green = xyz(2), let blue = xyz(3),
      let shares = Matrix(columns: [red, green, blue]).inverse?.times(white)
    else { return nil }
    let bradford = Matrix(rows: [
      [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
    ])
    let (from, to) = (bradford.times(white), bradford.times(pcsWhite))
    guard let back = bradford.inverse, from.allSatisfy({ abs($0) > 0.001 }) else { return nil }
    let colorants = zip([red, green, blue], shares).map { primary, share in
      back.times(zip(bradford.times(primary.map { $0 * share }), zip(to, from)).map { $0 * $1.0 / $1.1 })
    }
    return colorants.joined().allSatisfy({ abs($0) < 4 }) ? colorants : nil
  }

  private static func fixed(_ value: Double) -> Int32 {
    Int32(min(max((value * 65_536).rounded(), -2_000_000_000), 2_000_000_000))
  }

  private static func big(_ values: [Int32]) -> [UInt8] {
    values.flatMap { $0.bytes(4) }
  }

  private static func text(_ word: String) -> [UInt8] { Array(word.utf8) }
}

/// A matrix of three rows and three columns.
private struct Matrix {
  var rows: [[Double]]

  init(rows: [[Double]]) { self.rows = rows }

  init(columns: [[Double]]) {
    rows = (0..<3).map { row in columns.map { $0[row] } }
  }

  func times(_ vector: [Double]) -> [Double] {
    rows.map { row in zip(row, vector).reduce(0) { $0 + $1.0 * $1.1 } }
  }

  var inverse: Matrix? {
    func minor(_ row: Int, _ column: Int) -> Double {
      let (a, b) = ((row + 1) % 3, (row + 2) % 3)
      let (c, d) = ((column + 1) % 3, (column + 2) % 3)
      return rows[a][c] * rows[b][d] - rows[a][d] * rows[b][c]
    }
    let determinant = (0..<3).reduce(0) { $0 + rows[0][$1] * minor(0, $1) }
    guard abs(determinant) > 1e-6 else { return nil }
    return Matrix(rows: (0..<3).map { row in (0..<3).map { minor($0, row) / determinant } })
  }
}
