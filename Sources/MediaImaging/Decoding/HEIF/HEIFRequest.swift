import MediaModel

/// What is asked of a HEIF file: at which scale, of which of its pictures, turned how.
struct HEIFRequest {
  /// A picture that answers it, with its size as coded.
  enum Part {
    case primary(PixelSize)
    case thumbnail(item: Int, PixelSize)

    var size: PixelSize {
      switch self {
      case .primary(let size), .thumbnail(_, let size): size
      }
    }
  }

  /// A rectangle of samples.
  struct Crop {
    var left = 0
    var top = 0
    var width: Int
    var height: Int

    func isWhole(_ size: PixelSize) -> Bool {
      left == 0 && top == 0 && width == size.width && height == size.height
    }
  }

  /// Nil: libheif crops and turns.
  let transformation: HEIFTransformation?
  let isStrict: Bool
  /// Of the primary picture: cropped, not yet turned (or both, by libheif).
  let size: PixelSize
  /// How much of the primary picture's side is wanted, oversampling included; 0 for nothing.
  let scale: Double
  /// Without oversampling.
  private let plainScale: Double

  init(
    transformation: HEIFTransformation?,
    size: PixelSize,
    demand: ThumbnailDemand,
    isStrict: Bool
  ) {
    self.transformation = transformation
    self.isStrict = isStrict
    self.size = size
    let orientation = transformation?.orientation ?? .upright
    let turned = ThumbnailDemand(specifications: demand.specifications, orientation: orientation)
    scale = turned.scale(for: size)
    let upright =
      orientation.isTransposed ? PixelSize(width: size.height, height: size.width) : size
    plainScale =
      demand.specifications.map { ThumbnailGeometry(picture: upright, specification: $0).scale }
      .max() ?? 0
  }

  /// The smallest thumbnail in the file that is at least as large as the largest one asked for.
  ///
  /// Of a picture that is cropped none is taken, and none that shows another part, or turned.
  func thumbnail(in items: HEIFItems) -> Part? {
    guard let transformation, let coded = items.size(of: items.primary), size == coded else {
      return nil
    }
    let wanted = PixelSize(
      width: max(1, Int((plainScale * Double(size.width)).rounded())),
      height: max(1, Int((plainScale * Double(size.height)).rounded()))
    )
    var best: (item: Int, size: PixelSize)?
    for item in items.sources(to: items.primary, HEIFItems.thmb) {
      guard let own = items.size(of: item), own.width >= wanted.width,
        own.height >= wanted.height, own.width < best?.size.width ?? size.width,
        abs(own.width * size.height - own.height * size.width) <= max(size.width, size.height),
        let turned = HEIFTransformation(items, item: item, size: own), turned.size == own,
        turned.orientation == transformation.orientation
      else { continue }
      best = (item, own)
    }
    return best.map { .thumbnail(item: $0.item, $0.size) }
  }

  /// The side of the squares that may be averaged.
  func factor(for part: Part) -> Int {
    let whole = transformation == nil ? size : part.size
    let ownScale: Double =
      switch part {
      case .primary: 1
      case .thumbnail: Double(whole.width) / Double(size.width)
      }
    return PixelReducer.factor(for: scale / ownScale)
  }

  /// The samples of a part that are shown, as its size says.
  func crop(of part: Part) -> Crop {
    if case .primary = part, let transformation {
      return Crop(
        left: transformation.left,
        top: transformation.top,
        width: transformation.size.width,
        height: transformation.size.height
      )
    }
    return Crop(width: part.size.width, height: part.size.height)
  }

  /// The samples of a decoded picture that are shown.
  ///
  /// - Throws: `damaged` when the picture is smaller than the file said.
  func crop(of part: Part, in plane: SamplePlane) throws(ImagingError) -> Crop {
    guard transformation != nil else { return Crop(width: plane.width, height: plane.height) }
    let crop = crop(of: part)
    guard crop.left + crop.width <= plane.width, crop.top + crop.height <= plane.height else {
      throw ImagingError(.damaged, "\(plane.width)x\(plane.height) pixels, fewer than said")
    }
    return crop
  }

  func picture(_ planar: PlanarPicture, profile: ColorProfile?) -> DecodedPicture {
    DecodedPicture(
      planar: planar,
      size: size,
      profile: profile,
      orientation: transformation?.orientation ?? .upright
    )
  }
}
