import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@testable import MediaAudit

/// Every edit of a small log is found, and its first bad record is named.
///
/// Without `MEDIABATCH_TEST_ALL` one byte in 13 is changed, and those about the ends of lines.
struct TamperingTests {
  private static func isTried(_ index: Int, of bytes: [UInt8]) -> Bool {
    Amount.isAll || index % 37 == 0 || index + 2 >= bytes.count
      || bytes[max(0, index - 1)...(index + 1)].contains(UInt8(ascii: "\n"))
  }

  static let torn = [0, 70]

  @Test("A log as it was written has no difference", arguments: torn)
  func untouched(torn: Int) throws {
    let log = try SampleLog(tornBytes: torn)
    for catalogue in [true, false] {
      let result = try log.verify(0, with: log.files[0].bytes, catalogue: catalogue)
      #expect(result.difference == nil)
      #expect(result.files == 2)
      #expect(result.records == log.expectations[0].records + log.expectations[1].records)
      #expect(result.head == log.heads[1])
      #expect(result.tornBytes == torn)
    }
  }

  @Test(
    "Every changed byte is found and its record is named",
    arguments: [0, 1],
    [true, false]
  )
  func everyByte(file: Int, catalogue: Bool) throws {
    let log = try SampleLog(itemsPerRun: 4)
    let original = log.files[file].bytes
    let count = log.lines(file).count
    var line = 1
    for index in original.indices {
      defer { if original[index] == UInt8(ascii: "\n") { line += 1 } }
      guard Self.isTried(index, of: original) else { continue }
      // One of the eight bits, and the byte that ends a line early.
      let newline = original[index] ^ UInt8(ascii: "\n")
      for flip in [1 << UInt8(index % 8), catalogue ? newline : 0x01] as Set<UInt8> where flip != 0 {
        var bytes = original
        bytes[index] ^= flip
        let result = try log.verify(file, with: bytes, catalogue: catalogue)
        if !catalogue, file == 1, line == count {
          // Nothing points at the last record: only the catalogue or a witness knows its hash.
          let isNamed = result.difference.map { ($0.line ?? 0) >= count - 1 } ?? true
          #expect(isNamed, "byte \(index), line \(line): \(result)")
          continue
        }
        let difference = try #require(result.difference, "byte \(index) ^ \(flip), line \(line)")
        #expect(difference.file == log.files[file].name)
        #expect(difference.kind == .changed && difference.line == line, "byte \(index): \(difference)")
        #expect(difference.sequence == line)
      }
    }
  }

  @Test("A changed last record is seen by the witness's head without a catalogue")
  func lastRecordByWitness() throws {
    let log = try SampleLog(itemsPerRun: 1)
    var bytes = log.files[1].bytes
    // A digit of the time of the last record, so that it stays a record.
    let index = bytes.count - 5
    bytes[index] ^= 1
    let silent = try log.verify(1, with: bytes, catalogue: false)
    #expect(silent.difference == nil)
    let seen = try AuditVerifier.verify(log.replacing(1, with: bytes), expectedHead: log.heads[1])
    #expect(seen.difference?.kind == .unexpectedHead)
  }

  @Test(
    "Every removed record is found",
    arguments: [0, 1],
    [true, false]
  )
  func everyRemoval(file: Int, catalogue: Bool) throws {
    let log = try SampleLog()
    let lines = log.lines(file)
    for index in lines.indices {
      var fewer = lines
      fewer.remove(at: index)
      let result = try log.verify(file, with: Array(fewer.joined()), catalogue: catalogue)
      let isLast = index == lines.count - 1
      if isLast, file == 1, !catalogue {
        #expect(result.difference == nil)
        continue
      }
      let difference = try #require(result.difference)
      #expect(difference.kind == (isLast ? .cut : .removed), "record \(index + 1): \(difference)")
      #expect(difference.file == log.files[file].name)
      #expect(difference.line == index + 1)
      #expect(difference.sequence == index + 1)
    }
  }

  @Test("Every record that stands there twice is found", arguments: [0, 1], [true, false])
  func everyDouble(file: Int, catalogue: Bool) throws {
    let log = try SampleLog(itemsPerRun: Amount.of(2, all: 5))
    let lines = log.lines(file)
    for index in lines.indices {
      for position in lines.indices.map({ $0 + 1 }) {
        var more = lines
        more.insert(lines[index], at: position)
        let result = try log.verify(file, with: Array(more.joined()), catalogue: catalogue)
        let difference = try #require(result.difference, "\(index) at \(position)")
        // A copy of the next record, put before it, is the record; then the copy is the other one.
        let expected = position == index ? position + 2 : position + 1
        #expect(difference.kind == .added, "record \(index + 1) at line \(position + 1): \(difference)")
        #expect(difference.file == log.files[file].name)
        #expect(difference.line == expected, "record \(index + 1) at line \(position + 1): \(difference)")
      }
    }
  }

  @Test("Every record that was moved anywhere is found", arguments: [0, 1], [true, false])
  func everyMove(file: Int, catalogue: Bool) throws {
    let log = try SampleLog(itemsPerRun: Amount.of(2, all: 5))
    let lines = log.lines(file)
    for index in lines.indices {
      for position in lines.indices where position != index {
        var moved = lines
        moved.insert(moved.remove(at: index), at: position)
        let result = try log.verify(file, with: Array(moved.joined()), catalogue: catalogue)
        let difference = try #require(result.difference, "\(index) to \(position)")
        #expect(difference.kind == .moved, "\(index + 1) to \(position + 1): \(difference)")
        #expect(
          difference.line == min(index, position) + 1,
          "\(index + 1) to \(position + 1): \(difference)"
        )
      }
    }
  }

  @Test("Every two neighbors that changed places are found", arguments: [0, 1])
  func everySwap(file: Int) throws {
    let log = try SampleLog()
    let lines = log.lines(file)
    for index in lines.indices.dropLast() {
      var swapped = lines
      swapped.swapAt(index, index + 1)
      let difference = try #require(
        try log.verify(file, with: Array(swapped.joined()), catalogue: false).difference
      )
      #expect(difference.kind == .moved && difference.line == index + 1, "\(difference)")
    }
  }

  @Test("Every length that a file was cut to is found", arguments: [0, 1], [0, 70])
  func everyCut(file: Int, torn: Int) throws {
    let log = try SampleLog(itemsPerRun: 4, tornBytes: torn)
    let original = log.files[file].bytes
    var line = 1
    for length in 0..<original.count {
      defer { if original[length] == UInt8(ascii: "\n") { line += 1 } }
      guard Self.isTried(length, of: original) else { continue }
      let result = try log.verify(file, with: Array(original[..<length]))
      let difference = try #require(result.difference, "\(length) bytes")
      #expect(difference.kind == log.cutKind(file, length), "\(length) bytes: \(difference)")
      #expect(difference.file == log.files[file].name)
      #expect(difference.line == line, "\(length) bytes: \(difference)")
    }
  }

  @Test("A cut of any file but the last is found without a catalogue")
  func everyCutWithoutCatalogue() throws {
    let log = try SampleLog(itemsPerRun: 3)
    let original = log.files[0].bytes
    for length in original.indices where Self.isTried(length, of: original) {
      let result = try log.verify(0, with: Array(original[..<length]), catalogue: false)
      #expect(result.difference?.kind == log.cutKind(0, length), "\(length) bytes")
    }
  }

  @Test(
    "A file that was cut before the next run is torn when that was within a record",
    arguments: torn
  )
  func cutBeforeNextRun(torn: Int) throws {
    // The next run has accepted what the file had then; the catalogue knows one record more.
    let log = try SampleLog(itemsPerRun: 2, tornBytes: torn)
    var expectations = log.expectations
    expectations[0].records += 1
    expectations[0].bytes += 400
    let files = log.replacing(-1, with: [])
    let result = try AuditVerifier.verify(files, expectations: expectations)
    let difference = try #require(result.difference)
    #expect(difference.kind == (torn > 0 ? .torn : .cut), "\(difference)")
    #expect(difference.line == log.expectations[0].records + 1)
  }

  @Test("A torn last line is no difference, at any length")
  func tornLine() throws {
    let log = try SampleLog(itemsPerRun: 1)
    let line = try #require(log.lines(1).last).dropLast()
    let before = Array(log.lines(1).dropLast().joined())
    for length in 1...line.count {
      let result = try log.verify(1, with: before + line.prefix(length), catalogue: false)
      #expect(result.difference == nil)
      #expect(result.tornBytes == length)
    }
  }

  @Test("A record behind the run's last one is found, though its chain is right")
  func recordBehindEnd() throws {
    let log = try SampleLog(itemsPerRun: 1)
    let forged = try forgedRecord(log, sequence: log.expectations[1].records + 1)
    let difference = try log.verify(1, with: log.files[1].bytes + forged).difference
    #expect(difference?.kind == .added)
    #expect(difference?.line == log.expectations[1].records + 1)
  }

  @Test("Bytes behind what the next run accepted are found", arguments: ["x", "x\n", "\n"])
  func bytesBehindAccepted(text: String) throws {
    let log = try SampleLog(itemsPerRun: 1, tornBytes: 10)
    let difference = try log.verify(0, with: log.files[0].bytes + Array(text.utf8)).difference
    #expect(difference?.kind == .added)
    #expect(difference?.line == log.expectations[0].records + 1)
  }

  @Test("A chain that was made anew is found by the catalogue, or by the next run")
  func rewrittenChain() throws {
    let log = try SampleLog(itemsPerRun: 3)
    for file in [0, 1] {
      let forged = try rewritten(log, file)
      #expect(try log.verify(file, with: forged).difference?.kind == .changed)
      let alone = try log.verify(file, with: forged, catalogue: false).difference
      #expect((alone != nil) == (file == 0))
      let witness = try AuditVerifier.verify(log.replacing(file, with: forged), expectedHead: log.heads[1])
      #expect(witness.difference != nil)
    }
  }

  private func forgedRecord(_ log: SampleLog, sequence: Int) throws -> [UInt8] {
    JSONValue.object([
      "seq": JSONValue(sequence), "prev": .string(log.heads[1]), "run": "run-2",
      "event": "access", "time": "2026-11-21T01:44:39.123456Z",
    ]).serialized + [UInt8(ascii: "\n")]
  }

  /// The file with an item's path replaced and all hashes behind it computed again.
  private func rewritten(_ log: SampleLog, _ file: Int) throws -> [UInt8] {
    var head: RecordHash?
    var bytes: [UInt8] = []
    for line in log.lines(file) {
      var members = try #require(CanonicalJSON.members(of: Array(line.dropLast())))
      if members["seq"] == 5 { members["path"] = "other.jpg" }
      if let head { members["prev"] = .string(head.text) }
      let forged = JSONValue.object(members).serialized
      head = forged.withUnsafeBytes { RecordHash(hashing: $0) }
      bytes += forged + [UInt8(ascii: "\n")]
    }
    return bytes
  }
}
