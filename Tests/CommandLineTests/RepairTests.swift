import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Repairing a library", .enabled(if: Has.sqlite, "no sqlite3"))
struct RepairTests {
  private func imported(_ policy: String = "strip") throws -> Scene {
    let scene = Scene(policy: policy)
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.declare("camera")
    try scene.putPhotos(1...4)
    try scene.run().expect(0)
    return scene
  }

  /// `action path` of the steps that `verify --repairable` announces.
  private func announced(_ scene: Scene) throws -> [String] {
    try steps(scene.command("verify", scene.library, "--repairable", "--format", "json"), "steps")
  }

  private func steps(_ outcome: Outcome, _ key: String) throws -> [String] {
    try outcome.json()[key].array.map { "\($0["action"].string ?? "") \($0["path"].string ?? "")" }
  }

  private func repair(_ scene: Scene, _ arguments: String...) throws -> Outcome {
    try scene.command(["repair", scene.library, "--format", "json"] + arguments)
  }

  @Test("What was announced is done: damaged files are put aside, lost and damaged ones come back")
  func mends() throws {
    let scene = try imported()
    let before = try scene.digests("Library/Originals")
    let originals = try scene.catalogue("SELECT path FROM resources ORDER BY id")
    let thumbnail = try #require(try scene.catalogue("SELECT path FROM thumbnails LIMIT 1").first)
    try FileManager.default.removeItem(atPath: scene.library + "/" + originals[0])
    for path in [originals[1], thumbnail] { try scene.put("Library/" + path, "damaged: \(path)") }
    let announced = try announced(scene)
    #expect(
      announced == [
        "quarantined \(originals[1])", "quarantined \(thumbnail)", "restored \(originals[0])",
        "restored \(originals[1])", "remade \(thumbnail)",
      ]
    )
    let repair = try repair(scene, "--from", "manifest.json")
    try repair.expect(0)
    #expect(try steps(repair, "done") == announced)
    #expect(repair.error.contains("The thumbnails of each original that came back were made again."))
    #expect(try repair.json()["left"].array.isEmpty)
    // The head to keep covers what the run restored after files were put aside.
    let (head, records) = (try repair.json()["audit"], try LibraryState.records(scene.library))
    #expect(try head["head"].string == repair.json()["run"]["audit"]["head"].string)
    #expect(head["size"].int == records.count)
    #expect(try scene.digests("Library/Originals") == before)
    let aside = try Tool.run("grep", ["-rl", "damaged: ", "Quarantine"], in: scene.library)
    #expect(aside.output.split(separator: "\n").count == 2)
    let events = try LibraryState.records(scene.library).compactMap { $0["event"].string }
    #expect(events.count { $0 == "quarantined" } == 2)
    #expect(events.count { $0 == "restored" } == 2)
    try scene.expectVerified()
    #expect(try self.announced(scene) == [])
    try scene.run().expectCounts(["unchanged": 4])
  }

  @Test("Files that an older catalogue has forgotten are adopted, and nothing is imported twice")
  func adopts() throws {
    let scene = try imported()
    let older = try readBytes(scene.library + "/library.sqlite")
    try scene.putPhotos(5...7)
    try scene.run().expect(0)
    let before = try CatalogueDump(scene.library)
    let files = try scene.catalogue(
      "SELECT path FROM resources WHERE id > 4 UNION SELECT path FROM thumbnails WHERE id > 4"
    )
    try scene.removeCatalogue()
    try scene.put("Library/library.sqlite", older)
    let announced = try announced(scene)
    #expect(announced == files.map { "adopted \($0)" })
    let repair = try repair(scene)
    try repair.expect(0)
    #expect(try steps(repair, "done") == announced)
    #expect(try CatalogueDump(scene.library) == before)
    let adopted = try scene.lastLog().filter { $0["event"].string == "adopted" }
    #expect(adopted.compactMap { $0["output"]["path"].string }.sorted() == files)
    try scene.expectVerified()
    try scene.run().expectCounts(["unchanged": 7])
  }

  @Test(
    "A damaged catalogue is made anew, and what is lost comes back after that",
    arguments: [0, 40_960]
  )
  func rebuilds(length: Int) throws {
    let scene = try imported()
    let before = try CatalogueDump(scene.library)
    let original = try #require(try scene.catalogue("SELECT path FROM resources LIMIT 1").first)
    let catalogue = Array(try readBytes(scene.library + "/library.sqlite").prefix(length))
    try scene.put("Library/library.sqlite", catalogue)
    #expect(try announced(scene) == ["rebuilt library.sqlite"])
    try FileManager.default.removeItem(atPath: scene.library + "/" + original)
    let repair = try repair(scene, "--from", "manifest.json")
    let first = try steps(repair, "done")
    #expect(first.first == "rebuilt library.sqlite")
    if first.count == 1 {
      // A catalogue that SQLite could not open leaves a thread, so that nothing can be confined.
      try repair.expect(65)
      let again = try self.repair(scene, "--from", "manifest.json")
      try again.expect(0)
      #expect(try steps(again, "done") == ["restored \(original)"])
    } else {
      try repair.expect(0)
      #expect(first == ["rebuilt library.sqlite", "restored \(original)"])
    }
    let after = try CatalogueDump(scene.library)
    #expect(before.lacking(in: after).filter { !$0.contains("INTO items") } == [])
    try scene.expectVerified()
  }

  @Test("A healthy file whose row is wrong stays where it is: the row is mended")
  func wrongRow() throws {
    let scene = try imported()
    let before = try scene.snapshot("Library/Originals")
    let rows = try CatalogueDump(scene.library)
    let wrong = String(repeating: "0", count: 64)
    _ = try scene.catalogue("UPDATE resources SET sha256 = '\(wrong)' WHERE id = 1")
    try repair(scene).expect(0)
    #expect(try scene.snapshot("Library/Originals") == before)
    #expect(try CatalogueDump(scene.library) == rows)
    try scene.expectVerified()
  }

  @Test("Without the sources what is lost is left, and named; a stray file is left alone")
  func leaves() throws {
    let scene = try imported("keep")
    let original = try #require(try scene.catalogue("SELECT path FROM resources LIMIT 1").first)
    try scene.put("Library/" + original, "damaged")
    try scene.put("Library/Originals/stray.txt", "mine")
    let plan = try scene.command("verify", scene.library, "--repairable").output
    let condition = "--from MANIFEST, if its source still has it"
    #expect(plan.contains("\nrestored with \(condition): \(original)\n"), "\(plan)")
    let copy = scene.at("Copy")
    try Independent.make("cp", ["-a", scene.library, copy])
    let repair = try repair(scene)
    try repair.expect(65)
    #expect(try steps(repair, "done") == ["quarantined \(original)"])
    let left = try repair.json()["left"].array.compactMap(\.string)
    #expect(left.count == 2 && left[0].hasPrefix(original) && left[1].contains("stray.txt"))
    #expect(left.first?.contains("its source may still have it") == true, "\(left)")
    // For a person the file that was moved aside has one line, and the last one says that something is left.
    let text = try scene.command("repair", copy)
    try text.expect(65)
    let lines = text.output.split(separator: "\n").map(String.init)
    let ofFile = lines.filter { $0.contains(original) }
    #expect(ofFile.count == 1 && ofFile[0].hasPrefix("quarantined: \(original): its source may"), "\(lines)")
    #expect(lines.contains { $0.hasPrefix("left: Originals/stray.txt: ") }, "\(lines)")
    let problems = lines.count { $0.hasPrefix("left: ") } + 1
    #expect(lines.contains { $0.hasPrefix("Not everything is repaired: \(problems) problem") }, "\(lines)")
    #expect(try readBytes(scene.library + "/Originals/stray.txt") == Array("mine".utf8))
    // A later run of the sources brings it back.
    try scene.run().expect(0)
    try FileManager.default.removeItem(atPath: scene.library + "/Originals/stray.txt")
    try scene.expectVerified()
  }

  @Test(
    "A file that was moved within its source restores what its asset has lost, and nothing else does",
    arguments: ["keep", "strip"]
  )
  func moved(policy: String) throws {
    let scene = try imported(policy)
    let before = try scene.digests("Library/Originals")
    let lost = try scene.catalogue("SELECT path FROM resources ORDER BY sourcePath LIMIT 2")
    for path in lost { try FileManager.default.removeItem(atPath: scene.library + "/" + path) }
    try FileManager.default.removeItem(atPath: scene.at("sources/camera/2.jpg"))
    try scene.makeFolder("sources/camera/moved")
    try FileManager.default.moveItem(
      atPath: scene.at("sources/camera/1.jpg"),
      toPath: scene.at("sources/camera/moved/one.jpg")
    )
    let repair = try repair(scene, "--from", "manifest.json")
    try repair.expect(65)
    #expect(try steps(repair, "done") == ["restored \(lost[0])"])
    let left = try repair.json()["left"].array.compactMap(\.string)
    #expect(left == ["\(lost[1]): no source has the same content"])
    let counts = try repair.json()["run"]["counts"]
    #expect(counts["duplicate"].int == 1 && counts["unchanged"].int == 2, "\(counts)")
    try scene.put("sources/camera/two.jpg", copyOf: Samples.photo(2))
    // An ordinary run does the same.
    try scene.run().expectCounts(["duplicate": 1, "unchanged": 3])
    #expect(try scene.digests("Library/Originals") == before)
    let restored = try LibraryState.records(scene.library)
      .filter { $0["event"].string == "restored" }.compactMap { $0["output"]["path"].string }
    #expect(restored == lost)
    try scene.expectVerified()
    let rows = try CatalogueDump(scene.library)
    try scene.command("rebuild", scene.library).expect(0)
    #expect(try CatalogueDump(scene.library) == rows)
  }

  private func rows(_ scene: Scene) throws -> [String] {
    try scene.catalogue(
      """
      SELECT asset, name, fingerprint, path, width, height, sha256 FROM thumbnails
      WHERE superseded = 0 ORDER BY path
      """
    )
  }

  @Test(
    "A lost and a changed thumbnail are made again from the library's originals, without any source",
    arguments: ["keep", "strip"]
  )
  func thumbnailsAlone(policy: String) throws {
    let scene = try imported(policy)
    let before = try scene.digests("Library/Thumbnails").values.sorted()
    let originals = try scene.snapshot("Library/Originals")
    try FileManager.default.removeItem(atPath: scene.at("sources"))
    let paths = try scene.catalogue("SELECT path FROM thumbnails ORDER BY path LIMIT 2")
    try FileManager.default.removeItem(atPath: scene.library + "/" + paths[0])
    try scene.put("Library/" + paths[1], "damaged")
    let announced = try announced(scene)
    let expected = ["quarantined \(paths[1])", "remade \(paths[0])", "remade \(paths[1])"]
    #expect(announced == expected)
    let repair = try repair(scene)
    try repair.expect(0)
    #expect(try steps(repair, "done") == announced)
    #expect(try scene.snapshot("Library/Originals") == originals)
    // What is decoded is the published file.
    let after = try scene.digests("Library/Thumbnails").values.sorted()
    #expect(policy == "keep" ? after == before : after.count == before.count)
    let records = try scene.lastLog().filter { $0["event"].string == "restored" }
    #expect(records.count == 2 && records.allSatisfy { $0["output"]["width"].int == 32 })
    #expect(records.allSatisfy { $0["fingerprint"].string?.hasPrefix("32x32 aspectFill") == true })
    #expect(try !scene.lastLog().contains { $0["event"].string == "access" })
    try scene.expectVerified()
    let report = try scene.command("report", scene.library, "--format", "json")
    try report.expect(0)
    #expect(try report.json()["holdings"]["thumbnails"].int == 4)
    #expect(try self.repair(scene).json()["done"].array.isEmpty)
    // The log tells a catalogue that is made anew of them.
    let rows = try rows(scene)
    try scene.command("rebuild", scene.library).expect(0)
    #expect(try self.rows(scene) == rows)
    try scene.expectVerified()
  }

  @Test("A labeled library is rebuilt also before a run has removed what a repair has superseded")
  func rebuilt() throws {
    let scene = try imported()
    let assets = try scene.catalogue("SELECT localIdentifier FROM assets ORDER BY id")
    try scene.command("label", scene.library, assets[0], "First").expect(0)
    let lost = try scene.catalogue("SELECT path FROM thumbnails ORDER BY asset DESC LIMIT 2")
    for path in lost { try FileManager.default.removeItem(atPath: scene.library + "/" + path) }
    try repair(scene, "--from", "manifest.json").expect(0)
    // The same picture stands below the same day under two times.
    #expect(try scene.catalogue("SELECT path FROM thumbnails WHERE superseded").count == 2)
    let rows = try rows(scene)
    try scene.command("rebuild", scene.library).expect(0)
    #expect(try self.rows(scene) == rows)
    try scene.expectVerified()
  }

  @Test("From an original that is damaged, or missing, no thumbnail is made")
  func thumbnailOfDamaged() throws {
    let scene = try imported("keep")
    let original = try scene.catalogue("SELECT path FROM resources ORDER BY asset LIMIT 2")
    let thumbnail = try scene.catalogue("SELECT path FROM thumbnails ORDER BY asset LIMIT 2")
    for path in thumbnail + [original[0]] {
      try FileManager.default.removeItem(atPath: scene.library + "/" + path)
    }
    // A valid picture, and not the one that was published.
    try Independent.make("chmod", ["u+w", scene.library + "/" + original[1]])
    try scene.put("Library/" + original[1], copyOf: Samples.photo(8))
    try FileManager.default.removeItem(atPath: scene.at("sources"))
    let repair = try repair(scene)
    try repair.expect(65)
    let left = try repair.json()["left"].array.compactMap(\.string)
    for path in thumbnail + original { #expect(left.contains { $0.hasPrefix(path) }, "\(left)") }
    #expect(try scene.digests("Library/Thumbnails").count == 2)
  }

  @Test(
    "A repair that is killed while it publishes a thumbnail is finished by the next one",
    .enabled(if: Has.strace, "no strace")
  )
  func killed() throws {
    let scene = try imported("keep")
    let before = try scene.digests("Library/Thumbnails").values.sorted()
    try FileManager.default.removeItem(atPath: scene.at("sources"))
    try FileManager.default.removeItem(atPath: scene.library + "/Thumbnails")
    let killed = try RunMoment(call: "renameat2", number: 2)
      .kill(["repair", "Library"], in: scene.path)
    try killed.wait()
    try #require(killed.wasKilled)
    try repair(scene).expect(0)
    #expect(try scene.digests("Library/Thumbnails").values.sorted() == before)
    try scene.expectVerified()
    let rows = try rows(scene)
    try scene.command("rebuild", scene.library).expect(0)
    #expect(try self.rows(scene) == rows)
  }

  /// What may have the name of a published file, and is none.
  enum Irregular: String, CaseIterable { case link, folder, pipe }

  @Test(
    "What is no file in the place of one is left and named, and nothing in its place is called mended",
    arguments: Irregular.allCases
  )
  func irregular(kind: Irregular) throws {
    let scene = try imported()
    let original = try #require(try scene.catalogue("SELECT path FROM resources LIMIT 1").first)
    let thumbnail = try #require(
      try scene.catalogue("SELECT path FROM thumbnails ORDER BY id DESC LIMIT 1").first
    )
    for (index, path) in [original, thumbnail].enumerated() {
      let published = scene.library + "/" + path
      let kept = scene.at("kept \(index)")
      try FileManager.default.moveItem(atPath: published, toPath: kept)
      switch kind {
      case .link: try Independent.make("ln", ["-s", kept, published])
      case .folder: try Independent.make("mkdir", [published])
      case .pipe: try Independent.make("mkfifo", [published])
      }
    }
    #expect(try announced(scene) == [])
    let before = try scene.snapshot("Library")
    for arguments in [[], ["--from", "manifest.json"]] {
      let repair = try scene.command(["repair", scene.library, "--format", "json"] + arguments)
      try repair.expect(65)
      #expect(try repair.json()["done"].array.isEmpty)
      let left = try repair.json()["left"].array.compactMap(\.string)
      #expect(left.count == 2 && left.allSatisfy { $0.contains("move it away") }, "\(left)")
      for path in [original, thumbnail] {
        #expect(left.contains { $0.hasPrefix(path + ": ") }, "\(left)")
      }
      #expect(try scene.snapshot("Library") == before)
    }
    for path in [original, thumbnail] {
      try Independent.make("rm", ["-rf", scene.library + "/" + path])
    }
    try repair(scene, "--from", "manifest.json").expect(0)
    try scene.expectVerified()
  }

  @Test(
    "A file that the disk cannot read is left and named, and stays where it is",
    .enabled(if: Has.strace, "no strace")
  )
  func unreadable() throws {
    let scene = try imported("keep")
    let original = try #require(try scene.catalogue("SELECT path FROM resources LIMIT 1").first)
    let before = try scene.digests("Library/Originals")
    let result = try Tool.run(
      "strace",
      [
        "-f", "-qq", "-P", scene.library + "/" + original, "-e", "trace=pread64", "-e",
        "signal=none", "-e", "inject=pread64:error=EIO", "-o", "/dev/null",
        try Scene.executable(), "repair", scene.library, "--from", "manifest.json",
      ],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    #expect(result.status == 65, "\(result)")
    #expect(result.output.contains("left: \(original): "), "\(result)")
    #expect(!result.output.contains("restored: "), "\(result)")
    #expect(try scene.digests("Library/Originals") == before)
    try scene.expectVerified()
  }

  @Test("A healthy library is not touched, and another library's manifest is refused")
  func healthy() throws {
    let scene = try imported()
    let before = try scene.snapshot("Library")
    let repair = try repair(scene, "--from", "manifest.json")
    try repair.expect(0)
    #expect(try repair.json()["done"].array.isEmpty)
    #expect(try scene.snapshot("Library") == before)
    _ = try scene.choose(library: "Other")
    try self.repair(scene, "--from", "manifest.json").expect(78)
    #expect(try scene.snapshot("Library") == before)
  }
}
