import Foundation
import MediaModel
import MediaTestSupport
import Testing

/// One way to damage a library, named by the damage; a line for the shell, run in the library.
enum Damage: String, CaseIterable {
  case originalByteFlipped = "flip \"$original\""
  case originalCut = "truncate -s -1 \"$original\""
  case originalGrown = "echo >> \"$original\""
  case originalMissing = "rm \"$original\""
  case originalRenamed = "mv \"$original\" \"$original.old\""
  case originalAdded = "echo x > \"$(dirname \"$original\")/added.jpg\""
  case originalsSwapped = "mv \"$original\" t && mv \"$other\" \"$original\" && mv t \"$other\""
  case originalReplacedByLink =
    "mv \"$original\" ../kept.jpg && ln -s ../../../../kept.jpg \"$original\""
  case thumbnailByteFlipped = "flip \"$thumbnail\""
  case thumbnailMissing = "rm \"$thumbnail\""
  case thumbnailAdded = "echo x > Thumbnails/grid/added.jpg"
  case catalogueAssetDeleted =
    "sqlite3 library.sqlite 'PRAGMA foreign_keys=OFF; DELETE FROM resources WHERE asset=1; DELETE FROM assets WHERE id=1'"
  case catalogueResourceDeleted = "sqlite3 library.sqlite 'DELETE FROM resources WHERE id=1'"
  case catalogueThumbnailDeleted = "sqlite3 library.sqlite 'DELETE FROM thumbnails WHERE id=1'"
  case catalogueDigestEdited =
    "sqlite3 library.sqlite \"UPDATE resources SET sha256='00' WHERE id=1\""
  case fileAndCatalogueEdited =
    "flip \"$original\"; sqlite3 library.sqlite \"UPDATE resources SET sha256='$(sha256sum \"$original\" | cut -c1-64)' WHERE path='$original'\""
  case auditLineEdited = "sed -i '8s/camera/cameru/' \"$log\""
  case auditLineRemoved = "sed -i '8d' \"$log\""
  case auditLineDoubled = "sed -i '8p' \"$log\""
  case auditLinesSwapped = "sed -i '8{h;d};9{G}' \"$log\""
  case auditLastLineRemoved = "sed -i '$d' \"$log\""
  case auditFirstLineRemoved = "sed -i '1d' \"$log\""
  case auditFileCut = "truncate -s 900 \"$log\""
  case auditFileEmptied = "truncate -s 0 \"$log\""
  case auditFileMissing = "rm \"$log\""
  case auditFirstFileMissing = "rm \"$first\""
  case auditFirstFileCut = "truncate -s 2000 \"$first\""
  case auditFileAdded = "cp \"$log\" Audit/000003-abcdef01.ndjson"
  case auditFileOfNumberZero = "cp \"$first\" Audit/000000-2d4992f6.ndjson"
  case auditFileOfShortNumber = "cp \"$first\" Audit/00001-2d4992f6.ndjson"
  case auditFileOfNoRun = "cp \"$first\" Audit/zz.ndjson"
  case auditHeadOfNoRun = "cp \"${log%ndjson}head\" Audit/000001-2d4992f6.head"
  case auditFilesSwapped = "mv \"$log\" t && mv \"$first\" \"$log\" && mv t \"$first\""

  /// Those that are done without all: of each file, of each way to differ, of each part of the log.
  static let few: [Damage] = [
    .originalByteFlipped, .originalCut, .originalMissing, .originalAdded, .originalReplacedByLink,
    .thumbnailMissing, .catalogueAssetDeleted, .catalogueDigestEdited, .fileAndCatalogueEdited,
    .auditLineEdited, .auditLastLineRemoved, .auditFileMissing, .auditFirstFileCut, .auditFileAdded,
  ]

  /// Whether the log by itself shows it.
  var isOfTheLog: Bool { "\(self)".hasPrefix("audit") }

  /// What has to be named: a file of the library.
  var names: String {
    switch self {
    case .thumbnailByteFlipped, .thumbnailMissing, .catalogueThumbnailDeleted: "Thumbnails/grid/"
    case .originalAdded, .thumbnailAdded: "added.jpg"
    case .auditFileMissing, .auditFirstFileMissing, .auditFirstFileCut, .auditFileAdded,
      .auditFilesSwapped, .auditFileCut, .auditFileEmptied, .auditFirstLineRemoved,
      .auditLastLineRemoved:
      ".ndjson"
    case .auditFileOfNumberZero: "000000-2d4992f6.ndjson: added"
    case .auditFileOfShortNumber: "00001-2d4992f6.ndjson: added"
    case .auditFileOfNoRun: "zz.ndjson: added"
    case .auditHeadOfNoRun: "000001-2d4992f6.head: added"
    case .auditLineEdited, .auditLineRemoved, .auditLineDoubled, .auditLinesSwapped: "line "
    default: "Originals/"
    }
  }
}

@Suite("Damaged libraries")
struct VerifyDamageTests {
  /// A library of two runs, with two photos and thumbnails in the first, one in the second.
  private static let whole = Result {
    let folder = TemporaryFolder()
    let scene = Scene()
    scene.setThumbnails([("grid", 24, 24, "aspectFill")])
    try scene.declare("camera")
    try scene.put("sources/camera/a.jpg", copyOf: Samples.photo(1))
    try scene.put("sources/camera/b.jpg", copyOf: Samples.photo(2))
    try scene.run().expect(0)
    for number in 3...8 {
      try scene.put("sources/camera/\(number).jpg", copyOf: Samples.photo(number))
    }
    try scene.run().expect(0)
    try scene.expectVerified()
    // A scene is no value that tests running side by side may share; its files are.
    try Independent.make("cp", ["-a", scene.path + "/.", folder.path])
    return (folder: folder, manifest: scene.manifest)
  }

  /// A copy of it, to be damaged.
  private func library() throws -> Scene {
    let scene = Scene()
    let whole = try Self.whole.get()
    try Independent.make("cp", ["-a", whole.folder.path + "/.", scene.path])
    scene.manifest = whole.manifest
    return scene
  }

  @Test(
    "Every planted damage is found, named, and ends with 65; the sound library is clean",
    .enabled(if: Has.sqlite, "no sqlite3"),
    arguments: Amount.isAll ? Damage.allCases : Damage.few
  )
  func findsDamage(damage: Damage) throws {
    let scene = try library()
    let logs = try scene.logFiles().map(\.name)
    let originals = try scene.originals().map(\.path)
    let script = """
      set -e
      flip() { python3 -c 'import sys
      f = open(sys.argv[1], "r+b"); f.seek(200); b = f.read(1); f.seek(200); f.write(bytes([b[0] ^ 1]))' "$1"; }
      \(damage.rawValue)
      """
    let shell = try Tool.run(
      "bash",
      ["-c", script],
      environment: [
        "original": "Originals/" + originals[0], "other": "Originals/" + originals[1],
        "thumbnail": String(try scene.thumbnails("grid")[0].dropFirst(scene.library.count + 1)),
        "log": "Audit/" + logs[1], "first": "Audit/" + logs[0],
      ],
      in: scene.library
    )
    try #require(shell.status == 0, "\(shell.error)")

    let verify = try scene.command("verify", scene.library)
    #expect(verify.code == 65, "\(verify.streams)")
    #expect(verify.streams.contains(damage.names), "\(damage.names) in: \(verify.streams)")
    let json = try scene.command("verify", scene.library, "--format", "json")
    #expect(json.code == 65)
    #expect(try json.json()["ok"].bool == false)
    let audit = try scene.command("audit", "verify", scene.library)
    #expect(audit.code == (damage.isOfTheLog ? 65 : 0), "\(audit.streams)")
    if damage.isOfTheLog {
      #expect(audit.streams.contains(damage.names), "\(damage.names) in: \(audit.streams)")
    }
  }

  @Test(
    "A staged batch that cannot be read is damage of the catalogue and not of the log, and repair mends it",
    .enabled(if: Has.sqlite, "no sqlite3")
  )
  func unreadableBatch() throws {
    let scene = try library()
    _ = try scene.catalogue(
      """
      INSERT INTO batches (run, state, firstAccess) SELECT id, 1, 1 FROM runs LIMIT 1;
      INSERT INTO stagedBatches (batch, content) SELECT max(id), x'7b7d' FROM batches
      """
    )
    let verify = try scene.command("verify", scene.library)
    #expect(verify.code == 65, "\(verify.streams)")
    #expect(verify.output.contains("a staged batch cannot be read"), "\(verify.streams)")
    #expect(!verify.output.contains("missing"), "\(verify.streams)")
    try scene.command("audit", "verify", scene.library).expect(0)
    try scene.command("repair", scene.library).expect(0)
    try scene.expectVerified()
  }

  @Test("A damaged log is said before what it hides, and files behind the damage are counted")
  func namesTheCauseFirst() throws {
    let scene = try library()
    var log = try scene.logFiles()[0]
    log.lines[1] = "x" + log.lines[1]
    try scene.put("Library/Audit/" + log.name, log.lines.joined(separator: "\n") + "\n")
    let lines = try scene.command("verify", scene.library).output.split(separator: "\n")
    #expect(lines.count == 4, "\(lines)")
    #expect(lines[0].hasPrefix("audit: 000001-"))
    #expect(lines[1].hasPrefix("Originals/"))
    #expect(lines[2] == "The log has no record of 3 more files either; --format json names them.")
    let json = try scene.command("verify", scene.library, "--format", "json").json()
    #expect(json["problems"].array.count == 4)
  }

  @Test(
    "A damaged page of the catalogue is named with the remedy, and the files are compared all the same",
    .enabled(if: Has.sqlite, "no sqlite3"),
    arguments: ["meta", "runs", "keyChecks", "items", "resources", "sqlite_autoindex_resources_1"]
  )
  func damagedPage(name: String) throws {
    let scene = try library()
    let file = scene.library + "/library.sqlite"
    let query = "SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'"
    let root = try Tool.run("sqlite3", [file, query]).output
    let page = try #require(Int(root.trimmingCharacters(in: .whitespacesAndNewlines)))
    var catalogue = try readBytes(file)
    let size = Int(catalogue[16]) << 8 | Int(catalogue[17])
    for offset in (page - 1) * size..<page * size { catalogue[offset] = 0x55 }
    try Data(catalogue).write(to: URL(fileURLWithPath: file))
    let changed = "Originals/" + (try scene.originals()[0].path)
    let added = changed.split(separator: "/").dropLast().joined(separator: "/") + "/added.jpg"
    var original = try readBytes(scene.library + "/" + changed)
    original[200] ^= 1
    try scene.put("Library/" + changed, original)
    try scene.put("Library/" + added, "x")

    let verify = try scene.command("verify", scene.library)
    #expect(verify.code == 65, "\(verify.streams)")
    for text in ["library.sqlite: ", "changed: \(changed): ", "unknown: \(added): "] {
      #expect(verify.output.contains(text), "\(text) in: \(verify.streams)")
    }
    #expect(!verify.output.contains("\nmissing: "), "\(verify.streams)")
    #expect(
      verify.error.contains("`mediabatch repair \(scene.library) --from MANIFEST`"),
      "\(verify.streams)"
    )
    let json = try scene.command("verify", scene.library, "--format", "json")
    #expect(json.code == 65)
    #expect(try json.json()["files"].int ?? 0 >= 16, "\(json.streams)")
    let plan = try scene.command("verify", scene.library, "--repairable")
    #expect(plan.output == "rebuilt: library.sqlite\n", "\(plan.streams)")
  }

  @Test("A file in the folder of the log with another kind of name is listed, and no difference")
  func listsOtherNames() throws {
    let scene = try library()
    for name in ["notes.txt", ".DS_Store"] { try scene.put("Library/Audit/" + name, "x") }
    try scene.expectVerified()
    for command in [["verify"], ["audit", "verify"]] {
      let outcome = try scene.command(command + [scene.library])
      #expect(outcome.output.contains("Audit/notes.txt is no file of the log."))
      let json = try scene.command(command + [scene.library, "--format", "json"]).json()
      let names = command == ["verify"] ? json["audit"]["otherNames"] : json["otherNames"]
      #expect(names.array.compactMap(\.string) == [".DS_Store", "notes.txt"])
    }
  }

  @Test(
    "A folder of the library that is gone is named with what was in it; without any, the next run makes it",
    arguments: ["Originals", "Thumbnails", ".staging"]
  )
  func findsMissingFolder(name: String) throws {
    let scene = try library()
    try FileManager.default.removeItem(atPath: scene.library + "/" + name)
    let verify = try scene.command("verify", scene.library)
    #expect(verify.code == (name == ".staging" ? 0 : 65), "\(verify.streams)")
    #expect(verify.output.contains("unfinished: \(name): "), "\(verify.streams)")
    let files = verify.output.split(separator: "\n").count { $0.hasPrefix("missing: \(name)/") }
    #expect(files == (name == ".staging" ? 0 : 8), "\(verify.streams)")
    #expect(!verify.streams.contains("it resumes"), "\(verify.streams)")
  }

  @Test("An audit file that the catalogue does not know is 65 in verify, audit verify and report")
  func findsUnknownRun() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/a.jpg", copyOf: Samples.photo(1))
    try scene.run().expect(0)
    let kept = try Tool.run(
      "bash",
      ["-c", "mkdir ../kept && cp library.sqlite* ../kept"],
      in: scene.library
    )
    try #require(kept.status == 0, "\(kept.error)")
    try scene.put("sources/camera/b.jpg", copyOf: Samples.photo(2))
    try scene.run().expect(0)
    for command in [["verify"], ["audit", "verify"], ["report", "--format", "json"]] {
      try Scene.program(command + [scene.library], in: scene.path).expect(0)
    }
    let unknown = try #require(try scene.logFiles().last).name
    let restored = try Tool.run(
      "bash",
      ["-c", "rm library.sqlite* && cp ../kept/* ."],
      in: scene.library
    )
    try #require(restored.status == 0, "\(restored.error)")
    for command in [["verify"], ["audit", "verify"], ["report"]] {
      let outcome = try Scene.program(command + [scene.library, "--format", "json"], in: scene.path)
      #expect(outcome.code == 65, "\(command): \(outcome.streams)")
      let json = try outcome.json()
      let ok = json["ok"].bool ?? json["verification"]["ok"].bool
      #expect(ok == false, "\(command): \(outcome.streams)")
      #expect(outcome.output.contains(unknown), "\(command): \(outcome.streams)")
    }
  }

  @Test("Whatever one byte of the log becomes, audit verify finds it")
  func findsEveryByte() throws {
    let scene = try library()
    let file = scene.library + "/Audit/" + (try #require(try scene.logFiles().last).name)
    let bytes = try readBytes(file)
    let all = Amount.isAll
    let step = all ? 17 : bytes.count / 40
    for position in stride(from: 0, to: bytes.count, by: step) {
      var changed = bytes
      changed[position] ^= 1
      try Data(changed).write(to: URL(fileURLWithPath: file))
      let audit = try scene.command("audit", "verify", scene.library)
      #expect(audit.code == 65, "byte \(position): \(audit.streams)")
    }
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    try scene.expectVerified()
  }

  @Test("A head that a witness kept is found, and a foreign one is 65")
  func comparesHead() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/a.jpg", copyOf: Samples.photo(1))
    let first = try #require(try scene.run().json()["audit"]["head"].string)
    let second = try #require(try scene.run().json()["audit"]["head"].string)
    for head in [first, second] {
      let outcome = try scene.command("audit", "verify", scene.library, "--expect-head", head)
      #expect(outcome.code == 0, "\(outcome.streams)")
    }
    for head in [String(repeating: "0", count: 64), String(first.reversed()), "abc", ""] {
      let outcome = try scene.command("audit", "verify", scene.library, "--expect-head", head)
      #expect(outcome.code == 65 || outcome.code == 64, "\(head): \(outcome.streams)")
    }
    // A library that was rolled back to what it was after its first run is whole, and too old.
    try FileManager.default.removeItem(atPath: scene.library)
    try scene.run().expect(0)
    #expect(try scene.command("audit", "verify", scene.library).code == 0)
    #expect(try scene.command("audit", "verify", scene.library, "--expect-head", second).code == 65)
  }

  @Test("verify and audit verify change nothing")
  func changesNothing() throws {
    let scene = try library()
    let before = try scene.snapshot("Library")
    try scene.expectVerified()
    #expect(try scene.snapshot("Library") == before)
  }

  private static let canMount: Bool = {
    let result = try? Tool.run("unshare", ["--mount", "--map-root-user", "mount", "--bind", "/tmp", "/tmp"])
    return result?.status == 0
  }()

  @Test(
    "A library on a read-only file system can be verified",
    .enabled(if: canMount, "no mount namespace of one's own")
  )
  func verifiesReadOnly() throws {
    let scene = try library()
    let script = """
      set -e
      mount --bind "$1" "$1"
      mount -o remount,ro,bind "$1"
      ! touch "$1/x" 2>/dev/null
      "$2" verify "$1"
      "$2" audit verify "$1"
      """
    let result = try Tool.run(
      "unshare",
      [
        "--mount", "--map-root-user", "bash", "-c", script, "bash", scene.library,
        try Scene.executable(),
      ]
    )
    #expect(result.status == 0, "\(result.output)\(result.error)")
  }
}
