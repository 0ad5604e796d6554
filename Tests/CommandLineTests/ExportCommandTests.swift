import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Export: a library's files for other people", .enabled(if: Has.sqlite, "no sqlite3"))
struct ExportCommandTests {
  private func scene(policy: String = "keep") throws -> Scene {
    let scene = Scene(policy: policy)
    scene.setThumbnails([("grid", 256, 256, "aspectFit")])
    try scene.declare("library")
    scene.manifest["albums"] = ["fromFolders": true]
    for number in 1...4 {
      try scene.put(
        "sources/library/PlantedFolder/Inner/PlantedName\(number).jpg",
        try Media.photo("\(number)")
      )
    }
    try scene.put("sources/library/Other/PLANTEDname1.jpg", try Media.photo("other"))
    let pair = try Media.livePhoto("pair")
    try scene.put("sources/library/pair.jpg", pair.still)
    try scene.put("sources/library/pair.mov", pair.movie)
    try scene.run().expect(0)
    return scene
  }

  private let byAlbum = "{saved:yyyy}/{album}/{label}"

  @Test(
    "An asset counts when a file of it is in the folder",
    arguments: [[], ["--sidecars", "xmp"], ["--embed", "date"], ["--convert", "jpeg"]]
  )
  func countsAssets(options: [String]) throws {
    let scene = try scene()
    // The only file of an asset, and one of two.
    let lost = try scene.catalogue(
      "SELECT path FROM resources WHERE path GLOB '*/PlantedName1.jpg' OR path GLOB '*/pair.mov'"
    )
    #expect(lost.count == 2)
    for path in lost { try FileManager.default.removeItem(atPath: scene.library + "/" + path) }
    let arguments = ["export", "Library", "out", "--layout", "{label}", "--format", "json"]
    for _ in 1...2 {
      let outcome = try scene.command(arguments + options)
      try outcome.expect(3)
      let json = try outcome.json()
      #expect(json["damaged"].array.compactMap { $0["path"].string }.sorted() == lost.sorted())
      #expect(json["assets"].int == 5 && json["originalNames"].int == 5, "\(outcome.output)")
      let pictures = try scene.madePaths("out").filter { $0.hasSuffix(".jpg") }
      #expect(pictures.count == 5, "\(pictures)")
    }
  }

  @Test("Each file is the library's, under its label, in folders of the layout, and no two are one")
  func layout() throws {
    let scene = try scene()
    let before = try scene.snapshot("Library")
    let first = try scene.command(
      "export",
      "Library",
      "out",
      "--layout",
      "{album}/{label}",
      "--format",
      "json"
    )
    try first.expect(0)
    #expect(try scene.snapshot("Library") == before)
    #expect(try first.json()["assets"].int == 6)
    #expect(try first.json()["originalNames"].int == 6)
    // Who names a layout has chosen the names.
    #expect(!first.streams.contains("--neutral"))
    #expect(
      try scene.madePaths("out") == [
        "Other/PLANTEDname1.jpg", "PlantedFolder/Inner/PlantedName1.jpg",
        "PlantedFolder/Inner/PlantedName2.jpg", "PlantedFolder/Inner/PlantedName3.jpg",
        "PlantedFolder/Inner/PlantedName4.jpg", "pair.jpg", "pair.mov",
      ]
    )
    #expect(try Set(scene.madeFiles("out").values) == Set(scene.catalogue("SELECT sha256 FROM resources")))
    // In one folder, names that differ in case alone are not one on a memory card.
    try scene.command("export", "Library", "flat", "--layout", "{label}").expect(0)
    #expect(try scene.madePaths("flat").filter { $0.lowercased().hasPrefix("plantedname1") }.count == 2)
    #expect(try scene.madePaths("flat").contains { $0.hasSuffix(" (2).jpg") })
  }

  @Test("A layout with albums says where they come from if the assets have none")
  func lacksAlbums() throws {
    let scene = Scene()
    try scene.declare("library")
    let photo = try Media.photo("a")
    try scene.put("sources/library/Trip/a.jpg", photo)
    let note = "None of the assets is in an album."
    for (hasAlbums, path) in [(false, "a.jpg"), (true, "Trip/a.jpg")] {
      scene.manifest["albums"] = ["fromFolders": .bool(hasAlbums)]
      try scene.run().expect(0)
      let made = try scene.command("export", "Library", "out", "--layout", "{album}/{label}")
      try made.expect(0)
      #expect(made.streams.contains(note) != hasAlbums, "\(made.streams)")
      #expect(try scene.madePaths("out") == [path])
    }
    // Another album alone, which changes no asset, is something new.
    try scene.put("sources/library/Best/a.jpg", photo)
    try scene.run().expectCounts(["unchanged": 1, "duplicate": 1])
    try scene.command("export", "Library", "out", "--layout", "{album}/{label}").expect(0)
    #expect(try scene.madePaths("out") == ["Best/a.jpg"])
  }

  @Test(
    "A folder of the source that is called as a file is no obstacle, and no path leads out of the folder"
  )
  func places() throws {
    let scene = Scene()
    scene.manifest["albums"] = ["fromFolders": true]
    try scene.declare("library")
    try scene.declare("camera")
    try scene.put("sources/camera/c.jpg", try Media.photo("1"))
    try scene.put("sources/camera/d/e.jpg", try Media.photo("2"))
    try scene.put("sources/library/c.jpg/a.jpg", try Media.photo("3"))
    try scene.put("sources/library/c.jpg/..b.jpg", try Media.photo("4"))
    try scene.put("sources/library/z/c.jpg", try Media.photo("5"))
    try scene.run().expect(0)
    try scene.command("export", "Library", "out", "--layout", "{album}/{label}").expect(0)
    #expect(try scene.madePaths("out").count == 5)
    // The album of two assets is the name of another one's file.
    #expect(try scene.madePaths("out").contains { $0.contains("c (2).jpg") || $0.hasPrefix("c.jpg (2)/") })
    try scene.command("export", "Library", "mixed", "--layout", "../{album}/../{label}").expect(0)
    let mixed = try scene.madePaths("mixed")
    #expect(mixed.count == 5 && mixed.allSatisfy { $0.hasPrefix("untitled/") }, "\(mixed)")
    #expect(
      try Set(scene.madeFiles("mixed").values)
        == Set(scene.catalogue("SELECT sha256 FROM resources"))
    )
  }

  @Test(
    "Sidecars that tell where a picture was taken are counted, also beside one that was converted",
    .enabled(if: Has.exiftool, "no exiftool")
  )
  func placesOfSidecars() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("library")
    try scene.put("sources/library/a.png", copyOf: Samples.png)
    try Independent.make(
      "exiftool",
      [
        "-q", "-XMP-exif:GPSLatitude=48.858", "-XMP-exif:GPSLongitude=2.294", "-o",
        scene.at("sources/library/a.png.xmp"),
      ]
    )
    try scene.put("sources/library/film.mov", try Media.livePhoto("film").movie)
    try scene.put("sources/library/film.gpx", "a track")
    try scene.run().expect(0)
    let cases: [(String, [String], Int)] = [("a", [], 3), ("b", ["--convert", "jpeg"], 2)]
    for (folder, options, count) in cases {
      let made = try scene.command(["export", "Library", folder, "--format", "json"] + options)
      try made.expect(0)
      #expect(try made.json()["places"].int == count, "\(made.output)")
    }
  }

  @Test(
    "It says how many files tell where they were taken, and so does a gallery with originals",
    .enabled(if: Has.exiftool, "no exiftool"),
    arguments: ["keep", "strip"]
  )
  func places(policy: String) throws {
    let scene = Scene(policy: policy)
    scene.manifest["catalogue"] = ["privateFacts": true]
    try scene.declare("library")
    let gpsTags = [
      "-GPSLatitude=48.858", "-GPSLatitudeRef=N", "-GPSLongitude=2.294", "-GPSLongitudeRef=E",
    ]
    for (name, sample, tags) in [
      ("a.jpg", Samples.photo(1), gpsTags), ("b.png", Samples.png, gpsTags),
      ("c.jpg", Samples.photo(2), ["-Artist=Ann"]),
    ] {
      let file = try scene.put("sources/library/" + name, copyOf: sample)
      let tool = ["-q", "-overwrite_original"]
      try Independent.make("exiftool", tool + ["-all=", file])
      try Independent.make("exiftool", tool + tags + [file])
    }
    try scene.run().expect(0)
    func expect(_ count: Int, _ words: String, _ arguments: [String]) throws {
      let count = policy == "keep" ? count : 0
      let outcome = try scene.command(arguments + ["--format", "json"])
      try outcome.expect(0)
      #expect(try outcome.json()["places"].int == count, "\(arguments): \(outcome.output)")
      #expect(outcome.error.contains(" taken. For a folder without that, ") == (count > 0))
      if count > 0 { #expect(outcome.error.contains(words), "\(outcome.error)") }
    }
    let two = "2 of these files say where they were taken"
    if policy == "strip" {
      let facts = ["--embed", "place", "--private-facts", "--format", "json"]
      let outcome = try scene.command(["export", "Library", "facts"] + facts)
      try outcome.expect(0)
      #expect(try outcome.json()["places"].int == 2 && outcome.error.contains(two))
      let placed = try scene.madePaths("facts").filter { path in
        try Independent.exif(scene.at("facts/" + path)).keys.contains {
          $0.hasSuffix("GPSLatitude")
        }
      }
      #expect(placed.count == 2)
    }
    try expect(2, two, ["export", "Library", "out"])
    let bag = try scene.command("export", "Library", "bag", "--bag")
    #expect(!bag.error.contains("--neutral") && !bag.error.contains("taken"), "\(bag.error)")
    let words = "3 files have the name of the source's file; --neutral gives numbers."
    if policy == "keep" { #expect(try scene.command("export", "Library", "names").error.contains(words)) }
    try expect(2, two, ["export", "Library", "out", "--embed", "place"])
    try expect(1, "1 of these files says where it was", ["export", "Library", "c", "--convert", "jpeg"])
    try expect(0, "", ["gallery", "Library", "small"])
    try expect(2, "with --strip, or leave out --originals.", ["gallery", "Library", "s", "--originals"])
    // The place of a track is in no file.
    let first = "SELECT min(id) FROM assets WHERE hasLocation"
    _ = try scene.catalogue("UPDATE assets SET placeTag = 'gpx' WHERE id = (\(first))")
    try expect(1, "1 of these files says", ["export", "Library", "track"])
  }

  @Test("A number tells no name of a source's file, also of one that is called 1")
  func originalNames() throws {
    let scene = Scene()
    scene.manifest["labels"] = ["template": "{number:4} {originalName}x"]
    try scene.declare("library")
    for name in ["1.jpg", "b.jpg"] {
      try scene.put("sources/library/" + name, try Media.photo(name))
    }
    try scene.run().expect(0)
    func count() throws -> Int? {
      try scene.command("export", "Library", "out", "--format", "json").json()["originalNames"].int
    }
    #expect(try count() == 0)
    for (name, label) in [("1", "1, at noon"), ("b", "(b)")] {
      _ = try scene.catalogue("UPDATE assets SET label = '\(label)' WHERE label LIKE '%\(name)x'")
    }
    try FileManager.default.removeItem(atPath: scene.at("out"))
    #expect(try count() == 2)
  }

  @Test("A second call does nothing, and a later one adds what is new and keeps the rest")
  func incremental() throws {
    let scene = try scene()
    func export() throws -> Outcome {
      try scene.command("export", "Library", "out", "--layout", byAlbum, "--format", "json")
    }
    try export().expect(0)
    #expect(try export().json()["isCurrent"].bool == true)
    let other = try scene.command("export", "Library", "out", "--layout", "{label}", "--format", "json")
    #expect(try other.json()["isCurrent"].bool == false)
    try export().expect(0)
    try scene.put("sources/library/new.jpg", try Media.photo("new"))
    try scene.run().expect(0)
    let third = try export().json()
    #expect(third["filesAdded"].int == 1 && third["filesKept"].int == 7, "\(third)")
    // Numbers stay where they are when an asset is added.
    func exportNumbers() throws -> JSON {
      try scene.command("export", "Library", "numbers", "--neutral", "--format", "json").json()
    }
    #expect(try exportNumbers()["filesAdded"].int == 8)
    try scene.put("sources/library/newer.jpg", try Media.photo("newer"))
    try scene.run().expect(0)
    let numbers = try exportNumbers()
    #expect(numbers["filesAdded"].int == 1 && numbers["filesKept"].int == 8, "\(numbers)")
    let described = ["export", "Library", "described", "--sidecars", "xmp"]
    let kinds = try scene.command(described).output
    #expect(kinds.contains(": 8 photos, 1 video and 8 sidecars added, 0 unchanged."), "\(kinds)")
    try scene.put("sources/library/newest.jpg", try Media.photo("newest"))
    try scene.run().expect(0)
    let added = try scene.command(described + ["--format", "json"]).json()
    #expect(added["filesAdded"].int == 2 && added["filesKept"].int == 17, "\(added)")
    #expect(
      ["photo", "film", "sound", "sidecar", "file"].map { added["added"][$0].int } == [1, 0, 0, 1, 0],
      "\(added)"
    )
    // A folder that somebody else made is left alone.
    try scene.put("mine/letter.txt", "mine")
    let refused = try scene.command("export", "Library", "mine")
    #expect(refused.code == 64 && refused.streams.contains("was not made by"), "\(refused.streams)")
    #expect(try scene.madePaths("mine") == ["letter.txt"])
    // So is one that is a gallery.
    try scene.command("gallery", "Library", "site").expect(0)
    #expect(try scene.command("export", "Library", "site").code == 64)
  }

  @Test("With --neutral no planted name is in any byte of it; without it labels and albums are")
  func neutral() throws {
    let scene = try scene(policy: "strip")
    func expectPlanted(_ folder: String, _ isThere: Bool) throws {
      let inside = try Tool.run("grep", ["-raqiE", "planted", scene.at(folder)]).status == 0
      let names = try scene.madePaths(folder).contains { $0.lowercased().contains("planted") }
      #expect(names == isThere, "\(folder)")
      // The list has the paths.
      #expect(inside == isThere, "\(folder)")
    }
    try scene.command(
      "export",
      "Library",
      "neutral",
      "--neutral",
      "--sidecars",
      "xmp",
      "--thumbnails",
      "grid",
      "--layout",
      "{saved:yyyy}/{label}"
    ).expect(0)
    try expectPlanted("neutral", false)
    #expect(try scene.madePaths("neutral").count == 13)
    try scene.command("export", "Library", "named", "--layout", byAlbum).expect(0)
    try expectPlanted("named", true)
    let undated = try scene.command("export", "Library", "dates", "--layout", "{created}/{label}")
    #expect(undated.streams.contains("6 assets are in \"undated\""))
    let mistakes: [[String]] = [
      ["--neutral", "--layout", byAlbum], ["--neutral", "--as", "symlink"],
      ["--neutral", "--original-extensions"],
      ["--bag", "--as", "symlink"], ["--without-originals"], ["--layout", "{label}/x"],
      ["--layout", "{lable}"], ["--layout", "{saved:QQ}/{label}"], ["--layout", "{label"],
    ]
    for arguments in mistakes {
      let refused = try Scene.program(["export", "Library", "no"] + arguments, in: scene.path)
      #expect(refused.code == 64, "\(arguments): \(refused.streams)")
    }
    #expect(!FileManager.default.fileExists(atPath: scene.at("no")))
  }

  @Test("With --original-extensions files have those of their source, and sidecars follow them")
  func originalExtensions() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("library")
    try scene.put("sources/library/VID_1.insv", copyOf: Samples.video)
    let packet = "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>"
    try scene.put("sources/library/VID_1.insv.xmp", packet)
    for name in ["IMG_1.insp", "DSCF1.MPO", "IMG_2.JPG", "other.png", "none"] {
      try scene.put("sources/library/" + name, try Media.photo(name))
    }
    try scene.run().expect(0)
    try scene.command("export", "Library", "plain", "--layout", "{label}").expect(0)
    #expect(
      Set(try scene.madePaths("plain")) == [
        "VID_1.mp4", "VID_1.mp4.xmp", "IMG_1.jpg", "DSCF1.jpg", "IMG_2.jpg", "other.jpg",
        "none.jpg",
      ]
    )
    let arguments = ["export", "Library", "out", "--layout", "{label}", "--original-extensions"]
    try scene.command(arguments).expect(0)
    // A JPEG that was called .png is none.
    let expected: Set = [
      "VID_1.insv", "VID_1.insv.xmp", "IMG_1.insp", "DSCF1.MPO", "IMG_2.JPG", "other.jpg",
      "none.jpg",
    ]
    #expect(Set(try scene.madePaths("out")) == expected)
    #expect(try Set(scene.madeFiles("out").values) == Set(scene.catalogue("SELECT sha256 FROM resources")))
    // Made again, nothing is copied.
    let again = try scene.command(arguments + ["--format", "json"])
    #expect(try again.json()["filesAdded"].int == 0, "\(again.output)")
  }

  @Test("Links are written about in the first line, and are the library's files")
  func links() throws {
    let scene = try scene()
    for method in ["hardlink", "symlink"] {
      let outcome = try scene.command("export", "Library", method, "--as", method)
      try outcome.expect(0)
      #expect(outcome.output.hasPrefix("The files are the library's own: changing one there changes"))
      let same = try Tool.run(
        "sh",
        [
          "-c",
          "find -L \"$0\" -name '*.jpg' -exec find -L Library/Originals -samefile {} ';'",
          method,
        ],
        in: scene.path
      )
      #expect(same.output.split(separator: "\n").count == 6, "\(same.output) \(same.error)")
    }
    for method in ["reflink", "copy"] {
      try scene.command("export", "Library", method, "--as", method).expect(0)
      let many = try Tool.run("sh", ["-c", "find \"$0\" -type f -links +1", scene.at(method)])
      #expect(many.output.isEmpty)
    }
  }

  @Test(
    "Sidecars tell exiftool and exiv2 what the library knows, and a position only where it was kept",
    .enabled(if: Has.exiftool && Tool.exists("exiv2"), "no exiftool or exiv2"),
    arguments: ["keep", "strip"]
  )
  func sidecars(policy: String) throws {
    let scene = Scene(policy: policy)
    scene.manifest["catalogue"] = ["privateFacts": true]
    let path = try scene.put("sources/library/a.jpg", copyOf: Samples.photo(1))
    try scene.declare("library")
    try Independent.make(
      "exiftool",
      [
        "-q", "-overwrite_original", "-all=", "-DateTimeOriginal=2019:07:04 10:15:30",
        "-OffsetTimeOriginal=+02:00", "-GPSLatitude=48.1361", "-GPSLatitudeRef=N",
        "-GPSLongitude=11.5", "-GPSLongitudeRef=W", "-XMP-dc:Subject=sea",
        "-XMP-dc:Subject=a<b & c",
        "-XMP-xmp:Rating=4", "-XMP-dc:Description=Größe \"1\"", path,
      ]
    )
    try scene.run().expect(0)
    try scene.command(
      "export",
      "Library",
      "out",
      "--sidecars",
      "xmp",
      "--layout",
      "{created:yyyy}/{label}",
      "--private-facts"
    ).expect(0)
    #expect(try scene.madePaths("out") == ["2019/a.jpg", "2019/a.jpg.xmp"])
    let sidecar = scene.at("out/2019/a.jpg.xmp")
    let tags = [
      "Title", "Description", "Subject", "TagsList", "HierarchicalSubject", "Rating",
      "DateTimeOriginal", "CreateDate", "DateCreated", "GPSLatitude", "GPSLongitude",
    ]
    let read = try Tool.run("exiftool", ["-s3", "-f", "-n"] + tags.map { "-XMP:\($0)" } + [sidecar])
    let kept = [
      "a", "Größe \"1\"", "sea, a<b & c", "sea, a<b & c", "sea, a<b & c", "4",
      "2019:07:04 10:15:30+02:00", "2019:07:04 10:15:30+02:00", "2019:07:04 10:15:30+02:00",
      "48.1361",
      "-11.5",
    ]
    let expected = policy == "keep" ? kept : ["a"] + kept.dropFirst().map { _ in "-" }
    #expect(read.output.split(separator: "\n").map(String.init) == expected, "\(read.output)")
    let keys = [
      "Xmp.dc.title", "Xmp.dc.subject", "Xmp.digiKam.TagsList", "Xmp.xmp.Rating",
      "Xmp.photoshop.DateCreated", "Xmp.exif.GPSLatitude",
    ]
    let other = try Tool.run("exiv2", ["-PXkv"] + keys.flatMap { ["-K", $0] } + [sidecar])
    let words = other.output.split(separator: "\n").map {
      $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }
    let byExiv2 = [
      "Xmp.dc.title lang=\"x-default\" a", "Xmp.dc.subject sea, a<b & c",
      "Xmp.digiKam.TagsList sea, a<b & c", "Xmp.xmp.Rating 4",
      "Xmp.exif.GPSLatitude 48,8.166000N", "Xmp.photoshop.DateCreated 2019-07-04T10:15:30+02:00",
    ]
    #expect(words == (policy == "keep" ? byExiv2 : [byExiv2[0]]), "\(other.output)")
  }

  @Test("A bag is what another program takes for one, until a byte of it changes")
  func bag() throws {
    let scene = Scene()
    try scene.declare("library")
    try scene.put("sources/library/100% sure.jpg", try Media.photo("1"))
    try scene.put("sources/library/Größe.jpg", try Media.photo("2"))
    try scene.run().expect(0)
    try scene.command(
      "export",
      "Library",
      "bag",
      "--bag",
      "--sidecars",
      "xmp",
      "--layout",
      "{label}"
    ).expect(0)
    #expect(
      try scene.madePaths("bag") == [
        "bag-info.txt", "bagit.txt", "data/100_ sure.jpg", "data/100_ sure.jpg.xmp",
        "data/Größe.jpg",
        "data/Größe.jpg.xmp", "manifest-sha256.txt", "tagmanifest-sha256.txt",
      ]
    )
    func check() throws -> Int32 {
      for list in ["manifest-sha256.txt", "tagmanifest-sha256.txt"] {
        let result = try Tool.run("sha256sum", ["--check", "--strict", list], in: scene.at("bag"))
        if result.status != 0 { return result.status }
      }
      return 0
    }
    #expect(try check() == 0)
    let oxum = try String(contentsOfFile: scene.at("bag/bag-info.txt"), encoding: .utf8)
    let size = try Tool.run(
      "sh",
      [
        "-c", "find \"$0\" -type f -printf '%s\\n' | awk '{ s += $1 } END { print s \".\" NR }'",
        scene.at("bag/data"),
      ]
    )
    #expect(oxum.contains("Payload-Oxum: " + size.output.trimmingCharacters(in: .newlines)))
    try scene.put("bag/data/Größe.jpg", "another")
    #expect(try check() != 0)
  }

  /// Takes seconds: so many assets fill the cache.
  @Test(
    "A library whose order does not fit into SQLite's cache is exported, and shown, behind Landlock"
  )
  func manyAssets() throws {
    let scene = try scene()
    _ = try scene.catalogue(
      """
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 60000)
      INSERT INTO assets (localIdentifier, saved, label, mediaType, source, sourceName, policy,
        orientation, creationDate, degraded, run)
      SELECT 'made-' || n, saved, 'made ' || n, mediaType, source, sourceName, policy, orientation,
        '2020-01-01T00:00:00', degraded, run
      FROM numbers, assets WHERE assets.id = 1
      """
    )
    let outcome = try scene.command("export", "Library", "out", "--format", "json")
    try outcome.expect(0)
    // Those that were made have no files, so that none of theirs is in the folder.
    #expect(try outcome.json()["assets"].int == 6)
    let site = try scene.command("gallery", "Library", "site", "--format", "json")
    try site.expect(0)
    #expect(try site.json()["assets"].int == 60_006)
  }

  @Test("Thumbnails lie beside their files, or alone")
  func thumbnails() throws {
    let scene = try scene()
    try scene.command("export", "Library", "both", "--thumbnails", "grid", "--layout", "{number:3}")
      .expect(0)
    #expect(try scene.madePaths("both").prefix(2) == ["001 (grid).jpg", "001.jpg"])
    try scene.command(
      "export",
      "Library",
      "small",
      "--thumbnails",
      "grid",
      "--without-originals",
      "--layout",
      "{number:3}"
    ).expect(0)
    #expect(
      try Set(scene.madeFiles("small").values)
        == Set(scene.catalogue("SELECT sha256 FROM thumbnails"))
    )
    #expect(try scene.madePaths("small").first == "001.jpg")
    let none = try scene.command("export", "Library", "none", "--thumbnails", "huge", "--without-originals")
    #expect(none.streams.contains("6 assets have no such thumbnail"), "\(none.streams)")
  }

  @Test(
    "Thumbnails that the library lacks are made of its originals for the folder, and once",
    .enabled(if: Has.magick, "no ImageMagick")
  )
  func madeThumbnails() throws {
    let scene = Scene(policy: "keep")
    scene.manifest["labels"] = ["template": "{originalName}"]
    try scene.declare("library")
    func add(_ name: String, _ size: String) throws {
      let path = scene.at("sources/library/\(name).jpg")
      try Independent.makePicture(path, color: "teal", size: size)
      try scene.run().expect(0)
    }
    func export(_ folder: String, _ thumbnail: String, _ arguments: String...) throws -> JSON {
      let command = ["export", "Library", folder, "--layout", "{label}", "--thumbnails", thumbnail]
      let outcome = try scene.command(command + arguments + ["--format", "json"])
      try outcome.expect(0)
      return try outcome.json()
    }
    // What a run without thumbnails has imported, and whose source is gone, never gets one in the library.
    try add("early", "800x600")
    try FileManager.default.removeItem(atPath: scene.at("sources/library/early.jpg"))
    scene.setThumbnails([("grid", 256, 256, "aspectFill")])
    try add("late", "1200x1600")
    // sqlite3 touches the files beside the catalogue, so it is asked before.
    let thumbnails = try scene.catalogue("SELECT sha256 FROM thumbnails")
    let before = try scene.snapshot("Library")
    let first = try export("out", "grid")
    #expect(first["made"].int == 1 && first["notMade"].array.isEmpty, "\(first)")
    #expect(try Independent.size(scene.at("out/early (grid).jpg")) == [256, 256])
    #expect(try scene.madeFiles("out")["late (grid).jpg"] == thumbnails.first)
    #expect(try export("out", "grid")["isCurrent"].bool == true)
    // A size of one's own shows all of the picture, which is never enlarged.
    let sized = try export("sized", "grid:1000", "--without-originals", "--bag")
    #expect(sized["made"].int == 2, "\(sized)")
    #expect(try Independent.size(scene.at("sized/data/early.jpg")) == [800, 600])
    #expect(try Independent.size(scene.at("sized/data/late.jpg")) == [750, 1000])
    #expect(try scene.snapshot("Library") == before)
    try add("later", "2000x1000")
    let again = try export("sized", "grid:1000", "--without-originals", "--bag")
    #expect(again["made"].int == 1 && again["filesKept"].int == 2, "\(again)")
    for thumbnails in [["grid:0"], ["grid:x"], ["grid:1:2"], [":300"], ["grid", "grid:300"]] {
      let options = thumbnails.flatMap { ["--thumbnails", $0] }
      #expect(try scene.command(["export", "Library", "no"] + options).code == 64)
    }
    let small = try Scene.program(["export", "Library", "no", "--thumbnails", "large:15"], in: scene.path)
    #expect(small.error.contains("it takes a name, or large:1600 with 16 to 16384 pixels."))
  }
}
