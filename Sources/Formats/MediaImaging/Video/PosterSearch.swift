internal import CAV
import MediaModel

/// The search for one video's poster.
///
/// It tries the key frames of the first seconds, since each costs one decode; then all frames of
/// these seconds; then key frames at later positions. If every picture is blank (a video may be
/// black), the one with the most content is taken; if none decodes, frames whose references are
/// missing are tried.
struct PosterSearch {
  /// The length of the first search, in milliseconds.
  static let window = 5000
  /// The maximum number of pictures that are decoded in each pass.
  static let maximumPictureCount = 120
  /// The positions of later key frames, in percent of the duration.
  static let furtherIn = [10, 25, 50]
  /// The maximum number of pixels decoded in all, some seconds with the slowest codecs.
  static let maximumPixelCount = 600_000_000

  private let reader: AVReader
  private let track: Int
  private let stream: cav_stream
  private let limits: ImagingLimits
  private let buffers: PosterBuffers
  private var demand: ThumbnailDemand
  private var pixelCount = 0
  private var best: (disposition: PosterMeasure, layout: PosterLayout)?

  init(
    reader: AVReader,
    track: Int,
    stream: cav_stream,
    demand: ThumbnailDemand,
    limits: ImagingLimits,
    buffers: PosterBuffers
  ) {
    self.reader = reader
    self.track = track
    self.stream = stream
    self.limits = limits
    self.buffers = buffers
    self.demand = demand
    self.demand.orientation = reader.orientation(of: track) ?? .upright
  }

  /// Finds the poster.
  ///
  /// - Returns: The poster; nil if no thumbnails are requested and a picture decodes.
  /// - Throws: `damaged` if no picture decodes; `overLimit`, `unsupported`.
  mutating func run() throws(ImagingError) -> DecodedPicture? {
    let size = PixelSize(width: Int(stream.width), height: Int(stream.height))
    try limits.check(width: size.width, height: size.height)
    let eighths = max(1, min(8, Int((8 * demand.scale(for: size)).rounded(.up))))
    try reader.select(track, eighths: eighths)
    let isFound = try look(.keyFrames)
    if !isFound { try lookFurther() }
    return try finish()
  }

  private mutating func lookFurther() throws(ImagingError) {
    do {
      if !reader.sawOnlyKeyFrames, reader.seek(to: 0, mode: .allFrames), try look(.allFrames) {
        return
      }
      let duration = reader.durationMilliseconds ?? 0
      for hundredth in Self.furtherIn where duration > Self.window {
        let start = duration / 100 * hundredth
        guard start > Self.window, reader.seek(to: start, mode: .keyFrames) else { continue }
        if try look(.keyFrames, before: .max, maximumCount: 1) { return }
      }
      if best == nil, reader.seek(to: 0, mode: .brokenFrames) {
        _ = try look(.brokenFrames, before: .max)
      }
    } catch {
      // Decoding all frames takes more memory than decoding key frames; keep a picture that was
      // already found.
      if best == nil { throw error }
    }
  }

  /// Examines the next pictures.
  ///
  /// - Returns: Whether a picture was found that is whole and neither black nor of one color.
  private mutating func look(
    _ mode: AVReader.Mode,
    before end: Int = window,
    maximumCount: Int = maximumPictureCount
  ) throws(ImagingError) -> Bool {
    for _ in 0..<maximumCount {
      guard best == nil || pixelCount < Self.maximumPixelCount,
        let picture = try reader.nextPicture(before: end)
      else { return false }
      pixelCount += Int(picture.width) * Int(picture.height)
      if try consider(picture) { return true }
    }
    return false
  }

  private mutating func consider(_ picture: cav_picture) throws(ImagingError) -> Bool {
    let layout = PosterLayout(picture, demand: demand)
    try limits.check(width: layout.size.width, height: layout.size.height)
    guard !demand.specifications.isEmpty else {
      best = (PosterMeasure(), layout)
      return true
    }
    let color = PosterColor(picture)
    let pixelCount = layout.reduced.width * layout.reduced.height
    let pixels = try buffers.candidate.reserve(pixelCount * 4)
    if let kind = color.conversion {
      let wide = try buffers.wide.reserve(pixelCount * 8)
      try reader.resize(
        matrix: color.matrix,
        isFullRange: color.isFullRange,
        bits: 16,
        to: layout.reduced,
        into: wide
      )
      let samples = UnsafeMutableRawPointer(wide).assumingMemoryBound(to: UInt16.self)
      buffers.conversion(kind).convert(UnsafePointer(samples), to: pixels, count: pixelCount)
    } else {
      try reader.resize(
        matrix: color.matrix,
        isFullRange: color.isFullRange,
        bits: 8,
        to: layout.reduced,
        into: pixels
      )
    }
    let disposition = PosterMeasure(pixels, layout.reduced, isBroken: picture.is_broken)
    if best.map({ disposition.showsMore(than: $0.disposition) }) ?? true {
      best = (disposition, layout)
      buffers.keepCandidate()
    }
    return disposition.showsSomething
  }

  private func finish() throws(ImagingError) -> DecodedPicture? {
    guard let layout = best?.layout else { throw ImagingError(.damaged, "no picture decodes") }
    guard !demand.specifications.isEmpty else { return nil }
    return DecodedPicture(
      planar: try buffers.planes(of: layout.reduced),
      size: layout.size,
      profile: nil,
      orientation: demand.orientation
    )
  }
}

/// The sizes of a picture during its conversion to a poster.
struct PosterLayout {
  /// The size with square pixels, before rotation.
  let size: PixelSize
  /// The size of the picture that thumbnails are made from.
  let reduced: PixelSize

  init(_ picture: cav_picture, demand: ThumbnailDemand) {
    let (width, height) = (Int(picture.width), Int(picture.height))
    var aspect = Double(picture.aspect_width) / Double(picture.aspect_height)
    // No camera has such an aspect ratio: the value is damaged.
    if !(0.1...10).contains(aspect) { aspect = 1 }
    let wide = max(1, Int((Double(width) * aspect).rounded()))
    size = PixelSize(width: wide, height: height)
    let scale = demand.scale(for: size)
    let reducedWidth = max(1, Int((Double(wide) * scale).rounded(.up)))
    reduced = PixelSize(
      width: reducedWidth,
      height: max(1, Int((Double(height * reducedWidth) / Double(wide)).rounded()))
    )
  }
}
