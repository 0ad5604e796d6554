/// The top-level boxes of a movie, in order.
///
/// Source: ISO/IEC 14496-12 section 6.2.3; Apple, QuickTime File Format, movie files.
package struct MovieFile {
  /// The kind of a top-level box.
  package enum Kind {
    case ftyp, moov, moof, mdat, sidx, mfra
    /// A C2PA manifest store.
    case credentials
    /// Any box that playback does not need.
    case other
  }

  /// A top-level box.
  package struct Part {
    /// The kind of the box.
    package var kind: Kind
    /// The box.
    package var box: ISOBox
  }

  /// The maximum number of boxes, for which a worker has memory; a day in fragments of one second
  /// has three for each.
  private static let maximumParts = 1 << 21

  /// The boxes in file order.
  package var parts: [Part] = []
  /// The range after the last box.
  package var trailer: Range<Int>

  /// Parses the top-level boxes of a movie.
  ///
  /// - Throws: `damaged` when the file ends within its media data or has no moov or two;
  ///   `stripUnsupported` for a file that only references other files.
  package init(of source: ByteSource) throws(MetadataError) {
    var end = 0
    var seen: Set<Kind> = []
    for box in ISOBoxes(source, in: 0..<source.length, limit: .max) {
      // A second file follows the first, such as the video of a motion photo.
      if box.type == "ftyp", seen.contains(.moov) || seen.contains(.ftyp) { break }
      let kind = Self.kind(of: box, in: source)
      if kind == .moov, seen.contains(.moov) { throw MetadataError(.damaged, "a second moov") }
      seen.insert(kind)
      guard parts.count < Self.maximumParts else {
        throw MetadataError(.overLimit, "more than \(Self.maximumParts) boxes")
      }
      parts.append(Part(kind: kind, box: box))
      end = box.range.upperBound
    }
    trailer = end..<source.length
    if let type = source.code(at: end + 4), ["mdat", "moov", "moof"].contains(type) {
      let detail = "the file ends within \(type.displayName)"
      throw MetadataError(.damaged, detail, length: source.uint32(at: end), at: end)
    }
    guard seen.contains(.moov) else { throw MetadataError(.damaged, "no moov") }
  }

  /// The only moov box.
  package var moov: ISOBox? { parts.first { $0.kind == .moov }?.box }

  private static func kind(of box: ISOBox, in source: ByteSource) -> Kind {
    switch box.type {
    case "ftyp": .ftyp
    case "moov": .moov
    case "moof": .moof
    case "mdat": .mdat
    case "sidx": .sidx
    case "mfra": .mfra
    case "uuid" where source.holds(HEIFContainer.credentialsIdentifier, at: box.body.lowerBound):
      .credentials
    default: .other
    }
  }

  /// Returns the display name of a removed top-level box.
  package static func name(of box: ISOBox, in source: ByteSource) -> String {
    if box.type == "uuid", source.holds(xmpIdentifier, at: box.body.lowerBound) {
      return "uuid XMP"
    }
    return "\(box.type.displayName) box"
  }

  /// The UUID of a box with an XMP packet.
  ///
  /// Source: Adobe XMP specification part 3, section 1.2.7.1.
  package static let xmpIdentifier: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]
}

/// The brands of an output: those that a player needs, and no private brands.
///
/// Source: ISO/IEC 14496-12 section 4.3; mp4ra.org, brands.
package enum MovieBrands {
  private static let maximumBrands = 64

  private static let allowed: Set<FourCharacterCode> = [
    "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "isoa", "isob", "isoc",
    "mp41", "mp42", "mp71", "avc1", "hvc1", "hev1", "av01", "vp09", "dash", "msdh", "msix", "cmfc",
    "cmf2", "qt  ", "M4A ", "M4B ", "M4V ", "dby1", "mmp4", "MSNV",
    "3gp4", "3gp5", "3gp6", "3gp7", "3gp8", "3gp9", "3ge6", "3ge7", "3gg6", "3gr6", "3gs6", "3gs7",
    "3g2a", "3g2b", "3g2c", "kddi",
  ]

  /// Returns the ftyp box of the output.
  package static func ftyp(
    _ box: ISOBox,
    of source: ByteSource
  ) throws(MetadataError) -> [UInt8] {
    var fields = ISOFields(source, box.body, "ftyp")
    let major = try fields.code()
    _ = try fields.number(4)
    var brands: [FourCharacterCode] = []
    while fields.left >= 4, brands.count < maximumBrands {
      let brand = try fields.code()
      if allowed.contains(brand), !brands.contains(brand) { brands.append(brand) }
    }
    // The format of the output must be detected as that of the source was.
    var first = major
    if !allowed.contains(major) { first = isAudio(major) ? "M4A " : brands.first ?? "isom" }
    return ISOWriter.box("ftyp", first.bytes + [0, 0, 0, 0] + brands.flatMap(\.bytes))
  }

  private static func isAudio(_ brand: FourCharacterCode) -> Bool { brand == "M4P " }
}
