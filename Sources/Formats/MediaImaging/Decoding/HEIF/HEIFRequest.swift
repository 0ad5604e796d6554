import MediaContainers
import MediaModel

/// A request to a HEIF file: the scale, the possible pictures and their transformation.
struct HEIFRequest {
  /// A picture that satisfies the request, with its size as coded.
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

  /// The transformation; nil if libheif crops and turns the picture.
  let transformation: HEIFTransformation?
  let isStrict: Bool
  /// The size of the primary picture: cropped and not yet turned, or also turned if libheif does
  /// so.
  let size: PixelSize
  /// The scale at which the primary picture is needed, oversampling included; 0 if no thumbnails
  /// are requested.
  let scale: Double
  /// The scale without oversampling.
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
    var turned = demand
    turned.orientation = transformation?.orientation ?? .upright
    scale = turned.scale(for: size)
    let upright =
      turned.shown().isTransposed ? PixelSize(width: size.height, height: size.width) : size
    plainScale =
      demand.specifications.map { ThumbnailGeometry(picture: upright, specification: $0).scale }
      .max() ?? 0
  }

  /// Returns the smallest thumbnail in the file that is at least as large as the largest requested
  /// one.
  ///
  /// No thumbnail is used for a cropped picture, nor one that shows another part or is turned.
  func thumbnail(in items: HEIFItems) -> Part? {
    guard let transformation, let coded = items.size(of: items.primary), size == coded else {
      return nil
    }
    let wanted = PixelSize(
      width: max(1, Int((plainScale * Double(size.width)).rounded())),
      height: max(1, Int((plainScale * Double(size.height)).rounded()))
    )
    var best: (item: Int, size: PixelSize)?
    for item in items.sources(to: items.primary, "thmb") {
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

  /// Returns the side of the squares that may be averaged.
  func factor(for part: Part) -> Int {
    let whole = transformation == nil ? size : part.size
    let ownScale: Double =
      switch part {
      case .primary: 1
      case .thumbnail: Double(whole.width) / Double(size.width)
      }
    return PixelReducer.factor(for: scale / ownScale)
  }

  /// Returns the samples of a part that are shown, according to its size.
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

  /// Returns the samples of a decoded picture that are shown.
  ///
  /// - Throws: `damaged` if the picture is smaller than the file states.
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
