import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// The values that `except` keeps, as programs find them that did not write them.
///
/// docs/metadata.md has the same table.
@Suite(
  "What except keeps is read by other programs",
  .serialized,
  .enabled(
    if: ["ffmpeg", "exiftool", "convert"].allSatisfy(Tool.exists),
    "no ffmpeg, exiftool or ImageMagick"
  )
)
struct KeptReadersTests {
  /// The files, by the extension of their format.
  private static let files: [String: String] = (try? make()) ?? [:]
  private static let folder = TemporaryFolder.untilExit()

  /// A text or a pattern of each value; the date's is its time of day, the place's its latitude as
  /// a program writes it.
  private static let patterns: [(name: String, pattern: String)] = [
    ("title", "Qtitle"), ("caption", "Qcaption"), ("copyright", "Qrights"),
    ("creator", "Qcreator"), ("make", "Qmake"), ("model", "Qmodel"), ("date", "11:06:46"),
    ("rating", "(?i)(rating|popularimeter|0x4746|IRTD|POPM)[^\\n]*[^0-9](4|196|204)"),
    ("location", "35\\.7143|35 ?deg 42' 51|35:1 |35°42'51"),
  ]

  private static var values: KeptMetadata {
    var values = KeptMetadata()
    (values.title, values.caption) = ("Qtitle", "Qcaption")
    (values.copyright, values.creator, values.rating) = ("Qrights", "Qcreator", 4)
    values.creationDate = CaptureDate(
      local: "2025-01-01T11:06:46",
      offsetMinutes: nil,
      tag: KeptMetadata.dateTag
    )
    return values
  }

  /// Makes a file of each format that says everything, and strips it but for that.
  private static func make() throws -> [String: String] {
    let sources = TemporaryFolder()
    let path = { (name: String) in "\(sources.path)/a.\(name)" }
    func run(_ tool: String, _ arguments: [String]) throws {
      let result = try Tool.run(tool, arguments)
      try #require(result.status == 0, "\(tool): \(result.error.prefix(300))")
    }
    let pictures = ["jpg", "png", "webp", "tif", "gif"]
    for name in pictures { try run("convert", ["-size", "64x48", "gradient:", path(name)]) }
    // One run for all sounds and one for all films, since ffmpeg takes long to start.
    var sounds = ["-v", "error", "-f", "lavfi", "-i", "sine=d=0.3"]
    let tags = [
      "title=Qtitle", "artist=Qcreator", "author=Qcreator", "copyright=Qrights",
      "comment=Qcaption", "description=Qcaption", "date=2025-01-01T11:06:46", "rating=4",
    ].flatMap { ["-metadata", $0] }
    for name in ["wav", "flac", "ogg", "m4a", "mp3"] {
      sounds += (["m4a", "mp3"].contains(name) ? [] : tags) + [path(name)]
    }
    try run("ffmpeg", sounds + tags + ["-write_id3v2", "1", path("aiff")])
    let bars = ["-v", "error", "-f", "lavfi", "-i", "testsrc=d=0.3:s=176x144"]
    try run("ffmpeg", bars + [path("mp4"), path("mov"), "-c:v", "h263", path("3gp")])
    let xmp = [
      "-XMP-dc:Title=Qtitle", "-XMP-dc:Description=Qcaption", "-XMP-dc:Rights=Qrights",
      "-XMP-dc:Creator=Qcreator", "-XMP-xmp:Rating=4",
    ]
    let exif = [
      "-Make=Qmake", "-Model=Qmodel", "-DateTimeOriginal=2025:01:01 11:06:46",
      "-GPSLatitude=35.7143", "-GPSLatitudeRef=N", "-GPSLongitude=139.7963", "-GPSLongitudeRef=E",
    ]
    let alone = [
      "-XMP-tiff:Make=Qmake", "-XMP-tiff:Model=Qmodel", "-XMP-exif:GPSLatitude=35.7143",
      "-XMP-exif:GPSLongitude=139.7963", "-XMP-exif:DateTimeOriginal=2025:01:01 11:06:46",
    ]
    let keys = [
      "-Keys:CreationDate=2025:01:01 11:06:46+09:00", "-Keys:Make=Qmake", "-Keys:Model=Qmodel",
      "-Keys:Title=Qtitle", "-Keys:Description=Qcaption", "-Keys:Copyright=Qrights",
      "-Keys:Author=Qcreator", "-Keys:UserRating=4", "-Keys:GPSCoordinates=35.7143, 139.7963, 7.4",
    ]
    let write = ["-q", "-m", "-overwrite_original"]
    try run("exiftool", write + xmp + exif + pictures.dropLast().map(path))
    try run("exiftool", write + xmp + alone + [path("gif")])
    try run("exiftool", write + keys + ["mp4", "mov", "m4a", "3gp"].map(path))
    var files: [String: String] = [:]
    let options = StripOptions(except: Set(MetadataException.allCases))
    for name in pictures + ["wav", "aiff", "flac", "ogg", "mp3", "mp4", "mov", "m4a", "3gp"] {
      var bytes = try readBytes(path(name))
      if name == "mp3" { bytes = (ID3Values.tag(values) ?? []) + bytes }
      guard let kind = format(of: bytes) else { continue }
      let output = "\(folder.path)/\(name).\(name)"
      try Data(try strip(bytes, kind, options).output).write(to: URL(fileURLWithPath: output))
      files[name] = output
    }
    return files
  }

  /// A program, what it prints of a file, and the values of each format that it does not find.
  struct Reader: CustomTestStringConvertible, Sendable {
    var name: String
    var arguments: [String]
    var missing: [String: Set<String>]
    var testDescription: String { name }
  }

  private static let all = Set(patterns.map(\.name))
  /// exiv2 reads the first text in a WAV up to 0.27.
  private static let readsWAV =
    (try? Tool.run("exiv2", ["--version"]))?.output.contains("exiv2 0.27") ?? false
  private static let sound: Set<String> = ["make", "model", "location"]
  /// The values that a format has no place for, or that no program here could plant.
  private static let unstated: [String: Set<String>] = [
    "mp3": sound, "flac": sound, "ogg": sound, "wav": sound.union(["rating"]),
    "aiff": sound.union(["rating"]),
  ]

  static let readers: [Reader] = [
    Reader(name: "exiftool", arguments: ["-a", "-G1", "-s", "-n"], missing: [:]),
    // exiv2 reads QuickTime's user data alone in movies, and the first text in a WAV.
    Reader(
      name: "exiv2",
      arguments: ["-pa"],
      missing: [
        "gif": all, "mp3": all, "aiff": all, "flac": all, "ogg": all, "mp4": all, "mov": all,
        "m4a": all, "3gp": all, "wav": readsWAV ? all.subtracting(["title"]) : all,
      ]
    ),
    Reader(
      name: "ffprobe",
      arguments: ["-v", "error", "-show_format", "-show_streams", "-show_frames"],
      missing: [
        "gif": all, "png": all, "jpg": ["title"], "webp": ["title"],
        "tif": ["title", "date", "location", "rating"], "mp3": ["rating"],
      ]
    ),
    Reader(
      name: "mediainfo",
      arguments: ["--Full"],
      missing: [
        "gif": all, "jpg": all, "png": all, "webp": all, "mp3": ["rating"],
        "tif": ["title", "copyright", "creator", "date", "location", "rating"],
      ]
    ),
  ].filter { Tool.exists($0.name) }

  @Test("Each program finds what it can read, in each format", arguments: readers)
  func reads(reader: Reader) throws {
    try #require(Self.files.count == 14)
    // Without all, the formats of which a program reads something.
    for (name, path) in Self.files.sorted(by: { $0.key < $1.key })
    where Amount.isAll || reader.missing[name] != Self.all {
      let text = try Tool.run(reader.name, reader.arguments + [path]).output
      let missing = Set(
        Self.patterns.filter { text.range(of: $0.pattern, options: .regularExpression) == nil }
          .map(\.name)
      )
      let expected = (reader.missing[name] ?? []).union(Self.unstated[name] ?? [])
      #expect(missing == expected, "\(name)")
    }
  }
}
