import MediaContainers

/// The parts of a GIF, in any order between the screen and the trailer.
///
/// Source: GIF89a sections 17 to 27.
enum GIFAllowList {
  static let screen = "logical screen"
  static let control = "graphic control"
  static let image = "image"
  static let loop = "application extension"
  static let trailer = "trailer"
  static let list = AllowList<String>(
    isOrdered: false,
    [
      .init(screen, .copied, "size and colors; colors that no pixel uses are black", 13...781),
      .init(control, .copied, "time, disposal, transparency", 8...8, isRepeated: true),
      .init(image, .copied, "position, size, colors, codes up to the last", isRepeated: true),
      .init(loop, .rewritten, "NETSCAPE2.0 with the loop count", 19...19),
      .init("XMP", .excepted, "one packet"),
      .init(trailer, .rewritten, "one byte", 1...1),
    ]
  )
}

/// The parts of a BMP.
///
/// Source: Microsoft, BITMAPFILEHEADER to BITMAPV5HEADER.
enum BMPAllowList {
  static let headers = "headers"
  static let pixels = "pixels"
  static let profile = "ICC profile"
  static let list = AllowList<String>([
    .init(headers, .rewritten, "size, depth, masks, used colors, color space", 26...1178),
    .init(pixels, .copied, "with zeros behind each row"),
    .init(profile, .rewritten, "the color profile"),
  ])
}
