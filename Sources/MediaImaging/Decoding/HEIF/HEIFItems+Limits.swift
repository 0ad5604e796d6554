import MediaModel

/// What decoding a picture of a HEIF file takes.
struct HEIFCost {
  /// Coded pixels of all its parts.
  var pixelCount = 0
  /// Parts that are coded on their own.
  var partCount = 0
  /// One item of each kind of coding that is used.
  var codings: Set<UInt32> = []

  mutating func add(_ other: HEIFCost) {
    pixelCount += other.pixelCount
    partCount += other.partCount
    codings.formUnion(other.codings)
  }
}

extension HEIFItems {
  /// Pictures made of pictures made of pictures: no camera goes further.
  private static let maximumDepth = 2
  private static let maximumPartCount = 4096

  /// Counts what decoding an item takes, before any of it is taken.
  ///
  /// - Throws: `overLimit` for pixels, parts, grids in grids; `damaged` for parts that are not there
  ///   or do not cover what they have to; `unsupported` for a coding without a decoder.
  func cost(
    of item: Int,
    limits: ImagingLimits,
    acceptDamaged: Bool
  ) throws(ImagingError) -> HEIFCost {
    guard acceptDamaged || isWhole else { throw ImagingError(.damaged, "ends early") }
    var cost = try cost(of: item, limits, acceptDamaged, depth: 0)
    for alpha in Set(sources(to: item, Self.auxl)) where alpha != item {
      // Other auxiliary pictures (depth, gain maps) are never decoded.
      guard isAlpha(alpha) else { continue }
      cost.add(try self.cost(of: alpha, limits, acceptDamaged, depth: 0))
      // As much as the picture itself may take, once more.
      guard cost.pixelCount <= 4 * limits.item.pixels,
        cost.partCount <= 2 * Self.maximumPartCount
      else {
        throw ImagingError(.overLimit, "\(cost.partCount) parts of \(cost.pixelCount) pixels")
      }
    }
    return cost
  }

  func hasAlpha(_ item: Int) -> Bool {
    sources(to: item, Self.auxl).contains { isAlpha($0) }
  }

  /// Source: ISO/IEC 23008-12 section 6.6.2.1 and annex E; ISO/IEC 23000-22 section 7.3.5.
  func isAlpha(_ item: Int) -> Bool {
    guard let body = properties(of: item).first(where: { $0.type == HEIFBytes.code("auxC") })?.body
    else { return false }
    let name = bytes.bytes[body].dropFirst(4).prefix { $0 != 0 }
    return ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"]
      .contains { name.elementsEqual($0.utf8) }
  }

  private func cost(
    of item: Int,
    _ limits: ImagingLimits,
    _ acceptDamaged: Bool,
    depth: Int
  ) throws(ImagingError) -> HEIFCost {
    guard depth <= Self.maximumDepth else {
      throw ImagingError(.overLimit, "pictures nested more than \(Self.maximumDepth) deep")
    }
    guard let type = types[item] else { throw ImagingError(.damaged, "item \(item) is not there") }
    if depth > 0, type == Self.grid || type == Self.iovl {
      throw ImagingError(.overLimit, "a grid in a grid")
    }
    switch type {
    case Self.hvc1, Self.av01:
      guard let size = size(of: item) else { throw ImagingError(.damaged, "no ispe property") }
      try limits.check(width: size.width, height: size.height)
      guard acceptDamaged || (ranges(of: item)?.contains { $0.count > 0 } ?? false) else {
        throw ImagingError(.damaged, "the file ends before its picture does")
      }
      return HEIFCost(
        pixelCount: size.width * size.height,
        partCount: 1,
        codings: [type]
      )
    case Self.iden:
      let targets = targets(of: item, Self.dimg)
      guard targets.count == 1 else { throw ImagingError(.damaged, "an iden item of none") }
      return try cost(of: targets[0], limits, acceptDamaged, depth: depth + 1)
    case Self.grid, Self.iovl:
      let size =
        type == Self.grid
        ? try grid(of: item).size : size(of: item) ?? PixelSize(width: 0, height: 0)
      try limits.check(width: size.width, height: size.height)
      let parts = targets(of: item, Self.dimg)
      guard parts.count <= Self.maximumPartCount else {
        throw ImagingError(.overLimit, "\(parts.count) parts of a picture")
      }
      var sum = HEIFCost()
      for part in parts {
        sum.add(try cost(of: part, limits, acceptDamaged, depth: depth + 1))
        // Parts reach over the picture's edge; many times its pixels serve no one.
        guard sum.pixelCount <= 2 * limits.item.pixels else {
          throw ImagingError(.overLimit, "\(parts.count) parts of \(sum.pixelCount) pixels")
        }
      }
      return sum
    default:
      let name = (0..<4).map { UInt8(truncatingIfNeeded: type >> (24 - 8 * $0)) }
      throw ImagingError(.unsupported, "item type \(String(decoding: name, as: UTF8.self))")
    }
  }

  /// - Throws: `damaged` unless a grid's parts are as many as it has places, and cover it.
  func grid(of item: Int) throws(ImagingError) -> HEIFGrid {
    guard let body = ranges(of: item)?.first,
      let flags = bytes.number(at: body.lowerBound + 1, count: 1, in: body),
      let rows = bytes.number(at: body.lowerBound + 2, count: 1, in: body),
      let columns = bytes.number(at: body.lowerBound + 3, count: 1, in: body),
      case let width = flags & 1 == 0 ? 2 : 4,
      let outputWidth = bytes.number(at: body.lowerBound + 4, count: width, in: body),
      let outputHeight = bytes.number(at: body.lowerBound + 4 + width, count: width, in: body)
    else { throw ImagingError(.damaged, "no description of the grid") }
    let parts = targets(of: item, Self.dimg)
    guard parts.count == (rows + 1) * (columns + 1), let part = size(of: parts[0]),
      part.width > 0, part.height > 0, part.width * (columns + 1) >= outputWidth,
      part.height * (rows + 1) >= outputHeight
    else {
      throw ImagingError(.damaged, "\(parts.count) parts for \(columns + 1)x\(rows + 1) places")
    }
    return HEIFGrid(
      size: PixelSize(width: outputWidth, height: outputHeight),
      columns: columns + 1,
      partSize: part,
      parts: parts
    )
  }
}

/// Parts of one size, row by row, that make a picture together.
///
/// Source: ISO/IEC 23008-12 section 6.6.2.3.
struct HEIFGrid {
  /// The last parts of a row or column may reach beyond it.
  var size: PixelSize
  var columns: Int
  var partSize: PixelSize
  var parts: [Int]
}
