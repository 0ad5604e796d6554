import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Reports: who acted, and who signed", .enabled(if: Has.python, "no python3"))
struct SignerReportTests {
  /// Puts a signature into the log of the scene's first run, as one whose policy asks for it would have it.
  private func sign(_ scene: Scene) throws {
    let log = try #require(try scene.logFiles().first)
    try scene.forge(
      log.name,
      """
      signature = {"signedBy": "zoe@example.org", "allowedSignersLine": 3, "fingerprint": "SHA256:abc",
                   "sha256": records[0]["manifestSHA256"], "verifiedAt": "2026-11-21T01:44:38Z", "serial": 5}
      for record in records:
          if record["event"] in ("run", "decision"):
              record["signature"] = signature
      """
    )
  }

  /// A scene with a run of one photo, and the run's user and host.
  private func imported() throws -> (scene: Scene, user: String, host: String) {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/one.jpg", try Media.photo("one"))
    try scene.run().expect(0)
    let first = try #require(try scene.lastLog().first)
    return (scene, try #require(first["user"].string), try #require(first["host"].string))
  }

  @Test("explain says who ran the import on which machine, in text and as JSON")
  func explain() throws {
    let (scene, user, host) = try imported()
    let text = try scene.command("explain", "Library", "one.jpg")
    try text.expect(0)
    let words = text.output.split { $0.isWhitespace }.joined(separator: " ")
    #expect(words.contains("by the user \(user) on the machine \(host)"), "\(text.output)")
    #expect(!words.contains("signed by"))
    let item = try scene.command("explain", "Library", "one.jpg", "--format", "json").json()["items"].array[0]
    #expect(item["user"].string == user && item["host"].string == host && item["signature"].isNull)
  }

  @Test("html, csv, json, SARIF and in-toto say the user, the host and the signer of a run")
  func formats() throws {
    let (scene, user, host) = try imported()
    try sign(scene)
    let json = try JSON(text: try scene.text(try scene.report("json", code: 65)))
    let run = json["runs"].array[0]
    #expect(run["user"].string == user && run["host"].string == host)
    #expect(run["signature"]["signedBy"].string == "zoe@example.org")
    #expect(run["signature"]["allowedSignersLine"].int == 3 && run["signature"]["serial"].int == 5)
    let source = run["sources"].array[0]
    #expect(source["signedBy"].string == "zoe@example.org" && source["user"].isNull)
    try ReportReader.expectSchema(scene.at("report.json"))
    let page = try scene.text(try scene.report("html", code: 65))
    #expect(page.contains("It was allowed by the manifest, signed by zoe@example.org."))
    #expect(
      page.contains("SHA256:abc, line 3 of the allowed signers, serial 5, valid at 2026-11-21T01:44:38Z")
    )
    let rows = try scene.text(try scene.report("csv", code: 65)).split(separator: "\r\n")
    #expect(rows.first?.hasSuffix("\"user\",\"host\",\"signedBy\"") == true)
    let decision = try #require(rows.first { $0.hasPrefix("\"decision\"") })
    #expect(decision.hasSuffix("\"\(user)\",\"\(host)\",\"zoe@example.org\""), "\(decision)")
    let sarif = try JSON(text: try scene.text(try scene.report("sarif", code: 65)))
    let acted = sarif["runs"].array[0]["properties"]["runs"].array[0]
    #expect(acted["user"].string == user && acted["signature"]["fingerprint"].string == "SHA256:abc")
    let statement = try JSON(text: try scene.text(try scene.report("in-toto", code: 65)))
    let manifest = try #require(
      statement["predicate"]["configuration"].array.first { $0["name"].string == "manifest" }
    )
    #expect(manifest["annotations"]["host"].string == host)
    #expect(manifest["annotations"]["signature"]["signedBy"].string == "zoe@example.org")
  }

  @Test(
    "A signature of another manifest, or of a decision alone, is a finding, and the run has failed",
    arguments: [
      "records[0][\"signature\"] = dict(signature, sha256=\"0\" * 64)", "del records[0][\"signature\"]",
      "next(r for r in records if r[\"event\"] == \"decision\")[\"signature\"] = dict(signature, signedBy=\"eve\")",
    ]
  )
  func otherSignature(change: String) throws {
    let (scene, _, _) = try imported()
    try sign(scene)
    let log = try #require(try scene.logFiles().first)
    try scene.forge(log.name, "signature = dict(records[0][\"signature\"])\n" + change)
    let rules = try ReportReader.read("sarif", try scene.report("sarif", code: 65))
    #expect(rules.contains("error\tsignature-differs\tAudit/000001-"), "\(rules)")
    let statement = try JSON(text: try scene.text(try scene.report("in-toto", code: 65)))
    let failed = statement["predicate"]["failedTests"].array.compactMap(\.string)
    #expect(failed.contains { $0.hasPrefix("run/") }, "\(failed)")
  }

  @Test("A grant that a person gave at the run's prompt says whose it is, and needs no attention")
  func answered() throws {
    let scene = try Scene.undecided()
    scene.manifest["sources"] = ["camera": ["path": "sources/camera"]]
    try scene.writeManifest()
    try scene.access("grant", "manifest.json", "camera").expect(0)
    try scene.run().expect(0)
    let user = try #require(try scene.lastLog().first?["user"].string)
    let json = try JSON(text: try scene.reportText("json"))
    #expect(json["runs"].array[0]["sources"].array[0]["user"].string == user)
    let page = try scene.reportText("html")
    #expect(page.contains("It was allowed by a stored answer of the user \(user)."))
    #expect(!page.contains("What needs a person"))
    let explained = try scene.command("explain", "Library", "one.jpg").output
    let words = explained.split { $0.isWhitespace }.joined(separator: " ")
    #expect(words.contains(" was allowed by a stored answer of the user \(user)."), "\(explained)")
  }
}
