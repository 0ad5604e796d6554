import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite(
  "What a person saw and chose is in reports and in explain",
  .enabled(if: Has.sqlite && Has.python, "no sqlite3 or no python3")
)
struct AskingReportTests {
  /// A run for which a person selected two of the three names that a page has shown, and another one that
  /// rests on the answer.
  private func selected() throws -> Scene {
    let scene = try Scene.asking()
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    _ = visitor.ask("GET", "/names?from=0")
    #expect(visitor.ask("POST", "/answer", body: "select 0 2")?.status == 200)
    try program.outcome().expect(0)
    #expect(try scene.importedPaths() == ["a.jpg", "c.jpg"])
    try scene.run().expect(0)
    return scene
  }

  private func questions(_ scene: Scene, _ arguments: String...) throws -> [[JSON]] {
    let report = try scene.command(["report", "Library", "--format", "json"] + arguments).json()
    return report["runs"].array.map { $0["questions"].array }
  }

  @Test("A selection on a page: how many names were shown, and what of them was selected")
  func page() throws {
    let scene = try selected()
    let questions = try questions(scene)
    #expect(questions.map(\.count) == [1, 1])
    let (own, later) = (questions[0][0], questions[1][0])
    for question in [own, later] {
      #expect(question["source"].string == "library" && question["answer"].string == "selected")
      #expect(question["shownCount"].int == 3 && question["basis"].string == "picker")
      #expect(question["fileCount"].int == 2)
    }
    #expect(own["files"].array.compactMap(\.string) == ["a.jpg", "c.jpg"])
    #expect(own["isEarlier"].bool == false && later["isEarlier"].bool == true)
    // Nothing changed about them, so no record of the second run has their names.
    #expect(later["files"].array.isEmpty)
    let time = try #require(later["time"].string)
    #expect(try time.prefix(19) <= #require(own["time"].string).prefix(19))
    try ReportReader.expectSchema(try scene.report("json"))
    let csv = try scene.text(try scene.report("csv"))
    let rows = csv.split(separator: "\r\n").filter { $0.hasPrefix("\"question\"") }
    #expect(rows.count == 2 && rows[0].contains("a.jpg, c.jpg"), "\(rows)")
    #expect(try ReportReader.counts("csv", scene.at("report.csv"))["imported"] == 2)
  }

  @Test("The page of a report has the question once, and no name that was not selected")
  func html() throws {
    let scene = try selected()
    let page = try scene.text(try scene.report("html"))
    #expect(page.components(separatedBy: "What a person saw and chose").count == 2)
    #expect(page.components(separatedBy: "A person was shown 3 names of the photo").count == 2)
    #expect(page.contains("The selection has 2 files in this report"))
    for format in ["html", "json", "csv", "junit", "sarif", "github", "in-toto"] {
      #expect(try !scene.reportText(format).contains("canary"), "\(format)")
    }
    let unasked = Scene()
    try unasked.declare("library")
    try unasked.put("sources/library/a.jpg", copyOf: Samples.photo(1))
    try unasked.run().expect(0)
    #expect(!(try unasked.text(try unasked.report("html"))).contains("What a person saw and chose"))
  }

  @Test(
    "The page with a question is good HTML",
    .enabled(if: Has.tidy, "no tidy")
  )
  func validPage() throws {
    let scene = try selected()
    // Its folder is removed with the scene.
    try withExtendedLifetime(scene) { try ReportReader.expectPage(try scene.report("html")) }
  }

  @Test("The report of one asset has the question, and names no other asset")
  func subject() throws {
    let scene = try selected()
    let questions = try questions(scene, "--asset", "a.jpg")
    #expect(questions.first?.first?["files"].array.compactMap(\.string) == ["a.jpg"])
    #expect(questions.first?.first?["fileCount"].int == 1)
    let text = try scene.reportText("json", "--asset", "a.jpg")
    #expect(!text.contains("c.jpg") && !text.contains("canary"))
    #expect(text.contains("A person was shown 3 names of the photo library to pick from."))
  }

  @Test("explain says who selected a file, when, and among how many names")
  func explain() throws {
    let scene = try selected()
    let outcome = try scene.command("explain", "Library", "a.jpg")
    try outcome.expect(0)
    let line = outcome.output.split(separator: "\n").first { $0.contains(" selected ") }
    #expect(line?.contains("by a person in a browser, 20") == true, "\(outcome.output)")
    #expect(!outcome.output.contains("canary"))
    let json = try scene.command("explain", "Library", "a.jpg", "--format", "json").json()
    let item = json["items"].array[0]
    #expect(item["selection"]["shownCount"].int == 3)
    #expect(item["selection"]["basis"].string == "picker")
    #expect(item["selection"]["time"].string?.hasPrefix("20") == true)
    let events = item["records"].array.compactMap { $0["event"].string }
    #expect(events.prefix(4) == ["run", "shown", "transition", "decision"], "\(events)")
  }

  @Test("What is picked at a terminal for one run is told without a number of names")
  func terminal() throws {
    let scene = try Scene.asking(["pick": ["limit": 2]])
    let terminal = try scene.runAtTerminal()
    terminal.answer("1 3", at: pickPlace)
    terminal.answer("done", at: pickPlace)
    try terminal.outcome().expect(0)
    let question = try #require(questions(scene).first?.first)
    #expect(question["answer"].string == "picked" && question["basis"].string == "userConsent")
    #expect(question["shownCount"].int == nil && question["fileCount"].int == 2)
    #expect(question["files"].array.compactMap(\.string) == ["a.jpg", "c.jpg"])
    let outcome = try scene.command("explain", "Library", "c.jpg")
    #expect(outcome.output.contains("by a person at a terminal, 20"), "\(outcome.output)")
    #expect(!outcome.output.contains("names that were shown"))
  }

  @Test("A file of a source that the manifest allows or limits was selected by nobody")
  func manifest() throws {
    let scene = Scene()
    try scene.declare("library", "limited", ["selection": ["a.jpg"]])
    try scene.put("sources/library/a.jpg", copyOf: Samples.photo(1))
    try scene.run().expect(0)
    #expect(try questions(scene).map(\.count) == [0])
    let json = try scene.command("explain", "Library", "a.jpg", "--format", "json").json()
    #expect(json["items"].array[0]["selection"]["time"].string == nil)
    #expect(try !scene.command("explain", "Library", "a.jpg").output.contains("selected  "))
  }
}
