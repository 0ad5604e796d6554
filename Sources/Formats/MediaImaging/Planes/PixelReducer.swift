import CTurboJPEG
import MediaModel

/// Reduces a picture to small planes, from rows that arrive one after the other from the top.
///
/// Squares of pixels are averaged, as in a JPEG's scaled decode; only a few input rows are held in
/// memory. Pixels are weighted by their alpha.
///
/// Source: tjEncodeYUVPlanes (libjpeg-turbo 2.1).
final class PixelReducer {
  /// The largest factor: above 16 there is no gain, and sums no longer fit.
  static let maximumFactor = 16
  /// The number of rows of the result that are converted together.
  private static let stripRowCount = 16

  private let planeBuffer = PlaneBuffer()
  private let rowBuffer = PlaneBuffer()
  private let sumBuffer = PlaneBuffer()
  private let stripBuffer = PlaneBuffer()
  private let colorBuffer = PlaneBuffer()
  private let converter = tjInitCompress()

  private var size = PixelSize(width: 0, height: 0)
  private var layout = PixelLayout.rgb
  private var depth = SampleDepth.eight
  private var factor = 1
  private var ink: ColorTransform?
  private var early: ColorTransform?
  private var planes: [PixelPlane] = []
  private var alpha: PixelPlane?
  private var width = 0
  private var row: UnsafeMutablePointer<UInt8>?
  private var sums: UnsafeMutablePointer<UInt16>?
  private var strip: UnsafeMutablePointer<UInt8>?
  private var colors: UnsafeMutablePointer<UInt8>?
  private var rowCount = 0
  private var squareRowCount = 0
  private var stripRowCount = 0
  private var finishedRowCount = 0
  private var isTransparent = false
  private var isMultiplied = false

  deinit {
    if let converter { tjDestroy(converter) }
  }

  /// Returns the largest whole factor by which a picture may be reduced so that it is at least
  /// `scale` of its size.
  static func factor(for scale: Double) -> Int {
    guard scale > 0 else { return maximumFactor }
    return min(max(1, Int(1 / scale)), maximumFactor)
  }

  /// Begins a picture and discards one that was not finished.
  ///
  /// - Parameters:
  ///   - size: The size in pixels, each side at least 1.
  ///   - layout: The layout of the rows to come.
  ///   - depth: The depth of their samples.
  ///   - factor: The side of the averaged squares in pixels, 1 to ``maximumFactor``.
  ///   - ink: Converts CMYK to sRGB; nil uses the plain formula. Not used for other layouts.
  ///   - early: Converts each row as it arrives to 8 bits of the same layout.
  ///   - isMultiplied: Whether colors are premultiplied by alpha.
  /// - Throws: `overLimit` if memory runs out.
  func begin(
    size: PixelSize,
    layout: PixelLayout,
    depth: SampleDepth = .eight,
    factor: Int,
    ink: ColorTransform? = nil,
    early: ColorTransform? = nil,
    isMultiplied: Bool = false
  ) throws(ImagingError) {
    self.size = size
    self.layout = layout
    self.depth = depth
    self.factor = min(max(1, factor), Self.maximumFactor)
    self.ink = ink
    self.early = early
    self.isMultiplied = isMultiplied
    width = (size.width + self.factor - 1) / self.factor
    let height = (size.height + self.factor - 1) / self.factor
    let isGray = layout == .gray || layout == .grayAlpha
    let count = (isGray ? 1 : 3) + (layout.hasAlpha ? 1 : 0)
    planes = try planeBuffer.planes(Array(repeating: (width: width, height: height), count: count))
    alpha = layout.hasAlpha ? planes.removeLast() : nil
    let sampleCount = size.width * layout.channelCount
    row = try rowBuffer.reserve(sampleCount)
    let sums = UnsafeMutableRawPointer(try sumBuffer.reserve(2 * sampleCount))
      .bindMemory(to: UInt16.self, capacity: sampleCount)
    sums.update(repeating: 0, count: sampleCount)
    self.sums = sums
    strip = try stripBuffer.reserve(width * layout.channelCount * Self.stripRowCount)
    colors = layout.isInk ? try colorBuffer.reserve(width * 3 * Self.stripRowCount) : nil
    rowCount = 0
    squareRowCount = 0
    stripRowCount = 0
    finishedRowCount = 0
    isTransparent = false
  }

  /// Takes the next rows; those below the picture are ignored.
  ///
  /// - Parameters:
  ///   - rows: Rows of the layout and depth given to `begin`, read during the call only.
  ///   - stride: The number of bytes from one row to the next; may be negative.
  ///   - count: The number of rows.
  /// - Throws: `internal` if a library call fails.
  func add(
    _ rows: UnsafeRawPointer,
    stride: Int = 0,
    count: Int = 1
  ) throws(ImagingError) {
    for index in 0..<count where rowCount < size.height {
      try add(row: rows + index * stride)
    }
  }

  /// Ends the picture. Rows that were not added are gray and opaque.
  ///
  /// - Returns: Planes that are valid until the next picture; with alpha if any pixel is not
  ///   opaque.
  /// - Throws: `internal` if a library call fails.
  func finish() throws(ImagingError) -> PlanarPicture {
    if rowCount < size.height {
      let count = size.width * layout.channelCount * depth.byteCount
      var missing = [UInt8](repeating: 128, count: count)
      if layout.hasAlpha {
        let pixel = layout.channelCount * depth.byteCount
        for index in missing.indices where index % pixel >= pixel - depth.byteCount {
          missing[index] = 255
        }
      }
      try missing.withUnsafeBytes { missing in
        Result { () throws(ImagingError) in
          guard let base = missing.baseAddress else { return }
          while rowCount < size.height { try add(row: base) }
        }
      }.get()
    }
    return PlanarPicture(
      planes: planes,
      alpha: isTransparent ? alpha : nil,
      width: Double(size.width) / Double(factor),
      height: Double(size.height) / Double(factor)
    )
  }

  /// Releases buffers that are larger than `byteCount`.
  func trim(above byteCount: Int) {
    for buffer in [planeBuffer, rowBuffer, sumBuffer, stripBuffer, colorBuffer]
    where buffer.capacity > byteCount {
      buffer.release()
    }
  }

  private func add(row input: UnsafeRawPointer) throws(ImagingError) {
    guard let row, let sums, let strip else { throw ImagingError(.internal, "no picture begun") }
    rowCount += 1
    let sampleCount = size.width * layout.channelCount
    var source = input.assumingMemoryBound(to: UInt8.self)
    if let early {
      early.apply(input, to: row, pixelCount: size.width)
      source = UnsafePointer(row)
    } else if depth != .eight {
      PixelRow.narrow(input, isBigEndian: depth == .sixteenBigEndian, count: sampleCount, to: row)
      source = UnsafePointer(row)
    }
    let target = strip + stripRowCount * width * layout.channelCount
    if layout.hasAlpha, !PixelRow.isOpaque(source, layout: layout, count: size.width) {
      isTransparent = true
      if !isMultiplied {
        PixelRow.multiply(source, layout: layout, count: size.width, to: row)
        source = UnsafePointer(row)
      }
    }
    if factor == 1 {
      target.update(from: source, count: sampleCount)
      return try endStripRow()
    }
    PixelRow.add(source, count: sampleCount, to: sums)
    squareRowCount += 1
    if squareRowCount == factor || rowCount == size.height {
      PixelRow.average(
        sums,
        pixelCount: size.width,
        rowCount: squareRowCount,
        channelCount: layout.channelCount,
        factor: factor,
        to: target
      )
      sums.update(repeating: 0, count: sampleCount)
      squareRowCount = 0
      try endStripRow()
    }
  }

  private func endStripRow() throws(ImagingError) {
    stripRowCount += 1
    guard stripRowCount == Self.stripRowCount || rowCount == size.height else { return }
    let first = finishedRowCount
    finishedRowCount += stripRowCount
    let rows = first..<finishedRowCount
    defer { stripRowCount = 0 }
    guard let strip else { return }
    if let alpha {
      PixelRow.copy(strip, channel: layout.channelCount - 1, of: layout, to: alpha, rows: rows)
    }
    switch layout {
    case .gray, .grayAlpha:
      PixelRow.copy(strip, channel: 0, of: layout, to: planes[0], rows: rows)
    case .rgb: try convert(strip, TJPF_RGB, first)
    // turbojpeg ignores the fourth sample here.
    case .rgba: try convert(strip, TJPF_RGBX, first)
    case .cmyk, .invertedCMYK:
      guard let colors else { return }
      let count = width * stripRowCount
      if let ink {
        ink.apply(strip, to: colors, pixelCount: count)
      } else {
        PixelRow.mixInk(strip, isInverted: layout == .invertedCMYK, count: count, to: colors)
      }
      try convert(colors, TJPF_RGB, first)
    }
  }

  private func convert(
    _ pixels: UnsafePointer<UInt8>,
    _ format: TJPF,
    _ first: Int
  ) throws(ImagingError) {
    var pointers: [UnsafeMutablePointer<UInt8>?] = planes.map { $0.row(first) }
    var strides = planes.map { Int32($0.stride) }
    guard
      tjEncodeYUVPlanes(
        converter,
        pixels,
        Int32(width),
        0,
        Int32(stripRowCount),
        format.rawValue,
        &pointers,
        &strides,
        Int32(TJSAMP_444.rawValue),
        0
      ) == 0
    else { throw TurboJPEGMessage(converter).ownError }
  }
}
