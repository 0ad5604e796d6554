import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// The table of `docs/metadata.md`: what is left of texts that were planted, by us and by others.
@Suite(
  "The table of what is removed",
  .serialized,
  .enabled(if: MetadataTable.isWanted, "MEDIABATCH_TEST_ALL compares, MEDIABATCH_WRITE_TABLES writes")
)
struct MetadataTableTests {
  @Test("docs/metadata.md says what this run found")
  func table() throws {
    let folder = TemporaryFolder()
    let plants = CanaryPlant.all
    #expect(plants.count > 300)
    let columns = try Stripping.all.map { stripping in
      try MetadataTable.Column(stripping, over: plants, in: folder.path)
    }
    let ours = columns[0]
    #expect(!ours.results.contains(.left), "strip leaves what was planted")
    // Bytes behind the SOI leave no JPEG to be recognized.
    #expect(ours.results.count { $0 == .refused } == 1)
    let table = MetadataTable(rows: MetadataTable.rows(plants), columns: columns)
    if MetadataTable.isWriting {
      try table.write()
    } else {
      for difference in try table.differences() { Issue.record("\(difference)") }
    }
  }
}

/// One file with texts in one place, and how to see what is left of them.
struct CanaryPlant: Sendable {
  var format: String
  var carrier: String
  var fileExtension: String
  var bytes: [UInt8]
  /// Whether anything of what was planted stands in these bytes.
  var isIn: @Sendable ([UInt8]) -> Bool

  static let all: [CanaryPlant] = {
    let jpeg = CanariesJPEG.slots.map { ("JPEG", MediaFormat.jpeg, $0.description, $0.bytes) }
    let others = CanariesContainers.slots.map { slot in
      let words = slot.description.split(separator: " ", maxSplits: 1).map { String($0) }
      return (words[0], slot.format, words[1], slot.bytes)
    }
    let slots = (jpeg + others).filter { !Canaries.present(in: $0.3).isEmpty }.map { slot in
      CanaryPlant(
        format: slot.0,
        carrier: CanaryPlace.of(slot.2, in: slot.0),
        fileExtension: slot.1.fileExtension,
        bytes: slot.3,
        isIn: { !Canaries.present(in: $0).isEmpty }
      )
    }
    return slots
      + filled("HEIC", .heic, CanaryPlace.ofHEIF) { HEIFCanaryTests.still($0).bytes }
      + filled("AVIF", .avif, CanaryPlace.ofHEIF) { HEIFCanaryTests.avif($0).bytes }
      + filled("DNG", .dng, CanaryPlace.ofDNG) { DNGStripperTests.planted($0).bytes }
      + filled("MP4", .mp4, CanaryPlace.ofMovie) { MovieCanaryTests.planted($0).bytes }
      + sounds + films
  }()

  /// The same file for each of its places: its parts refer to one another.
  private static func filled(
    _ format: String,
    _ kind: MediaFormat,
    _ carrier: (String) -> String,
    _ make: (HEIFCanaryTests.Canaries) -> [UInt8]
  ) -> [CanaryPlant] {
    let canaries = HEIFCanaryTests.Canaries()
    let bytes = make(canaries)
    return canaries.texts.map { text in
      CanaryPlant(
        format: format,
        carrier: carrier(text),
        fileExtension: kind.fileExtension,
        bytes: bytes,
        isIn: { $0.contains(text) }
      )
    }
  }

  private static let sounds = SoundCanaries.slots.filter { !Canaries.present(in: $0.bytes).isEmpty }
    .map { slot in
      CanaryPlant(
        format: slot.format == .ogg ? "Ogg" : slot.format.rawValue.uppercased(),
        carrier: CanaryPlace.ofSound(String(slot.description.drop { $0 != " " }.dropFirst())),
        fileExtension: slot.format.fileExtension,
        bytes: slot.bytes,
        isIn: { !Canaries.present(in: $0).isEmpty }
      )
    }

  private static let films = StreamStripperTests.slots.map { slot in
    CanaryPlant(
      format: slot.format == .mkv ? "Matroska" : "AVI",
      carrier: CanaryPlace.ofFilm(slot.name),
      fileExtension: slot.format.fileExtension,
      bytes: slot.bytes,
      isIn: { $0.contains("CaNaRy") || $0.contains("a film") }
    )
  }.filter { $0.isIn($0.bytes) }
}

/// The row of the table that a slot belongs to.
enum CanaryPlace {
  static func of(_ slot: String, in format: String) -> String {
    let first = slot.prefix { $0 != " " }
    switch (format, first) {
    case ("JPEG", let name) where name.hasPrefix("APP"): return "application segments, comment"
    case ("JPEG", "IFD0"), ("JPEG", "ExifIFD"), ("JPEG", "GPS"), ("JPEG", "maker"):
      return "Exif: \(first == "maker" ? "maker note" : String(first)) tags"
    case ("JPEG", "IFD1"), ("JPEG", "Exif"),
      ("JPEG", "second") where slot != "second picture":
      return "Exif: thumbnail, slack, second block"
    case ("JPEG", "XMP"), ("JPEG", "ExtendedXMP"): return "XMP, ExtendedXMP"
    case ("JPEG", "ICC"): return "color profile"
    case ("JPEG", "8BIM"), ("JPEG", "IPTC"): return "Photoshop resources, IPTC"
    case ("JPEG", "JUMBF"), ("JPEG", "C2PA"): return "JUMBF, content credentials"
    case ("JPEG", "JFIF"), ("JPEG", "Adobe"): return "JFIF thumbnail, behind Adobe's transform"
    case ("JPEG", "between"), ("JPEG", "behind"): return "between segments and scans"
    case ("JPEG", _): return "behind the picture: trailer, second picture, movie"
    case ("PNG", "profile"), ("PNG", "profile's"), ("WebP", "profile"), ("BMP", "profile"):
      return "color profile"
    case ("PNG", "compressed"): return "compressed text"
    case ("PNG", "trailer"), ("PNG", "IEND"): return "behind the picture"
    case ("PNG", "behind"): return "behind the picture's zlib stream"
    case ("PNG", _): return "ancillary chunks"
    case ("GIF", "unused"), ("BMP", "unused"): return "unused colors"
    case ("GIF", "trailer"), ("WebP", "trailer"), ("BMP", "trailer"): return "behind the picture"
    case ("GIF", "behind"): return "behind a picture's last code"
    case ("GIF", _): return "extensions"
    case ("WebP", "within"), ("WebP", "first"), ("WebP", "ANIM's"), ("WebP", "picture"):
      return "within an animation"
    case ("WebP", _): return "chunks"
    case ("BMP", "padding"): return "padding of rows"
    case ("BMP", _): return "gaps, linked profile"
    case ("J2K", "trailer"), ("JP2", "trailer"), ("JXL", "trailer"): return "behind the picture"
    case ("J2K", _), ("JP2", "COM"): return "marker segments"
    case ("JP2", "profile"): return "color profile"
    case ("JP2", _), ("JXL", _): return "boxes"
    case ("TIFF", "tag"): return "tags"
    case ("TIFF", "Exif"), ("TIFF", "GPS"), ("TIFF", "SubIFD"): return "Exif, GPS and sub-IFDs"
    case ("TIFF", "reduced"), ("TIFF", "second"): return "tags of other pages"
    case ("TIFF", "JPEG"): return "segments of JPEG strips"
    case ("TIFF", _): return "bytes that no tag points to"
    default: break
    }
    return slot
  }

  private static let ofText: [(row: String, starts: [String])] = [
    ("metadata items", ["exif", "xmp", "mime", "uri-item", "uri-", "iptc", "c2pa", "gain-xmp"]),
    ("color profile", ["profile-name", "serial", "after-profile", "unknown-colr"]),
    (
      "thumbnails, mattes, gain map, burst",
      ["thumbnail", "depth", "gain-", "burst", "second-alpha"]
    ),
    (
      "units within coded pictures",
      [
        "prefix-sei", "filler", "t35", "nal-62", "delimiter", "sei-in", "padding", "frame-in",
        "long-", "reserved",
      ]
    ),
    (
      "properties and names",
      [
        "hdlr", "grid-name", "item-name", "after-", "udes", "unknown-property", "auxC", "crtt",
        "unused-property",
      ]
    ),
    ("bytes that nothing points to", ["slack", "trailer", "second-", "motion-video"]),
  ]

  static func ofHEIF(_ text: String) -> String {
    let name = text.dropFirst("canary-".count)
    return ofText.first { row in row.starts.contains { name.hasPrefix($0) } }?.row ?? "boxes"
  }

  static func ofDNG(_ text: String) -> String {
    let name = text.dropFirst("canary-".count)
    let outside = ["trailer", "behind-preview"].contains { name.hasPrefix($0) }
    return outside ? "bytes that no tag points to" : "tags, previews"
  }

  static func ofMovie(_ text: String) -> String {
    let name = text.dropFirst("canary-".count)
    let outside = ["slack", "trailer", "mdat", "free", "skip", "wide"].contains {
      name.hasPrefix($0)
    }
    if outside { return "bytes that nothing points to" }
    return name.hasPrefix("sample-") || name.hasPrefix("gpmd") ? "other tracks" : "boxes"
  }

  static func ofSound(_ slot: String) -> String {
    let outside = ["bytes", "behind", "before", "between", "a page"]
    if outside.contains(where: slot.hasPrefix) { return "between and behind frames" }
    let tags = ["ID3", "APE", "Lyrics", "TAG+", "tag", "omment", "OpusTags", "INFO"]
    if tags.contains(where: slot.contains) { return "tags, comments" }
    let headers = ["LAME", "description", "fmt", "fact", "COMM", "STREAMINFO", "name", "ds64"]
    return headers.contains(where: slot.contains) ? "headers" : "chunks, blocks, streams"
  }

  static func ofFilm(_ slot: String) -> String {
    let parts = slot.split(separator: "/")
    return parts.count > 1 ? "\(parts[0])" : "elements, chunks, gaps"
  }
}
