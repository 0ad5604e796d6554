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
    let made = try scene.command("init", "Photos")
    try made.expect(0)
    #expect(
      made.output.contains(
        "Photos: 2 pictures, 1 video, 1 sound, 1 sidecar, 1 other file\n"
      )
    )
    let manifest = try JSON(text: String(decoding: readBytes(scene.manifestPath), as: UTF8.self))
    #expect(manifest["sources"]["library"]["path"].string == "Photos")
    #expect(manifest["metadata"]["policy"].string == "strip")
    #expect(manifest["output"]["path"].string == "Library")
    try scene.command("check", "manifest.json").expect(0)
    let run = try scene.command("run", "manifest.json", "--format", "json")
    try run.expect(0)
    try run.expectCounts(["imported": 4, "skipped": 1, "unsupported": 1])

    let before = try readBytes(scene.manifestPath)
    let again = try scene.command("init", "Photos")
    try again.expect(74)
    #expect(again.error.contains("is there already and stays as it is"))
    #expect(try readBytes(scene.manifestPath) == before)
  }

  @Test(
    "Every option is in a manifest that check finds good",
    arguments: [
      ["--source", "camera"], ["--source", "microphone"], ["--policy", "keep"],
      ["--thumbnail", "0"], ["--thumbnail", "64"], ["--labels", "names"], ["--labels", "numbers"],
      ["--reason", "For a \"test\" \u{e9}"],
      ["--client", "org.example.other"], ["--library", "Other/Library"],
      ["--manifest", "other.json"],
    ]
  )
  func options(arguments: [String]) throws {
    let scene = try folder()
    let made = try scene.command(["init", "Photos", "--format", "json"] + arguments)
    try made.expect(0)
    #expect(try made.json()["counts"]["image"].int == 2)
    let path = try #require(try made.json()["manifest"].string)
    try scene.command("check", path).expect(0)
    let text = String(decoding: try readBytes(path), as: UTF8.self)
    let value = arguments[1]
    let shown = String(decoding: JSONValue.string(value).serialized, as: UTF8.self)
    switch arguments[0] {
    case "--thumbnail": #expect(value == "0" ? !text.contains("grid") : text.contains("[64, 64]"))
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
    let made = try scene.command("init", "Photos", "--ask", "--source", source)
    try made.expect(0)
    #expect(made.output.contains("manifest.json --web   # asks a person"))
    let text = String(decoding: try readBytes(scene.manifestPath), as: UTF8.self)
    #expect(!text.contains("authorizationStatus"))
    let check = try scene.command("check", "manifest.json")
    try check.expect(75)
    #expect(check.output.contains("`mediabatch run manifest.json --web` asks a person"))
    let grant = try scene.command("init", "Photos", "--manifest", "other.json")
    try grant.expect(0)
    #expect(try !scene.command("check", "other.json").output.contains("--web"))
  }

  @Test("A Takeout, zipped or not, and a Photos library get their kind")
  func kinds() throws {
    let takeout = Scene()
    try takeout.put("Zips/takeout-20230801T120000Z-001.zip", "")
    try takeout.put("Zips/takeout-20230801T120000Z-002.zip", "")
    try takeout.put("Unpacked/Photos from 2023/a.jpg", copyOf: Samples.photo(1))
    try takeout.put("Unpacked/Photos from 2023/a.jpg.supplemental-metadata.json", "{}")
    try takeout.put("Apple/database/Photos.sqlite", "")
    try takeout.put("Apple/originals/0/a.jpg", copyOf: Samples.photo(1))
    try takeout.put("Other/backup.zip", "")
    let expected = [
      ("Zips", "takeout", "a Google Takeout with 2 zip files"),
      ("Unpacked", "takeout", "a Google Takeout with 1 picture, 1 sidecar"),
      ("Apple", "photosLibrary", "an Apple Photos library with 1 picture, 1 other file"),
      ("Other", nil, "1 zip file"),
    ]
    for (folder, kind, text) in expected {
      let made = try takeout.command("init", folder, "--manifest", folder + ".json")
      try made.expect(0)
      #expect(made.output.contains("\(folder): \(text)\n"), "\(made.output)")
      let manifest = try JSON(text: try takeout.text(takeout.at(folder + ".json")))
      #expect(manifest["sources"]["library"]["kind"].string == kind)
    }
  }

  @Test("A card is the camera's; sound alone is the microphone's")
  func proposes() throws {
    let scene = try folder(beneath: "Card/DCIM")
    try scene.command("init", "Card").expect(0)
    let run = try scene.command("run", "manifest.json", "--format", "json")
    try run.expect(0)
    // A camera has no sound files.
    try run.expectCounts(["imported": 3, "skipped": 2, "unsupported": 1])
    try scene.put("Voice/memo.wav", copyOf: Samples.sound)
    try scene.command("init", "Voice", "--manifest", "voice.json", "--library", "V").expect(0)
    let heard = try scene.command("run", "voice.json", "--format", "json")
    try heard.expectCounts(["imported": 1])
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
    try command(["init"]).expect(0)
    try scene.command("run", "Photos.json").expect(0)
    #expect(FileManager.default.fileExists(atPath: scene.at("Photos-library/library.sqlite")))
    #expect(try scene.digests("Photos").count == 6)
    let beside = scene.at("m.json")
    try command(["init", "--manifest", beside, "--library", "Library"]).expect(78)
    #expect(!FileManager.default.fileExists(atPath: beside))
    try command(["init", "--manifest", "m.json", "--library", scene.at("Other")]).expect(64)
    #expect(!FileManager.default.fileExists(atPath: scene.at("Photos/m.json")))
  }

  @Test("A folder that is not there is named, and nothing is written")
  func missing() throws {
    let scene = Scene()
    let made = try scene.command("init", "Nowhere")
    try made.expect(66)
    #expect(made.error.contains("There is no folder \"Nowhere\""))
    #expect(!FileManager.default.fileExists(atPath: scene.manifestPath))
  }

  @Test("No file is opened", .enabled(if: Has.strace, "no strace"))
  func opensNothing() throws {
    let scene = try folder()
    let trace = scene.at("trace")
    let result = try Tool.run(
      "strace",
      ["-f", "-qq", "-y", "-e", "trace=openat,openat2,open", "-o", trace]
        + [try Scene.executable(), "init", "Photos"],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    try #require(result.status == 0, "\(result.error)")
    let lines = String(decoding: try readBytes(trace), as: UTF8.self).split(separator: "\n")
    let opened = lines.filter { $0.contains("/Photos") && !$0.contains("O_DIRECTORY") }
    #expect(opened.isEmpty, "\(opened)")
    #expect(lines.contains { $0.contains("/Photos") })
  }

  @Test("At a terminal it asks for what no option says; Enter takes the proposal")
  func asks() throws {
    let scene = try folder()
    let terminal = try PseudoTerminal(
      Scene.executable(),
      ["init", "Photos", "--thumbnail", "0"],
      environment: Scene.environment(in: scene.path),
      in: scene.path,
      showsErrors: true
    )
    terminal.answer("nonsense", at: "(microphone)? [library] ")
    terminal.answer("", at: "(microphone)? [library] ")
    terminal.answer("keep", at: "strip or keep? [strip] ")
    terminal.answer("numbers", at: "their names or numbers? [names] ")
    terminal.answer("", at: "Why are they imported?")
    terminal.answer("Mine", at: "Into which library?")
    terminal.answer("", at: "a person whom a run asks (ask)? [now] ")
    try terminal.outcome().expect(0)
    let text = String(decoding: try readBytes(scene.manifestPath), as: UTF8.self)
    #expect(text.contains("\"keep\"") && text.contains("\"Mine\"") && !text.contains("grid"))
    #expect(text.contains("\"neutral\": true") && text.contains("authorizationStatus"))
    try scene.command("check", "manifest.json").expect(0)

    let asking = try PseudoTerminal(
      Scene.executable(),
      ["init", "Photos", "--manifest", "asking.json", "--reason", "A test", "--library", "Asked"],
      environment: Scene.environment(in: scene.path),
      in: scene.path,
      showsErrors: true
    )
    for place in ["[library] ", "[strip] ", "[256] ", "[names] "] { asking.answer("", at: place) }
    asking.answer("ask", at: "a person whom a run asks (ask)? [now] ")
    try asking.outcome().expect(0)
    try scene.command("check", "asking.json").expect(75)

    let stopped = try PseudoTerminal(
      Scene.executable(),
      ["init", "Photos", "--manifest", "other.json"],
      environment: Scene.environment(in: scene.path),
      in: scene.path,
      showsErrors: true
    )
    #expect(stopped.shows("[library] ", seconds: 60))
    stopped.type("\u{4}")
    try stopped.outcome().expect(130)
    #expect(!FileManager.default.fileExists(atPath: scene.at("other.json")))
  }
}
