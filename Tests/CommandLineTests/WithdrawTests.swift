import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Takes assets out of a library, and follows them through all that reads and writes it.
@Suite("Assets are withdrawn from a library", .enabled(if: Has.sqlite, "no sqlite3"))
struct WithdrawTests {
  /// A library of `a`, which was stripped later, and `b`, which cannot be.
  private func scene() throws -> Scene {
    let scene = Scene()
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.declare("camera")
    try scene.put("sources/camera/a.jpg", try Media.photo("a"))
    try scene.put("sources/camera/b.tga", Media.targa("Canary"))
    try scene.run().expect(0)
    scene.setPolicy("strip")
    try scene.run("--reprocess").expect(3)
    // Removes what is superseded.
    try scene.run().expect(3)
    return scene
  }

  private func asset(_ label: String, of scene: Scene) throws -> String {
    try #require(scene.catalogue("SELECT localIdentifier FROM assets WHERE label = '\(label)'").first)
  }

  /// The files below the library in which grep finds what the source of `b` tells.
  private func filesWithCanary(_ scene: Scene) throws -> [String] {
    try Tool.run("grep", ["-rlaF", "Canary", "."], in: scene.library).output
      .split(separator: "\n").map(String.init).sorted()
  }

  @Test(
    "The files lie in Quarantine with their bytes, and no listing, view or export has the asset"
  )
  func withdraws() throws {
    let scene = try scene()
    let b = try asset("b", of: scene)
    let token = try scene.changes().token
    let before = try scene.digests("Library/Originals")
      .merging(scene.digests("Library/Thumbnails")) { $1 }
    let withdrawn = try scene.command("withdraw", scene.library, String(b.prefix(12)), "--format", "json")
    try withdrawn.expect(0)
    let asset = try withdrawn.json()["withdrawn"].array[0]
    #expect(asset["localIdentifier"].string == b)
    let files = asset["files"].array.compactMap(\.string)
    #expect(files.count == 2)
    let folder = try #require(asset["folder"].string)
    #expect(folder.hasPrefix("Quarantine/"))
    let aside = try scene.digests("Library/" + folder)
    #expect(Set(aside.keys) == Set(files))
    #expect(Set(aside.values).isSubset(of: before.values))
    #expect(try filesWithCanary(scene).allSatisfy { $0.hasPrefix("./Quarantine/") })
    #expect(try scene.originalNames() == ["a.jpg"])
    #expect(try scene.catalogue("SELECT label FROM photos") == ["a"])
    #expect(try Set(scene.catalogue("SELECT label FROM files")) == ["a"])
    let list = try scene.command("list", scene.library, "--format", "json")
    #expect(try list.json()["assets"].array.map { $0["label"].string } == ["a"])
    try scene.command("export", "Library", "made").expect(0)
    try scene.expectVerified()
    let changes = try scene.command("changes", scene.library, "--since", token, "--format", "json")
    let kinds = try changes.json()["changes"].array.map { $0["kind"].string }
    #expect(kinds == ["deleted"])
    let records = try scene.lastLog().filter { $0["event"].string == "withdrawn" }
    #expect(records.count == 2 && records.allSatisfy { $0["asset"].string == b })
    // Neither label nor stack find it; a second time there is nothing to do.
    try scene.command("label", scene.library, b, "other").expect(64)
    let again = try scene.command("withdraw", scene.library, b)
    try again.expect(0)
    #expect(again.output.contains("was withdrawn before"))
    try scene.command("withdraw", scene.library, "zzz").expect(64)
    for word in [b, "b.tga"] {
      let outcome = try scene.command("explain", scene.library, word)
      #expect(outcome.code == 0 || word == b, "\(outcome.streams)")
      // Its files do not lie where they were.
      #expect(!outcome.output.contains("\n  original "), "\(outcome.streams)")
    }
    let report = try scene.command("report", scene.library, "--asset", b, "--format", "json")
    #expect(report.code == 0, "\(report.streams)")
    #expect(report.output.contains("withdrew"))
  }

  @Test("A file that the library has lost is named as missing, and not as moved")
  func missing() throws {
    let scene = try scene()
    for (label, format) in [("b", "json"), ("a", "text")] {
      let asset = try asset(label, of: scene)
      let original = try #require(
        scene.catalogue(
          """
          SELECT path FROM resources JOIN assets ON assets.id = resources.asset
          WHERE label = '\(label)' AND resources.superseded = 0
          """
        ).first
      )
      try FileManager.default.removeItem(atPath: scene.library + "/" + original)
      let outcome = try scene.command("withdraw", scene.library, asset, "--format", format)
      try outcome.expect(65)
      if format == "json" {
        let withdrawn = try outcome.json()["withdrawn"].array[0]
        #expect(try outcome.json()["exitCode"].int == 65)
        #expect(withdrawn["missing"].array.compactMap(\.string) == [original])
        let folder = try #require(withdrawn["folder"].string)
        let aside = try scene.digests("Library/" + folder)
        #expect(Set(withdrawn["files"].array.compactMap(\.string)) == Set(aside.keys))
        #expect(aside.count == 1 && aside[original] == nil)
      } else {
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.contains("missing: \(original)"), "\(outcome.streams)")
        #expect(!lines.contains { $0.hasPrefix("moved: \(original)") }, "\(outcome.streams)")
        #expect(lines.contains { $0.hasPrefix("moved: Thumbnails/") }, "\(outcome.streams)")
      }
    }
    #expect(try scene.catalogue("SELECT label FROM photos") == [])
    try scene.expectVerified()
  }

  @Test("Later runs do not import it again, also when it was touched or copied; --reprocess does")
  func staysOut() throws {
    let scene = try scene()
    let b = try asset("b", of: scene)
    try scene.command("withdraw", scene.library, b).expect(0)
    let run = try scene.run()
    try run.expect(0)
    try run.expectCounts(["unchanged": 1, "skipped": 1])
    #expect(try run.json()["leftOut"].array.map { $0["reason"].string } == ["withdrawn"])
    #expect(try run.json()["unstripped"].int == 0)
    // Under the policy that it had, its content is known, and thumbnails of another size bring nothing.
    scene.setPolicy("keep")
    scene.setThumbnails([("grid", 40, 40, "aspectFill")])
    try scene.run().expectCounts(["unchanged": 1, "skipped": 1])
    try Tool.run("touch", [scene.at("sources/camera/b.tga")]).status.isZero()
    try scene.put("sources/camera/copy.tga", Media.targa("Canary"))
    for _ in 1...2 { try scene.run().expectCounts(["unchanged": 1, "skipped": 2]) }
    #expect(try scene.originalNames() == ["a.jpg"])
    try scene.expectVerified()
    let back = try scene.run("--reprocess")
    #expect(try back.count("imported") >= 1, "\(back.streams)")
    #expect(try scene.originalNames() == ["a.jpg", "b.tga"])
    #expect(try asset("b", of: scene) == b)
    #expect(try Set(scene.catalogue("SELECT label FROM photos")) == ["a", "b"])
    try scene.expectVerified()
    // It can be withdrawn again.
    try scene.command("withdraw", scene.library, b).expect(0)
    #expect(try scene.originalNames() == ["a.jpg"])
    try scene.expectVerified()
  }

  @Test("A rebuild has it as the catalogue of before had it, also when it came back")
  func rebuilds() throws {
    let scene = try scene()
    let b = try asset("b", of: scene)
    try scene.command("label", scene.library, b, "Pier").expect(0)
    try scene.command("withdraw", scene.library, b).expect(0)
    for isBack in [false, true] {
      if isBack {
        scene.setPolicy("keep")
        _ = try scene.run("--reprocess")
        #expect(try scene.originalNames().contains("Pier.tga"))
      }
      let before = try CatalogueDump(scene.library)
      try scene.removeCatalogue()
      try scene.rebuild().expect(0)
      let after = try CatalogueDump(scene.library)
      #expect(after.lacking(in: before) == [] && before.lacking(in: after) == [])
      try scene.expectVerified()
      #expect(try scene.run().count("imported") == 0)
    }
  }

  /// A live photo with two sidecars, and a photo beside it that stays.
  private func describedLivePhoto() throws -> (scene: Scene, files: [String]) {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.declare("library")
    let live = try Media.livePhoto("withdrawn")
    try scene.put("sources/library/b.jpg", try Media.photo("b"))
    try scene.put("sources/library/a.jpg", live.still)
    try scene.put("sources/library/a.mov", live.movie)
    try scene.put(
      "sources/library/a.jpg.xmp",
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>
      """
    )
    try scene.put(
      "sources/library/a.aae",
      """
      <plist version="1.0"><dict><key>adjustmentFormatIdentifier</key><string>com.apple.photo</string>
      <key>adjustmentData</key><data>AAAA</data></dict></plist>
      """
    )
    try scene.run().expect(0)
    return (scene, ["a.aae", "a.jpg", "a.jpg.xmp", "a.mov"])
  }

  @Test(
    "None of its files comes back when its source has that file again, with the same bytes or others",
    arguments: ["a.aae", "a.jpg", "a.jpg.xmp", "a.mov"]
  )
  func noFileComesBack(name: String) throws {
    let (scene, files) = try describedLivePhoto()
    #expect(try Set(scene.originalNames()) == Set(files + ["b.jpg"]))
    let a = try asset("a", of: scene)
    try scene.command("withdraw", scene.library, a).expect(0)
    let source = scene.at("sources/library/" + name)
    let changes = [
      ["cp", source, source + ".new"], ["mv", source + ".new", source], ["touch", source],
    ]
    for change in changes {
      try Tool.run(change[0], Array(change.dropFirst())).status.isZero()
      try scene.run().expect(0)
      #expect(try scene.originalNames() == ["b.jpg"], "\(change)")
      try scene.expectVerified()
    }
    try Tool.run("rm", [source]).status.isZero()
    try scene.run().expect(0)
    #expect(try scene.originalNames() == ["b.jpg"])
    #expect(try scene.catalogue("SELECT label FROM photos") == ["b"])
  }

  /// What happens to a file `f` in the folder of its source.
  private static let happenings = [
    "touch $f", "cp $f x && mv x $f", "mkdir sub && mv $f sub", "mkdir sub && cp $f sub", "rm $f",
    "cp $f x && rm a.* && mv x $f",
  ]

  /// The commands that restore files, or the rows of files; the catalogue is lost before the last one.
  private static let commands = [
    ["run", "manifest.json"], ["repair", "Library"],
    ["repair", "Library", "--from", "manifest.json"], ["repair", "Library", "--superseded"],
    ["rebuild", "Library"], ["rebuild", "Library"],
  ]

  @Test(
    "No command brings a file of it back, whatever has happened to that in its source",
    arguments: ["a.aae", "a.jpg", "a.jpg.xmp", "a.mov"]
  )
  func noCommandBringsItBack(name: String) throws {
    let (scene, files) = try describedLivePhoto()
    try scene.command("withdraw", scene.library, try asset("a", of: scene)).expect(0)
    let kept = TemporaryFolder()
    try Tool.run("cp", ["-a", scene.library, scene.at("sources"), kept.path]).status.isZero()
    let offset = files.firstIndex(of: name) ?? 0
    for (index, happening) in Self.happenings.enumerated() {
      for (number, words) in Self.commands.enumerated()
      where Amount.isAll
        || index % 2 == offset % 2 && number == (index + offset + offset / 2) % Self.commands.count
      {
        try Tool.run("rm", ["-rf", scene.library, scene.at("sources")]).status.isZero()
        let copies = [kept.path + "/Library", kept.path + "/sources"]
        try Tool.run("cp", ["-a"] + copies + [scene.path]).status.isZero()
        let script = "f=\(name); \(happening)"
        try Tool.run("sh", ["-c", script], in: scene.at("sources/library")).status.isZero()
        if number == Self.commands.count - 1 { try scene.removeCatalogue() }
        let outcome = try scene.command(words)
        #expect(outcome.code == 0, "\(happening), \(words): \(outcome.streams)")
        for _ in 1...2 { try scene.run().expect(0) }
        #expect(try scene.originalNames() == ["b.jpg"], "\(happening), \(words)")
        #expect(try scene.thumbnails("grid").count == 1, "\(happening), \(words)")
        #expect(try scene.catalogue("SELECT label FROM photos") == ["b"])
        try scene.expectVerified()
      }
    }
  }

  @Test("It stays out under another policy too", arguments: ["keep", "strip"])
  func staysOutUnderEachPolicy(policy: String) throws {
    let scene = Scene(policy: policy)
    try scene.declare("camera")
    for name in ["a", "b"] { try scene.put("sources/camera/\(name).jpg", try Media.photo(name)) }
    try scene.run().expect(0)
    try scene.command("withdraw", scene.library, try asset("a", of: scene)).expect(0)
    scene.setPolicy(policy == "keep" ? "strip" : "keep")
    for script in ["true", "touch a.jpg", "cp a.jpg copy.jpg", "mv a.jpg moved.jpg"] {
      try Tool.run("sh", ["-c", script], in: scene.at("sources/camera")).status.isZero()
      // The other photo is unchanged under the other policy.
      for _ in 1...2 { #expect(try [0, 3].contains(scene.run().code)) }
      #expect(try scene.originalNames() == ["b.jpg"], "\(script)")
      try scene.expectVerified()
    }
  }

  @Test("A file of it that somebody has put back is moved aside by repair, and the asset stays out")
  func isMovedAsideAgain() throws {
    let (scene, _) = try describedLivePhoto()
    try scene.command("withdraw", scene.library, try asset("a", of: scene)).expect(0)
    let aside = try #require(
      Tool.run("find", ["Quarantine", "-name", "a.jpg.xmp"], in: scene.library).output
        .split(separator: "\n").first
    )
    let path = aside.split(separator: "/").dropFirst(2)
    let back = [scene.library + "/" + path.dropLast().joined(separator: "/")]
    for isRebuilt in [false, true] {
      try Tool.run("mkdir", ["-p"] + back).status.isZero()
      try Tool.run("cp", ["\(scene.library)/\(aside)"] + back).status.isZero()
      try scene.command("verify", scene.library).expect(65)
      if isRebuilt { try scene.rebuild().expect(0) }
      try scene.command("verify", scene.library).expect(65)
      try scene.command("repair", scene.library).expect(0)
      try scene.expectVerified()
      try scene.run().expect(0)
      #expect(try scene.originalNames() == ["b.jpg"])
      #expect(try scene.catalogue("SELECT label FROM photos") == ["b"])
      try scene.expectVerified()
    }
  }

  @Test(
    "A rebuild counts the assets and files that are in the library, and withdrawn assets beside them"
  )
  func rebuildCounts() throws {
    let scene = Scene()
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.declare("camera")
    for name in ["a", "b", "c"] {
      try scene.put("sources/camera/\(name).jpg", try Media.photo(name))
    }
    try scene.run().expect(0)
    let whole = try scene.command("rebuild", scene.library)
    try whole.expect(0)
    #expect(whole.streams.contains("3 assets with 3 files and 3 thumbnails, 3 items of "))
    try scene.command("withdraw", scene.library, try asset("b", of: scene)).expect(0)
    let rebuild = try scene.command("rebuild", scene.library)
    try rebuild.expect(0)
    let line = "2 assets with 2 files and 2 thumbnails, 1 withdrawn, 3 items of "
    #expect(rebuild.streams.contains(line), "\(rebuild.streams)")
    #expect(try scene.originalNames() == ["a.jpg", "c.jpg"])
    let counts = try scene.rebuild().json()["counts"]
    #expect(counts["assets"].int == 2 && counts["resources"].int == 2 && counts["withdrawn"].int == 1)
  }

  @Test(
    "Killed at any moment, it is finished by the next run, or has changed nothing",
    .enabled(if: Has.strace, "no strace")
  )
  func isKilled() throws {
    let scene = try scene()
    let b = try asset("b", of: scene)
    try Tool.run("cp", ["-a", scene.library, scene.at("Whole")]).status.isZero()
    let command = ["withdraw", scene.library, b]
    var moments = try RunMoment.spread(over: command, in: scene.path, count: Amount.of(3, all: 60))
    // Both files; two renames try the file system before.
    moments += (3...4).map { RunMoment(call: "renameat2", number: $0) }
    var states: Set<[String]> = []
    for moment in moments {
      try FileManager.default.removeItem(atPath: scene.library)
      try Tool.run("cp", ["-a", scene.at("Whole"), scene.library]).status.isZero()
      let killed = try moment.kill(command, in: scene.path)
      try killed.wait()
      #expect(killed.wasKilled, "\(moment)")
      let verify = try scene.command("verify", scene.library)
      #expect(verify.code == 0, "\(moment): \(verify.streams)")
      _ = try scene.run()
      let names = try scene.originalNames()
      states.insert(names)
      #expect(try scene.catalogue("SELECT label FROM photos ORDER BY 1").count == names.count)
      try scene.expectVerified()
    }
    #expect(states == [["a.jpg"], ["a.jpg", "b.tga"]])
  }

  @Test(
    "What a killed command was moving is missing in nothing that is made of the library",
    .enabled(if: Has.strace, "no strace"),
    arguments: ["withdraw", "label"]
  )
  func isNotMissing(command: String) throws {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.declare("camera")
    for name in ["a", "b"] { try scene.put("sources/camera/\(name).jpg", try Media.photo(name)) }
    try scene.run().expect(0)
    let words =
      [command, scene.library, try asset("a", of: scene)]
      + (command == "label" ? ["Harbour"] : [])
    try Tool.run("cp", ["-a", scene.library, scene.at("Whole")]).status.isZero()
    let moments =
      (3...6).map { RunMoment(call: "renameat2", number: $0) }
      + (1...2).map { RunMoment(call: "syncfs", number: $0) }
    for moment in Amount.some(3, of: moments) {
      for folder in [scene.library, scene.at("Copies"), scene.at("Shown"), scene.at("Sheet")] {
        try Tool.run("rm", ["-rf", folder]).status.isZero()
      }
      try Tool.run("cp", ["-a", scene.at("Whole"), scene.library]).status.isZero()
      try moment.kill(words, in: scene.path).wait()
      try scene.command("verify", scene.library).expect(0)
      for (made, folder) in [
        ("export", "Copies"), ("gallery", "Shown"), ("contact-sheet", "Sheet"),
      ] {
        let outcome = try scene.command(made, scene.library, folder)
        #expect(outcome.code == 0, "\(made), \(moment): \(outcome.streams)")
      }
      let copies = try scene.digests("Copies").keys.filter { $0.hasSuffix(".jpg") }
      #expect(copies.contains { $0.hasSuffix("b.jpg") }, "\(moment): \(copies)")
      if command == "label" { #expect(copies.count == 2, "\(moment): \(copies)") }
      try scene.command("repair", scene.library).expect(0)
      try scene.expectVerified()
    }
  }

  @Test(
    "The process may only take files out of the asset's folders, and the record is on the disk before a move",
    .enabled(if: Has.strace, "no strace")
  )
  func confinement() throws {
    let scene = try scene()
    let b = try asset("b", of: scene)
    let result = try Tool.run(
      "strace",
      [
        "-qq", "-y", "-s", "300", "-e",
        "trace=landlock_add_rule,landlock_restrict_self,renameat2,write,writev,pwrite64,fdatasync,fsync,syncfs",
        "-o", scene.at("trace"), try Scene.executable(), "withdraw", scene.library, b,
      ],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    try #require(result.status == 0, "\(result)")
    let lines = String(decoding: try readBytes(scene.at("trace")), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    let rules = lines.filter { $0.hasPrefix("landlock_add_rule") }
    #expect(!rules.contains { $0.contains("WRITE_FILE") && !$0.contains("library.sqlite") })
    // The folders of an original and of a thumbnail, and no other.
    #expect(rules.count { $0.contains("REMOVE_FILE") } == 2, "\(rules)")
    let confined = try #require(lines.firstIndex { $0.hasPrefix("landlock_restrict_self") })
    let record = try #require(lines.firstIndex { $0.contains("\\\"event\\\":\\\"withdrawn\\\"") })
    let moves = lines.indices.filter {
      lines[$0].hasPrefix("renameat2") && lines[$0].contains("Quarantine")
    }
    #expect(moves.count == 2)
    let flushed = lines[record...].firstIndex { $0.contains("sync") && $0.contains("/Audit/") }
    let first = try #require(moves.first)
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
