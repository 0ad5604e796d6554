import Foundation
import MediaManifest
import MediaModel
import MediaSyntax
import Testing

@testable import MediaPermissions

@Suite("Receipts of consent as JSON-LD")
struct ConsentReceiptDocumentTests {
  private typealias Members = [String: Any]

  /// A record as the store writes it: canonical JSON.
  private func transition(
    _ to: String,
    from: String = "notDetermined",
    cause: String = "answered",
    source: String = "library",
    name: String? = nil,
    level: String = "readWrite",
    answer: String? = nil
  ) throws -> StoredTransition {
    let given = answer.map { "\"answer\":{\($0)}," } ?? ""
    let named = name.map { "\"sourceName\":\"\($0)\"," } ?? ""
    let record =
      "{\(given)\"cause\":\"\(cause)\",\"client\":\"a.b\",\"from\":\"\(from)\",\"level\":\"\(level)\","
      + "\"manifest\":\"/home/me/m.json\",\"seq\":3,\"source\":\"\(source)\",\(named)"
      + "\"time\":\"2026-11-30T10:00:00Z\",\"to\":\"\(to)\"}"
    return try #require(StoredTransition(record: record, hash: "ab"), "\(record)")
  }

  /// The members of an answer about a text.
  private func answer(_ text: String, language: String? = nil) -> String {
    let language = language.map { "\"usageTextLanguage\":\"\($0)\"," } ?? ""
    return "\"folder\":{\"path\":\"/media/Photos\"},\(language)"
      + "\"usageTextSHA256\":\"\(StoreTransition.hash(Array(text.utf8)))\""
  }

  private func manifest(_ members: String) throws -> Manifest {
    let json =
      "{\"version\":1,\"client\":{\"identifier\":\"a.b\",\"name\":\"A program\"},\"output\":{\"path\":\"L\"},"
      + "\"usageDescriptions\":{\"NSPhotoLibraryUsageDescription\":\"why\"},"
      + "\"sources\":{\"library\":{\"path\":\"p\"}}\(members)}"
    return try #require(ManifestReader.read(Array(json.utf8)).manifest)
  }

  /// The records of the changes, each out of its receipt if it has one, and the whole text.
  private func records(
    _ transitions: [StoredTransition],
    texts: [String] = [],
    tellsNames: Bool = false,
    members: String = ""
  ) throws -> (records: [Members], text: String) {
    let present = ConsentReceipt.Present(manifest: try manifest(members), sha256: "cd")
    let receipts = ConsentReceipts(
      of: transitions,
      answers: [],
      texts: texts,
      quotes: [],
      user: "me",
      tellsNames: tellsNames,
      isChosen: { _ in true },
      present: { $0 == Array("/home/me/m.json".utf8) ? present : nil }
    )
    let bytes = receipts.document(created: "2026-11-30T11:00:00Z").serialized
    let document = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? Members)
    let graph = try #require(document["@graph"] as? [Members])
    #expect(graph.last?["@type"] as? String == "mb:Chain")
    return (
      graph.dropLast().map { $0["dpv:hasRecordOfActivity"] as? Members ?? $0 },
      String(decoding: bytes, as: UTF8.self)
    )
  }

  private func record(_ transition: StoredTransition, members: String = "") throws -> Members {
    try #require(try records([transition], members: members).records.first)
  }

  @Test(
    "A grant to add stores and does nothing else, and each source has its own data",
    arguments: [
      ("library", "readWrite", "photos and videos of the photo library", "Collect Copy Store"),
      ("library", "addOnly", "photos and videos that are added", "Store"),
      ("camera", "readWrite", "photos and videos that were captured", "Collect Copy Store"),
      ("microphone", "readWrite", "sound", "Collect Copy Store"),
    ]
  )
  func process(source: String, level: String, data: String, verbs: String) throws {
    let record = try record(try transition("authorized", source: source, level: level))
    let process = try #require(record["dpv:hasProcess"] as? Members)
    #expect((process["dpv:hasPersonalData"] as? Members)?["dct:title"] as? String == data)
    let processing = try #require(process["dpv:hasProcessing"] as? [[String: String]])
    #expect(processing.compactMap { $0["@id"] } == verbs.split(separator: " ").map { "dpv:\($0)" })
    #expect(process["mb:level"] as? String == level && process["mb:source"] as? String == source)
  }

  @Test("What is granted can be withdrawn, what is refused can be given, and an end is neither")
  func control() throws {
    func control(_ transition: StoredTransition) throws -> String? {
      (try record(transition)["dpv:hasConsentControl"] as? Members)?["@type"] as? String
    }
    #expect(try control(transition("authorized")) == "dpv:WithdrawConsent")
    #expect(try control(transition("denied", from: "limited")) == "dpv:ProvideConsent")
    #expect(try control(transition("notDetermined", from: "authorized", cause: "reset")) == nil)
    #expect(try control(transition("notDetermined", from: "denied", cause: "reset")) == nil)
  }

  @Test(
    "A jurisdiction that has a code is named by DPV's identifier, and any other by its words",
    arguments: [
      ("DE", true), ("EU", true), ("US-CA", true), ("GB-SCT", true), ("FR-2A", true), ("de", false),
      ("DEU", false),
      ("US-", false), ("US-ca", false), ("US-CALI", false), ("Bavaria", false), ("D", false), ("U1", false),
    ]
  )
  func jurisdiction(text: String, isCode: Bool) throws {
    let record = try record(try transition("authorized"), members: ",\"jurisdiction\":\"\(text)\"")
    if isCode {
      #expect(record["dpv:hasJurisdiction"] as? [String: String] == ["@id": "loc:\(text)"])
    } else {
      #expect(record["dpv:hasJurisdiction"] as? String == text)
    }
  }

  @Test("Who answers for it, how they are reached and the privacy notice are those of the manifest")
  func controller() throws {
    let record = try record(
      try transition("authorized"),
      members:
        ",\"controller\":{\"name\":\"A club\",\"contact\":\"+49 1\"},\"privacyNotice\":\"https://a.example/p\""
    )
    let controller = record["dpv:hasDataController"] as? [String: String]
    #expect(
      controller == ["@type": "dpv:DataController", "dpv:hasName": "A club", "dpv:hasContact": "+49 1"]
    )
    let notices = try #require(record["dpv:hasNotice"] as? [Members])
    #expect(notices.map { $0["@type"] as? String } == ["dpv:ConsentNotice", "dpv:PrivacyNotice"])
    #expect(notices.last?["schema:url"] as? String == "https://a.example/p")
    #expect(record["mb:manifestSHA256"] as? String == "cd")
    let plain = try self.record(try transition("authorized"))
    #expect(plain["dpv:hasDataController"] == nil && (plain["dpv:hasNotice"] as? [Members])?.count == 1)
  }

  @Test(
    "An end has the words, in their language, of the answer that it ends, and not of one at another level"
  )
  func ends() throws {
    let (records, _) = try records(
      [
        try transition("authorized", answer: answer("To read.", language: "en")),
        try transition("authorized", level: "addOnly", answer: answer("To add.")),
        try transition("notDetermined", from: "authorized", cause: "reset"),
        try transition("notDetermined", from: "authorized", cause: "reset", level: "addOnly"),
        // Nothing is left to end.
        try transition("notDetermined", from: "authorized", cause: "reset"),
      ],
      texts: ["To read.", "To add."]
    )
    let words = try records.map { record in
      try #require((record["dpv:hasNotice"] as? [Members])?.first)["dct:description"]
    }
    #expect(words[0] as? [String: String] == ["@language": "en", "@value": "To read."])
    #expect(words[1] as? String == "To add.")
    #expect(words[2] as? [String: String] == ["@language": "en", "@value": "To read."])
    #expect(words[3] as? String == "To add.")
    #expect(words[4] == nil)
  }

  @Test("Without names no path and no name of a source is told, and with them each is, with the chain")
  func names() throws {
    let named = try transition("authorized", name: "trips", answer: answer("Why."))
    let secrets = ["/home/me", "/media/Photos", "trips"]
    let plain = try records([named]).text
    for secret in secrets { #expect(!plain.contains(secret), "\(secret)") }
    let (told, text) = try records([named], tellsNames: true)
    let record = try #require(told.first)
    #expect(record["mb:manifest"] as? String == "/home/me/m.json")
    #expect(record["mb:folder"] as? String == "/media/Photos")
    #expect(text.contains("--source trips"))
    #expect(text.contains("\"mb:chain\"") && !plain.contains("\"mb:chain\""))
  }
}
