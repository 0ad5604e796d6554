import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Files that describe other files: what they say, what is published of them, and what they cost.
@Suite("Sidecars", .enabled(if: Has.exiftool && Has.sqlite, "no exiftool or sqlite3"))
struct SidecarTests {
  private static let adjustments = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict><key>adjustmentFormatIdentifier</key><string>com.apple.photo</string>
    <key>adjustmentData</key><data>AAAA</data></dict></plist>
    """

  private static let described = [
    "-XMP-exif:DateTimeOriginal=2018:03:04 05:06:07+02:00", "-XMP-xmp:Rating=4",
    "-XMP-dc:Description=CanaryCaption", "-XMP-dc:Subject=CanaryFirst",
    "-XMP-dc:Subject=CanarySecond", "-XMP-exif:GPSLatitude=48.858222",
    "-XMP-exif:GPSLongitude=-2.2945",
  ]

  /// Puts a photo of its own content without metadata, then writes tags into it.
  private func photo(_ scene: Scene, _ name: String, _ tags: [String] = []) throws {
    let file = try scene.put("sources/camera/" + name, try Media.photo(name))
    try Independent.make(
      "exiftool",
      ["-q", "-overwrite_original", "-all=", "-Comment=\(name)"] + tags + [file]
    )
  }

  /// Has exiftool write a sidecar; over the one that is there.
  private func sidecar(_ scene: Scene, _ name: String, _ tags: [String] = described) throws {
    let file = scene.at("sources/camera/" + name)
    try? FileManager.default.removeItem(atPath: file)
    let temporary = scene.at("made.xmp")
    try? FileManager.default.removeItem(atPath: temporary)
    try Independent.make("exiftool", ["-q", "-o", temporary] + tags)
    try FileManager.default.moveItem(atPath: temporary, toPath: file)
  }

  private func outcomes(_ scene: Scene) throws -> [String: String] {
    try scene.lastLog().filter { $0["event"].string == "outcome" }.reduce(into: [:]) {
      let words = [$1["outcome"].string, $1["reason"].string].compactMap { $0 }
      $0[$1["path"].string ?? ""] = words.joined(separator: " ")
    }
  }

  private func opened(_ scene: Scene) throws -> Set<String> { Set(try scene.openedPaths()) }

  /// Makes the catalogue anew and compares it with the one before, without the rows of items that were
  /// never opened.
  private func expectRebuilt(
    _ scene: Scene,
    without names: Set<String> = [],
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let before = try CatalogueDump(scene.library)
    let answer = try scene.command("rebuild", scene.library, "--format", "json")
    try answer.expect(0)
    let differences = try answer.json()["comparison"]["differences"].array
    #expect(
      Set(differences.compactMap { $0["row"].string }) == names,
      "\(answer.output)",
      sourceLocation: location
    )
    let after = try CatalogueDump(scene.library)
    let lacking = before.lacking(in: after).filter { !$0.contains("'skipped'") }
    #expect(lacking.isEmpty, "\(lacking)", sourceLocation: location)
    #expect(after.lacking(in: before).isEmpty, "\(after.lacking(in: before))", sourceLocation: location)
  }

  private static let columns = """
    creationDate, creationDateOffsetMinutes, creationDateTag, rating, caption, keywords, latitude,
    longitude, hasLocation
    """

  private static let row =
    "2018-03-04T05:06:07|120|sidecar:exif:DateTimeOriginal|4|CanaryCaption|"
    + #"["CanaryFirst","CanarySecond"]|48.858222|-2.2945|1"#

  /// Photos with sidecars of every kind, of which one is damaged and two belong to no one file.
  private func many(_ policy: String) throws -> Scene {
    let scene = Scene(policy: policy)
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.declare("camera")
    try photo(scene, "a.jpg")
    try sidecar(scene, "a.jpg.xmp")
    try sidecar(scene, "a.xmp", ["-XMP-xmp:Rating=1"])
    try photo(scene, "b.jpg", ["-DateTimeOriginal=2019:07:04 10:15:30", "-XMP-xmp:Rating=2"])
    try sidecar(scene, "b.XMP")
    try photo(scene, "IMG_20190704_101530.jpg")
    try sidecar(scene, "IMG_20190704_101530.jpg.xmp")
    try photo(scene, "edited.jpg")
    try scene.put("sources/camera/edited.AAE", Self.adjustments)
    try photo(scene, "whole.jpg")
    try scene.put("sources/camera/whole.xmp", "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF")
    try photo(scene, "two.jpg")
    try scene.put("sources/camera/two.png", copyOf: Samples.png)
    try sidecar(scene, "two.xmp")
    try sidecar(scene, "alone.xmp")
    return scene
  }

  private static let kept: [String: String] = [
    "a.jpg.xmp": "imported", "a.xmp": "imported", "b.XMP": "imported",
    "IMG_20190704_101530.jpg.xmp": "imported", "edited.AAE": "imported",
    "whole.xmp": "failed damaged", "two.xmp": "skipped sidecarAmbiguous",
    "alone.xmp": "skipped sidecarOrphaned",
  ]

  @Test(
    "Under keep they give facts and are published byte for byte; a damaged one costs itself alone"
  )
  func keep() throws {
    let scene = try many("keep")
    let run = try scene.run()
    try run.expect(3)
    try run.expectCounts(["imported": 12, "skipped": 2, "failed": 1])
    let results = try outcomes(scene)
    for (name, outcome) in Self.kept { #expect(results[name] == outcome, "\(name)") }
    // One that no file has the name of is not opened.
    #expect(try !opened(scene).contains("alone.xmp"))
    func row(_ label: String) throws -> [String] {
      try scene.catalogue("SELECT \(Self.columns) FROM assets WHERE label = '\(label)'")
    }
    #expect(try row("a") == [Self.row])
    #expect(try row("IMG_20190704_101530") == [Self.row])
    #expect(
      try row("b") == [
        "2019-07-04T10:15:30||DateTimeOriginal"
          + Self.row.dropFirst("2018-03-04T05:06:07|120|sidecar:exif:DateTimeOriginal".count)
      ]
    )
    #expect(try row("whole").first?.hasPrefix("||") == true)
    #expect(try scene.catalogue("SELECT count(*) FROM assets") == ["7"])
    // Each file of the source is in the library, with the same bytes and time.
    let files = try scene.catalogue(
      "SELECT role || ' ' || CAST(sourcePath AS TEXT) || ' ' || path FROM resources"
    )
    #expect(files.count == 12)
    for line in files {
      let parts = line.split(separator: " ").map(String.init)
      let source = scene.at("sources/camera/" + parts[1])
      let published = scene.library + "/" + parts[2...].joined(separator: " ")
      let isSame = try readBytes(source) == readBytes(published)
      #expect(isSame, "\(line)")
      let times = try Tool.run("stat", ["-c", "%y", source, published]).output
        .split(separator: "\n")
      #expect(times.count == 2 && times.first == times.last, "\(line): \(times)")
    }
    let names = Set(try scene.originalNames())
    #expect(
      names.isSuperset(of: [
        "a.jpg", "a.jpg.xmp", "a.xmp", "b.xmp", "edited.aae", "IMG_20190704_101530.jpg.xmp",
      ])
    )
    #expect(files.contains { $0.hasPrefix("adjustmentData edited.AAE") })
    #expect(files.count { $0.hasPrefix("sidecar ") } == 4)
    try scene.expectVerified()
    let again = try scene.run()
    try again.expect(0)
    try again.expectCounts(["unchanged": 12, "skipped": 2, "failedBefore": 1])
    #expect(try opened(scene) == ["two.xmp"])
    try expectRebuilt(scene, without: ["camera/alone.xmp"])
    try scene.run().expectCounts(["unchanged": 12, "skipped": 2, "failedBefore": 1])
    try scene.expectVerified()
  }

  @Test("Of two pictures the one has a sidecar that says so, also when it says another later")
  func namesItsOwner() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    try photo(scene, "two.jpg")
    try scene.put("sources/camera/two.png", copyOf: Samples.png)
    try sidecar(scene, "two.xmp", ["-XMP-xmp:Rating=3", "-XMP-photoshop:SidecarForExtension=jpg"])
    try scene.run().expectCounts(["imported": 3])
    let rows = """
      SELECT resources.format, assets.rating FROM assets JOIN resources ON resources.asset = assets.id
      WHERE role = 'photo' AND resources.superseded = 0 ORDER BY 1
      """
    #expect(try scene.catalogue(rows) == ["jpeg|3", "png|"])
    #expect(Set(try scene.originalNames()) == ["two.jpg", "two.png", "two.xmp"])
    try scene.run().expectCounts(["unchanged": 3])
    try scene.expectVerified()
    try expectRebuilt(scene)
    try sidecar(scene, "two.xmp", ["-XMP-xmp:Rating=5", "-XMP-photoshop:SidecarForExtension=PNG"])
    try scene.run().expect(0)
    #expect(try scene.catalogue(rows).last == "png|5")
    try scene.run().expect(0)
    try scene.expectVerified()
  }

  @Test("With sidecarFirst the date that a person wrote corrects the file's, also after a rebuild")
  func sidecarFirst() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    scene.manifest["dates"] = ["sidecarFirst": true]
    for name in ["a.jpg", "b.jpg", "c.jpg"] {
      try photo(scene, name, ["-DateTimeOriginal=2002:01:01 00:00:00"])
    }
    try sidecar(scene, "a.jpg.xmp")
    try sidecar(scene, "b.xmp", ["-XMP-xmp:CreateDate=2020:01:01 00:00:00"])
    try scene.run().expect(0)
    let rows =
      "SELECT label, creationDate, creationDateOffsetMinutes, creationDateTag FROM assets ORDER BY label"
    let expected = [
      "a|2018-03-04T05:06:07|120|sidecar:exif:DateTimeOriginal",
      "b|2002-01-01T00:00:00||DateTimeOriginal", "c|2002-01-01T00:00:00||DateTimeOriginal",
    ]
    #expect(try scene.catalogue(rows) == expected)
    try expectRebuilt(scene)
    #expect(try scene.catalogue(rows) == expected)
  }

  @Test("Names in NFC and NFD meet, and those of later versions and of an original's adjustments")
  func otherNames() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    try photo(scene, "\u{DC}bung.jpg")
    try sidecar(scene, "U\u{308}bung.jpg.xmp")
    try photo(scene, "a.jpg")
    try sidecar(scene, "a.jpg.xmp", ["-XMP-xmp:Rating=2"])
    try sidecar(scene, "a_01.jpg.xmp", ["-XMP-xmp:Rating=5", "-XMP-dc:Description=second"])
    try photo(scene, "IMG_1234.jpg")
    for name in ["IMG_1234.AAE", "IMG_O1234.AAE"] {
      try scene.put("sources/camera/" + name, Self.adjustments + String(repeating: "\n", count: name.count))
    }
    let run = try scene.run()
    try run.expect(0)
    try run.expectCounts(["imported": 8])
    #expect(
      Set(try scene.originalNames()) == [
        "\u{DC}bung.jpg", "\u{DC}bung.jpg.xmp", "a.jpg", "a.jpg.xmp", "a_01.jpg.xmp",
        "IMG_1234.jpg", "IMG_1234.aae", "IMG_1234.jpg.aae",
      ]
    )
    let columns = "SELECT rating, caption FROM assets WHERE label = "
    #expect(try scene.catalogue(columns + "'\u{DC}bung'") == ["4|CanaryCaption"])
    // The second version fills what the first does not state.
    #expect(try scene.catalogue(columns + "'a'") == ["2|second"])
    try scene.run().expectCounts(["unchanged": 8])
    try scene.expectVerified()
    try expectRebuilt(scene)
    // One that changes has its asset published anew.
    try sidecar(scene, "U\u{308}bung.jpg.xmp", ["-XMP-xmp:Rating=1"])
    try scene.run().expect(0)
    #expect(try scene.catalogue(columns + "'\u{DC}bung'") == ["1|"])
    try scene.expectVerified()
  }

  @Test("Under strip they are not opened, and nothing of them is anywhere in the library")
  func strip() throws {
    let scene = try many("strip")
    let run = try scene.run()
    try run.expect(0)
    try run.expectCounts(["imported": 7, "skipped": 8])
    let results = try outcomes(scene)
    #expect(results["a.jpg.xmp"] == "skipped sidecar")
    #expect(results["alone.xmp"] == "skipped sidecarOrphaned")
    #expect(try opened(scene).allSatisfy { !$0.lowercased().hasSuffix(".xmp") && !$0.hasSuffix(".AAE") })
    try expectNoCanary(scene, except: [])
    #expect(try scene.catalogue("SELECT DISTINCT role FROM resources") == ["photo"])
    try scene.expectVerified()
  }

  /// Searches every byte of the library for what only sidecars say.
  private func expectNoCanary(_ scene: Scene, except names: Set<String>) throws {
    for text in ["Canary", "2018-03-04", "05:06:07", "48.858"] {
      let files = try Tool.run("grep", ["-rlaF", "--", text, scene.library]).output
        .split(separator: "\n").map { String($0.split(separator: "/").last ?? "") }
      #expect(
        Set(files.filter { !$0.hasPrefix("private.sqlite") }).subtracting(names).isEmpty,
        "\(text): \(files)"
      )
    }
  }

  @Test(
    "Under strip with private facts they are read once, and only that database has what they say"
  )
  func privateFacts() throws {
    let scene = try many("strip")
    scene.manifest["catalogue"] = ["privateFacts": true]
    let run = try scene.run()
    try run.expect(3)
    try run.expectCounts(["imported": 7, "skipped": 7, "failed": 1])
    let facts = try Tool.run(
      "sqlite3",
      [
        scene.library + "/private.sqlite",
        "SELECT creationDate, creationDateTag, rating, caption FROM facts WHERE caption IS NOT NULL",
      ]
    ).output.split(separator: "\n").map(String.init)
    #expect(
      facts.sorted() == [
        "2018-03-04T05:06:07|sidecar:exif:DateTimeOriginal|4|CanaryCaption",
        "2018-03-04T05:06:07|sidecar:exif:DateTimeOriginal|4|CanaryCaption",
        "2019-07-04T10:15:30|DateTimeOriginal|4|CanaryCaption",
      ]
    )
    try expectNoCanary(scene, except: [])
    #expect(!(try scene.originalNames()).contains { $0.hasSuffix("xmp") || $0.hasSuffix("aae") })
    try scene.run().expectCounts(["unchanged": 12, "skipped": 2, "failedBefore": 1])
    #expect(try opened(scene) == ["two.xmp"])
    try scene.expectVerified()
    // A later sidecar's description gets there, too.
    let labels = "SELECT localIdentifier FROM assets WHERE label = 'whole'"
    let asset = try scene.catalogue(labels)
    try sidecar(scene, "whole.xmp", ["-XMP-xmp:Rating=3"])
    try scene.run().expect(0)
    #expect(try scene.catalogue(labels) == asset)
    let rating = try Tool.run(
      "sqlite3",
      [
        scene.library + "/private.sqlite",
        "SELECT rating FROM facts WHERE localIdentifier = '\(asset.first ?? "")'",
      ]
    ).output
    #expect(rating == "3\n")
    try scene.run().expectCounts(["unchanged": 13, "skipped": 2])
    try scene.expectVerified()
  }

  @Test("One that comes or changes later has its asset published anew, as the same asset")
  func later() throws {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.declare("camera")
    try photo(scene, "a.jpg")
    try photo(scene, "b.jpg")
    try sidecar(scene, "b.xmp", ["-XMP-xmp:Rating=1"])
    try scene.run().expectCounts(["imported": 3])
    let asset = "SELECT localIdentifier, rating FROM assets WHERE label = "
    let (a, b) = (
      try scene.catalogue("SELECT localIdentifier FROM assets WHERE label = 'a'"),
      try scene.catalogue("SELECT localIdentifier FROM assets WHERE label = 'b'")
    )
    try sidecar(scene, "a.jpg.xmp", ["-XMP-xmp:Rating=5"])
    try sidecar(scene, "b.xmp", ["-XMP-xmp:Rating=2"])
    try sidecar(scene, "b.jpg.xmp", ["-XMP-dc:Description=second"])
    let run = try scene.run()
    try run.expect(0)
    try run.expectCounts(["imported": 5])
    #expect(try scene.catalogue(asset + "'a'") == [(a.first ?? "") + "|5"])
    #expect(try scene.catalogue(asset + "'b'") == [(b.first ?? "") + "|2"])
    #expect(try scene.catalogue("SELECT caption FROM assets WHERE label = 'b'") == ["second"])
    try scene.expectVerified()
    // A touch changes nothing, and the older files go.
    try Independent.make("touch", [scene.at("sources/camera/b.xmp")])
    try scene.run().expectCounts(["unchanged": 5])
    #expect(try scene.originalNames().sorted() == ["a.jpg", "a.jpg.xmp", "b.jpg", "b.jpg.xmp", "b.xmp"])
    #expect(try scene.catalogue("SELECT count(*) FROM assets") == ["2"])
    try scene.expectVerified()
    try expectRebuilt(scene)
    // A photo that changes keeps what its sidecars say.
    try photo(scene, "a.jpg", ["-Model=Other"])
    try scene.run().expect(0)
    #expect(try scene.catalogue("SELECT rating FROM assets WHERE label = 'a' ORDER BY id") == ["5", "5"])
    try scene.expectVerified()
    try LibraryState.expectWhole(scene.library)
  }

  @Test("A lost one comes back, and a new label renames them all")
  func lostAndRenamed() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    try photo(scene, "a.jpg")
    try sidecar(scene, "a.jpg.xmp")
    try scene.put("sources/camera/a.AAE", Self.adjustments)
    try scene.run().expectCounts(["imported": 3])
    let before = try scene.digests("Library/Originals")
    let row = try scene.catalogue("SELECT * FROM assets")
    for pattern in Amount.some(3, of: ["%.xmp", "%.aae", "%.jpg", "%"]) {
      for path in try scene.catalogue("SELECT path FROM resources WHERE path LIKE '\(pattern)'") {
        try FileManager.default.removeItem(atPath: scene.library + "/" + path)
      }
      let run = try scene.run()
      try run.expect(0)
      try run.expectCounts(["unchanged": 3])
      #expect(try run.json()["restored"].int == (pattern == "%" ? 3 : 1))
      #expect(try scene.digests("Library/Originals") == before, "\(pattern)")
      #expect(try scene.catalogue("SELECT * FROM assets") == row)
    }
    let asset = try scene.catalogue("SELECT localIdentifier FROM assets").first ?? ""
    try scene.command("label", scene.library, asset, "Harbour").expect(0)
    #expect(try scene.originalNames().sorted() == ["Harbour.aae", "Harbour.jpg", "Harbour.jpg.xmp"])
    try scene.expectVerified()
    try scene.run().expectCounts(["unchanged": 3])
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    #expect(try scene.catalogue("SELECT rating, caption FROM assets") == ["4|CanaryCaption"])
    try scene.run().expectCounts(["unchanged": 3])
    try scene.expectVerified()
    // A stricter policy takes them out of the library.
    scene.setPolicy("strip")
    let again = try scene.run("--reprocess")
    try again.expect(0)
    try scene.run().expect(0)
    #expect(try scene.originalNames() == ["Harbour.jpg"])
    try expectNoCanary(scene, except: [])
    try scene.expectVerified()
  }

  @Test(
    "Both halves of a live photo have theirs, also when one comes later",
    arguments: [false, true]
  )
  func livePhoto(isLate: Bool) throws {
    let scene = Scene(policy: "keep")
    try scene.declare("library")
    let (still, movie) = try Media.livePhoto("one")
    try scene.put("sources/library/IMG_1.jpg", still)
    try photo(scene, "x.jpg")
    try sidecar(scene, "x.xmp")
    let text = try readBytes(scene.at("sources/camera/x.xmp"))
    try scene.put("sources/library/IMG_1.xmp", text)
    if isLate { try scene.run().expectCounts(["imported": 2]) }
    try scene.put("sources/library/other.mov", movie)
    try scene.put("sources/library/other.mov.xmp", text)
    try scene.run().expect(0)
    let rows = try scene.catalogue(
      "SELECT role || ' ' || CAST(sourcePath AS TEXT) FROM resources WHERE superseded = 0 ORDER BY 1"
    )
    #expect(
      rows == [
        "pairedVideo other.mov", "photo IMG_1.jpg", "sidecar IMG_1.xmp", "sidecar other.mov.xmp",
      ]
    )
    #expect(try scene.catalogue("SELECT rating FROM assets") == ["4"])
    try scene.run().expectCounts(["unchanged": 4])
    try scene.expectVerified()
    try expectRebuilt(scene)
  }

  @Test(
    "A copy without a sidecar does not keep its file from having it, in one run or two",
    arguments: ["keep", "strip"],
    [false, true]
  )
  func copies(policy: String, isLate: Bool) throws {
    let scene = Scene(policy: policy)
    scene.manifest["catalogue"] = ["privateFacts": true]
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.declare("camera")
    try photo(scene, "IMG (1).jpg")
    if isLate { try scene.run().expectCounts(["imported": 1]) }
    try Independent.make(
      "cp",
      ["-p", scene.at("sources/camera/IMG (1).jpg"), scene.at("sources/camera/IMG.jpg")]
    )
    try sidecar(scene, "IMG.xmp", ["-XMP-xmp:Rating=4"])
    try scene.run().expect(0)
    let results = try outcomes(scene)
    let table = policy == "keep" ? "assets" : "private.facts"
    let rating = try Tool.run(
      "sqlite3",
      [
        scene.library + "/library.sqlite",
        "ATTACH '\(scene.library)/private.sqlite' AS private; SELECT rating FROM \(table)",
      ]
    ).output
    if policy == "keep" {
      #expect(results["IMG.xmp"] == "imported", "\(results)")
      #expect(results["IMG.jpg"] == "imported", "\(results)")
      #expect(results["IMG (1).jpg"] == (isLate ? nil : "duplicate"), "\(results)")
      #expect(rating == "4\n")
    } else {
      // What was published alone is not published anew: nothing of the sidecar would be in it.
      #expect(results["IMG.jpg"] == (isLate ? "duplicate" : "imported"), "\(results)")
      #expect(results["IMG.xmp"] == (isLate ? "skipped sidecarUnused" : "skipped sidecar"), "\(results)")
      #expect(rating == (isLate ? "\n" : "4\n"))
    }
    #expect(try scene.catalogue("SELECT count(*) FROM assets") == ["1"])
    try scene.run().expect(0)
    try LibraryState.expectWhole(scene.library)
    try scene.expectVerified()
    try expectRebuilt(scene)
  }

  @Test("One that the library alone still has is not lost when another one comes or changes")
  func removedFromSource() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    try photo(scene, "IMG_1.jpg")
    try sidecar(scene, "IMG_1.jpg.xmp", ["-XMP-xmp:Rating=5"])
    try scene.put("sources/camera/IMG_1.AAE", Self.adjustments)
    try scene.run().expectCounts(["imported": 3])
    let before = try scene.digests("Library/Originals")
    for name in ["IMG_1.jpg.xmp", "IMG_1.AAE"] {
      try FileManager.default.removeItem(atPath: scene.at("sources/camera/\(name)"))
    }
    try sidecar(scene, "IMG_1.xmp", ["-XMP-xmp:Rating=1"])
    for _ in 0..<2 {
      try scene.run().expect(0)
      #expect(try outcomes(scene)["IMG_1.xmp"] == "skipped sidecarUnused")
      #expect(try scene.digests("Library/Originals") == before)
    }
    #expect(try scene.catalogue("SELECT rating FROM assets") == ["5"])
    try scene.expectVerified()
    // Where the source has them again, all of them are in the library.
    try sidecar(scene, "IMG_1.jpg.xmp", ["-XMP-xmp:Rating=5"])
    try scene.put("sources/camera/IMG_1.AAE", Self.adjustments)
    try sidecar(scene, "IMG_1.xmp", ["-XMP-xmp:Rating=2"])
    for _ in 0..<2 { try scene.run().expect(0) }
    #expect(
      try scene.originalNames().sorted().map { String($0.drop { $0 != "." }) }
        == [".aae", ".jpg", ".jpg.xmp", ".xmp"]
    )
    try scene.expectVerified()
    try expectRebuilt(scene)
  }

  @Test("They follow their files when fetch options choose, and duplicates have none")
  func fetched() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("library", "authorized", ["fetch": ["predicate": "name BEGINSWITH 'a'"]])
    for name in ["a.jpg", "b.jpg"] {
      try scene.put("sources/library/\(name)", try Media.photo(name))
      try scene.put(
        "sources/library/\(name).xmp",
        "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>"
      )
    }
    try scene.put("sources/library/aa.jpg", try Media.photo("a.jpg"))
    try scene.put("sources/library/aa.AAE", Self.adjustments)
    let run = try scene.run()
    try run.expect(0)
    try run.expectCounts(["imported": 2, "duplicate": 1, "skipped": 3])
    let results = try outcomes(scene)
    #expect(results["aa.AAE"] == "skipped sidecarUnused")
    #expect(results["a.jpg.xmp"] == "imported" && results["b.jpg.xmp"] == nil)
    try scene.run().expectCounts(["unchanged": 3, "skipped": 3])
    try scene.expectVerified()
  }

  @Test(
    "A run that is killed at any moment leaves what the next one makes whole",
    .enabled(if: Has.strace, "no strace")
  )
  func killed() throws {
    let scene = try many("keep")
    let run = ["run", "manifest.json", "--format", "json"]
    scene.manifest["output"] = ["path": "Undisturbed"]
    try scene.writeManifest()
    try Scene.program(run, in: scene.path).expect(3)
    func state(_ library: String) throws -> [String] {
      try Tool.run(
        "sqlite3",
        [
          scene.at(library) + "/library.sqlite",
          """
          SELECT label, rating, caption, creationDateTag FROM assets ORDER BY label;
          SELECT role, CAST(sourcePath AS TEXT), sha256 FROM resources ORDER BY sourcePath;
          SELECT CAST(path AS TEXT), outcome, reason FROM items ORDER BY path
          """,
        ]
      ).output.split(separator: "\n").map(String.init)
    }
    let wanted = try state("Undisturbed")
    #expect(wanted.count == 7 + 12 + 15)
    scene.manifest["output"] = ["path": "Measured"]
    try scene.writeManifest()
    let moments = try RunMoment.spread(over: run, in: scene.path, count: Amount.of(6, all: 40))
    for (index, moment) in Amount.some(3, of: moments).enumerated() {
      scene.manifest["output"] = ["path": .string("Killed-\(index)")]
      try scene.writeManifest()
      try moment.kill(run, in: scene.path).wait()
      _ = try Scene.program(run, in: scene.path)
      // The next run may find unchanged what the first one published.
      let rows = try state("Killed-\(index)").map {
        $0.replacingOccurrences(of: "|unchanged|", with: "|imported|")
      }
      #expect(rows == wanted, "\(moment): \(Set(rows).symmetricDifference(wanted))")
      try Scene.program(["verify", "Killed-\(index)"], in: scene.path).expect(0)
    }
  }

  /// The values that exiftool reads in a sidecar, in the form of the catalogue.
  private func independent(_ file: String) throws -> JSON {
    // exiftool 12 passes over an XMP file in UTF-16 with a byte order mark.
    if try readBytes(file).starts(with: [0xFF, 0xFE]) {
      let scratch = TemporaryFolder()
      let readable = scratch.path + "/utf8.xmp"
      try Independent.make("iconv", ["-f", "UTF-16", "-t", "UTF-8", "-o", readable, file])
      return try independent(readable)
    }
    let text = try Tool.run(
      "exiftool",
      [
        "-j", "-c", "%.6f", "-XMP-exif:DateTimeOriginal", "-XMP-photoshop:DateCreated",
        "-XMP-xmp:CreateDate", "-XMP-xmp:Rating", "-XMP-dc:Description", "-XMP-dc:Subject",
        "-XMP-exif:GPSLatitude#", file,
      ]
    ).output
    // exiftool writes an array of one object.
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return try JSON(text: String(trimmed.dropFirst().dropLast()))
  }

  @Test(
    "What real sidecars say is what exiftool reads, and damaged ones cost themselves alone",
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS")
  )
  func realSidecars() throws {
    let files = Corpus.files(beneath: "second/sidecars")
    try #require(files.count >= 23)
    let damaged: Set<String> = [
      "Exiv2-coverage_xmpsidecar_isXmpType", "Exiv2-issue_1713_poc", "Exiv2-issue_1901_poc1",
      "Exiv2-issue_1901_poc3", "Exiv2-issue_1954_poc",
    ]
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    var names: [String: String] = [:]
    for file in files {
      let name = String(file.split(separator: "/").last ?? "")
      let stem = name.replacingOccurrences(of: ".", with: "_")
      names[stem] = file
      try photo(scene, stem + ".jpg")
      try scene.put("sources/camera/\(stem)\(name.hasSuffix("xmp") ? ".xmp" : ".AAE")", copyOf: file)
    }
    let run = try scene.run()
    try run.expect(3)
    try run.expectCounts(["imported": 2 * files.count - damaged.count, "failed": damaged.count])
    for (path, outcome) in try outcomes(scene) where outcome != "imported" {
      #expect(outcome == "failed damaged" && damaged.contains { path.hasPrefix($0) }, "\(path): \(outcome)")
    }
    for (stem, file) in names where !damaged.contains(where: { stem.hasPrefix($0) }) {
      let other = try independent(file)
      let row = try scene.catalogue(
        "SELECT creationDate, rating, caption, keywords, round(latitude, 4) FROM assets WHERE label = '\(stem)'"
      )
      let fields = (row.first ?? "").split(separator: "|", omittingEmptySubsequences: false)
        .map(String.init)
      let dates = ["DateTimeOriginal", "DateCreated", "CreateDate"].compactMap { other[$0].string }
      if let date = dates.first {
        let local =
          date.prefix(10).replacingOccurrences(of: ":", with: "-") + "T"
          + date.dropFirst(11).prefix(8)
        #expect(fields[0] == local, "\(stem)")
      } else {
        #expect(fields[0].isEmpty, "\(stem)")
      }
      if let rating = other["Rating"].int { #expect(fields[1] == "\(rating)", "\(stem)") }
      if let text = other["Description"].string { #expect(fields[2] == text, "\(stem)") }
      for word in other["Subject"].array {
        #expect(fields[3].contains(word.string ?? "?"), "\(stem)")
      }
      #expect(fields[4].isEmpty == !other["GPSLatitude"].exists, "\(stem): \(row)")
    }
    try scene.expectVerified()
    try expectRebuilt(scene)
  }
}
