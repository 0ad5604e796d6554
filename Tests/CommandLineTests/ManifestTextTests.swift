import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("The texts of manifests beside the log")
struct ManifestTextTests {
  /// A library of one run, whose manifest has a word that no record has.
  private func scene() throws -> Scene {
    let scene = Scene()
    try scene.declare("camera", "authorized", ["ignore": ["canary-of-the-manifest"]])
    try scene.putPhotos(1...2)
    // A pattern that matches nothing would be named by the run.
    try scene.put("sources/camera/" + canary, "")
    try scene.run().expect(0)
    return scene
  }

  private var canary: String { "canary-of-the-manifest" }

  private func names(_ library: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: library + "/Audit/manifests").sorted()
  }

  /// The path of the only text, after checking that there is no other.
  private func text(_ scene: Scene) throws -> String {
    let names = try names(scene.library)
    try #require(names.count == 1, "\(names)")
    return scene.library + "/Audit/manifests/" + names[0]
  }

  @Test("A run keeps its manifest's bytes for its owner alone, by the digest that its record has")
  func kept() throws {
    let scene = try scene()
    let file = try text(scene)
    #expect(try readBytes(file) == readBytes(scene.manifestPath))
    let status = try FileManager.default.attributesOfItem(atPath: file)
    #expect((status[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    let record = try #require(try scene.lastLog().first)
    #expect(file.hasSuffix("/\(record["manifestSHA256"].string ?? "").json"))
    #expect(record["manifestBytes"].int == (try readBytes(file)).count)
    // The same manifest is kept once, and another one beside it.
    try scene.run().expect(0)
    #expect(try names(scene.library).count == 1)
    scene.manifest["client"] = ["identifier": "org.example.test", "name": "Another name"]
    try scene.run().expect(0)
    #expect(try names(scene.library).count == 2)
    let lines = try #require(try scene.logFiles().first).lines
    let asset = try #require(try lines.compactMap { try JSON(text: $0)["asset"].string }.first)
    try scene.command("label", "Library", asset, "Harbour").expect(0)
    let command = try #require(try scene.lastLog().first)
    #expect(command["manifestBytes"].int == nil)
    try scene.expectVerified()
  }

  @Test("Nothing of it is in the log, its exports, proofs, events, crates or reports")
  func isNowhereElse() throws {
    let scene = try scene()
    try scene.putPhotos(3...3)
    let library = try Tool.run("grep", ["-rlF", canary, "."], in: scene.library)
    #expect(library.output.hasPrefix("./Audit/manifests/"), "\(library.output)")
    #expect(library.output.split(separator: "\n").count == 1, "\(library.output)")
    var commands = [
      ["audit", "export", "Library"], ["audit", "export", "Library", "--redact", "paths,labels"],
      ["audit", "export", "Library", "--format", "ocsf"],
      ["audit", "prove", "Library", "--record", "0"], ["run", "manifest.json", "--events"],
      ["export", "Library", "Crate", "--ro-crate"], ["export", "Library", "Bag", "--bag"],
    ]
    commands += ["html", "json", "csv", "in-toto"].map { ["report", "Library", "--format", $0] }
    for command in commands {
      let outcome = try scene.command(command)
      #expect(outcome.code == 0, "\(command): \(outcome.streams)")
      #expect(!outcome.streams.contains(canary), "\(command)")
    }
    for folder in ["Crate", "Bag"] {
      #expect(try Tool.run("grep", ["-rlF", canary, folder], in: scene.path).output == "")
    }
  }

  @Test("A report has it where it is asked for, and only while it has the digest of its record")
  func reported() throws {
    let scene = try scene()
    let words = ["report", "Library", "--with-manifest", "--format"]
    let report = try scene.command(words + ["json"]).json()
    let shown = try #require(report["manifests"].array.first)
    #expect(try Array((shown["text"].string ?? "").utf8) == readBytes(scene.manifestPath))
    #expect(shown["runs"].array.count == 1)
    let page = try scene.command(words + ["html"])
    #expect(page.code == 0 && page.output.contains(canary), "\(page.error)")
    #expect(try scene.command(words + ["csv"]).code == 64)
    // Whoever can write the text cannot write markup into the page.
    let hostile = Scene()
    try hostile.declare("camera")
    hostile.manifest["client"] = ["identifier": "org.example.test", "name": "</pre><script>x"]
    try hostile.run().expect(0)
    let escaped = try hostile.command(words + ["html"]).output
    #expect(!escaped.contains("</pre><script>"))
    #expect(escaped.contains("&lt;/pre&gt;&lt;script&gt;"))
    try Independent.make("sh", ["-c", "printf x >>\"$0\"", text(scene)])
    let changed = try scene.command(words + ["json"]).json()
    let other = try #require(changed["manifests"].array.first)
    #expect(other["text"].string == nil && other["absence"].string?.contains("changed") == true)
  }

  @Test("A text that was changed or taken away is named, and the next run mends it")
  func damaged() throws {
    let scene = try scene()
    let file = try text(scene)
    let name = "Audit/manifests/" + (file as NSString).lastPathComponent
    for (kind, damage) in [
      ("changed", "printf x >>\"$0\""), ("missing", "rm \"$0\""),
      ("changed", "rm \"$0\"; ln -s ../../../manifest.json \"$0\""),
      ("changed", "rm \"$0\"; mkdir \"$0\""),
    ] {
      try Independent.make("sh", ["-c", damage, file])
      let verify = try scene.command("verify", "Library")
      #expect(verify.code == 65 && verify.output.contains("\(name): \(kind): "), "\(verify.streams)")
      // The log itself is whole.
      try scene.command("audit", "verify", "Library").expect(0)
      let repairable = try scene.command("verify", "Library", "--repairable")
      #expect(repairable.code == 65 && repairable.output.contains("left: \(name)"))
      if damage.hasSuffix("mkdir \"$0\"") { try FileManager.default.removeItem(atPath: file) }
      try scene.run().expect(0)
      try scene.expectVerified()
      #expect(try readBytes(file) == readBytes(scene.manifestPath))
    }
  }

  @Test("A link in the place of their folder is a finding, and all else is compared")
  func linked() throws {
    let scene = try scene()
    let folder = scene.library + "/Audit/manifests"
    try FileManager.default.moveItem(atPath: folder, toPath: scene.at("elsewhere"))
    try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: scene.at("elsewhere"))
    let original = try #require(try scene.originals().first).path
    try FileManager.default.removeItem(atPath: scene.library + "/Originals/" + original)
    let verify = try scene.command("verify", "Library")
    #expect(verify.code == 65)
    #expect(verify.output.contains("Audit/manifests: changed: it is a symbolic link"), "\(verify.streams)")
    // The file that is gone beside it is told too, and the texts behind the link are not.
    #expect(verify.output.contains("missing: Originals/"), "\(verify.streams)")
    #expect(!verify.output.contains(".json: "), "\(verify.streams)")
    let report = try scene.command("verify", "Library", "--format", "json").json()
    #expect(report["findings"].array.count == 1 && report["problems"].array.count == 1)
    let repairable = try scene.command("verify", "Library", "--repairable")
    #expect(repairable.output.contains("left: Audit/manifests: changed: "), "\(repairable.streams)")
  }

  @Test("What a run that was killed has left is no difference, and the next run takes it away")
  func leftOver() throws {
    let scene = try scene()
    let folder = "Library/Audit/manifests/"
    try scene.put(folder + ".0123.new", "{")
    try scene.put(folder + String(repeating: "a", count: 64) + ".json", "{}")
    try scene.expectVerified()
    let verify = try scene.command("verify", "Library")
    #expect(verify.output.contains("unfinished: Audit/manifests/aaaa"), "\(verify.output)")
    try scene.run().expect(0)
    #expect(!FileManager.default.fileExists(atPath: scene.at(folder + ".0123.new")))
  }

  @Test("Foreign hidden names beside the texts stop no run, and a text is its owner's alone again")
  func foreign() throws {
    let scene = try scene()
    let folder = "Library/Audit/manifests/"
    try scene.put(folder + ".DS_Store", "a view")
    try scene.makeFolder(folder + ".snapshot")
    try scene.makeFolder(folder + ".x.new")
    let file = try scene.library + "/Audit/manifests/" + #require(names(scene.library).last)
    try Independent.make("chmod", ["0644", file])
    try scene.run().expect(0)
    for name in [".DS_Store", ".snapshot"] {
      #expect(FileManager.default.fileExists(atPath: scene.at(folder + name)), "\(name)")
    }
    let status = try FileManager.default.attributesOfItem(atPath: file)
    #expect((status[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    try scene.expectVerified()
  }

  @Test(
    "The text and its names are on the disk before the record that names it",
    .enabled(if: Has.strace, "no strace")
  )
  func order() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...1)
    let (outcome, lines) = try scene.tracedRun("fdatasync,/^renameat,pwrite64")
    try outcome.expect(0)
    func lineIndex(_ words: String...) -> Int? {
      lines.firstIndex { line in words.allSatisfy { line.contains($0) } }
    }
    let text = try #require(lineIndex("fdatasync(", "/Audit/manifests/."))
    let name = try #require(lineIndex("renameat", "/Audit/manifests"))
    let folder = try #require(lineIndex("fdatasync(", "/Audit/manifests>"))
    let audit = try #require(lineIndex("fdatasync(", "/Library/Audit>"))
    let record = try #require(lineIndex("pwrite64(", ".ndjson>", "manifestSHA256"))
    #expect(text < name && name < folder && folder < audit && audit < record)
  }

  @Test("A merge takes over the texts of plan and shards", .enabled(if: Has.sqlite, "no sqlite3"))
  func merge() throws {
    let scene = Scene()
    try scene.declare("library")
    for number in 0..<4 {
      try scene.put("sources/library/\(number).jpg", try Media.photo("\(number)"))
    }
    try scene.makePlan(2)
    try scene.runShards(2)
    try scene.merge().expect(0)
    let names = try names(scene.merged)
    try #require(names.count == 1)
    let file = scene.merged + "/Audit/manifests/" + names[0]
    #expect(try readBytes(file) == readBytes(scene.manifestPath))
    try scene.command("verify", "Merged").expect(0)
    try FileManager.default.removeItem(atPath: file)
    #expect(try scene.command("verify", "Merged").code == 65)
  }

  @Test("A catalogue that is made anew has the texts as they were")
  func rebuilt() throws {
    let scene = try scene()
    let before = try readBytes(text(scene))
    try FileManager.default.removeItem(atPath: scene.library + "/library.sqlite")
    try scene.command("rebuild", "Library").expect(0)
    #expect(try readBytes(text(scene)) == before)
    try scene.command("repair", "Library", "--superseded").expect(0)
    try scene.expectVerified()
    #expect(try readBytes(text(scene)) == before)
  }
}
