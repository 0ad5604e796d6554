/// The way a picture fills a thumbnail's box.
///
/// Source: PHImageContentMode (PhotoKit).
package enum ContentMode: String, CaseIterable, Sendable, Hashable, Codable {
  /// Shows the whole picture, within the box.
  case aspectFit
  /// Fills the box; the excess is cropped evenly on both sides.
  case aspectFill
}

/// The file format of a thumbnail.
package enum ThumbnailFormat: String, CaseIterable, Sendable, Hashable, Codable {
  case jpeg, webp, png

  /// The file extension of a published thumbnail, without the dot.
  package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

  /// The most pixels on a side.
  ///
  /// Source: ITU-T T.81, frame header; RFC 9649, VP8 frame header. PNG allows more than a picture here has.
  package var largestSide: Int { self == .webp ? 16_383 : 65_535 }
}

/// The color space of a thumbnail's pixels.
package enum ThumbnailColorSpace: String, CaseIterable, Sendable, Hashable, Codable {
  /// Converts to sRGB; no profile is embedded.
  case sRGB
  /// Keeps the picture's own color space and embeds its profile.
  case keep
}

/// An opaque sRGB color.
package struct RGBColor: Sendable, Hashable, Codable {
  /// The red component.
  package var red: UInt8
  /// The green component.
  package var green: UInt8
  /// The blue component.
  package var blue: UInt8

  /// White.
  package static let white = RGBColor(red: 255, green: 255, blue: 255)

  /// Creates a color.
  package init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Reads a color as `#rrggbb`; nil for another text.
  package init?(text: String) {
    let digits = text.utf8.dropFirst().compactMap(Hexadecimal.value)
    guard text.utf8.first == UInt8(ascii: "#"), text.utf8.count == 7, digits.count == 6 else {
      return nil
    }
    red = digits[0] << 4 | digits[1]
    green = digits[2] << 4 | digits[3]
    blue = digits[4] << 4 | digits[5]
  }

  /// The color as `#rrggbb`, as a manifest writes it.
  package var text: String { "#" + Hexadecimal.text([red, green, blue]) }
}

/// One thumbnail that the manifest requests.
package struct ThumbnailSpec: Sendable, Hashable, Codable {
  /// The name: 1 to 64 of `a-z A-Z 0-9 - _`.
  package var name: String
  /// The box in pixels of the upright picture; no picture is enlarged to it.
  package var size: PixelSize
  /// The way the picture fills the box.
  package var contentMode: ContentMode
  /// The quality of JPEG and WebP, 1 to 100; PNG is lossless.
  package var quality: Int
  /// The file format.
  package var format: ThumbnailFormat
  /// The color space; nil keeps a small profile and converts from a large one, which is cheaper and
  /// looks the same.
  package var colorSpace: ThumbnailColorSpace?
  /// The color behind a transparent picture in a format without transparency.
  package var background: RGBColor
  /// The media that it is made of; nil for all.
  package var mediaTypes: Set<MediaType>?

  /// Creates a specification.
  package init(
    name: String,
    size: PixelSize,
    contentMode: ContentMode,
    quality: Int = 80,
    format: ThumbnailFormat = .jpeg,
    colorSpace: ThumbnailColorSpace? = nil,
    background: RGBColor = .white,
    mediaTypes: Set<MediaType>? = nil
  ) {
    self.name = name
    self.size = size
    self.contentMode = contentMode
    self.quality = quality
    self.format = format
    self.colorSpace = colorSpace
    self.background = background
    self.mediaTypes = mediaTypes
  }

  /// Reads the settings back out of a ``fingerprint``; nil for a text that is none, as an earlier version may have
  /// written it.
  package init?(name: String, fingerprint: String) {
    self.init(name: name, size: .maximum, contentMode: .aspectFit)
    var words = fingerprint.split(separator: " ").map(String.init)[...]
    if words.first != "maximum" {
      let sides = words.popFirst()?.split(separator: "x").compactMap { Int($0) } ?? []
      guard sides.count == 2, let mode = words.popFirst().flatMap(ContentMode.init) else {
        return nil
      }
      (size, contentMode) = (PixelSize(width: sides[0], height: sides[1]), mode)
    } else {
      words.removeFirst()
    }
    while let word = words.popFirst() {
      if word == "of" {
        let types = words.popFirst()?.split(separator: ",") ?? []
        mediaTypes = Set(types.compactMap { MediaType(rawValue: String($0)) })
      } else if let format = ThumbnailFormat(rawValue: word) {
        self.format = format
      } else if let space = ThumbnailColorSpace(rawValue: word) {
        colorSpace = space
      } else if let color = RGBColor(text: word) {
        background = color
      } else if word.hasPrefix("q"), let quality = Int(word.dropFirst()) {
        self.quality = quality
      }
    }
    if self.fingerprint != fingerprint { return nil }
  }

  /// Whether it is made of this kind of media.
  package func accepts(_ mediaType: MediaType) -> Bool {
    mediaTypes?.contains(mediaType) ?? true
  }

  /// Whether the thumbnail has the size of the upright picture.
  package var isMaximum: Bool { size == .maximum }

  /// A text of all settings that affect the thumbnail; specifications with the same fingerprint give the
  /// same file, of the same media.
  package var fingerprint: String {
    var words =
      isMaximum ? ["maximum"] : ["\(size.width)x\(size.height)", contentMode.rawValue]
    if format != .png { words.append("q\(quality)") }
    if format != .jpeg { words.append(format.rawValue) }
    if let colorSpace { words.append(colorSpace.rawValue) }
    if format == .jpeg, background != .white { words.append(background.text) }
    if let mediaTypes, mediaTypes.count < MediaType.allCases.count {
      words.append("of " + mediaTypes.map(\.rawValue).sorted().joined(separator: ","))
    }
    return words.joined(separator: " ")
  }
}
