import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Broken once, said once")
struct FailedBeforeTests {
  /// A photo, and one that is cut, which fails under every policy.
  private func scene() throws -> Scene {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/good.jpg", copyOf: Samples.photo(1))
    try scene.put("sources/camera/cut.jpg", try cut())
    return scene
  }

  private func cut(_ number: Int = 3) throws -> [UInt8] {
    let whole = try readBytes(Samples.photo(number))
    return Array(whole.prefix(whole.count * 3 / 4))
  }

  private static let repeatedCounts = ["unchanged": 1, "failedBefore": 1]
  private static let again = ["unchanged": 1, "failed": 1]

  @Test("A damaged file ends one run with 3; the next does not open it, ends with 0 and says so")
  func once() throws {
    let scene = try scene()
    try scene.run().expect(3)
    let plan = try scene.run("--dry-run")
    try plan.expect(0)
    let plans = try plan.json()["items"].array.map {
      "\($0["path"].string ?? "") \($0["plan"].string ?? "")"
    }
    #expect(plans.sorted() == ["cut.jpg failedBefore", "good.jpg unchanged"])
    let second = try scene.run()
    try second.expect(0)
    try second.expectCounts(Self.repeatedCounts)
    #expect(try second.json()["failures"].array.isEmpty)
    let records = try scene.lastLog()
    #expect(!records.contains { ["access", "outcome"].contains($0["event"].string) })
    let record = try #require(records.first { $0["outcome"].string == "failedBefore" })
    #expect(record["event"].string == "unchanged" && record["count"].int == 1)
    #expect(records.last?["counts"]["failedBefore"].int == 1)
    let text = try scene.command("run", "manifest.json")
    try text.expect(0)
    #expect(text.output.contains("1 file failed in an earlier run"), "\(text.streams)")
    #expect(text.output.contains("--fail-on-earlier"), "\(text.streams)")
    let notice = try scene.reportText("github", "--run", "last")
    #expect(notice.contains(": 1 of 2 items unchanged, 1 failed earlier.\n"), "\(notice)")
    try scene.expectVerified()
  }

  @Test("--fail-on-earlier ends with 3, and --retry-failed reads the file again")
  func flags() throws {
    let scene = try scene()
    try scene.run().expect(3)
    let strict = try scene.run("--fail-on-earlier")
    try strict.expect(3)
    try strict.expectCounts(Self.repeatedCounts)
    try scene.run("--fail-on-earlier", "--dry-run").expect(3)
    let retried = try scene.run("--retry-failed")
    try retried.expect(3)
    try retried.expectCounts(Self.again)
    #expect(try retried.failures() == ["cut.jpg: damaged"])
    // Two runs met the file.
    let page = try scene.reportText("html")
    #expect(page.contains(">1 file could not be imported</h1>"))
    #expect(page.contains(" 1 file failed and needs a person."))
    let log = try scene.reportText("sarif")
    #expect(log.components(separatedBy: "cut.jpg\\\" (camera) was not imported").count == 2)
    // A file that fails for the first time is named before one that is read again.
    try scene.put("sources/camera/later.jpg", try cut(2))
    let text = try scene.command("run", "manifest.json", "--retry-failed").output
    let names = text.split(separator: "\n").filter { $0.hasPrefix("  - ") }
    #expect(names.map { $0.prefix(8) } == ["  - \"lat", "  - \"cut"], "\(text)")
    try FileManager.default.removeItem(atPath: scene.at("sources/camera/later.jpg"))
    try scene.run().expect(0)
    // A library without failures is not red.
    try FileManager.default.removeItem(atPath: scene.at("sources/camera/cut.jpg"))
    try scene.run("--fail-on-earlier").expect(0)
  }

  private static let formats = ["json", "csv", "junit", "sarif", "github", "html", "in-toto"]

  /// That the report of the last run names some files in each format, with the reason, and no others.
  private func expectNamed(_ scene: Scene, _ names: [String: ItemReason], not others: [String] = []) throws {
    for format in Self.formats {
      let text = try scene.reportText(format, "--run", "last")
      for (name, reason) in names {
        let lines = text.split(whereSeparator: \.isNewline).filter { $0.contains(name) }
        #expect(!lines.isEmpty, "\(format): \(name) is missing")
        // A statement of tests has no reasons; a page, an annotation and a test have the reason's sentence.
        let words = [reason.rawValue, reason == .damaged ? "damaged" : "the content is none"]
        // A row and an annotation have both in one line.
        let told = ["csv", "github"].contains(format) ? lines.joined() : text
        #expect(format == "in-toto" || words.contains(where: told.contains), "\(format): \(reason)")
      }
      for name in others { #expect(!text.contains(name), "\(format): \(name)") }
    }
    let report = try JSON(text: try scene.reportText("json", "--run", "last"))
    let items = report["items"].array.filter { $0["outcome"].string == "failedBefore" }
    let told = items.map { "\($0["path"].string ?? "") \($0["reason"].string ?? "")" }
    #expect(told.sorted() == names.map { "\($0.key) \($0.value.rawValue)" }.sorted())
    // Run and number are those of the record that says why, which the log has.
    for item in items {
      let log = try #require(try scene.logFiles().first { $0.name.contains(item["run"].string ?? "/") })
      let record = try JSON(text: log.lines[(item["seq"].int ?? 0) - 1])
      #expect(record["path"].string == item["path"].string && record["outcome"].string == "failed")
    }
    guard Has.python else { return }
    for format in ReportReader.countedFormats {
      let counts = try ReportReader.counts(format, try scene.report(format, "--run", "last"))
      #expect(counts["failedBefore"] == names.count, "\(format)")
    }
  }

  @Test("A run that counts earlier failures names the files with their reasons in each report")
  func named() throws {
    let scene = try scene()
    try scene.put("sources/camera/gone.jpg", try cut(1))
    try scene.put("sources/camera/text.jpg", "no photo")
    try scene.run().expect(3)
    let all: [String: ItemReason] = [
      "cut.jpg": .damaged, "gone.jpg": .damaged, "text.jpg": .contentUnknown,
    ]
    try scene.run("--fail-on-earlier").expect(3)
    try expectNamed(scene, all)
    let junit = try scene.reportText("junit", "--run", "last")
    let failure = try #require(junit.components(separatedBy: "</failure>").first)
    #expect(failure.contains("Failed in an earlier run:") && failure.contains("cut.jpg"), "\(junit)")
    let summary = scene.at("summary.md")
    try scene.report("github", "--run", "last", "--step-summary", summary)
    #expect(try scene.text(summary).contains("cut&#46;jpg"))

    // The log says that one of them is gone by a digest alone; one that is new is no earlier failure.
    try FileManager.default.removeItem(atPath: scene.at("sources/camera/gone.jpg"))
    try scene.run().expect(0)
    try expectNamed(scene, all.filter { $0.key != "gone.jpg" }, not: ["gone.jpg"])
    try scene.put("sources/camera/text.jpg", "still no photo")
    try scene.run().expect(3)
    try expectNamed(scene, ["cut.jpg": .damaged])
    // Several runs have counted the same files.
    try scene.run().expect(0)
    let github = try scene.reportText("github")
    #expect(github.components(separatedBy: "failed in an earlier run").count == 2, "\(github)")
    #expect(try scene.reportText("text").contains("  - 2 files failed in an earlier run."))
    // What a report of all runs tells, it tells where it happened.
    let report = try JSON(text: try scene.reportText("json"))
    #expect(report["items"].array.allSatisfy { $0["outcome"].string != "failedBefore" })

    let text = try scene.command("run", "manifest.json", "--fail-on-earlier").output
    #expect(text.contains("  - \"cut.jpg\" (camera): damaged"), "\(text)")
  }

  @Test("It is read again when the file, a limit, the policy, a thumbnail or acceptDamaged changes")
  func changes() throws {
    let scene = try scene()
    func expectRetried(_ what: String) throws {
      let outcome = try scene.run()
      #expect(try outcome.count("failed") == 1, "\(what): \(outcome.streams)")
      #expect(try scene.run().count("failedBefore") == 1, "\(what)")
    }
    try expectRetried("the first run")
    let touch = try Tool.run("touch", [scene.at("sources/camera/cut.jpg")])
    try #require(touch.status == 0)
    try expectRetried("its time")
    try scene.put("sources/camera/cut.jpg", try cut(4))
    try expectRetried("its content")
    scene.manifest["limits"] = ["seconds": 20]
    try expectRetried("a limit")
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try expectRetried("a thumbnail")
    scene.setPolicy("strip")
    // A file that was kept stays, which is said each time.
    try expectRetried("the policy")
    scene.setPolicy("keep")
    try expectRetried("the policy of before")
    // A cut picture has no thumbnail.
    scene.setThumbnails([])
    scene.manifest["acceptDamaged"] = true
    let accepted = try scene.run()
    try accepted.expect(0)
    #expect(try accepted.count("imported") == 1)
    try scene.run().expectCounts(["unchanged": 2])
  }

  @Test("A file that was good when it was imported and is broken now is said once too")
  func brokenLater() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/a.jpg", copyOf: Samples.photo(3))
    try scene.run().expect(0)
    try scene.put("sources/camera/a.jpg", try cut())
    try scene.run().expect(3)
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["failedBefore": 1])
    try scene.put("sources/camera/a.jpg", copyOf: Samples.photo(3))
    try scene.run().expectCounts(["unchanged": 1])
    try scene.expectVerified()
  }

  @Test("A file over a limit, and one of unknown content, are said once, until the file changes")
  func reasons() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("camera", "authorized", ["capture": ["mode": "photoAndVideo"]])
    scene.manifest["limits"] = ["pixels": 100]
    try scene.put("sources/camera/large.jpg", copyOf: Samples.photo(1))
    try scene.put("sources/camera/text.jpg", "no photo")
    let first = try scene.run()
    try first.expect(3)
    #expect(try first.failures() == ["large.jpg: overLimit", "text.jpg: contentUnknown"])
    let second = try scene.run()
    try second.expect(0)
    try second.expectCounts(["failedBefore": 2])
    try scene.run("--fail-on-earlier").expect(3)
    try scene.put("sources/camera/text.jpg", "still no photo")
    let third = try scene.run()
    try third.expect(3)
    #expect(try third.failures() == ["text.jpg: contentUnknown"])
    try third.expectCounts(["failed": 1, "failedBefore": 1])
    // A photo of a name that was said is imported.
    try scene.put("sources/camera/text.jpg", copyOf: Samples.photo(2))
    scene.manifest["limits"] = ["pixels": 100_000_000]
    try scene.run().expectCounts(["imported": 2])
  }

  @Test("A run that was killed has said nothing", .enabled(if: Has.strace, "no strace"))
  func killed() throws {
    let scene = try scene()
    try scene.writeManifest()
    // The second outcome record is flushed, and the run has not ended.
    let run = ["run", "manifest.json", "--format", "json"]
    let first = try RunMoment(call: "unlinkat", number: 1).kill(run, in: scene.path)
    try first.wait()
    try #require(first.wasKilled)
    let second = try scene.run()
    let third = try scene.run()
    #expect(try second.count("failed") == 1, "\(second.streams)")
    try second.expect(3)
    try third.expectCounts(Self.repeatedCounts)
    try scene.expectVerified()
  }

  @Test("The other half of a live photo is read with one that is new; a sidecar changes nothing")
  func livePhoto() throws {
    let scene = Scene()
    try scene.declare("library")
    let (still, movie) = try Media.livePhoto("one")
    try scene.put("sources/library/IMG_1.jpg", still)
    try scene.put("sources/library/IMG_1.mov", Array(movie.prefix(movie.count * 3 / 4)))
    try scene.put(
      "sources/library/IMG_1.xmp",
      "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>"
    )
    try scene.run().expect(3)
    let second = try scene.run()
    try second.expectCounts(["unchanged": 2, "failedBefore": 1])
    // Another still of the same name is new, and lacks the movie that fails.
    let (other, _) = try Media.livePhoto("two")
    try FileManager.default.removeItem(atPath: scene.at("sources/library/IMG_1.jpg"))
    try scene.put("sources/library/IMG_1.heic", other)
    let third = try scene.run()
    try third.expectCounts(["imported": 2, "failed": 1])
    try scene.expectVerified()
  }

  @Test(
    "A catalogue that is made anew knows what was said",
    .enabled(if: Has.sqlite, "no sqlite3")
  )
  func rebuild() throws {
    let scene = try scene()
    try scene.run().expect(3)
    let rows = try scene.catalogue("SELECT * FROM failures")
    try #require(rows.count == 1)
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    #expect(try scene.catalogue("SELECT * FROM failures") == rows)
    try scene.run().expectCounts(Self.repeatedCounts)
    try scene.expectVerified()
  }
}
