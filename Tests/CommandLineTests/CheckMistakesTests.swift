import Foundation
import MediaTestSupport
import Testing

/// `check` says all that is wrong in one call, and ends as `run` would.
@Suite("The mistakes that check finds")
struct CheckMistakesTests {
  private func scene(_ manifest: String) throws -> Scene {
    let scene = Scene()
    try Data(manifest.utf8).write(to: URL(fileURLWithPath: scene.manifestPath))
    return scene
  }

  /// Expects that `run` ends as `check` did, with a message that `check` has too.
  private func expectSameEnd(_ scene: Scene, _ check: Outcome) throws {
    let run = try scene.command("run", "manifest.json", "--no-input", "--format", "json")
    #expect(run.code == check.code, "\(check.streams)\n\(run.streams)")
    for problem in try run.json()["problems"].array {
      #expect(try check.error.contains(#require(problem["message"].string)), "\(run.streams)")
    }
  }

  @Test("Mistakes of the text, the files beside it, the decisions and the library come together")
  func together() throws {
    let scene = try scene(
      """
      { "version": 1, "client": { "identifier": "org.example.check" },
        "sources": { "camera": { "path": "~/DCIM" } },
        "metadata": { "polcy": "strip" }, "labels": { "file": "labels.csv" },
        "output": { "path": "Library" } }
      """
    )
    try scene.put("Library/other.txt", "something else")
    let check = try scene.command("check", "manifest.json", "--format", "json")
    try check.expect(78)
    let codes = try check.json()["mistakes"].array.compactMap { $0["code"].string }
    #expect(
      Set(codes) == [
        "unknownKey", "cannotRead", "usageDescriptionMissing", "undecided", "notALibrary",
      ]
    )
    #expect(check.error.contains("5 mistakes."))
    #expect(!FileManager.default.fileExists(atPath: scene.at("Library/.lock")))
  }

  @Test("Each missing key comes with a value that would do")
  func examples() throws {
    let scene = try scene("{}")
    let check = try scene.command("check", "manifest.json")
    try check.expect(78)
    let members = check.error.split(separator: "\n").compactMap { line in
      line.range(of: " For example: ").map { String(line[$0.upperBound...]) }
    }
    #expect(members.count == 4)
    let whole = try self.scene("{ \(members.joined(separator: ", ")) }")
    try whole.put("Photos/1.jpg", copyOf: Samples.photo(1))
    let next = try whole.command("check", "manifest.json")
    try next.expect(78)
    #expect(next.error.contains("NSPhotoLibraryUsageDescription"))
    #expect(!next.error.contains(": $."))
  }

  @Test("Every reason to stop is said, the first gives the code, and the folders are named")
  func stops() throws {
    let scene = try scene(
      """
      { "version": 1, "client": { "identifier": "org.example.check" },
        "usageDescriptions": { "NSCameraUsageDescription": "To test it.",
          "NSPhotoLibraryUsageDescription": "To test it." },
        "sources": { "camera": { "path": "camera" },
          "library": { "path": "~/Pictures", "authorizationStatus": "authorized" } },
        "output": { "path": "Library" } }
      """
    )
    try scene.put("camera/1.jpg", copyOf: Samples.photo(1))
    let check = try scene.command("check", "manifest.json")
    try check.expect(75)
    #expect(check.error.contains("there is no folder \"\(scene.at("~/Pictures"))\""))
    #expect(check.error.contains("write the whole path"))
    try expectSameEnd(scene, check)
  }

  @Test("A folder that is no library ends check as it ends run", arguments: ["foreign", "gone"])
  func libraries(kind: String) throws {
    let scene = Scene()
    try scene.put("Photos/1.jpg", copyOf: Samples.photo(1))
    try scene.command("init", "--policy", "strip", "Photos").expect(0)
    switch kind {
    case "gone":
      try scene.command("run", "manifest.json").expect(0)
      try FileManager.default.removeItem(atPath: scene.at("Library/library.sqlite"))
    default:
      try scene.put("Library/other.txt", "something else")
    }
    let before = try FileManager.default.subpathsOfDirectory(atPath: scene.at("Library")).sorted()
    let check = try scene.command("check", "manifest.json")
    try check.expect(78)
    try expectSameEnd(scene, check)
    let after = try FileManager.default.subpathsOfDirectory(atPath: scene.at("Library")).sorted()
    #expect(before == after)
  }

  @Test(
    "A library of another version ends check with 76, as it ends run",
    .enabled(if: Has.sqlite, "no sqlite3")
  )
  func otherVersion() throws {
    let scene = Scene()
    try scene.put("Photos/1.jpg", copyOf: Samples.photo(1))
    try scene.command("init", "--policy", "strip", "Photos").expect(0)
    try scene.command("run", "manifest.json").expect(0)
    try scene.command("check", "manifest.json").expect(0)
    let later = "INSERT INTO grdb_migrations VALUES ('9999 later')"
    _ = try Tool.run("sqlite3", [scene.at("Library/library.sqlite"), later])
    let check = try scene.command("check", "manifest.json")
    try check.expect(76)
    try expectSameEnd(scene, check)
  }

  @Test("A folder in place of a manifest is told the command that writes one")
  func folder() throws {
    let scene = Scene()
    try scene.put("My Photos/1.jpg", copyOf: Samples.photo(1))
    let check = try scene.command("check", "My Photos")
    try check.expect(78)
    #expect(check.error.contains("mediabatch init 'My Photos'"))
  }
}
