import MediaCodecs
import MediaModel

/// Makes the ThumbHash of an upright picture.
///
/// The picture is averaged to at most 32 × 32 cells first; a hash has no detail that these lack.
///
/// Source: `rgbaToThumbHash` of ThumbHash's reference implementation.
struct ThumbHashEncoder {
  /// The longest side in cells.
  private static let longestSide = 32

  let profiles: ProfileConverter

  /// Returns the hash of a picture in sRGB.
  ///
  /// - Parameters:
  ///   - picture: The upright picture, each side at least 1 pixel.
  ///   - profile: The profile of its planes; one of another color space is ignored.
  /// - Returns: The hash, 17 to 25 bytes.
  func hash(of picture: PlanarPicture, profile: ColorProfile?) -> ThumbHash? {
    let (width, height) = (picture.planes[0].width, picture.planes[0].height)
    let longest = max(width, height)
    let side = min(longest, Self.longestSide)
    func cells(_ pixels: Int) -> Int { max(1, (side * pixels + longest / 2) / longest) }
    let size = PixelSize(width: cells(width), height: cells(height))
    return ThumbHash(colors(of: picture, size, profile))
  }

  private func colors(
    of picture: PlanarPicture,
    _ size: PixelSize,
    _ profile: ColorProfile?
  ) -> ThumbHashCells {
    var cells = ThumbHashCells(
      size: size,
      planes: picture.planes.map { Self.means(of: $0, size) },
      alpha: picture.alpha.map { Self.means(of: $0, size) }
    )
    convert(&cells, profile, isGray: picture.planes.count == 1)
    cells.limitColors()
    return cells
  }

  /// Converts the cells to sRGB.
  private func convert(_ cells: inout ThumbHashCells, _ profile: ColorProfile?, isGray: Bool) {
    guard let profile, profile.space == (isGray ? .gray : .rgb),
      !profiles.isStandard(profile, isGray: isGray),
      let transform = profiles.transform(from: profile, layout: isGray ? .gray : .rgb)
    else { return }
    let count = cells.red.count
    let alpha = cells.alpha ?? [Double](repeating: 1, count: count)
    func sample(_ value: Double, _ index: Int) -> UInt8 {
      alpha[index] > 0 ? UInt8(min(max((value / alpha[index]).rounded(), 0), 255)) : 0
    }
    let samples = (0..<count).flatMap { index in
      isGray
        ? [sample(cells.red[index], index)]
        : [
          sample(cells.red[index], index), sample(cells.green[index], index),
          sample(cells.blue[index], index),
        ]
    }
    var converted = samples
    transform.apply(samples, to: &converted, pixelCount: count)
    for index in 0..<count {
      let first = isGray ? index : 3 * index
      cells.red[index] = Double(converted[first]) * alpha[index]
      cells.green[index] = Double(converted[first + (isGray ? 0 : 1)]) * alpha[index]
      cells.blue[index] = Double(converted[first + (isGray ? 0 : 2)]) * alpha[index]
    }
  }

  /// The means of the rectangles of a plane, row by row.
  private static func means(of plane: PixelPlane, _ size: PixelSize) -> [Double] {
    let columns = (0...size.width).map { $0 * plane.width / size.width }
    var means: [Double] = []
    means.reserveCapacity(size.width * size.height)
    for row in 0..<size.height {
      let top = row * plane.height / size.height
      let bottom = max((row + 1) * plane.height / size.height, top + 1)
      for column in 0..<size.width {
        let left = columns[column]
        let right = max(columns[column + 1], left + 1)
        var sum = 0
        for y in top..<bottom {
          let samples = plane.row(y)
          for x in left..<right { sum &+= Int(samples[x]) }
        }
        means.append(Double(sum) / Double((bottom - top) * (right - left)))
      }
    }
    return means
  }
}
