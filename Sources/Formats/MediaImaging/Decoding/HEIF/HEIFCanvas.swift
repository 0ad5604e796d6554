import CHEIF
import MediaModel

/// Small planes into which the parts of a picture are averaged, each at its position.
struct HEIFCanvas {
  private let first: cstill_picture
  private let grid: HEIFGrid
  private let crop: HEIFRequest.Crop
  private let factor: Int
  private let isSingle: Bool
  private let planes: [PixelPlane]
  private let sums: UnsafeMutablePointer<UInt32>

  /// Allocates the planes.
  ///
  /// - Parameters:
  ///   - first: The first part; the others must have its format.
  ///   - grid: The arrangement of the parts.
  ///   - crop: The rectangle that is shown; the whole picture if there are several parts.
  ///   - factor: The largest side of the averaged squares; it is reduced if squares would cross
  ///     parts.
  ///   - buffer: The memory of the planes.
  ///   - sumBuffer: The memory of a row's sums.
  /// - Throws: `overLimit` if memory runs out; `damaged` for a part smaller than the file states.
  init(
    like first: cstill_picture,
    grid: HEIFGrid,
    crop: HEIFRequest.Crop,
    factor: Int,
    _ buffer: PlaneBuffer,
    _ sumBuffer: PlaneBuffer
  ) throws(ImagingError) {
    self.first = first
    self.grid = grid
    self.crop = crop
    let steps = (width: Int(first.chroma_width), height: Int(first.chroma_height))
    isSingle = grid.parts.count == 1
    // Squares must not extend from one part to the next.
    let (width, height) = (grid.partSize.width, grid.partSize.height)
    func fits(_ factor: Int) -> Bool {
      width % (factor * steps.width) == 0 && height % (factor * steps.height) == 0
    }
    guard isSingle || fits(1) else {
      throw ImagingError(.unsupported, "a grid of parts with an odd side")
    }
    let factor = isSingle ? factor : (1...factor).last { fits($0) } ?? 1
    self.factor = factor
    let sizes = (0..<Int(first.plane_count)).map { index in
      let step = index == 0 ? (width: 1, height: 1) : steps
      let (columns, rows) = (
        Self.extent(crop.left, crop.width, step.width),
        Self.extent(crop.top, crop.height, step.height)
      )
      return (
        width: (columns.count + factor - 1) / factor,
        height: (rows.count + factor - 1) / factor
      )
    }
    planes = try buffer.planes(sizes)
    let count = grid.partSize.width
    sums = UnsafeMutableRawPointer(try sumBuffer.reserve(4 * count))
      .bindMemory(to: UInt32.self, capacity: count)
  }

  /// Averages a part into the planes.
  ///
  /// - Throws: `damaged` for a part of another format than the first, or smaller than the file
  ///   states.
  func add(_ picture: cstill_picture, column: Int, row: Int) throws(ImagingError) {
    guard picture.plane_count == first.plane_count, picture.bits == first.bits,
      picture.chroma_width == first.chroma_width, picture.chroma_height == first.chroma_height,
      Int(picture.width) >= grid.partSize.width, Int(picture.height) >= grid.partSize.height
    else {
      throw ImagingError(.damaged, "a part of \(picture.width)x\(picture.height), not as said")
    }
    let (x, y) = (column * grid.partSize.width, row * grid.partSize.height)
    // The part is outside the picture.
    guard x < grid.size.width, y < grid.size.height else { return }
    let (left, top) = isSingle ? (crop.left, crop.top) : (0, 0)
    let width = isSingle ? crop.width : min(grid.partSize.width, grid.size.width - x)
    let height = isSingle ? crop.height : min(grid.partSize.height, grid.size.height - y)
    let sources = [picture.planes.0, picture.planes.1, picture.planes.2]
    let strides = [picture.strides.0, picture.strides.1, picture.strides.2]
    for (index, plane) in planes.enumerated() {
      guard let base = sources[index] else { throw ImagingError(.internal, "a plane is missing") }
      let stepX = index == 0 ? 1 : Int(picture.chroma_width)
      let stepY = index == 0 ? 1 : Int(picture.chroma_height)
      let (columns, rows) = (Self.extent(left, width, stepX), Self.extent(top, height, stepY))
      let source = SamplePlane(
        base: base,
        stride: strides[index],
        width: (Int(picture.width) + stepX - 1) / stepX,
        height: (Int(picture.height) + stepY - 1) / stepY,
        bitCount: Int(picture.bits)
      ).cropped(left: columns.start, top: rows.start, width: columns.count, height: rows.count)
      let (targetX, targetY) = (x / stepX / factor, y / stepY / factor)
      let target = PixelPlane(
        base: plane.row(targetY) + targetX,
        stride: plane.stride,
        width: (columns.count + factor - 1) / factor,
        height: (rows.count + factor - 1) / factor,
        owner: plane.owner
      )
      source.reduce(to: target, factor: factor, sums: sums)
    }
  }

  var planar: PlanarPicture {
    let steps = (width: Int(first.chroma_width), height: Int(first.chroma_height))
    return PlanarPicture(
      planes: planes,
      width: Double(crop.width) / Double(factor),
      height: Double(crop.height) / Double(factor),
      chromaWidth: Double(steps.width),
      chromaHeight: Double(steps.height),
      chromaLeft: -Double(crop.left % steps.width) / Double(factor),
      chromaTop: -Double(crop.top % steps.height) / Double(factor)
    )
  }

  /// Returns the color description of the codec, with the profile of the file.
  func colors(_ file: HEIFColors?) -> HEIFColors {
    var colors = HEIFColors(
      primaries: Int(first.primaries),
      transfer: Int(first.transfer),
      matrix: Int(first.matrix),
      isFullRange: first.is_full_range
    )
    colors.profile = file?.profile
    return colors
  }

  /// Returns the samples of a plane that a range of luma samples covers.
  private static func extent(_ start: Int, _ count: Int, _ step: Int) -> (start: Int, count: Int) {
    let first = start / step
    return (first, (start + count + step - 1) / step - first)
  }
}
