import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("check --against, for the review of a change")
struct CheckAgainstTests {
  /// A scene whose manifest is in `old.json` too.
  private static func scene(_ folder: String = "") throws -> Scene {
    let scene = Scene()
    try scene.declare("camera")
    try scene.declare("library", "limited", ["selection": ["a.jpg", "b.jpg"]])
    scene.manifest["labels"] = ["file": "labels.csv"]
    try scene.put("labels.csv", "source,path,label\ncamera,a.jpg,Harbour\n")
    try scene.put(folder + "old.json", JSONValue.object(scene.manifest).serialized)
    return scene
  }

  private static func check(_ scene: Scene, _ arguments: [String]) throws -> Outcome {
    try scene.writeManifest()
    let before = try scene.snapshot()
    let outcome = try Scene.program(["check", "manifest.json"] + arguments, in: scene.path)
    #expect(try scene.snapshot() == before, "check touches nothing")
    return outcome
  }

  @Test("The same manifest ends with 0 and empty lists; without --against there are no lists")
  func same() throws {
    let scene = try Self.scene()
    let outcome = try Self.check(scene, ["--against", "old.json", "--format", "json"])
    try outcome.expect(0)
    #expect(try outcome.json()["widened"].array.isEmpty)
    #expect(try outcome.json()["narrowed"].array.isEmpty)
    #expect(try outcome.json()["against"].string == "old.json")
    let plain = try Self.check(scene, ["--format", "json"])
    #expect(try plain.json().object["widened"] == nil)
    #expect(try Self.check(scene, ["--against", "old.json"]).streams.contains("The same as"))
  }

  @Test("What was widened comes first and ends with 4; what was narrowed alone ends with 0")
  func widened() throws {
    let scene = try Self.scene()
    try scene.declare("library", "limited", ["selection": ["a.jpg"]])
    let narrowed = try Self.check(scene, ["--against", "old.json", "--format", "json"])
    try narrowed.expect(0)
    #expect(try narrowed.json()["widened"].array.isEmpty)
    #expect(try narrowed.json()["narrowed"].array.compactMap { $0["rule"].string } == ["selectionSmaller"])

    try scene.declare("library", "limited", ["selection": ["a.jpg", "c*.jpg"]])
    scene.manifest["onNotDetermined"] = "fail"
    let outcome = try Self.check(scene, ["--against", "old.json", "--format", "json"])
    try outcome.expect(4)
    #expect(try outcome.json()["exitCode"].int == 4)
    #expect(try outcome.problems() == ["widened"])
    let widened = try outcome.json()["widened"].array
    #expect(widened.compactMap { $0["path"].string } == ["$.sources.library.selection[1]"])
    #expect(widened.first?["new"].string == "\"c*.jpg\"")
    #expect(try outcome.json()["narrowed"].array.count == 2)

    let text = try Self.check(scene, ["--against", "old.json"])
    try text.expect(4)
    let first = try #require(text.output.range(of: "It allows more than \"old.json\": 1\n"))
    let second = try #require(text.output.range(of: "It allows less: 2\n"))
    #expect(first.upperBound < second.lowerBound)
    #expect(text.output.hasPrefix("It allows more"))
    #expect(text.error.contains("1 change allows more than"))
  }

  @Test("What an Info.plist brings is compared, not only where it lies")
  func infoPlist() throws {
    func plist(_ words: String) -> String {
      "<plist version=\"1.0\"><dict><key>NSPhotoLibraryAddUsageDescription</key>"
        + "<string>\(words)</string></dict></plist>"
    }
    let scene = try Self.scene()
    scene.manifest["infoPlist"] = "App/Info.plist"
    try scene.put("App/Info.plist", plist("One."))
    try scene.put("before/old.json", JSONValue.object(scene.manifest).serialized)
    try scene.put("before/App/Info.plist", plist("Two."))
    try scene.put("before/labels.csv", "source,path,label\ncamera,a.jpg,Harbour\n")
    let arguments = ["--against", "before/old.json", "--relocated", "--format", "json"]
    let outcome = try Self.check(scene, arguments)
    try outcome.expect(4)
    #expect(
      try outcome.json()["widened"].array.compactMap { $0["path"].string } == [
        "$.usageDescriptions.NSPhotoLibraryAddUsageDescription"
      ]
    )
    try scene.put("before/App/Info.plist", plist("One."))
    try Self.check(scene, arguments).expect(0)
    try scene.put("before/labels.csv", "source,path,label\ncamera,a.jpg,Sunset\n")
    let labels = try Self.check(scene, arguments)
    try labels.expect(4)
    #expect(try labels.json()["widened"].array.compactMap { $0["path"].string } == ["$.labels.file"])
  }

  @Test("In another folder the same words mean other places, unless it is only a copy")
  func otherFolder() throws {
    let scene = try Self.scene("copy/")
    try scene.put("copy/labels.csv", "source,path,label\ncamera,a.jpg,Harbour\n")
    let apart = try Self.check(scene, ["--against", "copy/old.json"])
    try apart.expect(4)
    #expect(apart.error.contains("--relocated"))
    #expect(apart.output.contains("\(scene.path)/copy/Library"))
    try Self.check(scene, ["--against", "copy/old.json", "--relocated"]).expect(0)
  }

  @Test("The older manifest is checked; a mistake comes before 4, 4 before what a run would say")
  func order() throws {
    let scene = try Self.scene()
    try scene.put("bad.json", #"{ "version": 1, "sources": {}, "sources": {} }"#)
    let bad = try Self.check(scene, ["--against", "bad.json"])
    try bad.expect(78)
    #expect(bad.error.contains("bad.json:1:"))
    let none = try Self.check(scene, ["--against", "none.json"])
    try none.expect(78)
    #expect(!none.error.contains("git show"), "\(none.streams)")
    let revision = try Self.check(scene, ["--against", "origin/main:none.json"])
    try revision.expect(78)
    #expect(revision.error.contains("git show origin/main:none.json >old.json"), "\(revision.streams)")
    try Self.check(scene, ["--relocated"]).expect(64)
    try scene.declare("camera", nil)
    scene.manifest["onNotDetermined"] = "fail"
    let undecided = try Self.check(scene, ["--against", "old.json"])
    try undecided.expect(75)
    scene.manifest["output"] = ["path": "Elsewhere"]
    let both = try Self.check(scene, ["--against", "old.json", "--format", "json"])
    try both.expect(4)
    #expect(try both.problems().contains("undecided"))
    #expect(try both.json()["widened"].array.compactMap { $0["path"].string } == ["$.output.path"])
    #expect(try both.problems().last == "widened")
  }
}
