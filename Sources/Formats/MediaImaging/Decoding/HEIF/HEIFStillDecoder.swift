import CHEIF
import MediaContainers
import MediaModel

/// Decodes coded pictures of a HEIF file, alone or in a grid, directly to small planes.
///
/// Chroma is not upsampled, color is converted only after the reduction, and only one part of a
/// grid is in memory at a time.
final class HEIFStillDecoder {
  private let buffer = PlaneBuffer()
  private let sums = PlaneBuffer()

  /// Decodes a picture.
  ///
  /// - Returns: The planes; nil for pictures that only libheif may be able to decode.
  /// - Throws: `damaged`, `overLimit`.
  func decode(
    _ part: HEIFRequest.Part,
    of items: HEIFItems,
    _ request: HEIFRequest,
    _ limits: ImagingLimits
  ) throws(ImagingError) -> DecodedPicture? {
    let item: Int =
      switch part {
      case .primary: items.primary
      case .thumbnail(let item, _): item
      }
    guard let type = items.type(of: item) else { return nil }
    let crop = request.crop(of: part)
    var grid: HEIFGrid
    if type == "grid" {
      grid = try items.grid(of: item)
      guard crop.isWhole(grid.size) else { return nil }
    } else {
      grid = HEIFGrid(size: part.size, columns: 1, partSize: part.size, parts: [item])
    }
    let colors = HEIFColors(items, item: item)
    guard let coding = coding(of: grid, in: items), colors?.encoding != nil || colors == nil else {
      return nil
    }
    let factor = request.factor(for: part)
    let configuration = items.property("hvcC", of: grid.parts[0])
    let options = HEIFStill.Options(
      coding: coding,
      configuration: configuration.map { UnsafeRawBufferPointer(rebasing: items.bytes[$0]) },
      maximumPixelCount: limits.item.pixels,
      isStrict: request.isStrict,
      isRough: factor >= HEIFStill.roughFactor
    )
    guard let still = try HEIFStill.open(options) else { return nil }
    var canvas: HEIFCanvas?
    for (index, part) in grid.parts.enumerated() {
      let picture = try items.withData(of: part) { (data) throws(ImagingError) in
        try still.decode(data)
      }
      guard let picture else { return nil }
      let (column, row) = (index % grid.columns, index / grid.columns)
      if canvas == nil {
        canvas = try HEIFCanvas(like: picture, grid: grid, crop: crop, factor: factor, buffer, sums)
      }
      try canvas?.add(picture, column: column, row: row)
    }
    guard let canvas else { return nil }
    let codedColors = colors?.coded == nil ? canvas.colors(colors) : colors
    guard let codedColors, let encoding = codedColors.encoding else { return nil }
    let planar = canvas.planar
    encoding.convertToJFIF(planar)
    return request.picture(planar, profile: try codedColors.profile(in: items, limits: limits))
  }

  func trim(above byteCount: Int) {
    for buffer in [buffer, sums] where buffer.capacity > byteCount { buffer.release() }
  }

  /// Returns the coding of all parts; nil if they are coded in different ways, or not at all.
  private func coding(of grid: HEIFGrid, in items: HEIFItems) -> cstill_coding? {
    let configurations = grid.parts.map { items.property("hvcC", of: $0)?.lowerBound }
    let types = Set(grid.parts.map { items.type(of: $0) })
    guard types.count == 1, Set(configurations).count == 1 else { return nil }
    switch types.first {
    case "hvc1": return configurations[0] == nil ? nil : cstill_hevc
    case "av01": return cstill_av1
    default: return nil
    }
  }
}
