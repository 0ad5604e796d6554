import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// Before which a person types at a group.
private let groupPlace = "? help: "
private let lastPlace = "anything else changes nothing: "

@Suite(
  "What becomes of similar pictures",
  .enabled(if: Has.magick && Has.sqlite, "no ImageMagick or sqlite3")
)
struct SimilarActTests {
  /// A picture without any symmetry, copies of it with fewer and fewer pixels, and another picture.
  private static let drawn = Result {
    let folder = TemporaryFolder()
    let (scene, other) = (SimilarTests.asymmetric, SimilarTests.radial)
    let variants: [(name: String, arguments: [String])] = [
      ("best.png", scene), ("other.png", other),
      ("turned.jpg", scene + ["-rotate", "90", "-resize", "90%"]),
      ("mirrored.png", scene + ["-flop", "-resize", "80%"]),
      ("small.jpg", scene + ["-resize", "50%", "-quality", "60"]),
    ]
    var files: [(name: String, bytes: [UInt8])] = []
    for (name, arguments) in variants {
      let path = folder.path + "/" + name
      try Independent.make("convert", arguments + [path])
      files.append((name, try readBytes(path)))
    }
    return files
  }

  private func scene() throws -> Scene {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([("grid", 96, 96, "aspectFit")])
    try scene.declare("library")
    for (name, bytes) in try Self.drawn.get() { try scene.put("sources/library/" + name, bytes) }
    try scene.run().expect(0)
    return scene
  }

  private func similar(_ scene: Scene, _ options: String...) throws -> JSON {
    let outcome = try scene.command(["similar", "Library", "--format", "json"] + options)
    try outcome.expect(0)
    return try outcome.json()
  }

  private func labels(_ scene: Scene, _ options: String...) throws -> [[String]] {
    let outcome = try scene.command(["similar", "Library", "--format", "json"] + options)
    return try outcome.json()["groups"].array.map { $0["assets"].array.compactMap { $0["label"].string } }
  }

  private func terminal(_ scene: Scene, _ options: String...) throws -> PseudoTerminal {
    try PseudoTerminal(
      Scene.executable(),
      ["similar", "Library", "--act"] + options,
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
  }

  @Test("Turned and mirrored copies are in the group, and told as what they are in every format")
  func turned() throws {
    let scene = try scene()
    let groups = try similar(scene)["groups"].array
    #expect(groups.count == 1)
    #expect(
      groups[0]["assets"].array.compactMap { $0["label"].string } == ["best", "turned", "mirrored", "small"]
    )
    #expect(groups[0]["turns"].array.map(\.string) == [nil, "turned 90", "mirrored", nil])
    #expect(groups[0]["kind"].string == "near")
    let table = try scene.command("similar", "Library").output
    #expect(table.contains(" turned 90 ") && table.contains(" mirrored "), "\(table)")
    let rows = try scene.command("similar", "Library", "--format", "csv").output.split(separator: "\r\n")
    #expect(rows.first?.hasSuffix(",\"turn\"") == true)
    #expect(
      rows.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false).last } == [
        "\"\"", "\"turned 90\"", "\"mirrored\"", "\"\"",
      ]
    )
    #expect(try labels(scene, "--upright") == [["best", "small"]])
  }

  @Test("--keep best says its rule, does nothing in a dry run, and then leaves the best of each group")
  func keepsBest() throws {
    let scene = try scene()
    let before = try scene.snapshot("Library")
    let dry = try scene.command("similar", "Library", "--keep", "best", "--dry-run")
    try dry.expect(0)
    #expect(dry.output.contains("The best has the most pixels"), "\(dry.output)")
    #expect(dry.output.contains("3 pictures would go to Quarantine"), "\(dry.output)")
    #expect(try scene.snapshot("Library") == before)
    let kept = try similar(scene, "--keep", "best")
    let decision = try #require(kept["decisions"].array.first)
    #expect(kept["schema"].string == "mediabatch.similarDecisions/1")
    #expect(decision["decision"].string == "keep" && decision["reason"].string == "most pixels")
    #expect(decision["kept"].array.count == 1 && decision["withdrawn"].array.count == 3)
    #expect(try scene.originalNames() == ["best.png", "other.png"])
    let aside = try scene.digests("Library/Quarantine").keys
    #expect(aside.count == 6, "\(aside)")
    try scene.expectVerified()
    // What was withdrawn stays out, and there is nothing left to decide.
    try scene.run().expect(0)
    #expect(try labels(scene).isEmpty)
    let again = try scene.command("similar", "Library", "--keep", "best")
    try again.expect(0)
    #expect(again.output.contains("no pictures that look alike"), "\(again.output)")
  }

  @Test("What is to stay has to be there: otherwise nothing is withdrawn")
  func lost() throws {
    let scene = try scene()
    let path = try #require(
      try scene.catalogue("SELECT path FROM resources WHERE path LIKE '%/best.png'").first
    )
    try FileManager.default.removeItem(atPath: scene.library + "/" + path)
    let outcome = try scene.command("similar", "Library", "--keep", "best")
    try outcome.expect(65)
    #expect(outcome.error.contains("best.png"), "\(outcome.streams)")
    #expect(try scene.originalNames() == ["mirrored.png", "other.png", "small.jpg", "turned.jpg"])
  }

  @Test("At a terminal: not the same is remembered, also by a catalogue that is made anew")
  func notTheSame() throws {
    let scene = try scene()
    let terminal = try terminal(scene)
    #expect(terminal.shows("Group 1 of 1: pictures that look alike. The best is 1: most pixels."))
    #expect(terminal.shows("640 × 400 · PNG"), "\(terminal.text)")
    #expect(terminal.shows("2 \"turned\", turned 90"), "\(terminal.text)")
    terminal.answer("x", at: groupPlace)
    #expect(terminal.shows("w 2    withdraws the second"))
    terminal.answer("n", at: groupPlace)
    #expect(terminal.shows("Decided: 1 group is not the same."))
    terminal.answer("y", at: lastPlace)
    try terminal.outcome().expect(0)
    #expect(terminal.isAsBefore)
    #expect(try labels(scene).isEmpty)
    #expect(try labels(scene, "--again").count == 1)
    let records = try scene.lastLog().filter { $0["event"].string == "distinguished" }
    #expect(records.map { $0["assets"].array.count } == [4])
    try scene.expectVerified()
    let rebuilt = try scene.rebuild()
    try rebuilt.expect(0)
    #expect(try rebuilt.rowDifferences().isEmpty)
    #expect(try labels(scene).isEmpty)
    // Without the catalogue the log alone tells it.
    for name in ["library.sqlite", "library.sqlite-wal", "library.sqlite-shm"] {
      try? FileManager.default.removeItem(atPath: scene.library + "/" + name)
    }
    try scene.rebuild().expect(0)
    #expect(try scene.catalogue("SELECT json_array_length(assets) FROM distinguished") == ["4"])
    try scene.expectVerified()
  }

  @Test("At a terminal: some are withdrawn, the rest is a stack; nothing is done without a last yes")
  func walks() throws {
    let scene = try scene()
    let before = try scene.snapshot("Library")
    let refused = try terminal(scene)
    refused.answer("k", at: groupPlace)
    #expect(refused.shows("Decided: 3 pictures go to Quarantine."))
    refused.answer("", at: lastPlace)
    try refused.outcome().expect(0)
    let interrupted = try terminal(scene)
    #expect(interrupted.shows(groupPlace))
    interrupted.type("\u{3}")
    try interrupted.outcome().expect(130)
    #expect(try scene.snapshot("Library") == before)

    let first = try terminal(scene)
    first.answer("w 2 3", at: groupPlace)
    first.answer("y", at: lastPlace)
    try first.outcome().expect(0)
    #expect(try scene.originalNames() == ["best.png", "other.png", "small.jpg"])
    let second = try terminal(scene, "--format", "json")
    second.answer("s 2", at: groupPlace)
    second.answer("y", at: lastPlace)
    try second.outcome().expect(0)
    let covers = try scene.catalogue(
      "SELECT label FROM stacks JOIN assets ON assets.id = stacks.asset WHERE asset = cover"
    )
    #expect(covers == ["small"])
    try scene.expectVerified()
    // One stack is no group to decide about; it is shown as before.
    let done = try scene.command("similar", "Library", "--keep", "best")
    try done.expect(0)
    #expect(done.output.contains("no pictures that look alike"), "\(done.output)")
    #expect(try labels(scene) == [["best", "small"]])
  }

  @Test("Without a terminal --act is a usage error, and the options go together")
  func usage() throws {
    let scene = try scene()
    let program = try RunningProgram(
      Scene.executable(),
      ["similar", "Library", "--act"],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    let outcome = try program.outcome()
    try outcome.expect(64)
    #expect(outcome.error.contains("--act asks at a terminal"), "\(outcome.error)")
    for options in [
      ["--act", "--keep", "best"], ["--web"], ["--dry-run"], ["--keep", "worst"],
      ["--keep", "best", "--format", "csv"], ["--act", "--format", "paths"],
    ] {
      try scene.command(["similar", "Library"] + options).expect(64)
    }
  }

  @Test("On a page: one browser decides, about what is shown alone, and Done carries it out")
  func page() throws {
    let scene = try scene()
    let program = try RunningProgram(
      Scene.executable(),
      ["similar", "Library", "--act", "--web", "--format", "json"],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    var visitor = try PageVisitor(of: program)
    #expect(visitor.ask("GET", "/question")?.status == 403)
    #expect(visitor.ask("GET", "/picture?name=0")?.status == 403)
    try visitor.enter()
    let question = try #require(visitor.ask("GET", "/question")?.body)
    #expect(question.contains("Group 1: pictures that look alike"))
    #expect(question.contains("turned 90") && question.contains("best · turned") == false)
    let pictures = (0..<4).map { visitor.picture("\($0)")?.status }
    #expect(pictures == [200, 200, 200, 200])
    #expect(visitor.picture("4")?.status == 404)
    #expect(visitor.ask("POST", "/answer", body: "decide")?.status == 400)
    for wrong in ["1 keep 0", "0 keep", "0 keep 4", "0 keep 0 0", "0 burn 0", "", "0", "-1 keep 0"] {
      #expect(visitor.ask("POST", "/decision", body: wrong)?.status == 400, "\(wrong)")
    }
    #expect(visitor.ask("POST", "/decision", body: "0 keep 0 1")?.body == "1")
    // A page that is opened again has it.
    let again = try #require(visitor.ask("GET", "/question")?.body)
    #expect(again.contains("value=\"keep\" checked"))
    #expect(visitor.ask("POST", "/answer", body: "decide")?.status == 200)
    let outcome = try program.outcome()
    try outcome.expect(0)
    #expect(try outcome.json()["decisions"].array.map { $0["withdrawn"].array.count } == [2])
    #expect(try scene.originalNames() == ["best.png", "other.png", "turned.jpg"])
    try scene.expectVerified()
  }

  @Test(
    "A person decides in Chromium: by mouse, by keys, in the dark, in a narrow window",
    .enabled(if: Browser.python != nil, "takes a browser: make test-web")
  )
  func browser() throws {
    let scene = try scene()
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Web/check_similar.py").standardized.path
    let checked = try Tool.run(Browser.python ?? "", [script, BuiltProgram.path("mediabatch"), scene.path])
    #expect(checked.status == 0, "\(checked.output)\(checked.error)")
    #expect(checked.output.contains("all checks have passed"))
    #expect(try scene.originalNames() == ["best.png", "mirrored.png", "other.png"])
  }
}
