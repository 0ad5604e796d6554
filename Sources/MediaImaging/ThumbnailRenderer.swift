import MediaModel

/// Makes all thumbnails of one decoded picture.
struct ThumbnailRenderer {
  let scaler: PlaneScaler
  let encoder: JPEGEncoder

  /// A picture to reduce from: the decoded one, or a thumbnail of the whole picture.
  private struct Candidate {
    var picture: PlanarPicture
    /// Its pixels for each pixel of the picture as stored.
    var scale: Double
  }

  /// - Parameters:
  ///   - picture: Decoded, not yet upright.
  ///   - size: Of the picture as stored, before any reduction.
  ///   - demand: What is wanted, and how the picture is turned.
  ///   - profile: Put into each thumbnail.
  /// - Returns: One thumbnail for each specification, in their order.
  /// - Throws: `internal` when a library refuses, `overLimit` without memory.
  func thumbnails(
    of picture: PlanarPicture,
    size: PixelSize,
    demand: ThumbnailDemand,
    profile: ColorProfile?
  ) throws(ImagingError) -> [Thumbnail] {
    let orientation = demand.orientation
    let upright =
      orientation.isTransposed
      ? PixelSize(width: size.height, height: size.width) : size
    let jobs = demand.specifications.enumerated().map { index, specification in
      (
        index: index, specification: specification,
        geometry: ThumbnailGeometry(picture: upright, specification: specification)
      )
    }
    var candidates = [Candidate(picture: picture, scale: picture.width / Double(size.width))]
    var results = [Thumbnail?](repeating: nil, count: jobs.count)
    for job in jobs.sorted(by: { $0.geometry.scale > $1.geometry.scale }) {
      let needed = job.geometry.scale * ThumbnailDemand.oversampling
      let source = candidates.last { $0.scale >= needed } ?? candidates[0]
      let reduced = try reduce(source, to: job.geometry, orientation: orientation)
      let planes = try turn(reduced.planes, orientation)
      results[job.index] = Thumbnail(
        name: job.specification.name,
        pixelSize: job.geometry.size,
        bytes: try encoder.encode(
          planes,
          quality: job.specification.quality,
          profile: profile
        )
      )
      let isWhole =
        job.geometry.cropWidth == Double(upright.width)
        && job.geometry.cropHeight == Double(upright.height)
      if isWhole { candidates.append(Candidate(picture: reduced, scale: job.geometry.scale)) }
    }
    return results.compactMap { $0 }
  }

  /// Reduces to the thumbnail's size, still as stored, chroma to half of that.
  private func reduce(
    _ source: Candidate,
    to geometry: ThumbnailGeometry,
    orientation: Orientation
  ) throws(ImagingError) -> PlanarPicture {
    let picture = source.picture
    let horizontal = Axis(
      extent: picture.width,
      wanted: (orientation.isTransposed ? geometry.cropHeight : geometry.cropWidth) * source.scale,
      count: orientation.isTransposed ? geometry.size.height : geometry.size.width,
      isFlipped: orientation.flipsX
    )
    let vertical = Axis(
      extent: picture.height,
      wanted: (orientation.isTransposed ? geometry.cropWidth : geometry.cropHeight) * source.scale,
      count: orientation.isTransposed ? geometry.size.width : geometry.size.height,
      isFlipped: orientation.flipsY
    )
    let chromaSize = (width: (horizontal.count + 1) / 2, height: (vertical.count + 1) / 2)
    let planes = try PlaneBuffer().planes(
      [(width: horizontal.count, height: vertical.count)]
        + (picture.planes.count == 3 ? [chromaSize, chromaSize] : [])
    )
    for (index, plane) in planes.enumerated() {
      let (left, width) = horizontal.region(
        isChroma: index > 0,
        factor: picture.chromaWidth,
        origin: picture.chromaLeft
      )
      let (top, height) = vertical.region(
        isChroma: index > 0,
        factor: picture.chromaHeight,
        origin: picture.chromaTop
      )
      try scaler.scale(
        picture.planes[index],
        region: PlaneRegion(left: left, top: top, width: width, height: height),
        to: plane
      )
    }
    return PlanarPicture(
      planes: planes,
      width: Double(horizontal.count),
      height: Double(vertical.count),
      chromaWidth: 2,
      chromaHeight: 2,
      chromaLeft: horizontal.startsEarly ? -1 : 0,
      chromaTop: vertical.startsEarly ? -1 : 0
    )
  }

  private func turn(
    _ planes: [PixelPlane],
    _ orientation: Orientation
  ) throws(ImagingError) -> [PixelPlane] {
    if orientation.isIdentity { return planes }
    let upright = try PlaneBuffer().planes(
      planes.map { plane in
        orientation.isTransposed
          ? (width: plane.height, height: plane.width)
          : (width: plane.width, height: plane.height)
      }
    )
    for (from, to) in zip(planes, upright) { orientation.apply(from: from, to: to) }
    return upright
  }
}

/// One direction of a reduction.
private struct Axis {
  /// Samples of luma.
  var extent: Double
  /// How many of them are shown, in the middle.
  var wanted: Double
  /// Samples of the result.
  var count: Int
  var isFlipped: Bool

  /// With an odd count, a chroma sample covers one luma sample that is not there. It must be the last
  /// one of the upright picture, which is the first one of a flipped axis.
  var startsEarly: Bool { isFlipped && count % 2 == 1 }

  /// The region of a source plane that a plane of the result shows.
  ///
  /// - Parameters:
  ///   - isChroma: Whether both planes are chroma, or both luma.
  ///   - factor: Luma samples for each sample of the source's chroma.
  ///   - origin: Where the source's chroma begins, in luma samples.
  /// - Returns: In samples of the source plane.
  func region(isChroma: Bool, factor: Double, origin: Double) -> (start: Double, extent: Double) {
    let shown = min(wanted, extent)
    let start = (extent - shown) / 2
    guard isChroma else { return (start, shown) }
    let step = shown / Double(count)
    let chromaStart = start - (startsEarly ? step : 0)
    return (
      (chromaStart - origin) / factor, step * Double(2 * ((count + 1) / 2)) / factor
    )
  }
}
