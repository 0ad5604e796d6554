import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Each format that can carry a fact, by each kind of block: what exiftool finds in the published file, and nothing
/// else, the catalogue tells.
@Suite(
  "What a published file says, the catalogue says",
  .enabled(if: Has.exiftool && Has.ffmpeg && Has.sqlite, "no exiftool, ffmpeg or sqlite3")
)
struct PublishedFactsTests {
  /// A file: its format and the kind of what it says, with the arguments of exiftool, or of ffmpeg, that write it.
  private struct Medium {
    var name: String
    var tags: [String]
    /// What it has to say at least, lest a program that writes nothing pass.
    var words: Set<String>

    init(_ name: String, _ tags: [String], _ words: Set<String>) {
      (self.name, self.tags, self.words) = (name, tags, words)
    }

    var format: String { String(name.prefix { $0 != "-" }) }
  }

  private static let date = "2008:07:05 10:15:30"
  private static let exif = [
    "-ExifIFD:DateTimeOriginal=\(date)", "-IFD0:Make=Acme", "-IFD0:Model=One",
    "-ExifIFD:LensModel=Glass 50mm",
    "-IFD0:ImageDescription=Qcaption", "-IFD0:Rating=4", "-IFD0:XPKeywords=Qword", "-GPSLatitude=48.8583",
    "-GPSLatitudeRef=N", "-GPSLongitude=2.2945", "-GPSLongitudeRef=E",
  ]
  private static let xmp = [
    "-XMP-photoshop:DateCreated=\(date)", "-XMP-tiff:Make=Acme", "-XMP-tiff:Model=One",
    "-XMP-exifEX:LensModel=Glass 50mm", "-XMP-dc:Description=Qcaption", "-XMP-xmp:Rating=4",
    "-XMP-dc:Subject=Qword", "-XMP-iptcExt:PersonInImage=Qperson", "-XMP-exif:GPSLatitude=48.8583",
    "-XMP-exif:GPSLongitude=2.2945",
  ]
  private static let iptc = [
    "-IPTC:DateCreated=2008:07:05", "-IPTC:TimeCreated=10:15:30+00:00", "-IPTC:Caption-Abstract=Qcaption",
    "-IPTC:Keywords=Qword",
  ]
  private static let keys = [
    "-Keys:CreationDate=\(date)+02:00", "-Keys:Make=Acme", "-Keys:Model=One", "-Keys:Description=Qcaption",
    "-Keys:UserRating=4", "-Keys:GPSCoordinates=48.8583, 2.2945, 7",
  ]
  private static let matroska = metadata([
    "DATE_RECORDED=2008-07-05 10:15:30", "DESCRIPTION=Qcaption", "MAKE=Acme", "MODEL=One", "RATING=4",
    "LOCATION=+48.8583+002.2945/",
  ])
  private static let vorbis = metadata(["date=2008-07-05T10:15:30", "description=Qcaption", "RATING=4"])
  private static let info = metadata(["date=2008-07-05 10:15:30", "comment=Qcaption"])
  private static let id3 = metadata(["date=2008-07-05T10:15:30"])

  private static func metadata(_ texts: [String]) -> [String] { texts.flatMap { ["-metadata", $0] } }

  private static let date1: Set = ["creationDate"]
  private static let text2: Set = ["creationDate", "caption"]
  private static let film5: Set = ["creationDate", "caption", "camera", "rating", "latitude"]
  private static let all6 = film5.union(["lensModel"])

  private static let media: [Medium] =
    ["jpg", "png", "tif", "webp", "heic", "avif", "jp2"].flatMap {
      [Medium($0 + "-exif", exif, all6), Medium($0 + "-xmp", xmp, all6)]
    }
    + [
      Medium("gif-xmp", xmp, all6), Medium("psd-xmp", xmp, all6), Medium("jpg-iptc", iptc, text2),
      Medium("tif-iptc", iptc, text2),
      Medium("jpg-windows", ["-ExifIFD:DateTimeOriginal=\(date)", "-IFD0:XPComment=Qcaption"], text2),
      Medium("jpg-comment", ["-ExifIFD:UserComment=Qcaption"], ["caption"]),
      Medium("jpg-comment2", ["-ExifIFD:CreateDate=\(date)", "-XMP-exif:UserComment=Qcaption"], text2),
      Medium("jpg-digitized", ["-XMP-exif:DateTimeDigitized=\(date)"], date1),
      Medium("m4a-words", ["-ItemList:Keyword=Qword"], ["keywords"]),
      Medium("mkv-words", metadata(["KEYWORDS=Qword"]), ["keywords"]),
      Medium("png-texts", ["-PNG:CreationTime=\(date)", "-PNG:Description=Qcaption"], text2),
      Medium("mp4-keys", keys, film5), Medium("mov-keys", keys, film5), Medium("mp4-xmp", xmp, all6),
      Medium("mov-user", ["-UserData:DateTimeOriginal=\(date)+02:00"], date1),
      Medium("m4a-items", ["-ItemList:ContentCreateDate=\(date)", "-ItemList:Description=Qcaption"], text2),
      Medium("avi-info", info, text2), Medium("mkv-tags", matroska, film5),
      Medium("webm-tags", matroska, film5), Medium("mp3-id3", id3, date1), Medium("aiff-id3", id3, date1),
      Medium("flac-vorbis", vorbis, ["creationDate", "caption", "rating"]),
      Medium("ogg-vorbis", vorbis, ["creationDate", "caption", "rating"]), Medium("wav-info", info, text2),
    ]

  private static let pictures: Set = ["jpg", "png", "tif", "webp", "gif", "heic", "avif", "jp2", "psd"]
  /// Those that not every ImageMagick can write.
  private static let optional: Set = ["heic", "avif", "jp2"]

  /// The folder with the files that could be made, each with its own picture or sound.
  private static let made = Result { try make(media) }

  private static func make(_ media: [Medium]) throws -> (folder: TemporaryFolder, media: [Medium]) {
    let folder = TemporaryFolder.untilExit()
    let made = try media.enumerated().filter { number, medium in
      let path = folder.path + "/\(medium.name).\(medium.format)"
      var arguments = ["-v", "error", "-y", "-f", "lavfi", "-i"]
      if pictures.contains(medium.format) {
        let drawing = ["-size", "\(64 + 2 * number)x48", "gradient:", path]
        if try Tool.run("convert", drawing).status != 0 {
          try #require(optional.contains(medium.format), "\(medium.name)")
          return false
        }
      } else {
        let isFilm = ["mp4", "mov", "avi", "mkv", "webm"].contains(medium.format)
        arguments.append(isFilm ? "testsrc=d=0.2:s=\(64 + 2 * number)x48" : "sine=d=0.3:f=\(400 + number)")
        switch medium.format {
        case "mp4", "mov": arguments += ["-c:v", "mpeg4"]
        case "avi", "mkv": arguments += ["-c:v", "mjpeg"]
        case "webm": arguments += ["-c:v", "libvpx"]
        case "mp3": arguments += ["-id3v2_version", "4"]
        case "aiff": arguments += ["-write_id3v2", "1"]
        default: break
        }
        let isWritten = medium.tags.first == "-metadata"
        try Independent.make("ffmpeg", arguments + (isWritten ? medium.tags : []) + [path])
        if isWritten { return true }
      }
      try Independent.make("exiftool", ["-q", "-m", "-overwrite_original"] + medium.tags + [path])
      return true
    }
    return (folder, made.map(\.element))
  }

  private static let columns = [
    ("creationDate", "creationDate = '2008-07-05T10:15:30'"), ("camera", "camera = 'Acme One'"),
    ("lensModel", "lensModel = 'Glass 50mm'"), ("caption", "caption = 'Qcaption'"), ("rating", "rating = 4"),
    ("keywords", "keywords = '[\"Qword\"]'"), ("people", "people = '[\"Qperson\"]'"),
    ("latitude", "round(latitude, 4) = 48.8583 AND round(longitude, 4) = 2.2945 AND hasLocation"),
  ]

  /// What exiftool finds in a file.
  private func facts(inFile path: String) throws -> Set<String> {
    var words: Set<String> = []
    for (key, value) in try Independent.exif(path) {
      let moment = value.replacing("-", with: ":").replacing("T", with: " ")
      if moment.hasPrefix(Self.date) { words.insert("creationDate") }
      if value == "One" { words.insert("camera") }
      if value == "Glass 50mm" { words.insert("lensModel") }
      if value == "Qcaption" { words.insert("caption") }
      if key.hasSuffix("Rating"), value == "4" { words.insert("rating") }
      if value.contains("Qword") { words.insert("keywords") }
      if value.contains("Qperson") { words.insert("people") }
      if value.contains("48.858") { words.insert("latitude") }
    }
    return words
  }

  /// What the catalogue has of each asset, by its label; a value that is not the planted one is `wrong`.
  private func facts(inCatalogueOf scene: Scene) throws -> [String: Set<String>] {
    let values = Self.columns.map { name, condition in
      """
      CASE WHEN ifnull(\(name), '[]') = '[]' THEN '' WHEN \(condition) THEN '\(name)' ELSE 'wrong \(name)' END
      """
    }
    let rows = try scene.catalogue("SELECT label, \(values.joined(separator: ", ")) FROM assets")
    return Dictionary(
      uniqueKeysWithValues: rows.map { row in
        let fields = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        return (fields[0], Set(fields.dropFirst()).subtracting([""]))
      }
    )
  }

  private static let words = ["creationDate", "camera", "lens", "caption", "rating", "location"]
  private static let columnOfWord = ["lens": "lensModel", "location": "latitude"]

  @Test(
    "Under keep, and under strip with all words of except, with none, and with each of them",
    arguments: [["keep"], words, []] + words.map { [$0] }
  )
  func agreement(words: [String]) throws {
    let (folder, media) = try Self.made.get()
    let keeps = words == ["keep"]
    let scene = Scene(policy: keeps ? "keep" : nil)
    if !keeps {
      scene.manifest["metadata"] = ["policy": "strip", "except": .array(words.map { .string($0) })]
    }
    scene.setThumbnails([])
    try scene.declare("library")
    // A Photoshop document cannot be stripped.
    let published = media.filter { keeps || $0.format != "psd" }
    for medium in published {
      let file = "\(medium.name).\(medium.format)"
      try scene.put("sources/library/" + file, copyOf: folder.path + "/" + file)
    }
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": published.count])
    let allowed = Set(words.map { Self.columnOfWord[$0] ?? $0 })
    let paths = Dictionary(
      uniqueKeysWithValues: try scene.originals().map { original in
        (String(original.path.split(separator: "/").last?.prefix { $0 != "." } ?? ""), original.path)
      }
    )
    let catalogue = try self.facts(inCatalogueOf: scene)
    for medium in published {
      let path = try #require(paths[medium.name], "\(medium.name) of \(paths.keys)")
      let file = try self.facts(inFile: scene.library + "/Originals/" + path)
      #expect(file == catalogue[medium.name], "\(words) \(medium.name)")
      let wanted = keeps ? medium.words : medium.words.intersection(allowed)
      #expect(file.isSuperset(of: wanted), "\(words) \(medium.name): \(file)")
      if !keeps { #expect(file.isSubset(of: allowed), "\(words) \(medium.name): \(file)") }
    }
    // What a rebuild finds in the published files is what the run found in their sources.
    let rebuild = try scene.command("rebuild", "Library", "--format", "json")
    try rebuild.expect(0)
    #expect(try rebuild.rowDifferences().isEmpty, "\(words)")
    #expect(try self.facts(inCatalogueOf: scene) == catalogue)
  }

  @Test(
    "A title is the caption of a file without one, and no garbled comment is",
    arguments: ["keep", "strip"]
  )
  func titles(policy: String) throws {
    let scene = Scene(policy: nil)
    scene.manifest["metadata"] =
      policy == "keep" ? ["policy": "keep"] : ["policy": "strip", "except": ["caption"]]
    scene.setThumbnails([])
    try scene.declare("library")
    let titles = [
      ("a.jpg", ["-XMP-dc:Title=Qtitle"], "Qtitle"), ("b.jpg", ["-IPTC:ObjectName=Qtitle"], "Qtitle"),
      ("c.jpg", ["-IFD0:XPTitle=Qtitle"], "Qtitle"), ("d.png", ["-PNG:Title=Qtitle"], "Qtitle"),
      ("e.jpg", ["-XMP-dc:Title=Qtitle", "-ExifIFD:UserComment=Qcaption"], "Qcaption"),
      ("f.jpg", ["-ExifIFD:UserComment=Screenshot"], ""),
      ("g.jpg", ["-ExifIFD:UserComment=Größe 日本"], "Größe 日本"),
    ]
    for (number, (name, tags, _)) in titles.enumerated() {
      let file = scene.at("sources/library/" + name)
      try Independent.make("convert", ["-size", "\(64 + 2 * number)x48", "gradient:", file])
      try Independent.make("exiftool", ["-q", "-overwrite_original"] + tags + [file])
    }
    try scene.run().expect(0)
    let captions = try scene.catalogue("SELECT ifnull(caption, '-') FROM assets ORDER BY label")
    #expect(captions == titles.map { $0.2.isEmpty ? "-" : $0.2 })
    for (original, (name, _, caption)) in zip(try originals(scene), titles) where !caption.isEmpty {
      #expect(try Independent.exif(original).values.contains(caption), "\(name)")
    }
  }

  /// The published files by their labels.
  private func originals(_ scene: Scene) throws -> [String] {
    try scene.originals().map(\.path).sorted {
      ($0.split(separator: " ").last ?? "") < ($1.split(separator: " ").last ?? "")
    }
    .map { scene.library + "/Originals/" + $0 }
  }

  @Test("Of a film with a year alone no date is published, and none of its header that the year rules out")
  func years() throws {
    let scene = Scene(policy: nil)
    scene.manifest["metadata"] = ["policy": "strip", "except": ["creationDate"]]
    scene.setThumbnails([])
    try scene.declare("library")
    let header = "-QuickTime:CreateDate=2019:05:05 10:11:12"
    let media = [
      ("a.mp4", ["-XMP-photoshop:DateCreated=1978"], "|"), ("b.m4a", ["-XMP-xmp:CreateDate=1978:06"], "|"),
      ("c.mov", ["-XMP-photoshop:DateCreated=1978", header], "|"),
      ("d.mp4", ["-XMP-photoshop:DateCreated=2019", header], "2019-05-05T10:11:12|0"),
      ("e.png", ["-PNG:CreationTime=1978"], "1978|"),
      ("f.jpg", Self.iptc, "2008-07-05T10:15:30|"),
      ("g.m4a", ["-ItemList:ContentCreateDate#=1978", header], "|"),
      ("h.mkv", ["-metadata", "DATE_RECORDED=1978", "-metadata", "creation_time=2019-05-05T10:11:12Z"], "|"),
    ]
    for (number, (name, tags, _)) in media.enumerated() {
      let file = scene.at("sources/library/" + name)
      switch name.suffix(3) {
      case "png", "jpg":
        try Independent.make("convert", ["-size", "\(64 + 2 * number)x48", "gradient:", file])
      case "m4a": try Independent.make("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=d=0.3", file])
      default:
        let film = "testsrc=d=0.2:s=\(64 + 2 * number)x48"
        let arguments = ["-v", "error", "-f", "lavfi", "-i", film, "-c:v", "mpeg4"]
        try Independent.make("ffmpeg", arguments + (name == "h.mkv" ? tags : []) + [file])
      }
      if name != "h.mkv" { try Independent.make("exiftool", ["-q", "-overwrite_original"] + tags + [file]) }
    }
    try scene.run().expectCounts(["imported": media.count])
    let dates = "SELECT creationDate, creationDateOffsetMinutes FROM assets ORDER BY label"
    #expect(try scene.catalogue(dates) == media.map(\.2))
    for (original, (name, _, date)) in zip(try originals(scene), media) {
      let values = try Independent.exif(original).values
      let stated = values.filter { $0.hasPrefix("1978") || $0.hasPrefix("2019") }
      #expect(stated.isEmpty == (date == "|" || name == "f.jpg"), "\(name): \(stated)")
    }
  }

  @Test("A condition knows under strip what it knows under keep", arguments: ["keep", "strip"])
  func conditions(policy: String) throws {
    let scene = Scene(policy: policy)
    scene.setThumbnails([])
    let condition = "camera == 'Acme One' AND creationDate < 2009-01-01"
    try scene.declare("library", "authorized", ["fetch": ["predicate": .string(condition)]])
    for (number, tags) in [Self.xmp, ["-XMP-tiff:Model=Two"]].enumerated() {
      let file = scene.at("sources/library/\(number).jpg")
      try Independent.make("convert", ["-size", "\(64 + number)x48", "gradient:", file])
      try Independent.make("exiftool", ["-q", "-overwrite_original"] + tags + [file])
    }
    try scene.run().expectCounts(["imported": 1, "skipped": 1])
    #expect(try scene.catalogue("SELECT label FROM assets") == ["0"])
  }

  @Test("What a sidecar or a name says of a stripped file is a private fact alone")
  func others() throws {
    let scene = Scene(policy: nil)
    scene.manifest["metadata"] = [
      "policy": "strip", "except": ["creationDate", "caption", "rating", "location"],
    ]
    scene.manifest["catalogue"] = ["privateFacts": true]
    scene.setThumbnails([])
    try scene.declare("library")
    let file = scene.at("sources/library/IMG_20190704_101530.jpg")
    try Independent.make("convert", ["-size", "64x48", "gradient:", file])
    try Independent.make("exiftool", ["-q", "-overwrite_original", "-XMP-dc:Description=Qcaption", file])
    try Independent.make("exiftool", ["-q", "-o", file + ".xmp"] + Self.xmp + ["-XMP-dc:Description=Other"])
    try scene.run().expect(0)
    let row = "SELECT creationDate, caption, rating, latitude, hasLocation FROM "
    #expect(try scene.catalogue(row + "assets") == ["|Qcaption|||0"])
    let facts = try Tool.run(
      "sqlite3",
      [scene.library + "/private.sqlite", "SELECT creationDate, caption, rating FROM facts"]
    )
    #expect(facts.output == "2008-07-05T10:15:30|Other|4\n", "\(facts)")
  }
}
