import Foundation
import MediaModel
import MediaTestSupport
import Testing

@Suite("A folder for other people is mended", .enabled(if: Has.sqlite, "no sqlite3"))
struct MendedFolderTests {
  private func scene() throws -> Scene {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([("grid", 256, 256, "aspectFit")])
    try scene.declare("library")
    for number in 1...3 {
      try scene.put("sources/library/photo\(number).jpg", try Media.photo("\(number)"))
    }
    try scene.run().expect(0)
    return scene
  }

  /// The content of a folder without what has the time of its making.
  private func content(_ scene: Scene) throws -> [String: String] {
    try scene.madeFiles("out").filter { name, _ in
      !["ro-crate-metadata.json", "bag-info.txt", "manifest-sha256.txt"].contains {
        name.hasSuffix($0)
      }
    }
  }

  @Test(
    "Files that were removed are made again, and changed ones where that is wanted",
    arguments: [
      ["export", "--layout", "{label}"], ["export", "--bag", "--sidecars", "xmp"],
      ["export", "--ro-crate"], ["gallery", "--originals"], ["contact-sheet", "--pdf"],
    ]
  )
  func mended(command: [String]) throws {
    let scene = try scene()
    func make(_ further: String...) throws -> Outcome {
      let words = [command[0], "Library", "out"] + command.dropFirst() + ["--format", "json"]
      return try scene.command(words + further)
    }
    try make().expect(0)
    let (paths, content) = (try scene.madePaths("out"), try content(scene))
    for path in [try #require(paths.first), try #require(paths.last)] {
      try FileManager.default.removeItem(atPath: scene.at("out/" + path))
      let again = try make()
      try again.expect(0)
      #expect(try again.json()["isCurrent"].bool == false)
      #expect(try scene.madePaths("out") == paths)
      #expect(try self.content(scene) == content)

      try scene.put("out/" + path, "changed")
      let refused = try make()
      try refused.expect(64)
      #expect(refused.error.contains("Move it away, or repeat the command with --replace-changes."))
      let mended = try make("--replace-changes")
      try mended.expect(0)
      #expect(try mended.json()["isCurrent"].bool == false)
      #expect(try self.content(scene) == content)
    }
    #expect(try make("--replace-changes").json()["isCurrent"].bool == true)
    // What never was a file of this folder is a person's.
    try scene.put("out/mine.txt", "mine")
    for further in [[], ["--replace-changes"]] {
      let refused = try scene.command([command[0], "Library", "out"] + command.dropFirst() + further)
      try refused.expect(64)
      #expect(refused.error.contains("\"mine.txt\""))
    }
    #expect(try readBytes(scene.at("out/mine.txt")) == Array("mine".utf8))
  }
}
