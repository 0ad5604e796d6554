import Foundation
import Glibc
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Makes a library in every mode, and has all that a program reads of it checked by one reader.
@Suite(
  "What programs read is valid in every mode",
  .enabled(
    if: Has.python && Has.jsonschema && Has.strace && Tool.exists("xmllint"),
    "no python3, jsonschema, strace or xmllint"
  )
)
struct MachineOutputTests {
  private static let formats = ["json", "csv", "junit", "sarif", "in-toto"]

  /// A library: each run's summary, and the reports of all of them.
  private struct Case {
    let name: String
    let scene: Scene
    private var summaries = 0

    init(_ name: String, _ scene: Scene) {
      self.name = name
      self.scene = scene
    }

    mutating func add(_ outcome: Outcome, _ code: Int32) throws {
      try outcome.expect(code)
      try scene.put("summary-\(summaries).json", outcome.output)
      summaries += 1
    }

    mutating func run(_ code: Int32, _ arguments: String...) throws {
      try scene.writeManifest()
      let command = ["run", "manifest.json", "--format", "json"] + arguments
      try add(try Scene.program(command, in: scene.path), code)
    }

    /// Runs, and does something while the run stands still in the middle: at a call for a photo of that
    /// name, or, without one, as it is about to publish its first.
    mutating func held(
      _ code: Int32,
      at photo: String? = nil,
      meanwhile: (HeldProgram) throws -> Void
    ) throws {
      try scene.writeManifest()
      let run = try HeldProgram(
        ["run", "manifest.json", "--format", "json", "--workers", "1"],
        in: scene.path,
        calls: photo == nil ? "renameat2" : "openat2",
        paths: photo.map { [$0] } ?? []
      )
      let path = photo ?? scene.library + "/Originals"
      let isPublished = try run.next { $0.line.contains(path) } != nil
      try #require(isPublished)
      try meanwhile(run)
      try add(try run.wait(), code)
    }

    func report(_ arguments: String..., code: Int32 = 0) throws {
      for format in MachineOutputTests.formats {
        let outcome = try Scene.program(
          ["report", "Library", "--format", format, "-o", scene.at("report." + format)] + arguments,
          in: scene.path
        )
        #expect(outcome.code == code, "\(name), \(format): \(outcome.streams)")
      }
    }
  }

  private func photos(_ count: Int, policy: String = "strip") throws -> Scene {
    let scene = Scene(policy: policy)
    try scene.declare("camera")
    for number in 1...count {
      try scene.put("sources/camera/\(number).jpg", try Media.photo("\(number)"))
    }
    return scene
  }

  /// How many photos an interrupted run has, and one of its first batch.
  private static let count = Amount.of(100, all: 200)
  private static let photo = Amount.isAll ? "150.jpg" : "50.jpg"

  private func make() throws -> [Case] {
    var cases: [Case] = []
    var kept = Case("except", try photos(2))
    kept.scene.manifest["metadata"] = [
      "policy": "strip", "except": ["copyright", ["location": "coarse"], "hdrGainMap"],
    ]
    try kept.run(0)
    cases.append(kept)

    var stopped = Case("interrupted", try photos(Self.count))
    try stopped.held(130, at: Self.photo) { $0.kill(SIGINT) }
    try stopped.run(0)
    cases.append(stopped)

    let denied = try photos(200)
    var revoked = Case("revoked", denied)
    try revoked.held(77) { _ in
      try denied.command("access", "deny", "manifest.json", "camera", "--no-wait").expect(0)
    }
    try revoked.run(77)
    cases.append(revoked)

    let empty = Scene()
    try empty.declare("camera")
    try empty.makeFolder("sources/camera")
    var nothing = Case("empty", empty)
    try nothing.run(0)
    cases.append(nothing)

    var undecided = Case("undecided", try photos(1))
    try undecided.scene.declare("camera", nil)
    undecided.scene.manifest["onNotDetermined"] = "fail"
    try undecided.run(75)
    cases.append(undecided)

    // Failures, refusals, all that is left out, and several runs.
    var mixed = Case("mixed", try Scene.mixed())
    try mixed.run(3)
    try mixed.scene.put("sources/camera/later.jpg", try Media.photo("later"))
    try mixed.scene.put("sources/camera/later empty.jpg", "")
    try mixed.scene.put("sources/camera/permission", try Media.photo("permission"))
    try mixed.scene.put("sources/camera/._1.jpg", "ignored by default")
    try mixed.scene.put("sources/camera/%41\n\"<&>\u{1B}\u{202E}.jpg", try Media.photo("odd"))
    try mixed.run(3)
    cases.append(mixed)

    var cleaned = Case("cleaned", try photos(2, policy: "keep"))
    try cleaned.run(0)
    cleaned.scene.manifest["metadata"] = ["policy": "strip"]
    try cleaned.run(0, "--reprocess")
    let clean = try cleaned.scene.command(
      "repair",
      cleaned.scene.library,
      "--superseded",
      "--format",
      "json"
    )
    #expect(try clean.json()["removed"].array.count == 2)
    try cleaned.run(0)
    cases.append(cleaned)
    return cases
  }

  /// Takes seconds: it makes each report of eight libraries.
  @Test("json, csv, junit, sarif, in-toto, summaries and the log are valid, and their sums add up")
  func everyMode() throws {
    let cases = try make()
    for entry in cases { try entry.report() }
    let future = Case("nothing", try photos(1))
    try future.scene.run().expect(0)
    try future.report("--since", "2999-01-01", code: 5)
    let all = cases + [future]
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../..").standardizedFileURL.path
    let result = try Tool.run(
      "python3",
      [ReportReader.folder + "/machine.py", root] + all.map { $0.scene.path }
    )
    try #require(result.status == 0, "\(all.map { "\($0.name) \($0.scene.path)" }): \(result.error)")
    let last = try #require(result.output.split(separator: "\n").last)
    let totals = try JSON(text: String(last))
    func of(_ name: String) throws -> JSON {
      let entry = try #require(all.first { $0.name == name })
      return totals[URL(fileURLWithPath: entry.scene.path).lastPathComponent]
    }
    #expect(try of("except")["imported"].int == 2)
    #expect(try of("interrupted")["runs"].int == 2)
    #expect((try of("interrupted")["imported"].int ?? 0) == Self.count)
    #expect((try of("revoked")["refused"].int ?? 0) > 0)
    #expect(try of("empty").keys == ["result", "runs"])
    #expect(try of("empty")["result"].string == "passed")
    #expect(try of("undecided")["result"].string == "failed")
    #expect((try of("mixed")["failed"].int ?? 0) > 1)
    // A command that keeps house is no run.
    #expect(try of("cleaned")["runs"].int == 3)
    #expect(try of("nothing")["result"].string == "failed")
    #expect(try of("nothing")["runs"].int == 0)
  }

  @Test("A report about nothing says so in each format, and ends with a code of its own")
  func aboutNothing() throws {
    let scene = try photos(1)
    try scene.run().expect(0)
    let words = [
      "html": "this report says nothing about the library", "json": "\"isAboutNothing\":true",
      "csv": "this report says nothing about the library", "junit": "<failure type=\"no-run\"",
      "sarif": "\"ruleId\":\"no-run\"", "github": "::error title=The report is about nothing",
      "in-toto": "\"runs\"",
    ]
    for (format, word) in words {
      let outcome = try scene.command("report", "Library", "--since", "2999-01-01", "--format", format)
      #expect(outcome.code == 5, "\(format): \(outcome.error)")
      #expect(outcome.output.contains(word), "\(format): \(outcome.output)")
      #expect(outcome.error.contains("about nothing"))
    }
    try scene.command("report", "Library", "--since", "2000-01-01").expect(0)
  }

  @Test("An asset is named by its identifier, its label or a path; what names several is refused")
  func assetNames() throws {
    let scene = try photos(2)
    try scene.put("sources/camera/more/1.jpg", try Media.photo("another"))
    try scene.run().expect(0)
    let items = try JSON(text: try scene.reportText("json"))["items"].array
    let two = try #require(items.first { $0["path"].string == "2.jpg" })
    let asset = try #require(two["asset"].string)
    let output = try #require(two["output"]["path"].string)
    for word in [
      asset, "2.jpg", "2", output, "sources/camera/2.jpg", scene.at("sources/camera/2.jpg"),
      String(asset.prefix(13)), asset.prefix(9).lowercased(),
    ] {
      let outcome = try scene.command("report", "Library", "--format", "json", "--asset", word)
      #expect(outcome.code == 0, "\(word): \(outcome.streams)")
      #expect(try outcome.json()["subject"]["asset"].string == asset, "\(word)")
    }
    let both = try scene.command("report", "Library", "--asset", "1")
    #expect(both.code == 64 && both.error.contains("names 2 assets: "), "\(both.streams)")
    try scene.command("report", "Library", "--asset", "more/1.jpg").expect(0)
  }

  @Test("Sums of several runs are not shown as what the library holds")
  func sums() throws {
    let scene = try photos(3)
    try scene.run().expect(0)
    let page = try scene.reportText("html")
    #expect(!page.contains("add up"))
    try scene.run().expect(0)
    #expect(try scene.reportText("html").contains("The library holds 3 assets: "))
    #expect(try scene.reportText("html").contains("The numbers above add up 2 runs"))
    #expect(try scene.reportText("github").contains("3 of 6 items imported, in 2 runs."))
    #expect(try scene.reportText("github", "--run", "last").contains(": 3 of 3 items unchanged."))
    #expect(try scene.reportText("html", "--run", "last").contains(". 3 of 3 files unchanged."))
  }
}
