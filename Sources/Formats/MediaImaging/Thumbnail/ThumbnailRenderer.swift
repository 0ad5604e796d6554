import MediaCodecs
import MediaModel

/// Makes all thumbnails of one decoded picture.
struct ThumbnailRenderer {
  private let scaler = PlaneScaler()
  let finisher: ThumbnailFinisher
  private let hashEncoder: ThumbHashEncoder

  init(profiles: ProfileConverter, cleanedProfile: @escaping ([UInt8]) -> [UInt8]? = { $0 }) {
    finisher = ThumbnailFinisher(profiles: profiles, cleanedProfile: cleanedProfile)
    hashEncoder = ThumbHashEncoder(profiles: profiles)
  }

  /// A picture to reduce from: the decoded one, or a thumbnail of the whole picture.
  private struct Candidate {
    var picture: PlanarPicture
    /// The number of its pixels per pixel of the stored picture.
    var scale: Double
  }

  /// Makes all thumbnails of a picture.
  ///
  /// - Parameters:
  ///   - picture: The decoded picture, not yet upright.
  ///   - demand: The requested thumbnails, and the orientation of a picture that does not give its
  ///     own.
  /// - Returns: One thumbnail for each specification, in their order.
  /// - Throws: `internal` if a library call fails, `overLimit` if memory runs out.
  func thumbnails(
    of picture: DecodedPicture,
    demand: ThumbnailDemand
  ) throws(ImagingError) -> [Thumbnail] {
    let (finished, smallest) = try render(picture, demand) {
      (upright, specification, size) throws(ImagingError) in
      let file = try finisher.file(of: upright, specification: specification, profile: picture.profile)
      let thumb = hashEncoder.hash(of: upright, profile: picture.profile)
      return (name: specification.name, size: size, file: file, thumb: thumb)
    }
    let hash = try perceptualHash(of: smallest, demand.shown(picture.orientation))
    return finished.map { thumbnail in
      Thumbnail(
        name: thumbnail.name,
        pixelSize: thumbnail.size,
        bytes: thumbnail.file,
        hashes: thumbnail.thumb.map { PictureHashes(thumb: $0, perceptual: hash) }
      )
    }
  }

  /// Makes opaque sRGB pixels of all sizes of a picture.
  ///
  /// - Parameters:
  ///   - picture: The decoded picture, not yet upright.
  ///   - demand: The sizes, and the color behind transparent areas.
  /// - Returns: One picture for each specification, in their order.
  /// - Throws: As ``thumbnails(of:demand:)``.
  func opaquePictures(
    of picture: DecodedPicture,
    demand: ThumbnailDemand
  ) throws(ImagingError) -> [PixelPicture] {
    try render(picture, demand) { (upright, specification, _) throws(ImagingError) in
      try finisher.opaquePixels(of: upright, on: specification.background, profile: picture.profile)
    }.finished
  }

  /// The least samples of each side from which the perceptual hash is made.
  private static let leastHashSide = 64
  /// The rows from which it is made at most, evenly chosen: those of a large picture tell no more.
  private static let mostHashRows = 1024

  /// Makes the perceptual hash of a whole picture, which is not yet upright; transparent areas are white.
  private func perceptualHash(
    of picture: PlanarPicture,
    _ orientation: Orientation
  ) throws(ImagingError) -> PerceptualHash {
    let side = PerceptualHash.side
    func reduced(_ plane: PixelPlane) throws(ImagingError) -> PixelPlane {
      let step = max(1, plane.height / Self.mostHashRows)
      let rows = PixelPlane(
        base: plane.base,
        stride: plane.stride * step,
        width: plane.width,
        height: plane.height / step,
        owner: plane.owner
      )
      let planes = try PlaneBuffer().planes([(side, side), (side, side)])
      let region = PlaneRegion(
        left: picture.left,
        top: picture.top / Double(step),
        width: picture.width,
        height: min(picture.height / Double(step), Double(rows.height))
      )
      try scaler.scale(rows, region: region, to: planes[0])
      orientation.apply(from: planes[0], to: planes[1])
      return planes[1]
    }
    func samples(_ plane: PixelPlane) -> [UInt8] {
      (0..<side).flatMap { Array(UnsafeBufferPointer(start: plane.row($0), count: side)) }
    }
    var luma = samples(try reduced(picture.planes[0]))
    if let alpha = picture.alpha {
      let opacity = samples(try reduced(alpha))
      for index in luma.indices {
        luma[index] = UInt8(min(Int(luma[index]) + 255 - Int(opacity[index]), 255))
      }
    }
    return PerceptualHash(luma: luma)
  }

  /// Reduces and turns a picture for each specification, the largest first, and finishes each.
  ///
  /// - Returns: What was finished, in the order of the specifications, and the smallest picture that shows the
  ///   whole and is large enough for its perceptual hash, not yet upright.
  private func render<Finished>(
    _ picture: DecodedPicture,
    _ demand: ThumbnailDemand,
    finish: (PlanarPicture, ThumbnailSpec, PixelSize) throws(ImagingError) -> Finished
  ) throws(ImagingError) -> (finished: [Finished], smallest: PlanarPicture) {
    let orientation = demand.shown(picture.orientation)
    let size = picture.size
    let hasAlpha = picture.planar.alpha != nil
    let upright =
      orientation.isTransposed
      ? PixelSize(width: size.height, height: size.width) : size
    let jobs = demand.specifications.enumerated().map { index, specification in
      (
        index: index, specification: specification,
        geometry: ThumbnailGeometry(picture: upright, specification: specification)
      )
    }
    var candidates = [
      Candidate(picture: picture.planar, scale: picture.planar.width / Double(size.width))
    ]
    var results = [Finished?](repeating: nil, count: jobs.count)
    for job in jobs.sorted(by: { $0.geometry.scale > $1.geometry.scale }) {
      let needed = job.geometry.scale * ThumbnailDemand.oversampling
      let source = candidates.last { $0.scale >= needed } ?? candidates[0]
      let reduced = try reduce(
        source,
        to: job.geometry,
        orientation: orientation,
        chromaStep: demand.keepsChroma
          || ThumbnailFinisher.needsFullChroma(job.specification, hasAlpha: hasAlpha) ? 1 : 2
      )
      // Only averages are soft: sharpen neither a full decode nor a Lanczos reduction of one.
      let isOfMeans =
        picture.isOfMeans && source.scale < 1 && source.scale == candidates[0].scale
      if isOfMeans { try reduced.planes[0].sharpen() }
      results[job.index] = try finish(try turn(reduced, orientation), job.specification, job.geometry.size)
      let isWhole =
        job.geometry.cropWidth == Double(upright.width)
        && job.geometry.cropHeight == Double(upright.height)
      // A picture of a few pixels has lost the detail that a further reduction needs.
      let isUsable = min(job.geometry.size.width, job.geometry.size.height) >= 8
      if isWhole, isUsable {
        candidates.append(Candidate(picture: reduced, scale: job.geometry.scale))
      }
    }
    let smallest = candidates.last {
      min($0.picture.width, $0.picture.height) >= Double(Self.leastHashSide)
    }
    return (results.compactMap { $0 }, (smallest ?? candidates[0]).picture)
  }

  /// What the thumbnail shows of the stored columns and rows.
  private func axes(
    of source: Candidate,
    _ geometry: ThumbnailGeometry,
    _ orientation: Orientation
  ) -> (horizontal: Axis, vertical: Axis) {
    var sides = [
      (wanted: geometry.cropWidth, count: geometry.size.width),
      (wanted: geometry.cropHeight, count: geometry.size.height),
    ]
    if orientation.isTransposed { sides.swapAt(0, 1) }
    let horizontal = Axis(
      origin: source.picture.left,
      extent: source.picture.width,
      wanted: sides[0].wanted * source.scale,
      count: sides[0].count,
      isFlipped: orientation.flipsX
    )
    let vertical = Axis(
      origin: source.picture.top,
      extent: source.picture.height,
      wanted: sides[1].wanted * source.scale,
      count: sides[1].count,
      isFlipped: orientation.flipsY
    )
    return (horizontal, vertical)
  }

  /// Reduces to the thumbnail's size, still in stored orientation, with chroma at that size or half
  /// of it.
  private func reduce(
    _ source: Candidate,
    to geometry: ThumbnailGeometry,
    orientation: Orientation,
    chromaStep: Int
  ) throws(ImagingError) -> PlanarPicture {
    let picture = source.picture
    let (horizontal, vertical) = axes(of: source, geometry, orientation)
    let size = (width: horizontal.count, height: vertical.count)
    let chromaSize = (
      width: (horizontal.count + chromaStep - 1) / chromaStep,
      height: (vertical.count + chromaStep - 1) / chromaStep
    )
    let colors = picture.planes.count
    var planes = try PlaneBuffer().planes(
      [size] + (colors == 3 ? [chromaSize, chromaSize] : [])
        + (picture.alpha == nil ? [] : [size])
    )
    for (index, plane) in planes.enumerated() {
      let isChroma = index > 0 && index < colors
      let source = index < colors ? picture.planes[index] : picture.alpha ?? picture.planes[0]
      let (left, width) =
        isChroma
        ? horizontal.chroma(step: chromaStep, factor: picture.chromaWidth, origin: picture.chromaLeft)
        : horizontal.region
      let (top, height) =
        isChroma
        ? vertical.chroma(step: chromaStep, factor: picture.chromaHeight, origin: picture.chromaTop)
        : vertical.region
      try scaler.scale(
        source,
        region: PlaneRegion(left: left, top: top, width: width, height: height),
        to: plane
      )
    }
    let alpha = picture.alpha == nil ? nil : planes.removeLast()
    return PlanarPicture(
      planes: planes,
      alpha: alpha,
      width: Double(horizontal.count),
      height: Double(vertical.count),
      chromaWidth: Double(chromaStep),
      chromaHeight: Double(chromaStep),
      chromaLeft: chromaStep == 2 && horizontal.startsEarly ? -1 : 0,
      chromaTop: chromaStep == 2 && vertical.startsEarly ? -1 : 0
    )
  }

  private func turn(
    _ picture: PlanarPicture,
    _ orientation: Orientation
  ) throws(ImagingError) -> PlanarPicture {
    if orientation.isIdentity { return picture }
    let planes = picture.planes + (picture.alpha.map { [$0] } ?? [])
    var upright = try PlaneBuffer().planes(
      planes.map { plane in
        orientation.isTransposed
          ? (width: plane.height, height: plane.width)
          : (width: plane.width, height: plane.height)
      }
    )
    for (from, to) in zip(planes, upright) { orientation.apply(from: from, to: to) }
    let alpha = picture.alpha == nil ? nil : upright.removeLast()
    return PlanarPicture(
      planes: upright,
      alpha: alpha,
      width: Double(upright[0].width),
      height: Double(upright[0].height)
    )
  }
}

/// One dimension of a reduction.
private struct Axis {
  /// Where the picture begins, in luma samples of the source.
  var origin: Double
  /// The number of luma samples of the source.
  var extent: Double
  /// The number of luma samples that are shown, centered.
  var wanted: Double
  /// The number of samples of the result.
  var count: Int
  var isFlipped: Bool

  /// Whether the first chroma sample of a stored axis covers a luma sample that does not exist.
  /// With an odd count, the last chroma sample of the upright picture must do so, which is the
  /// first one of a flipped axis.
  var startsEarly: Bool { isFlipped && count % 2 == 1 }

  /// The region that the result shows of a source plane as large as luma, in its samples.
  var region: (start: Double, extent: Double) {
    let shown = min(wanted, extent)
    return (origin + (extent - shown) / 2, shown)
  }

  /// Returns the region that the result's chroma shows of the source's chroma.
  ///
  /// - Parameters:
  ///   - step: The number of luma samples per sample of the result's chroma, 1 or 2.
  ///   - factor: The number of luma samples per sample of the source's chroma.
  ///   - origin: The offset of the source's chroma, in luma samples.
  /// - Returns: The region in samples of the source plane.
  func chroma(step: Int, factor: Double, origin: Double) -> (start: Double, extent: Double) {
    let (start, shown) = region
    let sample = shown / Double(count)
    let chromaStart = start - (step == 2 && startsEarly ? sample : 0)
    let chromaCount = (count + step - 1) / step
    return ((chromaStart - origin) / factor, sample * Double(step * chromaCount) / factor)
  }
}
