import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Second runs")
struct SecondRunTests {
  /// A scene with three imported photos: `a.jpg`, `b.jpg`, `c/d.jpg`.
  private func imported(policy: String = "keep") throws -> Scene {
    let scene = Scene(policy: policy)
    try scene.declare("camera")
    for (index, name) in ["a.jpg", "b.jpg", "c/d.jpg"].enumerated() {
      try scene.put("sources/camera/" + name, copyOf: Samples.photo(index + 1))
    }
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 3])
    return scene
  }

  @Test("A run that meets nothing new does not repeat the advice; a new file brings it back")
  func reportsOnce() throws {
    let scene = Scene()
    try scene.declare("camera", "authorized", ["capture": ["mode": "photo"]])
    try scene.declare("microphone", "denied")
    try scene.put("sources/camera/a.jpg", copyOf: Samples.photo(1))
    try scene.put("sources/camera/b.mp4", copyOf: Samples.video)
    try scene.put("sources/camera/notes.txt", "no photo")
    try scene.writeManifest()
    let advice = ["The microphone is denied", "photoAndVideo", "\"notes.txt\"", "\"b.mp4\""]
    func expectAdvice(_ isReported: Bool) throws {
      let run = try scene.command("run", "manifest.json")
      try run.expect(0)
      for words in advice {
        #expect(run.output.contains(words) == isReported, "\(words): \(run.streams)")
      }
      #expect(run.output.contains("Left out again") == !isReported)
      #expect(run.output.contains("refused: never opened"))
    }
    try expectAdvice(true)
    try expectAdvice(false)
    try scene.put("sources/camera/more.txt", "no photo")
    try expectAdvice(true)
    try expectAdvice(false)
    try scene.expectVerified()
  }

  @Test(
    "A second run opens no source file, records no batch and writes no file",
    .enabled(if: Has.strace && Has.sqlite, "no strace or sqlite3")
  )
  func opensNothingTwice() throws {
    let scene = Scene()
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.declare("camera")
    let names = ["a.jpg", "b.jpg", "c/d.jpg"]
    for (index, name) in names.enumerated() {
      try scene.put("sources/camera/" + name, copyOf: Samples.photo(index + 1))
    }
    func opened(_ lines: [String]) -> [String] {
      names.filter { name in
        lines.contains {
          $0.contains("open") && $0.contains("/camera") && $0.contains("\"\(name)\"")
        }
      }
    }
    let first = try scene.tracedRun("open,openat,openat2")
    try first.outcome.expect(0)
    #expect(opened(first.lines) == names, "the trace shows what is opened")
    let before = try scene.digests("Library/Originals")
    let batches = try scene.catalogue("SELECT count(*) FROM batches")

    let second = try scene.tracedRun("open,openat,openat2")
    try second.outcome.expect(0)
    try second.outcome.expectCounts(["unchanged": 3])
    #expect(opened(second.lines) == [])
    #expect(!second.lines.contains { $0.contains("execve") })
    #expect(try scene.catalogue("SELECT count(*) FROM batches") == batches)
    #expect(try scene.digests("Library/Originals") == before)
    let record = try #require(try scene.lastLog().first { $0["event"].string == "unchanged" })
    #expect(record["count"].int == 3)
    #expect(try !scene.lastLog().contains { $0["event"].string == "access" })
    try scene.expectVerified()
  }

  /// Something that changes a file and none of its bytes.
  enum Touch: String, CaseIterable {
    case modificationTime = "touch -d 2020-02-02 a.jpg"
    case mode = "chmod 600 a.jpg"
    case inode = "cp -p a.jpg n && mv n a.jpg"
    case everything = "cp a.jpg n && mv n a.jpg"
  }

  @Test("A file with the same bytes under other times, mode or inode is read, and unchanged")
  func readsTouchedFile() throws {
    let scene = try imported()
    let before = try scene.originals().map(\.path)
    for touch in Touch.allCases {
      let shell = try Tool.run("sh", ["-c", touch.rawValue], in: scene.at("sources/camera"))
      try #require(shell.status == 0)
      let outcome = try scene.run()
      #expect(outcome.code == 0, "\(touch): \(outcome.streams)")
      try outcome.expectCounts(["unchanged": 3])
      #expect(try scene.originals().map(\.path) == before, "\(touch)")
      let accessed = try scene.lastLog().filter { $0["event"].string == "access" }
      #expect(accessed.compactMap { $0["path"].string } == ["a.jpg"], "\(touch)")
      // Known from now on: not read again.
      try scene.run().expectCounts(["unchanged": 3])
      #expect(try !scene.lastLog().contains { $0["event"].string == "access" }, "\(touch)")
    }
    try scene.expectVerified()
  }

  @Test("A file that was moved is a duplicate, and so is a copy", arguments: ["mv", "cp"])
  func recognizesMovedFile(command: String) throws {
    let scene = try imported()
    let before = try scene.originals().map(\.path)
    let shell = try Tool.run(command, ["a.jpg", "e.jpg"], in: scene.at("sources/camera"))
    try #require(shell.status == 0)
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["unchanged": command == "mv" ? 2 : 3, "duplicate": 1])
    #expect(try scene.originals().map(\.path) == before)
    let record = try #require(
      try scene.lastLog().first {
        $0["event"].string == "outcome" && $0["path"].string == "e.jpg"
      }
    )
    let original = try scene.logFiles()[0].lines.map { try JSON(text: $0) }.first {
      $0["event"].string == "outcome" && $0["path"].string == "a.jpg"
    }
    #expect(record["outcome"].string == "duplicate")
    #expect(record["asset"].string != nil)
    #expect(record["asset"].string == original?["asset"].string, "the asset that it duplicates")
    try scene.expectVerified()
  }

  @Test(
    "Of equal files in one run the first by the bytes of its path is imported",
    .enabled(if: Has.sqlite, "no sqlite3"),
    arguments: ["keep", "strip"]
  )
  func firstByPathWins(policy: String) throws {
    let scene = Scene(policy: policy)
    try scene.declare("camera")
    for name in ["z.jpg", "a/z.jpg", "B.jpg"] {
      try scene.put("sources/camera/" + name, copyOf: Samples.photo(3))
    }
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 1, "duplicate": 2])
    #expect(try scene.catalogue("SELECT CAST(sourcePath AS TEXT) FROM resources") == ["B.jpg"])
    try scene.run().expectCounts(["unchanged": 3])
    try scene.expectVerified()
  }

  @Test("Changed content is a new asset, and the old one stays")
  func importsChangedContent() throws {
    let scene = try imported()
    let before = try scene.digests("Library/Originals")
    try scene.put("sources/camera/a.jpg", copyOf: Samples.photo(7))
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 1, "unchanged": 2])
    let after = try scene.digests("Library/Originals")
    #expect(after.count == 4)
    #expect(before.allSatisfy { after[$0.key] == $0.value })
    #expect(after.values.contains(try Independent.sha256(Samples.photo(7))))
    try scene.expectVerified()
  }

  @Test("The same bytes from a source with another policy are written for that source too")
  func writesAgainForOtherPolicy() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("camera").declare("library", "authorized", ["metadata": ["policy": "keep"]])
    try scene.put("sources/camera/a.jpg", copyOf: Samples.photo(1))
    try scene.put("sources/library/a.jpg", copyOf: Samples.photo(1))
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 2])
    let digest = try Independent.sha256(Samples.photo(1))
    #expect(try scene.originals().filter { $0.sha256 == digest }.count == 1)
    try scene.expectVerified()
  }

  @Test(
    "A changed metadata policy is said and writes nothing: exit 3, metadataPolicyChanged",
    arguments: [("keep", "strip"), ("strip", "keep")]
  )
  func reportsChangedPolicy(from old: String, to new: String) throws {
    let scene = try imported(policy: old)
    let before = try scene.digests("Library/Originals")
    scene.setPolicy(new)
    // It stays so until somebody does something about it.
    for _ in 1...2 {
      let outcome = try scene.run()
      try outcome.expect(3)
      try outcome.expectCounts(["unchanged": 3])
      #expect(try outcome.problems() == ["metadataPolicyChanged"])
      let message = try #require(try outcome.json()["problems"].array.first?["message"].string)
      #expect(message.contains("3 ") && message.contains("camera"), "\(message)")
      #expect(message.contains(new) && message.contains("--reprocess"), "\(message)")
      #expect(try scene.digests("Library/Originals") == before)
    }
    try scene.expectVerified()
    // The old policy again: nothing to say.
    scene.setPolicy(old)
    let back = try scene.run()
    try back.expect(0)
    #expect(try back.problems() == [])
  }

  @Test(
    "A new thumbnail size is made without touching the originals",
    arguments: ["keep", "strip"]
  )
  func addsThumbnailSize(policy: String) throws {
    let scene = try imported(policy: policy)
    let before = try scene.snapshot("Library/Originals")
    scene.setThumbnails([("grid", 24, 24, "aspectFill"), ("large", 100, 100, "aspectFit")])
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["unchanged": 3])
    #expect(try scene.snapshot("Library/Originals") == before)
    #expect(try scene.thumbnails("grid").count == 3)
    #expect(try scene.thumbnails("large").count == 3)
    try scene.expectVerified()
    try scene.run().expectCounts(["unchanged": 3])
    #expect(try !scene.lastLog().contains { $0["event"].string == "access" })
  }

  @Test(
    "A changed thumbnail size is made anew, and the old one is gone after the next start",
    .enabled(if: Has.magick, "no ImageMagick")
  )
  func replacesThumbnail() throws {
    let scene = try imported()
    scene.setThumbnails([("grid", 24, 24, "aspectFill")])
    try scene.run().expect(0)
    let old = try scene.thumbnails("grid")
    let before = try scene.snapshot("Library/Originals")
    scene.setThumbnails([("grid", 40, 40, "aspectFill")])
    try scene.run().expect(0)
    try scene.expectVerified()
    try scene.run().expect(0)
    let new = try scene.thumbnails("grid")
    #expect(Set(new).isDisjoint(with: old))
    #expect(new.count == 3)
    for path in new { #expect(try Independent.size(path) == [40, 40]) }
    #expect(try scene.snapshot("Library/Originals") == before)
    let gone = try scene.lastLog().filter { $0["event"].string == "superseded" }
    #expect(gone.count == 3)
    try scene.expectVerified()
  }

  @Test("Two files with one content get a new thumbnail size once")
  func addsThumbnailToDuplicates() throws {
    let scene = Scene()
    try scene.declare("camera")
    for name in ["a.jpg", "b.jpg"] {
      try scene.put("sources/camera/" + name, copyOf: Samples.photo(1))
    }
    try scene.run().expectCounts(["imported": 1, "duplicate": 1])
    scene.setThumbnails([("grid", 24, 24, "aspectFill")])
    let outcome = try scene.run()
    try outcome.expect(0)
    #expect(try scene.thumbnails("grid").count == 1)
    try scene.run().expectCounts(["unchanged": 2])
    try scene.expectVerified()
  }

  @Test("A failed item is imported once it is whole")
  func triesFailedItemAgain() throws {
    let scene = Scene()
    try scene.declare("camera")
    let whole = try readBytes(Samples.photo(1))
    try scene.put("sources/camera/a.jpg", Array(whole.prefix(300)))
    let outcome = try scene.run()
    try outcome.expect(3)
    #expect(try outcome.failures() == ["a.jpg: damaged"])
    try scene.put("sources/camera/a.jpg", whole)
    try scene.run().expectCounts(["imported": 1])
    try scene.expectVerified()
  }
}
