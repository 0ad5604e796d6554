import MediaAudit
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaReports

@Suite("Failures that earlier runs have said")
struct FailureHistoryTests {
  private let paths = (0..<12).map { ItemPath(bytes: Array("\($0 + 10).jpg".utf8)) }

  private func record(_ counted: [ItemPath]) -> AuditCount {
    var record = AuditCount(.unchanged, of: .camera, counted.count)
    record.listSHA256 = AuditRecord.listSHA256(counted)
    return record
  }

  @Test("The digest of a run tells which files it counts, whichever are gone since", arguments: 1...12)
  func gone(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    let counted = Array(paths.shuffled(using: &random).prefix(count)).sorted()
    #expect(FailureHistory.paths(of: record(counted), among: paths) == counted)
  }

  @Test("Files that the digest does not fit, or that are too many to try, are not named")
  func unknown() {
    var other = record(Array(paths.prefix(3)))
    other.listSHA256 = AuditRecord.listSHA256([])
    #expect(FailureHistory.paths(of: other, among: paths) == nil)
    #expect(FailureHistory.paths(of: record(paths), among: Array(paths.dropFirst())) == nil)
    let many = (0..<1000).map { ItemPath(bytes: Array("\($0)".utf8)) }.sorted()
    #expect(FailureHistory.paths(of: record(Array(many.prefix(500))), among: many) == nil)
    #expect(FailureHistory.paths(of: record(many), among: many) == many)
  }

  @Test("A log without the digest is believed where the number fits")
  func withoutDigest() {
    var record = record(paths)
    record.listSHA256 = nil
    #expect(FailureHistory.paths(of: record, among: paths) == paths)
    record.count = 3
    #expect(FailureHistory.paths(of: record, among: paths) == nil)
  }
}
