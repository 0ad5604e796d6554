import MediaModel
import MediaSyntax
import Testing

@testable import MediaAudit
@testable import MediaReports

@Suite("What a report says first: the verdict, and the groups of what was left out")
struct ReportVerdictTests {
  private static func entry(_ event: String, _ fields: [String: JSONValue]) throws -> AuditEntry {
    var members: [String: JSONValue] = [
      "event": .string(event), "prev": .string(String(repeating: "0", count: 64)), "run": "5f1c",
      "seq": 2, "time": "2026-11-21T01:44:39.123456Z",
    ]
    members.merge(fields) { _, new in new }
    return try #require(AuditEntry(line: JSONValue.object(members).serialized))
  }

  private static func run(
    _ exitCode: Int?,
    _ counts: [ItemOutcome: Int],
    refuses: Bool = false
  ) throws -> ReportRun {
    let file = "000001-5f1c.ndjson"
    let opening = try entry(
      "run",
      ["file": .string(file), "previous": .null, "schema": .string(AuditRecord.schema)]
    )
    var run = try #require(ReportRun(opening, file: file))
    run.exitCode = exitCode
    for (outcome, count) in counts { run.totals.addUnlisted(count, outcome) }
    if refuses {
      let decision = try entry(
        "decision",
        [
          "source": "microphone", "authorizationStatus": "denied", "decision": "refuse",
          "reason": "denied",
        ]
      )
      run.permissions = [try #require(ReportPermission(decision))]
    }
    return run
  }

  private static func verdict(_ runs: [ReportRun]) -> ReportVerdict {
    var totals = ReportTotals()
    for run in runs { totals.add(run.totals) }
    return ReportVerdict(runs, totals, failedFiles: totals.count(.failed))
  }

  @Test("A run that left nothing out is good, and says so no more than it is")
  func passed() throws {
    let all = Self.verdict([try Self.run(0, [.imported: 3])])
    #expect(all == ReportVerdict(.check, "Everything was imported"))
    let allowed = Self.verdict([try Self.run(0, [.imported: 3], refuses: true)])
    #expect(allowed.heading == "Everything that was allowed was imported")
    let ruled = Self.verdict([try Self.run(0, [.imported: 3, .skipped: 1])])
    #expect(ruled.heading == "Everything that was allowed was done")
    let same = Self.verdict([try Self.run(0, [.unchanged: 3])])
    #expect(same.heading == "Done; nothing was new")
    #expect(Self.verdict([try Self.run(0, [:])]).heading == "Done; there was nothing to import")
  }

  @Test("What was left out is counted, and a run without an end comes before it")
  func warned() throws {
    let leftOut: [ItemOutcome: Int] = [
      .imported: 1218, .skipped: 129, .unsupported: 175, .failedBefore: 33,
    ]
    let counted = Self.verdict([try Self.run(0, leftOut)])
    #expect(counted == ReportVerdict(.check, "Done, with 337 files left out"))
    let going = Self.verdict([try Self.run(0, leftOut), try Self.run(nil, [:])])
    #expect(going.heading == "A run has not ended")
  }

  @Test("A failure says what failed: the items, or how the last run ended")
  func failed() throws {
    let items = Self.verdict([try Self.run(3, [.imported: 1, .failed: 1])])
    #expect(items == ReportVerdict(.close, "1 file could not be imported"))
    let good = try Self.run(0, [.imported: 1])
    let gone = try Self.run(66, [:])
    #expect(Self.verdict([gone]).heading == "The run failed: a required source was not there")
    #expect(Self.verdict([good, gone]).heading == "The last run failed: a required source was not there")
    #expect(Self.verdict([gone, good]).heading == "1 of 2 runs failed")
    let unknown = Self.verdict([try Self.run(99, [:])])
    #expect(unknown.heading == "The run failed: it ended with an unknown code")
  }

  private static func item(_ name: String, _ outcome: Outcome) throws -> ReportItem {
    var outcome = outcome
    outcome.path = ItemPath(bytes: Array(name.utf8))
    var fields: [String: JSONValue] = [:]
    for member in AuditRecord.outcome(outcome).members { fields[member.key] = member.value }
    return try #require(ReportItem(try entry("outcome", fields)))
  }

  @Test("Groups name their first items, failures first; the largest first of each outcome")
  func groups() throws {
    var groups: [ReportLeftOut] = []
    let counts: [(ItemReason, Int)] = [
      (.sidecarRead, 9), (.mediaTypeExcluded, 40), (.damaged, 2), (.cannotOpen, 5),
      (.unknownFormat, 7), (.thumbnailMissing, 8),
    ]
    for (reason, count) in counts {
      var group = ReportLeftOut(.init(source: .camera, reason: reason))
      var outcome = Outcome(source: .camera, path: ItemPath(bytes: []), outcome: reason.outcome)
      outcome.reason = reason
      for number in 0..<count { group.add(try Self.item("\(number).jpg", outcome)) }
      groups.append(group)
    }
    let ordered = ReportLeftOut.ordered(groups.shuffled())
    #expect(
      ordered.map(\.reason) == [
        .cannotOpen, .damaged, .unknownFormat, .thumbnailMissing, .mediaTypeExcluded, .sidecarRead,
      ]
    )
    #expect(ordered[0].examples == ["0.jpg", "1.jpg", "2.jpg"] && ordered[0].count == 5)
    #expect(ordered[1].examples.count == 2)
  }

  @Test("A file that each run met is named and counted once in its group")
  func namesOnce() throws {
    var group = ReportLeftOut(.init(source: .camera, reason: .damaged))
    var outcome = Outcome(source: .camera, path: ItemPath(bytes: []), outcome: .failed)
    outcome.reason = .damaged
    for name in ["0.jpg", "0.jpg", "1.jpg", "2.jpg", "3.jpg", "0.jpg"] {
      group.add(try Self.item(name, outcome))
    }
    #expect(group.examples == ["0.jpg", "1.jpg", "2.jpg"])
    #expect(group.count == 4 && group.items == 6)
    // Another run met two of them, which failed for another reason.
    var other = ReportLeftOut(.init(source: .camera, reason: .cannotRead))
    outcome.reason = .cannotRead
    for name in ["3.jpg", "0.jpg", "4.jpg"] { other.add(try Self.item(name, outcome)) }
    #expect(ReportLeftOut.files(of: [group, other]) == 5)
  }

  @Test("A file counts once in each class that it lost, by whatever names")
  func classes() throws {
    var outcome = Outcome(source: .camera, path: ItemPath(bytes: []), outcome: .imported)
    outcome.removed = [
      RemovedMetadata(name: "GPSLatitude", count: 1),
      RemovedMetadata(name: "GPSLongitude", count: 1),
      RemovedMetadata(name: "APP1 Exif", count: 2),
    ]
    let item = try Self.item("a.jpg", outcome)
    #expect(item.removedClasses == [.location: 2, .other: 2])
    var totals = ReportTotals()
    totals.add(item)
    totals.add(item)
    var sum = ReportTotals()
    sum.add(totals)
    let twice = ReportTotals.Removed(count: 4, files: 2)
    #expect(sum.removedClasses == [.location: twice, .other: twice])
  }
}
