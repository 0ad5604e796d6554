import MediaModel
import MediaTestSupport
import Testing

@testable import MediaAudit

/// Edits of whole files, and the witness.
struct FolderTamperingTests {
  @Test("A whole file that was removed is missing", arguments: [0, 1])
  func removedFile(index: Int) throws {
    let log = try SampleLog(itemsPerRun: 2)
    var files = log.replacing(-1, with: [])
    files.remove(at: index)
    let result = try AuditVerifier.verify(files, expectations: log.expectations)
    #expect(result.difference?.kind == .missing)
    #expect(result.difference?.file == log.files[index].name)
    let alone = try AuditVerifier.verify(files)
    #expect(alone.difference?.kind == (index == 0 ? .missing : nil))
    let witness = try AuditVerifier.verify(files, expectedHead: log.heads[1])
    #expect(witness.difference != nil)
  }

  @Test("A file replaced by an older copy of itself is cut")
  func olderCopy() throws {
    let log = try SampleLog(itemsPerRun: 4)
    let lines = log.lines(1)
    for count in 0..<lines.count {
      let difference = try log.verify(1, with: Array(lines[..<count].joined())).difference
      #expect(difference?.kind == .cut && difference?.line == count + 1, "\(count) records")
    }
  }

  @Test("An older copy of log and catalogue together is found by the witness alone")
  func rollback() throws {
    let log = try SampleLog(itemsPerRun: 2)
    let files = [AuditFile(name: log.files[0].name, bytes: log.files[0].bytes)]
    let silent = try AuditVerifier.verify(files, expectations: [log.expectations[0]])
    #expect(silent.difference == nil)
    let seen = try AuditVerifier.verify(
      files,
      expectations: [log.expectations[0]],
      expectedHead: log.heads[1]
    )
    #expect(seen.difference?.kind == .unexpectedHead)
  }

  @Test("Files that changed names are found")
  func renamedFiles() throws {
    let log = try SampleLog(itemsPerRun: 2)
    let swapped = [
      AuditFile(name: log.files[0].name, bytes: log.files[1].bytes),
      AuditFile(name: log.files[1].name, bytes: log.files[0].bytes),
    ]
    #expect(try AuditVerifier.verify(swapped).difference?.kind == .moved)
    let renumbered = [
      AuditFile(name: "000001-run-1.ndjson", bytes: log.files[0].bytes),
      AuditFile(name: "000003-run-2.ndjson", bytes: log.files[1].bytes),
    ]
    #expect(try AuditVerifier.verify(renumbered).difference?.kind == .missing)
    let alone = [AuditFile(name: "000001-run-2.ndjson", bytes: log.files[1].bytes)]
    #expect(try AuditVerifier.verify(alone).difference != nil)
  }

  @Test("A second file with a number that is taken is added, other names are ignored")
  func extraFiles() throws {
    let log = try SampleLog(itemsPerRun: 2)
    var files = log.replacing(-1, with: [])
    files.append(AuditFile(name: "000001-a.ndjson", bytes: []))
    let difference = try AuditVerifier.verify(files, expectations: log.expectations).difference
    #expect(difference?.kind == .added && difference?.file == "000001-a.ndjson")
    files[2] = AuditFile(name: "notes\u{1b}.txt", bytes: [1, 2, 3])
    let result = try AuditVerifier.verify(files, expectations: log.expectations)
    #expect(result.difference == nil)
  }

  @Test("A catalogue that knows another run of a file is a difference")
  func otherRun() throws {
    let log = try SampleLog(itemsPerRun: 2)
    var expectations = log.expectations
    expectations[0].run = "other"
    let verified = try AuditVerifier.verify(log.replacing(-1, with: []), expectations: expectations)
    #expect(verified.difference?.kind == .changed)
  }

  @Test("A witness's head is the last one, a run's last one, or unexpected")
  func witness() throws {
    let log = try SampleLog(itemsPerRun: 2)
    let files = log.replacing(-1, with: [])
    #expect(try AuditVerifier.verify(files, expectedHead: log.heads[1]).expectedHeads.first == .last)
    #expect(
      try AuditVerifier.verify(files, expectedHead: log.heads[1].uppercased()).expectedHeads.first
        == .last
    )
    #expect(
      try AuditVerifier.verify(files, expectedHead: log.heads[0]).expectedHeads.first
        == .endOfRun(file: log.files[0].name)
    )
    let middle = Array(log.lines(1)[3].dropLast()).withUnsafeBytes { RecordHash(hashing: $0).text }
    let difference = try AuditVerifier.verify(files, expectedHead: middle).difference
    #expect(difference?.kind == .unexpectedHead && difference?.line == 4)
    for head in ["", "0", String(repeating: "0", count: 64), String(repeating: "g", count: 64)] {
      #expect(try AuditVerifier.verify(files, expectedHead: head).difference?.kind == .unexpectedHead)
    }
  }

  @Test("Earlier batches of the catalogue hold too", arguments: [1, 2, 5, 9])
  func earlierBatches(records: Int) throws {
    let log = try SampleLog(itemsPerRun: 4)
    let lines = log.lines(1)
    let head = Array(lines[records - 1].dropLast()).withUnsafeBytes { RecordHash(hashing: $0).text }
    let position = AuditPosition(
      file: log.files[1].name,
      run: "run-2",
      records: records,
      bytes: lines[..<records].reduce(0) { $0 + $1.count },
      head: head
    )
    let files = log.replacing(-1, with: [])
    #expect(try AuditVerifier.verify(files, expectations: [position]).difference == nil)
    var wrong = position
    wrong.head = String(repeating: "0", count: 64)
    let difference = try AuditVerifier.verify(files, expectations: [wrong]).difference
    #expect(difference?.kind == .changed && difference?.line == records)
    wrong = position
    wrong.bytes += 1
    #expect(try AuditVerifier.verify(files, expectations: [wrong]).difference?.line == records)
  }

  @Test("An empty log is fine, until the catalogue knows a file")
  func emptyLog() throws {
    let log = try SampleLog(itemsPerRun: 1)
    let empty = try AuditVerifier.verify([])
    #expect(empty.difference == nil && empty.head == String(repeating: "0", count: 64))
    let difference = try AuditVerifier.verify([], expectations: log.expectations).difference
    #expect(difference?.kind == .missing && difference?.file == log.files[0].name)
  }

  @Test("Random bytes never trap, and never pass for a log", arguments: 0..<40)
  func randomBytes(part: Int) throws {
    let log = try SampleLog(itemsPerRun: 1)
    var random = SeededGenerator("\(#function) \(part)")
    let alphabet = Array("{}[]\":,\\u0019-\n abc\u{e9}".utf8) + [0xFF, 0xC3, 0x00]
    let length = Int.random(in: 0..<2000, using: &random)
    var bytes = (0..<length).map { _ in random.pick(alphabet) }
    bytes.append(UInt8(ascii: "\n"))
    #expect(try log.verify(0, with: bytes).difference != nil)
    let cut = Int.random(in: 0..<900, using: &random)
    let spliced = Array(log.files[0].bytes.prefix(cut)) + bytes
    #expect(try log.verify(0, with: spliced).difference != nil)
  }

  @Test("A line without an end is read in constant memory and is no record")
  func endlessLine() throws {
    let log = try SampleLog(itemsPerRun: 1)
    let endless = [UInt8](repeating: UInt8(ascii: "["), count: 5_000_000)
    #expect(try log.verify(0, with: endless).difference?.line == 1)
    let result = try log.verify(1, with: log.files[1].bytes + endless + [UInt8(ascii: "\n")])
    #expect(result.difference?.line == log.expectations[1].records + 1)
  }
}
