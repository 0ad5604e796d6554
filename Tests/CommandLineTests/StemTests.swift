import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// Names that an export or a label gives, read again as programs read them: by stems.
@Suite("A stem binds files", .enabled(if: Has.exiftool && Has.sqlite, "no exiftool or sqlite3"))
struct StemTests {
  private func put(_ scene: Scene, _ name: String, rating: Int? = nil) throws {
    let photo = try Media.photo(name)
    let file = try scene.put(
      "sources/library/" + name,
      name.hasSuffix(".NEF") ? RawUnderStripTests.raw(photo) : photo
    )
    try Independent.make(
      "exiftool",
      ["-q", "-overwrite_original", "-DateTimeOriginal=2019:07:04 10:15:30", file]
    )
    if let rating { try sidecar(scene, String(name.prefix { $0 != "." }) + ".xmp", rating) }
  }

  private func sidecar(_ scene: Scene, _ name: String, _ rating: Int) throws {
    try Independent.make(
      "exiftool",
      [
        "-q", "-o", scene.at("sources/library/" + name), "-XMP-xmp:Rating=\(rating)",
        "-XMP-dc:Description=of \(name)",
      ]
    )
  }

  /// Pictures of several cameras whose names are the same: pairs of a raw file and a JPEG, each of both with a sidecar once,
  /// an edited picture twice, a burst, and a live photo.
  private func scene() throws -> Scene {
    let scene = Scene(policy: "keep")
    try scene.declare("library")
    try put(scene, "a/DSC_1.JPG")
    try put(scene, "a/DSC_1.NEF", rating: 3)
    try put(scene, "b/DSC_1.JPG", rating: 5)
    try put(scene, "c/dsc_1.NEF")
    try put(scene, "d/DSC_1.JPG")
    try put(scene, "d/DSC_1.NEF")
    for folder in ["e", "f"] {
      try put(scene, folder + "/IMG_1234.JPG")
      try put(scene, folder + "/IMG_E1234.JPG", rating: 4)
    }
    for name in ["001", "002_COVER", "003"] { try put(scene, "h/IMG_20190704_101530_BURST\(name).jpg") }
    let (still, movie) = try Media.livePhoto("pair")
    try scene.put("sources/library/g/IMG_1234.JPG", still)
    try scene.put("sources/library/g/IMG_1234.MOV", movie)
    try scene.run().expect(0)
    return scene
  }

  /// Each asset with its files, its rating and its caption, and the cover of its stack, whatever the files are called.
  private func assets(_ scene: Scene) throws -> [String] {
    try scene.catalogue(
      """
      SELECT (
          SELECT group_concat(role || ' ' || sha256) FROM (
            SELECT role, sha256 FROM resources WHERE asset = assets.id AND superseded = 0
              AND role IN ('photo', 'video', 'pairedVideo') ORDER BY sha256)),
        rating, caption, (
          SELECT stacks.kind || ' ' || cover.sha256 FROM stacks JOIN resources AS cover
            ON cover.asset = stacks.cover AND cover.role = 'photo' AND cover.superseded = 0
          WHERE stacks.asset = assets.id)
      FROM assets WHERE superseded = 0 ORDER BY 1
      """
    )
  }

  @Test(
    "An export that is imported again has the same pairs, stacks, ratings and captions",
    arguments: [
      [], ["--layout", "{label}"], ["--layout", "{number}"], ["--layout", "{source}/{number:4} {label}"],
      ["--layout", "{created:yyyy}/{label}"], ["--neutral"], ["--neutral", "--layout", "{label}"],
      ["--layout", "{label}", "--original-extensions"], ["--layout", "{number}", "--motion", "split"],
    ]
  )
  func again(options: [String]) throws {
    let scene = try scene()
    let before = try assets(scene)
    #expect(before.count == 14)
    #expect(before.count { $0.contains("|burst ") } == 3)
    #expect(before.count { $0.contains("|formats ") } == 4 && before.count { $0.contains("|edited ") } == 4)
    try scene.command(["export", "Library", "out"] + options).expect(0)
    let again = try scene.importedAgain("out")
    let paths = try scene.madePaths("out")
    #expect(try assets(again) == before, "\(paths)")
  }

  @Test("Files of different assets share no stem, and those of a stack have one, with one number")
  func names() throws {
    let scene = try scene()
    /// The extensions of the files of each stem.
    func stems(_ folder: String, _ layout: String) throws -> [String: String] {
      try scene.command("export", "Library", folder, "--layout", layout).expect(0)
      return Dictionary(grouping: try scene.madePaths(folder)) { String($0.prefix { $0 != "." }) }
        .mapValues { $0.compactMap { $0.split(separator: ".").last }.sorted().joined(separator: " ") }
    }
    let labels = try stems("out", "{label}")
    #expect(Set(labels.keys.map { $0.lowercased() }).count == labels.count)
    #expect(
      labels.values.sorted() == [
        "jpg", "jpg", "jpg", "jpg", "jpg", "jpg mov", "jpg nef", "jpg nef xmp", "jpg xmp", "jpg xmp",
        "jpg xmp", "nef",
      ]
    )
    #expect(labels.keys.count { $0.hasSuffix("-edited") || $0 == "IMG_E1234" } == 2, "\(labels)")
    let numbers = try stems("numbers", "{number}")
    #expect(numbers.values.sorted() == labels.values.sorted())
    let edited = numbers.keys.filter { $0.hasSuffix("-edited") }
    #expect(edited.count == 2 && edited.allSatisfy { numbers[String($0.dropLast(7))] == "jpg" }, "\(numbers)")
    let others = Set(numbers.keys).subtracting(edited)
    #expect(Set(others.compactMap { Int($0.prefix { $0 != "_" }) }) == Set(1...8), "\(numbers)")
    #expect(others.count { $0.contains("_BURST00") } == 3 && others.count == 10, "\(numbers)")
  }

  @Test("A converted picture keeps its sidecar, and so does one that could not be converted")
  func converted() throws {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([])
    try scene.declare("library")
    try scene.put("sources/library/shot.png", copyOf: Samples.png)
    try sidecar(scene, "shot.png.xmp", 4)
    try scene.put("sources/library/large.png", Bombs.png(side: 10_000))
    try sidecar(scene, "large.png.xmp", 5)
    try scene.run().expect(0)
    let arguments = ["export", "Library", "out", "--layout", "{label}", "--convert", "jpeg"]
    try scene.command(arguments).expect(3)
    #expect(try scene.madePaths("out") == ["large.png", "large.png.xmp", "shot.jpg", "shot.jpg.xmp"])
    let again = try scene.importedAgain("out")
    let rows = "SELECT label, rating, caption FROM assets ORDER BY 1"
    #expect(try again.catalogue(rows) == ["large|5|of large.png.xmp", "shot|4|of shot.png.xmp"])
    #expect(try again.catalogue(rows) == scene.catalogue(rows))
  }

  @Test(
    "A burst that its names alone told is one in the copy, also where labels are numbers",
    arguments: [true, false]
  )
  func burstOfNumbers(isNeutral: Bool) throws {
    let scene = Scene(policy: "keep")
    try scene.declare("library")
    scene.manifest["labels"] = isNeutral ? ["neutral": true] : ["template": "Trip {number:3}"]
    for name in ["001", "002_COVER", "003"] { try put(scene, "IMG_20190704_101530_BURST\(name).jpg") }
    try scene.run().expect(0)
    #expect(try assets(scene).count { $0.contains("|burst ") } == 3)
    try scene.command("export", "Library", "out", "--layout", "{label}").expect(0)
    let paths = try scene.madePaths("out")
    #expect(paths.allSatisfy { $0.contains("_BURST00") }, "\(paths)")
    #expect(try assets(scene.importedAgain("out")) == assets(scene), "\(paths)")
  }

  @Test("Of two sidecars of a raw file that is converted, the one that counts is the same in the copy")
  func convertedTwice() throws {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([])
    try scene.declare("library")
    try put(scene, "DSC_1.JPG")
    try put(scene, "DSC_1.NEF")
    try sidecar(scene, "DSC_1.NEF.xmp", 3)
    try sidecar(scene, "DSC_1.xmp", 2)
    try scene.run().expect(0)
    try scene.command("export", "Library", "out", "--layout", "{label}", "--convert", "jpeg").expect(0)
    let again = try scene.importedAgain("out")
    let rows = "SELECT rating, caption FROM assets ORDER BY 1, 2"
    let paths = try scene.madePaths("out")
    #expect(try scene.catalogue(rows) == ["|", "3|of DSC_1.NEF.xmp"])
    #expect(try again.catalogue(rows) == scene.catalogue(rows), "\(paths)")
  }

  @Test("What is one stack by its names has one number in its labels", arguments: [true, false])
  func numbers(isNeutral: Bool) throws {
    let scene = Scene(policy: "keep")
    try scene.declare("library")
    scene.manifest["labels"] = isNeutral ? ["neutral": true] : ["template": "Trip {number:3}"]
    let names = [
      "DSC_1.JPG", "DSC_1.NEF", "DSC_2.JPG", "IMG_1234.JPG", "IMG_E1234.JPG", "x-edited.JPG", "x.JPG",
      "y.JPG",
    ]
    for name in names { try put(scene, name) }
    try sidecar(scene, "DSC_1.JPG.xmp", 4)
    try scene.put("sources/library/y.png", copyOf: Samples.png)
    let dry = try scene.run("--dry-run").json()["items"].array
    let planned = dry.compactMap { $0["expected"]["label"].string }
    try scene.run().expect(0)
    let labels = try scene.catalogue(
      """
      SELECT label FROM assets JOIN resources ON asset = assets.id WHERE role = 'photo' ORDER BY sourcePath
      """
    )
    let words = [1, 1, 4, 5, 5, 7, 7, 9, 10].map {
      isNeutral ? "\($0)" : $0 < 10 ? "Trip 00\($0)" : "Trip 0\($0)"
    }
    #expect(labels == words && planned == words, "\(labels) \(planned)")
    // What an earlier version has labeled is exported under one name all the same.
    let raw = "(SELECT asset FROM resources WHERE format = 'nef')"
    _ = try scene.catalogue("UPDATE assets SET label = 'other' WHERE id IN \(raw)")
    try scene.command("export", "Library", "out", "--layout", "{label}").expect(0)
    #expect(try scene.madePaths("out").contains(words[0] + ".nef"))
  }
}
