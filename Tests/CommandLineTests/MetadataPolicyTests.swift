import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// What `strip` leaves by request, and what becomes of a library whose policy gets stricter.
@Suite("Metadata policies", .enabled(if: Has.exiftool && Has.sqlite, "no exiftool or sqlite3"))
struct MetadataPolicyTests {
  /// A photo with something in every place that `except` has a word for.
  private func scene(_ metadata: JSONValue) throws -> Scene {
    let scene = Scene(policy: nil)
    scene.manifest["metadata"] = metadata
    try scene.declare("camera")
    let file = try scene.put("sources/camera/a.jpg", copyOf: Samples.harbour)
    try Independent.make(
      "exiftool",
      [
        "-q", "-overwrite_original", "-Make=Maker", "-Model=Model 7", "-SerialNumber=12345",
        "-LensModel=Glass 50mm F1.8", "-LensSerialNumber=777",
        "-DateTimeOriginal=2026:05:06 07:08:09", "-Copyright=(c) Somebody", "-Artist=Somebody",
        "-ImageDescription=A caption", "-Rating=4", "-GPSLatitude=48.858222",
        "-GPSLatitudeRef=N", "-GPSLongitude=2.294500", "-GPSLongitudeRef=E", "-GPSAltitude=35",
        "-XMP-dc:Subject=keyword", file,
      ]
    )
    return scene
  }

  private func tags(_ scene: Scene) throws -> [String: String] {
    let output = scene.library + "/Originals/" + (try #require(try scene.originals().last).path)
    return try Independent.exif(output)
  }

  private func contains(_ tags: [String: String], _ words: String...) -> Bool {
    words.allSatisfy { word in tags.keys.contains { $0.hasSuffix(":" + word) } }
  }

  @Test("Only what except names is left, each by its word")
  func except() throws {
    for (word, has, hasNot) in [
      ("creationDate", ["DateTimeOriginal"], ["Make", "GPSLatitude", "Copyright"]),
      ("camera", ["Make", "Model"], ["DateTimeOriginal", "LensModel", "GPSLatitude"]),
      ("lens", ["LensModel"], ["Make", "Model", "LensSerialNumber"]),
      ("copyright", ["Copyright"], ["Make", "ImageDescription", "Rating"]),
      ("caption", ["ImageDescription"], ["Copyright", "Rating", "Subject"]),
      ("rating", ["Rating"], ["ImageDescription", "Make"]),
      ("location", ["GPSLatitude", "GPSLongitude"], ["Make", "DateTimeOriginal"]),
    ] {
      let scene = try scene(["policy": "strip", "except": [.string(word)]])
      try scene.run().expect(0)
      let tags = try tags(scene)
      for name in has { #expect(contains(tags, name), "\(word): \(name) of \(tags.keys.sorted())") }
      for name in hasNot + ["SerialNumber", "Subject"] {
        #expect(!contains(tags, name), "\(word): \(name)")
      }
      #expect(try scene.catalogue("SELECT policy FROM assets") == ["strip+" + word])
      try scene.expectVerified()
    }
  }

  @Test("A coarse location is rounded wherever it stands, and the catalogue has nothing finer")
  func coarse() throws {
    let scene = try scene(["except": [["location": "coarse"]]])
    try scene.run().expect(0)
    let tags = try tags(scene)
    let latitude = try #require(Double(tags["GPS:GPSLatitude"] ?? ""))
    let longitude = try #require(Double(tags["GPS:GPSLongitude"] ?? ""))
    #expect(abs(latitude - 48.9) < 0.0001)
    #expect(abs(longitude - 2.3) < 0.0001)
    #expect(!contains(tags, "GPSAltitude"))
    let dump = try scene.catalogue(".dump").joined(separator: "\n")
    #expect(!dump.contains("48.85"))
    #expect(!dump.contains("2026-05-06"))
  }

  @Test("What the catalogue tells of a stripped photo is what the photo itself still tells")
  func catalogue() throws {
    let rows = "SELECT creationDate, camera, lensModel, hasLocation FROM assets"
    let plain = try scene(["policy": "strip"])
    try plain.run().expect(0)
    #expect(try plain.catalogue(rows) == ["|||"])
    let left = try scene(["except": ["creationDate", "camera", "location"]])
    try left.run().expect(0)
    #expect(try left.catalogue(rows) == ["2026-05-06T07:08:09|Maker Model 7||1"])
  }

  /// The lenses of the assets that a predicate finds.
  private func lenses(_ scene: Scene, _ options: String...) throws -> [String?] {
    let list = try scene.command(["list", scene.library, "--format", "json"] + options)
    try list.expect(0)
    return try list.json()["assets"].array.map { $0["lensModel"].string }
  }

  @Test("A lens is published by its own word, and predicates, orders and lists have it")
  func lens() throws {
    let scene = try scene(["except": ["lens"]])
    // XMP alone says it of this one; the stripped file has it in Exif.
    let file = try scene.put("sources/camera/b.jpg", copyOf: Samples.harbour)
    try Independent.make("exiftool", ["-q", "-overwrite_original", "-XMP-aux:Lens=Wide 12mm", file])
    try scene.run().expect(0)
    #expect(
      try scene.catalogue("SELECT lensModel, camera FROM assets ORDER BY 1")
        == ["Glass 50mm F1.8|", "Wide 12mm|"]
    )
    let published = try scene.originals().map { original in
      try Independent.exif(scene.library + "/Originals/" + original.path)["ExifIFD:LensModel"]
    }
    #expect(Set(published) == ["Glass 50mm F1.8", "Wide 12mm"])
    #expect(try lenses(scene, "--where", "lensModel CONTAINS \"50mm\"") == ["Glass 50mm F1.8"])
    #expect(try lenses(scene, "--sort", "lensModel:descending") == ["Wide 12mm", "Glass 50mm F1.8"])
    let csv = try scene.command("list", scene.library, "--format", "csv")
    #expect(csv.output.contains(#","lensModel","#) && csv.output.contains(#","Wide 12mm","#))
    try scene.expectVerified()
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    #expect(try lenses(scene).compactMap { $0 }.sorted() == ["Glass 50mm F1.8", "Wide 12mm"])
  }

  @Test("Under strip a lens is a private fact alone")
  func privateLens() throws {
    let scene = try scene(["policy": "strip"])
    scene.manifest["catalogue"] = ["privateFacts": true]
    try scene.run().expect(0)
    #expect(!contains(try tags(scene), "LensModel"))
    #expect(try scene.catalogue("SELECT lensModel IS NULL FROM assets") == ["1"])
    let condition = "lensModel == 'Glass 50mm F1.8'"
    #expect(try lenses(scene, "--where", condition) == ["Glass 50mm F1.8"])
    // Without them nothing says it, and a note counts the asset.
    let other = try self.scene(["policy": "strip"])
    try other.run().expect(0)
    let list = try other.command("list", other.library, "--where", condition)
    #expect(list.streams.contains("lensModel of 1 asset is not known"), "\(list.streams)")
  }

  @Test("A library whose policy gets stricter says so, and is written anew by --reprocess")
  func reprocess() throws {
    let scene = try scene(["policy": "keep"])
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.put("sources/camera/b.jpg", try Media.photo("b"))
    try scene.run().expect(0)
    let before = try scene.originals()
    let identifiers = try scene.catalogue("SELECT localIdentifier FROM assets ORDER BY 1")
    #expect(contains(try Independent.exif(scene.library + "/Originals/" + before[0].path), "Make"))

    scene.manifest["metadata"] = ["policy": "strip"]
    let outcome = try scene.run()
    try outcome.expect(3)
    #expect(try outcome.problems() == ["metadataPolicyChanged"])
    #expect(try scene.originals().map(\.path) == before.map(\.path))

    let again = try scene.run("--reprocess")
    try again.expect(0)
    try again.expectCounts(["imported": 2])
    #expect(try scene.catalogue("SELECT localIdentifier FROM assets ORDER BY 1") == identifiers)
    // The older files stand until the next start, and verify names them.
    let verify = try scene.command("verify", scene.library)
    try verify.expect(0)
    #expect(verify.output.components(separatedBy: "superseded: Originals/").count == 3)
    #expect(try scene.originals().count == 4)

    try scene.run().expectCounts(["unchanged": 2])
    let after = try scene.originals()
    #expect(after.count == 2)
    #expect(Set(after.map(\.path)).isDisjoint(with: before.map(\.path)))
    for (path, _) in after {
      #expect(!contains(try Independent.exif(scene.library + "/Originals/" + path), "Make"))
    }
    #expect(try scene.thumbnails("grid").count == 2)
    let removed = try scene.lastLog().filter { $0["event"].string == "superseded" }
    #expect(removed.count == 4)
    try scene.expectVerified()
    try scene.run("--reprocess").expectCounts(["unchanged": 2])
  }

  @Test("An asset whose file failed in between is still known, and written anew by --reprocess")
  func reprocessAfterFailure() throws {
    let scene = try scene(["policy": "keep"])
    try scene.run().expectCounts(["imported": 1])
    scene.manifest["metadata"] = ["policy": "strip"]
    scene.manifest["limits"] = ["pixels": 10]
    try scene.run("--reprocess").expectCounts(["failed": 1])
    scene.manifest["limits"] = nil
    #expect(try scene.run().problems().contains("metadataPolicyChanged"))
    try scene.run("--reprocess").expectCounts(["imported": 1])
    try scene.command("repair", scene.library, "--superseded").expect(0)
    #expect(try scene.originals().count == 1)
    for (path, _) in try scene.originals() {
      #expect(!contains(try Independent.exif(scene.library + "/Originals/" + path), "Make"), "\(path)")
    }
    try scene.expectVerified()
  }

  @Test(
    "What --reprocess cannot strip is said with a number, and so are the originals that still stand"
  )
  func unstripped() throws {
    let scene = try scene(["policy": "keep"])
    try scene.put("sources/camera/b.tga", Media.targa("Canary"))
    let kept = try scene.run()
    try kept.expect(0)
    #expect(try kept.json()["unstripped"].int == 0)
    scene.manifest["metadata"] = ["policy": "strip"]
    let outcome = try scene.run()
    try outcome.expect(3)
    #expect(try outcome.json()["unstripped"].int == 2)
    let anew = try scene.run("--reprocess")
    try anew.expect(3)
    try anew.expectCounts(["imported": 1, "failed": 1])
    #expect(try anew.json()["unstripped"].int == 1)
    #expect(try anew.json()["superseded"].int == 1)
    #expect(try anew.problems() == ["unstripped"])
    // As grep sees it: the superseded one and the one that could not be stripped tell all.
    let matches = try Tool.run("grep", ["-rlaE", "Canary|Model 7", scene.library + "/Originals"])
    #expect(matches.output.split(separator: "\n").count == 2)
    let list = try scene.command(
      "list",
      scene.library,
      "--where",
      "metadataPolicy == \"keep\"",
      "--format",
      "json"
    )
    try list.expect(0)
    #expect(try list.json()["assets"].array.map { $0["label"].string } == ["b"])
    // A failure that was said is tried again, and said again, as long as the library has the file.
    let again = try scene.run("--reprocess")
    try again.expect(3)
    #expect(try again.json()["unstripped"].int == 1)
    #expect(try again.json()["superseded"].int == 0)
    let text = try scene.command("run", "manifest.json", "--reprocess")
    #expect(text.streams.contains("1 asset still has metadata in the library"), "\(text.streams)")
    // Every run says how many there are, also one that does not meet the file.
    try FileManager.default.removeItem(atPath: scene.at("sources/camera/b.tga"))
    let gone = try scene.run()
    try gone.expect(0)
    #expect(try gone.json()["unstripped"].int == 1)
    let sentence = "1 asset has more metadata than its source's policy allows."
    let lines = try scene.command("run", "manifest.json").streams
    #expect(lines.contains(sentence), "\(lines)")
    try scene.expectVerified()
  }

  @Test("An asset whose file was read anew is counted in every run, though no item leads to it")
  func assetWithoutItem() throws {
    let scene = try scene(["policy": "keep"])
    try scene.run().expect(0)
    scene.manifest["metadata"] = ["policy": "strip"]
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)],
      ofItemAtPath: scene.at("sources/camera/a.jpg")
    )
    let anew = try scene.run("--reprocess")
    try anew.expect(3)
    #expect(try anew.json()["unstripped"].int == 1)
    let next = try scene.run()
    try next.expect(0)
    #expect(try next.json()["unstripped"].int == 1)
    try scene.expectVerified()
  }

  @Test("An asset that a laxer source holds too stays, and the stricter one gets its own")
  func sharedAsset() throws {
    let scene = try scene(["policy": "keep"])
    try scene.declare("library")
    try scene.put("sources/library/b.jpg", copyOf: scene.at("sources/camera/a.jpg"))
    try scene.run().expectCounts(["imported": 1, "duplicate": 1])
    let kept = try #require(try scene.originals().first)
    try scene.declare("camera", "authorized", ["metadata": ["policy": "strip"]])
    let shared = try scene.run("--reprocess")
    try shared.expectCounts(["imported": 1, "unchanged": 1])
    #expect(try shared.json()["unstripped"].int == 0)
    try scene.command("repair", scene.library, "--superseded").expect(0)
    let originals = try scene.originals()
    #expect(originals.count == 2)
    #expect(originals.contains { $0.path == kept.path && $0.sha256 == kept.sha256 })
    try scene.expectVerified()
    // Once no source is laxer, nothing that tells more is left.
    scene.manifest["metadata"] = ["policy": "strip"]
    try scene.run("--reprocess").expect(0)
    try scene.command("repair", scene.library, "--superseded").expect(0)
    for (path, _) in try scene.originals() {
      #expect(!contains(try Independent.exif(scene.library + "/Originals/" + path), "Make"), "\(path)")
    }
    try scene.expectVerified()
  }

  @Test("repair --superseded removes what is superseded, and writes down what it removed")
  func clean() throws {
    let scene = try scene(["policy": "keep"])
    try scene.run().expect(0)
    scene.manifest["metadata"] = ["policy": "strip"]
    try scene.run("--reprocess").expect(0)
    #expect(try scene.originals().count == 2)
    let clean = try scene.command("repair", scene.library, "--superseded")
    try clean.expect(0)
    #expect(clean.output.contains("1 outdated file"))
    #expect(try scene.originals().count == 1)
    #expect(try scene.lastLog().count { $0["event"].string == "superseded" } == 1)
    try scene.expectVerified()
    try scene.command("repair", scene.library, "--superseded").expect(0)
    try scene.command("repair", scene.at("nowhere"), "--superseded").expect(78)
    #expect(!FileManager.default.fileExists(atPath: scene.at("nowhere")))
    try scene.run().expectCounts(["unchanged": 1])
  }

  @Test("A looser policy than the library's writes nothing anew")
  func looser() throws {
    let scene = try scene(["policy": "strip"])
    try scene.run().expect(0)
    let before = try scene.originals().map(\.sha256)
    scene.manifest["metadata"] = ["policy": "keep"]
    let outcome = try scene.run("--reprocess")
    try outcome.expect(3)
    #expect(try outcome.problems() == ["metadataPolicyChanged"])
    #expect(try scene.originals().map(\.sha256) == before)
  }

  @Test("What except cannot be is a mistake with its place")
  func mistakes() throws {
    for metadata: JSONValue in [
      ["policy": "keep", "except": ["copyright"]], ["except": ["serialNumber"]],
      ["except": "copyright"], ["except": [["location": "exact"]]],
      ["except": ["location", ["location": "coarse"]]],
    ] {
      let scene = try scene(metadata)
      let outcome = try scene.run()
      try outcome.expect(78)
      #expect(outcome.error.contains("$.metadata.except"), "\(outcome.error)")
    }
  }
}
