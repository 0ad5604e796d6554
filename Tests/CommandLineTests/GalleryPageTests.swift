import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite(
  "Gallery pages, in Chromium",
  .enabled(if: Browser.python != nil, "takes a browser: make test-web")
)
struct GalleryPageTests {
  /// Runs a script of `Tests/Web`, and gives what it printed.
  private func web(_ script: String, _ arguments: [String]) throws -> String {
    let path = DocumentBlock.project + "/Tests/Web/" + script
    let result = try Tool.run(Browser.python ?? "", [path] + arguments)
    try #require(result.status == 0, "\(result.output)\(result.error)")
    return result.output
  }

  /// A library of the 40 photos that `draw_pictures.py` draws.
  private func scene() throws -> Scene {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([("grid", 256, 256, "aspectFit"), ("large", 1600, 1600, "aspectFit")])
    scene.manifest["labels"] = ["template": "{originalName}"]
    try scene.declare("library")
    _ = try web("draw_pictures.py", [scene.at("sources/library")])
    try scene.run().expect(0)
    return scene
  }

  @Test("The layout at 360, 1280 and 2560 px is the one that was kept, and faults are found")
  func browserLayout() throws {
    let scene = try scene()
    let options = ["--title", "Coast & Hills", "--choose", "30"]
    try scene.command(["gallery", "Library", "site"] + options).expect(0)
    let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1"
    let result = try web("check_layout.py", [scene.at("site")] + (isRecording ? ["--record"] : []))
    #expect(isRecording || result.contains("all checks have passed"), "\(result)")
  }

  @Test("A client picks 12 photos on a phone, and the documented commands export these alone")
  func browserPicks() throws {
    let scene = try scene()
    try scene.makeFolder("tools")
    try FileManager.default.createSymbolicLink(
      atPath: scene.at("tools/mediabatch"),
      withDestinationPath: try Scene.executable()
    )
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let environment = Scene.environment(in: scene.path).merging(
      ["PATH": scene.at("tools") + ":" + path]) { $1 }
    func run(_ commands: DocumentBlock) throws -> Outcome {
      let result = try Tool.run("bash", ["-euc", commands.text], environment: environment, in: scene.path)
      return Outcome(result)
    }
    // The recipe: what makes the gallery, and what takes the file that comes back.
    let recipe = try DocumentBlock.all(in: "docs/sharing.md").filter { $0.language == "sh" }
    let making = try #require(recipe.first { $0.text.contains("--choose") })
    let taking = try #require(recipe.first { $0.text.contains("list Library --selection selection-12.txt") })
    try run(making).expect(0)
    let picked = try web("pick_favorites.py", [scene.at("proofs"), "12", scene.path])
      .split(separator: "\n").map(String.init)
    #expect(Set(picked).count == 12 && picked.allSatisfy { $0.hasPrefix("drawn") }, "\(picked)")
    let taken = try run(taking)
    try taken.expect(0)
    #expect(taken.error.contains("Ann Müller") && taken.error.contains("Warmer, please."))
    // Each of the two lists has each of the picks.
    let lists = taken.output.split(separator: "\n").filter { $0.contains("drawn") }
    #expect(lists.count == 24, "\(taken.output)")
    let exported = try scene.madeFiles("for-ann")
    #expect(exported.keys.sorted() == picked.map { "\($0).jpg" }.sorted())
    for name in picked {
      let original = try Independent.sha256(scene.at("sources/library/\(name).jpg"))
      #expect(exported["\(name).jpg"] == original, "\(name)")
    }
  }
}
