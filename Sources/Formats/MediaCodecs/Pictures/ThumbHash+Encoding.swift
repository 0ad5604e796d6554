internal import Glibc
package import MediaModel

/// The cells of a small picture: colors from 0 to 1, premultiplied by their opacity, row by row.
package struct ThumbHashCells: Sendable {
  /// In cells.
  package let size: PixelSize
  package var red: [Double]
  package var green: [Double]
  package var blue: [Double]
  /// Nil for an opaque picture.
  package let alpha: [Double]?

  /// Creates the cells of planes whose samples are from 0 to 255, premultiplied; the colors keep that range
  /// until `limitColors`.
  ///
  /// - Parameters:
  ///   - size: The columns and rows.
  ///   - planes: The gray values, or Y, Cb and Cr as JFIF 1.02 defines them.
  ///   - alpha: The opacity from 0 to 255; nil for an opaque picture.
  package init(size: PixelSize, planes: [[Double]], alpha: [Double]?) {
    self.size = size
    (red, green, blue) = (planes[0], planes[0], planes[0])
    if planes.count == 3 {
      for index in planes[0].indices {
        let (luma, cb, cr) = (planes[0][index], planes[1][index] - 128, planes[2][index] - 128)
        red[index] = luma + 1.402 * cr
        green[index] = luma - 0.344136 * cb - 0.714136 * cr
        blue[index] = luma + 1.772 * cb
      }
    }
    let opacity = alpha.map { $0.map { $0 / 255 } }
    self.alpha = opacity.flatMap { $0.contains { $0 < 1 } ? $0 : nil }
  }

  /// Changes the colors to 0 to 1, none above its opacity.
  package mutating func limitColors() {
    let limits = alpha ?? [Double](repeating: 1, count: red.count)
    for index in limits.indices {
      red[index] = min(max(red[index] / 255, 0), limits[index])
      green[index] = min(max(green[index] / 255, 0), limits[index])
      blue[index] = min(max(blue[index] / 255, 0), limits[index])
    }
  }
}

extension ThumbHash {
  /// The waves of one channel.
  private struct Channel {
    var mean: Double
    /// The largest amplitude.
    var scale: Double
    /// Amplitudes from 0 to 1, 0.5 for none.
    var waves: [Double]
  }

  /// Creates the hash of a picture's cells, 17 to 25 bytes.
  package init?(_ cells: ThumbHashCells) {
    let size = cells.size
    let count = Double(cells.red.count)
    let hasAlpha = cells.alpha != nil
    let opacity = cells.alpha.map { $0.reduce(0, +) } ?? count
    func average(_ values: [Double]) -> Double {
      opacity > 0 ? values.reduce(0, +) / opacity : 0
    }
    let (red, green, blue) = (average(cells.red), average(cells.green), average(cells.blue))
    var (light, yellowBlue, redGreen): ([Double], [Double], [Double]) = ([], [], [])
    for index in cells.red.indices {
      // Transparent areas show the average color.
      let behind = 1 - (cells.alpha?[index] ?? 1)
      let r = cells.red[index] + red * behind
      let g = cells.green[index] + green * behind
      let b = cells.blue[index] + blue * behind
      light.append((r + g + b) / 3)
      yellowBlue.append((r + g) / 2 - b)
      redGreen.append(r - g)
    }
    let longSide = hasAlpha ? 5.0 : 7.0
    let longest = Double(max(size.width, size.height))
    let columns = max(1, Int((longSide * Double(size.width) / longest).rounded()))
    let rows = max(1, Int((longSide * Double(size.height) / longest).rounded()))
    let waves = (across: Self.cosines(size.width), down: Self.cosines(size.height))
    let l = Self.channel(light, size, waves, columns: max(3, columns), rows: max(3, rows))
    let p = Self.channel(yellowBlue, size, waves, columns: 3, rows: 3)
    let q = Self.channel(redGreen, size, waves, columns: 3, rows: 3)
    let a = cells.alpha.map { Self.channel($0, size, waves, columns: 5, rows: 5) }

    func level(_ value: Double, _ maximum: Int) -> Int {
      min(max(Int(value.rounded()), 0), maximum)
    }
    let isLandscape = size.width > size.height
    let color =
      level(63 * l.mean, 63) | level(31.5 + 31.5 * p.mean, 63) << 6
      | level(31.5 + 31.5 * q.mean, 63) << 12 | level(31 * l.scale, 31) << 18
      | (hasAlpha ? 1 << 23 : 0)
    let shape =
      (isLandscape ? rows : columns) | level(63 * p.scale, 63) << 3 | level(63 * q.scale, 63) << 9
      | (isLandscape ? 1 << 15 : 0)
    var bytes = [color, color >> 8, color >> 16, shape, shape >> 8]
    if let a { bytes.append(level(15 * a.mean, 15) | level(15 * a.scale, 15) << 4) }
    let levels = (l.waves + p.waves + q.waves + (a?.waves ?? [])).map { level(15 * $0, 15) }
    for pair in stride(from: 0, to: levels.count, by: 2) {
      bytes.append(levels[pair] | (pair + 1 < levels.count ? levels[pair + 1] << 4 : 0))
    }
    self.init(bytes: bytes.map { UInt8(truncatingIfNeeded: $0) })
  }

  /// The cosine transform of a channel's low frequencies.
  private static func channel(
    _ values: [Double],
    _ size: PixelSize,
    _ waves: (across: [[Double]], down: [[Double]]),
    columns: Int,
    rows: Int
  ) -> Channel {
    var sums = [[Double]](repeating: [Double](repeating: 0, count: size.height), count: columns)
    for column in 0..<columns {
      let across = waves.across[column]
      for y in 0..<size.height {
        var sum = 0.0
        for x in 0..<size.width { sum += values[y * size.width + x] * across[x] }
        sums[column][y] = sum
      }
    }
    var channel = Channel(mean: 0, scale: 0, waves: [])
    for row in 0..<rows {
      for column in 0..<ThumbHash.columnCount(inRow: row, columns: columns, rows: rows) {
        var sum = 0.0
        for y in 0..<size.height { sum += sums[column][y] * waves.down[row][y] }
        let wave = sum / Double(size.width * size.height)
        if row == 0, column == 0 {
          channel.mean = wave
        } else {
          channel.waves.append(wave)
          channel.scale = max(channel.scale, abs(wave))
        }
      }
    }
    let scale = channel.scale
    channel.waves = channel.waves.map { scale > 0 ? 0.5 + 0.5 / scale * $0 : 0.5 }
    return channel
  }

  /// The cosines of all waves that a channel can have, along so many cells.
  private static func cosines(_ count: Int) -> [[Double]] {
    (0..<7).map { wave in
      (0..<count).map { cos(.pi / Double(count) * Double(wave) * (Double($0) + 0.5)) }
    }
  }
}
