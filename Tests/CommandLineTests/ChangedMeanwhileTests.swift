import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

extension PageVisitor {
  /// Waits for an address that was printed behind this one's, and exchanges its token.
  fileprivate func next(of program: RunningProgram) throws -> PageVisitor {
    var other = self
    let isPrinted = program.waits {
      other = (try? PageVisitor(of: program)) ?? other
      return other.token != token
    }
    try #require(isPrinted, "\(program.result)")
    try other.enter()
    return other
  }
}

@Suite("What is changed while a person thinks", .enabled(if: Has.sqlite, "no sqlite3"))
struct ChangedMeanwhileTests {
  @Test("A policy that denies meanwhile counts, whatever the person answers")
  func policy() throws {
    let scene = try Scene.asking()
    try scene.put("policy.json", #"{"version":1,"organization":"Example","deny":[]}"#)
    let program = try scene.askedRun("--policy", "policy.json")
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    try scene.put(
      "policy.json",
      #"{"version":1,"organization":"Example","deny":[{"source":"library"}]}"#
    )
    #expect(visitor.ask("POST", "/answer", body: "allow")?.status == 200)
    let outcome = try program.outcome()
    #expect(outcome.streams.contains("changed while a person was asked"), "\(outcome.streams)")
    try outcome.expect(77)
    #expect(try scene.originals().isEmpty)
    let decision = try #require(try scene.lastLog().first { $0["event"].string == "decision" })
    #expect(decision["reason"].string == "restricted")
  }

  @Test("A grant for one run stays for the run that begins anew, and is used up once")
  func once() throws {
    let scene = try Scene.undecided()
    try scene.access("grant", "manifest.json", "camera", "--once").expect(0)
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    scene.manifest["usageDescriptions"] = [
      "NSCameraUsageDescription": "The test takes pictures.",
      "NSPhotoLibraryUsageDescription": "Another reason.",
    ]
    try scene.writeManifest()
    #expect(visitor.ask("POST", "/answer", body: "allow")?.status == 200)
    visitor = try visitor.next(of: program)
    let question = try #require(visitor.ask("GET", "/question"))
    // Nobody is asked about the camera, which is granted.
    #expect(question.body.contains("Another reason.") && !question.body.contains("Question 1"))
    #expect(visitor.ask("POST", "/answer", body: "allow")?.status == 200)
    let outcome = try program.outcome()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 3])
    let identifier = try #require(try outcome.json()["run"].string)
    let taken = try scene.stored(
      "SELECT record ->> 'run' FROM transitions WHERE record ->> 'cause' = 'takenUp'"
    )
    #expect(taken == [identifier])
  }

  @Test(
    "Nothing is made behind a link that takes the place of the library's folder meanwhile",
    arguments: ["sources/library/inside", "elsewhere"]
  )
  func library(destination: String) throws {
    let scene = try Scene.asking()
    try scene.makeFolder(destination)
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    let files = FileManager.default
    try files.moveItem(atPath: scene.library, toPath: scene.at("was"))
    try files.createSymbolicLink(atPath: scene.library, withDestinationPath: scene.at(destination))
    #expect(visitor.ask("POST", "/answer", body: "allow")?.status == 200)
    let outcome = try program.outcome()
    try outcome.expect(78)
    #expect(try files.contentsOfDirectory(atPath: scene.at(destination)) == [])
    // What was answered stays; the library goes on where it was.
    try files.removeItem(atPath: scene.library)
    try files.moveItem(atPath: scene.at("was"), toPath: scene.library)
    try scene.run().expect(0)
    #expect(try scene.originals().count == 3)
  }

  @Test("A denial that is stored while \"access ask\" waits stays, and is asked about anew")
  func denial() throws {
    let scene = try Scene.asking()
    let program = try scene.asked(["access", "ask", "manifest.json", "--web"])
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    try scene.access("deny", "manifest.json", "library").expect(0)
    #expect(visitor.ask("POST", "/answer", body: "allow")?.status == 200)
    visitor = try visitor.next(of: program)
    #expect(try scene.stored("SELECT status, reason FROM answers") == ["denied|userSet"])
    // The person sees that it is denied, and may allow it now.
    #expect(visitor.ask("GET", "/question")?.body.contains("role=\"note\"") == true)
    #expect(visitor.ask("POST", "/answer", body: "allow")?.status == 200)
    let outcome = try program.outcome()
    try outcome.expect(0)
    #expect(outcome.streams.contains("Another answer was stored"), "\(outcome.streams)")
    #expect(try scene.stored("SELECT status, reason FROM answers") == ["authorized|picker"])
  }
}
