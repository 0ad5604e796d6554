import CZimg

/// A rectangle of a plane in samples; it may extend slightly beyond the plane's edge.
struct PlaneRegion: Hashable {
  var left: Double
  var top: Double
  var width: Double
  var height: Double
}

/// Resizes planes with a Lanczos filter of three lobes.
///
/// A zimg graph holds the filter's taps, which cost more than the pixels of a small plane: graphs
/// are cached by geometry, since pictures of one camera share a few geometries.
///
/// Source: zimg_filter_graph_build, zimg_filter_graph_process.
final class PlaneScaler {
  private struct Geometry: Hashable {
    var sourceWidth: Int
    var sourceHeight: Int
    var region: PlaneRegion
    var width: Int
    var height: Int
  }

  private final class Graph {
    let pointer: OpaquePointer
    let temporaryByteCount: Int

    init?(_ pointer: OpaquePointer) {
      self.pointer = pointer
      var byteCount = 0
      let isKnown = zimg_filter_graph_get_tmp_size(pointer, &byteCount) == ZIMG_ERROR_SUCCESS
      temporaryByteCount = byteCount
      guard isKnown else { return nil }
    }

    deinit { zimg_filter_graph_free(pointer) }
  }

  private enum Method {
    case zimg(Graph)
    /// The reduction without zimg, which has no filter for this geometry.
    case plain
  }

  private static let maximumMethodCount = 64

  private var methods: [Geometry: Method] = [:]
  private let temporary = PlaneBuffer()
  private let padding = PlaneBuffer()

  func scale(
    _ source: PixelPlane,
    region: PlaneRegion,
    to target: PixelPlane
  ) throws(ImagingError) {
    guard source.width > 0, source.height > 0, target.width > 0, target.height > 0 else {
      throw ImagingError(.internal, "an empty plane")
    }
    if region.left == 0, region.top == 0, region.width == Double(target.width),
      region.height == Double(target.height), target.width <= source.width,
      target.height <= source.height
    {
      for y in 0..<target.height {
        target.row(y).update(from: source.row(y), count: target.width)
      }
      return
    }
    var source = source
    var region = region
    if let margin = Self.margin(source, region, target) {
      source = try padded(source, margin)
      region.left += Double(margin.x)
      region.top += Double(margin.y)
    }
    switch method(for: source, region: region, target: target) {
    case .plain: LanczosReducer.reduce(source, region: region, to: target)
    case .zimg(let graph): try process(graph, source, target)
    }
  }

  /// Returns the number of samples that must repeat each edge of a plane for the filter to read;
  /// nil for large planes, which are not copied.
  ///
  /// zimg mirrors the plane at its edge, which doubles a line along it: this alone cost a GIF with
  /// a border of one pixel 3.7 dB.
  private static func margin(
    _ source: PixelPlane,
    _ region: PlaneRegion,
    _ target: PixelPlane
  ) -> (x: Int, y: Int)? {
    guard source.width * source.height <= 1 << 20 else { return nil }
    func count(_ extent: Double, _ count: Int) -> Int {
      Int((3 * max(extent / Double(count), 1)).rounded(.up)) + 1
    }
    return (count(region.width, target.width), count(region.height, target.height))
  }

  private func padded(
    _ source: PixelPlane,
    _ margin: (x: Int, y: Int)
  ) throws(ImagingError) -> PixelPlane {
    let planes = try padding.planes([
      (width: source.width + 2 * margin.x, height: source.height + 2 * margin.y)
    ])
    let plane = planes[0]
    for y in 0..<plane.height {
      let input = source.row(min(max(y - margin.y, 0), source.height - 1))
      let output = plane.row(y)
      output.update(repeating: input[0], count: margin.x)
      (output + margin.x).update(from: input, count: source.width)
      (output + margin.x + source.width).update(repeating: input[source.width - 1], count: margin.x)
    }
    return plane
  }

  private func method(
    for source: PixelPlane,
    region: PlaneRegion,
    target: PixelPlane
  ) -> Method {
    let geometry = Geometry(
      sourceWidth: source.width,
      sourceHeight: source.height,
      region: region,
      width: target.width,
      height: target.height
    )
    if let cached = methods[geometry] { return cached }
    if methods.count >= Self.maximumMethodCount { methods.removeAll(keepingCapacity: true) }
    let method = Self.graph(for: geometry).map(Method.zimg) ?? .plain
    methods[geometry] = method
    return method
  }

  private static func graph(for geometry: Geometry) -> Graph? {
    let version = czimg_api_version()
    var source = zimg_image_format()
    zimg_image_format_default(&source, version)
    source.width = UInt32(clamping: geometry.sourceWidth)
    source.height = UInt32(clamping: geometry.sourceHeight)
    source.pixel_type = ZIMG_PIXEL_BYTE
    source.color_family = ZIMG_COLOR_GREY
    source.pixel_range = ZIMG_RANGE_FULL
    var target = source
    target.width = UInt32(clamping: geometry.width)
    target.height = UInt32(clamping: geometry.height)
    source.active_region.left = geometry.region.left
    source.active_region.top = geometry.region.top
    source.active_region.width = geometry.region.width
    source.active_region.height = geometry.region.height
    var parameters = zimg_graph_builder_params()
    zimg_graph_builder_params_default(&parameters, version)
    parameters.resample_filter = ZIMG_RESIZE_LANCZOS
    parameters.filter_param_a = 3
    return zimg_filter_graph_build(&source, &target, &parameters).flatMap(Graph.init)
  }

  private func process(
    _ graph: Graph,
    _ source: PixelPlane,
    _ target: PixelPlane
  ) throws(ImagingError) {
    let scratch = try temporary.reserve(graph.temporaryByteCount)
    guard
      czimg_process_plane(graph.pointer, source.base, source.stride, target.base, target.stride, scratch)
        == ZIMG_ERROR_SUCCESS
    else { throw ImagingError(.internal, "zimg_filter_graph_process") }
  }
}
