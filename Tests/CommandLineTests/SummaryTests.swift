import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Summaries and plans")
struct SummaryTests {
  /// Every outcome but `unchanged` and `duplicate` at once, over all three sources.
  private func mixed() throws -> Scene {
    let scene = Scene()
    try scene.declare("camera").declare("library", "limited", ["selection": ["a.jpg", "gone.jpg", "none*"]])
    try scene.declare("microphone", "denied")
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.put("sources/camera/a.jpg", copyOf: Samples.photo(1))
    try scene.put("sources/camera/b.jpg", copyOf: Samples.photo(1))
    try scene.put("sources/camera/c.mp4", copyOf: Samples.video)
    try scene.put("sources/camera/d.txt", "no picture")
    try scene.put("sources/camera/e.jpg", Array(try readBytes(Samples.photo(4)).prefix(500)))
    try scene.put("sources/library/a.jpg", copyOf: Samples.harbour)
    try scene.put("sources/microphone/a.wav", copyOf: Samples.sound)
    let link = try Tool.run("ln", [scene.at("sources/camera/a.jpg"), scene.at("sources/camera/linked.jpg")])
    try #require(link.status == 0)
    // A second name of a.jpg: both are refused, so b.jpg is the first of its content.
    return scene
  }

  @Test("--format json prints exactly one object with every field, and the counts add up")
  func printsOneObject() throws {
    let scene = try mixed()
    let outcome = try scene.run()
    try outcome.expect(3)
    try outcome.expectCounts([
      "imported": 2, "skipped": 1, "unsupported": 1, "failed": 2, "refused": 2,
    ])
    #expect(outcome.output.hasSuffix("}\n"))
    #expect(outcome.output.filter { $0 == "\n" }.count == 1)
    let json = try outcome.json()
    #expect(
      json.keys == [
        "audit", "counts", "elapsedSeconds", "enforcement", "exitCode", "failures", "leftOut",
        "library",
        "manifest", "newerVersions", "problems", "replaced", "restored",
        "rulesWithoutMatch", "run", "schema", "sources",
        "superseded", "thumbnailMissing", "unstripped", "unsupported",
      ]
    )
    #expect(json["schema"].string == "mediabatch.run/1")
    #expect(json["run"].string?.isEmpty == false)
    #expect(json["library"].string == scene.library)
    #expect(json["exitCode"].int == 3)
    #expect(json["enforcement"].string == "kernel")
    #expect((json["elapsedSeconds"].number ?? -1) > 0)
    #expect(json["manifest"].keys == ["path", "sha256"])
    #expect(json["manifest"]["path"].string == "manifest.json")
    #expect(json["manifest"]["sha256"].string == (try Independent.sha256(scene.manifestPath)))
    #expect(json["audit"].keys == ["file", "head", "records", "root", "signed", "size"])
    let log = try #require(try scene.logFiles().last)
    #expect(json["audit"]["file"].string == "Audit/" + log.name)
    #expect(json["audit"]["records"].int == log.lines.count)
    #expect(json["audit"]["head"].string?.count == 64)
    #expect(
      json["counts"].keys
        == (["discovered"] + ItemOutcome.allCases.map(\.rawValue)).sorted()
    )
    var sources: [String] = []
    for source in json["sources"].array {
      #expect(
        source.keys == [
          "accessLevel", "authorizationStatus", "availability", "decision", "ignored", "reason",
          "required", "source", "sourceName",
        ]
      )
      #expect(source["required"].bool != nil)
      sources.append(
        ["source", "availability", "authorizationStatus", "accessLevel", "decision", "reason"]
          .map { source[$0].string ?? "?" }.joined(separator: " ")
      )
    }
    #expect(
      sources == [
        "camera available authorized readWrite allow authorized",
        "library available limited readWrite allow limited",
        "microphone unknown denied readWrite refuse denied",
      ]
    )
    for failure in json["failures"].array {
      #expect(failure.keys == ["message", "path", "reason", "source", "sourceName", "step"])
      #expect(failure.object.values.allSatisfy { $0.string?.isEmpty == false })
    }
    for item in json["unsupported"].array {
      #expect(item.keys == ["message", "path", "reason", "source", "sourceName"])
      #expect(item["path"].string == "d.txt")
    }
    #expect(json["problems"].array.allSatisfy { $0.keys == ["code", "message"] })
    #expect(Set(try outcome.problems()).isSuperset(of: ["hardLinked", "listing"]))
    try scene.expectVerified()
  }

  @Test(
    "The summary is as its JSON Schema says, for good runs and runs that stop",
    .enabled(if: Has.python, "no python3")
  )
  func fitsSchema() throws {
    // It prints each summary that is not as the schema says.
    let check = """
      import jsonschema, json, os, sys
      validator = jsonschema.Draft202012Validator(json.load(open(sys.argv[1])))
      for path in sys.argv[2:]:
          if not validator.is_valid(json.load(open(path))): print(os.path.basename(path))
      """
    let folder = Scene()
    var summaries: [String] = []
    var controls: [String] = []
    for code: Int32 in [0, 3, 66, 75, 77, 78] {
      let scene = try mixed()
      switch code {
      case 0: try FileManager.default.removeItem(atPath: scene.at("sources/camera/e.jpg"))
      case 66: try FileManager.default.removeItem(atPath: scene.at("sources/camera"))
      case 75: scene.manifest["onNotDetermined"] = "ask"
      case 77: try scene.declare("microphone", "denied", ["required": true])
      case 78: scene.manifest["usageDescriptions"] = [:]
      default: break
      }
      if code == 0 { try scene.declare("library", "limited", ["selection": ["a.jpg"]]) }
      if code == 75 { try scene.declare("microphone", nil) }
      let outcome = try scene.run()
      try outcome.expect(code)
      summaries.append(try folder.put("summary-\(code).json", outcome.output))
      // The check can fail.
      controls.append(
        try folder.put(
          "control-\(code).json",
          outcome.output.replacingOccurrences(of: "\"exitCode\"", with: "\"exitcode\"")
        )
      )
    }
    let schema = Samples.folder + "/../summary.schema.json"
    let result = try Tool.run("python3", ["-c", check, schema] + summaries + controls)
    #expect(result.status == 0, "\(result.error.suffix(600))")
    let wrong = result.output.split(separator: "\n").map(String.init)
    #expect(wrong == controls.map { ($0 as NSString).lastPathComponent })
  }

  @Test("The text summary has each source, each outcome, each failure, and what to do")
  func printsTable() throws {
    let scene = try mixed()
    try scene.writeManifest()
    let outcome = try scene.command("run", "manifest.json", "--verbose")
    try outcome.expect(3)
    let text = outcome.output
    func cells(_ start: String) throws -> [String] {
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(start + " ") }, "\(text)")
      return line.dropFirst(start.count).split(separator: " ").map(String.init)
    }
    let columns = try cells("source")
    #expect(Array(columns.prefix(2)) == ["found", "imported"])
    func row(_ name: String) throws -> [String: String] {
      Dictionary(uniqueKeysWithValues: zip(columns, try cells(name)))
    }
    let camera = try row("camera")
    #expect(
      camera == [
        "found": "6", "imported": "1", "skipped": "1", "refused": "2", "unsupported": "1",
        "failed": "1",
      ]
    )
    #expect(try row("photo library")["imported"] == "1")
    #expect(try row("total")["found"] == "8")
    #expect(try cells("microphone").joined(separator: " ").contains("refused: never opened"))
    for words in [
      "d.txt", "e.jpg", "gone.jpg", "none*", "sources.microphone.authorizationStatus",
      "The photo library is limited", "hardLinks",
      "--expect-head", scene.library,
    ] { #expect(text.contains(words), "\(words) in: \(text)") }
    #expect(!text.contains("\u{1B}"), "no escape sequence outside a terminal")
    // It would say the same once more.
    #expect(!text.contains("mediabatch check manifest.json"), "\(text)")
  }

  @Test("A source that is denied and required is told once, with both ways out", arguments: ["run", "check"])
  func deniedAndRequired(command: String) throws {
    let scene = Scene()
    try scene.declare("library", "denied", ["required": true])
    try scene.writeManifest()
    let outcome = try scene.command(command, "manifest.json")
    try outcome.expect(77)
    let text = outcome.streams.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for words in [
      "is denied by the manifest. To allow it, set sources.library.authorizationStatus to \"authorized\".",
      "To run without it, write \"required\": false for that source.",
    ] { #expect(text.components(separatedBy: words).count == 2, "\(words) in: \(text)") }
    #expect(!text.contains("mediabatch check"), "\(text)")
  }

  @Test("A refused source adds nothing to any count, and nothing of it is said")
  func countsAllowedOnly() throws {
    let scene = Scene()
    try scene.declare("camera", "denied")
    for number in 1...5 {
      try scene.put("sources/camera/canary\(number).jpg", copyOf: Samples.photo(number))
    }
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts([:])
    #expect(!outcome.streams.contains("canary"))
    let grep = try Tool.run("grep", ["-rla", "canary", scene.library])
    #expect(grep.status == 1, "\(grep.output)")
  }

  @Test("A plan says by names alone what the run then does")
  func plansByName() throws {
    let scene = Scene()
    let mode: JSONValue = ["mode": "photoAndLivePhoto"]
    try scene.declare("camera", "authorized", ["capture": mode])
    try scene.declare("microphone")
    scene.manifest["labels"] = ["template": "{source} {number:3} {originalName}"]
    try scene.put("sources/camera/a.JPEG", copyOf: Samples.photo(1))
    try scene.put("sources/camera/b.jpg", copyOf: Samples.photo(2))
    try scene.put("sources/camera/b.mov", copyOf: Samples.video)
    try scene.put("sources/camera/c.mp4", copyOf: Samples.video)
    try scene.put("sources/camera/notes", "text")
    try scene.put("sources/camera/._a.JPEG", "text")
    try scene.put("sources/microphone/m.wav", copyOf: Samples.sound)
    try scene.writeManifest()
    let outcome = try scene.command("run", "manifest.json", "--dry-run", "--format", "json")
    try outcome.expect(0)
    let items = try outcome.json()["items"].array
    func expected(_ key: String) -> [String] {
      items.map { "\($0["path"].string ?? "?") \($0["expected"][key].string ?? "-")" }
    }
    #expect(
      expected("outcome") == [
        "a.JPEG imported", "b.jpg imported", "b.mov -", "c.mp4 skipped", "notes -",
        "m.wav imported",
      ]
    )
    #expect(
      expected("counterpart") == [
        "a.JPEG -", "b.jpg b.mov", "b.mov b.jpg", "c.mp4 -", "notes -", "m.wav -",
      ]
    )
    let text = try scene.command("run", "manifest.json", "--dry-run")
    #expect(text.output.contains("5 items, 2 pictures, 2 videos, 1 other name, 1 ignored\n"))
    #expect(text.output.contains("Only reading tells the outcome of 6 items"))

    let run = try scene.run()
    try run.expect(0)
    let labels = try scene.catalogue(
      "SELECT label || '|' || path FROM resources JOIN assets ON asset = assets.id ORDER BY label"
    )
    let planned = items.compactMap { item -> String? in
      guard let label = item["expected"]["label"].string,
        let destination = item["expected"]["destination"].string
      else { return nil }
      return label + "|" + destination
    }
    let published = labels.map { line in
      let parts = line.split(separator: "/")
      return "\(parts[0])/*/\(parts[3])"
    }
    #expect(published == planned.sorted())
  }

  @Test("--dry-run touches nothing, and says onReading, then unchanged")
  func plansWithoutTouching() throws {
    let scene = Scene()
    try scene.declare("camera").declare("library", "limited", ["selection": ["gone.jpg", "x.jpg"]])
    try scene.declare("microphone", "denied")
    try scene.put("sources/camera/a.jpg", copyOf: Samples.photo(1))
    try scene.put("sources/camera/n.txt", "text")
    try scene.put("sources/library/x.jpg", copyOf: Samples.harbour)
    try scene.put("sources/microphone/canary.wav", copyOf: Samples.sound)
    try scene.writeManifest()
    func plan() throws -> [String] {
      let before = try scene.snapshot()
      let text = try scene.command("run", "manifest.json", "--dry-run")
      let outcome = try scene.command("run", "manifest.json", "--dry-run", "--format", "json")
      #expect(try scene.snapshot() == before, "a dry run touches nothing")
      try outcome.expect(0)
      try text.expect(0)
      #expect(!text.streams.contains("canary") && !outcome.streams.contains("canary"))
      let json = try outcome.json()
      #expect(
        json.keys == ["exitCode", "items", "notes", "problems", "rulesWithoutMatch", "schema", "sources"]
      )
      return json["items"].array.map {
        "\($0["source"].string ?? "?") \($0["path"].string ?? "?") \($0["plan"].string ?? "?")"
      }.sorted()
    }
    #expect(
      try plan() == [
        "camera a.jpg onReading", "camera n.txt onReading", "library gone.jpg failed",
        "library x.jpg onReading",
      ]
    )
    #expect(!FileManager.default.fileExists(atPath: scene.library))
    try scene.run().expect(3)
    #expect(
      try plan() == [
        "camera a.jpg unchanged", "camera n.txt onReading", "library gone.jpg failed",
        "library x.jpg unchanged",
      ]
    )
    try scene.expectVerified()
  }

  @Test(
    "A dry run opens no file of a source and lists only what is allowed",
    .enabled(if: Has.strace, "no strace")
  )
  func plansWithoutOpening() throws {
    let scene = Scene()
    try scene.declare("camera").declare("microphone", "denied")
    try scene.put("sources/camera/a.jpg", copyOf: Samples.photo(1))
    try scene.put("sources/microphone/a.wav", copyOf: Samples.sound)
    try scene.writeManifest()
    let trace = scene.at("trace")
    let result = try Tool.run(
      "strace",
      [
        "-f", "-qq", "-y", "-e", "trace=open,openat,openat2,getdents64", "-o", trace,
        try Scene.executable(), "run", "manifest.json", "--dry-run",
      ],
      in: scene.path
    )
    #expect(result.status == 0)
    let lines = String(decoding: try readBytes(trace), as: UTF8.self).split(separator: "\n")
    #expect(lines.filter { $0.contains("a.jpg") || $0.contains("a.wav") } == [])
    #expect(lines.filter { $0.contains("sources/microphone") } == [])
    #expect(lines.contains { $0.contains("getdents64") && $0.contains("sources/camera") })
  }

  @Test("A closed stdout does not stop an import")
  func survivesClosedOutput() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/a.jpg", copyOf: Samples.photo(1))
    try scene.writeManifest()
    let result = try Tool.run(
      "bash",
      [
        "-c", "set -o pipefail; \"$1\" run manifest.json | true; exit ${PIPESTATUS[0]}", "bash",
        try Scene.executable(),
      ],
      in: scene.path
    )
    #expect(result.status == 0, "\(result.error)")
    #expect(try scene.originals().count == 1)
    try scene.expectVerified()
  }

  @Test("Names reach a terminal and a report escaped, and can be read back")
  func escapesNames() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/a\u{1B}[31m\n::error::.jpg", "no picture at all")
    let cut = Array(try readBytes(Samples.photo(2)).prefix(400))
    try scene.put("sources/camera/b\u{1B}]0;x\u{7}.jpg", cut)
    try scene.put("sources/camera/c\u{1B}[2J\n::notice::.txt", "no picture at all")
    let outcome = try scene.run()
    try outcome.expect(3)
    let failed = try outcome.json()["failures"].array.map { $0["path"].string ?? "?" }
    #expect(failed == ["a%1B[31m%0A::error::.jpg", "b%1B]0;x%07.jpg"])
    let unsupported = try outcome.json()["unsupported"].array.map { $0["path"].string ?? "?" }
    #expect(unsupported == ["c%1B[2J%0A::notice::.txt"])
    let text = try scene.command("run", "manifest.json")
    for summary in [
      outcome.streams, text.streams, try scene.command("run", "manifest.json", "--dry-run").streams,
    ] {
      #expect(!summary.unicodeScalars.contains { $0.value < 32 && $0 != "\n" }, "\(summary)")
      #expect(!summary.split(separator: "\n").contains { $0.hasPrefix("::") })
    }
  }
}
