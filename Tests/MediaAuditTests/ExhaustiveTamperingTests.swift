import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaAudit

/// Every single edit of a log of 500 records is found, and the first record that it touches is named.
///
/// Each verification starts at the file that was edited, with what the files before have given. Every
/// edit is made with `MEDIABATCH_TEST_ALL`; without it one in 211, and one record in seven.
struct ExhaustiveTamperingTests {
  static let stride = Amount.isAll ? 1 : 211

  /// Ten runs of 50 records, with all that is known of each.
  struct Runs: Sendable {
    let log: SampleLog
    var heads: [RecordHash] = [.zero]
    var trees = [TreeFrontier()]

    init() throws {
      log = try SampleLog(itemsPerRun: 22, runs: 10)
      var tree = TreeFrontier()
      for index in log.files.indices {
        for line in log.lines(index) {
          let digest = line.dropLast().withUnsafeBytes { HashedRecord.Digest($0) }
          tree.append(leaf: try #require(digest).leaf)
        }
        trees.append(tree)
        heads.append(try #require(RecordHash(hexadecimal: log.heads[index])))
      }
    }

    /// What verifying finds from a file on whose bytes are others now.
    func difference(_ index: Int, _ bytes: [UInt8]) throws -> AuditDifference? {
      let name = try #require(AuditFileName(text: log.files[index].name))
      var next: NextOpening?
      if index + 1 < log.files.count {
        next = try NextOpening(
          of: MemoryAuditBytes(log.files[index + 1].bytes),
          name: try #require(AuditFileName(text: log.files[index + 1].name)),
          after: name,
          expectations: [log.expectations[index + 1]]
        )
      }
      var check = AuditFileCheck(
        name: name,
        bytes: MemoryAuditBytes(bytes),
        incoming: heads[index],
        tree: trees[index],
        previousName: index > 0 ? AuditFileName(text: log.files[index - 1].name) : nil,
        expectations: [log.expectations[index]],
        next: next,
        threads: 1
      )
      return try check.run { _, _, _ in }
    }
  }

  /// Made once for all tests.
  private static let recordedRuns = Result { try Runs() }

  @Test("The log has 500 records and more, and no difference as it is")
  func untouched() throws {
    let runs = try Self.recordedRuns.get()
    #expect(runs.trees[10].size >= 500)
    for index in runs.log.files.indices {
      #expect(try runs.difference(index, runs.log.files[index].bytes) == nil)
    }
    let whole = try runs.log.verify(0, with: runs.log.files[0].bytes)
    #expect(whole.difference == nil && whole.tree == runs.trees[10].head)
  }

  @Test("Every byte that is another is found", arguments: 0..<10)
  func everyByte(index: Int) throws {
    let runs = try Self.recordedRuns.get()
    let original = runs.log.files[index].bytes
    var line = 1
    var wrong: [String] = []
    for offset in original.indices {
      defer { if original[offset] == UInt8(ascii: "\n") { line += 1 } }
      guard (offset + index) % Self.stride == 0 else { continue }
      var bytes = original
      bytes[offset] ^= 1 << UInt8(offset % 8)
      let difference = try runs.difference(index, bytes)
      if difference?.kind != .changed || difference?.line != line {
        wrong.append("byte \(offset), line \(line): \(difference?.description ?? "nothing")")
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count) of \(original.count), the first \(wrong.prefix(3))")
  }

  @Test("Every record removed, doubled, or swapped with the next is found", arguments: 0..<10)
  func everyRecord(index: Int) throws {
    let runs = try Self.recordedRuns.get()
    let lines = runs.log.lines(index)
    var wrong: [String] = []
    func check(_ edited: [[UInt8]], _ kind: AuditDifference.Kind, _ line: Int) throws {
      let difference = try runs.difference(index, Array(edited.joined()))
      if difference?.kind != kind || difference?.line != line {
        wrong.append("\(kind) at \(line): \(difference?.description ?? "nothing")")
      }
    }
    for position in lines.indices {
      let isLast = position + 2 >= lines.count
      guard Amount.isAll || isLast || (position + index) % 7 == 0 else { continue }
      var edited = lines
      edited.remove(at: position)
      try check(edited, position == lines.count - 1 ? .cut : .removed, position + 1)
      edited = lines
      edited.insert(lines[position], at: position)
      try check(edited, .added, position + 2)
      guard position + 1 < lines.count else { continue }
      edited = lines
      edited.swapAt(position, position + 1)
      try check(edited, .moved, position + 1)
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(3))")
  }

  @Test("Every length that a file can be cut to is found", arguments: 0..<10)
  func everyLength(index: Int) throws {
    let runs = try Self.recordedRuns.get()
    let original = runs.log.files[index].bytes
    var line = 1
    var wrong: [String] = []
    for length in original.indices {
      defer { if original[length] == UInt8(ascii: "\n") { line += 1 } }
      let isWhole = length == 0 || original[length - 1] == UInt8(ascii: "\n")
      guard isWhole || (length + index) % Self.stride == 0 else { continue }
      let difference = try runs.difference(index, Array(original[..<length]))
      if difference?.kind != (isWhole ? .cut : .torn) || difference?.line != line {
        wrong.append("\(length) bytes, line \(line): \(difference?.description ?? "nothing")")
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count), the first \(wrong.prefix(3))")
  }

  @Test("Every file removed, or replaced by another, is found", arguments: 0..<10)
  func everyFile(index: Int) throws {
    let log = try Self.recordedRuns.get().log
    var files = log.replacing(-1, with: [])
    files.remove(at: index)
    let missing = try AuditVerifier.verify(files, expectations: log.expectations).difference
    #expect(missing?.kind == .missing && missing?.file == log.files[index].name)
    let other = log.files[(index + 1) % 10].bytes
    let replaced = try AuditVerifier.verify(
      log.replacing(index, with: other),
      expectations: log.expectations
    ).difference
    #expect(replaced?.file == log.files[index].name)
  }
}
