import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// The in-toto statement in an envelope, as programs that know nothing of mediabatch verify it.
@Suite("Reports: the signed statement", .enabled(if: Has.python, "no python3"))
struct SignedReportTests {
  private struct Signed {
    let scene = Scene()
    let pem: String
    let identifier: String
    let envelope: String

    init() throws {
      try scene.declare("camera")
      try scene.putPhotos(1...2)
      try scene.run().expect(0)
      let key = try scene.command("audit", "key", "show", "--format", "json").json()
      identifier = try #require(key["identifier"].string)
      let shown = try scene.command("audit", "key", "show", "--format", "pem")
      try shown.expect(0)
      pem = try scene.put("audit.pem", shown.output)
      envelope = scene.at("report.in-toto")
      try scene.report("in-toto", "--sign")
    }

    /// The envelope with one change.
    func changed(_ change: (inout [String: Any]) -> Void) throws -> String {
      let text = try readBytes(envelope)
      var object = try #require(JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
      change(&object)
      let data = try JSONSerialization.data(withJSONObject: object)
      return try scene.put("changed.json", Array(data))
    }
  }

  @Test(
    "securesystemslib verifies the envelope, and its payload is the statement",
    .enabled(if: Readers.python != nil, Readers.missing)
  )
  func securesystemslib() throws {
    let signed = try Signed()
    let payload = try Readers.read("dsse", signed.envelope, signed.pem, signed.identifier)
    #expect(try payload == signed.scene.reportText("in-toto"))
    let file = try signed.scene.put("statement.json", payload)
    #expect(try ReportReader.read("intoto", file, signed.scene.library).hasPrefix("PASSED 2"))
    // A payload, a type and a signature that are others are not verified.
    let payloads = try signed.changed { object in
      let text = payload.replacing("PASSED", with: "FAILED")
      object["payload"] = Data(text.utf8).base64EncodedString()
    }
    let signatures = try signed.changed { object in
      object["signatures"] = [
        ["keyid": signed.identifier, "sig": Data(repeating: 7, count: 64).base64EncodedString()]
      ]
    }
    for file in [payloads, signatures] {
      let result = try Readers.run("dsse", [file, signed.pem, signed.identifier])
      #expect(result.status == 1 && result.output.contains("not verified"), "\(result)")
    }
    // Another key's is not ours.
    let other = try Scene().command("audit", "key", "show", "--format", "pem").output
    let stranger = try signed.scene.put("other.pem", other)
    #expect(try Readers.run("dsse", [signed.envelope, stranger, signed.identifier]).status == 1)
  }

  @Test("openssl verifies the signature", .enabled(if: Tool.exists("openssl"), "no openssl"))
  func openssl() throws {
    let signed = try Signed()
    let object = try JSON(text: String(decoding: try readBytes(signed.envelope), as: UTF8.self))
    let payload = try #require(object["payload"].string.flatMap { Data(base64Encoded: $0) })
    let signature = try #require(
      object["signatures"].array.first?["sig"].string.flatMap { Data(base64Encoded: $0) }
    )
    let type = "application/vnd.in-toto+json"
    func verify(_ payload: Data) throws -> Int32 {
      let bytes = Data("DSSEv1 \(type.utf8.count) \(type) \(payload.count) ".utf8) + payload
      let message = try signed.scene.put("message", Array(bytes))
      let file = try signed.scene.put("signature", Array(signature))
      return try Tool.run(
        "openssl",
        [
          "pkeyutl", "-verify", "-pubin", "-inkey", signed.pem, "-rawin", "-in", message,
          "-sigfile", file,
        ]
      ).status
    }
    #expect(try verify(payload) == 0)
    #expect(try verify(payload + Data("\n".utf8)) == 1)
  }

  @Test("A statement is signed by the key that is named, or by none")
  func keys() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...1)
    try scene.run().expect(0)
    let refused = [
      ["--format", "json", "--sign"],
      ["--format", "in-toto", "--key", "home/mediabatch/audit.key"],
      ["--format", "in-toto", "--sign", "--key", "no.key"],
    ]
    for arguments in refused {
      let outcome = try scene.command(["report", "Library", "--output", "out.json"] + arguments)
      #expect(outcome.code == 64, "\(arguments): \(outcome.streams)")
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: scene.path)
    #expect(!left.contains { $0.contains("out.json") }, "\(left)")
    let named = try scene.command(
      ["report", "Library", "--format", "in-toto", "--sign", "--key", "home/mediabatch/audit.key"]
    )
    try named.expect(0)
    let shown = try scene.command("audit", "key", "show", "--format", "json").json()
    #expect(
      try named.json()["signatures"].array.map { $0["keyid"].string } == [
        shown["identifier"].string
      ]
    )
  }
}
