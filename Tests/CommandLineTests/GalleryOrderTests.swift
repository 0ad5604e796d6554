import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite(
  "The order of what a client looks at",
  .enabled(if: Has.exiftool && Has.magick, "no exiftool or no ImageMagick")
)
struct GalleryOrderTests {
  /// A library of pictures of one color each, with their dates and ratings.
  private func scene(_ pictures: [(name: String, date: String?, rating: Int)], policy: String = "keep") throws
    -> Scene
  {
    let scene = Scene(policy: policy)
    scene.setThumbnails([("grid", 256, 256, "aspectFit")])
    try scene.declare("library")
    try scene.makeFolder("sources/library")
    for (number, picture) in pictures.enumerated() {
      let file = scene.at("sources/library/\(picture.name).jpg")
      try Independent.makePicture(file, color: "rgb(\(50 * number + 20),90,60)", size: "640x480")
      let date = picture.date.map { ["-EXIF:DateTimeOriginal=\($0)"] } ?? []
      try Independent.make(
        "exiftool",
        ["-q", "-overwrite_original", "-n", "-XMP-xmp:Rating=\(picture.rating)"] + date + [file]
      )
    }
    try scene.run().expect(0)
    return scene
  }

  /// The titles of the pictures of a gallery's first page, in its order.
  private func titles(_ scene: Scene, _ options: String...) throws -> [String] {
    try scene.command(["gallery", "Library", "site"] + options).expect(0)
    let page = try String(contentsOfFile: scene.at("site/index.html"), encoding: .utf8)
    return page.components(separatedBy: "data-title=\"").dropFirst(2).map { String($0.prefix { $0 != "\"" }) }
  }

  /// The reds of the cells of a contact sheet's one row.
  private func sheet(_ scene: Scene, _ options: String...) throws -> [Int] {
    let fixed = ["--columns", "4", "--rows", "1", "--no-labels"]
    try scene.command(["contact-sheet", "Library", "sheet"] + fixed + options).expect(0)
    return try (0..<3).map { column in
      let part = "100x60+\(16 + 272 * column + 78)+\(16 + 98)"
      let format = ["-crop", part, "+repage", "-scale", "1x1!", "-format", "%[fx:round(255*u.r)]", "info:"]
      let result = try Tool.run("convert", [scene.at("sheet/page-001.jpg")] + format)
      return try #require(Int(result.output), "\(result.error)")
    }
  }

  private static func isNear(_ colors: [Int], _ expected: [Int]) -> Bool {
    zip(colors, expected).allSatisfy { abs($0 - $1) < 12 }
  }

  @Test("What was taken within seven days begins with the first, and anything else with the newest")
  func event() throws {
    let event = try scene([
      ("a", "2019:06:20 14:00:00", 1), ("c", "2019:06:20 09:00:00", 5), ("b", "2019:06:27 08:59:00", 3),
    ])
    #expect(try titles(event) == ["c", "a", "b"])
    #expect(try Self.isNear(sheet(event), [70, 20, 120]))
    #expect(try titles(event, "--sort", "creationDate:descending") == ["b", "a", "c"])
    #expect(try titles(event, "--sort", "rating:descending") == ["c", "b", "a"])
    #expect(try titles(event, "--sort", "label") == ["a", "b", "c"])
    #expect(try Self.isNear(sheet(event, "--sort", "label"), [20, 120, 70]))
    let page = try String(contentsOfFile: event.at("site/index.html"), encoding: .utf8)
    #expect(page.contains(">All photos</bdi>") && !page.contains("class=\"day\""))
    #expect(try titles(event, "--where", "label != 'b'") == ["c", "a"])
    let longer = try scene([
      ("a", "2019:06:20 14:00:00", 1), ("c", "2019:06:20 09:00:00", 5), ("b", "2019:06:27 09:01:00", 3),
    ])
    #expect(try titles(longer) == ["b", "a", "c"])
    #expect(try Self.isNear(sheet(longer), [120, 20, 70]))
    #expect(try titles(longer, "--where", "label != 'b'") == ["c", "a"])
  }

  @Test("A year alone is no event, and without dates both are in the order of names and tell nobody why")
  func undated() throws {
    let year = try scene([("a", "2019:06:20 14:00:00", 1), ("b", "2019:00:00 00:00:00", 1)])
    #expect(try titles(year) == ["a", "b"])
    let undated = try scene([("b", "2019:06:20 14:00:00", 1), ("c", nil, 5), ("a", nil, 3)], policy: "strip")
    #expect(try titles(undated) == ["a", "b", "c"])
    #expect(try Self.isNear(sheet(undated), [120, 20, 70]))
    let page = try String(contentsOfFile: undated.at("site/index.html"), encoding: .utf8)
    #expect(!page.contains("dates") && !page.contains("removed"))
  }

  @Test("A note is bounded, and is on the page")
  func note() throws {
    let scene = try scene([("a", nil, 1)])
    try scene.command("gallery", "Library", "site", "--note", "Dear Ann,\nchoose <10>.").expect(0)
    let page = try String(contentsOfFile: scene.at("site/index.html"), encoding: .utf8)
    #expect(page.contains("<p class=\"words\"><bdi>Dear Ann,\nchoose &lt;10&gt;.</bdi></p>"))
    let long = try scene.command("gallery", "Library", "site", "--note", String(repeating: "ä", count: 1_001))
    try long.expect(64)
    #expect(long.error.contains("it takes at most 1,000 characters."), "\(long.error)")
  }
}
