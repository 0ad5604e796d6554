import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("The story of one file")
struct ExplainTests {
  /// A library of three runs: a photo, a broken file, a copy; then thumbnails of another size; then a
  /// changed photo.
  private func scene() throws -> Scene {
    let scene = Scene()
    try scene.declare("camera").declare("library")
    try scene.put("sources/camera/trip/a.jpg", copyOf: Samples.photo(1))
    try scene.put("sources/library/trip/a.jpg", copyOf: Samples.photo(2))
    try scene.put("sources/camera/copy.jpg", copyOf: Samples.photo(1))
    try scene.put("sources/camera/broken.jpg", Array(readBytes(Samples.photo(2)).prefix(900)))
    try scene.put("sources/camera/caf\u{e9}, [1] %41.jpg", copyOf: Samples.harbour)
    try scene.writeManifest()
    try scene.run().expect(3)
    return scene
  }

  private func explain(_ scene: Scene, _ name: String) throws -> [JSON] {
    let outcome = try scene.command("explain", "Library", name, "--format", "json")
    try outcome.expect(0)
    return try outcome.json()["items"].array
  }

  @Test("A file is found by its path in the source, a longer one, and every name of its asset")
  func names() throws {
    let scene = try scene()
    let bySource = try explain(scene, "trip/a.jpg")
    #expect(bySource.compactMap { $0["source"].string } == ["camera", "library"])
    #expect(bySource.compactMap { $0["outcome"].string } == ["duplicate", "imported"])
    let byPath = try explain(scene, scene.at("sources/camera/trip/a.jpg"))
    #expect(byPath.count == 2)

    let asset = try #require(bySource.first)["asset"]
    let identifier = try #require(asset["localIdentifier"].string)
    let original = try #require(asset["originals"].array.first?.string)
    for name in [identifier, original, scene.at("Library/" + original), "Library/" + original] {
      // The copy's content is in the same asset.
      let paths = try explain(scene, name).compactMap { $0["path"].string }
      #expect(paths == ["copy.jpg", "trip/a.jpg"], "\(name)")
    }
    let odd = try explain(scene, "caf\u{e9}, [1] %2541.jpg")
    #expect(odd.count == 1)
  }

  @Test("A file is found by its name alone, in each folder that has it, if these are not many")
  func nameAlone() throws {
    let scene = try scene()
    let items = try explain(scene, "a.jpg")
    #expect(items.compactMap { $0["source"].string } == ["camera", "library"])
    try scene.command("explain", "Library", ".jpg").expect(64)
    try scene.command("explain", "Library", "rip/a.jpg").expect(64)
    for number in 0..<11 {
      try scene.put("sources/camera/\(number)/same.jpg", copyOf: Samples.harbour)
    }
    try scene.run().expect(0)
    let several = try scene.command("explain", "Library", "same.jpg")
    try several.expect(64)
    #expect(several.error.contains("names more than 10 files: 0/same.jpg, 1/same.jpg"))
    #expect(try explain(scene, "7/same.jpg").count == 1)
  }

  @Test("Names with escapes in them, and names that look the same, are told apart")
  func likeNames() throws {
    let scene = Scene()
    try scene.declare("library")
    let names = [
      "A.jpg", "%41.jpg", "B%20C.jpg", "\u{E9}/\u{E9}.jpg", "\u{E9}/e\u{301}.jpg", "e\u{301}/c.jpg",
    ]
    for (number, name) in names.enumerated() {
      try scene.put("sources/library/" + name, try Media.photo("\(number)"))
    }
    scene.manifest["albums"] = ["fromFolders": true]
    try scene.run().expect(0)
    let escaped = ["%41.jpg": "%2541.jpg", "B%20C.jpg": "B%2520C.jpg"]
    for name in names {
      let items = try explain(scene, name)
      #expect(
        items.compactMap { $0["path"].string.map { Array($0.utf8) } } == [Array((escaped[name] ?? name).utf8)]
      )
      let asset = items.first?["asset"]["localIdentifier"].string
      let original = try #require(items.first?["asset"]["originals"].array.first?.string)
      for word in [name, escaped[name] ?? name, original] {
        let report = try scene.command("report", "Library", "--format", "json", "--asset", word)
        #expect(try report.json()["subject"]["asset"].string == asset, "\(word): \(report.streams)")
      }
    }
    for (album, count) in [("\u{E9}", 2), ("e\u{301}", 1)] {
      let list = try scene.command("list", "Library", "--album", "library/\(album)", "--format", "ndjson")
      #expect(list.output.split(separator: "\n").count == count, "\(list.streams)")
    }
    let written = try scene.command("list", "Library", "--format", "lightroom").output
    #expect(written.split(separator: ",").count == names.count, "\(written)")
    let asset = try #require(try explain(scene, "A.jpg").first?["asset"]["localIdentifier"].string)
    let label = try scene.shell("\"$mediabatch\" label Library \(asset) $'a\\xff'")
    #expect(label.code == 0 && label.output.contains("a%FF"), "\(label.streams)")
  }

  @Test("An asset is found by label and beginning of its identifier, unless several are meant")
  func labels() throws {
    let scene = try scene()
    let assets = try explain(scene, "trip/a.jpg").compactMap {
      $0["asset"]["localIdentifier"].string
    }
    let identifier = try #require(assets.first)
    for name in [String(identifier.prefix(13)), identifier.prefix(9).lowercased()] {
      #expect(try explain(scene, name).count == 2, "\(name)")
    }
    try scene.command("label", "Library", identifier, "Harbour at dawn").expect(0)
    #expect(try explain(scene, "Harbour at dawn").compactMap { $0["path"].string }.count == 2)
    try scene.command("label", "Library", try #require(assets.last), "Harbour at dawn").expect(0)
    let several = try scene.command("explain", "Library", "Harbour at dawn")
    try several.expect(64)
    #expect(several.error.contains("names 2 assets: ") && several.error.contains(identifier))
    try scene.command("explain", "Library", "abc").expect(64)
  }

  @Test("The records are those of the log, with the decision before them")
  func records() throws {
    let scene = try scene()
    let item = try #require(explain(scene, "broken.jpg").first)
    #expect(item["outcome"].string == "failed")
    #expect(item["reason"].string == "damaged")
    #expect(item["message"].string?.contains("acceptDamaged") == true)
    #expect(item["asset"].string == nil)
    let events = item["records"].array.compactMap { $0["event"].string }
    #expect(events == ["run", "decision", "access", "outcome"])
    let log = try scene.lastLog()
    for record in item["records"].array {
      let line = log[try #require(record["seq"].int) - 1]
      #expect(line["event"].string == record["event"].string)
      #expect(line["time"].string == record["time"].string)
    }
    try FileManager.default.removeItem(atPath: scene.at("sources/camera/broken.jpg"))
    try scene.put("sources/camera/broken.jpg", copyOf: Samples.photo(2))
    try scene.run().expect(0)
    let mended = try #require(explain(scene, "broken.jpg").first)
    #expect(mended["outcome"].string == "duplicate")
    let runs = mended["records"].array.compactMap { $0["run"].string }
    #expect(Set(runs).count == 2)

    let text = try scene.command("explain", "Library", "broken.jpg")
    try text.expect(0)
    let lines = text.output.split(separator: "\n")
    let command = try #require(lines.last).trimmingCharacters(in: .whitespaces)
    let proof = try Tool.run(
      "sh",
      ["-c", command.replacingOccurrences(of: "mediabatch ", with: "\"$0\" "), Scene.executable()],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    #expect(proof.status == 0, "\(command)")
    try Data(proof.output.utf8).write(to: URL(fileURLWithPath: scene.at("proof")))
    let key = try scene.command("audit", "key", "show").output.split(separator: "\n").first
    let checked = try scene.command("audit", "check-proof", "proof", "--trust", "\(#require(key))")
    try checked.expect(0)
    #expect(checked.output.contains("broken.jpg"))
  }

  @Test("The printed command proves the records of a file whose name begins like an option")
  func optionName() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/-rf it's.jpg", copyOf: Samples.photo(1))
    try scene.put("sources/camera/--.jpg", copyOf: Samples.photo(2))
    try scene.run().expect(0)
    for name in ["-rf it's.jpg", "--.jpg"] {
      let text = try scene.command("explain", "Library", "--", name)
      try text.expect(0)
      let command = try #require(text.output.split(separator: "\n").last)
        .trimmingCharacters(in: .whitespaces)
      let proof = try Tool.run(
        "sh",
        ["-c", command.replacing("mediabatch ", with: "\"$0\" "), Scene.executable()],
        environment: Scene.environment(in: scene.path),
        in: scene.path
      )
      #expect(proof.status == 0, "\(command): \(proof.error)")
      #expect(proof.output.contains("\"value\":\"\(name)\""), "\(proof.output)")
    }
  }

  @Test(
    "A file that a stopped run has opened is told of, though it has no outcome and is gone",
    .enabled(if: Has.strace, "no strace")
  )
  func opened() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/trip/gone.jpg", copyOf: Samples.photo(1))
    try scene.put("sources/camera/stays.jpg", copyOf: Samples.photo(2))
    try scene.writeManifest()
    // The fourth flush is that of the first originals: all files are read, and none has an outcome.
    let killed = try RunMoment(call: "syncfs", number: 4).kill(["run", "manifest.json"], in: scene.path)
    try killed.wait()
    let log = try scene.lastLog()
    let access = try #require(log.first { $0["path"].string == "trip/gone.jpg" })
    try #require(access["event"].string == "access" && !log.contains { $0["event"].string == "outcome" })
    try FileManager.default.removeItem(atPath: scene.at("sources/camera/trip/gone.jpg"))
    try scene.run().expect(0)
    for name in ["trip/gone.jpg", scene.at("sources/camera/trip/gone.jpg")] {
      let items = try explain(scene, name)
      let item = try #require(items.first)
      #expect(items.count == 1 && item["outcome"].isNull && item["asset"].isNull)
      #expect(item["source"].string == "camera" && item["path"].string == "trip/gone.jpg")
      #expect(item["message"].string?.contains("no outcome was recorded") == true)
      #expect(item["run"].string == access["run"].string)
      let events = item["records"].array.compactMap { $0["event"].string }
      #expect(events == ["run", "decision", "access"])
    }
    let text = try scene.command("explain", "Library", "trip/gone.jpg")
    try text.expect(0)
    #expect(text.output.hasPrefix("\"trip/gone.jpg\" (camera): no outcome\n"), "\(text.output)")
    let words = text.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("the run was stopped, access was taken back"), "\(words)")
    try scene.command("explain", "Library", "sources").expect(64)
    #expect(try explain(scene, "stays.jpg").compactMap { $0["outcome"].string } == ["imported"])
  }

  @Test("An original that is not there any more is said to be gone, and one that is there is not")
  func lostOriginal() throws {
    let scene = try scene()
    let asset = try #require(try explain(scene, "copy.jpg").first)["asset"]
    let original = try #require(asset["originals"].array.first?.string)
    let line = "  original   \(original)"
    let whole = try scene.command("explain", "Library", "copy.jpg").output
    #expect(whole.contains(line + "\n") && !whole.contains("not there now"), "\(whole)")
    try FileManager.default.removeItem(atPath: scene.at("Library/" + original))
    let lost = try scene.command("explain", "Library", "copy.jpg").output
    #expect(lost.contains(line + ": not there now. mediabatch verify Library\n"), "\(lost)")
  }

  @Test("A file that no record names is told so, and an ignored name why")
  func unknown() throws {
    let scene = try scene()
    for (name, words) in [
      ("nope.jpg", "No record names \"nope.jpg\". FILE is a file's name"),
      ("nope.jpg", "A file that is hidden, shared or outside \"fetch\" is counted, not named: "),
      ("trip/._a.jpg", "ignored by default"),
    ] {
      let outcome = try scene.command("explain", "Library", name, "--format", "json")
      try outcome.expect(64)
      #expect(outcome.error.contains(words))
      #expect(try outcome.json()["items"].array.isEmpty)
    }
    try scene.command("explain", "Nowhere", "a.jpg").expect(78)
  }
}
