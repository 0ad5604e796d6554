import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("mediabatch access: answers", .enabled(if: Has.sqlite, "no sqlite3"))
struct AccessAnswerTests {
  @Test("A grant is stored with all that it is bound to, and the next run reads the source")
  func grant() throws {
    let scene = try Scene.undecided()
    scene.manifest["sources"] = ["camera": ["path": "sources/camera"]]
    try scene.run().expect(75)
    let result = try scene.accessJSON("grant", "manifest.json", "camera")
    #expect(result["nextRun"]["decidedBy"].string == "storedAnswer")
    #expect(result["nextRun"]["row"].int == 12)
    #expect(result["before"].isNull)
    let folder = scene.at("sources/camera")
    let status = try FileManager.default.attributesOfItem(atPath: folder)
    let inode = try #require(status[.systemFileNumber] as? Int)
    let text = "The test takes pictures."
    let digest = try Tool.run("bash", ["-c", "printf %s \"$0\" | sha256sum", text]).output.prefix(64)
    #expect(
      try scene.stored(
        """
        SELECT client, source, level, status, reason, usageTextSHA256, CAST(folderPath AS TEXT),
          folderInode, CAST(manifestPath AS TEXT), expiresAt, isForOneRun FROM answers
        """
      ) == [
        "org.example.test|camera|readWrite|authorized|userSet|\(digest)|\(folder)|\(inode)|"
          + "\(scene.manifestPath)||0"
      ]
    )
    try scene.run().expect(0)
    #expect(try scene.originalNames() == ["one.jpg"])
    // What the run's log quotes is the store's head.
    let head = try #require(try scene.stored("SELECT hash FROM transitions ORDER BY seq DESC").first)
    #expect(result["head"].string == head)
    let first = try #require(try scene.logFiles().last?.lines.first)
    #expect(first.contains(head))
  }

  @Test("A grant stops counting when the text, the folder or the manifest's place changes")
  func boundAnswers() throws {
    let scene = try Scene.undecided()
    scene.manifest["sources"] = ["camera": ["path": "sources/camera"]]
    try scene.writeManifest()
    try scene.access("grant", "manifest.json", "camera").expect(0)
    func counts(_ manifest: String = "manifest.json") throws -> String {
      let list = try scene.accessJSON("list", manifest)["answers"].array
      let row = try #require(list.first)
      let changes = row["changes"].array.compactMap(\.string).joined(separator: "+")
      let check = try scene.command("check", manifest).code
      #expect((row["counts"].bool == true) == (check == 0))
      return row["counts"].bool == true ? "counts" : changes
    }
    #expect(try counts() == "counts")
    scene.manifest["usageDescriptions"] = ["NSCameraUsageDescription": "Something else."]
    try scene.writeManifest()
    #expect(try counts() == "usageDescription")
    scene.manifest["usageDescriptions"] = ["NSCameraUsageDescription": "The test takes pictures."]
    try scene.writeManifest()
    #expect(try counts() == "counts")
    try FileManager.default.moveItem(atPath: scene.at("sources/camera"), toPath: scene.at("sources/old"))
    #expect(try counts() == "folder")
    // Another folder under the same name is another folder.
    try scene.makeFolder("sources/camera")
    #expect(try counts() == "folder")
    try FileManager.default.removeItem(atPath: scene.at("sources/camera"))
    try FileManager.default.moveItem(atPath: scene.at("sources/old"), toPath: scene.at("sources/camera"))
    #expect(try counts() == "counts")
    try FileManager.default.copyItem(atPath: scene.manifestPath, toPath: scene.at("copy.json"))
    #expect(try counts("copy.json") == "manifest")
    let list = try scene.access("list", "copy.json")
    #expect(list.output.contains("counts    no: it was given for another manifest"), "\(list.streams)")
    // Without a manifest each answer is compared with its own.
    #expect(try scene.access("list").output.contains("counts    yes"))
    try FileManager.default.removeItem(atPath: scene.manifestPath)
    #expect(try scene.access("list").output.contains("its manifest is gone"))
  }

  @Test("A grant or a limit for one manifest leaves those for the client's other manifests")
  func perManifest() throws {
    let scene = try Scene.undecided()
    try scene.access("grant", "manifest.json", "camera", "--for", "30d").expect(0)
    try scene.access("limit", "manifest.json", "two.jpg").expect(0)
    try FileManager.default.copyItem(atPath: scene.manifestPath, toPath: scene.at("b.json"))
    #expect(try scene.command("check", "b.json").code == 75)
    let granted = try scene.accessJSON("grant", "b.json", "camera")
    #expect(granted["before"].isNull)
    #expect(granted["takenBack"].array.isEmpty)
    let limited = try scene.access("limit", "b.json", "three.jpg")
    #expect(limited.output.contains("(was: not decided)\n  added    three.jpg\nThe next run"))
    // An edit of the one selection is not one of the other.
    try scene.access("limit", "b.json", "--remove", "two.jpg").expect(64)
    for manifest in ["manifest.json", "b.json"] {
      #expect(try scene.command("check", manifest).code == 0, "\(manifest)")
    }
    let rows = try scene.accessJSON("list", "manifest.json")["answers"].array
    #expect(rows.count == 4)
    let counting = rows.filter { $0["counts"].bool == true }
    #expect(counting.count == 2)
    #expect(counting.compactMap { $0["manifest"].string } == [scene.manifestPath, scene.manifestPath])
    #expect(counting.last?["selection"].array.compactMap(\.string) == ["two.jpg"])
    #expect(try scene.access("list").output.components(separatedBy: "counts    yes").count == 5)
    try scene.run().expect(0)
    #expect(try scene.originalNames() == ["one.jpg", "two.jpg"])
    // Levels stand apart as manifests do.
    scene.manifest["usageDescriptions"] = [
      "NSCameraUsageDescription": "The test takes pictures.",
      "NSPhotoLibraryUsageDescription": "The test chooses pictures.",
      "NSPhotoLibraryAddUsageDescription": "The test adds pictures.",
    ]
    try scene.writeManifest()
    try scene.access("grant", "manifest.json", "library", "--level", "addOnly").expect(0)
    try scene.access("reset", "b.json").expect(0)
    #expect(
      try scene.stored("SELECT source || ' ' || level FROM answers")
        == ["camera readWrite", "library addOnly", "library readWrite"]
    )
    #expect(try scene.command("check", "b.json").code == 75)
  }

  @Test("A denial is the client's: it takes back grants for other manifests, and says which")
  func denialOfClient() throws {
    let scene = try Scene.undecided()
    scene.manifest["sources"] = ["camera": ["path": "sources/camera", "required": true]]
    try scene.writeManifest()
    for name in ["b.json", "c.json"] {
      try FileManager.default.copyItem(atPath: scene.manifestPath, toPath: scene.at(name))
    }
    for name in ["manifest.json", "b.json"] { try scene.access("grant", name, "camera").expect(0) }
    let denied = try scene.access("deny", "b.json", "camera")
    #expect(denied.output.contains("(was: authorized)\n"), "\(denied.streams)")
    #expect(
      denied.output.contains("taken back from  \(scene.manifestPath) (was: authorized)"),
      "\(denied.streams)"
    )
    for name in ["manifest.json", "b.json", "c.json"] {
      #expect(try scene.command("check", name).code == 77, "\(name)")
    }
    #expect(
      try scene.stored("SELECT record ->> 'cause' FROM transitions ORDER BY seq")
        == ["answered", "answered", "answered", "deniedElsewhere"]
    )
    // A later grant is for its manifest alone; for the others the denial goes on.
    let granted = try scene.access("grant", "manifest.json", "camera")
    #expect(granted.output.contains("authorized (was: denied)"), "\(granted.streams)")
    #expect(granted.output.contains("still denied for the client's other manifests, at  "))
    #expect(try scene.command("check", "manifest.json").code == 0)
    #expect(try scene.command("check", "c.json").code == 77)
    let rows = try scene.accessJSON("list", "manifest.json")["answers"].array
    #expect(rows.compactMap { $0["why"].string } == ["overruled"])
    // A grant that counts no more leaves the manifest to the denial.
    scene.manifest["usageDescriptions"] = ["NSCameraUsageDescription": "Something else."]
    try scene.writeManifest()
    #expect(try scene.command("check", "manifest.json").code == 77)
    // To reset any of them lifts the denial that counts for it.
    try scene.access("reset", "c.json").expect(0)
    #expect(try scene.command("check", "b.json").code == 75)
    #expect(try scene.stored("SELECT status FROM answers") == ["authorized"])
  }

  @Test("A one-time grant that a run has taken up is taken back at any manifest of the client")
  func onceAndDeny() throws {
    let scene = try Scene.undecided()
    scene.manifest["sources"] = ["camera": ["path": "sources/camera", "required": true]]
    try scene.writeManifest()
    try FileManager.default.copyItem(atPath: scene.manifestPath, toPath: scene.at("b.json"))
    // An earlier denial at another manifest does not take back what was granted after it.
    try scene.access("deny", "b.json", "camera").expect(0)
    try scene.access("grant", "manifest.json", "camera", "--once").expect(0)
    try scene.run().expect(0)
    #expect(try scene.originalNames() == ["one.jpg"])
    try scene.run().expect(77)
  }

  @Test("A denial counts whatever has changed, and is taken back by reset alone")
  func deny() throws {
    let scene = try Scene.undecided()
    try scene.access("grant", "manifest.json", "library").expect(0)
    let outcome = try scene.access("deny", "manifest.json", "camera")
    #expect(outcome.output.contains("does not open the camera"), "\(outcome.streams)")
    try scene.run().expect(0)
    scene.manifest["usageDescriptions"] = [
      "NSCameraUsageDescription": "Other words.",
      "NSPhotoLibraryUsageDescription": "The test chooses pictures.",
    ]
    let denied = try scene.run()
    #expect(try denied.json()["sources"].array.first?["reason"].string == "denied")
    #expect(
      try scene.access("list").output.contains("as a denial always does, although the usage description")
    )
    try scene.access("reset", "manifest.json", "camera").expect(0)
    try scene.run().expect(75)
    #expect(
      try scene.stored("SELECT record ->> 'to' FROM transitions")
        == ["authorized", "denied", "notDetermined"]
    )
  }

  @Test("An answer for one run counts once, and the transition names that run")
  func once() throws {
    let scene = try Scene.undecided()
    scene.manifest["sources"] = ["camera": ["path": "sources/camera"]]
    try scene.writeManifest()
    try scene.access("grant", "manifest.json", "camera", "--once").expect(0)
    #expect(try scene.access("list").output.contains("authorized, for one run"))
    // Looking does not use it up.
    #expect(try scene.command("check", "manifest.json").code == 0)
    #expect(try scene.run("--dry-run").code == 0)
    let run = try scene.run()
    try run.expect(0)
    let identifier = try #require(try run.json()["run"].string)
    #expect(
      try scene.stored("SELECT record ->> 'cause', record ->> 'run' FROM transitions WHERE seq = 2")
        == ["takenUp|\(identifier)"]
    )
    try scene.run().expect(75)
  }

  @Test("A grant for a time ends with it")
  func term() throws {
    let scene = try Scene.undecided()
    scene.manifest["sources"] = ["camera": ["path": "sources/camera"]]
    try scene.writeManifest()
    try scene.access("grant", "manifest.json", "camera", "--for", "30d").expect(0)
    #expect(try scene.stored("SELECT expiresAt - decidedAt FROM answers") == ["2592000"])
    #expect(try scene.command("check", "manifest.json").code == 0)
    try scene.expireAnswer(.camera)
    #expect(try scene.command("check", "manifest.json").code == 75)
    #expect(try scene.access("list").output.contains("counts    no: it has expired"))
    let explained = try scene.accessJSON("explain", "manifest.json", "camera")
    #expect(explained["sources"].array.first?["row"].int == 6)
    for bad in ["0d", "30", "d", "-1d", "1w", "1.5h", "٣d", "99999999999999999999d", "40000d", ""] {
      try scene.access("grant", "manifest.json", "camera", "--for=\(bad)").expect(64)
    }
  }

  @Test("limit replaces or edits the selection and prints what was added and removed")
  func limit() throws {
    let scene = try Scene.undecided()
    try scene.access("limit", "manifest.json", "--add", "two.jpg").expect(64)
    let first = try scene.accessJSON("limit", "manifest.json", "two.jpg", "é.jpg", "two.jpg")
    #expect(first["added"].array.compactMap(\.string) == ["two.jpg", "é.jpg"])
    // The same text for Unicode, another file on the disk.
    let second = try scene.access(
      "limit",
      "manifest.json",
      "--add",
      "e\u{301}.jpg",
      "--add",
      "2026/*.JPG",
      "--remove",
      "two.jpg"
    )
    #expect(
      second.output.contains("  added    e\u{301}.jpg\n  added    2026/*.JPG\n  removed  two.jpg")
    )
    let patterns = try scene.stored("SELECT hex(pattern) FROM selections ORDER BY position")
    #expect(patterns.count == 3)
    #expect(patterns.first != patterns.dropFirst().first)
    for arguments in [
      ["--remove", "never.jpg"], ["two.jpg", "--add", "three.jpg"], [], ["../x"], ["/x"], [""],
      ["--add", "a//b"], ["[z"],
    ] {
      let outcome = try Scene.program(["access", "limit", "manifest.json"] + arguments, in: scene.path)
      #expect(outcome.code == 64, "\(arguments): \(outcome.streams)")
    }
    #expect(try scene.stored("SELECT hex(pattern) FROM selections ORDER BY position") == patterns)
    // An edit leaves the end that was set; a new selection does not inherit it.
    try scene.access("limit", "manifest.json", "two.jpg", "--for", "1h").expect(0)
    try scene.access("limit", "manifest.json", "--add", "three.jpg").expect(0)
    #expect(try scene.stored("SELECT expiresAt IS NOT NULL FROM answers") == ["1"])
    try scene.access("limit", "manifest.json", "two.jpg").expect(0)
    #expect(try scene.stored("SELECT expiresAt IS NOT NULL FROM answers") == ["0"])
    // To take the last pattern out is to see nothing, not everything.
    let empty = try scene.accessJSON("limit", "manifest.json", "--remove", "two.jpg")
    #expect(empty["answer"]["selection"].array.isEmpty)
    #expect(empty["nextRun"]["authorizationStatus"].string == "limited")
  }

  @Test("A selection that was chosen in another folder, or was taken back, cannot be edited")
  func editOfOutdatedSelection() throws {
    let scene = try Scene.undecided()
    try scene.access("limit", "manifest.json", "two.jpg").expect(0)
    try FileManager.default.moveItem(atPath: scene.at("sources/library"), toPath: scene.at("sources/old"))
    try scene.makeFolder("sources/library")
    let outcome = try scene.access("limit", "manifest.json", "--add", "three.jpg")
    try outcome.expect(64)
    #expect(outcome.error.contains("the folder is another one"))
    try scene.access("limit", "manifest.json", "three.jpg").expect(0)
    try scene.access("deny", "manifest.json", "library").expect(0)
    try scene.access("limit", "manifest.json", "--add", "two.jpg").expect(64)
    #expect(try scene.stored("SELECT status FROM answers") == ["denied"])
  }

  @Test("What no answer can allow is refused, and nothing is stored")
  func refusals() throws {
    let scene = try Scene.undecided()
    try scene.declare("microphone", "restricted", makesFolder: true)
    scene.manifest["usageDescriptions"] = [
      "NSCameraUsageDescription": "  ", "NSMicrophoneUsageDescription": "Sound.",
    ]
    try scene.writeManifest()
    try scene.access("grant", "manifest.json", "microphone").expect(77)
    try scene.access("grant", "manifest.json", "camera").expect(78)
    try scene.access("limit", "manifest.json", "two.jpg").expect(78)
    try scene.access("grant", "manifest.json", "camera", "--level", "addOnly").expect(64)
    try scene.access("grant", "manifest.json", "screen").expect(64)
    try scene.access("grant", "missing.json", "camera").expect(78)
    let result = try scene.accessJSON("grant", "manifest.json", "microphone", code: 77)
    #expect(result["problems"].array.first?["code"].string == "restricted")
    #expect(!FileManager.default.fileExists(atPath: scene.at("home")))
    // To refuse needs no reason.
    try scene.access("deny", "manifest.json", "camera").expect(0)
  }

  @Test("A grant that will not count is stored and says why")
  func grantsThatDoNotCount() throws {
    let scene = try Scene.undecided()
    try scene.declare("camera", "denied")
    try scene.declare("library", "limited", ["selection": ["two.jpg"]])
    try scene.writeManifest()
    let denied = try scene.access("grant", "manifest.json", "camera")
    try denied.expect(0)
    #expect(denied.output.contains("does not count: the manifest says denied"), "\(denied.streams)")
    #expect(denied.output.contains("The next run does not open the camera"))
    let limited = try scene.access("grant", "manifest.json", "library")
    #expect(limited.output.contains("does not count: the manifest says limited"), "\(limited.streams)")
    try scene.put(
      "policy.json",
      #"{"version": 1, "deny": [{"source": "library", "reason": "Not here."}]}"#
    )
    let policy = try scene.access("grant", "manifest.json", "library", "--policy", "policy.json")
    #expect(policy.output.contains("does not count: the organization's policy denies"))
    let explained = try scene.access("explain", "manifest.json", "library", "--policy", "policy.json")
    #expect(explained.output.contains("Not here."), "\(explained.streams)")
    let level = try scene.access("grant", "manifest.json", "microphone")
    #expect(level.output.contains("does not use the microphone"), "\(level.streams)")
  }

  @Test("reset takes back one, a client's, or everybody's answers")
  func reset() throws {
    let scene = try Scene.undecided()
    try scene.access("reset", "--all").expect(0)
    #expect(!FileManager.default.fileExists(atPath: scene.at("home")))
    scene.manifest["usageDescriptions"] = [
      "NSCameraUsageDescription": "a", "NSPhotoLibraryUsageDescription": "b",
      "NSPhotoLibraryAddUsageDescription": "c",
    ]
    try scene.writeManifest()
    for client in ["org.example.one", "org.example.two"] {
      scene.manifest["client"] = ["identifier": .string(client), "name": "x"]
      try scene.put(client, JSONValue.object(scene.manifest).serialized)
      for source in ["camera", "library"] { try scene.access("grant", client, source).expect(0) }
      try scene.access("grant", client, "library", "--level", "addOnly").expect(0)
    }
    func left() throws -> [String] {
      try scene.stored("SELECT substr(client, 13) || ' ' || source || ' ' || level FROM answers")
    }
    try scene.access("reset", "org.example.one", "library", "--level", "addOnly").expect(0)
    #expect(
      try left().filter { $0.hasPrefix("one") } == [
        "one camera readWrite", "one library readWrite",
      ]
    )
    try scene.access("reset", "org.example.one").expect(0)
    #expect(try left().count == 3)
    try scene.access("reset", "org.example.two", "library").expect(0)
    #expect(try left() == ["two camera readWrite"])
    try FileManager.default.removeItem(atPath: scene.at("org.example.two"))
    try scene.access("reset", "--client", "org.example.two").expect(0)
    #expect(try left() == [])
    #expect(try scene.access("reset", "--all").output.contains("nothing was changed"))
    for arguments in [[], ["org.example.one", "--all"], ["--all", "--client", "x"]] {
      let outcome = try Scene.program(["access", "reset"] + arguments, in: scene.path)
      #expect(outcome.code == 64, "\(arguments)")
    }
    #expect(try scene.stored("SELECT count(*) FROM transitions") == ["12"])
  }
}
