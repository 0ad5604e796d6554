import MediaContainers
import MediaMetadata

/// The boxes of a JPEG XL file that an output may have, and the parts of its codestream.
///
/// Source: ISO/IEC 18181-2 section 9; 18181-1 annexes D to F.
enum JXLAllowList {
  static let file = AllowList<FourCharacterCode>([
    .init("JXL ", .copied, "the signature", 4...4),
    .init("ftyp", .rewritten, "the brand", 12...12),
    .init("jxll", .copied, "level 5 or 10", 1...1),
    .init("Exif", .excepted, "one block"),
    .init("xml ", .rewritten, XMPProjection.part),
    .init("jxlc", .rewritten, "the codestream, in one piece"),
  ])
  static let header = "header"
  static let frame = "frame header"
  static let data = "frame data"
  static let codestream = AllowList<String>(
    isOrdered: false,
    [
      .init(header, .rewritten, "size, orientation, channels, colors or the color profile, timing"),
      .init(frame, .rewritten, "its fields without a name; the lengths of its sections", isRepeated: true),
      .init(data, .copied, "sections of coded data", isRepeated: true),
    ]
  )
}
