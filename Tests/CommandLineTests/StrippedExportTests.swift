import Foundation
import Glibc
import MediaSyntax
import MediaTestSupport
import Testing

@Suite(
  "Stripped copies of a library under keep",
  .enabled(
    if: Has.magick && Has.exiftool && Has.sqlite && Has.python,
    "no ImageMagick, exiftool, sqlite3 or python3"
  )
)
struct StrippedExportTests {
  private static let canary = "CANARY"

  /// Files of several formats with place, date, camera and words: two pictures, a film, a motion photo, and a picture that
  /// cannot be stripped.
  private func scene() throws -> Scene {
    let scene = Scene()
    scene.setThumbnails([])
    try scene.declare("library")
    let folder = "sources/library/"
    try scene.put(folder + "a.jpg", copyOf: Samples.photo(6))
    try Independent.make(
      "convert",
      ["-size", "64x48", "gradient:red-blue", "-colorspace", "sRGB", scene.at(folder + "g.heic")]
    )
    try scene.put(folder + "e.mp4", copyOf: Samples.video)
    try Independent.make(
      "exiftool",
      [
        "-q", "-overwrite_original", "-EXIF:GPSLatitude=48.858", "-EXIF:GPSLatitudeRef=N",
        "-EXIF:GPSLongitude=2.294", "-EXIF:GPSLongitudeRef=E", "-EXIF:Model=\(Self.canary) Cam",
        "-EXIF:DateTimeOriginal=2019:07:04 10:15:30", "-EXIF:OffsetTimeOriginal=+02:00",
        "-EXIF:Copyright=Ann", "-XMP-dc:Subject=\(Self.canary) keyword",
        scene.at(folder + "a.jpg"), scene.at(folder + "g.heic"),
      ]
    )
    try Independent.make(
      "exiftool",
      ["-q", "-overwrite_original", "-XMP-dc:Description=\(Self.canary) film", scene.at(folder + "e.mp4")]
    )
    try Independent.make("touch", ["-d", "2019-07-04T08:15:30Z", scene.at(folder + "a.jpg")])
    let motion = try Media.photo(Self.canary) + readBytes(scene.at(folder + "e.mp4"))
    try scene.put(folder + "MVIMG_1.jpg", motion)
    try scene.put(folder + "t.tga", Media.targa(Self.canary))
    try scene.put(folder + "g.heic.xmp", try sidecar())
    try scene.run().expect(0)
    return scene
  }

  /// The digests of what an import of the same files under another policy publishes.
  private func imported(_ scene: Scene, under policy: JSONValue) throws -> [String] {
    let other = Scene()
    other.manifest["metadata"] = policy
    other.setThumbnails([])
    try other.declare("library", makesFolder: false)
    try Independent.make("cp", ["-a", scene.at("sources"), other.at("sources")])
    try other.run().expect(3)
    return try other.originals().map(\.sha256).sorted()
  }

  private func sidecar() throws -> String {
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
    <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" \
    xmlns:dc="http://purl.org/dc/elements/1.1/" xmp:Rating="4"><dc:source>\(Self.canary)</dc:source>\
    </rdf:Description></rdf:RDF></x:xmpmeta>
    """
  }

  private func export(_ scene: Scene, _ folder: String, _ arguments: [String] = []) throws -> Outcome {
    try scene.command(
      ["export", "Library", folder, "--layout", "{label}", "--format", "json", "--strip"] + arguments
    )
  }

  /// The digests of the media in a folder.
  private func media(_ scene: Scene, _ folder: String) throws -> [String] {
    try scene.madeFiles(folder).filter { $0.key != "mediabatch-receipts.json" }.map(\.value).sorted()
  }

  private func receipts(_ scene: Scene, _ folder: String) throws -> JSON {
    try JSON(
      text: String(decoding: try readBytes(scene.at(folder + "/mediabatch-receipts.json")), as: UTF8.self)
    )
  }

  private func expectNone(of text: String, _ scene: Scene, _ folder: String) throws {
    #expect(try Tool.run("grep", ["-rlaF", text, scene.at(folder)]).output == "")
  }

  @Test("Copies are byte for byte what an import under strip makes, and what cannot be stripped is named")
  func strips() throws {
    let scene = try scene()
    let before = try scene.snapshot("Library")
    let outcome = try export(scene, "out")
    try outcome.expect(3)
    #expect(try scene.snapshot("Library") == before)
    let json = try outcome.json()
    let named = json["notStripped"].array.compactMap { $0["path"].string }
    #expect(named.count == 1 && named[0].hasSuffix("/t.tga"), "\(outcome.streams)")
    #expect(outcome.error.contains("\"t.tga\" is left out: metadata cannot be stripped safely (tga files"))
    #expect(outcome.error.contains("\"out\" is incomplete (exit code 3) because of \"t.tga\": metadata"))
    #expect(json["stripped"].int == 4 && json["assets"].int == 4 && json["places"].int == 0)
    #expect(
      try scene.madePaths("out")
        == ["MVIMG_1.jpg", "a.jpg", "e.mp4", "g.heic", "mediabatch-receipts.json"]
    )
    #expect(try media(scene, "out") == imported(scene, under: ["policy": "strip"]))
    try expectNone(of: Self.canary, scene, "out")
    for name in ["a.jpg", "g.heic", "e.mp4", "MVIMG_1.jpg"] {
      let words = [
        "GPS:", "XMP", "IPTC", "Keys:", "UserData:", "IFD0:Model", "IFD0:Copyright", "ExifIFD:DateTime",
        "File:Comment",
      ]
      let left = try Independent.exif(scene.at("out/" + name)).keys.filter { tag in
        words.contains { tag.hasPrefix($0) }
      }
      #expect(left.isEmpty, "\(name): \(left)")
    }
    // Not even the time of the file tells when it was taken.
    let years = try Tool.run("stat", ["-c", "%y", scene.at("out/a.jpg")]).output.prefix(4)
    #expect(years != "2019")
    let again = try export(scene, "out")
    #expect(again.error.contains("The files are stripped, as before.\n"), "\(again.error)")
  }

  @Test("Receipts say what was removed, and the verifier holds copies and log against them")
  func receipts() throws {
    let scene = try scene()
    try export(scene, "out").expect(3)
    let receipts = try receipts(scene, "out")
    #expect(receipts["schema"].string == "mediabatch.receipts/1")
    #expect(receipts["policy"].string == "strip")
    let files = receipts["files"].array
    #expect(files.compactMap { $0["path"].string }.sorted() == ["MVIMG_1.jpg", "a.jpg", "e.mp4", "g.heic"])
    let picture = try #require(files.first { $0["path"].string == "a.jpg" })
    let classes = picture["removed"].array.compactMap { $0["name"].string }
    #expect(Set(["location", "person", "device", "time", "text"]).isSubset(of: classes), "\(classes)")
    let query = "SELECT localIdentifier FROM assets WHERE label = 'a'"
    #expect(try scene.catalogue(query) == [picture["localIdentifier"].string ?? ""])
    #expect(try scene.madeFiles("out")["a.jpg"] == picture["sha256"].string)
    let position = "SELECT auditFile || auditRecords || auditHead FROM runs ORDER BY auditFile DESC LIMIT 1"
    let log = receipts["log"]
    let said = "\(log["file"].string ?? "")\(log["records"].int ?? 0)\(log["head"].string ?? "")"
    #expect(try scene.catalogue(position) == [said])
    func verify(_ arguments: String...) throws -> Tool.Result {
      try Verifier.run(["copies", scene.at("out")] + arguments)
    }
    for arguments in [[], ["--from", scene.library]] {
      let result = try Verifier.run(["copies", scene.at("out")] + arguments)
      #expect(result.status == 0, "\(result.output)\(result.error)")
    }
    // A later run leaves the position where it was.
    try scene.run().expect(0)
    #expect(try verify("--from", scene.library).status == 0)
    #expect(try verify("--library", "another").status == 65)
    let other = try self.scene()
    #expect(try verify("--from", other.library).status == 65)
    let handle = try #require(FileHandle(forWritingAtPath: scene.at("out/a.jpg")))
    try handle.seek(toOffset: 100)
    try handle.write(contentsOf: Data([0xAA, 0x55]))
    try handle.close()
    let result = try verify()
    #expect(
      result.status == 65 && result.output.contains("a.jpg: it was changed since its receipt was written")
    )
    try FileManager.default.removeItem(atPath: scene.at("out/a.jpg"))
    #expect(try verify().output.contains("missing: a.jpg"))
  }

  @Test("What --except names stays, as under the same policy of a manifest")
  func except() throws {
    let words = ["--except", "creationDate,copyright,location:coarse"]
    let scene = try scene()
    let outcome = try export(scene, "out", words)
    try outcome.expect(3)
    let policy: JSONValue = [
      "policy": "strip", "except": ["creationDate", "copyright", ["location": "coarse"]],
    ]
    #expect(try media(scene, "out") == imported(scene, under: policy))
    #expect(try receipts(scene, "out")["policy"].string == "strip+copyright+creationDate+location:coarse")
    let tags = try Independent.exif(scene.at("out/a.jpg"))
    #expect(tags["ExifIFD:DateTimeOriginal"] == "2019:07:04 10:15:30")
    #expect(tags["IFD0:Copyright"] == "Ann")
    #expect(tags["IFD0:Model"] == nil)
    #expect(try outcome.json()["places"].int == 4)
    #expect(outcome.error.contains("leave location out of --except"))
    #expect(try Tool.run("stat", ["-c", "%Y", scene.at("out/a.jpg")]).output == "1562228130\n")
    try expectNone(of: Self.canary, scene, "out")
  }

  @Test("Made again, nothing is written anew; with other exceptions each file is")
  func again() throws {
    let scene = try scene()
    try FileManager.default.removeItem(atPath: scene.at("sources/library/t.tga"))
    let only = ["--where", "label != 't'"]
    try export(scene, "out", only).expect(0)
    let first = try scene.madeFiles("out")
    #expect(try export(scene, "out", only).json()["isCurrent"].bool == true)
    let all = try export(scene, "out", ["--neutral"] + only)
    #expect(try all.json()["filesAdded"].int == 4)
    try export(scene, "out", only).expect(0)
    // A new asset makes the folder anew, and the others are taken over with their receipts.
    try scene.put("sources/library/n.jpg", try Media.photo("new"))
    try scene.run().expect(0)
    let outcome = try export(scene, "out", only)
    #expect(try outcome.json()["filesAdded"].int == 1 && outcome.json()["filesKept"].int == 4)
    let made = try scene.madeFiles("out")
    for (path, sha256) in first where path != "mediabatch-receipts.json" { #expect(made[path] == sha256) }
    #expect(try receipts(scene, "out")["files"].array.count == 5)
    #expect(try receipts(scene, "out")["files"].array.allSatisfy { !$0["removed"].array.isEmpty })
    #expect(try Verifier.run(["copies", scene.at("out"), "--from", scene.library]).status == 0)
    let other = try export(scene, "out", ["--except", "copyright"] + only)
    #expect(try other.json()["filesAdded"].int == 5)
    // And the library's own files take the place of stripped ones, and these theirs again.
    try scene.command(["export", "Library", "out", "--layout", "{label}"] + only).expect(0)
    #expect(try Independent.exif(scene.at("out/a.jpg"))["IFD0:Model"] == "\(Self.canary) Cam")
    try export(scene, "out", only).expect(0)
    try expectNone(of: Self.canary, scene, "out")
  }

  @Test("With --record a folder is made behind the confinement, too, and the catalogue has no file beside it")
  func recordConfined() throws {
    let scene = try scene()
    let program = try RunningProgram(
      Scene.executable(),
      ["export", "Library", "out", "--strip", "--record", "--where", "label != 't'"],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    let outcome = try program.outcome()
    #expect(outcome.code == 0, "\(outcome.streams)")
    #expect(try scene.lastLog().compactMap { $0["event"].string }.contains("copied"))
    for name in ["library.sqlite-wal", "library.sqlite-shm"] {
      #expect(!FileManager.default.fileExists(atPath: scene.at("Library/" + name)), "\(name)")
    }
  }

  @Test("With --record the log says first that copies are made, and receipts are of a position behind that")
  func record() throws {
    let scene = try scene()
    let only = ["--where", "label != 't'", "--except", "copyright"]
    let before = try scene.digests("Library/Originals")
    let lock = open(scene.library + "/.lock", O_RDWR)
    try #require(lock >= 0)
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    // F_OFD_SETLK, which another descriptor of this process meets too.
    try #require(fcntl(lock, 37, &range) == 0)
    let held = try export(scene, "out", only + ["--record"])
    #expect(held.code == 73, "\(held.streams)")
    #expect(try scene.logFiles().count == 1)
    // Without a record nothing waits for the library.
    try export(scene, "unrecorded", only).expect(0)
    close(lock)
    try export(scene, "out", only + ["--record"]).expect(0)
    let records = try scene.lastLog()
    #expect(records.compactMap { $0["event"].string } == ["run", "key", "copied", "end"])
    #expect(records[2]["command"].string == "export" && records[2]["assets"].int == 4)
    #expect(records[2]["metadataPolicy"].string == "strip+copyright")
    let log = try receipts(scene, "out")["log"]
    #expect(try scene.logFiles().last?.name == log["file"].string && log["records"].int == 4)
    #expect(try Verifier.run(["copies", scene.at("out"), "--from", scene.library]).status == 0)
    #expect(try scene.digests("Library/Originals") == before)
    try scene.expectVerified()
    // What is current has nothing to record.
    let again = try export(scene, "out", only + ["--record"])
    #expect(try again.json()["isCurrent"].bool == true)
    // Neither has a selection of nothing.
    try scene.put("none.txt", "mediabatch-selection/1\n\n12345678\n")
    try export(scene, "none", ["--selection", "none.txt", "--record"]).expect(3)
    #expect(try scene.logFiles().count == 2)
    let options = ["gallery", "Library", "web", "--originals", "--strip", "--record", "--unsigned"]
    _ = try scene.command(options)
    #expect(try scene.lastLog().compactMap { $0["event"].string } == ["run", "copied", "end"])
    try scene.expectVerified()
  }

  @Test("A file that lacks its end, and a camera raw file, are left out with their reasons")
  func unstrippable() throws {
    let scene = Scene()
    scene.manifest["acceptDamaged"] = true
    scene.setThumbnails([])
    try scene.declare("library")
    let picture = try readBytes(Samples.harbour)
    try scene.put("sources/library/cut.jpg", Array(picture.prefix(picture.count * 3 / 4)))
    try scene.put("sources/library/raw.nef", RawUnderStripTests.raw(picture))
    try scene.run().expect(0)
    let outcome = try export(scene, "out")
    try outcome.expect(3)
    let details = try outcome.json()["notStripped"].array.compactMap { $0["detail"].string }.sorted()
    #expect(details.count == 2 && details.first?.hasPrefix("damaged: it ends early") == true, "\(details)")
    #expect(details.last?.hasPrefix("stripUnsupported: Nikon") == true, "\(details)")
    #expect(try scene.madePaths("out") == ["mediabatch-receipts.json"])
    // A JPEG of the raw file's preview has nothing to strip.
    let converted = try export(scene, "out", ["--convert", "jpeg", "--where", "label == 'raw'"])
    try converted.expect(0)
    #expect(try scene.madePaths("out") == ["mediabatch-receipts.json", "raw.jpg"])
    #expect(try Verifier.run(["copies", scene.at("out")]).status == 0)
  }

  @Test("A client's selection of the library's gallery leads to stripped copies")
  func selection() throws {
    let scene = try scene()
    let a = try #require(scene.catalogue("SELECT localIdentifier FROM assets WHERE label = 'a'").first)
    try scene.put("selection.txt", "mediabatch-selection/1\ngallery: 0000-0000 x\n\n\(a.prefix(13))  a\n")
    try export(scene, "out", ["--selection", "selection.txt"]).expect(0)
    #expect(try scene.madePaths("out") == ["a.jpg", "mediabatch-receipts.json"])
  }

  @Test("Turns, conversions, bags, crates and sidecars have no more than a stripped library would give")
  func combined() throws {
    let scene = try scene()
    let assets = try scene.catalogue("SELECT localIdentifier FROM assets WHERE label IN ('a', 'e', 'g')")
    try scene.command(["rotate", "Library"] + assets + ["--by", "90"]).expect(0)
    let only = ["--where", "label != 't'"]
    let outcome = try export(
      scene,
      "bag",
      ["--bag", "--ro-crate", "--sidecars", "xmp", "--convert", "jpeg", "--motion", "split"] + only
    )
    try outcome.expect(0)
    // Of a picture that is turned a sidecar says how, and nothing else.
    #expect(
      try scene.madePaths("bag").filter { $0.hasPrefix("data/") }
        == [
          "data/MVIMG_1.jpg", "data/MVIMG_1.mp4", "data/a.jpg", "data/a.jpg.xmp", "data/e.mp4",
          "data/e.mp4.xmp",
          "data/g.jpg", "data/ro-crate-metadata.json",
        ]
    )
    try expectNone(of: Self.canary, scene, "bag")
    try expectNone(of: "2019-07-04", scene, "bag")
    // 6, and 90 degrees.
    let orientation = try Tool.run(
      "exiftool",
      ["-s3", "-n", "-IFD0:Orientation", scene.at("bag/data/a.jpg")]
    )
    #expect(orientation.output == "3\n")
    #expect(
      try Tool.run("exiftool", ["-s3", "-n", "-Rotation", scene.at("bag/data/e.mp4")]).output == "90\n"
    )
    #expect(try Independent.size(scene.at("bag/data/g.jpg")) == [48, 64])
    let paths = try receipts(scene, "bag")["files"].array.compactMap { $0["path"].string }.sorted()
    #expect(paths.allSatisfy { $0.hasPrefix("data/") } && paths.count == 5, "\(paths)")
    #expect(try Verifier.run(["copies", scene.at("bag"), "--from", scene.library]).status == 0)
    // Facts that --except keeps can be written, also into a converted picture.
    let embed = ["--except", "creationDate,rating", "--embed", "date,rating", "--convert", "jpeg"]
    try export(scene, "embedded", embed + only).expect(0)
    let tags = try Independent.exif(scene.at("embedded/g.jpg"))
    #expect(tags["XMP-exif:DateTimeOriginal"]?.hasPrefix("2019:07:04 10:15:30") == true, "\(tags)")
    #expect(tags["XMP-xmp:Rating"] == "4")
    try expectNone(of: Self.canary, scene, "embedded")
  }

  @Test("Who makes a stripped gallery is not told of facts that it would not show")
  func unknownFacts() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("library")
    try scene.put("sources/library/a.jpg", copyOf: Samples.photo(6))
    try scene.run().expect(0)
    let open = try scene.command("gallery", "Library", "open", "--descriptions")
    #expect(open.error.contains("is not known"), "\(open.streams)")
    let stripped = try scene.command("gallery", "Library", "web", "--descriptions", "--strip")
    try stripped.expect(0)
    #expect(!stripped.error.contains("is not known"), "\(stripped.streams)")
  }

  @Test("Stripped halves of a live photo stay a pair, by an identifier of their own")
  func livePhoto() throws {
    let scene = Scene()
    try scene.declare("library")
    try scene.put("sources/library/IMG_1.JPG", copyOf: Samples.still)
    try scene.put("sources/library/IMG_1.MOV", copyOf: Samples.movie)
    try scene.run().expect(0)
    try export(scene, "out").expect(0)
    func identifier(_ path: String) throws -> String {
      try Tool.run("exiftool", ["-s3", "-ContentIdentifier", "-MediaGroupUUID", path]).output
    }
    let fresh = try identifier(scene.at("out/IMG_1.jpg"))
    #expect(!fresh.isEmpty)
    #expect(try identifier(scene.at("out/IMG_1.mov")) == fresh)
    #expect(try identifier(Samples.still) != fresh)
  }

  @Test("A gallery shows and downloads no more than a stripped library would give")
  func gallery() throws {
    let scene = try scene()
    let outcome = try scene.command(
      "gallery",
      "Library",
      "web",
      "--originals",
      "--strip",
      "--descriptions",
      "--format",
      "json"
    )
    try outcome.expect(3)
    let json = try outcome.json()
    let named = json["notStripped"].array.compactMap { $0["path"].string }
    #expect(named.count == 1 && named[0].hasSuffix("/t.tga"), "\(outcome.streams)")
    for text in [Self.canary, "2019-07-04", "2019-07"] { try expectNone(of: text, scene, "web") }
    let files = try scene.madeFiles("web")
    let originals = files.filter { $0.key.hasPrefix("originals/") }
    // Of the motion photo there is its movie too.
    #expect(originals.count == 5 && !originals.keys.contains { $0.hasSuffix(".tga") }, "\(originals.keys)")
    let zip = try readBytes(scene.at("web/downloads/pictures-1.zip"))
    #expect(String(decoding: zip, as: UTF8.self).contains("MVIMG_1.mp4"))
    let strict = try imported(scene, under: ["policy": "strip"])
    #expect(Set(strict).isSubset(of: originals.values))
    #expect(try Verifier.run(["copies", scene.at("web"), "--from", scene.library]).status == 0)
    let again = try scene.command("gallery", "Library", "web", "--originals", "--strip", "--format", "json")
    #expect(try again.json()["filesAdded"].int == 0, "\(again.streams)")
    // Without the files it is as neutral of facts.
    try scene.command("gallery", "Library", "small", "--strip").expect(0)
    for text in [Self.canary, "2019-07"] { try expectNone(of: text, scene, "small") }
  }
}
