import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite(
  "Export --embed: copies that carry facts",
  .enabled(
    if: Has.magick && Has.exiftool && Tool.exists("exiv2") && Tool.exists("ffmpeg"),
    "no ImageMagick, exiftool, exiv2 or ffmpeg"
  )
)
struct EmbedTests {
  private static let all = "date,place,caption,keywords,rating"

  /// Pictures in several formats, and a film; a sidecar says everything of each.
  private func scene(policy: String = "keep") throws -> Scene {
    let scene = Scene(policy: policy)
    scene.manifest["catalogue"] = ["privateFacts": true]
    try scene.declare("library")
    let folder = "sources/library/"
    try scene.makeFolder(folder)
    for name in ["a.jpg", "b.png", "c.webp", "d.tif", "f.gif", "g.heic", "h.avif"] {
      try Independent.make(
        "convert",
        ["-size", "64x48", "gradient:red-blue", "-colorspace", "sRGB", scene.at(folder + name)]
      )
    }
    try scene.put(folder + "e.mp4", copyOf: Samples.video)
    // A file's own packet keeps what is not embedded.
    try Independent.make(
      "exiftool",
      [
        "-q", "-overwrite_original", "-XMP-dc:Source=Kept & <known>", "-XMP-xmp:Rating=1",
        "-XMP-dc:Description=Old", "-XMP-dc:Rights=Free <for> all", "-XMP-dc:Creator=Ann",
        scene.at(folder + "a.jpg"), scene.at(folder + "b.png"),
      ]
    )
    // A camera's Exif block has no place.
    try Independent.make(
      "exiftool",
      ["-q", "-overwrite_original", "-EXIF:Make=Camera", scene.at(folder + "g.heic")]
    )
    for name in ["a.jpg", "b.png", "c.webp", "d.tif", "e.mp4", "f.gif", "g.heic", "h.avif"] {
      try Independent.make(
        "exiftool",
        [
          "-q", "-o", scene.at(folder + name + ".xmp"),
          "-XMP-exif:DateTimeOriginal=2019:07:04 10:15:30+02:00", "-XMP-dc:Subject=sea",
          "-XMP-dc:Subject=a<b & c", "-XMP-xmp:Rating=4", "-XMP-dc:Description=Größe \"1\"",
          "-XMP-exif:GPSLatitude=48.1361", "-XMP-exif:GPSLongitude=-11.5",
        ]
      )
    }
    try scene.run().expect(0)
    return scene
  }

  private func export(_ scene: Scene, _ folder: String, _ arguments: String...) throws -> Outcome {
    try scene.command(["export", "Library", folder, "--layout", "{label}", "--format", "json"] + arguments)
  }

  private func tags(_ path: String) throws -> [String] {
    let names = ["Description", "Subject", "Rating", "GPSLatitude", "GPSLongitude"]
    let read = try Tool.run("exiftool", ["-s3", "-f", "-n"] + names.map { "-XMP:\($0)" } + [path])
    return read.output.split(separator: "\n").map(String.init)
  }

  /// The pixels as ImageMagick decodes them.
  private func pixels(_ path: String) throws -> String {
    try Tool.run("identify", ["-quiet", "-format", "%#", path]).output
  }

  /// The sums of all samples as FFmpeg reads them.
  private func samples(_ path: String) throws -> String {
    let options = ["-v", "error", "-i", path, "-map", "0", "-c", "copy", "-f", "streamhash", "-"]
    return try Tool.run("ffmpeg", options).output
  }

  private static let expected = ["Größe \"1\"", "sea, a<b & c", "4", "48.1361", "-11.5"]

  @Test("exiftool and exiv2 read what the library knows, and no pixel changes")
  func embeds() throws {
    let scene = try scene()
    let before = try scene.snapshot("Library")
    let outcome = try export(scene, "out", "--embed", Self.all)
    try outcome.expect(0)
    #expect(try scene.snapshot("Library") == before)
    for name in ["a.jpg", "b.png", "c.webp", "d.tif", "g.heic", "h.avif"] {
      let own = scene.at("sources/library/" + name)
      let copy = try scene.madePaths("out").first {
        $0.hasPrefix(name.prefix(2)) && !$0.hasSuffix(".xmp")
      }
      let path = scene.at("out/" + (try #require(copy)))
      #expect(try tags(path) == Self.expected, "\(name)")
      #expect(try pixels(path) == pixels(own), "\(name)")
      let date = try Tool.run("exiftool", ["-s3", "-DateTimeOriginal", path]).output
      #expect(date.hasPrefix("2019:07:04 10:15:30"), "\(name): \(date)")
      let other = try Tool.run("exiv2", ["-PXv", "-K", "Xmp.dc.subject", path])
      #expect(other.output.contains("sea, a<b & c"), "\(name): \(other)")
    }
    for name in ["a.jpg", "b.png"] {
      let source = try Tool.run("exiftool", ["-s3", "-XMP:Source", scene.at("out/" + name)])
      #expect(source.output == "Kept & <known>\n", "\(name)")
    }
    for name in ["d.tif", "g.heic", "h.avif"] {
      let path = try scene.madePaths("out").first { $0.hasPrefix(name.prefix(2)) } ?? ""
      let arguments = ["-s3", "-n", "-EXIF:GPSLatitude", "-EXIF:Make", scene.at("out/" + path)]
      let read = try Tool.run("exiftool", arguments).output
      #expect(read.hasPrefix("48.136"), "\(name): \(read)")
      #expect(read.hasSuffix("Camera\n") == (name == "g.heic"), "\(name): \(read)")
    }
    // A film plays as before.
    #expect(try tags(scene.at("out/e.mp4")) == Self.expected)
    let film = scene.at("sources/library/e.mp4")
    #expect(try samples(scene.at("out/e.mp4")) == samples(film))
    let keys = try Tool.run(
      "exiftool",
      [
        "-s3", "-n", "-Keys:GPSCoordinates", "-Keys:CreationDate", "-Keys:Keywords",
        "-Keys:Description", "-Keys:UserRating", scene.at("out/e.mp4"),
      ]
    )
    #expect(
      keys.output == """
        48.1361 -11.5
        2026:05:17 21:35:00+00:00
        sea,a<b & c
        Größe "1"
        4

        """
    )
    // A picture of another format has its facts beside it, and is named.
    let besides = try outcome.json()["besides"].array.compactMap { $0["path"].string }
    #expect(besides == ["f.gif"])
    #expect(try tags(scene.at("out/f.gif.xmp")) == Self.expected)
    #expect(
      try scene.madeFiles("out")["f.gif"]
        == Independent.sha256(scene.at("sources/library/f.gif"))
    )
    // Made again, nothing is written anew; with fewer facts, everything.
    #expect(try export(scene, "out", "--embed", Self.all).json()["isCurrent"].bool == true)
    try export(scene, "out", "--embed", "rating").expect(0)
    #expect(try tags(scene.at("out/c.webp")) == ["-", "-", "4", "-", "-"])
  }

  /// A library of pictures whose metadata exiftool wrote, and of sidecars beside some of them, which count first.
  private func dated(
    _ pictures: [(name: String, tags: [String], sidecarDate: String?)]
  ) throws -> Scene {
    let scene = Scene(policy: "keep")
    try scene.declare("library")
    scene.manifest["dates"] = ["sidecarFirst": true]
    let folder = "sources/library/"
    try scene.makeFolder(folder)
    for (index, (name, tags, sidecarDate)) in pictures.enumerated() {
      let path = scene.at(folder + name)
      // No two of them are the same file.
      let size = "\(64 + 2 * index)x48"
      try Independent.make("convert", ["-size", size, "gradient:red-blue", "-colorspace", "sRGB", path])
      try Independent.make("exiftool", ["-q", "-overwrite_original"] + tags + [path])
      guard let sidecarDate else { continue }
      try Independent.make(
        "exiftool",
        ["-q", "-o", path + ".xmp", "-XMP-exif:DateTimeOriginal=\(sidecarDate)"]
      )
    }
    try scene.run().expect(0)
    return scene
  }

  /// The values of tags as exiftool reads them, without spaces at their ends.
  private func values(_ path: String, _ names: [String]) throws -> [String] {
    let read = try Tool.run("exiftool", ["-a", "-s3", "-f"] + names.map { "-" + $0 } + [path])
    return read.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test("A date of digitizing stays where it is another than that of capture, in Exif and in XMP")
  func digitized() throws {
    let negative = [
      "-EXIF:DateTimeOriginal=1985:06:01 12:00:00", "-EXIF:CreateDate=2019:03:04 05:06:07",
      "-EXIF:OffsetTimeDigitized=+01:00",
    ]
    let photo = [
      "-EXIF:DateTimeOriginal=2019:07:04 10:00:00", "-EXIF:CreateDate=2019:07:04 10:00:00",
      "-XMP-xmp:CreateDate=2019:07:04 10:00:00",
    ]
    let packet = ["-XMP-xmp:CreateDate=2019:03:04 05:06:07+01:00"]
    let both = packet + ["-XMP-exif:DateTimeOriginal=1985:06:01 12:00:00"]
    let corrected = "2020:01:05 12:00:00"
    let scene = try dated([
      ("film.jpg", negative, nil), ("phone.heic", negative, nil),
      ("own.jpg", negative + packet, nil), ("page.png", both, nil),
      ("moved.jpg", negative + packet, corrected), ("same.jpg", photo, corrected),
    ])
    try export(scene, "out", "--embed", "date").expect(0)
    let names = [
      "ExifIFD:DateTimeOriginal", "ExifIFD:CreateDate", "ExifIFD:OffsetTimeDigitized",
      "XMP-exif:DateTimeOriginal", "XMP-xmp:CreateDate",
    ]
    let (capture, scan) = ("1985:06:01 12:00:00", "2019:03:04 05:06:07")
    let expected = [
      "film.jpg": [capture, scan, "+01:00", capture, "-"],
      "phone.heic": [capture, scan, "+01:00", capture, "-"],
      "own.jpg": [capture, scan, "+01:00", capture, scan + "+01:00"],
      "page.png": ["-", "-", "-", capture, scan + "+01:00"],
      "moved.jpg": [corrected, scan, "+01:00", corrected, scan + "+01:00"],
      "same.jpg": [corrected, corrected, "-", corrected, corrected],
    ]
    for (name, values) in expected {
      #expect(try self.values(scene.at("out/" + name), names) == values, "\(name)")
    }
  }

  @Test("A date that changes keeps no offset, fraction or time of day that belonged to another one")
  func partsOfDates() throws {
    let photo = [
      "-EXIF:DateTimeOriginal=2019:07:04 10:00:00", "-EXIF:OffsetTimeOriginal=+02:00",
      "-EXIF:SubSecTimeOriginal=99",
    ]
    let scene = try dated([
      ("moment.jpg", photo, "2020:01:05 12:00:00"),
      ("zone.jpg", photo, "2020:01:05 12:00:00-05:00"), ("day.jpg", photo, "2020:01:05"),
      ("today.jpg", photo, "2019:07:04"), ("own.jpg", photo, nil),
      ("phone.heic", photo, "2020:01:05"),
    ])
    try export(scene, "out", "--embed", "date").expect(0)
    let names = [
      "ExifIFD:DateTimeOriginal", "ExifIFD:OffsetTimeOriginal", "ExifIFD:SubSecTimeOriginal",
      "XMP-exif:DateTimeOriginal",
    ]
    let (own, other) = ("2019:07:04 10:00:00", "2020:01:05 12:00:00")
    let expected = [
      "moment.jpg": [other, "", "", other], "zone.jpg": [other, "-05:00", "", other + "-05:00"],
      "day.jpg": ["2020:01:05   :  :", "", "", "2020:01:05"],
      "today.jpg": [own, "+02:00", "99", own + ".99+02:00"],
      "own.jpg": [own, "+02:00", "99", own + ".99+02:00"],
      "phone.heic": ["2020:01:05   :  :", "", "", "2020:01:05"],
    ]
    for (name, values) in expected {
      #expect(try self.values(scene.at("out/" + name), names) == values, "\(name)")
    }
    // A day with a blank time of day is read as the day alone.
    let again = Scene(policy: "keep")
    try again.declare("library")
    try again.put("sources/library/day.jpg", copyOf: scene.at("out/day.jpg"))
    try again.run().expect(0)
    let rows = "SELECT creationDate, creationDateOffsetMinutes, creationDateTag FROM assets"
    #expect(try again.catalogue(rows) == ["2020-01-05||DateTimeOriginal"])
  }

  @Test("A converted picture carries the facts, and a bag of the copies is whole")
  func converted() throws {
    let scene = try scene()
    let facts = Self.all + ",copyright"
    try export(scene, "out", "--convert", "jpeg", "--embed", facts, "--bag").expect(0)
    let rights = try Tool.run(
      "exiftool",
      ["-s3", "-XMP:Rights", "-XMP:Creator", scene.at("out/data/b.jpg")]
    )
    #expect(rights.output == "Free <for> all\nAnn\n", "\(rights.output)")
    for name in ["b", "c", "d"] {
      #expect(try tags(scene.at("out/data/\(name).jpg")) == Self.expected, "\(name)")
      let outcome = try Tool.run(
        "exiftool",
        ["-s3", "-n", "-EXIF:GPSLatitude", scene.at("out/data/\(name).jpg")]
      )
      #expect(outcome.output.hasPrefix("48.136"), "\(outcome.output)")
    }
    let check = try Tool.run(
      "sha256sum",
      ["--check", "--strict", "manifest-sha256.txt"],
      in: scene.at("out")
    )
    #expect(check.status == 0, "\(check.output)")
  }

  @Test("What strip took away is written only with --private-facts")
  func isPrivate() throws {
    let scene = try scene(policy: "strip")
    try export(scene, "out", "--embed", Self.all).expect(0)
    #expect(try tags(scene.at("out/a.jpg")) == ["-", "-", "-", "-", "-"])
    try export(scene, "private", "--embed", Self.all, "--private-facts").expect(0)
    #expect(try tags(scene.at("private/a.jpg")) == Self.expected)
    #expect(try tags(scene.at("private/f.gif.xmp")) == Self.expected)
  }

  @Test("Links, thumbnails alone and words that are no facts are refused")
  func mistakes() throws {
    let scene = Scene()
    for arguments in [
      ["--embed", "people"], ["--embed", ""], ["--embed", "date", "--as", "symlink"],
      ["--embed", "date", "--as", "hardlink"],
      ["--embed", "date", "--without-originals", "--thumbnails", "grid"],
    ] {
      let refused = try Scene.program(["export", "Library", "no"] + arguments, in: scene.path)
      #expect(refused.code == 64, "\(arguments): \(refused.streams)")
    }
    let misspelt = ["export", "Library", "no", "--embed", "date,captoin"]
    let refused = try Scene.program(misspelt, in: scene.path)
    let factNames = "date, place, caption, keywords, rating, copyright"
    #expect(refused.error.contains("\"captoin\" is no fact; there are \(factNames)."))
  }
}
