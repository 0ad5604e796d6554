import Foundation
import MediaTestSupport
import Testing

/// Takes away what a command writes into while it goes on, as a sync program or an exchanged disk does.
@Suite("What is taken away meanwhile", .enabled(if: Has.strace, "no strace"))
struct TakenAwayTests {
  /// A scene with a library of one photo, and so many that are new.
  private func scene(_ count: Int) throws -> Scene {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    scene.setThumbnails([("grid", 16, 16, "aspectFill")])
    try scene.put("sources/camera/first.jpg", try Media.photo("first"))
    try scene.run().expect(0)
    for number in 0..<count {
      try scene.put("sources/camera/\(number).jpg", try Media.photo("\(number)"))
    }
    return scene
  }

  private static let losses = [
    "rm -rf Library/Audit", "for f in Library/Audit/*.ndjson; do : > $f; done",
    "rm -f Library/Audit/*.ndjson", "rm -rf Library/Audit/manifests", "rm -f Library/library.sqlite*",
    "mv Library Moved; mkdir Library", "mv Library Moved", "rm -rf Library/.state",
    "rm -rf Library/Originals", "find Library/Originals -name '*.jpg' ! -name first.jpg -delete",
    "mv Library/Thumbnails Moved; mkdir Library/Thumbnails",
    "cp Library/library.sqlite new; mv new Library/library.sqlite",
    "truncate -s 8192 Library/library.sqlite",
  ]

  @Test("A run does not end with 0, and says what is gone", arguments: losses)
  func run(loss: String) throws {
    let scene = try scene(12)
    try scene.writeManifest()
    let held = try HeldProgram(
      ["run", "manifest.json", "--format", "json"],
      in: scene.path,
      calls: "renameat2"
    )
    _ = try #require(try held.next { $0.line.contains("/Originals/") })
    #expect(try Tool.run("/bin/sh", ["-c", loss], in: scene.path).status == 0)
    let run = try held.wait()
    #expect(run.code == 74, "\(run.streams)")
    #expect(run.streams.contains("another program"), "\(run.streams)")
  }

  @Test("A folder that is moved as the run confines itself is the reason, and not the kernel")
  func confining() throws {
    let scene = try scene(1)
    try scene.writeManifest()
    let held = try HeldProgram(["run", "manifest.json"], in: scene.path, calls: "landlock_create_ruleset")
    _ = try #require(try held.next { !$0.line.contains("LANDLOCK_CREATE_RULESET_VERSION") })
    #expect(try Tool.run("mv", [scene.library, scene.at("Moved")]).status == 0)
    let run = try held.wait()
    #expect(run.code == 74, "\(run.streams)")
    #expect(run.streams.contains("another program"), "\(run.streams)")
  }

  @Test(
    "Nor does a command that decides about assets",
    .enabled(if: Has.sqlite, "no sqlite3"),
    arguments: ["rm -rf Library/Audit", "mv Library Moved; mkdir Library"]
  )
  func label(loss: String) throws {
    let scene = try scene(0)
    let asset = try #require(scene.catalogue("SELECT localIdentifier FROM assets").first)
    let held = try HeldProgram(["label", "Library", asset, "New"], in: scene.path, calls: "renameat2")
    _ = try #require(try held.next { $0.line.contains("New.jpg") })
    #expect(try Tool.run("/bin/sh", ["-c", loss], in: scene.path).status == 0)
    let outcome = try held.wait()
    #expect(outcome.code == 74, "\(outcome.streams)")
    #expect(outcome.streams.contains("another program"), "\(outcome.streams)")
  }

  @Test(
    "Nor does an export",
    arguments: [
      "find .Copies.mediabatch-partial -name '*.jpg' -delete",
      "find .Copies.mediabatch-partial -name '*.jpg' | while read f; do : > \"$f\"; done",
    ]
  )
  func export(loss: String) throws {
    let scene = try scene(3)
    try scene.run().expect(0)
    let held = try HeldProgram(["export", "Library", "Copies"], in: scene.path, calls: "syncfs")
    _ = try #require(try held.next())
    #expect(try Tool.run("/bin/sh", ["-c", loss], in: scene.path).status == 0)
    let outcome = try held.wait()
    #expect(outcome.code == 74, "\(outcome.streams)")
    #expect(outcome.streams.contains("another program"), "\(outcome.streams)")
    #expect(!FileManager.default.fileExists(atPath: scene.at("Copies")))
  }
}
