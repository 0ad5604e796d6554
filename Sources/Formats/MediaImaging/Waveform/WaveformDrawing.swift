import MediaModel

/// Draws a waveform over a plain background: peaks in a light shade, and the RMS level within them
/// in a dark one.
struct WaveformDrawing {
  /// The largest number of columns in pixels.
  static let largestSide = 4096
  /// The size for a thumbnail that has no box, in pixels.
  static let ownSize = PixelSize(width: 1600, height: 400)

  private let peak: [UInt8]
  private let loudness: [UInt8]
  private let background: [UInt8]

  /// Chooses two shades of one blue that contrast with the background.
  init(background color: RGBColor) {
    background = [color.red, color.green, color.blue]
    let luma = 77 * Int(color.red) + 150 * Int(color.green) + 29 * Int(color.blue)
    let accent: [UInt8] = luma >> 8 >= 128 ? [31, 92, 153] : [122, 190, 255]
    loudness = accent
    peak = zip(accent, background).map { UInt8((Int($0) + Int($1) + 1) / 2) }
  }

  /// Draws a waveform.
  ///
  /// - Parameters:
  ///   - columns: The levels of each column of pixels.
  ///   - height: The height in pixels.
  ///   - pixels: Room for `columns.count` × `height` pixels of R'G'B'A.
  func draw(
    _ columns: [WaveformLevels.Level],
    height: Int,
    into pixels: UnsafeMutablePointer<UInt8>
  ) {
    let width = columns.count
    let middle = Float(height) / 2
    // Silence is drawn as a line.
    let least: Float = min(0.5, middle)
    for (x, level) in columns.enumerated() {
      let top = middle - max(level.high * middle, least)
      let bottom = middle - min(level.low * middle, -least)
      let innerTop = max(middle - max(level.rms * middle, least), top)
      let innerBottom = min(middle + max(level.rms * middle, least), bottom)
      for y in 0..<height {
        let outer = Self.coverage(y, top, bottom)
        let inner = Self.coverage(y, innerTop, innerBottom)
        let pixel = pixels + 4 * (y * width + x)
        for channel in 0..<3 {
          let value =
            Float(background[channel]) * (1 - outer) + Float(peak[channel]) * (outer - inner)
            + Float(loudness[channel]) * inner
          pixel[channel] = UInt8(min(max(value.rounded(), 0), 255))
        }
        pixel[3] = 255
      }
    }
  }

  /// Returns the part of a row of pixels that lies between two heights, 0 to 1.
  private static func coverage(_ y: Int, _ top: Float, _ bottom: Float) -> Float {
    max(0, min(Float(y + 1), bottom) - max(Float(y), top))
  }
}
