/// How a picture fills the box that a thumbnail is.
///
/// Source: PHImageContentMode (PhotoKit).
package enum ContentMode: String, CaseIterable, Sendable, Hashable, Codable {
  /// The whole picture, within the box.
  case aspectFit
  /// The box is filled; what stands over is cropped, evenly on both sides.
  case aspectFill
}

/// How a thumbnail's file is compressed.
package enum ThumbnailFormat: String, CaseIterable, Sendable, Hashable, Codable {
  case jpeg, webp, png

  /// The extension that a published thumbnail gets, without the dot.
  package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}

/// What the numbers of a thumbnail's pixels mean.
package enum ThumbnailColorSpace: String, CaseIterable, Sendable, Hashable, Codable {
  /// Converted to sRGB; no profile travels along.
  case sRGB
  /// The picture's own profile travels along.
  case keep
}

/// An opaque color of sRGB.
package struct RGBColor: Sendable, Hashable, Codable {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8

  package static let white = RGBColor(red: 255, green: 255, blue: 255)

  package init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// `#rrggbb`, as a manifest writes it.
  package var text: String { "#" + Hexadecimal.text([red, green, blue]) }
}

/// One thumbnail that the manifest asks for.
package struct ThumbnailSpec: Sendable, Hashable, Codable {
  /// 1 to 64 of `a-z A-Z 0-9 - _`.
  package var name: String
  /// The box, in pixels of the upright picture; nothing is ever enlarged to it.
  package var size: PixelSize
  package var contentMode: ContentMode
  /// Of JPEG and WebP, 1 to 100; PNG loses nothing.
  package var quality: Int
  package var format: ThumbnailFormat
  /// Nil for what costs less and shows the same: a small profile is kept, a large one converted.
  package var colorSpace: ThumbnailColorSpace?
  /// What is seen through a transparent picture in a format without transparency.
  package var background: RGBColor

  package init(
    name: String,
    size: PixelSize,
    contentMode: ContentMode,
    quality: Int = 80,
    format: ThumbnailFormat = .jpeg,
    colorSpace: ThumbnailColorSpace? = nil,
    background: RGBColor = .white
  ) {
    self.name = name
    self.size = size
    self.contentMode = contentMode
    self.quality = quality
    self.format = format
    self.colorSpace = colorSpace
    self.background = background
  }

  /// All that changes the thumbnail's bytes; two specs with one fingerprint make the same file.
  package var fingerprint: String {
    var words = ["\(size.width)x\(size.height)", contentMode.rawValue]
    if format != .png { words.append("q\(quality)") }
    if format != .jpeg { words.append(format.rawValue) }
    if let colorSpace { words.append(colorSpace.rawValue) }
    if format == .jpeg, background != .white { words.append(background.text) }
    return words.joined(separator: " ")
  }
}
