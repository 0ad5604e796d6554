import Foundation
import Glibc
import MediaModel
import MediaTestSupport
import Testing

/// The proof as a person and a stranger use it: signed heads, proofs, exports, keys.
@Suite("The proof on the command line")
struct AuditProofCommandTests {
  /// A library of two signed runs, of two photos and one more.
  private func library() throws -> Scene {
    let scene = Scene()
    scene.setThumbnails([("grid", 24, 24, "aspectFill")])
    try scene.declare("camera")
    try scene.put("sources/camera/harbour one.jpg", copyOf: Samples.photo(1))
    try scene.put("sources/camera/two.jpg", copyOf: Samples.photo(2))
    try scene.run().expect(0)
    try scene.put("sources/camera/three.jpg", copyOf: Samples.photo(3))
    try scene.run().expect(0)
    return scene
  }

  private func key(_ scene: Scene) throws -> String {
    let shown = try scene.command("audit", "key", "show")
    try shown.expect(0)
    return shown.output.trimmingCharacters(in: .newlines)
  }

  private func heads(_ scene: Scene) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scene.library + "/Audit").sorted()
      .filter { $0.hasSuffix(".head") }.map { scene.library + "/Audit/" + $0 }
  }

  private func check(_ file: String, _ trusted: String) throws -> Int32 {
    try Verifier.proof(file, trusted).status
  }

  @Test("A run signs its head with a key made for its user alone, and says so")
  func signs() throws {
    let scene = try library()
    let json = try scene.run().json()["audit"]
    let signed = try #require(json["signed"].string)
    #expect(try readBytes(try heads(scene)[2]) == Array(signed.utf8))
    var status = stat()
    #expect(stat(scene.at("home/mediabatch/audit.key"), &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o600)
    let verify = try scene.command("audit", "verify", scene.library, "--format", "json").json()
    #expect(verify["root"].string == json["root"].string)
    #expect(verify["size"].int == json["size"].int && verify["records"].int == json["size"].int)
    #expect(verify["signature"].string == "signed" && verify["signed"].string == signed)
    for arguments in [
      ["--trust", try key(scene)], ["--expect-head", try heads(scene)[0]],
      ["--expect-head", try #require(json["root"].string)],
      ["--expect-head", try #require(json["head"].string)],
      ["--expect-head", "\(json["size"].int ?? 0):\(json["root"].string ?? "")"],
    ] {
      let outcome = try Scene.program(["audit", "verify", scene.library] + arguments, in: scene.path)
      #expect(outcome.code == 0, "\(arguments): \(outcome.streams)")
    }
    let other = Scene()
    let stranger = try key(other)
    #expect(try scene.command("audit", "verify", scene.library, "--trust", stranger).code == 65)
    #expect(try scene.command("audit", "verify", scene.library, "--trust", "nothing").code == 64)
    #expect(try scene.command("audit", "verify", scene.library, "--expect-head", "x").code == 64)
    try scene.expectVerified()
  }

  @Test(
    "One asset is proved to a stranger who has no library",
    .enabled(if: Has.sqlite && Has.python, "no sqlite3 or no python3")
  )
  func proves() throws {
    let scene = try library()
    let asset = try #require(try scene.catalogue("SELECT localIdentifier FROM assets ORDER BY id").first)
    let proof = try scene.command("audit", "prove", scene.library, "--asset", asset)
    try proof.expect(0)
    #expect(proof.output.split(separator: "\n").count == 3)
    let byPath = try scene.command("audit", "prove", scene.library, "--path", "harbour one.jpg")
    #expect(byPath.output == proof.output)
    let file = try scene.put("proof.ndjson", proof.output)
    let key = try key(scene)
    let json = try scene.command("audit", "verify", scene.library, "--format", "json").json()
    let root = try #require(json["root"].string)
    let head = try scene.put("kept.head", copyOf: try heads(scene)[1])
    try FileManager.default.moveItem(atPath: scene.library, toPath: scene.at("gone"))
    for trusted in [root, head] {
      let checked = try scene.command("audit", "check-proof", file, "--head", trusted)
      #expect(checked.code == 0 && checked.output.contains("harbour one.jpg"), "\(checked.streams)")
      #expect(try check(file, trusted) == 0)
    }
    #expect(try scene.command("audit", "check-proof", file, "--trust", key).code == 0)
    #expect(try check(file, key) == 0)
    let wrong = String(root.reversed())
    #expect(try scene.command("audit", "check-proof", file, "--head", wrong).code == 65)
    #expect(try check(file, wrong) != 0)
    let text = proof.output.replacing("harbour one", with: "harbour two")
    let forged = try scene.put("forged.ndjson", text)
    #expect(try scene.command("audit", "check-proof", forged, "--head", root).code == 65)
    #expect(try check(forged, root) != 0)
    #expect(try scene.command("audit", "check-proof", head, "--head", root).code == 65)
    #expect(try scene.command("audit", "check-proof", file).code == 64)
  }

  @Test(
    "mediabatch-verify says in words what a proof shows, and what it does not",
    .enabled(if: Has.python, "no python3")
  )
  func saysWhatIsProved() throws {
    let scene = try library()
    let key = try key(scene)
    let json = try scene.command("audit", "verify", scene.library, "--format", "json").json()
    let (size, root) = (json["size"].int ?? 0, json["root"].string ?? "")
    let proof = try scene.command("audit", "prove", scene.library, "--path", "harbour one.jpg")
    let file = try scene.put("proof.ndjson", proof.output)
    let number = "Not proved: the numbers of the records"
    let log = "Not proved: whose log it is"
    for (trusted, absent) in [(key, [number, log]), ("\(size):\(root)", [number]), (root, [])] {
      let said = try Verifier.proof(file, trusted).output
      #expect(said.contains("\nProved: these "), "\(said)")
      #expect(said.contains("\"harbour one.jpg\" of the "), "\(said)")
      #expect(said.contains("was about to be read, because access to all of it was allowed.\n"), "\(said)")
      #expect(said.contains("was imported as \"Originals/"), "\(said)")
      #expect(said.contains("root \(root), "), "\(said)")
      #expect(said.contains("Not proved: that what a record says is true"), "\(said)")
      for text in [number, log] { #expect(said.contains(text) == !absent.contains(text), "\(said)") }
    }
    let export = try scene.command("audit", "export", scene.library, "--redact", "paths")
    let whole = try Verifier.proof(try scene.put("export.ndjson", export.output), key).output
    #expect(whole.hasPrefix("Proved: these are all \(size) records of the log"), "\(whole)")
    #expect(whole.contains(" names are held back") && !whole.contains("other records about"), "\(whole)")
  }

  @Test(
    "The help of each form of mediabatch-verify describes each argument, and gives an example",
    .enabled(if: Has.python, "no python3"),
    arguments: [[], ["log"], ["proof"], ["consistency"], ["receipt"], ["copies"]]
  )
  func verifierHelp(form: [String]) throws {
    let help = try Verifier.run(form + ["--help"])
    #expect(help.status == 0 && help.output.contains("\nexample:\n  mediabatch-verify "), "\(help)")
    let lines = help.output.components(separatedBy: "\n")
    let bare = /[ ]{2}(-\S+|[A-Z]+)( [A-Z]+)?/
    for (line, next) in zip(lines, lines.dropFirst()) where line.wholeMatch(of: bare) != nil {
      #expect(next.hasPrefix(String(repeating: " ", count: 8)), "\(line) has no description")
    }
  }

  @Test(
    "A head of another form proves nothing, to both implementations",
    .enabled(if: Has.python, "no python3"),
    arguments: [
      ("head ", "heaa "), ("time ", "time"), ("file ", "fil "), ("\\n\\n\u{2014} ", "\\n\u{2014} "),
      ("\u{2014} mediabatch", "\u{2014}mediabatch"), ("=\\nhead", "\\nhead"),
      ("mediabatch.audit/", "mediabatch.audit."), ("\\ntime 20", "\\ntime xx"),
      ("\\ntime 20", "\\ntime +20"), ("Z\\n\\n", "\\n\\n"), ("Z\\n\\n", "+00:00\\n\\n"),
    ]
  )
  func malformed(text: String, edited: String) throws {
    let scene = try library()
    let proof = try scene.command("audit", "prove", scene.library, "--record", "3").output
    let root = try #require(
      try scene.command("audit", "verify", scene.library, "--format", "json").json()["root"].string
    )
    let range = try #require(proof.range(of: text))
    let file = try scene.put("proof.ndjson", proof)
    #expect(try check(file, root) == 0)
    let forged = try scene.put("forged.ndjson", proof.replacingCharacters(in: range, with: edited))
    #expect(try scene.command("audit", "check-proof", forged, "--head", root).code == 65)
    #expect(try check(forged, root) != 0)
  }

  @Test(
    "An export without names is of the same signed head; one name is shown later",
    .enabled(if: Has.python, "no python3")
  )
  func exports() throws {
    let scene = try library()
    let key = try key(scene)
    let export = try scene.command("audit", "export", scene.library, "--redact", "paths,labels")
    #expect(export.error.contains("The client's name"), "\(export.error)")
    try export.expect(0)
    for name in ["harbour", "two.jpg", "three", "sources/camera"] {
      #expect(!export.output.contains(name), "\(name)")
    }
    let file = try scene.put("export.ndjson", export.output)
    for trusted in [["--head", try heads(scene)[1]], ["--trust", key]] {
      let checked = try Scene.program(["audit", "check-proof", file] + trusted, in: scene.path)
      #expect(checked.code == 0, "\(checked.streams)")
      #expect(try check(file, trusted[1]) == 0)
    }
    #expect(try scene.command("audit", "check-proof", file, "--head", try heads(scene)[0]).code == 65)
    let line = try #require(
      export.output.split(separator: "\n").first { $0.contains(#""event":"access""#) }
    )
    let hidden = try JSON(text: String(line))
    let index = try #require(hidden["index"].int)
    let opened = try scene.command(
      "audit",
      "prove",
      scene.library,
      "--record",
      String(index),
      "--redact",
      "labels,hosts"
    )
    let shown = try JSON(text: String(try #require(opened.output.split(separator: "\n").last)))
    #expect(shown["record"]["path"]["hmac"].string == hidden["record"]["path"]["hmac"].string)
    #expect(shown["openings"]["/path"]["value"].string?.hasSuffix(".jpg") == true)
    let proof = try scene.put("opened.ndjson", opened.output)
    #expect(try scene.command("audit", "check-proof", proof, "--trust", key).code == 0)
    #expect(try scene.command("audit", "export", scene.library, "--redact", "names").code == 64)
  }

  @Test("Who holds paths back holds back what has the same name: published files and thumbnails")
  func redactedPaths() throws {
    let scene = try library()
    let verify = try scene.command("audit", "verify", scene.library, "--format", "json").json()
    let records = (0..<min(60, verify["size"].int ?? 0)).flatMap { ["--record", "\($0)"] }
    for arguments in [
      ["prove", scene.library] + records, ["export", scene.library],
      ["export", scene.library, "--format", "ocsf"],
    ] {
      let outcome = try scene.command(["audit"] + arguments + ["--redact", "paths"])
      try outcome.expect(0)
      for name in ["harbour", "two.jpg", "three.jpg"] {
        #expect(!outcome.output.contains(name), "\(arguments[0]): \(name)")
      }
    }
  }

  @Test("An older head is shown to be the beginning of a newer one, and no other head is")
  func consistency() throws {
    let scene = try library()
    let heads = try heads(scene)
    let proof = scene.at("consistency.json")
    let outcome = try scene.command("audit", "consistency", heads[0], heads[1], "--output", proof)
    #expect(outcome.code == 0, "\(outcome.streams)")
    try FileManager.default.copyItem(atPath: heads[0], toPath: scene.at("old.head"))
    try FileManager.default.copyItem(atPath: heads[1], toPath: scene.at("new.head"))
    try FileManager.default.moveItem(atPath: scene.library, toPath: scene.at("gone"))
    func check(_ old: String, _ new: String) throws -> Int32 {
      try scene.command("audit", "consistency", old, new, "--proof", proof).code
    }
    #expect(try check("old.head", "new.head") == 0)
    #expect(try check("new.head", "old.head") == 65)
    #expect(try check("1:" + String(repeating: "0", count: 64), "new.head") == 65)
    let other = try library()
    let foreign = try scene.command(
      "audit",
      "consistency",
      "old.head",
      "new.head",
      "--library",
      other.library
    )
    #expect(foreign.code == 65, "\(foreign.streams)")
  }

  @Test("A library that was put back to an older copy is rolled back for who kept a head")
  func rolledBack() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/one.jpg", copyOf: Samples.photo(1))
    try scene.run().expect(0)
    #expect(try Tool.run("cp", ["-a", scene.library, scene.at("copy")]).status == 0)
    try scene.put("sources/camera/two.jpg", copyOf: Samples.photo(2))
    try scene.run().expect(0)
    let kept = try scene.put("kept.head", copyOf: try heads(scene)[1])
    #expect(try scene.command("audit", "verify", "copy").code == 0)
    let outcome = try scene.command("audit", "verify", "copy", "--expect-head", kept)
    #expect(outcome.code == 65 && outcome.streams.contains("rolledBack"), "\(outcome.streams)")
    // Only the head was left behind.
    try scene.put("copy/Audit/" + (try heads(scene)[1] as NSString).lastPathComponent, copyOf: kept)
    let left = try scene.command("audit", "verify", "copy")
    #expect(left.code == 65 && left.streams.contains("rolledBack"), "\(left.streams)")
  }

  @Test("Signed heads that were changed, taken away or put in another's place are found")
  func changedHeads() throws {
    let scene = try library()
    let heads = try heads(scene)
    let key = try key(scene)
    let good = try readBytes(heads[1])
    var changed = good
    changed[good.count - 20] ^= 1
    try Data(changed).write(to: URL(fileURLWithPath: heads[1]))
    #expect(try scene.command("audit", "verify", scene.library).code == 65)
    try Data(try readBytes(heads[0])).write(to: URL(fileURLWithPath: heads[1]))
    #expect(try scene.command("audit", "verify", scene.library).code == 65)
    try FileManager.default.removeItem(atPath: heads[1])
    for arguments in [[], ["--trust", key]] {
      let missing = try scene.command(["audit", "verify", scene.library] + arguments)
      #expect(missing.code == 65 && missing.streams.contains("missing"), "\(missing.streams)")
    }
    try Data().write(to: URL(fileURLWithPath: heads[1]))
    #expect(try scene.command("audit", "verify", scene.library).code == 65)
    try Data(good).write(to: URL(fileURLWithPath: heads[1]))
    #expect(try scene.command("audit", "verify", scene.library, "--trust", key).code == 0)
  }

  @Test("The library and the time of a trusted head are named, and another library is refused")
  func otherLibrary() throws {
    let scene = try library()
    let key = try key(scene)
    let verify = try scene.command(
      "audit",
      "verify",
      scene.library,
      "--trust",
      key,
      "--format",
      "json"
    ).json()
    let identifier = try #require(verify["library"].string)
    let time = try #require(verify["signedTime"].string)
    #expect(try String(contentsOfFile: try heads(scene)[1], encoding: .utf8).contains(time))
    let text = try scene.command("audit", "verify", scene.library, "--trust", key)
    for part in [identifier, time, "--expect-head"] {
      #expect(text.output.contains(part), "\(part)")
    }
    let other = "0B7E6F5D-3C1A-4F57-9A55-6E5B3D7B8D11"
    for (library, code) in [(identifier, 0), (other, 65)] {
      let outcome = try scene.command(
        "audit",
        "verify",
        scene.library,
        "--trust",
        key,
        "--library",
        library
      )
      #expect(outcome.code == code, "\(outcome.streams)")
    }
    let proved = try scene.command("audit", "prove", scene.library, "--record", "3")
    try proved.expect(0)
    let proof = scene.at("proof")
    try proved.output.write(toFile: proof, atomically: true, encoding: .utf8)
    for trust in [["--trust", key], ["--head", try heads(scene)[1]]] {
      let named = try scene.command(["audit", "check-proof", proof, "--library", identifier] + trust)
      #expect(named.code == 0 && named.output.contains(identifier) && named.output.contains(time))
      let foreign = try scene.command(["audit", "check-proof", proof, "--library", other] + trust)
      #expect(foreign.code == 65, "\(foreign.streams)")
    }
    // A root does not contain the library.
    let root = try #require(verify["root"].string)
    let unproved = try scene.command("audit", "check-proof", proof, "--head", root, "--library", identifier)
    #expect(unproved.code == 64)
    // All heads that witnesses kept are looked for, and the newest decides.
    let kept = try heads(scene).flatMap { ["--expect-head", $0] }
    #expect(try scene.command(["audit", "verify", scene.library] + kept).code == 0)
    let newer = ["--expect-head", "9999:" + root]
    #expect(try scene.command(["audit", "verify", scene.library] + kept + newer).code == 65)
  }

  @Test("After a rotation who trusts the old key trusts the new one too")
  func rotation() throws {
    let scene = try library()
    let old = try key(scene)
    let rotated = try scene.command("audit", "key", "rotate")
    try rotated.expect(0)
    let new = try key(scene)
    #expect(new != old && rotated.output.contains(new))
    try scene.put("sources/camera/four.jpg", copyOf: Samples.photo(4))
    try scene.run().expect(0)
    for key in [old, new] {
      let outcome = try scene.command("audit", "verify", scene.library, "--trust", key)
      #expect(outcome.code == 0, "\(outcome.streams)")
    }
    let record = try #require(try scene.lastLog().first { $0["event"].string == "key" })
    #expect(record["key"].string == new && record["rotations"].array.count == 1)
  }

  @Test("A key that is shown before anything was signed is said to be new, once")
  func shownKeyIsNew() throws {
    let scene = Scene()
    let first = try scene.command("audit", "key", "show")
    try first.expect(0)
    #expect(first.error.contains("Made the key \""), "\(first.streams)")
    #expect(first.error.contains("/mediabatch/audit.key\". It has signed nothing yet."))
    let second = try scene.command("audit", "key", "show")
    #expect(second.error.isEmpty && second.output == first.output, "\(second.streams)")
  }

  @Test("A key that others can read is not used, and the run says so")
  func unsafeKey() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/one.jpg", copyOf: Samples.photo(1))
    let key = try key(scene)
    let file = scene.at("home/mediabatch/audit.key")
    chmod(file, 0o644)
    let run = try scene.run()
    #expect(run.code == 0, "\(run.streams)")
    #expect(try run.problems() == ["headNotSigned"])
    #expect(try heads(scene) == [])
    #expect(try scene.command("audit", "key", "show").code == 64)
    #expect(try scene.run("--key", file).code == 64)
    chmod(file, 0o600)
    let named = try scene.run("--key", file)
    #expect(named.code == 0, "\(named.streams)")
    #expect(try named.problems() == [])
    #expect(try scene.command("audit", "verify", scene.library, "--trust", key).code == 0)
    let unsigned = try scene.run("--unsigned")
    #expect(unsigned.code == 0, "\(unsigned.streams)")
    #expect(try unsigned.problems() == [])
    #expect(try heads(scene).count == 1)
    #expect(try scene.command("audit", "verify", scene.library, "--trust", key).code == 65)
  }

  @Test("A proof's own words are not believed, and do nothing to a terminal")
  func proofWords() throws {
    let scene = try library()
    let bidi = "IMG\u{9b}2J.jpg"
    try scene.put("sources/camera/\(bidi)", copyOf: Samples.photo(4))
    try scene.run().expect(0)
    let json = try scene.command("audit", "verify", scene.library, "--format", "json").json()
    let root = try #require(json["root"].string)
    let whole = "\(json["size"].int ?? 0):\(root)"
    let export = try scene.command("audit", "export", scene.library, "--redact", "paths")
    let lying = export.output.replacing(#""redacted":["labels","paths"]"#, with: #""redacted":[]"#)
    #expect(lying != export.output)
    let file = try scene.put("lying.ndjson", lying)
    let outcome = try scene.command("audit", "check-proof", file, "--head", whole)
    #expect(
      outcome.code == 0 && outcome.output.contains(" held back; a digest stands for each."),
      "\(outcome.streams)"
    )
    let proof = try scene.command("audit", "prove", scene.library, "--record", "3", "--record", "2")
    let proofFile = try scene.put("two.ndjson", proof.output)
    let bare = try scene.command("audit", "check-proof", proofFile, "--head", root)
    #expect(bare.code == 0 && bare.output.contains("Not proved: the numbers"), "\(bare.streams)")
    let numbered = try scene.command("audit", "check-proof", proofFile, "--head", whole)
    #expect(
      numbered.code == 0 && !numbered.output.contains("the numbers of the records"),
      "\(numbered.streams)"
    )
    #expect(!numbered.output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  @Test("What is not there is said with the right code")
  func notThere() throws {
    let scene = try library()
    #expect(try scene.command("audit", "verify", "nolib").code == 78)
    #expect(try scene.command("audit", "export", "nolib").code == 78)
    for wrong in [["--record", "99999"], ["--asset", "x"], ["--path", "nope"]] {
      let outcome = try Scene.program(["audit", "prove", scene.library] + wrong, in: scene.path)
      #expect(outcome.code == 64, "\(wrong): \(outcome.streams)")
    }
    let heads = try heads(scene)
    let log = heads[0].replacing(".head", with: ".ndjson")
    let before = try readBytes(log)
    let over = try scene.command("audit", "consistency", heads[0], heads[1], "--output", log)
    #expect(over.code == 74, "\(over.streams)")
    #expect(try readBytes(log) == before)
    try FileManager.default.removeItem(atPath: scene.library + "/library.sqlite")
    let blind = try scene.command("audit", "verify", scene.library)
    #expect(blind.code == 65 && blind.output.contains("its newest records may be missing, and"))
    #expect(!blind.output.contains("The log: missing"), "\(blind.streams)")
    let key = try key(scene)
    #expect(try scene.command("audit", "verify", scene.library, "--trust", key).code == 0)
    for name in try FileManager.default.contentsOfDirectory(atPath: scene.library + "/Audit") {
      try FileManager.default.removeItem(atPath: scene.library + "/Audit/" + name)
    }
    #expect(try scene.command("audit", "verify", scene.library).code == 78)
  }

  @Test("Records that a signature does not cover are counted, and a file of no known run is named")
  func uncovered() throws {
    let scene = try library()
    let key = try key(scene)
    let heads = try heads(scene)
    let log = heads[1].replacing(".head", with: ".ndjson")
    let number = scene.library + "/Audit/000003-deadbeef.ndjson"
    // A whole run's records under the next number, chained on by nobody.
    let lines = try String(contentsOfFile: log, encoding: .utf8)
    #expect(try scene.run("--unsigned").code == 0)
    let partly = try scene.command("audit", "verify", scene.library, "--format", "json").json()
    #expect((partly["unsignedRecords"].int ?? 0) > 0 && partly["signature"].string == "signed")
    let text = try scene.command("audit", "verify", scene.library)
    #expect(text.output.contains("covered by no signature"), "\(text.streams)")
    #expect(try scene.command("audit", "verify", scene.library, "--trust", key).code == 65)
    try scene.put(String(number.dropFirst(scene.path.count + 1)).replacing("3-", with: "4-"), lines)
    #expect(try scene.command("audit", "verify", scene.library).code == 65)
    let next = try scene.run()
    #expect(try next.problems().contains("logDiffers"), "\(next.streams)")
  }

  /// The root of a library's log, by RFC 6962 and the committed form as docs/spec/audit-log.md has them.
  private static let root = """
    import glob, hashlib, hmac, json, sys

    def H(data): return hashlib.sha256(data).digest()
    def text(value):
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    def commit(record, pointer, salt):
        *way, last = [int(p) if p.isdigit() else p for p in pointer.split("/")[1:]]
        try:
            for part in way: record = record[part]
            value = record[last]
        except (KeyError, IndexError): return False
        key = hmac.new(salt, pointer.encode(), "sha256").digest()
        record[last] = {"hmac": hmac.new(key, text(value), "sha256").hexdigest()}
        return True
    def MTH(D):
        if len(D) == 1: return D[0]
        k = 1 << ((len(D) - 1).bit_length() - 1)
        return H(b"\\1" + MTH(D[:k]) + MTH(D[k:]))

    leaves = []
    for path in sorted(glob.glob(sys.argv[1] + "/Audit/*.ndjson")):
        for line in open(path, "rb").read().split(b"\\n")[:-1]:
            record = json.loads(line)
            if "salt" in record:
                salt = bytes.fromhex(record.pop("salt"))
                for pointer in ["/path", "/resolvedPath", "/listSHA256", "/output/path", "/host", "/user"]:
                    commit(record, pointer, salt)
                number = 0
                while commit(record, f"/thumbnails/{number}/path", salt): number += 1
            leaves.append(H(b"\\0" + text(record)))
    print(len(leaves), MTH(leaves).hex())
    """

  private func expectIndependentRoot(
    _ scene: Scene,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let result = try Tool.run("python3", ["-c", Self.root, scene.library])
    let json = try scene.command("audit", "verify", scene.library, "--format", "json").json()
    #expect(
      result.output == "\(json["size"].int ?? -1) \(json["root"].string ?? "")\n",
      "\(result.error)",
      sourceLocation: location
    )
  }

  @Test(
    "The root is what another program makes of the log, after a kill too",
    .enabled(if: Has.python && Has.strace, "no python3 or strace")
  )
  func independentRoot() throws {
    let scene = Scene()
    scene.setThumbnails([("grid", 24, 24, "aspectFill"), ("p", 40, 40, "aspectFit")])
    try scene.declare("camera")
    for number in 1...40 {
      try scene.put("sources/camera/\(number).jpg", copyOf: Samples.photo(1 + number % 8))
    }
    try scene.writeManifest()
    for number in Amount.isAll ? [1, 10, 30, 60] : [1, 30] {
      let moment = RunMoment(call: "pwrite64", number: number)
      let run = try moment.kill(["run", "manifest.json"], in: scene.path)
      try run.wait()
      #expect(run.wasKilled || number > 30)
    }
    try scene.run("--wait").expect(0)
    try scene.run().expect(0)
    try scene.expectVerified()
    try expectIndependentRoot(scene)
    let json = try scene.run().json()["audit"]
    let size = try #require(json["size"].int)
    for index in stride(from: 0, to: size, by: Amount.of(39, all: 13)) {
      let proof = try scene.command("audit", "prove", scene.library, "--record", String(index))
      let file = try scene.put("proof", proof.output)
      #expect(try check(file, try #require(json["root"].string)) == 0, "record \(index)")
    }
  }
}
