import MediaContainers
import MediaMetadata

/// The chunks of a WebP: of a still picture, of an animation, and of one of its frames.
///
/// Source: RFC 9649 section 2.
enum WebPAllowList {
  private typealias Part = AllowList<FourCharacterCode>.Part

  private static let head = [
    Part("VP8X", .rewritten, "the canvas, and flags for the other chunks", 10...10),
    Part("ICCP", .rewritten, "the color profile"),
  ]
  private static let picture = [
    Part("ALPH", .copied, "the alpha channel, without reserved bits", 1...Int.max),
    Part("VP8 ", .copied, "the picture", or: "VP8L"),
  ]
  private static let values = [
    Part("EXIF", .rewritten, "orientation 2 to 8, and what `except` keeps"),
    Part("XMP ", .rewritten, XMPProjection.part),
  ]
  private static let frames = [
    Part("ANIM", .rewritten, "background and loop count", 6...6),
    Part("ANMF", .copied, "position, size, duration, two flags", 17...Int.max, isRepeated: true),
  ]

  static let still = AllowList(head + picture + values)
  static let animation = AllowList(head + frames + values)
  static let frame = AllowList(picture)
}
