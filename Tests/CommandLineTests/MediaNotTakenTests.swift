import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Media of no known format is never left without a word")
struct MediaNotTakenTests {
  private func scene(_ policy: String = "keep", _ names: String...) throws -> Scene {
    let scene = try Scene(policy: policy).declare("library")
    try scene.put("sources/library/good.jpg", copyOf: Samples.photo(1))
    for name in names { try scene.put("sources/library/" + name, "no format that is known: \(name)") }
    return scene
  }

  @Test("What is media by its name is counted by kind, in each run", arguments: ["keep", "strip"])
  func counted(policy: String) throws {
    let scene = try scene(policy, "A001_C001.R3D", "clip.mxf", "deep/er/other.MXF", "notes.txt", "plain")
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 1, "unsupported": 5])
    #expect(try outcome.problems() == ["mediaNotTaken"])
    let message = try outcome.json()["problems"].array.first?["message"].string ?? ""
    #expect(message.hasPrefix("3 files are media by name and not in the library"), "\(message)")
    #expect(message.contains(": 2 .mxf and 1 .r3d."), "\(message)")
    for arguments in [[], ["--workers", "1"]] {
      let text = try scene.command(["run", "manifest.json"] + arguments)
      try text.expect(0)
      let words = text.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("2 .mxf and 1 .r3d"), "\(text.output)")
    }
    try scene.expectVerified()
  }

  @Test("--fail-on-unsupported ends with 3 as long as there is a file of no known format, and alone")
  func strict() throws {
    let scene = try scene("keep", "clip.braw")
    try scene.run("--fail-on-unsupported", "--dry-run").expect(0)
    try scene.run().expect(0)
    let strict = try scene.run("--fail-on-unsupported")
    try strict.expect(3)
    try strict.expectCounts(["unchanged": 1, "unsupported": 1])
    #expect(try strict.failures().isEmpty)
    // A plan opens no file: it knows what an earlier run has found.
    try scene.run("--fail-on-unsupported", "--dry-run").expect(3)
    try scene.run("--dry-run").expect(0)
    try scene.run().expect(0)
    try FileManager.default.removeItem(atPath: scene.at("sources/library/clip.braw"))
    try scene.run("--fail-on-unsupported").expect(0)
    try scene.run("--fail-on-unsupported", "--dry-run").expect(0)
    // A name that says nothing is not counted as media, and its content is as unknown.
    try scene.put("sources/library/notes.txt", "no media")
    let other = try scene.run("--fail-on-unsupported")
    try other.expect(3)
    #expect(try other.problems().isEmpty)
    try scene.declare("library", "authorized", ["ignore": ["*.txt"]], makesFolder: false)
    try scene.run("--fail-on-unsupported").expect(0)
  }

  @Test("A name of media that its source does not ask for is counted, and macOS's ._ beside it is not")
  func otherKinds() throws {
    let scene = try Scene().declare(
      "library",
      "authorized",
      ["fetch": ["mediaTypes": ["image"]], "ignoreDefaults": false]
    )
    try scene.put("sources/library/empty.mp4", "")
    try scene.put("sources/library/._empty.mp4", "Mac OS X")
    let outcome = try scene.run()
    try outcome.expect(0)
    let message = try outcome.json()["problems"].array.first?["message"].string ?? ""
    #expect(message.hasPrefix("1 file is media by name") && message.contains(": 1 .mp4."), "\(message)")
  }

  @Test("A text whose extension texts have too is no lost film, and other content of that name is")
  func texts() throws {
    let scene = try scene("keep", "src/go.mod", "src/main.ts", "src/node.mts", "x.raw", "x.dif", "Latin.DCS")
    try scene.put("sources/library/Latin.DCS", Array("a name: ".utf8) + [0xE9, 0xE8, 13, 10])
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 1, "unsupported": 6])
    #expect(try outcome.problems().isEmpty)
    try scene.run("--fail-on-unsupported").expect(3)
    // What the camera has written, and a page that was saved in place of a photo.
    try scene.put("sources/library/cut.mod", [0, 0, 1, 0xBA, 0x44])
    try scene.put("sources/library/empty.ts", "")
    try scene.put("sources/library/page.jpg", "<html>404</html>")
    let other = try scene.run()
    try other.expect(3)
    #expect(
      try other.failures() == [
        "cut.mod: contentUnknown", "empty.ts: contentUnknown", "page.jpg: contentUnknown",
      ]
    )
  }

  @Test("A shard ends with 3 too, and its receipt has it")
  func shards() throws {
    let scene = try scene("keep", "clip.mxf")
    try scene.makePlan(1)
    let run = ["shards", "run", "Plan", "--shard", "1", "--unsigned", "--format", "json"]
    try scene.command(run + ["--fail-on-unsupported"]).expect(3)
    // It is finished: the receipt counts.
    try scene.command(run).expect(3)
    try scene.merge().expect(3)
  }
}
