import MediaModel
import MediaSyntax
import Testing

@testable import MediaAudit

/// Names of sources in records: a person's words, which mostly are those of a folder.
@Suite("Names of sources in the log")
struct SourceNameTests {
  private static let anna = SourceID(.library, name: "Anna's \"Takeout\"")

  private func line(_ body: some RecordBody) -> [UInt8] {
    let record = AuditRecord(body)
    var members: [String: JSONValue] = [
      "event": .string(record.event.rawValue), "prev": .string(RecordHash.zero.text), "run": "5f1c", "seq": 2,
    ]
    for member in record.members { members[member.key] = member.value }
    if record.event.bearsNames || record.namesSource {
      members["salt"] = .string(String(repeating: "5f", count: 16))
    }
    return JSONValue.object(members).serialized
  }

  private func decision(_ source: SourceID) -> SourceDecision {
    var decision = SourceDecision()
    decision.source = source
    return decision
  }

  @Test("A record that names a source has a salt, whatever its event is; others have none more than before")
  func salts() {
    #expect(AuditRecord(decision(Self.anna)).namesSource)
    #expect(!AuditRecord(decision(.library)).namesSource)
    #expect(!AuditEvent.decision.bearsNames)
  }

  @Test("Who may see no paths sees no name of a source, and a record still tells its kind")
  func heldBack() throws {
    let line = line(decision(Self.anna))
    try line.withUnsafeBytes { bytes in
      for hidden in [Set<RedactableKind>([.paths]), []] {
        let shown = try #require(DisclosedRecord(bytes, index: 3, hiding: hidden))
        let text = String(decoding: JSONValue.object(shown.members).serialized, as: UTF8.self)
        #expect(text.contains("Takeout") == hidden.isEmpty, "\(text)")
        #expect(shown.leaf == DisclosedRecord(bytes, index: 3, hiding: [])?.leaf)
        guard case .object(let members) = try shown.revealed() else {
          Issue.record("no object")
          return
        }
        let entry = AuditEntry(sequence: 2, event: .decision, run: "5f1c", fields: members)
        let named = ShownRecord(index: 3, file: "f", hash: "h", entry: entry).named
        #expect(named.body(of: SourceDecision.self)?.source == (hidden.isEmpty ? Self.anna : .library))
        #expect(DisclosedRecord(shown.members) == shown)
      }
    }
  }

  @Test("What a record says of its source is read with the line: by its name, and none for what is no name")
  func read() throws {
    func named(_ change: (inout [String: JSONValue]) -> Void) throws -> ChainedRecord.NamedSource? {
      var members = try #require(CanonicalJSON.members(of: line(decision(Self.anna))))
      change(&members)
      let bytes = JSONValue.object(members).serialized
      return try bytes.withUnsafeBytes { bytes in
        let scan = try #require(ParsedRecord(bytes))
        return try #require(ChainedRecord(bytes, scan)).named
      }
    }
    let whole = try named { _ in }
    #expect(whole?.source == Self.anna && whole?.isAllowed == false)
    #expect(try named { $0["decision"] = "allow" }?.isAllowed == true)
    #expect(try named { $0["sourceName"] = nil } == nil)
    for value in ["", "camera", "library", 7, .null] as [JSONValue] {
      let read = try #require(try named { $0["sourceName"] = value })
      #expect(read.source == nil, "\(value)")
    }
    let kindless = try #require(try named { $0["source"] = nil })
    #expect(kindless.source == nil)
  }
}
