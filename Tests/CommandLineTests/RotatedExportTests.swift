import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite(
  "Copies of what a person has turned",
  .enabled(
    if: Has.magick && Has.exiftool && Has.sqlite && Tool.exists("ffprobe"),
    "no ImageMagick, exiftool, sqlite3 or ffprobe"
  )
)
struct RotatedExportTests {
  private static let pictures = ["a.jpg", "b.png", "c.webp", "d.tif", "f.gif", "g.heic", "h.avif"]

  /// Pictures in several formats and a film, each 64 or more pixels wide and less high.
  private func scene() throws -> Scene {
    let scene = Scene(policy: "keep")
    try scene.declare("library")
    let folder = "sources/library/"
    try scene.makeFolder(folder)
    for name in Self.pictures {
      try Independent.make(
        "convert",
        ["-size", "64x48", "gradient:red-blue", "-colorspace", "sRGB", scene.at(folder + name)]
      )
    }
    try Independent.make(
      "exiftool",
      ["-q", "-overwrite_original", "-n", "-IFD0:Orientation=6", scene.at(folder + "a.jpg")]
    )
    try scene.put(folder + "e.mp4", copyOf: Samples.video)
    try scene.run().expect(0)
    return scene
  }

  private func turn(_ scene: Scene, by degrees: Int, where condition: String = "1") throws {
    let query = "SELECT localIdentifier FROM assets WHERE \(condition) ORDER BY id"
    let assets = try scene.catalogue(query)
    #expect(!assets.isEmpty)
    try scene.command(["rotate", "Library"] + assets + ["--by", "\(degrees)"]).expect(0)
  }

  private func export(_ scene: Scene, _ folder: String, _ arguments: String...) throws -> Outcome {
    let outcome = try scene.command(
      ["export", "Library", folder, "--layout", "{label}", "--format", "json"] + arguments
    )
    try outcome.expect(0)
    return outcome
  }

  private func number(_ tag: String, _ path: String) throws -> String {
    try Tool.run("exiftool", ["-s3", "-n", "-" + tag, path]).output
  }

  /// The path of the copy of a source's file, whose ending may be another one.
  private func copy(_ scene: Scene, _ folder: String, of name: String) throws -> String {
    let path = try scene.madePaths(folder).first {
      $0.hasPrefix(name.prefix(2)) && !$0.hasSuffix(".xmp")
    }
    return scene.at(folder + "/" + (try #require(path, "\(name)")))
  }

  @Test("Other readers see each copy turned, no stored pixel changes, and nothing else is written")
  func copies() throws {
    let scene = try scene()
    try turn(scene, by: 90)
    let before = try scene.digests("Library/Originals")
    let outcome = try export(scene, "out", "--as", "hardlink")
    #expect(try scene.digests("Library/Originals") == before)
    for (name, orientation) in [("a.jpg", 3), ("b.png", 6), ("c.webp", 6), ("d.tif", 6)] {
      let path = try copy(scene, "out", of: name)
      #expect(try number("IFD0:Orientation", path) == "\(orientation)\n", "\(name)")
      let own = scene.at("sources/library/" + name)
      #expect(try Independent.pixels(path) == Independent.pixels(own), "\(name)")
      #expect(try number("XMP:all", path) == "", "\(name)")
      #expect(try Tool.run("stat", ["-c", "%h", path]).output == "1\n", "\(name)")
    }
    for name in ["g.heic", "h.avif"] {
      let path = try copy(scene, "out", of: name)
      // exiftool counts counterclockwise here; version 13 gives the number of quarters.
      #expect(["270\n", "3\n"].contains(try number("Rotation", path)), "\(name)")
      #expect(try Independent.size(path) == [48, 64], "\(name)")
    }
    let film = scene.at("out/e.mp4")
    #expect(try number("Rotation", film) == "90\n")
    let options = ["-v", "error", "-select_streams", "v:0", "-show_streams", film]
    #expect(try Tool.run("ffprobe", options).output.contains("rotation=-90\n"))
    // What has no place for it is as it was, is named, and has it beside.
    let besides = try outcome.json()["besides"].array.compactMap { $0["path"].string }
    #expect(besides == ["f.gif"])
    #expect(
      try scene.madeFiles("out")["f.gif"]
        == Independent.sha256(scene.at("sources/library/f.gif"))
    )
    #expect(try number("XMP-tiff:Orientation", scene.at("out/f.gif.xmp")) == "6\n")
  }

  @Test("Made again, nothing is written anew, and turned back, each file is the library's")
  func again() throws {
    let scene = try scene()
    try turn(scene, by: 180)
    _ = try export(scene, "out")
    #expect(try export(scene, "out").json()["isCurrent"].bool == true)
    try turn(scene, by: 90, where: "label = 'a'")
    let kept = try Tool.run("stat", ["-c", "%i", scene.at("out/b.png")]).output
    _ = try export(scene, "out")
    #expect(try Tool.run("stat", ["-c", "%i", scene.at("out/b.png")]).output == kept)
    // 6, and 270 degrees.
    #expect(try number("IFD0:Orientation", scene.at("out/a.jpg")) == "1\n")
    try turn(scene, by: 90, where: "label = 'a'")
    try turn(scene, by: 180, where: "label <> 'a'")
    _ = try export(scene, "out")
    let files = try scene.madeFiles("out")
    #expect(Set(files.values) == Set(try scene.originals().map(\.sha256)))
  }

  @Test("A converted picture is turned itself, and what it says of its orientation is nothing")
  func converted() throws {
    let scene = try scene()
    try turn(scene, by: 270)
    _ = try export(scene, "out", "--convert", "jpeg", "--sidecars", "xmp")
    for name in ["b", "c", "d", "f", "g", "h"] {
      let path = scene.at("out/\(name).jpg")
      #expect(try Independent.size(path) == [48, 64], "\(name)")
      #expect(try number("Orientation", path) == "", "\(name)")
      #expect(try number("XMP-tiff:Orientation", path + ".xmp") == "", "\(name)")
    }
    // A JPEG is none that is converted: 6, and 270 degrees.
    #expect(try number("IFD0:Orientation", scene.at("out/a.jpg")) == "1\n")
    #expect(try number("XMP-tiff:Orientation", scene.at("out/a.jpg.xmp")) == "1\n")
  }

  @Test("Both halves of a live photo are turned, and facts are written beside that")
  func livePhoto() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("library")
    try scene.put("sources/library/IMG_1.JPG", copyOf: Samples.still)
    try scene.put("sources/library/IMG_1.MOV", copyOf: Samples.movie)
    try scene.run().expect(0)
    try turn(scene, by: 90)
    _ = try export(scene, "out", "--embed", "date")
    #expect(try number("Rotation", scene.at("out/IMG_1.mov")) == "90\n")
    let still = scene.at("out/IMG_1.jpg")
    #expect(try number("IFD0:Orientation", still) == "6\n")
    #expect(try Independent.pixels(still) == Independent.pixels(Samples.still))
  }

  @Test("A gallery shows a picture turned, also its original")
  func gallery() throws {
    let scene = try scene()
    try turn(scene, by: 90)
    try scene.command("gallery", "Library", "web", "--originals").expect(0)
    let files = try scene.madePaths("web").filter { $0.hasSuffix(".jpg") }
    let originals = files.filter { $0.contains("originals/") }
    #expect(originals.count == 1)
    for path in originals {
      #expect(try number("IFD0:Orientation", scene.at("web/" + path)) == "3\n")
    }
  }

  @Test("A gallery counts a turned original among the files that say where they were taken")
  func places() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("library")
    let photo = try scene.put("sources/library/a.jpg", copyOf: Samples.photo(1))
    try Independent.make(
      "exiftool",
      [
        "-q", "-overwrite_original", "-GPSLatitude=48.858", "-GPSLatitudeRef=N",
        "-GPSLongitude=2.294", "-GPSLongitudeRef=E", photo,
      ]
    )
    try scene.run().expect(0)
    try turn(scene, by: 90)
    let outcome = try scene.command("gallery", "Library", "web", "--originals", "--format", "json")
    try outcome.expect(0)
    #expect(try outcome.json()["places"].int == 1, "\(outcome.output)")
  }
}
