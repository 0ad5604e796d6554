import Foundation
import Glibc
import MediaSyntax
import MediaTestSupport
import Testing

@Suite(
  "Contact sheets: pages of small pictures",
  .enabled(if: Has.magick && Has.exiftool, "no ImageMagick or no exiftool")
)
struct ContactSheetTests {
  /// A library of this many pictures of two sources, each of one color.
  private func scene(_ count: Int) throws -> Scene {
    let scene = Scene(policy: "strip")
    scene.setThumbnails([("grid", 256, 256, "aspectFit")])
    scene.manifest["labels"] = ["template": "{originalName}"]
    try scene.declare("library")
    try scene.declare("camera")
    for number in 0..<count {
      let source = number.isMultiple(of: 2) ? "camera" : "library"
      let path = scene.at("sources/\(source)/p\(number).png")
      try Independent.makePicture(path, color: Self.color(number), size: "400x300")
    }
    try scene.run().expect(0)
    return scene
  }

  private static func color(_ number: Int) -> String {
    "rgb(\(number * 40 % 256),\(255 - number * 16 % 256),\(number * 90 % 256))"
  }

  private func sheet(_ scene: Scene, _ arguments: [String] = []) throws -> Outcome {
    try scene.command(
      ["contact-sheet", "Library", "sheet", "--sort", "label", "--format", "json"] + arguments
    )
  }

  /// Writes a text over the beginning of an asset's thumbnail; the catalogue gets its digest, so that a worker sees
  /// it.
  private func spoil(_ label: String, _ text: String, in scene: Scene) throws {
    let path = try #require(
      try scene.catalogue(
        """
        SELECT thumbnails.path FROM thumbnails JOIN assets ON assets.id = thumbnails.asset
        WHERE label = '\(label)'
        """
      ).first
    )
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: scene.at("Library/" + path)))
    try file.write(contentsOf: Array(text.utf8))
    try file.close()
    let digest = try Independent.sha256(scene.at("Library/" + path))
    _ = try scene.catalogue("UPDATE thumbnails SET sha256 = '\(digest)' WHERE path = '\(path)'")
  }

  /// The average color of a part of a page: red, green, blue.
  private func average(_ page: String, _ part: String) throws -> [Int] {
    let text = try Tool.run(
      "convert",
      [page, "-crop", part, "+repage", "-scale", "1x1!", "-depth", "8", "txt:-"]
    ).output
    let samples = text.split(separator: "(").dropFirst().first?.prefix { $0 != ")" } ?? ""
    return samples.split(separator: ",").compactMap { Double($0).map { Int($0) } }
  }

  @Test(
    "Each picture is in its cell, in the order of the list, and each page has the size of its layout"
  )
  func cells() throws {
    let scene = try scene(8)
    let outcome = try sheet(
      scene,
      [
        "--columns", "3", "--rows", "2", "--size", "128", "--spacing", "10", "--background",
        "#102030",
      ]
    )
    try outcome.expect(0)
    #expect(try outcome.json()["pages"].int == 2 && outcome.json()["assets"].int == 8)
    #expect(try scene.madePaths("sheet") == ["page-001.jpg", "page-002.jpg"])
    // Three cells and four spaces; two rows of a cell, a line of 15 pixels and a space, and one space.
    for page in 1...2 {
      let path = scene.at("sheet/page-00\(page).jpg")
      #expect(try Independent.size(path) == [3 * 128 + 40, 2 * (128 + 15 + 10) + 10])
      let tags = try Independent.exif(path).keys.filter {
        !["File:", "JFIF:", "Composite:", "ExifTool:"].contains(where: $0.hasPrefix)
      }
      #expect(tags.isEmpty, "\(tags)")
    }
    for number in 0..<8 {
      let (page, cell) = (number / 6 + 1, number % 6)
      let (left, top) = (10 + cell % 3 * 138, 10 + cell / 3 * 153)
      let path = scene.at("sheet/page-00\(page).jpg")
      // A picture of 400 to 300 in a square box: 128 to 96, with 16 pixels of the page above it.
      let color = try average(path, "100x80+\(left + 14)+\(top + 24)")
      let expected = [number * 40 % 256, 255 - number * 16 % 256, number * 90 % 256]
      #expect(zip(color, expected).allSatisfy { abs($0 - $1) < 8 }, "\(number): \(color) \(expected)")
      let above = try average(path, "100x12+\(left + 14)+\(top)")
      #expect(zip(above, [16, 32, 48]).allSatisfy { abs($0 - $1) < 8 }, "\(number): \(above)")
      // A label is on the page, in white on this color.
      let label = try average(path, "24x14+\(left + 52)+\(top + 129)")
      #expect(label[0] > 20, "\(label)")
    }
    // An empty cell has the color of the page alone.
    #expect(try average(scene.at("sheet/page-002.jpg"), "128x128+286+163")[0] < 20)
    #expect(try sheet(scene, ["--columns", "3", "--rows", "2"]).json()["isCurrent"].bool == false)
    #expect(try sheet(scene, ["--columns", "3", "--rows", "2"]).json()["isCurrent"].bool == true)
  }

  @Test("Where thumbnails are smaller than a box, pictures are made of originals for the pages")
  func madePictures() throws {
    let scene = Scene(policy: "strip")
    scene.setThumbnails([("grid", 32, 32, "aspectFit")])
    try scene.declare("library")
    for number in [1, 3] {
      let path = scene.at("sources/library/p\(number).png")
      try Independent.makePicture(path, color: Self.color(number), size: "400x300")
    }
    // It has the size of its thumbnail.
    let small = scene.at("sources/library/small.png")
    try Independent.makePicture(small, color: Self.color(5), size: "20x20")
    try scene.run().expect(0)
    let before = try scene.snapshot("Library")
    let outcome = try sheet(scene, ["--columns", "3", "--rows", "1", "--no-labels"])
    try outcome.expect(0)
    #expect(try outcome.json()["made"].int == 2 && outcome.json()["notMade"].array.isEmpty)
    let words = "Made 2 pictures of at most 256 px for the pages"
    #expect(outcome.error.contains(words), "\(outcome.error)")
    #expect(try scene.madePaths("sheet") == ["page-001.jpg"])
    #expect(try scene.snapshot("Library") == before)
    for (column, number) in [1, 3].enumerated() {
      // 256 to 192 in the middle of a square.
      let part = "240x176+\(16 + column * 272 + 8)+\(16 + 32 + 8)"
      let color = try average(scene.at("sheet/page-001.jpg"), part)
      let expected = [number * 40 % 256, 255 - number * 16 % 256, number * 90 % 256]
      #expect(zip(color, expected).allSatisfy { abs($0 - $1) < 8 }, "\(number): \(color)")
    }
    #expect(try sheet(scene, ["--columns", "3", "--rows", "1"]).code == 0)
  }

  @Test("A label means itself: no percent sign is a command, and a long one is cut in its middle")
  func labels() throws {
    let scene = Scene(policy: "strip")
    scene.setThumbnails([("grid", 256, 256, "aspectFit")])
    scene.manifest["labels"] = ["template": "{originalName}"]
    try scene.declare("library")
    let long = String(repeating: "long ", count: 20) + "end"
    for (name, color) in [("%w %h %f", "red"), ("@x \\n y", "lime"), (long, "blue")] {
      let path = scene.at("sources/library/\(name).png")
      try Independent.makePicture("png:" + path.replacing("%", with: "%%"), color: color)
    }
    try scene.run().expect(0)
    try sheet(scene, ["--columns", "3", "--rows", "1"]).expect(0)
    let page = scene.at("sheet/page-001.jpg")
    func width(of column: Int) throws -> Int {
      let left = 16 + column * 272
      let result = try Tool.run(
        "convert",
        [
          page, "-crop", "256x26+\(left)+273", "+repage", "-threshold", "60%", "-trim", "-format",
          "%w", "info:",
        ]
      )
      return try #require(Int(result.output), "\(result.error)")
    }
    func expected(_ text: String) throws -> Int {
      let font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
      let escaped = text.replacing("%", with: "%%").replacing("\\", with: "\\\\")
      let label = escaped.hasPrefix("@") ? "\\" + escaped : escaped
      let result = try Tool.run(
        "convert",
        [
          "-font", font, "-pointsize", "16", "-size", "400x40", "xc:white", "-annotate", "+5+25",
          label, "-threshold", "60%", "-trim", "-format", "%w", "info:",
        ]
      )
      return try #require(Int(result.output), "\(result.error)")
    }
    let labels = try scene.catalogue("SELECT label FROM assets ORDER BY label COLLATE NOCASE")
    #expect(labels.count == 3, "\(labels)")
    let listed = try scene.command("list", "Library", "--sort", "label", "--format", "json").json()
    let order = listed["assets"].array.compactMap { $0["label"].string }
    for (column, label) in order.enumerated() {
      let drawn = try width(of: column)
      if label.count > 30 {
        #expect((200...256).contains(drawn), "\(label): \(drawn)")
      } else {
        let width = try expected(label)
        #expect(abs(drawn - width) <= 3, "\(label): \(drawn), not \(width)")
      }
    }
  }

  @Test(
    "The PDF has the pages' own JPEGs, and neither dates nor a producer",
    .enabled(if: Tool.exists("pdfinfo") && Tool.exists("pdfimages"), "no poppler-utils")
  )
  func document() throws {
    let scene = try scene(5)
    try sheet(scene, ["--columns", "2", "--rows", "1", "--pdf"]).expect(0)
    let document = scene.at("sheet/contact-sheet.pdf")
    let information = try Tool.run("pdfinfo", [document])
    #expect(information.status == 0 && information.error.isEmpty, "\(information.error)")
    #expect(information.output.contains("Pages:           3"), "\(information.output)")
    for word in ["Producer", "Creator", "CreationDate", "ModDate", "Title"] {
      #expect(!information.output.contains(word + ":"), "\(information.output)")
    }
    try Independent.make("pdfimages", ["-j", document, scene.at("taken")])
    for page in 1...3 {
      let taken = try Independent.sha256(scene.at("taken-00\(page - 1).jpg"))
      #expect(try scene.madeFiles("sheet")["page-00\(page).jpg"] == taken)
    }
    // The table of objects is right, which readers otherwise mend without a word.
    let text = String(decoding: try readBytes(document), as: UTF8.self)
    let bytes = try readBytes(document)
    let start = try #require(Int(text.split(separator: "\n").dropLast().last ?? ""))
    #expect(bytes[start...].starts(with: Array("xref\n".utf8)))
    let table = String(decoding: bytes[start...], as: UTF8.self).split(separator: "\n")
    for (number, line) in table.dropFirst(3).prefix(11).enumerated() {
      let offset = try #require(Int(line.prefix(10)))
      #expect(bytes[offset...].starts(with: Array("\(number + 1) 0 obj\n".utf8)), "\(line)")
    }
    // A page of gray pictures is RGB too, as the PDF says.
    try Independent.makePicture(scene.at("sources/library/gray.png"), color: "gray50")
    try scene.run().expect(0)
    try sheet(scene, ["--where", "label CONTAINS 'gray'", "--pdf", "--no-labels"]).expect(0)
    let page = try Independent.exif(scene.at("sheet/page-001.jpg"))
    #expect(page["File:ColorComponents"] == "3", "\(page)")
  }

  @Test("A damaged thumbnail costs its own cell, and an asset without one has its label")
  func damaged() throws {
    let scene = try scene(4)
    try spoil("p1", "no picture at all", in: scene)
    let outcome = try sheet(scene, ["--columns", "4", "--rows", "1", "--neutral"])
    #expect(outcome.code == 3)
    #expect(try outcome.json()["notDrawn"].array.count == 1)
    #expect(outcome.streams.contains("was not drawn"))
    for number in 0..<4 {
      let color = try average(scene.at("sheet/page-001.jpg"), "100x80+\(16 + number * 272 + 78)+\(16 + 88)")
      let expected = [number * 40 % 256, 255 - number * 16 % 256, number * 90 % 256]
      let isDrawn = zip(color, expected).allSatisfy { abs($0 - $1) < 8 }
      #expect(isDrawn == (number != 1), "\(number): \(color)")
    }
    for wrong in [
      ["--columns", "0"], ["--columns", "100", "--size", "4096"], ["--rows", "0"],
      ["--size", "15"],
      ["--background", "red"], ["--spacing", "1001"], ["--rows", "2000"],
    ] {
      #expect(try sheet(scene, wrong).code == 64, "\(wrong)")
    }
  }

  @Test("When a worker dies at a picture, the page is drawn again with all others, each once")
  func liar() throws {
    let scene = try scene(9)
    for name in ["p2", "p5"] {
      try spoil(name, "LIE:\(name == "p2" ? "crash" : "thumbnailEndless") ", in: scene)
    }
    let outcome = Outcome(
      try Tool.run(
        try LyingWorker.program(),
        [
          "contact-sheet", "Library", "sheet", "--sort", "label", "--columns", "6", "--rows", "1",
          "--format", "json",
        ],
        environment: Scene.environment(in: scene.path),
        in: scene.path
      )
    )
    #expect(outcome.code == 3, "\(outcome.streams)")
    #expect(try outcome.json()["notDrawn"].array.count == 2)
    for (page, drawn) in [(1, 4), (2, 3)] {
      let text = String(decoding: try readBytes(scene.at("sheet/page-00\(page).jpg")), as: UTF8.self)
      #expect(text.contains("\(drawn) drawn"), "\(text)")
    }
  }

  @Test(
    "A worker that is killed costs no picture: its page is drawn again as it would have been",
    .enabled(if: Has.strace, "no strace")
  )
  func killed() throws {
    let scene = try scene(8)
    let command = [
      "contact-sheet", "Library", "sheet", "--sort", "label", "--columns", "4", "--rows", "1",
      "--format", "json",
    ]
    try scene.command(command).expect(0)
    let wanted = try scene.madeFiles("sheet")
    // Four pictures of each page, and two ends.
    for moment in Amount.some(3, of: Array(1...10)) {
      try FileManager.default.removeItem(atPath: scene.at("sheet"))
      let held = try HeldProgram(command, in: scene.path, calls: "sendmsg")
      for _ in 1...moment { _ = try #require(try held.next()) }
      let workers = held.workers
      try #require(!workers.isEmpty)
      for worker in workers { kill(worker, SIGKILL) }
      let outcome = try held.wait()
      #expect(outcome.code == 0, "\(moment): \(outcome.streams)")
      #expect(try outcome.json()["notDrawn"].array.isEmpty, "\(moment): \(outcome.streams)")
      #expect(try scene.madeFiles("sheet") == wanted, "\(moment)")
    }
  }
}
