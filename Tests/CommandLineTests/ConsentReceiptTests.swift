import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("mediabatch access receipt", .enabled(if: Has.sqlite && Has.python, "no sqlite3 or no python3"))
struct ConsentReceiptTests {
  /// A scene with a grant, a limit, a withdrawal, a refusal that was taken back, and a run.
  private func answered() throws -> Scene {
    let scene = try Scene.undecided()
    scene.manifest["controller"] = ["name": "A club"]
    scene.manifest["jurisdiction"] = "DE"
    try scene.writeManifest()
    try scene.access("grant", "manifest.json", "camera", "--for", "30d").expect(0)
    try scene.access("limit", "manifest.json", "two.jpg", "th*.jpg").expect(0)
    try scene.run().expect(0)
    try scene.access("reset", "manifest.json", "camera").expect(0)
    try scene.access("deny", "manifest.json", "library").expect(0)
    try scene.access("reset", "manifest.json", "library").expect(0)
    return scene
  }

  private func document(_ scene: Scene, _ arguments: String...) throws -> (
    file: String, nodes: [JSON], text: String
  ) {
    let outcome = try Scene.program(["access", "receipt"] + arguments, in: scene.path)
    try outcome.expect(0)
    let file = try scene.put("receipts.jsonld", outcome.output)
    return (file, try outcome.json()["@graph"].array, outcome.output)
  }

  /// The record of a node, in a receipt or alone.
  private func record(_ node: JSON) -> JSON {
    let inner = node["dpv:hasRecordOfActivity"]
    return inner.exists ? inner : node
  }

  @Test("Each answer and each end is a receipt, a refusal is a record without a legal basis")
  func statuses() throws {
    let scene = try answered()
    let (_, nodes, _) = try document(scene, "manifest.json")
    let statuses = nodes.dropLast().map { node in
      record(node)["dpv:hasConsentStatus"]["@type"].array.compactMap(\.string).joined(separator: "+")
    }
    #expect(
      statuses == [
        "dpv:ConsentGiven", "dpv:ConsentGiven", "dpv:ConsentWithdrawn",
        "dpv:ConsentRefused+dpv:ConsentWithdrawn",
        "dpv:ConsentUnknown",
      ]
    )
    #expect(
      nodes.map { $0["@type"].string } == [
        "dpv:ConsentReceipt", "dpv:ConsentReceipt", "dpv:ConsentReceipt", "dpv:ConsentRecord",
        "dpv:ConsentRecord",
        "mb:Chain",
      ]
    )
    let bases = nodes.dropLast().map { record($0)["dpv:hasProcess"]["dpv:hasLegalBasis"].exists }
    #expect(bases == [true, true, false, false, false])
  }

  @Test(
    "A receipt says the words, the time, the end, the numbers, how to take it back, and what nobody has stated"
  )
  func contents() throws {
    let scene = try answered()
    let (_, nodes, text) = try document(scene, "manifest.json")
    let grant = record(nodes[0])
    #expect(grant["dpv:hasNotice"].array[0]["dct:description"].string == "The test takes pictures.")
    #expect(grant["dpv:hasConsentStatus"]["dpv:hasDuration"]["@type"].string == "dpv:UntilTimeDuration")
    #expect(
      grant["dpv:hasConsentControl"]["dct:description"].string
        == "mediabatch access reset --client org.example.test --source camera"
    )
    #expect(grant["dpv:hasDataController"]["dpv:hasName"].string == "A club")
    #expect(grant["dpv:hasJurisdiction"]["@id"].string == "loc:DE")
    #expect(
      grant["mb:notStated"].array.compactMap(\.string) == ["controller.contact", "privacyNotice", "language"]
    )
    let limit = record(nodes[1])
    #expect(limit["dpv:hasNotice"].array[0]["mb:selectedCount"].int == 2)
    let times = try scene.stored("SELECT record ->> 'time' FROM transitions ORDER BY seq")
    #expect(
      nodes.dropLast().map { record($0)["dpv:hasConsentStatus"]["dpv:isIndicatedAtTime"]["@value"].string }
        == times
    )
    // What the command says takes the answer back.
    try scene.access("grant", "manifest.json", "camera").expect(0)
    try scene.access("reset", "--client", "org.example.test", "--source", "camera").expect(0)
    #expect(try scene.stored("SELECT count(*) FROM answers") == ["0"])
    for name in ["two.jpg", "th*.jpg", scene.path] { #expect(!text.contains(name), "\(name)") }
  }

  @Test("Names, the folder and the chain's records are there with --names, and only of what was asked for")
  func names() throws {
    let scene = try answered()
    let (_, nodes, text) = try document(scene, "manifest.json", "camera", "--names")
    #expect(nodes.count == 3)
    #expect(record(nodes[0])["mb:manifest"].string == scene.manifestPath)
    #expect(record(nodes[0])["mb:folder"].string == scene.at("sources/camera"))
    #expect(nodes[2]["mb:chain"]["@list"].array.count == 5 && nodes[2]["mb:records"].int == 5)
    #expect(!text.contains("two.jpg"), "a selection is not stored in the chain")
    try scene.access("limit", "manifest.json", "two.jpg").expect(0)
    let again = try document(scene, "manifest.json", "library", "--names").nodes
    let selected = try #require(again.dropLast().last)
    #expect(record(selected)["mb:selected"]["@list"].array.compactMap(\.string) == ["two.jpg"])
  }

  @Test(
    "The verifier in Python proves a document with names, and one without by the store; a changed one differs"
  )
  func verified() throws {
    let scene = try answered()
    let named = try document(scene, "--names", "--library", "Library")
    let proved = try Verifier.run(["receipt", named.file, "--quoted-by", scene.library])
    #expect(
      proved.status == 0 && proved.output.hasPrefix("Proved: 5 answers"),
      "\(proved.output)\(proved.error)"
    )
    #expect(proved.output.contains("that quote it: 1"))
    for (old, new) in [
      ("dpv:ConsentRefused", "dpv:ConsentGiven"), ("The test takes pictures.", "The test takes all."),
      ("\"mb:seq\":1", "\"mb:seq\":2"), ("org.example.test", "org.example.other"),
      ("\"dpv:Purpose\",\"dct:description\":\"The", "\"dpv:Purpose\",\"dct:description\":\"A"),
      ("\"mb:folder\":\"/", "\"mb:folder\":\"/else/"),
      ("urn:mediabatch:receipt:", "urn:mediabatch:receipt:0"),
    ] {
      let changed = try scene.put("changed.jsonld", named.text.replacing(old, with: new))
      #expect(named.text.contains(old))
      #expect(try Verifier.run(["receipt", changed]).status == 65, "\(old)")
    }
    let plain = try document(scene)
    let alone = try Verifier.run(["receipt", plain.file])
    #expect(alone.status == 0 && alone.output.contains("NOT PROVED"), "\(alone.output)\(alone.error)")
    let stored = try Verifier.run(["receipt", plain.file, "--answers", scene.answers])
    #expect(
      stored.status == 0 && stored.output.hasPrefix("Proved: 5 answers"),
      "\(stored.output)\(stored.error)"
    )
    // The chain may have grown since.
    try scene.access("grant", "manifest.json", "camera").expect(0)
    #expect(try Verifier.run(["receipt", plain.file, "--answers", scene.answers]).status == 0)
    // A library whose log does not quote it.
    let other = Scene()
    try other.declare("camera")
    try other.put("sources/camera/one.jpg", try Media.photo("one"))
    try other.run().expect(0)
    #expect(try Verifier.run(["receipt", named.file, "--quoted-by", other.library]).status != 0)
  }

  @Test(
    "Words of an answer that was taken back come from a library's log, if they are the ones that were shown"
  )
  func words() throws {
    let scene = try answered()
    scene.manifest["usageDescriptions"] = ["NSCameraUsageDescription": "Other words."]
    try scene.writeManifest()
    func words(_ arguments: String...) throws -> [String?] {
      let outcome = try Scene.program(["access", "receipt"] + arguments, in: scene.path)
      return try outcome.json()["@graph"].array.dropLast().map {
        record($0)["dpv:hasNotice"].array[0]["dct:description"].string
      }
    }
    #expect(try words("manifest.json", "camera") == [nil, nil])
    let kept = "The test takes pictures."
    #expect(try words("manifest.json", "camera", "--library", "Library") == [kept, kept])
    // Whatever language is first, or is this user's.
    scene.manifest["usageDescriptions"] = [
      "NSCameraUsageDescription": ["de": "Andere Worte.", "en-GB": .string(kept)]
    ]
    try scene.writeManifest()
    #expect(try words("manifest.json", "camera") == [kept, kept])
  }

  @Test("Lines for a person say what the document says, and a store without answers is empty")
  func text() throws {
    let scene = try answered()
    let text = try scene.access("receipt", "manifest.json", "--format", "text")
    try text.expect(0)
    #expect(text.output.contains("org.example.test, camera: consent given\n"), "\(text.output)")
    #expect(
      text.output.contains("org.example.test, photo library, readWrite: consent refused, consent withdrawn\n")
    )
    #expect(text.output.contains("  not said  controller.contact, privacyNotice, language\n"))
    #expect(text.output.contains("Proof: 5 records, head "))
    let empty = try Scene.undecided()
    let none = try empty.access("receipt")
    try none.expect(0)
    #expect(try none.json()["@graph"].array.isEmpty)
    #expect(none.error.contains("There are no such answers"))
    try scene.access("receipt", "--library", "sources").expect(78)
  }

  @Test("A grant for one run is used up by it, and one in the place of another renews it")
  func ends() throws {
    let scene = try Scene.undecided()
    scene.manifest["sources"] = ["camera": ["path": "sources/camera"]]
    try scene.writeManifest()
    try scene.access("grant", "manifest.json", "camera").expect(0)
    try scene.access("grant", "manifest.json", "camera", "--once").expect(0)
    try scene.run().expect(0)
    let (file, nodes, _) = try document(scene, "--names")
    let statuses = nodes.dropLast().map { record($0)["dpv:hasConsentStatus"] }
    #expect(
      statuses.map { $0["@type"].array[0].string } == [
        "dpv:ConsentGiven", "dpv:RenewedConsentGiven", "dpv:ConsentExpired",
      ]
    )
    #expect(statuses[1]["dpv:hasDuration"]["@type"].string == "dpv:FixedOccurrencesDuration")
    #expect(try Verifier.run(["receipt", file]).status == 0)
  }
}
