import Foundation
import Glibc
import MediaSyntax
import MediaTestSupport
import Testing

/// Gives published assets other labels, and follows them through all that reads a library.
@Suite("Other labels for published assets", .enabled(if: Has.sqlite, "no sqlite3"))
struct RelabelTests {
  private func scene(policy: String = "keep") throws -> Scene {
    let scene = Scene(policy: policy)
    scene.setThumbnails([("grid", 32, 32, "aspectFill"), ("wide", 48, 32, "aspectFill")])
    try scene.declare("camera")
    try scene.putSmall(1...3)
    return scene
  }

  private func asset(_ label: String, of scene: Scene) throws -> String {
    try #require(scene.catalogue("SELECT localIdentifier FROM assets WHERE label = '\(label)'").first)
  }

  /// The names of an asset's files, without their folders, sorted.
  private func names(_ asset: String, of scene: Scene) throws -> [String] {
    try scene.catalogue(
      """
      SELECT replace(path, rtrim(path, replace(path, '/', '')), '') FROM (
        SELECT asset, path, superseded FROM resources
        UNION ALL SELECT asset, path, superseded FROM thumbnails)
      WHERE superseded = 0 AND asset = (
        SELECT id FROM assets WHERE localIdentifier = '\(asset)') ORDER BY 1
      """
    )
  }

  @Test("The new head of the log is printed where a timestamp has an earlier one, and only named elsewhere")
  func newHead() throws {
    let scene = try scene()
    try scene.run().expect(0)
    let asset = try asset("1", of: scene)
    let first = try scene.command("label", scene.library, asset, "One")
    try first.expect(0)
    #expect(first.output.contains("The log has a new head, which this shows: mediabatch audit verify "))
    #expect(!first.output.contains("--expect-head"), "\(first.output)")
    let log = try #require(try scene.logFiles().first).name
    try scene.put("Library/Audit/" + log.replacingOccurrences(of: ".ndjson", with: ".tsr"), "a timestamp")
    let second = try scene.command("label", scene.library, asset, "Two")
    try second.expect(0)
    let line = try #require(second.output.split(separator: "\n").last)
    #expect(
      line.hasPrefix("A timestamp has an earlier head") && line.contains(" --expect-head "),
      "\(second.output)"
    )
  }

  @Test("Every file of the asset has the new name, the others stay, and nothing is imported again")
  func renames() throws {
    let scene = try scene()
    let (still, movie) = try Media.livePhoto("one")
    try scene.declare("library")
    try scene.put("sources/library/IMG_1.jpg", still)
    try scene.put("sources/library/IMG_1.MOV", movie)
    try scene.run().expect(0)
    let before = try scene.digests("Library/Originals")
    let token = try scene.changes().token
    let live = try asset("IMG_1", of: scene)
    let label = try scene.command(
      "label",
      scene.library,
      String(live.prefix(12)),
      "Harbour / at dawn",
      "--format",
      "json"
    )
    try label.expect(0)
    let files = try label.json()["relabelled"].array[0]["files"].array
    #expect(files.count == 4)
    for file in files {
      #expect(!FileManager.default.fileExists(atPath: scene.library + "/" + (file["from"].string ?? "")))
      #expect(FileManager.default.fileExists(atPath: scene.library + "/" + (file["to"].string ?? "")))
    }
    let names = try names(live, of: scene)
    #expect(names.filter { $0.hasSuffix(" Harbour - at dawn.jpg") }.count == 2)
    #expect(names.filter { $0.hasPrefix("Harbour - at dawn.") }.count == 2, "\(names)")
    // As find and sha256sum see it: other names, the same bytes in the same folders.
    let after = try scene.digests("Library/Originals")
    #expect(before.values.sorted() == after.values.sorted())
    #expect(Set(before.keys).subtracting(after.keys).count == 2)
    #expect(
      Set(before.keys.map { ($0 as NSString).deletingLastPathComponent })
        == Set(after.keys.map { ($0 as NSString).deletingLastPathComponent })
    )
    try LibraryState.expectWhole(scene.library)
    let changes = try scene.changes(since: token)
    #expect(changes.inserted.isEmpty && changes.updated == [live])
    try scene.run().expectCounts(["unchanged": 5])
    // The label is there already.
    let again = try scene.command("label", scene.library, live, "Harbour - at dawn")
    try again.expect(0)
    #expect(again.output.contains("has this label already"))
    #expect(try scene.changes(since: token).tokens.count == 1)
    // Back to the first name, by the way of another.
    try scene.command("label", scene.library, live, "other").expect(0)
    try scene.command("label", scene.library, live, "IMG_1").expect(0)
    #expect(try scene.digests("Library/Originals") == before)
    try LibraryState.expectWhole(scene.library)
  }

  @Test("What no asset or several assets begin with is refused, and so is a missing file")
  func refusals() throws {
    let scene = try scene()
    try scene.run().expect(0)
    let before = try scene.snapshot("Library/Audit")
    let identifier = try asset("1", of: scene)
    try scene.command("label", scene.library, "zzz", "new").expect(64)
    try scene.command("label", scene.library, "", "new").expect(64)
    try scene.command("label", scene.library, identifier, " ").expect(64)
    // Every identifier has a hyphen at the same place, and none begins with it.
    try scene.command("label", scene.library, "-", "new").expect(64)
    let first = try scene.catalogue("SELECT DISTINCT substr(localIdentifier, 1, 1) FROM assets")
    if first.count < 3 {
      for digit in first {
        let count = try scene.catalogue(
          "SELECT count(*) FROM assets WHERE localIdentifier LIKE '\(digit)%'"
        )
        if count != ["1"] {
          try scene.command("label", scene.library, digit, "new").expect(64)
        }
      }
    }
    let path = try #require(scene.catalogue("SELECT path FROM resources ORDER BY id LIMIT 1").first)
    let whose = try #require(
      scene.catalogue("SELECT localIdentifier FROM assets ORDER BY id LIMIT 1").first
    )
    let bytes = try readBytes(scene.library + "/" + path)
    try FileManager.default.removeItem(atPath: scene.library + "/" + path)
    let missing = try scene.command("label", scene.library, whose, "new")
    try missing.expect(65)
    #expect(missing.error.contains(path))
    #expect(try scene.snapshot("Library/Audit") == before)
    try scene.put("Library/" + path, bytes)
    try scene.command("label", scene.library, whose, "new").expect(0)
    try scene.expectVerified()
  }

  @Test("explain, report, verify and a rebuild follow the new name")
  func readers() throws {
    let scene = try scene()
    try scene.run().expect(0)
    let identifier = try asset("1", of: scene)
    try scene.command("label", scene.library, identifier, "Pier").expect(0)
    let explain = try scene.command("explain", scene.library, "1.jpg")
    try explain.expect(0)
    #expect(explain.output.contains("another label") && explain.output.contains("Pier.jpg"))
    for word in ["Pier", "1", identifier] {
      let report = try scene.command("report", scene.library, "--asset", word, "--format", "json")
      #expect(report.code == 0, "\(word): \(report.streams)")
    }
    let html = try scene.command("report", scene.library)
    #expect(html.output.components(separatedBy: "data:image/").count == 4)
    let statement = try scene.command("report", scene.library, "--format", "in-toto")
    try statement.expect(0)
    #expect(statement.output.contains("/Pier.jpg"))
    let before = try CatalogueDump(scene.library)
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    let after = try CatalogueDump(scene.library)
    #expect(after.lacking(in: before) == [] && before.lacking(in: after) == [])
    try scene.run().expectCounts(["unchanged": 3])
    try scene.expectVerified()
  }

  @Test(
    "A proof of the asset has the rename, whose names can be held back",
    .enabled(if: Has.python, "no python3")
  )
  func proofs() throws {
    let scene = try scene()
    try scene.run().expect(0)
    let identifier = try asset("1", of: scene)
    let label = try scene.command("label", scene.library, identifier, "Pier", "--format", "json")
    let audit = try label.json()["audit"]
    let head = "\(audit["size"].int ?? 0):\(audit["root"].string ?? "")"
    for hidden in [[], ["--redact", "labels"], ["--redact", "labels,paths"]] {
      let proof = try scene.command(["audit", "prove", scene.library, "--asset", identifier] + hidden)
      try proof.expect(0)
      #expect(proof.output.contains("relabelled"))
      #expect(proof.output.contains("Pier.jpg") == hidden.isEmpty)
      #expect(hidden.isEmpty || !proof.output.contains("/1.jpg"))
      try scene.put("proof.ndjson", proof.output)
      try scene.command("audit", "check-proof", scene.at("proof.ndjson"), "--head", head).expect(0)
      let checked = try Verifier.proof(scene.at("proof.ndjson"), head)
      #expect(checked.status == 0, "\(checked)")
    }
  }

  @Test(
    "An asset that is written anew keeps the label that a person gave, and new thumbnails have it"
  )
  func staysWithRewriting() throws {
    let scene = try scene()
    try scene.run().expect(0)
    let identifier = try asset("1", of: scene)
    try scene.command("label", scene.library, identifier, "Pier").expect(0)
    scene.setPolicy("strip")
    try scene.run("--reprocess").expect(0)
    scene.setThumbnails([("grid", 40, 40, "aspectFill")])
    try scene.run().expect(0)
    #expect(try asset("Pier", of: scene) == identifier)
    let names = try names(identifier, of: scene)
    #expect(names.allSatisfy { $0.hasSuffix("Pier.jpg") } && names.count == 3, "\(names)")
    try scene.run().expect(0)
    try scene.expectVerified()
    let before = try CatalogueDump(scene.library)
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    let after = try CatalogueDump(scene.library)
    #expect(after.lacking(in: before) == [] && before.lacking(in: after) == [])
  }

  @Test(
    "Killed at any moment, a relabelling is finished by the next run, or has changed nothing",
    .enabled(if: Has.strace, "no strace")
  )
  func isKilled() throws {
    let scene = try scene()
    try scene.run().expect(0)
    let identifier = try asset("1", of: scene)
    try Tool.run("cp", ["-a", scene.library, scene.at("Whole")]).status.isZero()
    let command = ["label", scene.library, identifier, "Pier"]
    var moments = try RunMoment.spread(over: command, in: scene.path, count: Amount.of(6, all: 60))
    // Each of the three files; two renames try the file system before.
    moments += (3...5).map { RunMoment(call: "renameat2", number: $0) }
    var labels: Set<String> = []
    for (index, moment) in moments.enumerated() {
      try FileManager.default.removeItem(atPath: scene.library)
      try Tool.run("cp", ["-a", scene.at("Whole"), scene.library]).status.isZero()
      let killed = try moment.kill(command, in: scene.path)
      try killed.wait()
      #expect(killed.wasKilled, "\(moment)")
      let verify = try scene.command("verify", scene.library)
      #expect(verify.code == 0, "\(moment): \(verify.streams)")
      if index % 3 == 2 {
        let rebuild = try scene.rebuild()
        #expect(rebuild.code == 0, "\(moment): \(rebuild.streams)")
      }
      let run = try scene.run()
      #expect(run.code == 0, "\(moment): \(run.streams)")
      try run.expectCounts(["unchanged": 3])
      let label = try scene.catalogue(
        "SELECT label FROM assets WHERE localIdentifier = '\(identifier)'"
      ).joined()
      labels.insert(label)
      let names = try names(identifier, of: scene)
      #expect(names.count == 3 && names.allSatisfy { $0.hasSuffix("\(label).jpg") }, "\(moment)")
      try LibraryState.expectWhole(scene.library)
    }
    #expect(labels == ["1", "Pier"])
  }

  @Test("Killed between two renames, a lost catalogue is made again from where the files are")
  func killedAndLost() throws {
    let scene = try scene()
    try scene.run().expect(0)
    let identifier = try asset("1", of: scene)
    let killed = try RunMoment(call: "renameat2", number: 5)
      .kill(["label", scene.library, identifier, "Pier"], in: scene.path)
    try killed.wait()
    try #require(killed.wasKilled)
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    try scene.run().expectCounts(["unchanged": 3])
    try scene.expectVerified()
    // The command that was begun can be done again.
    try scene.command("label", scene.library, identifier, "Quay").expect(0)
    #expect(try names(identifier, of: scene).allSatisfy { $0.hasSuffix("Quay.jpg") })
    try scene.expectVerified()
  }

  @Test(
    "The process may change nothing but the asset's folders, and the record is on the disk before a rename",
    .enabled(if: Has.strace, "no strace")
  )
  func confinement() throws {
    let scene = try scene()
    try scene.run().expect(0)
    let identifier = try asset("1", of: scene)
    let path = try #require(scene.catalogue("SELECT path FROM resources ORDER BY id LIMIT 1").first)
    let result = try Tool.run(
      "strace",
      [
        "-qq", "-y", "-s", "300", "-e",
        "trace=landlock_add_rule,landlock_restrict_self,renameat2,write,writev,pwrite64,fdatasync,fsync,syncfs",
        "-o",
        scene.at("trace"), try Scene.executable(), "label", scene.library, identifier, "Pier",
      ],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    try #require(result.status == 0, "\(result)")
    let lines = String(decoding: try readBytes(scene.at("trace")), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    let rules = lines.filter { $0.hasPrefix("landlock_add_rule") }
    // A rule for the log, three for the catalogue, and the folders of an original and two thumbnails.
    #expect(rules.count == 7, "\(rules)")
    #expect(!rules.contains { $0.contains("WRITE_FILE") && !$0.contains("library.sqlite") })
    let mayRename = rules.filter { $0.contains("REMOVE_FILE") }
    #expect(mayRename.count == 3, "\(mayRename)")
    let folder = (path as NSString).deletingLastPathComponent
    if mayRename.contains(where: { $0.contains("<") }) {
      #expect(mayRename.contains { $0.contains("<\(scene.library)/\(folder)>") }, "\(mayRename)")
    }
    let confined = try #require(lines.firstIndex { $0.hasPrefix("landlock_restrict_self") })
    let record = try #require(lines.firstIndex { $0.contains("relabelled") })
    let renames = lines.indices.filter {
      lines[$0].contains("Pier.jpg") && lines[$0].hasPrefix("renameat2")
    }
    #expect(renames.count == 3)
    let flushed = lines[record...].firstIndex { $0.contains("sync") && $0.contains("/Audit/") }
    let first = try #require(renames.first)
    #expect(confined < record && record < first)
    #expect(flushed.map { $0 < first } == true)
  }
}

extension Int32 {
  /// Expects that a program has ended well.
  fileprivate func isZero(_ location: SourceLocation = #_sourceLocation) throws {
    try #require(self == 0, sourceLocation: location)
  }
}

/// Asks at a terminal behind a run whose manifest has `labels.ask`.
@Suite("A run asks for labels", .enabled(if: Has.sqlite, "no sqlite3"))
struct LabelAskingTests {
  private func scene() throws -> Scene {
    let scene = Scene()
    scene.manifest["labels"] = ["ask": true]
    try scene.declare("camera")
    try scene.putSmall(1...3)
    return scene
  }

  private func labels(_ scene: Scene) throws -> [String] {
    try scene.catalogue("SELECT label FROM assets ORDER BY id")
  }

  @Test("Each new asset is asked for once; an empty line keeps its label, Ctrl-D all that are left")
  func asks() throws {
    let scene = try scene()
    let first = try scene.runAtTerminal()
    first.answer("Harbour", at: "1/3 1.jpg [1]: ")
    first.answer("", at: "2/3 2.jpg [2]: ")
    #expect(first.shows("3/3 3.jpg [3]: "))
    first.type("\u{04}")
    let outcome = first.outcome()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 3])
    #expect(try labels(scene) == ["Harbour", "2", "3"])
    #expect(first.isAsBefore)
    try LibraryState.expectWhole(scene.library)
    // Assets that are new then are asked for then.
    try scene.putSmall(4...4)
    let second = try scene.runAtTerminal()
    second.answer("a/b", at: "1/1 4.jpg [4]: ")
    try second.outcome().expect(0)
    #expect(try labels(scene) == ["Harbour", "2", "3", "a-b"])
    let third = try scene.runAtTerminal()
    let last = third.outcome()
    try last.expectCounts(["unchanged": 4])
    #expect(!third.text.contains("Labels of"))
    try LibraryState.expectWhole(scene.library)
  }

  @Test("Without a terminal, and with --no-input, nobody is asked, and the run says so")
  func nobody() throws {
    let scene = try scene()
    let run = try scene.run()
    try run.expect(0)
    #expect(run.error.contains("Nobody is at a terminal, so labels.ask"), "\(run.error)")
    #expect(try labels(scene) == ["1", "2", "3"])
    try scene.putSmall(4...4)
    let terminal = try scene.runAtTerminal("--no-input")
    try terminal.outcome().expect(0)
    #expect(try labels(scene) == ["1", "2", "3", "4"])
  }

  @Test("A run that a signal stops asks nothing, and ends with the code of the signal")
  func stopped() throws {
    let scene = try scene()
    scene.manifest["onNotDetermined"] = "ask"
    try scene.declare("library", nil)
    let terminal = try scene.runAtTerminal()
    #expect(terminal.shows("would like to use your photos"))
    // Ctrl-C is a byte while the import asks.
    terminal.type("\u{03}")
    try terminal.outcome().expect(75)
    #expect(!terminal.text.contains("Labels of"))
  }
}
