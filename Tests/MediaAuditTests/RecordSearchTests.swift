import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@testable import MediaAudit

@Suite("The search for records")
struct RecordSearchTests {
  private static let events: Set<AuditEvent> = [.run, .decision, .end]

  /// The records of a file that are about an asset or a path, or of some events, and the last one.
  private static func wanted(_ file: [UInt8]) throws -> [Int] {
    var entries: [AuditEntry] = []
    try AuditEntry.forEach(in: MemoryAuditBytes(file)) { entries.append($0) }
    let path = SampleLog.path(of: 7)
    return entries.filter { entry in
      events.contains(entry.event) || entry.fields["asset"] == "A-3" || entry.path == path
        || entry.sequence == entries.count
    }.map(\.sequence)
  }

  @Test(
    "The pass that verifies, and one of its own, find every record about what is wanted",
    arguments: [0, 40]
  )
  func findsRecords(_ tornBytes: Int) throws {
    let log = try SampleLog(itemsPerRun: 12, tornBytes: tornBytes)
    let search = RecordSearch(events: Self.events, assets: ["A-3"], paths: [SampleLog.path(of: 7)])
    var witnesses = AuditWitnesses()
    witnesses.expectations = log.expectations
    witnesses.search = search
    let files = log.files.map { AuditFile(name: $0.name, bytes: $0.bytes) }
    let verified = try AuditVerifier.verify(files, witnesses)
    #expect(verified.difference == nil && verified.matches.count == 2)
    for (index, file) in log.files.enumerated() {
      let bytes = MemoryAuditBytes(file.bytes)
      let match = try #require(verified.matches[file.name])
      #expect(try AuditEntry.records(search, in: bytes) == match)
      #expect(match.records == log.expectations[index].records)
      var sequences: [Int] = []
      try AuditEntry.forEach(in: bytes, at: match.lines) { sequences.append($0.sequence) }
      #expect(try sequences == Self.wanted(file.bytes))
    }
    witnesses.search = nil
    #expect(try AuditVerifier.verify(files, witnesses).matches == [:])
  }

  @Test("A search ends before the first line that is no record")
  func broken() throws {
    let log = try SampleLog()
    let lines = log.lines(0)
    let bytes = Array(lines[..<9].joined()) + Array("{}\n".utf8) + Array(lines[9...].joined())
    let search = RecordSearch(events: [.end], assets: [])
    let match = try AuditEntry.records(search, in: MemoryAuditBytes(bytes))
    #expect(match.records == 9 && match.lines.count == 1)
  }

  @Test("Lines are passed over by their bytes, and a text that looks like an event is none")
  func passedOver() throws {
    let log = try SampleLog()
    let bytes = MemoryAuditBytes(log.files[1].bytes)
    for event in AuditEvent.allCases {
      var (all, filtered): ([Int], [Int]) = ([], [])
      try AuditEntry.forEach(in: bytes, only: [event]) { all.append($0.sequence) }
      try AuditEntry.forEach(in: bytes, where: AuditEntry.mayBe(event)) { entry in
        if entry.event == event { filtered.append(entry.sequence) }
      }
      #expect(filtered == all)
    }
    let text = JSONValue.object(["path": #""event":"end""#, "event": "access"]).serialized
    #expect(!text.withUnsafeBytes(AuditEntry.mayBe(.end)))
  }
}
