import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Two photo libraries in one manifest, each with its name, about which a person is asked.
@Suite("A person is asked once about the sources of a kind", .enabled(if: Has.sqlite, "no sqlite3"))
struct AskingSourcesTests {
  private static let anna = "Anna's <Takeout>"
  private static let answers = "SELECT sourceName, status FROM answers ORDER BY sourceName"

  private func scene(_ status: String? = nil) throws -> Scene {
    let scene = Scene()
    scene.manifest["onNotDetermined"] = "ask"
    func source(_ name: String, _ path: String) -> JSONValue {
      var members: [String: JSONValue] = ["name": .string(name), "path": .string(path)]
      if let status { members["authorizationStatus"] = .string(status) }
      return .object(members)
    }
    scene.manifest["sources"] = ["library": [source(Self.anna, "anna"), source("Bob", "bob")]]
    for (number, path) in ["anna/1.jpg", "anna/2.jpg", "bob/3.jpg", "bob/4.jpg"].enumerated() {
      try scene.put(path, copyOf: Samples.photo(number + 1))
    }
    try scene.writeManifest()
    return scene
  }

  /// The token of the question behind an answer.
  private func next(of response: PageVisitor.Response?) throws -> String {
    let response = try #require(response)
    let line = response.head.split(separator: "\r\n").first { $0.hasPrefix("mediabatch-next") }
    return String(try #require(line?.split(separator: " ").last, "\(response)"))
  }

  @Test(
    "Allow: one question names both, and each has an answer of its own, a decision and its name in each report"
  )
  func allows() throws {
    let scene = try scene()
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    let question = try #require(visitor.ask("GET", "/question"))
    for name in ["<bdi>Anna&#39;s &lt;Takeout&gt;</bdi>", "<bdi>Bob</bdi>"] {
      #expect(question.body.contains(name), "\(question.body)")
    }
    #expect(
      question.body.contains("data-choice=\"each\"") && !question.body.contains("data-choice=\"select\"")
    )
    let answered = try #require(visitor.ask("POST", "/answer", body: "allow"))
    #expect(answered.status == 200 && answered.body.contains("--source Bob</code>"), "\(answered.body)")
    try program.outcome().expect(0)
    #expect(try scene.importedPaths() == ["1.jpg", "2.jpg", "3.jpg", "4.jpg"])
    #expect(try scene.stored(Self.answers) == ["\(Self.anna)|authorized", "Bob|authorized"])
    let log = try scene.lastLog()
    #expect(
      log.filter { $0["event"].string == "transition" }.map { $0["sourceName"].string } == [Self.anna, "Bob"]
    )
    try expectNames(scene)
    try scene.expectVerified()
  }

  /// What names the sources: lists, reports, events and a log that no path may leave.
  private func expectNames(_ scene: Scene) throws {
    for format in ["json", "csv", "html"] {
      let report = try scene.command("report", "Library", "--format", format)
      #expect(report.output.contains("Bob"), "\(format): \(report.streams)")
    }
    let junit = try scene.command("report", "Library", "--format", "junit").output
    #expect(junit.contains("Bob\""), "\(junit)")
    let statement = try scene.command("report", "Library", "--format", "in-toto").output
    #expect(statement.contains("permission/") && statement.contains("/Bob\""), "\(statement)")
    let list = try scene.command("list", "Library", "--where", "sourceName == \"Bob\"", "--format", "json")
      .json()
    #expect(list["assets"].array.map { $0["sourceName"].string } == ["Bob", "Bob"])
    #expect(list["assets"].array.map { $0["source"].string } == ["library", "library"])
    let explained = try scene.command("explain", "Library", "3.jpg", "--format", "json").json()
    #expect(explained["items"].array.map { $0["sourceName"].string } == ["Bob"])
    let events = try scene.command("audit", "export", "Library", "--format", "ocsf").output
    #expect(events.contains("\"sourceName\":\"Bob\""))
    for format in [["--format", "ocsf"], []] {
      let held = try scene.command(["audit", "export", "Library", "--redact", "paths"] + format)
      #expect(
        held.code == 0 && !held.output.contains("Bob") && !held.output.contains("Anna"),
        "\(held.streams)"
      )
      let whole = try scene.command(
        ["audit", "export", "Library"] + (format.isEmpty ? ["--redact", "hosts"] : format)
      )
      #expect(whole.output.contains("Bob") && whole.output.contains("Anna"), "\(whole.streams)")
      #expect(whole.output.split(separator: "\n").count == held.output.split(separator: "\n").count)
    }
    let proof = try scene.command("audit", "prove", "Library", "--path", "3.jpg", "--source", "Bob")
    #expect(proof.code == 0 && proof.output.contains("Bob"), "\(proof.streams)")
  }

  @Test("Each: what is picked is one source's, and what is left out is not asked about again by this run")
  func asksForEach() throws {
    let scene = try scene()
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    try visitor.enter(next(of: visitor.ask("POST", "/answer", body: "each")))
    let question = try #require(visitor.ask("GET", "/question"))
    #expect(
      question.body.contains("Question 1 of 2") && question.body.contains("Anna&#39;s"),
      "\(question.body)"
    )
    #expect(!question.body.contains("<bdi>Bob</bdi>") && !question.body.contains("data-choice=\"deny\""))
    let names = try #require(visitor.ask("GET", "/names?from=0"))
    #expect(names.body.contains("data-total=\"2\"") && !names.body.contains("3.jpg"), "\(names.body)")
    try visitor.enter(next(of: visitor.ask("POST", "/answer", body: "select 1")))
    let second = try #require(visitor.ask("GET", "/question"))
    #expect(
      second.body.contains("<bdi>Bob</bdi>") && second.body.contains("Leave this one out"),
      "\(second.body)"
    )
    #expect(visitor.ask("POST", "/answer", body: "skip")?.status == 200)
    try program.outcome().expect(0)
    #expect(try scene.importedPaths().count == 1)
    #expect(try scene.stored(Self.answers) == ["\(Self.anna)|limited"])
    let refused = try scene.lastLog().filter {
      $0["event"].string == "decision" && $0["decision"].string == "refuse"
    }
    #expect(refused.map { $0["sourceName"].string } == ["Bob"])
    try scene.expectVerified()
  }

  @Test("A denial is of the kind and refuses both; a grant by name lifts it for its own source alone")
  func denies() throws {
    let scene = try scene()
    let denied = try scene.accessJSON("deny", "manifest.json", "--source", "Bob")
    #expect(denied["answer"]["sourceName"].string == "Bob")
    #expect(denied["alike"].array.map { $0["sourceName"].string } == [Self.anna])
    #expect(try scene.stored(Self.answers) == ["\(Self.anna)|denied", "Bob|denied"])
    let refused = try scene.run()
    #expect(try scene.originals().isEmpty, "\(refused.streams)")
    let check = try scene.command("check", "manifest.json")
    #expect(check.streams.contains("access reset manifest.json --source Bob"), "\(check.streams)")
    try scene.access("grant", "manifest.json", "library").expect(64)
    try scene.access("grant", "manifest.json", "--source", "Bob").expect(0)
    try scene.run().expectCounts(["imported": 2])
    #expect(try scene.importedPaths() == ["3.jpg", "4.jpg"])
    let listed = try scene.accessJSON("list", "manifest.json")["answers"].array
    #expect(listed.map { $0["sourceName"].string } == [Self.anna, "Bob"])
    #expect(listed.map { $0["source"].string } == ["library", "library"])
    // Taking a denial back takes it back for the kind.
    try scene.access("reset", "manifest.json", "--source", "Bob").expect(0)
    #expect(try scene.stored(Self.answers) == [])
    try scene.access("limit", "manifest.json", "--source", "Bob", "3.jpg").expect(0)
    #expect(try scene.stored(Self.answers) == ["Bob|limited"])
    try scene.expectVerified()
  }

  @Test("The program that reads by the specification finds each name, and that nothing was opened undecided")
  func verifier() throws {
    let scene = try scene("authorized")
    try scene.run().expectCounts(["imported": 4])
    let result = try Verifier.run([scene.library])
    #expect(result.status == 0, "\(result.output)\(result.error)")
    let log = try #require(try scene.logFiles().first)
    #expect(log.lines.contains { $0.contains("\"sourceName\":\"Bob\"") })
  }

  @Test(
    "init names the source after its folder where the library has another one of the kind, and the same one again"
  )
  func names() throws {
    let scene = Scene()
    for (number, folder) in ["Photos", "library", "Phone"].enumerated() {
      try scene.put("\(folder)/1.jpg", copyOf: Samples.photo(number + 1))
    }
    func name(_ folder: String, _ manifest: String) throws -> String? {
      let made = try scene.command(
        "init",
        folder,
        "--source",
        "library",
        "--policy",
        "keep",
        "--manifest",
        manifest,
        "--format",
        "json"
      )
      try made.expect(0)
      try scene.command("check", manifest).expect(0)
      let text = try JSON(text: String(decoding: readBytes(scene.at(manifest)), as: UTF8.self))
      let name = text["sources"]["library"]["name"].string
      #expect(try made.json()["sourceName"].string == name ?? "library")
      return name
    }
    // Without a library there is no other.
    #expect(try name("Photos", "1.json") == nil)
    try scene.command("run", "1.json").expect(0)
    #expect(try name("Photos", "2.json") == nil)
    // A kind's word is no name for another source.
    #expect(try name("library", "3.json") == "library 2")
    #expect(try name("Phone", "4.json") == "Phone")
    try scene.command("run", "4.json").expect(0)
    #expect(try name("Phone", "5.json") == "Phone")
    let sources = try scene.catalogue("SELECT sourceName, count(*) FROM items GROUP BY 1 ORDER BY 1")
    #expect(sources == ["Phone|1", "library|1"])
  }
}
