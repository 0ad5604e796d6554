import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// Timestamps of signed heads, from an authority of openssl's.
@Suite("Timestamps of the log", .enabled(if: Tool.exists("openssl"), "no openssl"))
struct TimestampTests {
  private func library() throws -> Scene {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...1)
    try scene.run().expect(0)
    return scene
  }

  private func audit(_ scene: Scene, _ ending: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scene.library + "/Audit").sorted()
      .filter { $0.hasSuffix(ending) }.map { scene.library + "/Audit/" + $0 }
  }

  /// Asks an authority about the newest head, and stores its answer.
  private func stamp(_ scene: Scene, _ authority: TimestampAuthority) throws {
    for name in ["q.tsq", "r.tsr"] { try? FileManager.default.removeItem(atPath: scene.at(name)) }
    try scene.command("audit", "timestamp", "Library", "--query", "q.tsq").expect(0)
    try authority.reply(to: scene.at("q.tsq"), as: scene.at("r.tsr"))
    try scene.command("audit", "timestamp", "Library", "--reply", "r.tsr", "--query", "q.tsq")
      .expect(0)
  }

  private func verify(_ scene: Scene, _ arguments: String...) throws -> Outcome {
    try scene.command(["audit", "verify", "Library", "--format", "json"] + arguments)
  }

  @Test("An answer is stored beside its head as it came, and openssl verifies it there")
  func stores() throws {
    let scene = try library()
    let authority = try TimestampAuthority(in: scene.at("tsa"))
    let asked = try scene.command(["audit", "timestamp", "Library", "--query", "q.tsq", "--format", "json"])
    try asked.expect(0)
    let head = try #require(try audit(scene, ".head").first)
    let digest = try Tool.run("sha256sum", [head]).output.prefix(64)
    #expect(try asked.json()["sha256"].string == String(digest))
    let text = try Tool.run("openssl", ["ts", "-query", "-in", scene.at("q.tsq"), "-text"]).output
    #expect(text.contains("Certificate required: yes") && text.contains("Nonce: 0x"), "\(text)")
    // A request is not written over, and nothing else is, either.
    let before = try scene.snapshot("Library/Audit")
    #expect(try scene.command("audit", "timestamp", "Library", "--query", "q.tsq").code == 74)
    try authority.reply(to: scene.at("q.tsq"), as: scene.at("r.tsr"))
    let stored = try scene.command(
      [
        "audit", "timestamp", "Library", "--reply", "r.tsr", "--query", "q.tsq", "--format", "json",
      ]
    )
    try stored.expect(0)
    let file = try #require(try audit(scene, ".tsr").first)
    #expect(try stored.json()["file"].string.map { scene.library + "/" + $0 } == file)
    #expect(try stored.json()["trusted"].bool == false)
    #expect(try stored.json()["signer"].string == "CN=TSA,O=Example")
    #expect(try readBytes(file) == readBytes(scene.at("r.tsr")))
    #expect(try authority.verifies(file, "-queryfile", scene.at("q.tsq")))
    #expect(try authority.verifies(file, "-data", head))
    #expect(try scene.snapshot("Library/Audit").count == before.count + 1)
    // The same answer again is no mistake, another one is.
    let again = try scene.command("audit", "timestamp", "Library", "--reply", "r.tsr")
    #expect(again.code == 0 && again.output.hasPrefix("Already stored."), "\(again.streams)")
    try authority.reply(to: scene.at("q.tsq"), as: scene.at("other.tsr"))
    let other = try scene.command("audit", "timestamp", "Library", "--reply", "other.tsr")
    #expect(
      other.code == 64 && other.streams.contains("has a timestamp already, which stays"),
      "\(other.streams)"
    )
    #expect(try readBytes(file) == readBytes(scene.at("r.tsr")))

    // Only who is named is trusted.
    let plain = try scene.command("audit", "verify", "Library")
    #expect(
      plain.code == 0 && plain.output.contains("present, signer CN=TSA,O=Example not trusted"),
      "\(plain.streams)"
    )
    let trusted = try verify(scene, "--tsa-ca", "tsa/ca.pem")
    try trusted.expect(0)
    #expect(try trusted.json()["timestamps"].array.first?["trusted"].bool == true)
    let stranger = try TimestampAuthority(in: scene.at("stranger"))
    let refused = try verify(scene, "--tsa-ca", stranger.certificate)
    #expect(refused.code == 65, "\(refused.streams)")
    #expect(try refused.json()["kind"].string == "otherAuthority")
    #expect(refused.output.contains("not signed by this authority"), "\(refused.streams)")
    try scene.put("empty.pem", "")
    for file in ["manifest.json", "empty.pem", "nothing.pem"] {
      let mistake = try verify(scene, "--tsa-ca", file)
      #expect(mistake.code == 64 && mistake.error.contains(file), "\(mistake.streams)")
    }
    try scene.expectVerified()
  }

  @Test("What does not answer the request, or is about no head of this log, is not stored")
  func refuses() throws {
    let scene = try library()
    let authority = try TimestampAuthority(in: scene.at("tsa"))
    let other = try library()
    for (owner, name) in [(scene, "first.tsq"), (scene, "second.tsq"), (other, "other.tsq")] {
      try owner.command("audit", "timestamp", "Library", "--query", scene.at(name)).expect(0)
      try authority.reply(to: scene.at(name), as: scene.at(name + ".tsr"))
    }
    let sha512 = try Tool.run(
      "openssl",
      [
        "ts", "-query", "-data", try #require(try audit(scene, ".head").first), "-sha512", "-cert",
        "-out", scene.at("long.tsq"),
      ]
    )
    #expect(sha512.status == 0)
    try authority.reply(to: scene.at("long.tsq"), as: scene.at("rejected.tsr"))
    try Tool.run(
      "openssl",
      [
        "ts", "-query", "-data", try #require(try audit(scene, ".head").first), "-sha256", "-out",
        scene.at("bare.tsq"),
      ]
    ).expectZero()
    try authority.reply(to: scene.at("bare.tsq"), as: scene.at("bare.tsr"))
    let stranger = try TimestampAuthority(in: scene.at("stranger")).certificate
    try scene.put("large.tsr", [UInt8](repeating: 0x30, count: (1 << 20) + 1))
    let cases: [(arguments: [String], code: Int32, message: String)] = [
      (["--reply", "first.tsq.tsr", "--query", "second.tsq"], 65, "another request"),
      (["--reply", "other.tsq.tsr"], 65, "none of the log's signed heads"),
      (["--reply", "rejected.tsr"], 65, "has not granted"),
      (["--reply", "bare.tsr"], 65, "certificate of its signer is not in it"),
      (["--reply", "manifest.json"], 65, "no time-stamp response"),
      (["--reply", "first.tsq"], 65, "no time-stamp response"),
      (["--reply", "first.tsq.tsr", "--query", "manifest.json"], 65, "no time-stamp request"),
      (["--reply", "first.tsq.tsr", "--tsa-ca", "manifest.json"], 64, "no PEM certificate"),
      (["--reply", "first.tsq.tsr", "--tsa-ca", stranger], 65, "not signed by this authority"),
      (["--reply", "large.tsr"], 64, "cannot be read"), (["--reply", "gone.tsr"], 64, "gone.tsr"),
      ([], 64, "--query"), (["--query", "x", "--tsa-ca", "tsa/ca.pem"], 64, "--reply"),
    ]
    for (arguments, code, message) in cases {
      let outcome = try scene.command(["audit", "timestamp", "Library"] + arguments)
      #expect(
        outcome.code == code && outcome.streams.contains(message),
        "\(arguments): \(outcome.code) \(outcome.streams)"
      )
    }
    #expect(try audit(scene, ".tsr").isEmpty)
    // A head that nobody has signed has no timestamp.
    let unsigned = Scene()
    try unsigned.declare("camera")
    try unsigned.run("--unsigned").expect(0)
    let refused = try unsigned.command("audit", "timestamp", "Library", "--query", "q.tsq")
    #expect(
      refused.code == 64 && refused.streams.contains("No run of the library has signed the log"),
      "\(refused.streams)"
    )
  }

  @Test("A stored answer that was changed is damage, wherever the signature covers it")
  func changed() throws {
    let scene = try library()
    let authority = try TimestampAuthority(in: scene.at("tsa"))
    try stamp(scene, authority)
    let file = try #require(try audit(scene, ".tsr").first)
    let head = try #require(try audit(scene, ".head").first)
    let bytes = try readBytes(file)
    var unseen = 0
    var tried = 0
    for index in stride(from: 0, to: bytes.count, by: Amount.of(29, all: 1)) {
      var changed = bytes
      changed[index] ^= 1
      try Data(changed).write(to: URL(fileURLWithPath: file))
      let plain = try verify(scene)
      #expect([0, 65].contains(plain.code), "byte \(index): \(plain.streams)")
      tried += 1
      guard plain.code == 0 else { continue }
      unseen += 1
      // Then no reader sees it: it is beside what is signed.
      #expect(try authority.verifies(file, "-data", head), "byte \(index)")
    }
    #expect(tried > 40 && unseen * 20 <= tried, "\(unseen) of \(tried)")
    for damaged in [[], Array(bytes.dropLast()), bytes + [0], Array("text".utf8)] {
      try Data(damaged).write(to: URL(fileURLWithPath: file))
      let outcome = try verify(scene)
      #expect(outcome.code == 65)
      #expect(try outcome.json()["kind"].string == "changed")
      // The check of the whole library has the same opinion, and so has a report; without all, of
      // one of the answers.
      guard Amount.isAll || damaged.isEmpty else { continue }
      #expect(try scene.command("verify", "Library").code == 65)
      try scene.report("json", code: 65)
    }
    // One that is gone is known only to who asks for it.
    try FileManager.default.removeItem(atPath: file)
    #expect(try verify(scene).code == 0)
    let missing = try verify(scene, "--tsa-ca", "tsa/ca.pem")
    #expect(missing.code == 65)
    #expect(try missing.json()["kind"].string == "missing")
    // That of another head does not pass for one of this head.
    try scene.putPhotos(2...2)
    try scene.run().expect(0)
    let names = try audit(scene, ".head").map { $0.dropLast(4) + "tsr" }
    try Data(bytes).write(to: URL(fileURLWithPath: String(names[1])))
    #expect(try verify(scene).code == 65)
    try FileManager.default.moveItem(atPath: String(names[1]), toPath: String(names[0]))
    #expect(try verify(scene, "--tsa-ca", "tsa/ca.pem").code == 0)
    try Data(bytes).write(to: URL(fileURLWithPath: scene.library + "/Audit/000009-none.tsr"))
    #expect(try verify(scene).json()["kind"].string == "added")
  }

  @Test("The next runs, a new catalogue and a copy leave a timestamp as it is")
  func stays() throws {
    let scene = try library()
    let authority = try TimestampAuthority(in: scene.at("tsa"))
    try stamp(scene, authority)
    let file = try #require(try audit(scene, ".tsr").first)
    let bytes = try readBytes(file)
    try scene.putPhotos(2...3)
    try scene.run().expect(0)
    try stamp(scene, authority)
    #expect(try audit(scene, ".tsr").count == 2)
    try scene.command("rebuild", "Library").expect(0)
    try scene.command("repair", "Library", "--superseded").expect(0)
    #expect(try readBytes(file) == bytes)
    try scene.expectVerified()
    #expect(try verify(scene, "--tsa-ca", "tsa/ca.pem").json()["timestamps"].array.count == 2)
    // An older head gets one too: the answer says which head it is about.
    let late = try audit(scene, ".tsr")[1]
    try FileManager.default.removeItem(atPath: late)
    try scene.command("audit", "timestamp", "Library", "--reply", "r.tsr").expect(0)
    #expect(FileManager.default.fileExists(atPath: late))
  }

  @Test("A merge takes over the timestamps of its shards")
  func merged() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...4)
    try scene.writeManifest()
    try scene.command(
      ["shards", "plan", "manifest.json", "--shards", "2", "--output", "Plan", "--no-input"]
    ).expect(0)
    for shard in 1...2 {
      try scene.command("shards", "run", "Plan", "--shard", "\(shard)").expect(0)
    }
    let authority = try TimestampAuthority(in: scene.at("tsa"))
    let result = try Tool.run("find", [scene.plan, "-name", "*.head", "-size", "+0"])
    let heads = result.output.split(separator: "\n").map(String.init)
    // That of the plan, and one of each shard.
    #expect(heads.count == 3, "\(heads)")
    for head in heads {
      try Tool.run(
        "openssl",
        ["ts", "-query", "-data", head, "-sha256", "-cert", "-out", scene.at("q.tsq")]
      ).expectZero()
      try authority.reply(to: scene.at("q.tsq"), as: head.dropLast("head".count) + "tsr")
    }
    try scene.command("shards", "merge", "Plan", "--output", "Merged").expect(0)
    let verified = try scene.command(
      ["audit", "verify", "Merged", "--format", "json", "--tsa-ca", "tsa/ca.pem"]
    )
    try verified.expect(0)
    #expect(try verified.json()["timestamps"].array.count == 3, "\(verified.streams)")
  }

  @Test(
    "A certificate that has expired since does not unmake a timestamp",
    .enabled(if: Tool.exists("faketime"), "no faketime")
  )
  func expired() throws {
    let scene = try library()
    let authority = try TimestampAuthority(
      in: scene.at("tsa"),
      clock: "2020-02-02 02:02:02",
      certificatesMade: "2020-02-01 02:02:02"
    )
    try stamp(scene, authority)
    let outcome = try verify(scene, "--tsa-ca", "tsa/ca.pem")
    try outcome.expect(0)
    let stamped = try #require(try outcome.json()["timestamps"].array.first)
    // The authority's clock goes on from 02:02:02 while its program begins.
    #expect(stamped["time"].string?.hasPrefix("2020-02-02T02:0") == true)
    #expect(stamped["trusted"].bool == true)
  }
}

extension Tool.Result {
  /// That the program has ended well.
  fileprivate func expectZero(_ location: SourceLocation = #_sourceLocation) {
    #expect(status == 0, "\(error)", sourceLocation: location)
  }
}
