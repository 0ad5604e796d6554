import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("A first manifest")
struct InitTests {
  /// A folder of media of every kind, some with names of media alone.
  private func folder(beneath name: String = "Photos") throws -> Scene {
    let scene = Scene()
    try scene.put("\(name)/1.JPG", copyOf: Samples.photo(1))
    try scene.put("\(name)/trip/2.jpg", copyOf: Samples.photo(2))
    try scene.put("\(name)/trip/clip.mp4", copyOf: Samples.video)
    try scene.put("\(name)/trip/2.xmp", "<x/>")
    try scene.put("\(name)/memo.wav", copyOf: Samples.sound)
    try scene.put("\(name)/notes.txt", "These are notes.")
    return scene
  }

  @Test("It counts by name, checks, runs, and is never overwritten")
  func writes() throws {
    let scene = try folder()
    let outcome = try scene.command("init", "--policy", "strip", "Photos")
    try outcome.expect(0)
    #expect(outcome.output.contains("Photos: 2 pictures, 1 video, 1 sound, 1 sidecar, 1 other file\n"))
    let manifest = try JSON(text: String(decoding: readBytes(scene.manifestPath), as: UTF8.self))
    #expect(manifest["sources"]["library"]["path"].string == "Photos")
    #expect(manifest["metadata"]["policy"].string == "strip")
    #expect(manifest["client"]["name"].string == "Photos")
    let purpose = manifest["usageDescriptions"]["NSPhotoLibraryUsageDescription"].string
    #expect(purpose == "Import the photos of “Photos” into “Library”.")
    // What files say is removed, and what they are called is not.
    let copies =
      "no places, dates or names in them. Their file names stay; --labels numbers gives them numbers."
    #expect(outcome.output.contains(copies), "\(outcome.output)")
    let named = "Stripped files keep the names of the sources' files"
    #expect(try scene.command("check", "manifest.json").output.contains(named))
    let numbers = [
      "init", "Photos", "--policy", "strip", "--labels", "numbers", "--manifest", "numbers.json",
    ]
    try scene.command(numbers).expect(0)
    #expect(try !scene.command("check", "numbers.json").output.contains(named))
    let last = outcome.output.split(separator: "\n").last
    #expect(last?.hasPrefix("  mediabatch init FOLDER --manifest NAME.json --library ") == true)
    #expect(manifest["output"]["path"].string == "Library")
    try scene.command("check", "manifest.json").expect(0)
    let run = try scene.command("run", "manifest.json", "--format", "json")
    try run.expect(0)
    try run.expectCounts(["imported": 4, "skipped": 1, "unsupported": 1])

    let before = try readBytes(scene.manifestPath)
    let again = try scene.command("init", "--policy", "strip", "Photos")
    try again.expect(74)
    #expect(again.error.contains("is there already and stays as it is"))
    #expect(try readBytes(scene.manifestPath) == before)
  }

  @Test(
    "Every option is in a manifest that check finds good",
    arguments: [
      ["--source", "camera"], ["--source", "microphone"], ["--policy", "keep"],
      ["--policy", "strip"], ["--thumbnail", "0"], ["--thumbnail", "64"],
      ["--large-thumbnail", "0"], ["--large-thumbnail", "800"], ["--labels", "names"],
      ["--labels", "numbers"],
      ["--reason", "For a \"test\" \u{e9}"],
      ["--client", "org.example.other"], ["--client-name", "My \"album\""], ["--library", "Other/Library"],
      ["--manifest", "other.json"],
    ]
  )
  func options(arguments: [String]) throws {
    let scene = try folder()
    let outcome = try scene.command(["init", "--policy", "strip", "Photos", "--format", "json"] + arguments)
    try outcome.expect(0)
    #expect(try outcome.json()["counts"]["image"].int == 2)
    let path = try #require(try outcome.json()["manifest"].string)
    try scene.command("check", path).expect(0)
    let text = String(decoding: try readBytes(path), as: UTF8.self)
    let value = arguments[1]
    let shown = String(decoding: JSONValue.string(value).serialized, as: UTF8.self)
    switch arguments[0] {
    case "--thumbnail":
      #expect(value == "0" ? !text.contains("thumbnails") : text.contains("[64, 64]"), "\(text)")
    case "--large-thumbnail":
      #expect(text.contains("\"large\"") == (value == "800") && text.contains("[256, 256]"))
    case "--policy": #expect(try outcome.json()["policy"].string == value && text.contains(shown))
    case "--manifest": #expect(path.hasSuffix("/other.json"))
    case "--labels": #expect(text.contains("\"neutral\": true") == (value == "numbers"), "\(text)")
    default: #expect(text.contains(shown), "\(text)")
    }
  }

  @Test(
    "With --ask a person decides, and the next command says so",
    arguments: ["library", "camera", "microphone"]
  )
  func leavesDecision(source: String) throws {
    let scene = try folder()
    let outcome = try scene.command("init", "--policy", "strip", "Photos", "--ask", "--source", source)
    try outcome.expect(0)
    #expect(outcome.output.contains("manifest.json --web   # asks a person"))
    let text = String(decoding: try readBytes(scene.manifestPath), as: UTF8.self)
    #expect(!text.contains("authorizationStatus"))
    let check = try scene.command("check", "manifest.json")
    try check.expect(75)
    #expect(check.output.contains("`mediabatch run manifest.json --web` asks a person"))
    let grant = try scene.command("init", "--policy", "strip", "Photos", "--manifest", "other.json")
    try grant.expect(0)
    #expect(try !scene.command("check", "other.json").output.contains("--web"))
  }

  @Test("A Takeout, zipped or not, and a Photos library get their kind")
  func kinds() throws {
    let takeout = Scene()
    try takeout.put("Zips/takeout-20230801T120000Z-001.zip", "")
    try takeout.put("Zips/takeout-20230801T120000Z-002.zip", "")
    try takeout.put("Mixed/takeout-20230801T120000Z-001.tgz", "")
    try takeout.put("Mixed/takeout-20230801T120000Z-002.zip", "")
    try takeout.put("Unpacked/Photos from 2023/a.jpg", copyOf: Samples.photo(1))
    try takeout.put("Unpacked/Photos from 2023/a.jpg.supplemental-metadata.json", "{}")
    try takeout.put("Takeout/Google Photos/Photos from 2019/a.jpg", copyOf: Samples.photo(1))
    try takeout.put("Takeout/Google Photos/Photos from 2019/a.jpg.json", "{}")
    // As exports of before 2024 are, in a folder of downloads.
    try takeout.put("Older/parts/Takeout/Google Fotos/Fotos von 2019/a.jpg.json", "{}")
    try takeout.put("Year/Photos from 2019/a.jpg.json", "{}")
    // Google cuts the middle of a long name.
    try takeout.put("Cut/Photos from 2023/IMG_20230801_120000_long.jpg.supplemental-met.json", "{}")
    try takeout.put("Apple/database/Photos.sqlite", "")
    try takeout.put("Apple/originals/0/a.jpg", copyOf: Samples.photo(1))
    let part = "iCloud Photos Part 1 of 2"
    try takeout.put("Cloud/\(part)/Photos/a.jpg", copyOf: Samples.photo(1))
    try takeout.put("Parts/\(part).zip", "")
    try takeout.put("Photos/a.jpg", copyOf: Samples.photo(1))
    try takeout.put("Photos/Photo Details-1.csv", "")
    try takeout.put("Other/backup.zip", "")
    try takeout.put("Other/a.jpg.json", "{}")
    let expected = [
      ("Zips", "takeout", "a Google Takeout with 2 zip files"),
      ("Mixed", "takeout", "a Google Takeout with 2 archives"),
      ("Unpacked", "takeout", "a Google Takeout with 1 picture, 1 sidecar"),
      ("Takeout", "takeout", "a Google Takeout with 1 picture, 1 sidecar"),
      ("Cut", "takeout", "a Google Takeout with 1 sidecar"),
      ("Older", "takeout", "a Google Takeout with 1 sidecar"),
      ("Year", "takeout", "a Google Takeout with 1 sidecar"),
      ("Apple", "photosLibrary", "an Apple Photos library with 1 picture, 1 other file"),
      ("Cloud", "iCloudExport", "an export of iCloud Photos with 1 picture"),
      ("Parts", "iCloudExport", "an export of iCloud Photos with 1 zip file"),
      ("Photos", "iCloudExport", "an export of iCloud Photos with 1 picture, 1 other file"),
      ("Other", nil, "1 sidecar, 1 zip file"),
    ]
    for (folder, kind, text) in expected {
      let outcome = try takeout.command("init", "--policy", "strip", folder, "--manifest", folder + ".json")
      try outcome.expect(0)
      #expect(outcome.output.contains("\(folder): \(text)\n"), "\(outcome.output)")
      let manifest = try JSON(text: try takeout.text(takeout.at(folder + ".json")))
      #expect(manifest["sources"]["library"]["kind"].string == kind)
    }
  }

  @Test("A Photos library within a folder is named, since nothing tells there which pictures are hidden")
  func photosLibraryWithin() throws {
    let scene = Scene()
    try scene.put("Disk/a.jpg", copyOf: Samples.photo(1))
    #expect(
      try !scene.command("init", "--policy", "strip", "Disk", "--manifest", "one.json").output.contains(
        "Photos library"
      )
    )
    try scene.put("Disk/Old/Ours.photoslibrary/originals/0/b.jpg", copyOf: Samples.photo(2))
    let outcome = try scene.command("init", "--policy", "strip", "Disk", "--manifest", "two.json")
    try outcome.expect(0)
    #expect(outcome.output.contains("Photos library \"Old/Ours.photoslibrary\""), "\(outcome.output)")
  }

  @Test("Another source of a library has the name of its folder, without .photoslibrary")
  func anotherSource() throws {
    let scene = Scene()
    try scene.declare("library")
    try scene.put("sources/library/a.jpg", try Media.photo("a"))
    try scene.run().expect(0)
    try scene.put("Ours.photoslibrary/originals/0/b.jpg", try Media.photo("b"))
    let outcome = try scene.command(
      "init",
      "--policy",
      "keep",
      "Ours.photoslibrary",
      "--library",
      "Library",
      "--manifest",
      "two.json"
    )
    try outcome.expect(0)
    let sentence = "This source is named \"Ours\", since the library has another of its kind.\n"
    #expect(outcome.output.contains(sentence), "\(outcome.streams)")
    let manifest = try JSON(text: try scene.text(scene.at("two.json")))
    #expect(manifest["sources"]["library"]["name"].string == "Ours")
  }

  @Test(
    "A memory card is known by the folders that cameras make, and is imported as a camera's",
    arguments: [
      "Card/DCIM/100CANON", "Card/dcim/100MEDIA", "Card/PRIVATE/AVCHD/BDMV",
      "Card/PRIVATE/M4ROOT/CLIP", "Card/private/m4root/CLIP", "Card/AVCHD/BDMV",
    ]
  )
  func cards(folder: String) throws {
    let scene = Scene()
    try scene.put(folder + "/C0001.MP4", copyOf: Samples.video)
    let result = try scene.command("init", "--policy", "strip", "Card", "--format", "json")
    try result.expect(0)
    #expect(try result.json()["isMemoryCard"].bool == true)
    #expect(try result.json()["source"].string == "camera")
    let text = try scene.text(scene.manifestPath)
    #expect(text.contains("\"photoAndVideo\"") && text.contains("\"microphone\""), "\(text)")
    try scene.command("check", "manifest.json").expect(0)
    let run = try scene.command("run", "manifest.json", "--format", "json")
    try run.expect(0)
    try run.expectCounts(["imported": 1])
    // A part of the card is one too; a folder of another name is none.
    let part = folder.split(separator: "/").dropLast().joined(separator: "/")
    let outcome = try scene.command("init", "--policy", "strip", part, "--manifest", "part.json")
    #expect(outcome.output.contains("a camera's memory card with 1 video"), "\(outcome.streams)")
    try scene.put("Plain/DCIMs/1.jpg", copyOf: Samples.photo(1))
    let plain = try scene.command(
      "init",
      "--policy",
      "strip",
      "Plain",
      "--manifest",
      "plain.json",
      "--format",
      "json"
    )
    #expect(try plain.json()["isMemoryCard"].bool == false)
    #expect(try plain.json()["source"].string == "library")
  }

  @Test(
    "A gallery of what a first manifest imports needs no other pictures",
    .enabled(if: Has.magick, "no ImageMagick")
  )
  func gallery() throws {
    let scene = Scene()
    try scene.makeFolder("Photos")
    for (name, size) in [("wide", "2400x1800"), ("high", "1600x2400"), ("small", "200x150")] {
      let path = scene.at("Photos/\(name).jpg")
      try Independent.makePicture(path, color: "rgb(\(name.utf8.count * 20),90,60)", size: size)
    }
    try scene.command("init", "Photos", "--policy", "keep").expect(0)
    try scene.command("run", "manifest.json").expect(0)
    let outcome = try scene.command("gallery", "Library", "site", "--format", "json")
    try outcome.expect(0)
    let counts = try outcome.json()["made"]
    #expect(counts["tiles"].int == 0 && counts["views"].int == 0, "\(outcome.output)")
    let tiles = try scene.madePaths("site").filter { $0.hasPrefix("tiles/") }
      .map { try Independent.size(scene.at("site/" + $0)) }
    #expect(tiles.count == 3 && tiles.allSatisfy { ($0.max() ?? 0) <= 256 }, "\(tiles)")
  }

  @Test("A card is the camera's; sound alone is the microphone's")
  func proposes() throws {
    let scene = try folder(beneath: "Card/DCIM")
    try scene.command("init", "--policy", "strip", "Card").expect(0)
    let run = try scene.command("run", "manifest.json", "--format", "json")
    try run.expect(0)
    // A camera has no sound files.
    try run.expectCounts(["imported": 3, "skipped": 2, "unsupported": 1])
    try scene.put("Voice/memo.wav", copyOf: Samples.sound)
    try scene.command("init", "--policy", "strip", "Voice", "--manifest", "voice.json", "--library", "V")
      .expect(0)
    let heard = try scene.command("run", "voice.json", "--format", "json")
    try heard.expectCounts(["imported": 1])
    let other = try scene.command(
      "init",
      "--policy",
      "strip",
      "Voice",
      "--source",
      "camera",
      "--manifest",
      "c.json"
    )
    #expect(other.output.contains("photos, live photos, and videos"), "\(other.streams)")
  }

  @Test("A phone's card with films and live photos is imported whole", .enabled(if: Has.sqlite, "no sqlite3"))
  func phone() throws {
    let scene = Scene()
    try scene.put("Card/DCIM/100APPLE/IMG_0001.JPG", copyOf: Samples.still)
    try scene.put("Card/DCIM/100APPLE/IMG_0001.MOV", copyOf: Samples.movie)
    try scene.put("Card/DCIM/100APPLE/IMG_0002.MOV", copyOf: Samples.video)
    let proposal = try scene.command("init", "Card", "--policy", "keep", "--format", "json")
    #expect(try proposal.json()["source"].string == "camera")
    let run = try scene.command("run", "manifest.json", "--format", "json")
    try run.expect(0)
    try run.expectCounts(["imported": 3])
    let roles = try scene.catalogue("SELECT asset || ' ' || role FROM resources ORDER BY asset, role")
    #expect(roles == ["1 pairedVideo", "1 photo", "2 video"])
  }

  @Test("In the folder itself, manifest and library are put beside it")
  func inside() throws {
    let scene = try folder()
    func command(_ arguments: [String]) throws -> Outcome {
      Outcome(
        try Tool.run(
          try Scene.executable(),
          arguments,
          environment: Scene.environment(in: scene.path),
          in: scene.at("Photos/trip/..")
        )
      )
    }
    try command(["init", "--policy", "strip"]).expect(0)
    try scene.command("run", "Photos.json").expect(0)
    #expect(FileManager.default.fileExists(atPath: scene.at("Photos-library/library.sqlite")))
    #expect(try scene.digests("Photos").count == 6)
    let beside = scene.at("m.json")
    try command(["init", "--policy", "strip", "--manifest", beside, "--library", "Library"]).expect(78)
    #expect(!FileManager.default.fileExists(atPath: beside))
    try command(["init", "--policy", "strip", "--manifest", "m.json", "--library", scene.at("Other")]).expect(
      64
    )
    #expect(!FileManager.default.fileExists(atPath: scene.at("Photos/m.json")))
  }

  @Test("A folder that is not there is named, and nothing is written")
  func missing() throws {
    let scene = Scene()
    let outcome = try scene.command("init", "--policy", "strip", "Nowhere")
    try outcome.expect(66)
    #expect(outcome.error.contains("There is no folder \"Nowhere\""))
    for (name, words) in [
      ("takeout-001.zip", "name the folder that has all of them"),
      ("takeout-001.TAR.GZ", "name the folder that has all of them"),
      ("photos.tar", "Unpack it into a folder"), ("a.jpg", "Name that of the media"),
    ] {
      try scene.put(name, "no media")
      let refused = try scene.command("init", "--policy", "strip", name)
      try refused.expect(66)
      #expect(refused.error.contains(words), "\(refused.streams)")
    }
    #expect(!FileManager.default.fileExists(atPath: scene.manifestPath))
  }

  @Test("No file is opened", .enabled(if: Has.strace, "no strace"))
  func opensNothing() throws {
    let scene = try folder()
    let trace = scene.at("trace")
    let result = try Tool.run(
      "strace",
      ["-f", "-qq", "-y", "-e", "trace=openat,openat2,open", "-o", trace]
        + [try Scene.executable(), "init", "--policy", "strip", "Photos"],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    try #require(result.status == 0, "\(result.error)")
    let lines = String(decoding: try readBytes(trace), as: UTF8.self).split(separator: "\n")
    let opened = lines.filter { $0.contains("/Photos") && !$0.contains("O_DIRECTORY") }
    #expect(opened.isEmpty, "\(opened)")
    #expect(lines.contains { $0.contains("/Photos") })
  }

  private func terminal(_ scene: Scene, _ arguments: String...) throws -> PseudoTerminal {
    try PseudoTerminal(
      Scene.executable(),
      ["init", "Photos"] + arguments,
      environment: Scene.environment(in: scene.path),
      in: scene.path,
      showsErrors: true
    )
  }

  @Test("At a terminal it asks for what no option says; Enter takes the proposal")
  func asks() throws {
    let scene = try folder()
    let own = try terminal(scene, "--thumbnail", "0")
    own.answer("nonsense", at: "(microphone)? [library] ")
    own.answer("", at: "(microphone)? [library] ")
    own.answer("", at: "a person whom a run asks (ask)? [now] ")
    own.answer("", at: "by their names or by numbers? [names] ")
    // What it means is explained, and one's own photos are kept as they are.
    #expect(own.shows("The files in this folder are not changed."))
    own.answer("", at: "keep or strip? [keep] ")
    own.answer("Mine", at: "Into which library?")
    // Who imports them, and why, is for a person whom a run asks.
    try own.outcome().expect(0)
    let text = try scene.text(scene.manifestPath)
    for words in [
      "\"keep\"", "\"Mine\"", "\"name\": \"Photos\"", "Import the photos of “Photos” into “Mine”.",
    ] {
      #expect(text.contains(words), "\(text)")
    }
    #expect(!text.contains("thumbnails") && text.contains("authorizationStatus"), "\(text)")
    try scene.command("check", "manifest.json").expect(0)
  }

  @Test("What others decide on, and what has numbers, is proposed to be stripped")
  func asksForOthers() throws {
    let scene = try folder()
    let asking = try terminal(scene, "--manifest", "asking.json", "--reason", "A", "--library", "B")
    asking.answer("", at: "(microphone)? [library] ")
    asking.answer("ask", at: "a person whom a run asks (ask)? [now] ")
    asking.answer("The album", at: "(a person who is asked reads this)? [Photos] ")
    for end in ["[names] ", "keep or strip? [strip] ", "[256] ", "[1600] "] {
      asking.answer("", at: end)
    }
    try asking.outcome().expect(0)
    try scene.command("check", "asking.json").expect(75)
    #expect(try scene.text(scene.at("asking.json")).contains(#""name": "The album""#))
    let numbers = try terminal(
      scene,
      "--manifest",
      "numbers.json",
      "--source",
      "library",
      "--reason",
      "A",
      "--library",
      "C"
    )
    numbers.answer("now", at: "(ask)? [now] ")
    numbers.answer("numbers", at: "[names] ")
    numbers.answer("", at: "keep or strip? [strip] ")
    numbers.answer("128", at: "[256] ")
    numbers.answer("0", at: "[1600] ")
    try numbers.outcome().expect(0)
    let text = try scene.text(scene.at("numbers.json"))
    #expect(text.contains("\"neutral\": true") && text.contains("[128, 128]"), "\(text)")
    #expect(!text.contains("large"))
    try scene.command("check", "numbers.json").expect(0)
  }

  @Test("Where nobody is asked the policy has to be said, and each is explained", arguments: [[], ["--yes"]])
  func needsPolicy(options: [String]) throws {
    let scene = try folder()
    let outcome = try scene.command(["init", "Photos"] + options)
    try outcome.expect(64)
    for words in ["--policy keep ", "--policy strip "] { #expect(outcome.error.contains(words)) }
    #expect(!FileManager.default.fileExists(atPath: scene.manifestPath))
  }

  @Test("An empty folder is said to be one")
  func empty() throws {
    let scene = Scene()
    try scene.put("Photos/notes.txt", "These are notes.")
    let outcome = try scene.command("init", "Photos", "--policy", "keep")
    try outcome.expect(0)
    #expect(outcome.output.contains("a run would import nothing."))
    #expect(outcome.output.contains("Once the folder has media:\n"))
    #expect(try !folder().command("init", "Photos", "--policy", "keep").output.contains("import nothing"))
  }

  @Test("With --yes it asks nothing at a terminal; a closed terminal writes nothing")
  func asksNothing() throws {
    let scene = try folder()
    let silent = try terminal(scene, "--yes", "--policy", "strip")
    try silent.outcome().expect(0)
    #expect(!silent.text.contains("? ["), "\(silent.text)")
    #expect(try scene.text(scene.manifestPath).contains("\"strip\""))
    let stopped = try terminal(scene, "--manifest", "other.json")
    #expect(stopped.shows("[library] "))
    stopped.type("\u{4}")
    try stopped.outcome().expect(130)
    #expect(!FileManager.default.fileExists(atPath: scene.at("other.json")))
  }
}
