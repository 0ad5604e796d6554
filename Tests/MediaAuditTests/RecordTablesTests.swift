import Foundation
import MediaModel
import MediaSyntax
import Testing

@testable import MediaAudit

/// The tables of records in the specification, whose rows are those of the lists of fields. `RECORD_SNAPSHOTS=1` writes
/// them, which `make docs` does; what a row says of a member is kept.
@Suite("The tables of records")
struct RecordTablesTests {
  private static let head = "| member | type | meaning |"

  /// The members of an event in the order of its list, each with a value that it can have.
  private static func members(of event: AuditEvent) -> [AuditRecord.Member] {
    if event == .outcome {
      return Outcome.fields(in: .log).map { AuditRecord.Member(key: $0.name, value: .null) }
    }
    var members: [AuditRecord.Member] = []
    for record in RecordBodyTests.records where record.event == event {
      members += record.members.filter { member in !members.contains { $0.key == member.key } }
    }
    return members
  }

  /// The row of a member that no row tells of yet: what it means is for a person to say.
  private static func newRow(_ member: AuditRecord.Member) -> String {
    let type =
      switch member.value {
      case .bool: "true or false"
      case .integer: "integer"
      case .array: "list"
      case .object: "object"
      default: "text"
      }
    return "| `\(member.key)` | \(type) | |"
  }

  /// The text between the first two backticks of a line.
  private static func name(in line: some StringProtocol) -> String {
    String(line.split(separator: "`", omittingEmptySubsequences: false).dropFirst().first ?? "")
  }

  /// A specification with the rows and the marks of salts that the lists make, and the events that it has a table of.
  private static func written(_ text: String) -> (text: String, events: [AuditEvent]) {
    var (lines, events): ([String], [AuditEvent]) = ([], [])
    var event: AuditEvent?
    var kept: [String]?
    for line in text.components(separatedBy: "\n") {
      if line.hasPrefix("**`"), let named = AuditEvent(rawValue: name(in: line)) {
        event = named
        let mark = "**`\(named.rawValue)`**"
        let ending = line.dropFirst(mark.count)
        let sentence = ending.hasPrefix(" *s*") ? ending.dropFirst(4) : ending
        lines.append(mark + (named.bearsNames ? " *s*" : "") + sentence)
      } else if event != nil, line == head {
        kept = []
        lines.append(line)
      } else if let named = event, let rows = kept, !line.hasPrefix("|") {
        let written = Dictionary(rows.map { (name(in: $0), $0) }) { first, _ in first }
        lines.append("|---|---|---|")
        lines += members(of: named).map { written[$0.key] ?? newRow($0) }
        lines.append(line)
        events.append(named)
        (event, kept) = (nil, nil)
      } else if kept != nil {
        kept?.append(line)
      } else {
        lines.append(line)
      }
    }
    return (lines.joined(separator: "\n"), events)
  }

  private static func document(_ path: String) throws -> (url: URL, text: String) {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../docs/" + path)
    return (url, try String(contentsOf: url, encoding: .utf8))
  }

  @Test("The specification has the members of each event, in the order of their lists")
  func specification() throws {
    let (url, committed) = try Self.document("spec/audit-log.md")
    let (text, events) = Self.written(committed)
    #expect(events.count == AuditEvent.allCases.count && Set(events) == Set(AuditEvent.allCases))
    #expect(!text.contains(" | |"), "a member whose meaning nobody has written")
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try text.write(to: url, atomically: true, encoding: .utf8)
    } else {
      #expect(committed == text, "make docs writes docs/spec/audit-log.md anew")
    }
  }

  @Test("The page about the log has each event in its table", arguments: AuditEvent.allCases)
  func page(event: AuditEvent) throws {
    let rows = try Self.document("audit-log.md").text.split(separator: "\n").filter {
      $0.hasPrefix("| `")
    }
    #expect(rows.contains { $0.contains("`\(event.rawValue)`") })
  }

  @Test("A row that is missing, moved or of no member is mended, and what others say is kept")
  func mended() {
    let event = "**`stacked`** *s*, as told:\n\n\(Self.head)\n|---|---|---|\n"
    let text = event + "| `assets` | list | those |\n| `gone` | text | it |\n\nMore.\n"
    let expected =
      "**`stacked`**, as told:\n\n\(Self.head)\n|---|---|---|\n| `assets` | list | those |\n\nMore.\n"
    #expect(Self.written(text).text == expected)
    let removed = expected.replacing("| `assets` | list | those |\n", with: "")
    #expect(Self.written(removed).text.contains("| `assets` | list | |\n\nMore."))
  }
}
