import Foundation
import MediaModel
import MediaSyntax
import Testing

@testable import MediaAudit
@testable import MediaReports

@Suite("The fields of an outcome in reports and events")
struct OutcomeFieldsTests {
  private static let outcome: Outcome = {
    let path = ItemPath(bytes: Array("a.jpg".utf8))
    var outcome = Outcome(source: .camera, path: path, outcome: .imported)
    outcome.localIdentifier = "5f1c"
    outcome.role = .photo
    outcome.output = OutputFile(published: "Originals/a.jpg", sha256: "ef", bytes: 4100)
    outcome.sourceDigest = SourceDigest([7, 8], isKeyed: false)
    outcome.policy = .keep
    outcome.removed = [RemovedMetadata(name: "location", count: 2)]
    outcome.thumbnails = [Outcome.Thumbnail(name: "grid", file: outcome.output ?? none)]
    outcome.degraded = true
    outcome.olderVersion = "5f1b"
    outcome.replaces = .version
    outcome.recovered = true
    return outcome
  }()

  private static let none = OutputFile(published: "", sha256: "", bytes: 0)

  private static func record(_ outcome: Outcome) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "event": "outcome", "prev": .string(String(repeating: "0", count: 64)), "run": "5f1c",
      "seq": 2, "time": "2026-11-21T01:44:39.123456Z",
    ]
    for member in AuditRecord.outcome(outcome).members { members[member.key] = member.value }
    return members
  }

  private static func item(_ outcome: Outcome) throws -> ReportItem {
    let entry = try #require(AuditEntry(line: JSONValue.object(record(outcome)).serialized))
    return try #require(ReportItem(entry))
  }

  private static func names(_ writer: Outcome.Writer) -> Set<String> {
    Set(Outcome.fields(in: writer).map(\.name))
  }

  private static func schema(_ path: String) throws -> [String: Any] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let data = try Data(contentsOf: root.appendingPathComponent(path))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test("A JSON report has each field of the list, and so has its schema")
  func json() throws {
    guard case .object(let members) = JSONReport.item(try Self.item(Self.outcome)) else {
      Issue.record("no object")
      return
    }
    let expected = Self.names(.report).union(["run", "seq", "time", "message"])
    #expect(Set(members.keys) == expected)
    #expect(members["olderVersion"] == "5f1b" && members["replaces"] == "version")
    let schema = try Self.schema("docs/report.schema.json")
    let properties = try #require(schema["properties"] as? [String: [String: Any]])
    let item = try #require(properties["items"]?["items"] as? [String: Any])
    #expect(Set(try #require(item["required"] as? [String])) == expected)
    #expect(Set(try #require(item["properties"] as? [String: Any]).keys) == expected)
  }

  @Test("A CSV report has a column for each field of the list, filled with its value")
  func csv() throws {
    #expect(Self.names(.report).isSubset(of: Set(CSVReport.columns)))
    #expect(Set(CSVReport.columns).count == CSVReport.columns.count)
    let line = CSVReport.row(try Self.item(Self.outcome))
    let cells = line.dropLast().split(separator: ",", omittingEmptySubsequences: false)
    #expect(cells.count == CSVReport.columns.count)
    let row = Dictionary(uniqueKeysWithValues: zip(CSVReport.columns, cells.map(String.init)))
    #expect(row["olderVersion"] == "\"5f1b\"" && row["replaces"] == "\"version\"")
    #expect(row["output"] == "\"Originals/a.jpg\"" && row["bytes"] == "\"4100\"")
    #expect(row["sourceSHA256"] == "\"0708\"" && row["sourceHMAC"] == "\"\"")
  }

  @Test("An event has each field of the list, and so has its schema")
  func event() throws {
    let event = ItemEvent(Self.outcome, label: "a")
    guard case .object(let members) = ItemEventJSON.object(event, run: "r", library: "/l") else {
      Issue.record("no object")
      return
    }
    let besides: Set = ["schema", "run", "library", "message", "label", "bytes", "sha256"]
    #expect(Set(members.keys) == Self.names(.event).union(besides))
    #expect(members["path"] == "Originals/a.jpg" && members["bytes"] == 4100)
    let schema = try Self.schema("Manifests/events.schema.json")
    #expect(Set(try #require(schema["required"] as? [String])) == Set(members.keys))
  }

  @Test("A security event has each member of an outcome's record")
  func ocsf() throws {
    let record = ShownRecord(
      index: 1,
      file: "000001-5f1c.ndjson",
      hash: "",
      entry: try #require(AuditEntry(line: JSONValue.object(Self.record(Self.outcome)).serialized))
    )
    var events = OCSFEvents()
    guard case .object(let event)? = events.event(of: record, library: ""),
      case .object(let unmapped)? = event["unmapped"]
    else {
      Issue.record("no event")
      return
    }
    // The class has a file with its path and its digest, and the file that came out of it.
    let ofClass: Set = ["path", "sourceSHA256", "output"]
    let written = Set(AuditRecord.outcome(Self.outcome).members.map(\.key))
    #expect(written.subtracting(unmapped.keys) == ofClass)
    #expect(unmapped["olderVersion"] == "5f1b" && unmapped["replaces"] == "version")
  }

  @Test(
    "A record in words says which earlier content a file has replaced",
    arguments: [true, false]
  )
  func words(isNewAsset: Bool) throws {
    var outcome = Self.outcome
    if !isNewAsset { outcome.olderVersion = nil }
    let entry = AuditEntry(line: JSONValue.object(Self.record(outcome)).serialized)
    let read = try #require(entry)
    let text = try #require(ReportWording.record(read))
    #expect(
      isNewAsset
        ? text.contains("It is a newer version of the asset 5f1b.")
        : text.contains("It is a newer version; the originals of the earlier one are kept.")
    )
  }

  @Test("The texts of a forged record are harmless in a report")
  func forged() throws {
    var outcome = Self.outcome
    outcome.output?.bytes = -1
    var members = Self.record(outcome)
    let hostile: JSONValue = "a\n::error::b"
    members["olderVersion"] = hostile
    members["removed"] = [["name": hostile, "count": -7]]
    members["thumbnails"] = [["name": hostile, "path": "b", "sha256": hostile, "bytes": 1]]
    let entry = try #require(AuditEntry(line: JSONValue.object(members).serialized))
    let item = try #require(ReportItem(entry))
    let texts = [item.olderVersion, item.removed[0].name, item.thumbnails[0].name]
    for text in texts + [item.thumbnails[0].file.sha256] { expectHarmless(try #require(text)) }
    #expect(item.output?.bytes == 0 && item.removed[0].count == 0)
  }
}
