import MediaContainers
import MediaModel

/// What decoding a picture of a HEIF file takes.
struct HEIFCost {
  /// Coded pixels of all its parts.
  var pixelCount = 0
  /// Parts that are coded on their own.
  var partCount = 0
  /// One item of each kind of coding that is used.
  var codings: Set<FourCharacterCode> = []

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
    for alpha in Set(sources(to: item, "auxl")) where alpha != item {
      // Other auxiliary pictures (depth, gain maps) are never decoded.
      guard isAlpha(alpha) else { continue }
      cost.add(try self.cost(of: alpha, limits, acceptDamaged, depth: 0))
      // As much as the picture itself may take, once more.
      guard cost.pixelCount / 4 <= limits.item.pixels,
        cost.partCount <= 2 * Self.maximumPartCount
      else {
        throw ImagingError(.overLimit, "\(cost.partCount) parts of \(cost.pixelCount) pixels")
      }
    }
    return cost
  }

  func hasAlpha(_ item: Int) -> Bool {
    sources(to: item, "auxl").contains { isAlpha($0) }
  }

  /// Source: ISO/IEC 23008-12 section 6.6.2.1 and annex E; ISO/IEC 23000-22 section 7.3.5.
  func isAlpha(_ item: Int) -> Bool {
    guard let body = property("auxC", of: item) else { return false }
    return HEIFAuxiliary(urn: HEIFAuxiliary.urn(in: body, of: source)) == .alpha
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
    guard let type = type(of: item) else {
      throw ImagingError(.damaged, "item \(item) is not there")
    }
    if depth > 0, type == "grid" || type == "iovl" {
      throw ImagingError(.overLimit, "a grid in a grid")
    }
    switch type {
    case "hvc1", "av01":
      guard let size = size(of: item) else { throw ImagingError(.damaged, "no ispe property") }
      try limits.check(width: size.width, height: size.height)
      guard acceptDamaged || (ranges(of: item)?.contains { $0.count > 0 } ?? false) else {
        throw ImagingError(.damaged, "the file ends before its picture does")
      }
      return HEIFCost(pixelCount: size.width * size.height, partCount: 1, codings: [type])
    case "iden":
      let targets = targets(of: item, "dimg")
      guard targets.count == 1 else { throw ImagingError(.damaged, "an iden item of none") }
      return try cost(of: targets[0], limits, acceptDamaged, depth: depth + 1)
    case "grid", "iovl":
      let size =
        type == "grid"
        ? try grid(of: item).size : size(of: item) ?? PixelSize(width: 0, height: 0)
      try limits.check(width: size.width, height: size.height)
      let parts = targets(of: item, "dimg")
      guard parts.count <= Self.maximumPartCount else {
        throw ImagingError(.overLimit, "\(parts.count) parts of a picture")
      }
      var sum = HEIFCost()
      for part in parts {
        sum.add(try cost(of: part, limits, acceptDamaged, depth: depth + 1))
        // Parts reach over the picture's edge; many times its pixels serve no one.
        guard sum.pixelCount / 2 <= limits.item.pixels else {
          throw ImagingError(.overLimit, "\(parts.count) parts of \(sum.pixelCount) pixels")
        }
      }
      return sum
    default:
      throw ImagingError(.unsupported, "item type \(type.displayName)")
    }
  }

  /// - Throws: `damaged` unless a grid's parts are as many as it has places, and cover it.
  func grid(of item: Int) throws(ImagingError) -> HEIFGrid {
    var fields = ISOFields(source, ranges(of: item)?.first ?? 0..<0, "grid")
    let (rows, columns, outputWidth, outputHeight): (Int, Int, Int, Int)
    do throws(MetadataError) {
      let length = try fields.number(2) & 1 == 0 ? 2 : 4
      (rows, columns) = (try fields.number(1), try fields.number(1))
      (outputWidth, outputHeight) = (try fields.number(length), try fields.number(length))
    } catch { throw ImagingError(.damaged, error.detail) }
    let parts = targets(of: item, "dimg")
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
