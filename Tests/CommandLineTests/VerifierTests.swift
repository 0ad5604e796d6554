import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// The second implementation of logs, proofs and libraries, beside the program: they give the same verdicts.
@Suite("The verifier in Python", .enabled(if: Has.sqlite && Has.python, "no sqlite3 or no python3"))
struct VerifierTests {
  /// A stripped library with private facts, of two runs, an asset that has another label, one that was taken out,
  /// thumbnails that the next run removes, and a key that was rotated.
  private func stripped() throws -> Scene {
    let scene = Scene(policy: "strip")
    scene.setThumbnails([("grid", 24, 24, "aspectFill")])
    scene.manifest["catalogue"] = ["privateFacts": true]
    try scene.declare("camera")
    try scene.putPhotos(1...3)
    try scene.run().expect(0)
    let assets = try scene.catalogue("SELECT localIdentifier FROM assets ORDER BY id")
    try scene.command("label", scene.library, assets[0], "Pier %41 \u{e9}").expect(0)
    try scene.command("withdraw", scene.library, assets[1]).expect(0)
    try scene.command("audit", "key", "rotate").expect(0)
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.putPhotos(4...4)
    try scene.run().expect(0)
    return scene
  }

  /// A merged library of three shards.
  private func merged() throws -> Scene {
    let scene = Scene()
    scene.setThumbnails([("grid", 24, 24, "aspectFill")])
    try scene.declare("library")
    for number in 0..<6 {
      try scene.put("sources/library/\(number).jpg", try Media.photo("\(number / 2)"))
    }
    try scene.writeManifest()
    try scene.command(
      ["shards", "plan", "manifest.json", "--shards", "3", "--output", "Plan", "--no-input"]
    ).expect(0)
    for shard in 1...3 {
      try scene.command(["shards", "run", "Plan", "--shard", "\(shard)"]).expect(0)
    }
    try scene.command(["shards", "merge", "Plan", "--output", "Merged"]).expect(0)
    return scene
  }

  /// The files of the signed heads, in the order of the runs.
  private func heads(of scene: Scene) throws -> [String] {
    try scene.logFiles().map {
      scene.library + "/Audit/" + $0.name.replacing(".ndjson", with: ".head")
    }
  }

  /// Runs the script that tampers; it compares both verdicts of each case. The long form has other numbers each time.
  private func tamper(_ scene: Scene, _ cases: Int, _ arguments: [String]) throws {
    var generator = SeededGenerator()
    let seed = Amount.isAll ? generator.next() : 1
    let result = try Tool.run(
      "python3",
      [
        Verifier.path("Tests/Readers/tamper.py"), try Scene.executable(), Verifier.program,
        "\(cases)", "\(seed)",
      ] + arguments,
      environment: Scene.environment(in: scene.path)
    )
    #expect(result.status == 0, "\(result.output)\(result.error)")
  }

  @Test("It gives the program's verdict on libraries that were tampered with, and changes nothing")
  func libraries() throws {
    let (stripped, merged) = (try stripped(), try merged())
    let libraries = [stripped.library, merged.merged]
    for library in libraries {
      let result = try Verifier.run([library])
      #expect(result.status == 0, "\(result.output)\(result.error)")
    }
    try tamper(stripped, Amount.of(40, all: 1000), libraries)
  }

  @Test("Both go on after an entry of any kind in any place, and give the same verdict")
  func entries() throws {
    let scene = try stripped()
    let result = try Tool.run(
      "python3",
      [
        Verifier.path("Tests/Readers/entries.py"), try Scene.executable(), Verifier.program,
        "\(Amount.of(18, all: 0))", scene.library,
      ],
      environment: Scene.environment(in: scene.path)
    )
    #expect(result.status == 0, "\(result.output)\(result.error)")
  }

  @Test("Both find that the catalogue has no root of a run whose size it has")
  func emptiedRoot() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...1)
    try scene.run().expect(0)
    try scene.command("audit", "verify", scene.library).expect(0)
    _ = try scene.catalogue("UPDATE runs SET auditRoot = NULL")
    try scene.command("audit", "verify", scene.library).expect(65)
    #expect(try Verifier.run(["log", scene.library]).status == 65)
  }

  @Test("It gives the program's verdict on proofs and exports that were tampered with")
  func proofs() throws {
    let scene = try stripped()
    let key = try scene.command("audit", "key", "show").output
    let first = String(try #require(key.split(separator: "\n").first))
    try tamper(scene, Amount.of(20, all: 400), ["--proofs", first, scene.library])
  }

  @Test(
    "It reaches the verdict of each test vector",
    .enabled(
      if: FileManager.default.fileExists(atPath: Verifier.path("docs/spec/vectors")),
      "no test vectors"
    )
  )
  func vectors() throws {
    let result = try Tool.run(
      "python3",
      [
        Verifier.path("Tests/Readers/vectors.py"), Verifier.program,
        Verifier.path("docs/spec/vectors"),
      ]
    )
    #expect(result.status == 0, "\(result.output)\(result.error)")
    #expect(result.output.hasSuffix("281 vectors, 0 mistakes\n"), "\(result.output)")
  }

  @Test(
    "It finds nothing in a library of the corpus that the program has made",
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS"),
    arguments: ["keep", "strip"]
  )
  func corpus(policy: String) throws {
    let scene = Scene(policy: policy)
    scene.setThumbnails([("grid", 64, 64, "aspectFill")])
    try scene.declare("library")
    let files = Corpus.files(beneath: "visible")
    try #require(!files.isEmpty)
    let step = Amount.of(25, all: 1)
    for (index, file) in files.enumerated() where index % step == 0 {
      try scene.put("sources/library/\(index)/\((file as NSString).lastPathComponent)", copyOf: file)
    }
    let run = try scene.run()
    #expect([0, 3].contains(run.code), "\(run.streams)")
    try scene.expectVerified()
    let result = try Verifier.run([scene.library])
    #expect(result.status == 0, "\(result.output)\(result.error)")
  }

  @Test(
    "Both say whether a log was cut within a record, also after the next run",
    arguments: [100, 0]
  )
  func cutLog(bytesLeft: Int) throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...2)
    try scene.run().expect(0)
    let name = try #require(try scene.logFiles().last?.name)
    let file = scene.library + "/Audit/" + name
    let bytes = try readBytes(file)
    let last = try #require(bytes.dropLast().lastIndex(of: 10))
    try Data(bytes[...(last + bytesLeft)]).write(to: URL(fileURLWithPath: file))
    try scene.putPhotos(3...3)
    _ = try scene.run()
    try #require(try scene.logFiles().count == 2)
    let kind = bytesLeft > 0 ? "torn" : "cut"
    let own = try scene.command("audit", "verify", scene.library, "--format", "json")
    #expect(try own.json()["kind"].string == kind, "\(own.streams)")
    let other = try Verifier.run(["log", scene.library, "--json"])
    let findings = try JSON(text: other.output)["findings"].array
    #expect(findings.compactMap { $0["kind"].string } == [kind], "\(other.output)")
  }

  @Test(
    "A library that lost its catalogue differs, and what is no library is refused, by both",
    arguments: [
      ("rm library.sqlite*", 65), ("rm library.sqlite*; mkfifo library.sqlite", 65),
      ("rm library.sqlite*; mkdir library.sqlite", 65), ("echo nothing > library.sqlite", 65),
      ("mv library.sqlite ../c; ln -s ../c library.sqlite", 65),
      ("truncate -s 80 library.sqlite", 65),
      ("rm -r Audit", 65), ("rm -r Audit; touch Audit", 65), ("rm -r Originals", 65),
      ("rm -r library.sqlite* Originals", 78), ("rm -r library.sqlite* Audit", 78),
      ("rm -r * .[a-z]*", 78),
    ] as [(String, Int32)]
  )
  func lostParts(making: String, code: Int32) throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...1)
    try scene.run().expect(0)
    try scene.shell("cd Library && " + making).expect(0)
    let own = try Verifier.run([scene.library])
    #expect(own.status == code, "\(making): \(own.output)\(own.error)")
    let other = try scene.command("verify", scene.library)
    #expect(other.code == code, "\(making): \(other.streams)")
  }

  @Test("Keys and heads that were kept decide as in the program")
  func witnesses() throws {
    let scene = try stripped()
    let key = String(
      try #require(try scene.command("audit", "key", "show").output.split(separator: "\n").first)
    )
    let stranger = String(
      try #require(try Scene().command("audit", "key", "show").output.split(separator: "\n").first)
    )
    let verify = try scene.command("audit", "verify", scene.library, "--format", "json").json()
    let (size, root) = (verify["size"].int ?? 0, verify["root"].string ?? "")
    let head = try #require(try heads(of: scene).first)
    let identifier = try #require(verify["library"].string)
    for (arguments, status) in [
      (["--trust", key], 0), (["--trust", stranger], 65),
      (["--expect-head", "\(size):\(root)"], 0),
      (["--expect-head", "\(size + 1):\(root)"], 65), (["--expect-head", root], 0),
      (["--expect-head", verify["head"].string ?? ""], 0), (["--expect-head", head], 0),
      (["--expect-head", String(root.reversed())], 65), (["--library", identifier], 0),
      (["--library", "0B7E6F5D-3C1A-4F57-9A55-6E5B3D7B8D11"], 65), (["--trust", "nothing"], 64),
      (["--expect-head", "x"], 64),
    ] as [([String], Int32)] {
      let own = try Verifier.run(["log", scene.library] + arguments)
      #expect(own.status == status, "\(arguments): \(own.output)\(own.error)")
      let other = try scene.command(["audit", "verify", scene.library] + arguments)
      #expect(other.code == status, "\(arguments): \(other.streams)")
      if arguments[0] == "--library" { continue }
      let whole = try scene.command(["verify", scene.library] + arguments)
      #expect(whole.code == status, "\(arguments): \(whole.streams)")
    }
    let whole = try scene.command("verify", scene.library, "--trust", key, "--expect-head", head)
    #expect(whole.output.contains(", which is trusted.\n"), "\(whole.streams)")
    #expect(whole.output.contains("The expected head is the end of "), "\(whole.streams)")
    let json = try scene.command("verify", scene.library, "--trust", key, "--format", "json").json()
    #expect(json["audit"]["signature"].string == "trusted")
    try scene.command("verify", scene.library, "--repairable", "--trust", key).expect(64)
    let report = ["report", scene.library, "--format", "json"]
    let trusted = try scene.command(report + ["--trust", key, "--expect-head", head])
    try trusted.expect(0)
    #expect(trusted.output.contains("\"signature\":\"trusted\""))
    try scene.command(report + ["--expect-head", String(repeating: "0", count: 64)]).expect(65)
    try scene.removeCatalogue()
    #expect(try Verifier.run(["log", scene.library]).status == 65)
    #expect(try Verifier.run(["log", scene.library, "--trust", key]).status == 0)
  }

  @Test("It says what was held against a key and heads, and what was not")
  func checked() throws {
    let (scene, other) = (try stripped(), Scene())
    try other.declare("camera")
    try other.run().expect(0)
    let shown = try scene.command("audit", "key", "show").output
    let key = String(try #require(shown.split(separator: "\n").first))
    let signer = key.split(separator: "+").prefix(2).joined(separator: "+")
    let head = try #require(try heads(of: scene).first)
    let unchecked = "the key is not checked: --trust KEY"
    let newer = "whether the newest records were removed is not checked"
    let trusted = "\(signer), which is trusted"
    let kept = "the expected head \(head) is in the log, "
    for (arguments, present, absent) in [
      ([], [signer, unchecked, newer], ["is trusted", "expected head"]),
      (["--trust", key], [trusted, newer], [unchecked, "expected head"]),
      (["--expect-head", head], [kept, signer, unchecked], [newer, "is trusted"]),
      (["--trust", key, "--expect-head", head], [trusted, kept], [newer, unchecked]),
    ] as [([String], [String], [String])] {
      let text = try Verifier.run(["log", scene.library] + arguments)
      #expect(text.status == 0 && !text.output.contains(" files, "))
      for words in present { #expect(text.output.contains(words), "\(arguments): \(text.output)") }
      for words in absent { #expect(!text.output.contains(words), "\(arguments): \(text.output)") }
      let result = try Verifier.run(["log", scene.library, "--json"] + arguments)
      let json = try JSON(text: result.output)
      let lines = (json["checked"].array + json["notChecked"].array).compactMap(\.string)
      #expect(!lines.isEmpty && text.output.hasSuffix(lines.joined(separator: "\n") + "\n"))
    }
    let stranger = try #require(try heads(of: other).last)
    let foreign = try Verifier.run(["log", scene.library, "--expect-head", stranger])
    #expect(foreign.status == 65 && foreign.output.contains("is a head of another library"))
    // Neither of the longer log nor of the shorter one is the other rolled back.
    let longer = try #require(try heads(of: scene).last)
    for (library, head) in [(scene, stranger), (other, longer)] {
      let refused = try library.command(
        ["audit", "verify", library.library, "--expect-head", head, "--format", "json"]
      )
      try refused.expect(65)
      #expect(try refused.json()["kind"].string == "unexpectedHead")
      #expect(refused.output.contains("of another library, "), "\(refused.streams)")
    }
    for option in ["--trust", "--expect-head"] {
      let missing = try Verifier.run(["log", scene.library, option, scene.at("typo.head")])
      #expect(missing.status == 64 && missing.error.contains("No such file"), "\(missing)")
      #expect(try Verifier.run(["log", scene.library, option, ""]).status == 64)
    }
    let proof = try scene.command("audit", "prove", scene.library, "--record", "3")
    try scene.put("proof.ndjson", proof.output)
    let holds = try Verifier.proof(scene.at("proof.ndjson"), key)
    #expect(holds.output.hasPrefix("{") && holds.output.contains("signed by \(signer), "))
    let mark = holds.output.range(of: "\nProved: this record is in the log, which has ")
    #expect(mark != nil && holds.output.contains("\n- Record 3, 20"), "\(holds.output)")
    #expect(holds.output.contains("Not proved: that what a record says is true"))
    #expect(!holds.output.contains("Not proved: whose log"), "\(holds.output)")
    for trusted in [stranger, "1:" + String(repeating: "0", count: 64)] {
      let refused = try Verifier.proof(scene.at("proof.ndjson"), trusted)
      #expect(refused.status == 65 && refused.output.isEmpty, "\(refused)")
    }
  }

  @Test("An older head is shown to be the beginning of a newer one, and no other head is")
  func consistency() throws {
    let scene = try stripped()
    let heads = try heads(of: scene)
    let proof = scene.at("consistency.json")
    try scene.command("audit", "consistency", heads[0], heads[2], "--output", proof).expect(0)
    func status(_ old: String, _ new: String) throws -> Int32 {
      try Verifier.run(["consistency", old, new, proof]).status
    }
    #expect(try status(heads[0], heads[2]) == 0)
    #expect(try status(heads[2], heads[0]) == 65)
    #expect(try status(heads[0], heads[1]) == 65)
    #expect(try status("1:" + String(repeating: "0", count: 64), heads[2]) == 65)
  }

  @Test("Findings are JSON if that is asked for, and the exit codes are the program's")
  func commandLine() throws {
    let scene = try stripped()
    let original = try #require(try scene.digests("Library/Originals").keys.sorted().first)
    try FileManager.default.removeItem(atPath: scene.library + "/Originals/" + original)
    let text = try Verifier.run([scene.library])
    #expect(text.status == 65 && text.output.hasPrefix("missing: Originals/"))
    let json = try JSON(text: try Verifier.run([scene.library, "--json"]).output)
    #expect(json["schema"].string == "mediabatch.verifier/1" && json["ok"].bool == false)
    #expect(json["findings"].array.compactMap { $0["kind"].string } == ["missing"])
    #expect(try Verifier.run([]).status == 64)
    #expect(try Verifier.run([scene.library, "--no-such-option"]).status == 64)
    #expect(
      try Verifier.run(["proof", scene.at("nowhere"), "1:" + String(repeating: "0", count: 64)])
        .status == 66
    )
    #expect(try Verifier.run([scene.at("nowhere")]).status == 78)
    #expect(try Verifier.run([scene.at("sources")]).status == 78)
    _ = try scene.catalogue("INSERT INTO grdb_migrations VALUES ('99 later')")
    #expect(try Verifier.run([scene.library]).status == 76)
  }

  @Test("Standard output that cannot be written ends it with 74, as it ends the program")
  func fullOutput() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...1)
    try scene.run().expect(0)
    // Python writes what it holds at its end, unless it is told to hold nothing.
    for variable in ["-u PYTHONUNBUFFERED", "PYTHONUNBUFFERED=1"] {
      for words in ["Library", "log Library", "Library --json"] {
        let full = try scene.shell("env \(variable) python3 -B '\(Verifier.program)' \(words) >/dev/full")
        try full.expect(74)
        #expect(full.error == "standard output cannot be written: No space left on device\n")
      }
    }
    let closed = try scene.shell(
      """
      mkfifo pipe; exec 3<>pipe 4>pipe 3<&-
      python3 -B '\(Verifier.program)' Library >&4
      """
    )
    try closed.expect(74)
    #expect(closed.error == "standard output cannot be written: Broken pipe\n")
    let program = try scene.shell("\"$mediabatch\" verify Library >/dev/full")
    try program.expect(74)
  }

  @Test("What is in a library makes it neither run on nor fail, and is a finding")
  func hostile() throws {
    let endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
    for sql in [
      "ALTER TABLE meta RENAME TO m; CREATE VIEW meta AS \(endless) SELECT max(x) AS identifier FROM c",
      "ALTER TABLE tableSums RENAME TO m; CREATE VIEW tableSums AS \(endless) "
        + "SELECT 't' || x AS name, x AS rowCount, zeroblob(1000) AS sum FROM c",
      "UPDATE meta SET identifier = hex(zeroblob(200000000))",
    ] {
      let scene = Scene()
      try scene.declare("camera")
      try scene.putPhotos(1...1)
      try scene.run().expect(0)
      _ = try scene.catalogue(sql)
      let result = try Verifier.run([scene.library])
      #expect(result.status == 65 && result.error.isEmpty, "\(sql): \(result.output)\(result.error)")
    }
    let scene = Scene()
    try scene.declare("camera")
    try scene.run().expect(0)
    let deep = "Library/Originals/" + String(repeating: "d/", count: 1500)
    try scene.makeFolder(deep)
    let result = try Verifier.run([scene.library])
    #expect(result.status == 65 && result.output.hasPrefix("unknown: Originals/d/d/"))
  }

  @Test(
    "A view under the name of a table is damage to both, however many rows it has",
    arguments: ["meta", "runs", "tableSums", "grdb_migrations", "assets"]
  )
  func endlessView(_ table: String) throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...1)
    try scene.run().expect(0)
    let columns = try scene.catalogue("SELECT group_concat(name) FROM pragma_table_info('\(table)')")[0]
    let values = columns.split(separator: ",").map { "x AS \"\($0)\"" }.joined(separator: ", ")
    _ = try scene.catalogue(
      """
      ALTER TABLE \(table) RENAME TO hidden;
      CREATE VIEW \(table) AS
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT \(values) FROM n;
      """
    )
    for command in [["verify", scene.library], ["run", "manifest.json"]] {
      // One that reads the view is ended, which is 124.
      let outcome = Outcome(
        try Tool.run(
          "timeout",
          ["120", try Scene.executable()] + command,
          environment: Scene.environment(in: scene.path),
          in: scene.path
        )
      )
      #expect(outcome.code == (command[0] == "run" ? 70 : 65), "\(command): \(outcome.streams)")
      #expect(outcome.streams.contains("The catalogue is damaged: "), "\(command): \(outcome.streams)")
    }
    #expect(try Verifier.run([scene.library]).status == 65)
  }

  @Test("A digest key in a file of another form is damage to both")
  func digestKey() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...1)
    try scene.run().expect(0)
    let file = scene.library + "/.state/digest.key"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    for (old, new) in [
      ("mediabatch.d", "mediabatch,d"), ("/1\n", "/2\n"), ("library ", "library\t"),
      ("\nkey", "\n\nkey"),
    ] {
      let changed = text.replacing(old, with: new)
      try #require(changed != text)
      try changed.write(toFile: file, atomically: false, encoding: .utf8)
      try scene.command(["verify", scene.library]).expect(65)
      #expect(try Verifier.run([scene.library]).status == 65, "\(old)")
    }
  }

  @Test("Private facts of a stopped run are read; those of another version are damage to both")
  func privateFacts() throws {
    let scene = try stripped()
    for (version, status) in [(4, 65), (2, 65), (3, 0)] as [(Int, Int32)] {
      let changed = try Tool.run(
        "sqlite3",
        [scene.library + "/private.sqlite", "PRAGMA user_version = \(version)"]
      )
      try #require(changed.status == 0, "\(changed.error)")
      let whole = try scene.command("verify", scene.library)
      #expect(whole.code == status, "\(version): \(whole.streams)")
      #expect(try Verifier.run([scene.library]).status == status, "\(version)")
    }
    // With the number of a format there have to be its tables.
    let empty = try scene.shell(
      """
      cp Library/private.sqlite good.sqlite; rm Library/private.sqlite*
      sqlite3 Library/private.sqlite 'PRAGMA application_id = 1296190544' 'PRAGMA user_version = 3'
      """
    )
    try empty.expect(0)
    try scene.command("verify", scene.library).expect(65)
    try scene.command("list", scene.library).expect(70)
    #expect(try Verifier.run([scene.library]).status == 65)
    // What a run writes first is in the write-ahead log alone, the number of the format too.
    let stopped = try scene.shell(
      """
      rm Library/private.sqlite*
      sqlite3 good.sqlite .dump > dump.sql
      sqlite3 new.sqlite 'PRAGMA journal_mode = WAL' 'PRAGMA application_id = 1296190544' \
        'PRAGMA user_version = 3' '.read dump.sql' \
        '.shell cp new.sqlite Library/private.sqlite; cp new.sqlite-wal Library/private.sqlite-wal'
      test -s Library/private.sqlite-wal
      """
    )
    try stopped.expect(0)
    let result = try Verifier.run([scene.library])
    #expect(result.status == 0, "\(result.output)\(result.error)")
  }

  @Test("A link in the place of a folder is named by both, beside all else that differs")
  func otherFolder() throws {
    let scene = try stripped()
    try scene.put("Library/Originals/planted.jpg", "x")
    for folder in [".staging", "Thumbnails"] {
      let moved = try scene.shell("mv Library/\(folder) moved; ln -s ../moved Library/\(folder)")
      try moved.expect(0)
      let verify = try scene.command("verify", scene.library)
      try verify.expect(65)
      let result = try Verifier.run([scene.library])
      #expect(result.status == 65, "\(result.output)\(result.error)")
      for output in [verify.output, result.output] {
        #expect(output.contains("changed: \(folder): "), "\(output)")
        #expect(output.contains("unknown: Originals/planted.jpg: "), "\(output)")
      }
      let plan = try scene.command("verify", scene.library, "--repairable")
      #expect(plan.output.hasPrefix("left: \(folder): "), "\(plan.streams)")
      try scene.shell("rm Library/\(folder); mv moved Library/\(folder)").expect(0)
    }
  }

  @Test(
    "What a user may not read is named by both, and a file beside it is found",
    .enabled(if: Tool.exists("setpriv"), "no setpriv")
  )
  func unreadable() throws {
    let scene = try stripped()
    try scene.put("Library/Originals/planted.jpg", "x")
    // Root may read every file, unless it is without these capabilities.
    let outcome = try scene.shell(
      """
      mkdir -m 0 Library/Originals/0
      file=$(cd Library; ls -d Thumbnails/grid/*/* | tail -n 1); chmod 0 "Library/$file"; drop=
      [ "$(id -u)" != 0 ] || drop="setpriv --bounding-set=-dac_override,-dac_read_search"
      $drop "$mediabatch" verify Library; echo "$?"
      $drop python3 -B '\(Verifier.program)' Library; echo "$?"; echo "$file"
      """
    )
    let lines = outcome.output.split(separator: "\n").map(String.init)
    let file = try #require(lines.last)
    let denied = "it could not be read, and was not compared: Permission denied"
    for line in [
      "unread: Originals/0: \(denied)", "unread: \(file): \(denied)", "note: unread: Originals/0",
      "note: unread: \(file)",
    ] {
      #expect(lines.contains(line), "\(outcome.streams)")
    }
    #expect(lines.count { $0.hasPrefix("unknown: Originals/planted.jpg: ") } == 2)
    #expect(lines.count { $0 == "65" } == 2, "\(outcome.streams)")
  }

  @Test("A proof whose first line has a member that only an export has is none to both")
  func redactedProof() throws {
    let scene = try stripped()
    let key = try scene.command("audit", "key", "show").output
    let trusted = String(try #require(key.split(separator: "\n").first))
    let proof = try scene.command("audit", "prove", scene.library, "--record", "3").output
    let schema = "\"schema\":\"mediabatch.proof/1\""
    let other = proof.replacing(schema, with: "\"redacted\":null," + schema)
    try #require(other != proof)
    try scene.put("proof.ndjson", other)
    let file = scene.at("proof.ndjson")
    try scene.command("audit", "check-proof", file, "--trust", trusted).expect(65)
    #expect(try Verifier.proof(file, trusted).status == 65)
  }

  @Test(
    "It says that the signatures of timestamps are left to openssl, where there are some",
    .enabled(
      if: FileManager.default.fileExists(atPath: Verifier.path("docs/spec/vectors")),
      "no test vectors"
    )
  )
  func timestamps() throws {
    let vector = Verifier.path("docs/spec/vectors/log-good-timestamp")
    let text = try String(contentsOfFile: vector + "/expected.json", encoding: .utf8)
    let key = try #require(try JSON(text: text)["trust"].string)
    let result = try Verifier.run(["log", vector, "--trust", key, "--json"])
    let unchecked = try JSON(text: result.output)["notChecked"].array.compactMap(\.string)
    #expect(unchecked.contains { $0.hasPrefix("the signatures of timestamps ") }, "\(result)")
  }
}
