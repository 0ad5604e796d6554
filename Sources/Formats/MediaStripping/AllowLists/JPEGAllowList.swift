import MediaContainers
import MediaMetadata

/// The segments of a JPEG that an output may have, by marker and owner.
///
/// Source: ITU-T T.81 table B.1; JFIF 1.02; Exif 2.32; C2PA 2.1; Ultra HDR 1.1; Google, Photo
/// Sphere XMP Metadata.
enum JPEGAllowList {
  static let scan = "scan data"
  static let profile = "APP2 ICC_PROFILE"

  private typealias Part = AllowList<String>.Part

  static let list = AllowList(
    isOrdered: false,
    [
      Part("APP0 JFIF", .rewritten, "version 1.01, the ratio of pixels that are not square", 14...14),
      Part("APP1 Exif", .rewritten, "orientation 2 to 8, and what `except` keeps"),
      Part("APP1 XMP", .rewritten, XMPProjection.part + "; with a gain map, its directory"),
      Part("APP2 MPF", .excepted, "with `hdrGainMap`: where it is"),
      Part("APP2 gain map", .excepted, "with `hdrGainMap`: its numbers (ISO 21496-1)"),
      Part("APP14 Adobe", .rewritten, "the color transform", 12...12),
      Part(profile, .rewritten, "the color profile", isRepeated: true),
      Part(JPEGContentCredentials.name, .excepted, "APP11, the same bytes", isRepeated: true),
    ] + tables + [
      Part("SOS", .copied, "its parameters", isRepeated: true),
      Part(scan, .copied, "the picture", isRepeated: true),
      Part("DNL", .copied, "the height of a picture that had none before", 2...2),
      Part("EOI", .copied, "nothing", 0...0),
    ]
  )

  /// Segments of exactly the length that their content requires.
  private static let tables =
    ["DQT", "DHT", "DAC", "DRI"].map {
      Part($0, .copied, "tables that decoding needs", isRepeated: true)
    } + [0, 1, 2, 3, 9, 10, 11].map { Part("SOF\($0)", .copied, "size and components") }
}
