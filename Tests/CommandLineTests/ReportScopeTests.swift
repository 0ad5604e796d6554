import Foundation
import MediaModel
import MediaTestSupport
import Testing

@Suite("Reports: what they are about", .serialized, .enabled(if: Has.python, "no python3"))
struct ReportScopeTests {
  private func scene() throws -> Scene {
    let scene = Scene(policy: "strip")
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.declare("camera")
    try scene.declare("microphone", "denied")
    try scene.put("sources/camera/one.jpg", try Media.photo("one"))
    try scene.put("sources/camera/two.jpg", try Media.photo("two"))
    try scene.run().expect(0)
    try scene.put("sources/camera/again.jpg", try Media.photo("one"))
    try scene.run().expect(0)
    return scene
  }

  @Test("--run, --since, --until and nothing choose the runs")
  func runs() throws {
    let scene = try scene()
    let all = try scene.catalogue("SELECT id FROM runs ORDER BY auditFile")
    #expect(try scene.reportedRuns() == all)
    #expect(try scene.reportedRuns("--run", "last") == [all[1]])
    #expect(try scene.reportedRuns("--run", all[0]) == [all[0]])
    #expect(try scene.reportedRuns("--since", "2000-01-01") == all)
    #expect(try scene.command("report", "Library", "--since", "2999-12-31").code == 5)
    let second = try scene.catalogue("SELECT started FROM runs ORDER BY auditFile DESC LIMIT 1")
    // A day that begins behind both, a second that both may share: at least the newest is there.
    let time = String(try #require(second.first).prefix(19)) + "Z"
    #expect(try scene.reportedRuns("--since", time).last == all[1])
    #expect(try scene.reportedRuns("--until", time) == all)
    let day = String(time.prefix(10))
    #expect(try scene.reportedRuns("--since", "2000-01-01", "--until", day) == all)
    let earlier = try scene.command("report", "Library", "--until", "2000-01-01")
    #expect(earlier.code == 5 && earlier.output.contains("No run of the library began until 2000"))
  }

  @Test(
    "A subject report has every record about one asset, and nothing about another",
    .enabled(if: Has.tidy, "no tidy")
  )
  func subject() throws {
    let scene = try scene()
    let items = try JSON(text: try scene.reportText("json"))["items"].array
    let identifier = try #require(items.first { $0["path"].string == "one.jpg" }?["asset"].string)
    let file = try scene.report("json", "--asset", identifier)
    try ReportReader.expectSchema(file)
    let report = try JSON(text: try scene.text(file))
    let records = report["subject"]["records"].array
    let events = records.compactMap { $0["event"].string }
    #expect(events.filter { $0 == "outcome" }.count == 2, "imported, and later a duplicate")
    #expect(events.filter { $0 == "access" }.count == 2)
    #expect(Set(events) == ["run", "decision", "source", "access", "outcome", "end"])
    let text = records.compactMap { $0["text"].string }.joined(separator: "\n")
    #expect(text.contains("The test takes pictures."), "the usage description in force")
    #expect(text.contains(" was allowed by the manifest. Asked for: \""), "\(text)")
    #expect(text.contains("Removed:") && text.contains("Thumbnails: grid"))
    #expect(!text.contains("two.jpg") && !text.contains("microphone"))
    // Each record that it cites is in the log, where it says.
    let log = Dictionary(uniqueKeysWithValues: try scene.logFiles().map { ($0.name, $0.lines) })
    for record in records {
      let lines = try #require(log[record["file"].string ?? ""])
      let line = try JSON(text: lines[try #require(record["seq"].int) - 1])
      #expect(line["event"].string == record["event"].string)
    }
    #expect(report["subject"]["files"].array.count == 2)
    #expect(report["counts"]["imported"].int == 1 && report["counts"]["duplicate"].int == 1)
    let page = try scene.report("html", "--asset", identifier)
    try ReportReader.expectPage(page)
    let html = try scene.text(page)
    #expect(!html.contains("two.jpg"))
    // A report reads no media, and the accesses are among the records of the asset.
    #expect(!html.contains("The asset is whole") && !html.contains("No file was opened"))
  }

  @Test("A report on an asset is the same by any name of it, and says of runs what one on all says")
  func names() throws {
    let scene = try scene()
    let items = try JSON(text: try scene.reportText("json"))["items"].array
    let two = try #require(items.first { $0["path"].string == "two.jpg" }?["asset"].string)
    try scene.command("label", "Library", two, "Über Grün 7").expect(0)
    let all = try JSON(text: try scene.reportText("json"))
    let item = try #require(all["items"].array.first { $0["path"].string == "one.jpg" })
    let asset = try #require(item["asset"].string)
    let output = try #require(item["output"]["path"].string)
    func report(_ word: String) throws -> JSON {
      try JSON(text: try scene.text(try scene.report("json", "--asset", word)))
    }
    func texts(_ report: JSON) -> [String] {
      report["subject"]["records"].array.map { record in
        "\(record["file"].string ?? "") \(record["seq"].int ?? 0) \(record["text"].string ?? "")"
      }
    }
    func runs(_ report: JSON) -> [String] {
      report["runs"].array.map { run in
        "\(run["run"].string ?? "") \(run["records"].int ?? 0) \(run["ended"].string ?? "")"
      }
    }
    let whole = try report(asset)
    #expect(runs(whole) == runs(all).filter { runs(whole).contains($0) } && !runs(whole).isEmpty)
    #expect(texts(whole).count > 8)
    for word in ["one.jpg", "one", output, String(asset.prefix(12)), "sources/camera/one.jpg"] {
      let other = try report(word)
      #expect(texts(other) == texts(whole), "\(word)")
      #expect(runs(other) == runs(whole), "\(word)")
    }
    for word in ["Über Grün 7", "two.jpg", "two", two] {
      #expect(try report(word)["subject"]["asset"].string == two, "\(word)")
    }
  }

  @Test("What is not there is said, with what there is")
  func missing() throws {
    let scene = try scene()
    for (arguments, word) in [
      (["--run", "nope"], "no run \"nope\""), (["--asset", "nope"], "names the asset \"nope\""),
      (["--asset", "nope"], "`mediabatch explain` says why"),
      (["--since", "yesterday"], "'--since <date>': it takes"), (["--run", "a", "--asset", "b"], "combine"),
      (["--until", "2026-11-31T"], "'--until <date>': it takes"),
      (["--run", "a", "--until", "2026-11-21"], "combine"),
      (["--since", "2026-11-22", "--until", "2026-11-21"], "--until is before --since"),
      (["--format", "pdf"], "pdf"), (["--page", "0"], "--page"),
      (["--step-summary", "x"], "--step-summary"),
    ] {
      let outcome = try Scene.program(["report", "Library"] + arguments, in: scene.path)
      #expect(outcome.code == 64, "\(arguments)")
      #expect(outcome.error.contains(word), "\(arguments): \(outcome.error)")
      #expect(outcome.output == "")
    }
    let outcome = try scene.command("report", "sources")
    #expect(outcome.code == 78 && outcome.error.contains("not a library"))
  }

  @Test("The library is not touched, and a report never lies in it")
  func readOnly() throws {
    let scene = try scene()
    let before = try scene.snapshot("Library")
    for format in ["html", "json", "csv", "junit", "sarif", "github", "in-toto"] {
      try scene.report(format)
    }
    #expect(try scene.snapshot("Library") == before)
    for target in ["Library/report.html", "Library/Originals/../r", "Library/Audit/r.ndjson"] {
      let outcome = try scene.command("report", "Library", "--output", target)
      #expect(outcome.code == 64 && outcome.error.contains("in the library"), "\(outcome.streams)")
    }
    #expect(try scene.snapshot("Library") == before)

    let log = "Library/Audit/" + (try #require(try scene.logFiles().first)).name
    let text = try scene.text(scene.at(log))
    try FileManager.default.createSymbolicLink(
      atPath: scene.at("link.md"),
      withDestinationPath: scene.at(log)
    )
    try FileManager.default.linkItem(atPath: scene.at(log), toPath: scene.at("second.md"))
    for target in ["link.md", "second.md", log] {
      let outcome = try scene.command("report", "Library", "--format", "github", "--step-summary", target)
      #expect(outcome.code != 0 && outcome.error.contains(target), "\(outcome.streams)")
    }
    #expect(try scene.text(scene.at(log)) == text)
  }

  @Test("A statement names only what the runs in its scope wrote, by the digests of the log")
  func subjects() throws {
    let scene = try scene()
    func statement(_ arguments: String..., code: Int32 = 0) throws -> (names: [String], JSON) {
      let outcome = try Scene.program(
        ["report", "Library", "--format", "in-toto"] + arguments,
        in: scene.path
      )
      #expect(outcome.code == code, "\(outcome.streams)")
      let json = try outcome.json()
      return (json["subject"].array.compactMap { $0["name"].string }, json["predicate"])
    }
    #expect(try statement().names.filter { $0.hasPrefix("Originals/") }.count == 2)
    let last = try statement("--run", "last").names
    #expect(last.allSatisfy { $0.hasPrefix("Audit/") } && last.count == 1, "\(last)")

    let changed = try #require(
      try scene.catalogue("SELECT path FROM resources ORDER BY path LIMIT 1").first
    )
    _ = try scene.catalogue(
      "UPDATE resources SET sha256 = '\(String(repeating: "0", count: 64))' WHERE path = '\(changed)'"
    )
    let (names, predicate) = try statement(code: 65)
    #expect(!names.contains(changed) && names.contains { $0.hasPrefix("Originals/") })
    #expect(predicate["result"].string == "FAILED")
    #expect(predicate["failedTests"].array.compactMap(\.string) == ["catalogue"])
    #expect(try scene.text(try scene.report("junit", code: 65)).contains("<failure type=\"catalogue\""))
  }

  @Test("A statement about a good item of a failed run has passed, and no failed test")
  func goodItem() throws {
    let scene = try Scene.mixed()
    try scene.run().expect(3)
    let items = try JSON(text: try scene.reportText("json"))["items"].array
    let good = try #require(items.first { $0["outcome"].string == "imported" }?["asset"].string)
    let file = try scene.report("in-toto", "--asset", good)
    let predicate = try JSON(text: try scene.text(file))["predicate"]
    #expect(predicate["result"].string == "PASSED")
    #expect(predicate["failedTests"].array.isEmpty)
  }

  @Test("A signer whose key nobody checked is not said to vouch for the log")
  func signer() throws {
    let page = try scene().reportText("html")
    #expect(page.contains("; whether it is yours is not checked here."))
    #expect(!page.contains("are signed by") && !page.contains("compare it with the key"))
  }

  @Test("A report appears whole or not at all, and replaces an older one")
  func output() throws {
    let scene = try scene()
    try scene.put("old.html", "old")
    try scene.command("report", "Library", "-o", "old.html").expect(0)
    #expect(try scene.text(scene.at("old.html")).hasSuffix("</html>\n"))
    try scene.makeFolder("reports")
    try Scene.program(["report", "Library", "-o", "reports/a.html"], in: scene.path).expect(0)
    let names = try FileManager.default.contentsOfDirectory(atPath: scene.at("reports"))
    #expect(names == ["a.html"])

    // A limit on file sizes is what a full disk is: nothing half is left.
    let shell = try scene.shell("ulimit -f 4; cd reports; \"$mediabatch\" report ../Library -o big.html")
    #expect(shell.code == 74, "\(shell.streams)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scene.at("reports")) == ["a.html"])
    let missing = try scene.command("report", "Library", "-o", "nowhere/r.html")
    #expect(missing.code == 74 && missing.error.contains("nowhere/r.html"))
    // A reader that has gone away is nobody's mistake.
    try scene.shell("\"$mediabatch\" report Library --format json | head -c 1").expect(0)
  }

  @Test("A log that was changed is reported as such, and the command ends with 65")
  func changed() throws {
    let scene = try scene()
    let log = try #require(try scene.logFiles().first)
    let path = scene.library + "/Audit/" + log.name
    let text = try scene.text(path).replacingOccurrences(of: "one.jpg", with: "0ne.jpg")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let report = try JSON(text: try scene.text(try scene.report("json", code: 65)))
    #expect(report["result"].string == "failed")
    #expect(report["verification"]["ok"].bool == false)
    #expect(report["verification"]["kind"].string == "changed")
    #expect(try scene.text(try scene.report("junit", code: 65)).contains("type=\"log\""))
    #expect(try scene.text(try scene.report("github", code: 65)).hasPrefix("::error title=The audit log"))
    let statement = try scene.text(try scene.report("in-toto", code: 65))
    #expect(statement.contains("\"FAILED\""))
  }

  @Test("While a run goes on, a report is made of what is there")
  func duringRun() throws {
    let scene = try Scene.mixed()
    try scene.run().expect(3)
    for number in 100...160 {
      try scene.put("sources/camera/IMG_\(number).JPG", try Media.photo("\(number)"))
    }
    let run = try scene.start()
    var count = 0
    while !run.hasEnded() {
      let outcome = try scene.command("report", "Library", "--format", "json")
      #expect(outcome.code == 0, "\(outcome.streams)")
      let report = try outcome.json()
      let listed = report["items"].array.count { $0["outcome"].string == "imported" }
      #expect(report["counts"]["imported"].int == listed)
      count += 1
    }
    try run.wait().expect(0)
    #expect(count > 0)
  }
}
