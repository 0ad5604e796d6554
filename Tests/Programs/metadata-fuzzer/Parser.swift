internal import MediaCodecs
internal import MediaModel

/// The part that is fuzzed: a container, or a block, which is inserted into a JPEG; or another file that somebody
/// else may have written.
///
/// Fuzzing a block by itself reaches quickly what a mutation of a whole file would seldom reach.
enum Parser: String, CaseIterable {
  case jpeg, png, webp, gif, bmp, tiff, dng, heif, jp2, jxl, picture
  case exif, xmp, icc, iptc
  case movie, audio, film
  /// An archive of a Takeout, a JSON file of it, an XMP packet in a file of its own, and an AAE.
  case zip, takeout, sidecar, aae
  /// An archive of tar, and one that gzip has compressed.
  case tar, tgz
  /// A GPS track.
  case track
  /// A file of names of places.
  case places
  /// The database of a Photos library.
  case photos
  /// The files of a plan: the plan, the items of a shard, and a receipt.
  case plan
  /// The list of the files of an export.
  case export
  /// The configuration of a decoder of AVC or HEVC, and a store of content credentials.
  case parameters, credentials

  /// Returns the file for an input; nil for an input that this parser cannot use, and for a parser of no media.
  func file(_ input: UnsafeRawBufferPointer) -> [UInt8]? {
    switch self {
    case .jpeg, .webp, .gif, .bmp, .tiff, .dng, .heif, .jp2, .jxl, .picture, .movie, .audio, .film:
      Array(input)
    case .png: PNGChecksums.corrected(Array(input))
    case .exif: Self.jpeg(0xE1, "Exif\0\0", input)
    case .xmp: Self.jpeg(0xE1, "http://ns.adobe.com/xap/1.0/\0", input)
    case .icc: Self.jpeg(0xE2, "ICC_PROFILE\0\u{1}\u{1}", input)
    case .iptc: Self.jpeg(0xED, "Photoshop 3.0\0", input)
    case .zip, .tar, .tgz, .takeout, .sidecar, .aae, .track, .places, .photos, .plan, .export, .parameters,
      .credentials:
      nil
    }
  }

  /// Returns whether this parser handles files of `format`; others are skipped, so that each parser
  /// gets its share of time.
  func takes(_ format: MediaFormat) -> Bool {
    switch self {
    case .jpeg, .exif, .xmp, .icc, .iptc: format == .jpeg
    case .png: format == .png
    case .webp: format == .webp
    case .gif: format == .gif
    case .bmp: format == .bmp
    case .tiff: format == .tiff
    case .dng: format.isRaw
    case .heif: format == .heic || format == .avif
    case .jp2: format == .jp2 || format == .j2k
    case .jxl: format == .jxl
    case .picture: format.pictureHeader != nil
    case .movie: [.mp4, .mov, .threeGP, .m4a, .threeGA].contains(format)
    case .film:
      [.mkv, .webm, .mka, .weba, .avi, .ts, .m2ts, .mpg, .m2v, .dv, .flv].contains(format)
    case .audio: [.wav, .aiff, .flac, .mp3, .aac, .ogg, .ogv].contains(format)
    case .zip, .tar, .tgz, .takeout, .sidecar, .aae, .track, .places, .photos, .plan, .export, .parameters,
      .credentials:
      false
    }
  }

  /// Returns a gray picture of 8 × 8 pixels with one segment, or nil when the content is too long
  /// for one.
  private static func jpeg(
    _ marker: UInt8,
    _ identifier: String,
    _ block: UnsafeRawBufferPointer
  ) -> [UInt8]? {
    let length = 2 + identifier.utf8.count + block.count
    guard length <= 0xFFFF else { return nil }
    let lengths = [UInt8](repeating: 0, count: 15)
    var file: [UInt8] = [0xFF, 0xD8, 0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)]
    file += identifier.utf8
    file += block
    file += [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 16, count: 64)
    file += [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
    for table: UInt8 in [0x00, 0x10] { file += [0xFF, 0xC4, 0, 20, table, 1] + lengths + [0] }
    return file + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x3F, 0xFF, 0xD9]
  }
}

/// Corrects the checksum of each chunk of a PNG to match its content.
///
/// Otherwise nearly every mutation would fail at the first check.
enum PNGChecksums {
  static func corrected(_ file: [UInt8]) -> [UInt8] {
    var file = file
    var start = 8
    while start + 12 <= file.count {
      let length = file[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
      guard length <= file.count - start - 12 else { break }
      let end = start + 8 + length
      let sum = checksum(file[(start + 4)..<end])
      for offset in 0..<4 {
        file[end + offset] = UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * offset))
      }
      start = end + 4
    }
    return file
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in
      sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1
    }
  }

  /// Returns the CRC-32 of a chunk.
  ///
  /// Source: PNG (3rd edition) annex D.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
  }
}
